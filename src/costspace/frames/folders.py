"""The files in folders and those that globs mean, through links; each counts once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from glob import has_magic
from pathlib import Path
from stat import S_ISREG

from costspace.errors import FileError


def below(top: Path, hidden: str) -> Iterator[tuple[Path, list[Path]]]:
    """A folder and those below it, each once, and what else is in it.

    Names that begin with a `hidden` character are left out. Links to folders are followed last, so
    that a folder goes by its own name. `OSError` if a folder cannot be read.
    """
    waiting, seen = deque([top]), set()
    while waiting:
        folder = waiting.popleft()
        place = os.path.realpath(folder)
        if place in seen:
            continue
        seen.add(place)
        others = []
        for entry in _entries(folder):
            if entry.name[0] in hidden:
                continue
            path = _checked(folder, entry)
            if not entry.is_dir():
                others.append(path)
            elif entry.is_symlink():
                waiting.append(path)
            else:
                waiting.appendleft(path)
        yield folder, others


def matching(pattern: Path) -> Iterator[Path]:
    """What a glob means, files and folders, some perhaps more than once.

    `OSError` if a folder cannot be read.
    """
    fixed = next(i for i, part in enumerate(pattern.parts) if has_magic(part))
    yield from _of_parts(Path(*pattern.parts[:fixed]), pattern.parts[fixed:])


def _of_parts(path: Path, parts: Sequence[str]) -> Iterator[Path]:
    """What the parts of a glob mean from a path on, which is there or else means nothing."""
    if not parts:
        yield path
        return
    part, *more = parts
    if not has_magic(part):
        check_link(path / part)
        yield from _of_parts(path / part, more) if (path / part).exists() else ()
    elif not path.is_dir():
        return
    elif part == "**":
        for folder, others in below(path, "."):
            yield from _of_parts(folder, more) if more else others
    else:
        for entry in _entries(path):
            if fnmatch(entry.name, part) and (entry.name[0] != "." or part[0] == "."):
                yield from _of_parts(_checked(path, entry), more)


def each_once(paths: Iterable[Path]) -> list[Path]:
    """Files in the order of their names; of those that are links to one file, the file.

    `FileError` if one is no file, or has two names that are no links: nobody knows how often its
    rows are to count.
    """
    names: dict[tuple[int, int], list[Path]] = {}
    for path in paths:
        found = path.stat()
        if not S_ISREG(found.st_mode):
            raise FileError(f"{path} is not a file: name by a glob those that are meant.")
        names.setdefault((found.st_dev, found.st_ino), []).append(path)
    return sorted(_one_of(several) for several in names.values())


def place_of(path: Path) -> object:
    """What all names of a file have in common, through links of any kind."""
    try:
        found = path.stat()
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def _one_of(names: Sequence[Path]) -> Path:
    """Of the names of a file the one that goes through fewest links."""
    if len(names) == 1:
        return names[0]
    if len(set(map(os.path.realpath, names))) > 1:
        one, other, *_ = sorted(set(names))
        raise FileError(
            f"{one} and {other} are one file (hard links): its rows would count twice. Remove a "
            "name, or make it a copy if both count."
        )
    return min(names, key=lambda name: (sum(p.is_symlink() for p in (name, *name.parents)), name))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _checked(folder: Path, entry: os.DirEntry[str]) -> Path:
    """The path of what is in a folder; `FileError` if it is a link that leads nowhere."""
    path = folder / entry.name
    if entry.is_symlink():
        check_link(path)
    return path


def check_link(path: Path) -> None:
    """`FileError` if a link leads nowhere: what it was made for is missing."""
    if path.is_symlink() and not path.exists():
        raise FileError(f"{path} is a link to {path.readlink()!s:.100}, which is not there.")

"""Which files a path, a glob or a folder means."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from glob import has_magic
from itertools import chain, takewhile
from pathlib import Path

from costspace.errors import FileError
from costspace.frames.folders import below, check_link, each_once, matching
from costspace.names import near_names

# How many characters several names may take in one message.
_ROOM = 160
_ENDINGS = {"Parquet": (".parquet", ".pq"), "CSV": (".csv", ".csv.gz", ".csv.zst")}
# Such as https://example.org/a.csv, which a path keeps with one slash; not C:/a.csv.
_ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.-]+:/")
_START_BYTES = 512
_HIDDEN = "._"


def files_of(path: Path) -> list[Path]:
    """The files that a path means, in the order of their names; at least one.

    A folder means the Parquet files in it and in its folders, or else the CSV files, except those
    whose names, or whose folders' names, begin with a dot or an underscore: engines leave such
    files beside the data. Links are followed, and each file counts once.
    """
    try:
        files = _found(path)
    except OSError as error:
        place = short(str(path)) if error.filename is None else error.filename
        raise FileError(f"cannot read {place}: {error.strerror}.") from None
    for file in files:
        check_name(file)
    return files


def is_data_of(folder: Path, file: Path) -> bool:
    """Whether a file, existing or not, is one of those that a folder means."""
    if not folder.is_dir() or not _looks_like_data(file):
        return False
    place = Path(os.path.realpath(file.parent), file.name)
    return any(_is_shown(Path(os.path.realpath(one)), place) for one, _ in below(folder, _HIDDEN))


def _is_shown(folder: Path, file: Path) -> bool:
    """Whether a file is in a folder, and no name on the way begins as hidden ones do."""
    inside = file.is_relative_to(folder)
    return inside and all(name[0] not in _HIDDEN for name in file.relative_to(folder).parts)


def _looks_like_data(file: Path) -> bool:
    return file.name.casefold().endswith(tuple(chain(*_ENDINGS.values())))


def check_name(file: Path) -> None:
    """`FileError` if no text can name a file to an engine."""
    try:
        str(file.absolute()).encode()
    except UnicodeEncodeError:
        shown = os.fsencode(file.absolute()).decode(errors="backslashreplace")
        raise FileError(f"the name of {short(shown, 200)} is not UTF-8: rename it.") from None


def _found(path: Path) -> list[Path]:
    if path.is_dir():
        return _files_in(path)
    if path.is_file():
        return [path]
    if path.exists():
        raise FileError(f"{path} is not a file: write its data to a file, and name that.")
    if _ADDRESS.match(str(path)):
        if str(path).casefold().startswith("file:"):
            there = str(path)[len("file:") :]
            raise FileError(
                f"{short('file://' + there, 150)} is an address: name the file by its path, as in "
                f"{short(there, 100)}."
            )
        shown = re.sub(":/+", "://", str(path), count=1)
        raise FileError(
            f"{short(shown, 150)} is an address, and only files on this machine are read: fetch it "
            "first, and name the file by its path."
        )
    if has_magic(str(path)):
        return _files_matching(path)
    check_link(path)
    siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    near = near_names(path.name, siblings)
    hint = f" Did you mean {listed(near)}?" if near else ""
    raise FileError(f"there is no file {path}.{hint}")


def _files_matching(pattern: Path) -> list[Path]:
    folders: list[Path] = []
    files: list[Path] = []
    for path in matching(pattern):
        (folders if path.is_dir() else files).append(path)
    for path in filter(_looks_like_data, folders):
        if not any(file.is_relative_to(path) for file in files):
            raise FileError(
                f"{path} is a folder: name the files in it, as by {str(pattern / '*')!r}, or only "
                "the folder."
            )
    if not files:
        raise FileError(f"no file matches {short(str(pattern), 200)}.")
    return each_once(files)


def _files_in(folder: Path) -> list[Path]:
    inside = [path for _, others in below(folder, _HIDDEN) for path in others]
    found = {
        kind: [path for path in inside if path.name.casefold().endswith(endings)]
        for kind, endings in _ENDINGS.items()
    }
    kinds = [kind for kind, files in found.items() if files]
    if not kinds:
        ends = listed(list(chain(*_ENDINGS.values())))
        raise FileError(f"{folder} has no files that end in {ends}.")
    if len(kinds) > 1:
        raise FileError(
            f"{folder} has Parquet and CSV files: say which by a glob such as "
            f"{str(folder / '**' / '*.parquet')!r}."
        )
    return each_once(found[kinds[0]])


def partition_keys(files: Sequence[Path]) -> tuple[str, ...]:
    """The columns that folders name, as ``day`` in ``day=2024-05-01``; the same for all files."""
    keys = [_keys(file) for file in files]
    for file, found in zip(files, keys, strict=True):
        if found != keys[0]:
            raise FileError(
                f"folders name columns {listed(found) or 'none'} for {file} and "
                f"{listed(keys[0]) or 'none'} for {files[0]}: files read together need the same."
            )
    return keys[0]


def _keys(file: Path) -> tuple[str, ...]:
    pairs = (part.partition("=") for part in file.absolute().parts[:-1])
    return tuple(key for key, equals, _ in pairs if key and equals)


def fixed_folder(files: Sequence[Path]) -> Path:
    """The folder below which folders name columns."""
    parts = files[0].absolute().parts[:-1]
    return Path(*takewhile(lambda part: "=" not in part, parts))


def first_bytes(path: Path) -> bytes:
    """The bytes that tell the kind of files, or `FileError` unless there are any."""
    return start_of(files_of(path)[0])


def start_of(path: Path) -> bytes:
    """The first bytes of a file, enough to tell its kind, or `FileError` if it is empty."""
    try:
        with path.open("rb") as file:
            start = file.read(_START_BYTES)
    except OSError as error:
        raise FileError(f"cannot read {short(str(path))}: {error.strerror}.") from None
    if not start:
        raise FileError(f"{path} is empty: it needs a header and rows.")
    return start


def short(text: str, length: int = 40) -> str:
    """A text as messages show it: only its beginning if it is long."""
    return text if len(text) <= length else text[:length] + "..."


def no_column(where: object, name: str, known: Collection[str]) -> FileError:
    """The error that a file or a frame has no such column."""
    formula = " A formula has sums and products alone." if re.search(r"[*/^(]", name) else ""
    shown = f"{short(name, 100)!r}: {suggestion(name, known)}{formula}"
    error = FileError(f"{where} has no column {shown}")
    error.column = name
    return error


def suggestion(name: str, known: Collection[str]) -> str:
    """The hint for an unknown name: near names, or else all that are known."""
    near = near_names(name, known)
    return f"did you mean {listed(near)}?" if near else f"it has {listed(known)}."


def listed(names: Collection[str]) -> str:
    """Names as messages show them: the first eight, or as many as fit on a line."""
    shown: list[str] = []
    room = _ROOM
    for name in list(names)[:8]:
        # Bytes that are not UTF-8, which Python decodes to surrogates.
        text = re.sub(r"(?<!\\)\\udc([89a-f][0-9a-f])", r"\\x\1", repr(short(name)))
        room -= len(text)
        if shown and room < 0:
            break
        shown.append(text)
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")

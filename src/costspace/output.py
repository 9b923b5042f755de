"""Files written whole or not at all."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from costspace.errors import FileError


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step, as `whole_file` does, in UTF-8."""
    with whole_file(path) as part:
        part.write_bytes(text.encode())


def check_writable(path: Path) -> None:
    """Raise `FileError` if `whole_file` could not write there; write nothing and leave nothing."""
    with _part_of(path):
        pass


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file to write to, which replaces the old one in one step if all goes well.

    Readers see the old file or the whole new one. A link is followed; a device or a pipe gets the
    content directly. If an exception ends the writing, the partial file is removed. Only a killed
    process leaves it behind, under another name that begins with a dot. `FileError` if it cannot be
    written.
    """
    with _part_of(path) as (target, part):
        yield part
        if _is_special(target):
            with part.open("rb") as content, target.open("wb") as device:
                shutil.copyfileobj(content, device)
        else:
            part.chmod(_usual_mode(target))
            part.replace(target)


@contextmanager
def _part_of(path: Path) -> Iterator[tuple[Path, Path]]:
    """The file that a path leads to, and an empty one beside it, removed if it is still there."""
    try:
        target = _target(path)
        # A device's directory takes no files.
        directory = Path(tempfile.gettempdir()) if _is_special(target) else target.parent
        part = directory / f".{target.name}.{secrets.token_hex(8)}"
        try:
            # The old file may be private: nobody else may read the new one.
            part.touch(mode=0o600, exist_ok=False)
            yield target, part
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}.") from None


def _target(path: Path) -> Path:
    """The file that a path leads to, the path itself if it is a device or a pipe."""
    if path.is_dir():
        raise FileError(f"cannot write {path}: it is a directory.")
    if _is_special(path):
        return path
    try:
        return path.resolve()
    except RuntimeError:
        raise FileError(f"cannot write {path}: it is a link to itself.") from None


def _is_special(path: Path) -> bool:
    """Whether a path is that of a device or a pipe."""
    return path.exists() and not path.is_file()


def _usual_mode(path: Path) -> int:
    """The permissions that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

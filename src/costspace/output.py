"""Files written whole or not at all."""

import os
import tempfile
from pathlib import Path

from costspace.errors import FileError


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step: whoever looks sees the old file or the whole new one.

    Raises
    ------
    FileError
        If it cannot be written; nothing is left behind then.
    """
    if path.is_dir():
        raise FileError(f"cannot write {path}: it is a directory.")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}.") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        part.chmod(_usual_mode(path))
        part.replace(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise FileError(f"cannot write {path}: {error.strerror}.") from None
        raise


def _usual_mode(path: Path) -> int:
    """The permissions that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

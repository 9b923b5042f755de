"""Files written whole or not at all."""

import os
import tempfile
from pathlib import Path

from costspace.errors import FileError


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step: whoever looks sees the old file or the whole new one.

    A link is followed; a device or a pipe is written to as it is.

    Raises
    ------
    FileError
        If it cannot be written; nothing is left behind then.
    """
    try:
        if path.is_dir():
            raise FileError(f"cannot write {path}: it is a directory.")
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}.") from None
    except RuntimeError:
        raise FileError(f"cannot write {path}: it is a link to itself.") from None


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        part.chmod(_usual_mode(path))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _usual_mode(path: Path) -> int:
    """The permissions that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

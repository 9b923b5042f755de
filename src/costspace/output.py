"""Files written whole or not at all."""

import csv
import os
import tempfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from costspace.errors import FileError


def write_text(path: Path, text: str) -> None:
    """Write a text file as `write_bytes` does, in UTF-8."""
    write_bytes(path, text.encode())


def write_csv(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns as `write_bytes` does, numbers in full precision, NaN as an empty cell."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(["" if cell != cell else cell for cell in row])  # noqa: PLR0124 - NaN
    write_text(path, text.getvalue())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file in one step: whoever looks sees the old file or the whole new one.

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
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}.") from None
    except RuntimeError:
        raise FileError(f"cannot write {path}: it is a link to itself.") from None


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
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

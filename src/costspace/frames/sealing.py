"""The checksum in a saved table: whether a file is still what was saved.

It is there against accidents. Whoever means to forge a file can seal it anew, so what a sealed
file says is checked as if it came from anyone.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

from costspace.errors import FileError
from costspace.frames.layout import SAVED
from costspace.frames.signatures import PARQUET

# Between the columns and the footer, where no reader of Parquet looks: the checksum of all else.
_SEAL = b"costspace sealed"
_SEAL_BYTES = len(_SEAL) + hashlib.sha256().digest_size
_BLOCK = 1 << 20


def seal(part: Path) -> None:
    """Put the checksum of a Parquet file in front of its footer."""
    with part.open("r+b") as file:
        body, footer = _halves(file)
        digest = _digest(file, body, footer)
        file.seek(body)
        file.write(_SEAL + digest + footer)


def is_sealed(path: Path) -> bool:
    """Whether a Parquet file is a saved table; an error if it was one, before it was damaged."""
    with path.open("rb") as file:
        body, footer = _halves(file)
        if not footer.endswith(PARQUET) or body < len(PARQUET):
            raise FileError(f"{path} is damaged or cut short: it does not end as Parquet does.")
        body = max(body - _SEAL_BYTES, 0)
        file.seek(body)
        seal = file.read(_SEAL_BYTES)
        # Large files of others are not read for it.
        if seal.startswith(_SEAL) and seal == _SEAL + _digest(file, body, footer):
            return True
    if seal.startswith(_SEAL) or SAVED.encode() in footer:
        raise FileError(f"{path} is damaged: it is not what was saved, by its checksum.")
    return False


def _halves(file: BinaryIO) -> tuple[int, bytes]:
    """How many bytes of a Parquet file are before its footer, and the footer."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    length = int.from_bytes(file.read(4), "little") + 8
    body = max(size - length, 0)
    file.seek(body)
    return body, file.read()


def _digest(file: BinaryIO, body: int, footer: bytes) -> bytes:
    """The checksum of a file's first bytes and its footer."""
    found = hashlib.sha256()
    file.seek(0)
    while body > 0:
        block = file.read(min(body, _BLOCK))
        found.update(block)
        body -= len(block)
    found.update(footer)
    return found.digest()

"""The checksum in a saved table: whether a file is as it was saved.

It guards against accidents. A forger can seal a file anew, so the contents of a sealed file are
checked like those of any other.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

from costspace.errors import FileError
from costspace.frames.layout import SAVED
from costspace.frames.signatures import PARQUET

# Followed by the checksum of all else, between columns and footer, where no Parquet reader looks.
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
    """Whether a Parquet file is a saved table; `FileError` if it is a damaged one."""
    with path.open("rb") as file:
        body, footer = _halves(file)
        if not footer.endswith(PARQUET) or body < len(PARQUET):
            raise FileError(f"{path} is damaged or cut short: it does not end as Parquet does.")
        body = max(body - _SEAL_BYTES, 0)
        file.seek(body)
        seal = file.read(_SEAL_BYTES)
        # Only a file with a seal is read whole: others may be large.
        if seal.startswith(_SEAL) and seal == _SEAL + _digest(file, body, footer):
            return True
    if seal.startswith(_SEAL) or SAVED.encode() in footer:
        raise FileError(f"{path} is damaged: its checksum does not match its contents.")
    return False


def _halves(file: BinaryIO) -> tuple[int, bytes]:
    """The number of bytes before a Parquet file's footer, and the footer."""
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

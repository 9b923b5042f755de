"""The kind of a file by its first bytes, and advice on one that is neither CSV nor Parquet."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Literal, TypeAlias

from costspace.errors import FileError

Kind: TypeAlias = Literal["Parquet", "gzip", "zstd", "CSV"]

PARQUET = b"PAR1"
_GZIP = b"\x1f\x8b"
# The first may be a frame that is skipped, as those of pzstd are.
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
_UTF8_MARK = b"\xef\xbb\xbf"
_UNPACK = "unpack it first"
_EXPORT = "write its rows as CSV or Parquet first"
_ENCODE = "write it in UTF-8 first, as iconv -t UTF-8 does"

# The offset of the bytes, the bytes, the kind of file that they mark, and what to do with it.
_FOREIGN = (
    (0, b"\xff\xfe\0\0", "text in UTF-32", _ENCODE),
    (0, b"\0\0\xfe\xff", "text in UTF-32", _ENCODE),
    (0, b"\xff\xfe", "text in UTF-16", _ENCODE),
    (0, b"\xfe\xff", "text in UTF-16", _ENCODE),
    (0, b"PARE", "encrypted Parquet", "decrypt it first"),
    (0, b"BZh", "packed by bzip2", f"{_UNPACK} (bunzip2)"),
    (0, b"\xfd7zXZ\0", "packed by xz", f"{_UNPACK} (unxz)"),
    (0, b"\x04\x22\x4d\x18", "packed by lz4", f"{_UNPACK} (unlz4)"),
    (0, b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (0, b"PK\x03\x04", "a ZIP archive or an Excel workbook", f"unpack it, or {_EXPORT}"),
    (0, b"PK\x05\x06", "an empty ZIP archive", _EXPORT),
    (257, b"ustar", "a tar archive", _UNPACK),
    (0, b"SQLite format 3\0", "an SQLite database", _EXPORT),
    (8, b"DUCK", "a DuckDB database", _EXPORT),
    (0, b"ARROW1", "an Arrow or Feather file", _EXPORT),
    (0, b"FEA1", "a Feather file", _EXPORT),
    (0, b"ORC", "an ORC file", _EXPORT),
    (0, b"Obj\x01", "an Avro file", _EXPORT),
    (0, b"\x93NUMPY", "a NumPy array", _EXPORT),
    (0, b"\x89HDF", "an HDF5 file", _EXPORT),
    (0, b"\x80\x04\x95", "a pickle", _EXPORT),
    (0, b"\x80\x05\x95", "a pickle", _EXPORT),
    (0, b"\xd0\xcf\x11\xe0", "an old Office document", _EXPORT),
    (0, b"%PDF", "a PDF", _EXPORT),
    (0, b"\x89PNG", "a picture", _EXPORT),
)
# First characters of text that is probably not CSV, though CSV can begin with them too.
_MARKUP = (
    (b"{", "JSON", _EXPORT),
    (b"[", "JSON", _EXPORT),
    (b"<", "a page of HTML or XML, as servers send with an error", "open it to read it"),
)


def kind_of(file: Path, start: bytes) -> Kind:
    """The kind of a file by its first bytes, or `FileError` if it cannot be read."""
    if start.startswith(PARQUET):
        return "Parquet"
    if start.startswith(_GZIP):
        inside = _unpacked(start)
        _refuse_foreign(file, inside, "gzip of ")
        if inside.startswith(PARQUET):
            raise FileError(f"{file} is gzip of Parquet: {_UNPACK} (gunzip).")
        return "gzip"
    if _ZSTD.match(start):
        return "zstd"
    _refuse_foreign(file, start, "")
    return "CSV"


def refuse_other_text(file: Path, start: bytes) -> None:
    """`FileError` if a file without any wanted column in its header does not look like CSV."""
    if start.startswith(_GZIP):
        start = _unpacked(start)
    start = start.removeprefix(_UTF8_MARK).lstrip()
    for mark, what, advice in _MARKUP:
        if start.startswith(mark):
            raise FileError(f"{file} looks like {what}, not CSV: {advice}.")
    if start.count(b"\0") > len(start) // 4:
        raise FileError(f"{file} is text in UTF-16, or not text: {_ENCODE}.")


def _refuse_foreign(file: Path, start: bytes, before: str) -> None:
    for place, mark, what, advice in _FOREIGN:
        if start[place:].startswith(mark):
            raise FileError(f"{file} is {before}{what}, not CSV or Parquet: {advice}.")


def _unpacked(start: bytes) -> bytes:
    """The first bytes of the contents of gzip, as far as they can be unpacked."""
    try:
        return zlib.decompressobj(wbits=31).decompress(start, 512)
    except zlib.error:
        return b""

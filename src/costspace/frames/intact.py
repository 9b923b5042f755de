"""Whether all of a file can be read: what DuckDB would leave out or take as it comes is refused."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

from costspace.errors import FileError
from costspace.frames.paths import short, start_of
from costspace.frames.signatures import PARQUET, Kind
from costspace.frames.unchanged import stamp_of

# The longest line that DuckDB reads. It can leave out a longer one, and all that follows.
_LONGEST = 2_000_000
# Each line that is longer has a whole block of so many bytes, counted from the file's start.
_BLOCK = 1_000_000
_ENDS = re.compile(rb"[\r\n]")
# The start of Parquet whose first page says its type, its sizes and, as few do, its checksum:
# numbers of the compact protocol of Thrift, each after the step to its field.
_HAS_CHECKSUMS = re.compile(re.escape(PARQUET) + rb"(?:\x15[\x80-\xff]*[\0-\x7f]){3}\x15")


def check_intact(files: Sequence[Path], kind: Kind, columns: Sequence[str] | None) -> None:
    """`FileError` if some of a file would not be read, or its checksums say that it is damaged.

    Of Parquet with checksums the pages of some columns are checked, or of all.
    """
    chosen = None if columns is None else tuple(columns)

    def check(file: Path) -> None:
        _check(file, kind, chosen, stamp_of(file))

    if len(files) == 1 or kind == "CSV":
        list(map(check, files))
    else:
        # Loaded here, as few need it.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor() as threads:
            list(threads.map(check, files))


# A command opens a file more than once.
@lru_cache(maxsize=1 << 16)
def _check(file: Path, kind: Kind, columns: tuple[str, ...] | None, _: object) -> None:
    if kind == "Parquet":
        _check_pages(file, columns)
        return
    blocks = _blocks_without_end(file) if kind == "CSV" else _blocks_to_the_end(file, kind)
    try:
        _refuse_long_line(file, kind, blocks)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(
            f"cannot read {file} to its end: {short(str(error).rstrip('.'), 150)}. Copy it again, "
            "or pack it anew."
        ) from None


def unpacked(file: Path, kind: Kind) -> BinaryIO:
    """The contents of a file that may be packed; reading fails where they are damaged or cut."""
    if kind == "zstd":
        stream: Any = import_module("pyarrow").input_stream(str(file), compression="zstd")
        return cast("BinaryIO", stream)
    return cast("BinaryIO", gzip.open(file)) if kind == "gzip" else file.open("rb")


def _blocks_without_end(file: Path) -> Iterator[tuple[int, bytes]]:
    """The place of each block of a file in which no line ends, and it between its neighbours."""
    with file.open("rb") as content:
        size = content.seek(0, 2)
        for place in range(0, size, _BLOCK):
            content.seek(place)
            # Most lines are short, so that little is read.
            line = content.readline(_BLOCK)
            if len(line) == _BLOCK and not _ENDS.search(line):
                content.seek(max(place - _BLOCK, 0))
                yield place, content.read(3 * _BLOCK)


def _blocks_to_the_end(file: Path, kind: Kind) -> Iterator[tuple[int, bytes]]:
    """The same of what is packed in a file, which is read to its end."""
    with unpacked(file, kind) as content:
        before, block = b"", b""
        blocks = iter(partial(content.read, _BLOCK), b"")
        for number, after in enumerate(chain(blocks, [b""])):
            if block and b"\n" not in block and b"\r" not in block:
                yield (number - 1) * _BLOCK, before + block + after
            before, block = block, after


def _refuse_long_line(file: Path, kind: Kind, blocks: Iterator[tuple[int, bytes]]) -> None:
    for place, around in blocks:
        if max(map(len, _ENDS.split(around))) > _LONGEST:
            with unpacked(file, kind) as content:
                parts = (content.read(min(_BLOCK, place - at)) for at in range(0, place, _BLOCK))
                line = 1 + sum(part.count(b"\n") for part in parts)
            raise FileError(
                f"cannot read {file}: line {line} (the header is line 1) has more than "
                f"{_LONGEST:,} bytes: leave out its long cell, or write the rows as Parquet."
            )


def _check_pages(file: Path, columns: tuple[str, ...] | None) -> None:
    """`FileError` if the checksum of a page of Parquet is not that of its contents."""
    if columns == () or not _HAS_CHECKSUMS.match(start_of(file)):
        return
    parquet, arrow = import_module("pyarrow.parquet"), import_module("pyarrow")
    try:
        with parquet.ParquetFile(file, page_checksum_verification=True) as content:
            for _ in content.iter_batches(columns=columns, use_threads=False):
                pass
    except arrow.ArrowNotImplementedError:
        # What Arrow does not know, DuckDB may.
        return
    except MemoryError:
        raise
    except (OSError, ValueError, arrow.ArrowException) as error:
        raise FileError(
            f"cannot read {file}: {short(str(error).rstrip('.'), 150)}. It is damaged: copy or "
            "write it again."
        ) from None

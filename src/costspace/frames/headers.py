"""The first lines of CSV files: the names of the columns, and what divides them."""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, final

from costspace.errors import FileError
from costspace.frames.intact import unpacked
from costspace.frames.paths import start_of
from costspace.frames.signatures import Kind, refuse_other_text

_DELIMITERS = ",;\t| "
# In how many lines a header is looked for, to say where it is.
_LINES_ABOVE = 20
# What R calls the names of rows, which its write.table writes without a name.
_ROW_NAMES = "row.names"
# The first line that Excel takes for the delimiter.
_SAID = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)


@final
@dataclass(frozen=True)
class Header:
    """How a CSV file begins."""

    names: list[str]
    delimiter: str
    skipped: int  # lines before the names


def header_of(path: Path, wanted: Sequence[str], first_lines: Callable[[], TextIO]) -> Header:
    """The names of the columns, divided by what finds most of the wanted ones."""
    try:
        with first_lines() as lines:
            said = _SAID.fullmatch(lines.readline())
        skipped = 1 if said else 0
        rows = {
            delimiter: _first_rows(first_lines, delimiter, skipped)
            for delimiter in (said[1] if said else _DELIMITERS)
        }
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}.") from None
    except (csv.Error, EOFError, zlib.error) as error:
        raise FileError(f"cannot read the header of {path}: {error}.") from None
    headers = {delimiter: _names(*found) for delimiter, found in rows.items()}
    needed = {name.strip() for name in wanted}

    def fit(delimiter: str) -> tuple[int, bool, int]:
        header = headers[delimiter]
        return len(needed & set(header)), delimiter != " ", len(header)

    best = max(headers, key=fit)
    if not needed & set(headers[best]):
        refuse_other_text(path, start_of(path))
        if below := _line_with(needed, first_lines):
            raise FileError(
                f"{path} has the names of its columns in line {below}: leave out the lines above."
            )
    if not headers[best]:
        raise FileError(f"{path} has an empty first row: it needs a header.")
    return Header(headers[best], best, skipped)


def _first_rows(
    first_lines: Callable[[], TextIO], delimiter: str, skipped: int
) -> tuple[list[str], list[str]]:
    """The cells of the header, and of the first row where it may have a name besides."""
    with first_lines() as lines:
        reader = csv.reader(islice(lines, skipped, None), delimiter=delimiter)
        header = next(reader, [])
        # Where a comma divides, one more can be that of a decimal.
        return header, [] if delimiter == "," else _row(reader)


def _line_with(names: Collection[str], first_lines: Callable[[], TextIO]) -> int | None:
    """The number of the first of a few lines that has two of some names."""
    with first_lines() as lines:
        for number, line in enumerate(islice(lines, _LINES_ABOVE), 1):
            for delimiter in _DELIMITERS:
                cells = {cell.strip().strip('"') for cell in line.split(delimiter)}
                if len(cells & set(names)) > 1:
                    return number
    return None


def _row(reader: Any) -> list[str]:
    try:
        return next(reader, [])
    except csv.Error:
        # A cell too long for Python, and not for the engine.
        return []


def _names(header: list[str], row: list[str]) -> list[str]:
    """The names of the columns: without blanks around them, and with one for names of rows."""
    plain = [re.sub(r'^"(.*)"$', r"\1", name.strip()) for name in header]
    names = plain if len(set(plain)) == len(plain) else header
    named = len(row) == len(header) + 1 and header and row[-1].strip()
    return [_ROW_NAMES, *names] if named else names


def lines_of(path: Path, kind: Kind) -> TextIO:
    """The lines of a file that may be packed. Only the header must decode as text."""
    return TextIOWrapper(unpacked(path, kind), "utf-8-sig", errors="replace", newline="")


def strict_rows(text: Callable[[], TextIO], delimiter: str, skipped: int, width: int) -> int | None:
    """How many rows follow the header of CSV without a fault in quotes or widths, else None."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        with text() as lines:
            reader = csv.reader(islice(lines, skipped, None), delimiter=delimiter, strict=True)
            next(reader)
            count = 0
            for row in filter(None, reader):
                if len(row) != width:
                    return None
                count += 1
            return count
    except (csv.Error, OSError, EOFError, zlib.error):
        return None
    finally:
        csv.field_size_limit(limit)

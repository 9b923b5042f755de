"""What numbers the cells of a file hold, as SQL; those that floats cannot tell apart are none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from costspace.arrays import EXACT
from costspace.errors import FileError, ScoreError
from costspace.frames.layout import Column
from costspace.frames.opened import DIGITS, tied_decimals
from costspace.frames.paths import short
from costspace.frames.relation import Relation

_SHORT_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER")
_LONG_INTEGERS = frozenset(("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"))
_AS_THEY_ARE = frozenset(
    (*_SHORT_INTEGERS, *(f"U{name}" for name in _SHORT_INTEGERS), "FLOAT", "DOUBLE")
)
NUMBERS = _AS_THEY_ARE | _LONG_INTEGERS
TEXT = ("VARCHAR", "ENUM")
BEYOND = "integers beyond 2^53, which floats cannot tell apart"


@final
@dataclass(frozen=True)
class Number:
    """SQL for a column as numbers.

    Attributes
    ----------
    value : str
        The number, NULL where a cell is none, or one of the `beyond`.
    none : str
        Whether a cell is no number at all.
    beyond : str
        Whether it is an integer beyond 2^53.
    """

    value: str
    none: str
    beyond: str


def number(file: Relation, name: str) -> Number:
    """A column as numbers, or `FileError` if its type is none of numbers or text."""
    column = file.column(name)
    if column.kind in _AS_THEY_ARE:
        return Number(column.sql, f"{column.sql} IS NULL", "FALSE")
    if column.kind in _LONG_INTEGERS:
        beyond = f"{column.sql} NOT BETWEEN -{EXACT} AND {EXACT}"
        value = f"CASE WHEN NOT ({beyond}) THEN CAST({column.sql} AS DOUBLE) END"
        return Number(value, f"{column.sql} IS NULL", beyond)
    if column.kind.startswith(("BOOLEAN", "DECIMAL")):
        return Number(f"CAST({column.sql} AS DOUBLE)", f"{column.sql} IS NULL", "FALSE")
    if column.kind.startswith(TEXT):
        return _written(column)
    raise FileError(f"column {name!r} of {file.path} has type {short(column.kind)}, not numbers.")


def _written(column: Column) -> Number:
    """A column of text as numbers."""
    # Without trim() DuckDB casts inside the CSV reader, which stops at the first bad cell
    # without saying which row it is. A cast would read 1_0 as 10.
    text = f"trim(CAST({column.sql} AS VARCHAR))"
    parsed = f"TRY_CAST(replace({text}, '_', '?') AS DOUBLE)"
    # A number too large for a float is read as an infinite one.
    overflows = f"isinf({parsed}) AND NOT contains(lower({text}), 'inf')"
    beyond = (
        f"regexp_full_match({text}, '[-+]?[0-9]+') AND abs({parsed}) >= {EXACT} "
        f"AND ltrim({text}, '-+0') <> '{EXACT}'"
    )
    value = (
        f"CASE WHEN abs({parsed}) < {EXACT} THEN {parsed} "
        f"WHEN ({overflows}) OR ({beyond}) THEN NULL ELSE {parsed} END"
    )
    return Number(value, f"{parsed} IS NULL OR ({overflows}) AND NOT ({beyond})", beyond)


def refuse_tied_decimals(file: Relation, names: Iterable[str]) -> None:
    """`ScoreError` if two different decimals of a column are the same float."""
    for name in names:
        column = file.column(name)
        digits = re.match(r"DECIMAL\((\d+)", column.kind)
        if digits is None or int(digits[1]) <= DIGITS:
            continue
        by_float = (
            f"SELECT min({column.sql}) AS low, max({column.sql}) AS high FROM {file.sql} "
            f"GROUP BY CAST({column.sql} AS DOUBLE)"
        )
        tied = file.rows(f"SELECT low, high FROM ({by_float}) WHERE low <> high LIMIT 1")
        for low, high in tied:
            found = file.first(f"{column.sql} IN ({low}, {high})")
            place = found.place if found else str(file.path)
            raise ScoreError(f"{place}: {tied_decimals(name, low, high)}{file.numbering}")

"""SQL for the numbers in the cells of a file; those that floats cannot tell apart are refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

from costspace.arrays import EXACT
from costspace.errors import FileError, ScoreError
from costspace.frames.layout import Column, quoted
from costspace.frames.objects import DIGITS, tied_decimals
from costspace.frames.paths import short
from costspace.frames.relation import Relation

_SHORT_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER")
_LONG_INTEGERS = frozenset(("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"))
_AS_THEY_ARE = frozenset(
    (*_SHORT_INTEGERS, *(f"U{name}" for name in _SHORT_INTEGERS), "FLOAT", "DOUBLE")
)
NUMBERS = _AS_THEY_ARE | _LONG_INTEGERS
TEXT = ("VARCHAR", "ENUM")


@final
@dataclass(frozen=True)
class Number:
    """SQL for a column as numbers."""

    value: str  # the number; NULL where a cell is not a number, or is `beyond`
    none: str  # whether a cell is no number at all
    empty: str  # whether that is since nothing is there
    beyond: str  # whether it is an integer beyond 2^53


def number(file: Relation, name: str) -> Number:
    """A column as numbers, or `FileError` if its type is neither numeric nor text.

    The sign of ``-NAME`` is changed.
    """
    column = file.numbers(name)
    found = _as_stored(file, column)
    # 0 is not to become -0.
    kind = "FLOAT" if column.kind == "FLOAT" else "DOUBLE"
    value = f"CAST(0 AS {kind}) - CAST({found.value} AS {kind})"
    return replace(found, value=value) if column.negated else found


def double(file: Relation, name: str) -> str:
    """A column as doubles, those of single precision as the decimals that they print as."""
    value = number(file, name).value
    single = file.numbers(name).kind == "FLOAT"
    return f"CAST({f'CAST({value} AS VARCHAR)' if single else value} AS DOUBLE)"


def _as_stored(file: Relation, column: Column) -> Number:
    empty = f"{column.sql} IS NULL"
    if column.kind in _AS_THEY_ARE:
        return Number(column.sql, empty, empty, "FALSE")
    if column.kind in _LONG_INTEGERS:
        beyond = f"{column.sql} NOT BETWEEN -{EXACT} AND {EXACT}"
        value = f"CASE WHEN NOT ({beyond}) THEN CAST({column.sql} AS DOUBLE) END"
        return Number(value, empty, empty, beyond)
    if column.kind.startswith(("BOOLEAN", "DECIMAL")):
        return Number(f"CAST({column.sql} AS DOUBLE)", empty, empty, "FALSE")
    if column.kind.startswith(TEXT):
        return _written(column)
    raise FileError(
        f"column {column.name!r} of {file.path} has type {short(column.kind)}, not numbers."
    )


def _written(column: Column) -> Number:
    """A column of text as numbers."""
    text, parsed = _text(column), _parsed(column)
    # DuckDB parses a number too large for a float as infinity, and one too small as 0.
    overflows = f"isinf({parsed}) AND NOT contains(lower({text}), 'inf')"
    vanishes = f"{parsed} = 0 AND {_digits(text)} <> ''"
    beyond = (
        f"regexp_full_match({text}, '[-+]?[0-9]+') AND abs({parsed}) >= {EXACT} "
        f"AND ltrim({text}, '-+0') <> '{EXACT}'"
    )
    value = (
        f"CASE WHEN {parsed} = 0 THEN CASE WHEN NOT ({vanishes}) THEN {parsed} END "
        f"WHEN abs({parsed}) < {EXACT} THEN {parsed} "
        f"WHEN ({overflows}) OR ({beyond}) THEN NULL ELSE {parsed} END"
    )
    none = f"{parsed} IS NULL OR ({vanishes}) OR ({overflows}) AND NOT ({beyond})"
    return Number(value, none, f"COALESCE({text}, '') = ''", beyond)


def _text(column: Column) -> str:
    # Without trim() DuckDB casts inside the CSV reader, which stops at the first bad cell
    # without saying which row it is.
    return f"trim(CAST({column.sql} AS VARCHAR))"


def _parsed(column: Column) -> str:
    # A cast would read 1_0 as 10.
    return f"TRY_CAST(replace({_text(column)}, '_', '?') AS DOUBLE)"


def _digits(text: str) -> str:
    """The digits of a number without zeros around them, in which near numbers differ."""
    mantissa = f"split_part(lower({text}), 'e', 1)"
    return f"rtrim(ltrim(replace({mantissa}, '.', ''), '-+0'), '0')"


def refuse_tied(file: Relation, names: Iterable[str]) -> None:
    """`ScoreError` if two different decimals of a column, as text or not, are the same float."""
    columns = [file.numbers(name) for name in names]
    for column in columns:
        digits = re.match(r"DECIMAL\((\d+)", column.kind)
        if digits is not None and int(digits[1]) > DIGITS:
            value = column.sql
            _refuse_equal(file, column, value, f"CAST({value} AS DOUBLE)", "TRUE")
    written = [column for column in columns if column.kind.startswith(TEXT)]
    if not written:
        return
    finer = ", ".join(f"bool_or({_is_finer(column)})" for column in written)
    (found,) = file.rows(f"SELECT {finer} FROM {file.sql}")
    for column in (column for column, is_finer in zip(written, found, strict=True) if is_finer):
        _refuse_equal(file, column, _digits(_text(column)), _parsed(column), _is_finer(column))


def _is_finer(column: Column) -> str:
    """Whether a cell of text differs from its float at as many digits as the cell has."""
    text, parsed = _text(column), _parsed(column)
    digits = _digits(text)
    # No double has more digits.
    rounded = f"format('{{:.{{}}e}}', abs({parsed}), CAST(least(length({digits}) - 1, 767) AS INT))"
    # Most cells are short, or the shortest text of a float: check these first, it is faster.
    return (
        f"CASE WHEN strlen({text}) <= {DIGITS} AND NOT contains(lower({text}), 'e') THEN FALSE "
        f"WHEN {text} = CAST({parsed} AS VARCHAR) THEN FALSE "
        f"WHEN isfinite({parsed}) AND {parsed} <> 0 "
        f"AND (length({digits}) > {DIGITS} OR abs({parsed}) < {sys.float_info.min}) "
        f"THEN {digits} <> {_digits(rounded)} ELSE FALSE END"
    )


def _refuse_equal(file: Relation, column: Column, kind: str, number: str, finer: str) -> None:
    """`ScoreError` if cells of two kinds, one of them `finer`, are the same float."""
    ends = f"arg_min({column.sql}, {kind}) AS low, arg_max({column.sql}, {kind}) AS high"
    tied = file.rows(
        f"SELECT low, high FROM (SELECT {ends}, bool_or({finer}) AS finer, min({kind}) AS first, "
        f"max({kind}) AS last FROM {file.sql} WHERE {number} <> 0 GROUP BY {number}) "
        "WHERE finer AND first <> last LIMIT 1"
    )
    for cells in tied:
        low, high = (str(cell) for cell in cells)
        cell = f"CAST({column.sql} AS VARCHAR)"
        found = file.first(f"COALESCE({cell} IN ({quoted(low)}, {quoted(high)}), FALSE)")
        place = found.place if found else str(file.path)
        said = tied_decimals(column.name, low.strip(), high.strip())
        raise ScoreError(f"{place}: {said}{file.numbering}")

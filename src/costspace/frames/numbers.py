"""SQL for the numbers in the cells of a file; those that floats cannot tell apart are refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from costspace.arrays import EXACT
from costspace.errors import FileError, ScoreError
from costspace.frames.layout import Column, quoted
from costspace.frames.objects import DIGITS, tied_decimals
from costspace.frames.paths import short
from costspace.frames.relation import Relation
from costspace.frames.widened import FLOATS, LONG_INTEGERS, SHORT_INTEGERS

_AS_THEY_ARE = SHORT_INTEGERS | FLOATS
NUMBERS = _AS_THEY_ARE | LONG_INTEGERS
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
    """What a name speaks of as numbers, or `FileError` if it is neither numeric nor text."""
    formula = file.formula(name)
    if formula.plain:
        return as_stored(file, file.numbers(name))
    kind = "FLOAT" if is_single(file, name) else "DOUBLE"
    found = {own: as_stored(file, file.numbers(own)) for own in formula.columns}
    value = formula.made(
        lambda own: f"CAST({found[own].value} AS {kind})" if kind == "FLOAT" else double(file, own),
        # DuckDB would take a number for a decimal.
        lambda number: f"CAST('{number!r}' AS {kind})",
        lambda sign, one, other: f"({one} {sign} {other})",
    )
    none, empty, beyond = (
        " OR ".join(f"({sql})" for sql in each)
        for each in zip(*((one.none, one.empty, one.beyond) for one in found.values()), strict=True)
    )
    # Nothing is there if a cell has nothing, and the others have numbers or nothing.
    others = " AND ".join(
        f"(({one.empty}) OR NOT COALESCE(({one.none}) OR ({one.beyond}), FALSE))"
        for one in found.values()
    )
    return Number(value, none, f"({empty}) AND {others}", beyond)


def is_single(file: Relation, name: str) -> bool:
    """Whether numbers are of single precision, as they are stored or with their sign changed."""
    formula = file.formula(name)
    return formula.signed and file.numbers(formula.columns[0]).kind == "FLOAT"


def double(file: Relation, name: str) -> str:
    """Numbers as doubles, those of single precision as the decimals that they print as."""
    value = number(file, name).value
    if not is_single(file, name):
        return f"CAST({value} AS DOUBLE)"
    text = f"CAST({value} AS VARCHAR)"
    # Of large numbers, and of those half-way between two decimals, DuckDB prints too many digits.
    printed = f"CAST({text} AS DOUBLE)"
    few = f"strlen({text}) < CASE WHEN abs({value}) < 1 THEN 11 ELSE 10 END"
    rounded = [f"format('{{:.{digits}g}}', CAST({value} AS DOUBLE))" for digits in (6, 7, 8, 9)]
    found = " ".join(
        f"WHEN CAST({one} AS FLOAT) = {value} THEN CAST({one} AS DOUBLE)" for one in rounded
    )
    return f"CASE WHEN {few} OR abs({value}) < 1e-37 THEN {printed} {found} ELSE {printed} END"


def columns_of(file: Relation, names: Iterable[str]) -> list[str]:
    """The columns that names of numbers speak of, each once."""
    return list(dict.fromkeys(own for name in names for own in file.formula(name).columns))


def as_stored(file: Relation, column: Column) -> Number:
    """A column as numbers, or `FileError` if its type is neither numeric nor text."""
    empty = f"{column.sql} IS NULL"
    if column.kind in _AS_THEY_ARE:
        return Number(column.sql, empty, empty, "FALSE")
    if column.kind in LONG_INTEGERS:
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
    text = f"trim(CAST({column.sql} AS VARCHAR))"
    return f"replace({text}, ',', '.')" if column.comma else text


def _parsed(column: Column) -> str:
    # A cast would read 1_0 as 10.
    return f"TRY_CAST(replace({_text(column)}, '_', '?') AS DOUBLE)"


def _digits(text: str) -> str:
    """The digits of a number without zeros around them, in which near numbers differ."""
    mantissa = f"split_part(lower({text}), 'e', 1)"
    return f"rtrim(ltrim(replace({mantissa}, '.', ''), '-+0'), '0')"


def with_clear_numbers(
    file: Relation, scores: Iterable[str], others: Iterable[str] = ()
) -> Relation:
    """The files as they are to be read, or an error if what numbers are is not clear.

    `ScoreError` if two different decimals of scores, as text or not, are the same float;
    `FileError` if commas in a column may stand for decimals and for thousands.
    """
    columns = [file.numbers(own) for own in columns_of(file, scores)]
    for column in columns:
        digits = re.match(r"DECIMAL\((\d+)", column.kind)
        if digits is not None and int(digits[1]) > DIGITS:
            value = column.sql
            _refuse_equal(file, column, value, f"CAST({value} AS DOUBLE)", "TRUE")
    written = [column for column in columns if column.kind.startswith(TEXT)]
    more = [file.numbers(own) for own in columns_of(file, others)]
    commas = [column for column in dict.fromkeys((*columns, *more)) if column.comma]
    told = [f"bool_or({_is_finer(column)})" for column in written] + list(map(_commas, commas))
    if not told and file.layout.kind == "Parquet":
        return file
    file, found = file.scanned(", ".join([*told, "count(*)"]))
    for column, (cell, both, decimal) in zip(commas, found[len(written) : -1], strict=True):
        if cell is not None and (both or not decimal):
            also = "for decimals, and points too" if both else "for decimals or for thousands"
            raise FileError(
                f"column {column.name!r} of {file.path} has commas that may stand {also}, such as "
                f"{short(cell)!r}: write all its numbers with a decimal point, without separators."
            )
    for column, is_finer in zip(written, found, strict=False):
        if is_finer:
            _refuse_equal(file, column, _digits(_text(column)), _parsed(column), _is_finer(column))
    return file


def _commas(column: Column) -> str:
    """A cell with a comma, whether other cells have a point, and whether a comma is a decimal's."""
    cell = f"trim(CAST({column.sql} AS VARCHAR))"
    comma = f"contains({cell}, ',')"
    thousands = f"regexp_full_match({cell}, '[-+]?[1-9][0-9]{{0,2}},[0-9]{{3}}')"
    return (
        f"row(min({cell}) FILTER ({comma}), bool_or(contains({cell}, '.')), "
        f"bool_or({comma} AND NOT {thousands}))"
    )


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

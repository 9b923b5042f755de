"""Columns of Parquet whose numbers have other types in other files, in one type that holds all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from costspace.arrays import EXACT

SHORT_INTEGERS = frozenset(
    f"{sign}{name}" for sign in ("", "U") for name in ("TINYINT", "SMALLINT", "INTEGER")
)
LONG_INTEGERS = frozenset(("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"))
FLOATS = frozenset(("FLOAT", "DOUBLE"))


def common_type(kinds: Collection[str]) -> str | None:
    """The type that holds the numbers of all types, None if one holds no numbers."""
    if not set(kinds) <= SHORT_INTEGERS | LONG_INTEGERS | FLOATS:
        return None
    if FLOATS & set(kinds):
        return "DOUBLE"
    return "BIGINT" if set(kinds) <= SHORT_INTEGERS | {"BIGINT"} else "HUGEINT"


def in_common(sql: str, kind: str, common: str) -> str:
    """SQL for a column in a type that holds more, or an engine's error where it does not."""
    if kind == "FLOAT":
        # As in one file: single precision stands for the decimal that it prints as.
        return f"CAST(CAST({sql} AS VARCHAR) AS {common})"
    number = f"CAST({sql} AS {common})"
    if kind in LONG_INTEGERS and common == "DOUBLE":
        told = "error('integers beyond 2^53, which the floats of other files cannot tell apart')"
        return f"CASE WHEN abs({sql}) > {EXACT} THEN {told} ELSE {number} END"
    return number


def united(parts: Sequence[tuple[str, Mapping[str, str]]]) -> str:
    """SQL that reads one source after the other, with SQL in place of some columns of each."""
    selected = []
    for source, columns in parts:
        replaced = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
        selected.append(f"SELECT *{f' REPLACE ({replaced})' if replaced else ''} FROM {source}")
    return f"({' UNION ALL BY NAME '.join(selected)})"

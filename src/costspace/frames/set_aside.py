"""Rows of a frame that no rule decides: a value is missing, or their costs decide already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from costspace.deployment.actions import PASS
from costspace.errors import CostspaceError
from costspace.frames.dataframes import nw
from costspace.frames.survey import is_nan
from costspace.samples.vectors import ADVICE, BEYOND

# Whether a value that the rule reads is missing, and whether flagging is never worth it: 1, or 0.
ABSENT, NOT_WORTH = "absent", "not_worth"
# What ends the name of a column of whether a cell has something that is no number: 1, or 0.
ODD = "_odd"


def as_flag(truth: nw.Expr, name: str) -> nw.Expr:
    """A column that is 1 where something is true, and else 0, also where nobody knows."""
    return nw.when(truth).then(nw.lit(1)).otherwise(nw.lit(0)).alias(name)


def without_missing(rows: nw.LazyFrame[Any], columns: Iterable[str]) -> nw.LazyFrame[Any]:
    """The rows with `ABSENT`, and null in all of some columns where one of them is missing."""
    names = list(columns)
    if not names:
        return rows
    lacks = [nw.col(name).is_null() | is_nan(nw.col(name)) for name in names]
    rows = rows.with_columns(as_flag(reduce(or_, lacks), ABSENT))
    return rows.with_columns(
        nw.when(nw.col(ABSENT) == 0).then(nw.col(name)).alias(name) for name in names
    )


def counting(names: Iterable[str]) -> list[nw.Expr]:
    """How many rows have each of the flags that there are."""
    flags = [name for name in names if name in (ABSENT, NOT_WORTH) or name.endswith(ODD)]
    return [nw.col(name).sum().alias(name) for name in flags]


def refuse_odd(
    found: Mapping[str, Any], columns: Mapping[str, str], errors: Mapping[str, type[CostspaceError]]
) -> None:
    """Raise an error of a column if a cell of it has something, but no number that floats have."""
    for name, said in columns.items():
        if found.get(f"{name}{ODD}"):
            raise errors[name](f"column {said!r} has {BEYOND}: {ADVICE[errors[name]]}.")


def with_aside(action: nw.Expr, names: Iterable[str], missing: str) -> nw.Expr:
    """The action of each row, that of `missing` values where they are, and passing where it is."""
    known = set(names)
    if NOT_WORTH in known:
        action = nw.when(nw.col(NOT_WORTH) == 1).then(nw.lit(PASS)).otherwise(action)
    if ABSENT in known:
        action = nw.when(nw.col(ABSENT) == 1).then(nw.lit(missing)).otherwise(action)
    return action

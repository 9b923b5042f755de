"""The first pass over a dataframe: checks of its columns, before anything is counted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, or_
from typing import Any, final

from costspace.arrays import EXACT
from costspace.errors import CostspaceError, LabelError, ScoreError, WeightError
from costspace.frames.dataframes import nw
from costspace.frames.labels import is_missing, positive_label
from costspace.frames.objects import tied_decimals
from costspace.frames.opened import LABEL, POSITIVE, WEIGHT, OpenedFrame
from costspace.samples.validation import WEIGHTS, check_class
from costspace.samples.vectors import ADVICE, BEYOND

# The most labels that are fetched: two are valid, and an error shows some more.
_KINDS = 1000


@final
@dataclass(frozen=True)
class _Found:
    """What the rows of one or several labels hold."""

    rows: int
    missing: Mapping[str, int]  # by column, how many cells are null or NaN
    # By column, the least and the largest value.
    low: Mapping[str, Any]
    high: Mapping[str, Any]

    def __add__(self, other: _Found) -> _Found:
        return _Found(
            self.rows + other.rows,
            {name: count + other.missing[name] for name, count in self.missing.items()},
            {name: min(value, other.low[name]) for name, value in self.low.items()},
            {name: max(value, other.high[name]) for name, value in self.high.items()},
        )


def classified(opened: OpenedFrame, pos_label: object, *, both: bool) -> nw.LazyFrame[Any]:
    """The rows with a column `POSITIVE` for their label, after a pass that checks them all.

    Raises
    ------
    LabelError, ScoreError, WeightError
        If they are not labels, scores or weights, in the same words for every engine. Without
        `both`, one class may be missing.
    """
    found = _survey(opened)
    rows = sum(part.rows for part in found.values())
    if not rows:
        raise LabelError("the frame has no rows to evaluate.")
    missing = sum(part.rows for label, part in found.items() if is_missing(label))
    check_filled(opened.label, "labels", missing, rows, LabelError)
    labels, is_positive = positive_label(list(found), opened.label, pos_label, both=both)
    whole = reduce(add, found.values())
    for name, here in opened.integers.items():
        if max(-whole.low[here], whole.high[here]) > EXACT:
            error = WeightError if name == opened.weight else ScoreError
            raise error(f"column {name!r} has {BEYOND}: {ADVICE[error]}.")
    for name, here in opened.scores.items():
        check_filled(name, "scores", whole.missing[here], rows, ScoreError)
    for name, here in opened.decimals.items():
        _check_told_apart(opened, name, here)
    if opened.weight is not None:
        _check_weights(opened.weight, whole)
        if both:
            for name, chosen in (("positive", is_positive), ("negative", not is_positive)):
                highs = [p.high[WEIGHT] for kind, p in found.items() if (kind in labels) == chosen]
                check_class(name, occurs=True, counts=max(highs) > 0)
    among = reduce(or_, (nw.col(LABEL) == label for label in labels))
    return opened.rows.with_columns((among if is_positive else ~among).alias(POSITIVE))


def _check_told_apart(opened: OpenedFrame, name: str, here: str) -> None:
    """`ScoreError` if two different decimals of a column are the same float."""
    decimal, score = nw.col(here), opened.scores[name]
    by_float = opened.rows.select(here, score).group_by(score)
    ends = by_float.agg(decimal.min().alias("low"), decimal.max().alias("high"))
    tied = ends.filter(nw.col("low") != nw.col("high")).head(1).collect()
    for _, low, high in tied.select(score, "low", "high").rows():
        raise ScoreError(tied_decimals(name, low, high))


def _survey(opened: OpenedFrame) -> dict[Any, _Found]:
    """What the rows of each label, null among them, hold."""
    numbers = [*opened.scores.values(), *opened.weights]
    ranged = [*opened.integers.values(), *opened.weights]
    absent = {name: f"{name}_missing" for name in numbers}
    flags = [
        (nw.col(name).is_null() | is_nan(nw.col(name))).cast(nw.Int64()).alias(flag)
        for name, flag in absent.items()
    ]
    found = (
        opened.rows.select(LABEL, *ranged, *flags)
        .group_by(LABEL)
        .agg(
            nw.len().alias("rows"),
            *(nw.col(flag).sum() for flag in absent.values()),
            *(nw.col(name).min().alias(f"{name}_low") for name in ranged),
            *(nw.col(name).max().alias(f"{name}_high") for name in ranged),
        )
        .head(_KINDS)
        .collect()
    )
    parts: dict[Any, _Found] = {}
    for row in found.rows(named=True):
        label = None if is_missing(row[LABEL]) else row[LABEL]
        part = _Found(
            int(row["rows"]),
            {name: int(row[flag]) for name, flag in absent.items()},
            {name: _extreme(row[f"{name}_low"], math.inf) for name in ranged},
            {name: _extreme(row[f"{name}_high"], -math.inf) for name in ranged},
        )
        parts[label] = parts[label] + part if label in parts else part
    return parts


def is_nan(column: nw.Expr) -> nw.Expr:
    """Whether a number is NaN: neither finite nor infinite.

    Not isnan(): DuckDB takes it for false by the statistics of a Parquet file, which ignore NaN.
    """
    return ~(column.is_finite() | (column == math.inf) | (column == -math.inf))


def _extreme(value: Any, none: float) -> Any:
    return none if is_missing(value) else value


def check_filled(
    name: str,
    what: str,
    missing: int,
    rows: int,
    error: type[CostspaceError],
    *,
    more: str = "",
) -> None:
    """Raise an error if cells of a column are missing; there may be `more` to do about them."""
    if missing:
        raise error(
            f"column {name!r} has {missing} missing {what} (null or NaN) in {rows} rows: fill or "
            f"drop them{more}."
        )


def _check_weights(name: str, whole: _Found) -> None:
    check_filled(name, "weights", whole.missing[WEIGHT], whole.rows, WeightError)
    low, high = float(whole.low[WEIGHT]), float(whole.high[WEIGHT])
    if not (low >= 0 and high < math.inf):
        raise WeightError(
            f"column {name!r} must hold weights that are finite and not negative, got "
            f"{low if low < 0 else high:g}."
        )
    if high == 0:
        raise WeightError(f"column {name!r} is zero everywhere: at least one row needs a weight.")
    if not WEIGHTS[0] <= high <= WEIGHTS[1]:
        raise WeightError(
            f"the largest weight in column {name!r} must be from {WEIGHTS[0]:g} to "
            f"{WEIGHTS[1]:g}, got {high:g}: scale them all."
        )

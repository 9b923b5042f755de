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
from costspace.frames.same_rows import SeenRows, mark_of
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
    marks: Mapping[str, float]  # by column of scores, where the engine computes it at each pass

    def __add__(self, other: _Found) -> _Found:
        return _Found(
            self.rows + other.rows,
            {name: count + other.missing[name] for name, count in self.missing.items()},
            {name: min(value, other.low[name]) for name, value in self.low.items()},
            {name: max(value, other.high[name]) for name, value in self.high.items()},
            {name: value + other.marks[name] for name, value in self.marks.items()},
        )


@final
@dataclass(frozen=True, eq=False)
class Classified:
    """Rows with a column `POSITIVE` for their label, and what the pass that checked them saw."""

    rows: nw.LazyFrame[Any]
    sides: tuple[_Found | None, _Found | None]  # of each class, where there are rows of it

    def check(self, opened: OpenedFrame, name: str, *again: SeenRows) -> None:
        """`SourceError` unless another pass has seen the same of a model's scores in each class."""
        for first, now in zip(self.sides, again, strict=True):
            seen = (first.rows, first.marks[opened.scores[name]]) if first else (0,)
            SeenRows(*seen).check(now)


def classified(opened: OpenedFrame, pos_label: object, *, both: bool) -> Classified:
    """The rows with their classes, after a pass that checks them all.

    Raises
    ------
    LabelError, ScoreError, WeightError
        If they are not labels, scores or weights, in the same words for every engine. Without
        `both`, one class may be missing.
    """
    found = _survey(opened)
    size = sum(part.rows for part in found.values())
    if not size:
        raise LabelError("the frame has no rows to evaluate.")
    missing = sum(part.rows for label, part in found.items() if is_missing(label))
    check_filled(opened.label, "labels", missing, size, LabelError)
    labels, is_positive = positive_label(list(found), opened.label, pos_label, both=both)
    whole = reduce(add, found.values())
    for name, here in opened.integers.items():
        if max(-whole.low[here], whole.high[here]) > EXACT:
            error = WeightError if name in opened.weighing else ScoreError
            raise error(f"column {name!r} has {BEYOND}: {ADVICE[error]}.")
    for name, here in opened.scores.items():
        check_filled(name, "scores", whole.missing[here], size, ScoreError)
    for name, here in opened.decimals.items():
        _check_told_apart(opened, name, here)
    if opened.weight is not None:
        _check_weights(opened.weight, whole)
        if both:
            for name, chosen in (("positive", is_positive), ("negative", not is_positive)):
                highs = [p.high[WEIGHT] for kind, p in found.items() if (kind in labels) == chosen]
                check_class(name, occurs=True, counts=max(highs) > 0)
    among = reduce(or_, (nw.col(LABEL) == label for label in labels))
    rows = opened.rows.with_columns((among if is_positive else ~among).alias(POSITIVE))
    sides: list[_Found | None] = []
    for side in (False, True):
        parts = [part for kind, part in found.items() if ((kind in labels) == is_positive) == side]
        sides.append(reduce(add, parts) if parts else None)
    return Classified(rows, (sides[0], sides[1]))


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
    marks = {name: f"{name}_mark" for name in opened.scores.values() if opened.anew}
    flags = [
        (nw.col(name).is_null() | is_nan(nw.col(name))).cast(nw.Int64()).alias(flag)
        for name, flag in absent.items()
    ]
    flags += [mark_of(nw.col(name)).alias(mark) for name, mark in marks.items()]
    found = (
        opened.rows.select(LABEL, *ranged, *flags)
        .group_by(LABEL)
        .agg(
            nw.len().alias("rows"),
            *(nw.col(flag).sum() for flag in (*absent.values(), *marks.values())),
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
            {name: float(_extreme(row[mark], 0.0)) for name, mark in marks.items()},
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

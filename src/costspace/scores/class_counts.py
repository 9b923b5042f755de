"""The rows of one class by score or by bin: how many, and their weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import EXACT, FloatArray, FrozenValue, ScoreArray, read_only
from costspace.errors import SourceError
from costspace.scores.sample import ClassSample
from costspace.scores.validation import check_class
from costspace.single import doubles

CLASSES = ("negatives", "positives")
OF_WEIGHTED = ("weight", "squares")


@final
@dataclass(frozen=True, eq=False, repr=False)
class ClassCounts(FrozenValue):
    """The rows of one class by score.

    Attributes
    ----------
    rows : array of int64 of shape (k,)
        How many rows of the class each score has, which may be 0, with rows of weight zero.
        Standard errors count these as rows if their score has rows with weight.
    weight, squares : array of shape (k,), or None
        The sum of their weights, and of their squared weights; None if each row counts 1.

    Raises
    ------
    SourceError
        If the columns differ in length, or no rows can have these sums.

    Examples
    --------
    >>> import costspace as cs
    >>> counts = cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])
    >>> counts.negatives
    ClassCounts(2 rows)
    >>> counts.negatives.rows, counts.positives.rows
    (array([2, 0]), array([0, 1]))
    """

    rows: NDArray[np.int64]
    weight: FloatArray | None = None
    squares: FloatArray | None = None

    def __post_init__(self) -> None:
        rows = np.asarray(self.rows)
        if rows.dtype.kind not in "iu":
            raise SourceError(f"counts of rows must be whole numbers, got {rows.dtype}.")
        object.__setattr__(self, "rows", read_only(rows.astype(np.int64, copy=False)))
        if (self.weight is None) != (self.squares is None):
            raise SourceError("weights and their squares must both be given, or neither.")
        for name in OF_WEIGHTED if self.weighted else ():
            sums = np.asarray(getattr(self, name), dtype=float)
            object.__setattr__(self, name, read_only(sums))
        sides = list(self.columns().values())
        if any(side.shape != (len(self.rows),) for side in sides):
            raise SourceError("a class must have one count for each score.")
        # False for NaN, and min and max need no memory.
        if len(self.rows) and not all(side.min() >= 0 and side.max() < np.inf for side in sides):
            raise SourceError("the counts of a class must be finite and not negative.")
        many = rows.max(initial=0) > EXACT // max(len(rows), 1)
        if many and np.sum(rows, dtype=float) > EXACT:
            raise SourceError("a class has more than 2^53 rows, which floats cannot count exactly.")

    def __repr__(self) -> str:
        return f"ClassCounts({self.total} rows{', weighted' if self.weighted else ''})"

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.weight is not None

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        return int(self.rows.sum())

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a score."""
        columns: dict[str, NDArray[Any]] = {"rows": self.rows}
        if self.weight is not None and self.squares is not None:
            columns |= {"weight": self.weight, "squares": self.squares}
        return columns

    def each(self, function: Callable[[NDArray[Any]], NDArray[Any]]) -> "ClassCounts":
        """The counts with a function applied to each column."""
        return ClassCounts(*map(function, self.columns().values()))

    def sample(self, scores: ScoreArray) -> ClassSample:
        """The class as distinct sorted scores, without those of weight 0."""
        if self.weight is None or self.squares is None:
            kept = self.rows > 0
            if np.all(self.rows <= 1):
                return ClassSample(doubles(np.compress(kept, scores)))
            # Weights and their squares sum to the number of rows: one array serves all.
            tally = weight = squares = np.compress(kept, self.rows).astype(float)
        else:
            kept = self.weight > 0
            tally = np.compress(kept, self.rows).astype(float)
            weight, squares = (np.compress(kept, side) for side in (self.weight, self.squares))
        return ClassSample(doubles(np.compress(kept, scores)), weight, self.total, tally, squares)

    def as_weighted(self) -> "ClassCounts":
        """The same rows, with weight 1 each if they have none."""
        if self.weighted:
            return self
        ones = self.rows.astype(float)
        return ClassCounts(self.rows, ones, ones)


def columns_by_class(
    negatives: Mapping[str, NDArray[Any]], positives: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The columns of both classes, prefixed by the class; those of rows are named by the class."""
    return {
        name if column == "rows" else f"{name}_{column}": values
        for name, side in zip(CLASSES, (negatives, positives), strict=True)
        for column, values in side.items()
    }


def check_both(negatives: ClassCounts, positives: ClassCounts) -> None:
    """Raise `LabelError` unless both classes have rows, with weight."""
    for name, side in (("positive", positives), ("negative", negatives)):
        counts = side.weight is None or bool(np.any(side.weight > 0))
        check_class(name, occurs=bool(np.any(side.rows > 0)), counts=counts)

"""Sums over the rows of each stratum and cell: how many, their weights, and their scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import (
    EXACT,
    BoolArray,
    FloatArray,
    FrozenValue,
    IndexArray,
    ScoreArray,
    hold,
    kept,
    read_only,
)
from costspace.errors import SourceError
from costspace.samples.class_sample import ClassSample
from costspace.samples.rounding import in_unit
from costspace.samples.validation import check_class
from costspace.single import doubles

CLASSES = ("negatives", "positives")
OF_WEIGHTED = ("weight", "squares")
OF_SCORES = ("score_sum", "score_squares", "low", "high")
_COMBINED = {"low": np.minimum, "high": np.maximum}
# Groups with at most so many cells are added up cell by cell, in all groups at once.
_FEW = 4


@final
@dataclass(frozen=True, eq=False, repr=False)
class CellSums(FrozenValue):
    """Sums over the rows of each stratum and cell.

    A stratum is a class, or a class in a fold; a cell is a score, a run of neighbouring scores or a
    bin. The last axis of each array is that of cells, the one before it that of the classes,
    negatives first.

    Attributes
    ----------
    rows : array of int64 of shape (..., k)
        How many rows there are, which may be 0, with rows of weight zero. Standard errors count
        these as rows if their score has rows with weight.
    weight, squares : array of the same shape, or None
        The sum of their weights, and of their squared weights; None if each row counts 1.
    score_sum, score_squares : array of the same shape, or None
        The sum of their scores and that of the squared scores, as weighted; None unless cells are
        bins.
    low, high : array of the same shape, or None
        The lowest and the highest score of the rows with weight in each bin; inf and -inf if there
        are none.

    Raises
    ------
    SourceError
        If the columns differ in shape, or no rows can have these sums.

    Examples
    --------
    >>> import costspace as cs
    >>> counts = cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])
    >>> counts.negatives
    CellSums(2 rows in 1 cells)
    >>> counts.negatives.rows, counts.positives.rows
    (array([2, 0]), array([0, 1]))
    >>> binning = cs.Binning.uniform(bins=2)
    >>> binned = cs.ScoreCounts.from_predictions([0, 0, 1], [0.125, 0.375, 0.75], binning=binning)
    >>> binned.negatives.low, binned.negatives.high
    (array([0.125,   inf]), array([0.375,  -inf]))
    """

    rows: NDArray[np.int64]
    weight: FloatArray | None = None
    squares: FloatArray | None = None
    score_sum: FloatArray | None = None
    score_squares: FloatArray | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None

    def __post_init__(self) -> None:
        rows = np.asarray(self.rows)
        if rows.dtype.kind not in "iu":
            raise SourceError(f"counts of rows must be whole numbers, got {rows.dtype}.")
        hold(self, rows=kept(rows.astype(np.int64, copy=False)))
        for names, what in ((OF_WEIGHTED, "weights and their squares"), (OF_SCORES, "scores")):
            given = [name for name in names if getattr(self, name) is not None]
            if given and len(given) < len(names):
                raise SourceError(f"sums and ranges of {what} must all be given, or none.")
            hold(self, **{n: kept(np.asarray(getattr(self, n), dtype=float)) for n in given})
        if any(column.shape != rows.shape for column in self.known.values()):
            raise SourceError("every sum must have one number for each cell of each class.")
        self._check_counts()
        self._check_ranges()

    def _check_counts(self) -> None:
        for column in (self.rows, self.weight, self.squares):
            # False for NaN, and min and max need no memory.
            if column is None or not column.size:
                continue
            if not (column.min() >= 0 and column.max() < np.inf):
                raise SourceError("the counts of a class must be finite and not negative.")
        many = self.rows.max(initial=0) > EXACT // max(self.rows.size, 1)
        if many and np.sum(self.rows, dtype=float) > EXACT:
            raise SourceError("there are more than 2^53 rows, which floats cannot count exactly.")

    def _check_ranges(self) -> None:
        if self.low is None or self.high is None:
            return
        # NaN is not a range either, and the value of a bin without rows would be taken for a score.
        none = (self.low == np.inf) & (self.high == -np.inf)
        if not np.all(np.where(self.filled, self.low <= self.high, none)):
            raise SourceError(
                "the lowest score of a bin must not be above its highest; without rows they must "
                "be inf and -inf."
            )

    @classmethod
    def none(cls, cells: int, *, weighted: bool, rows: int = 0) -> "CellSums":
        """Bins of a class without rows, or with so many of weight zero each."""
        zeros, ends = np.zeros(cells), np.full(cells, np.inf)
        weight = zeros if weighted else None
        return cls(np.full(cells, rows), weight, weight, zeros, zeros, ends, -ends)

    @classmethod
    def stacked(cls, parts: Sequence["CellSums"]) -> "CellSums":
        """The sums of several strata beside each other, the first axis being theirs."""
        columns = [part.known for part in parts]
        return cls(**{name: np.stack([of[name] for of in columns]) for name in columns[0]})

    @classmethod
    def named(cls, stratum: str, columns: Mapping[str, ArrayLike], *, binned: bool) -> "CellSums":
        """The sums of a stratum, from columns with its name first; `KeyError` without one."""
        weights = OF_WEIGHTED if f"{stratum}_weight" in columns else ()
        names = [*weights, *(OF_SCORES if binned else ())]
        more = {name: np.asarray(columns[f"{stratum}_{name}"]) for name in names}
        return cls(np.asarray(columns[stratum]), **more)

    def __repr__(self) -> str:
        weighted = ", weighted" if self.weighted else ""
        return f"CellSums({self.total} rows in {np.count_nonzero(self.filled)} cells{weighted})"

    def __len__(self) -> int:
        """How many cells there are, with rows or without."""
        return self.rows.shape[-1]

    def __getitem__(self, stratum: int) -> "CellSums":
        """The sums of one stratum of the first axis."""
        return self.each(lambda _, column: column[stratum])

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.weight is not None

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        return int(self.rows.sum())

    @cached_property
    def mass(self) -> FloatArray:
        """The weight of each cell; without weights, its number of rows."""
        return read_only(self.rows.astype(float) if self.weight is None else self.weight)

    @property
    def filled(self) -> BoolArray:
        """Which cells have a row with weight."""
        return self.mass > 0

    @property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest score of each bin."""
        if self.low is None or self.high is None:
            raise SourceError("these are not counted by bin.")
        return self.low, self.high

    @property
    def moments(self) -> tuple[FloatArray, FloatArray]:
        """The sum of the scores of each bin, and of their squares."""
        if self.score_sum is None or self.score_squares is None:
            raise SourceError("these are not counted by bin.")
        return self.score_sum, self.score_squares

    @property
    def in_unit(self) -> "CellSums":
        """The same rows with their ranges within [0, 1]; sums differ from theirs by rounding."""
        low, high = (np.where(self.filled, in_unit(end), end) for end in self.ends)
        return replace(self, low=low, high=high)

    @property
    def known(self) -> dict[str, NDArray[Any]]:
        """The sums that are known, by name."""
        found = {name: getattr(self, name) for name in ("rows", *OF_WEIGHTED, *OF_SCORES)}
        return {name: column for name, column in found.items() if column is not None}

    def columns(self) -> dict[str, NDArray[Any]]:
        """The sums of one stratum, one row a cell."""
        return self.known

    def each(self, function: Callable[[str, NDArray[Any]], NDArray[Any]]) -> "CellSums":
        """The sums with a function of the name and the column applied to each."""
        found = {name: read_only(function(name, one)) for name, one in self.known.items()}
        return CellSums(**found)

    def as_weighted(self) -> "CellSums":
        """The same rows, with weight 1 each if they have none."""
        return self if self.weighted else replace(self, weight=self.mass, squares=self.mass)

    def over(self, strata: Sequence[int]) -> "CellSums":
        """The sums over some strata of the first axis."""

        def over(name: str, column: NDArray[Any]) -> NDArray[Any]:
            first, *more = strata
            found = column[first]
            for stratum in more:
                found = _COMBINED.get(name, np.add)(found, column[stratum])
            return found

        return self.each(over)

    def then(self, other: "CellSums") -> "CellSums":
        """These cells followed by others, with weights if either has them."""
        both = [self, other]
        if self.weighted or other.weighted:
            both = [one.as_weighted() for one in both]
        more = both[1].known
        return both[0].each(lambda name, own: np.concatenate([own, more[name]], axis=-1))

    def ordered(self, order: IndexArray) -> "CellSums":
        """The cells in a given order."""
        return self.each(lambda _, column: np.take(column, order, axis=-1))

    def merged(self, starts: IndexArray, order: IndexArray | None = None) -> "CellSums":
        """The cells from one start to the next as one, after they are put in a given order."""
        sizes = np.diff(starts, append=len(self))

        def merge(name: str, column: NDArray[Any]) -> NDArray[Any]:
            if order is not None:
                column = np.take(column, order, axis=-1)
            # Infinite scores of both signs have no sum, and the sum of huge ones can be infinite.
            with np.errstate(invalid="ignore", over="ignore"):
                return _reduced(_COMBINED.get(name, np.add), column, starts, sizes)

        return self.each(merge)

    def sample(self, scores: ScoreArray, lowest: FloatArray | None = None) -> ClassSample:
        """A class as distinct sorted scores, or the highest of runs, without those of weight 0."""
        if self.weight is None or self.squares is None:
            kept = self.rows > 0
            if lowest is None and np.all(self.rows <= 1):
                return ClassSample(doubles(np.compress(kept, scores)))
            # Weights and their squares sum to the number of rows: one array serves all.
            tally = weight = squares = np.compress(kept, self.rows).astype(float)
        else:
            kept = self.weight > 0
            tally = np.compress(kept, self.rows).astype(float)
            weight, squares = (np.compress(kept, side) for side in (self.weight, self.squares))
        ends = None if lowest is None else np.compress(kept, lowest)
        values = doubles(np.compress(kept, scores))
        return ClassSample(values, weight, self.total, tally, squares, ends)

    def at_end(self, *, high: bool) -> ClassSample:
        """The rows of all bins of a class with weight, at the low or the high end of their bins."""
        filled, values = np.flatnonzero(self.filled), self.ends[high]
        order = filled[np.argsort(values[filled], kind="stable")]
        found = self.ordered(order).sample(np.take(values, order))
        return replace(found, rows=self.total)


def check_both(sums: CellSums) -> None:
    """Raise `LabelError` unless both classes have rows, with weight."""
    for name, side in (("positive", sums[1]), ("negative", sums[0])):
        counts = side.weight is None or bool(np.any(side.weight > 0))
        check_class(name, occurs=bool(np.any(side.rows > 0)), counts=counts)


def _reduced(
    ufunc: np.ufunc, column: NDArray[Any], starts: IndexArray, sizes: IndexArray
) -> NDArray[Any]:
    """`ufunc.reduceat` of cells, but several times as fast if no group is large."""
    if column.ndim > 1:
        return np.stack([_reduced(ufunc, stratum, starts, sizes) for stratum in column])
    largest = int(sizes.max(initial=0))
    if largest > _FEW:
        return np.asarray(ufunc.reduceat(column, starts))
    found = np.take(column, starts)
    for i in range(1, largest):
        larger = np.flatnonzero(sizes > i)
        found[larger] = ufunc(found[larger], column[starts[larger] + i])
    return found

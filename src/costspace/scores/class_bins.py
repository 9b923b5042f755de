"""The rows of one class by bin: their number, and sums and ranges of their scores."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, read_only
from costspace.errors import SourceError, check_kind
from costspace.scores.binning import Binning
from costspace.scores.class_counts import OF_WEIGHTED, ClassCounts
from costspace.scores.rounding import in_unit
from costspace.scores.sample import ClassSample

_SCORES = ("score_sum", "score_squares", "low", "high")
_COMBINED = {"low": np.minimum, "high": np.maximum}
# Runs with a mean length below this are short.
_SHORT = 64
# Groups with at most so many rows are added up row by row, in all groups at once.
_FEW = 4


@final
@dataclass(frozen=True, eq=False, repr=False)
class ClassBins(FrozenValue):
    """The rows of one class by bin.

    Attributes
    ----------
    counts : ClassCounts
        How many rows of the class each bin has, which may be 0, and the sums of their weights
        and squared weights if they have weights.
    score_sum, score_squares : array of shape (k,)
        The sum of the scores and that of the squared scores, as weighted.
    low, high : array of shape (k,)
        The lowest and the highest score of the rows with weight; inf and -inf if there are none.

    Raises
    ------
    SourceError
        If the columns differ in length, or a range is invalid.

    Examples
    --------
    >>> import costspace as cs
    >>> binning = cs.Binning.uniform(bins=2)
    >>> binned = cs.BinnedScores.from_predictions([0, 0, 1], [0.125, 0.375, 0.75], binning=binning)
    >>> binned.negatives
    ClassBins(2 rows in 1 bins)
    >>> binned.negatives.low, binned.negatives.high
    (array([0.125,   inf]), array([0.375,  -inf]))
    """

    counts: ClassCounts
    score_sum: FloatArray
    score_squares: FloatArray
    low: FloatArray
    high: FloatArray

    def __post_init__(self) -> None:
        check_kind("counts", self.counts, ClassCounts, error=SourceError)
        for name in _SCORES:
            column = np.asarray(getattr(self, name), dtype=float)
            object.__setattr__(self, name, read_only(column))
            if column.shape != self.counts.rows.shape:
                raise SourceError("the scores of a class must be one for each bin.")
        # NaN is not a range either, and the value of a bin without rows would be taken for a score.
        none = (self.low == np.inf) & (self.high == -np.inf)
        if not np.all(np.where(self.filled, self.low <= self.high, none)):
            raise SourceError(
                "the lowest score of a bin must not be above its highest; without rows they must "
                "be inf and -inf."
            )

    @classmethod
    def of_sample(cls, sample: ClassSample, binning: Binning) -> tuple[FloatArray, "ClassBins"]:
        """The keys of runs of sorted scores, and the sums of the runs; a key may repeat."""
        runs = [_runs(binning.keys(values), values, weights) for values, weights in sample.blocks()]
        if not runs:
            return np.zeros(0), cls.empty(0, weighted=sample.weights is not None)
        keys, *columns = (np.concatenate(column) for column in zip(*runs, strict=True))
        counts = ClassCounts(*columns[4:])
        return keys, cls(counts, *columns[:4])

    @classmethod
    def named(cls, name: str, columns: Mapping[str, ArrayLike], *, weighted: bool) -> "ClassBins":
        """The bins of a class from columns with its name before theirs."""
        counted = [np.asarray(columns[name])]
        if weighted:
            counted += [np.asarray(columns[f"{name}_{column}"]) for column in OF_WEIGHTED]
        scores = (np.asarray(columns[f"{name}_{column}"]) for column in _SCORES)
        return cls(ClassCounts(*counted), *scores)

    @classmethod
    def empty(cls, bins: int, *, weighted: bool, rows: int = 0) -> "ClassBins":
        """Bins without rows, or with so many of weight zero each."""
        none = np.zeros(bins)
        tally = np.full(bins, rows, dtype=np.int64)
        counts = ClassCounts(tally, none, none) if weighted else ClassCounts(tally)
        return cls(counts, none, none, np.full(bins, np.inf), np.full(bins, -np.inf))

    @property
    def in_unit(self) -> "ClassBins":
        """The same rows with their ranges within [0, 1]; sums differ from theirs by rounding."""
        some = self.filled
        low, high = (np.where(some, in_unit(end), end) for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def __repr__(self) -> str:
        weighted = ", weighted" if self.counts.weighted else ""
        filled = np.count_nonzero(self.filled)
        return f"ClassBins({self.counts.total} rows in {filled} bins{weighted})"

    def __len__(self) -> int:
        """How many bins there are, with rows or without."""
        return len(self.low)

    @cached_property
    def weight(self) -> FloatArray:
        """The weight of each bin; without weights, its number of rows."""
        weight = self.counts.weight
        return read_only(self.counts.rows.astype(float) if weight is None else weight)

    @property
    def filled(self) -> BoolArray:
        """Which bins have a row with weight."""
        return self.weight > 0

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a bin."""
        return {**self.counts.columns(), **{name: getattr(self, name) for name in _SCORES}}

    def with_columns(self, columns: dict[str, NDArray[Any]]) -> "ClassBins":
        """These bins with other columns."""
        counts = ClassCounts(*(columns[name] for name in self.counts.columns()))
        return ClassBins(counts, *(columns[name] for name in _SCORES))

    def as_weighted(self) -> "ClassBins":
        """The same rows, with weight 1 each if they have none."""
        return ClassBins(self.counts.as_weighted(), *(getattr(self, name) for name in _SCORES))

    def then(self, other: "ClassBins") -> "ClassBins":
        """These bins followed by others, with weights if either has them."""
        both = [self, other]
        if self.counts.weighted or other.counts.weighted:
            both = [side.as_weighted() for side in both]
        first, second = (side.columns() for side in both)
        return both[0].with_columns(
            {name: np.concatenate([first[name], second[name]]) for name in first}
        )

    def combined(self, order: IndexArray, starts: IndexArray) -> "ClassBins":
        """The bins in a given order, with those from one start to the next merged."""
        sizes = np.diff(starts, append=len(order))

        def combine(name: str, column: NDArray[Any]) -> NDArray[Any]:
            # Infinite scores of both signs have no sum, and the sum of huge ones can be infinite.
            with np.errstate(invalid="ignore", over="ignore"):
                ordered = np.take(column, order)
                return _reduced(_COMBINED.get(name, np.add), ordered, starts, sizes)

        return self.with_columns({n: combine(n, column) for n, column in self.columns().items()})

    def sample(self, end: str) -> ClassSample:
        """The rows of all bins with weight, at the end "low" or "high" of their bins."""
        filled = np.flatnonzero(self.filled)
        values = getattr(self, end)
        order = filled[np.argsort(values[filled], kind="stable")]
        counts = self.counts.each(lambda column: np.take(column, order))
        return replace(counts.sample(np.take(values, order)), rows=self.counts.total)


def _reduced(
    ufunc: np.ufunc, column: NDArray[Any], starts: IndexArray, sizes: IndexArray
) -> NDArray[Any]:
    """`ufunc.reduceat`, but several times as fast if no group is large."""
    largest = int(sizes.max(initial=0))
    if largest > _FEW:
        return np.asarray(ufunc.reduceat(column, starts))
    found = np.take(column, starts)
    for i in range(1, largest):
        larger = np.flatnonzero(sizes > i)
        found[larger] = ufunc(found[larger], column[starts[larger] + i])
    return found


def _runs(
    keys: FloatArray, scores: FloatArray, weights: FloatArray | None
) -> tuple[NDArray[Any], ...]:
    """The keys of ascending scores, one for each run, and the columns of the runs."""
    new = np.append(False, keys[1:] != keys[:-1])
    starts = np.append(0, np.flatnonzero(new))
    ends = np.append(starts[1:], len(keys))

    # Short runs are summed faster by index, and long ones more exactly pairwise.
    run = np.cumsum(new) if len(starts) * _SHORT > len(keys) else None

    def total(column: FloatArray) -> FloatArray:
        if run is not None:
            return np.asarray(np.bincount(run, column), dtype=float)
        return np.asarray(np.add.reduceat(column, starts))

    # Squares of scores beyond the root of the largest float overflow.
    with np.errstate(invalid="ignore", over="ignore"):
        weighted = scores if weights is None else scores * weights
        moments = total(weighted), total(weighted * scores)
    columns = (keys[starts], *moments, scores[starts], scores[ends - 1], ends - starts)
    return columns if weights is None else (*columns, total(weights), total(weights**2))

"""Rows counted in folds, by score or in runs of neighbouring scores: counts between are exact."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, IndexArray, ScoreArray, read_only
from costspace.samples.rounding import in_unit, only_rounding
from costspace.samples.sorting import sort_with_order
from costspace.single import doubles
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.counts import ScoreCounts

# Runs are cut at so many equal shares of both classes, with equal weight of the classes.
CELLS = 1 << 15


class Runs(NamedTuple):
    """The ends of runs of scores, and the rows of each fold, class and run.

    A run without rows is from inf to -inf.
    """

    lowest: FloatArray
    highest: FloatArray
    rows: NDArray[np.int64]

    def counts(self) -> ScoreCounts:
        """The counts of runs that have rows; of scores, if no run has several."""
        some = np.flatnonzero(self.rows.any(axis=(0, 1)))
        lowest, highest = self.lowest[some], self.highest[some]
        sums = CellSums(read_only(np.ascontiguousarray(np.take(self.rows, some, axis=-1))))
        single = np.array_equal(lowest, highest)
        return ScoreCounts(highest, sums, lowest=None if single else lowest)


def in_folds(
    scores: ScoreArray,
    positive: BoolArray,
    fold: NDArray[np.integer[Any]],
    folds: int,
    cells: int = CELLS,
) -> ScoreCounts:
    """Count rows by fold, class and distinct score, or in about `cells` runs if there are more.

    A run has at most a share 1 / `cells` of both classes, with equal weight of the classes, unless
    one score has more.

    Examples
    --------
    >>> counts = in_folds(
    ...     np.array([0.1, 0.4, 0.2, 0.9]), np.array([False, True, False, True]),
    ...     np.array([0, 0, 1, 1]), 2,
    ... )
    >>> counts
    ScoreCounts(4 scores of 2 negatives, 2 positives, in 2 folds)
    >>> counts.of_folds([1]).table().negatives.values
    array([0.2])
    """
    ascending, kind = _sorted(scores, positive, fold, folds)
    last = np.flatnonzero(np.append(ascending[1:] != ascending[:-1], True))
    if len(last) > cells:
        last = last[_ends_of_runs((kind & 1).astype(bool), last, cells)]
    return _in_runs(ascending, kind, last, folds).counts()


def runs_up_to(
    ends: FloatArray,
    scores: ScoreArray,
    positive: BoolArray,
    fold: NDArray[np.integer[Any]],
    folds: int,
) -> Runs:
    """Count rows in runs up to each of some ascending scores, and above the last."""
    ascending, kind = _sorted(scores, positive, fold, folds)
    ascending = doubles(ascending)
    last = np.append(np.searchsorted(ascending, ends, side="right"), len(ascending)) - 1
    return _in_runs(ascending, kind, last, folds)


def coarser(counts: ScoreCounts, cells: int) -> ScoreCounts:
    """The same rows in about so many runs, by merging neighbours."""
    if len(counts) <= cells:
        return counts
    shares = _shares(counts)
    place = np.ceil(np.cumsum(shares.mean(axis=0)) * cells)
    return _merged(counts, doubles(counts.cells), counts.low_ends, place[1:] != place[:-1])


def as_read(counts: ScoreCounts) -> ScoreCounts:
    """The same rows, with the scores that only rounding took beyond [0, 1] at its ends."""
    lowest, highest = counts.low_ends, doubles(counts.cells)
    if not only_rounding(float(lowest[0]), float(highest[-1])):
        return counts
    lowest, highest = in_unit(lowest), in_unit(highest)
    # Cells that have a score in common are one.
    return _merged(counts, highest, lowest, lowest[1:] > highest[:-1])


def cell_of(counts: ScoreCounts, scores: ScoreArray) -> IndexArray:
    """The cell that each of some scores of these rows is in."""
    return np.searchsorted(counts.cells, doubles(scores), side="left")


def forgone(
    counts: ScoreCounts, negative_stake: float, positive_stake: float, *, alone: bool
) -> float:
    """How much a threshold inside a run can save over those between runs.

    If counts are known `alone`, so that such a threshold has all of a run on one side: how much
    more or less than counted it can cost. Stakes are the costs of flagging all negatives, and of
    flagging no positive.
    """
    shares = _shares(counts)[:, counts.cells > counts.low_ends]
    of_each = negative_stake * shares[0], positive_stake * shares[1]
    # Moved to one end of its run or the other, a threshold loses on only one class.
    lost = np.maximum(*of_each) if alone else np.minimum(*of_each)
    return float(lost.max(initial=0.0))


def _shares(counts: ScoreCounts) -> FloatArray:
    """The share of each class in each cell."""
    rows = counts.by_class.rows
    return rows / rows.sum(axis=1, keepdims=True)


def _merged(
    counts: ScoreCounts, highest: FloatArray, lowest: FloatArray, apart: BoolArray
) -> ScoreCounts:
    """The same rows in fewer runs: one with the next, unless they are to stay apart."""
    last = np.append(np.flatnonzero(apart), len(counts) - 1)
    starts = np.append(0, last[:-1] + 1)
    sums = CellSums(read_only(np.add.reduceat(counts.sums.rows, starts, axis=2)))
    return ScoreCounts(highest[last], sums, lowest=lowest[starts])


def _in_runs(
    ascending: ScoreArray, kind: NDArray[np.integer[Any]], last: IndexArray, folds: int
) -> Runs:
    """Count sorted rows up to the last of each run."""
    sizes = np.diff(last, prepend=-1)
    run = np.repeat(np.arange(len(last)), sizes)
    counts = np.bincount(run * (2 * folds) + kind, minlength=2 * folds * len(last))
    rows = counts.reshape(len(last), folds, 2).transpose(1, 2, 0)
    some, first = sizes > 0, last + 1 - sizes
    lowest, highest = np.full(len(last), np.inf), np.full(len(last), -np.inf)
    lowest[some] = doubles(ascending[first[some]])
    highest[some] = doubles(ascending[last[some]])
    return Runs(lowest, highest, rows)


def _sorted(
    scores: ScoreArray, positive: BoolArray, fold: NDArray[np.integer[Any]], folds: int
) -> tuple[ScoreArray, NDArray[np.integer[Any]]]:
    """The scores ascending, and twice the fold of each, plus 1 for a positive."""
    ascending, order = sort_with_order(scores)
    small = np.min_scalar_type(2 * folds)
    return ascending, np.take(2 * fold.astype(small) + positive, order)


def _ends_of_runs(positive: BoolArray, last: IndexArray, cells: int) -> IndexArray:
    """Which of the distinct scores, which end at rows `last`, are the last of a run."""
    positives = np.cumsum(positive)
    if len(last) < len(positives):
        positives = positives[last]
    # In place: new arrays of 10^6 numbers take longer than the arithmetic.
    share = last + 1.0
    share -= positives
    share /= share[-1]
    share += positives / positives[-1]
    share /= 2
    share *= cells
    np.ceil(share, out=share)
    return np.append(np.flatnonzero(share[1:] != share[:-1]), len(last) - 1)

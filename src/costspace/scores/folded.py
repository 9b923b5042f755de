"""Rows of a model counted by fold, class and cell (a run of neighbouring scores)."""

from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, ScoreArray, read_only
from costspace.scores.rounding import in_unit, only_rounding
from costspace.scores.sample import ClassSample
from costspace.scores.sorting import sort_with_order
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# Cells are cut at so many equal shares of both classes, with equal weight of the classes.
CELLS = 1 << 15


@final
@dataclass(frozen=True, eq=False)
class FoldedCounts(FrozenValue):
    """How many rows of each fold and class have scores in each of some cells.

    A table of them has each cell once. Its thresholds are in the gaps between cells, where the
    counts are exact.

    Attributes
    ----------
    lowest, highest : array of shape (k,)
        The lowest and the highest score of each cell, ascending.
    counts : array of int64 of shape (folds, 2, k)
        For each fold the rows of the negative and of the positive class.
    alone : bool
        Whether only the counts are known, so that a threshold inside a cell has all of it on one
        side.
    given : FoldedCounts or None
        The counts by the scores as they came, if rounding took some beyond [0, 1]; here they are at
        its ends.

    Examples
    --------
    >>> counts = FoldedCounts.of(
    ...     np.array([0.1, 0.4, 0.2, 0.9]), np.array([False, True, False, True]),
    ...     np.array([0, 0, 1, 1]), 2,
    ... )
    >>> counts.table()
    ScoreTable(2 negatives, 2 positives)
    >>> counts.table(but=0).negatives.values
    array([0.2])
    """

    lowest: FloatArray
    highest: FloatArray
    counts: NDArray[np.int64]
    alone: bool = False
    given: "FoldedCounts | None" = None

    @classmethod
    def of(
        cls,
        scores: ScoreArray,
        positive: BoolArray,
        fold: NDArray[np.integer[Any]],
        folds: int,
        cells: int = CELLS,
    ) -> Self:
        """Count rows by distinct score, or in about `cells` runs if there are more.

        A cell has at most a share 1 / `cells` of both classes, with equal weight of the classes,
        unless one score has more.
        """
        ascending, kind = _sorted(scores, positive, fold, folds)
        last = np.flatnonzero(np.append(ascending[1:] != ascending[:-1], True))
        if len(last) > cells:
            last = last[_ends_of_cells((kind & 1).astype(bool), last, cells)]
        return cls._in_runs(ascending, kind, last, folds)

    @classmethod
    def up_to(
        cls,
        ends: FloatArray,
        scores: ScoreArray,
        positive: BoolArray,
        fold: NDArray[np.integer[Any]],
        folds: int,
    ) -> Self:
        """Count rows in cells up to each of some ascending scores, and above the last.

        Only such counts can be added. A cell without rows is from inf to -inf until `filled`.
        """
        ascending, kind = _sorted(scores, positive, fold, folds)
        ascending = doubles(ascending)
        last = np.append(np.searchsorted(ascending, ends, side="right"), len(ascending)) - 1
        return cls._in_runs(ascending, kind, last, folds)

    @classmethod
    def _in_runs(
        cls, ascending: ScoreArray, kind: NDArray[np.integer[Any]], last: IndexArray, folds: int
    ) -> Self:
        """Count sorted rows up to the last of each run."""
        sizes = np.diff(last, prepend=-1)
        cell = np.repeat(np.arange(len(last)), sizes)
        counts = np.bincount(cell * (2 * folds) + kind, minlength=2 * folds * len(last))
        by_fold = counts.reshape(len(last), folds, 2).transpose(1, 2, 0)
        some, first = sizes > 0, last + 1 - sizes
        lowest, highest = np.full(len(last), np.inf), np.full(len(last), -np.inf)
        lowest[some] = doubles(ascending[first[some]])
        highest[some] = doubles(ascending[last[some]])
        return cls(read_only(lowest), read_only(highest), np.ascontiguousarray(by_fold))

    def __add__(self, other: "FoldedCounts") -> "FoldedCounts":
        """The counts of the rows of both, in the same cells."""
        return FoldedCounts(
            read_only(np.minimum(self.lowest, other.lowest)),
            read_only(np.maximum(self.highest, other.highest)),
            self.counts + other.counts,
        )

    @property
    def filled(self) -> "FoldedCounts":
        """These counts without cells that have no rows."""
        some = self.of_all.sum(axis=0) > 0
        ends = read_only(self.lowest[some]), read_only(self.highest[some])
        return FoldedCounts(*ends, np.ascontiguousarray(self.counts[:, :, some]))

    def coarser(self, cells: int) -> Self:
        """The same rows in about so many cells, by merging neighbours."""
        if len(self) <= cells:
            return replace(self, alone=True)
        shares = self.of_all / self.of_all.sum(axis=1, keepdims=True)
        place = np.ceil(np.cumsum(shares.mean(axis=0)) * cells)
        return replace(self._merged(place[1:] != place[:-1]), alone=True)

    @property
    def as_read(self) -> Self:
        """The same rows, with the scores that only rounding took beyond [0, 1] at its ends."""
        if not only_rounding(float(self.lowest[0]), float(self.highest[-1])):
            return self
        lowest, highest = in_unit(self.lowest), in_unit(self.highest)
        at_ends = replace(self, lowest=lowest, highest=highest, given=self)
        # Cells that have a score in common are one.
        return at_ends._merged(lowest[1:] > highest[:-1])

    def _merged(self, apart: BoolArray) -> Self:
        """The same rows in fewer cells: one with the next, unless they are to stay apart."""
        last = np.append(np.flatnonzero(apart), len(self) - 1)
        starts = np.append(0, last[:-1] + 1)
        counts = np.add.reduceat(self.counts, starts, axis=2)
        lowest, highest = read_only(self.lowest[starts]), read_only(self.highest[last])
        return replace(self, lowest=lowest, highest=highest, counts=counts)

    def cell_of(self, scores: ScoreArray) -> IndexArray:
        """The cell that each of some scores of these rows is in."""
        return np.searchsorted(self.highest, doubles(scores), side="left")

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self.highest)

    def table(self, *, but: int | None = None, only: int | None = None) -> ScoreTable:
        """The table of all folds, of all `but` one, or of `only` one."""
        counts = self.of_all if only is None else self.counts[only]
        if but is not None:
            counts = counts - self.counts[but]
        found = ScoreTable.from_classes(self._sample(counts[0]), self._sample(counts[1]))
        if self.given is None:
            return found
        return replace(found, given=self.given.table(but=but, only=only).ranking)

    @property
    def of_all(self) -> NDArray[np.int64]:
        """The counts of all folds together, of shape (2, k)."""
        return self.counts.sum(axis=0)

    def forgone(self, negative_stake: float, positive_stake: float) -> float:
        """How much a threshold inside a cell can save over those between cells.

        If counts are `alone`, how much more or less than counted such a threshold can cost.

        Parameters
        ----------
        negative_stake, positive_stake : float
            The costs of flagging all negatives, and of flagging no positive.
        """
        several = self.highest > self.lowest
        shares = (self.of_all / self.of_all.sum(axis=1, keepdims=True))[:, several]
        of_each = negative_stake * shares[0], positive_stake * shares[1]
        # Moved to one end of its cell or the other, a threshold loses on only one class.
        lost = np.maximum(*of_each) if self.alone else np.minimum(*of_each)
        return float(lost.max(initial=0.0))

    def _sample(self, counts: NDArray[np.int64]) -> ClassSample:
        some = counts > 0
        of_each: FloatArray = counts[some].astype(float)
        values, lowest = self.highest[some], self.lowest[some]
        if np.all(of_each == 1) and np.array_equal(values, lowest):
            return ClassSample(values)
        rows = int(of_each.sum())
        return ClassSample(values, of_each, rows, of_each, of_each, read_only(lowest))


def _sorted(
    scores: ScoreArray, positive: BoolArray, fold: NDArray[np.integer[Any]], folds: int
) -> tuple[ScoreArray, NDArray[np.integer[Any]]]:
    """The scores ascending, and twice the fold of each, plus 1 for a positive."""
    ascending, order = sort_with_order(scores)
    small = np.min_scalar_type(2 * folds)
    return ascending, np.take(2 * fold.astype(small) + positive, order)


def _ends_of_cells(positive: BoolArray, last: IndexArray, cells: int) -> IndexArray:
    """Which of the distinct scores, which end at rows `last`, are the last of a cell."""
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

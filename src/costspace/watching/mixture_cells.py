"""Labelled and unlabelled scores, counted in the same cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray, hold, read_only
from costspace.errors import ScoreError
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable

# A cell has about so many labelled rows at least, and there are at most so many cells: within one
# the share of positives moves so little with the score that it biases no mean. Of few rows there
# are some cells nevertheless.
_ROWS, _CELLS, _LEAST = 20, 200, 8
# Of cells for a ratio of class shares there are at most so many, each with so many rows of either
# class. The ratio's own noise biases the prevalence in proportion to their number: with 12 by 0.1
# of its error at most, and 5 % of the information is lost.
_RATIOS, _OF_CLASS = 12, 10
# What rounding leaves of equal shares.
_EQUAL = 1e-12


class CellCounts(NamedTuple):
    """The weight of the rows in each cell, and the sum of their squared weights."""

    mass: FloatArray
    squares: FloatArray


# Counts the new rows in the cells between edges.
Counting: TypeAlias = Callable[[FloatArray], CellCounts]


@final
@dataclass(frozen=True, eq=False)
class CountedSample(FrozenValue):
    """Counts the rows of a sample that is in memory."""

    sample: ClassSample

    def __call__(self, edges: FloatArray) -> CellCounts:
        return counted_in(edges, self.sample)


def counted_in(edges: FloatArray, sample: ClassSample) -> CellCounts:
    """The rows of a sample in each cell: above one edge, and not above the next."""
    ends = np.concatenate([[0], sample.position(edges), [len(sample)]])
    mass = np.diff(sample.weight_of_first(ends)).astype(float)
    if sample.weights is None:
        return CellCounts(mass, mass)
    return CellCounts(mass, np.diff(np.append(0.0, np.cumsum(sample.squares_of_each))[ends]))


@final
@dataclass(frozen=True, eq=False)
class MixtureCells(FrozenValue):
    """How many negatives, positives and new rows have scores in each cell.

    New scores on either side of all labelled ones are in the outer cells.
    """

    edges: FloatArray  # shape (k - 1,): thresholds, ascending
    mass: FloatArray  # shape (3, k): the weight of negatives, positives and new rows
    squares: FloatArray  # shape (3, k): sums of squared weights

    def __post_init__(self) -> None:
        hold(self, edges=read_only(self.edges))
        hold(self, mass=read_only(self.mass), squares=read_only(self.squares))

    @classmethod
    def of(cls, table: ScoreTable, new: Counting, edges: FloatArray) -> MixtureCells:
        """Count labelled rows and new ones between edges; `ScoreError` if there are no new ones."""
        parts = [counted_in(edges, table.negatives), counted_in(edges, table.positives), new(edges)]
        mass, squares = (np.stack(one) for one in zip(*parts, strict=True))
        if not mass[2].sum() > 0:
            raise ScoreError("there are no new scores: give one at least.")
        return cls(edges, mass, squares)

    def merged(self) -> tuple[MixtureCells, IndexArray]:
        """Fewer cells, each with enough rows of either class, and which of them each cell is in.

        If these are too few to tell the classes apart there are two, where they are most apart;
        `ScoreError` if they are nowhere.
        """
        shares, rows = self.shares, self.effective[:2]
        firsts, since, passed = [0], np.zeros(2), 0.0
        for i in range(len(self)):
            since, passed = since + rows[:, i], passed + shares[:2, i].sum() / 2
            if passed >= 1 / _RATIOS and (since >= _OF_CLASS).all():
                firsts.append(i + 1)
                since, passed = np.zeros(2), 0.0
        # What is left at the end is too little for a cell.
        starts = np.array(firsts[:-1])
        if not self._told_apart(starts) and len(self) > 1:
            apart = np.abs(np.cumsum(shares[0] - shares[1]))
            starts = np.array([0, int(np.argmax(apart[:-1])) + 1])
        if not self._told_apart(starts):
            raise ScoreError(
                "the labelled scores do not tell the classes apart, so that new scores say nothing "
                "of the prevalence: give more labelled rows, or scores of another model."
            )
        own = np.searchsorted(starts, np.arange(len(self)), side="right") - 1
        return self.joined(self.edges[starts[1:] - 1], own), own

    def _told_apart(self, starts: IndexArray) -> bool:
        """Whether both classes have other shares of the cells that begin at some."""
        if len(starts) < 2:
            return False
        negatives, positives = np.add.reduceat(self.shares[:2], starts, axis=1)
        return float(np.abs(negatives - positives).max()) > _EQUAL

    def joined(self, edges: FloatArray, within: IndexArray) -> MixtureCells:
        """The counts of wider cells; `within` has which of them each cell is in."""
        starts = np.searchsorted(within, np.arange(len(edges) + 1))
        sums = (np.add.reduceat(own, starts, axis=1) for own in (self.mass, self.squares))
        return MixtureCells(edges, *sums)

    def __len__(self) -> int:
        return len(self.edges) + 1

    @property
    def totals(self) -> FloatArray:
        """Shape (3,): the weight of negatives, positives and new rows."""
        return self.mass.sum(axis=1)

    @property
    def shares(self) -> FloatArray:
        """Shape (3, k): which share of negatives, positives and new rows each cell has."""
        return self.mass / self.totals[:, None]

    @property
    def sizes(self) -> FloatArray:
        """Shape (3,): how many rows of equal weight would say as much."""
        return self.totals**2 / self.squares.sum(axis=1)

    @property
    def effective(self) -> FloatArray:
        """Shape (3, k): the same of each cell."""
        none = np.zeros_like(self.mass)
        return np.divide(self.mass**2, self.squares, out=none, where=self.squares > 0)


def edges_of(table: ScoreTable) -> FloatArray:
    """Thresholds between cells that have enough labelled rows each, by rank."""
    scores = table.by_score.breaks
    rows = _rows_up_to(table.negatives, scores) + _rows_up_to(table.positives, scores)
    least = max(min(_ROWS, rows[-1] / _LEAST), rows[-1] / _CELLS)
    ends = np.searchsorted(rows, least * np.arange(1, int(rows[-1] / least)))
    found: FloatArray = table.cut_points[np.unique(ends[ends < len(scores) - 1])]
    return found


def _rows_up_to(sample: ClassSample, scores: FloatArray) -> FloatArray:
    rows = np.append(0.0, np.cumsum(sample.tally_of_each))
    found: FloatArray = rows[sample.position(scores)]
    return found

"""Labelled and unlabelled scores, counted in the same cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray, hold, read_only
from costspace.errors import ScoreError
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable

# A cell has at least so many labelled rows, and there are about so many cells at most: the share of
# positives in a cell, as it moves with the score, then biases no mean by a part of its error.
_ROWS, _CELLS = 20, 200
# Of cells for a ratio of class shares there are at most so many, each with so many rows of either
# class. The ratio's own noise biases the prevalence in proportion to their number: with 12 by 0.1
# of its error at most, and 5 % of the information is lost.
_RATIOS, _OF_CLASS = 12, 10


class Counted(NamedTuple):
    """The weight of the rows in each cell, and the sum of their squared weights."""

    mass: FloatArray
    squares: FloatArray


# Counts the new rows in the cells between edges.
Counting: TypeAlias = Callable[[FloatArray], Counted]


def counted_in(edges: FloatArray, sample: ClassSample) -> Counted:
    """The rows of a sample in each cell: above one edge, and not above the next."""
    ends = np.concatenate([[0], sample.position(edges), [len(sample)]])
    mass = np.diff(sample.weight_of_first(ends)).astype(float)
    if sample.weights is None:
        return Counted(mass, mass)
    return Counted(mass, np.diff(np.append(0.0, np.cumsum(sample.squares_of_each))[ends]))


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
        hold(self, **{name: read_only(getattr(self, name)) for name in ("edges", "mass", "squares")})

    @classmethod
    def of(cls, table: ScoreTable, new: Counting, cuts: Sequence[float] = ()) -> MixtureCells:
        """Count labelled rows and new ones; no cell has scores on both sides of a cut."""
        edges = _edges(table, sorted({*cuts} - {-np.inf, np.inf}))
        parts = [counted_in(edges, table.negatives), counted_in(edges, table.positives), new(edges)]
        mass, squares = (np.stack(one) for one in zip(*parts, strict=True))
        if not mass[2].sum() > 0:
            raise ScoreError("there are no new scores: give one at least.")
        return cls(edges, mass, squares)

    def merged(self) -> tuple[MixtureCells, IndexArray]:
        """Fewer cells, each with enough rows of either class, and which of them each cell is in."""
        shares, rows = self.shares, self.effective[:2]
        firsts, since, passed = [0], np.zeros(2), 0.0
        for i in range(len(self)):
            since, passed = since + rows[:, i], passed + shares[:2, i].sum() / 2
            if passed >= 1 / _RATIOS and (since >= _OF_CLASS).all():
                firsts.append(i + 1)
                since, passed = np.zeros(2), 0.0
        # What is left at the end is too little for a cell.
        starts = np.array(firsts[: max(len(firsts) - 1, 1)])
        mass, squares = (np.add.reduceat(own, starts, axis=1) for own in (self.mass, self.squares))
        own = np.searchsorted(starts, np.arange(len(self)), side="right") - 1
        return MixtureCells(self.edges[starts[1:] - 1], mass, squares), own

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


def _edges(table: ScoreTable, cuts: Sequence[float]) -> FloatArray:
    """Thresholds between cells: every cut, and others with enough labelled rows between them."""
    scores, between = table.by_score.breaks, table.cut_points
    rows = sum(_rows_up_to(side, scores) for side in (table.negatives, table.positives))
    least = max(_ROWS, float(rows[-1]) / _CELLS)
    found: list[float] = []
    places = [0, *np.searchsorted(scores, cuts, side="right").tolist(), len(scores)]
    for i, (first, last) in enumerate(zip(places[:-1], places[1:], strict=True)):
        before = float(rows[first - 1]) if first else 0.0
        count = int(((rows[last - 1] if last else 0.0) - before) / least) if last > first else 0
        ends = before + least * np.arange(1, count)
        inside = np.unique(np.searchsorted(rows[first:last], ends)) + first
        # A threshold is after each of these scores; there is none after the last of a stretch.
        found += between[inside[inside < last - 1]].tolist()
        found += cuts[i : i + 1]
    return np.array(found)


def _rows_up_to(sample: ClassSample, scores: FloatArray) -> FloatArray:
    rows = np.append(0.0, np.cumsum(sample.tally_of_each))
    found: FloatArray = rows[sample.position(scores)]
    return found

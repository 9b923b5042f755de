"""Resampled rankings: the same sorted scores with other counts, without sorting again."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import (
    EXACT,
    BoolArray,
    FloatArray,
    FrozenValue,
    IndexArray,
    ScoreFunction,
    read_only,
)
from costspace.roc.hull import lower_hull
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranked import Hull, Keeping
from costspace.samples.ranking import Ranking

# Whole numbers for counted rows, floats for weighted rows.
Counts: TypeAlias = NDArray[np.int64] | FloatArray

# How many functions of the scores have their values cached for the next resample.
_KEPT = 16
# How many scores at an end are first searched for one that counts.
_NEAR_END = 64


@final
@dataclass(frozen=True, eq=False)
class SortedScores(FrozenValue):
    """Scores of both classes in ascending order, and the groups that form the ROC curve.

    Neighbouring negatives followed by positives are one group: only the point between them can be
    a corner of the ROC hull, for any counts. A score of both classes is a separate group, which
    the curve crosses in a straight line.

    Attributes
    ----------
    negatives, positives : array of shape (n0,) and (n1,)
        Ascending.
    negative_ends, positive_ends : array of shape (g + 1,)
        How many scores of each class there are up to the end of the first 0, 1, ..., g groups.
    tied : array of bool of shape (g,)
        Whether a group is one score of both classes.
    """

    negatives: FloatArray
    positives: FloatArray
    negative_ends: IndexArray
    positive_ends: IndexArray
    tied: BoolArray

    @classmethod
    def of(cls, negatives: FloatArray, positives: FloatArray) -> "SortedScores":
        """Find the groups of the ascending scores of two classes."""
        ranking = Ranking(ClassSample(negatives), ClassSample(positives))
        ends = [below.astype(np.intp) for below in ranking.at_distinct]
        has_negatives, has_positives = (np.diff(end, prepend=0) > 0 for end in ends)
        tied = has_negatives & has_positives
        starts = tied[1:] | tied[:-1] | (has_negatives[1:] & has_positives[:-1])
        last = np.append(np.flatnonzero(starts), len(tied) - 1)
        return cls(
            negatives,
            positives,
            np.append(0, ends[0][last]),
            np.append(0, ends[1][last]),
            tied[last],
        )

    def counted(self, negatives: Counts, positives: Counts) -> "ResampledRanking":
        """The ranking with these counts or weights of the scores."""
        return ResampledRanking(self, negatives, positives)

    @cached_property
    def _images(self) -> dict[tuple[bool, ScoreFunction], FloatArray]:
        return {}

    def image(self, function: ScoreFunction, *, positive: bool) -> FloatArray:
        """A function of every score of a class, cached for the next resample."""
        key = positive, function
        if key not in self._images:
            if len(self._images) >= _KEPT:
                self._images.clear()
            scores = self.positives if positive else self.negatives
            self._images[key] = read_only(function(scores))
        return self._images[key]


@final
@dataclass(frozen=True, eq=False)
class ResampledRanking(FrozenValue, Keeping):
    """How the scores of both classes rank, with the counts of a resample.

    Its results are those of a `Ranking` with these counts as weights. The AUC, the hull and class
    means take one pass over the counts; samples, without scores of count 0, are made at the first
    use.

    Attributes
    ----------
    scores : SortedScores
    negative_counts, positive_counts : array of shape (n0,) and (n1,), of int or float
        Not negative, and not all zero.
    """

    scores: SortedScores
    negative_counts: Counts
    positive_counts: Counts
    exact = True

    def with_placements(self) -> "ResampledRanking":
        return self

    @property
    def negatives(self) -> ClassSample:
        return self._ranking.negatives

    @property
    def positives(self) -> ClassSample:
        return self._ranking.positives

    @property
    def cut_points(self) -> FloatArray:
        return self._ranking.cut_points

    @property
    def distinct(self) -> FloatArray:
        return self._ranking.distinct

    @property
    def at_distinct(self) -> tuple[FloatArray, FloatArray]:
        return self._ranking.at_distinct

    @property
    def hull_thresholds(self) -> FloatArray:
        return self._ranking.hull_thresholds

    @property
    def placement_squares(self) -> tuple[float, float]:
        return self._ranking.placement_squares

    @property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return self._ranking.weighted_placements

    @property
    def totals(self) -> tuple[float, float]:
        x, y = self._at_group_ends
        return float(x[-1]), float(y[-1])

    @cached_property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score that counts."""
        sides = (
            (self.scores.negatives, self.negative_counts),
            (self.scores.positives, self.positive_counts),
        )
        low = min(float(values[_first(counts)]) for values, counts in sides)
        high = max(float(values[::-1][_first(counts[::-1])]) for values, counts in sides)
        return low, high

    @cached_property
    def auc(self) -> float:
        (x, y), tied = self._at_group_ends, self.scores.tied
        won = 2 * np.sum(np.diff(y) * x[1:])
        if tied.any():
            won -= np.sum((np.diff(x) * np.diff(y))[tied])
        return float(won) / 2 / (float(x[-1]) * float(y[-1]))

    @cached_property
    def hull(self) -> Hull:
        (below_x, below_y), tied = self._at_group_ends, self.scores.tied
        x, y = np.empty(len(below_x) + 1), np.empty(len(below_y) + 1)
        # A group's point is before its positives; if it is a tie, before its negatives too.
        x[0], x[1:-1], x[-1] = 0, below_x[1:], below_x[-1]
        y[0], y[1:-1], y[-1] = 0, below_y[:-1], below_y[-1]
        if tied.any():
            x[1:-1][tied] = below_x[:-1][tied]
        # Groups of count 0 give coinciding points.
        moved = np.append(0, np.flatnonzero((x[1:] > x[:-1]) | (y[1:] > y[:-1])) + 1)
        corners = lower_hull(x.take(moved), y.take(moved), rounding=self.rounding)
        return Hull(read_only(corners[0]), read_only(corners[1]))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        negatives, positives = self.totals
        return (
            _inner(self.negative_counts, self.scores.image(on_negatives, positive=False))
            / negatives,
            _inner(self.positive_counts, self.scores.image(on_positives, positive=True))
            / positives,
        )

    @cached_property
    def _at_group_ends(self) -> tuple[Any, Any]:
        """Weight of each class up to the end of each group, from 0."""
        return (
            _up_to(self.negative_counts, self.scores.negative_ends),
            _up_to(self.positive_counts, self.scores.positive_ends),
        )

    @property
    def rounding(self) -> float:
        negatives, positives = self.totals
        counted = all(c.dtype.kind == "i" for c in (self.negative_counts, self.positive_counts))
        if counted and negatives * positives < EXACT:
            return 0.0
        rows = max(len(self.negative_counts), len(self.positive_counts))
        return 1e-15 + rows * float(np.finfo(float).eps)

    @cached_property
    def _ranking(self) -> Ranking:
        """The ranking of the scores that count."""
        return Ranking(
            _sample(self.scores.negatives, self.negative_counts),
            _sample(self.scores.positives, self.positive_counts),
        )


def _up_to(counts: Counts, ends: IndexArray) -> Any:
    """Sum of the counts before each end."""
    sums = np.empty(len(counts) + 1, dtype=counts.dtype)
    sums[0] = 0
    np.cumsum(counts, out=sums[1:])
    return np.take(sums, ends)


def _inner(counts: Counts, image: FloatArray) -> float:
    # Not np.dot: BLAS would start its threads for every resample. Converting integers first is
    # faster than einsum's conversion in pieces.
    return float(np.einsum("i,i", counts.astype(float, copy=False), image))


def _first(counts: Counts) -> int:
    """Position of the first count that is not 0."""
    near = counts[:_NEAR_END] > 0
    first = int(near.argmax())
    return first if near[first] else int((counts > 0).argmax())


def _sample(values: FloatArray, counts: Counts) -> ClassSample:
    counting = counts > 0
    weights = np.compress(counting, counts).astype(float, copy=False)
    return ClassSample(np.compress(counting, values), weights, len(values))

"""Influence of statistics of the ranking: the AUC and the rate-driven loss."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.costs import CostDistribution
from costspace.influences.influence import Deviation, Influence, Steps
from costspace.samples.class_sample import ClassSample
from costspace.samples.placements import half_below
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class Placement:
    """Share of a class that scores below each score, ties counting half; or above it."""

    other: ClassSample
    above: bool

    def __call__(self, scores: FloatArray) -> FloatArray:
        below = half_below(self.other, scores) / self.other.total
        return 1 - below if self.above else below


def auc_influence(table: ScoreTable) -> Influence:
    """Influence of the AUC: a score's placement among the other class, minus the AUC.

    Notes
    -----
    DeLong, DeLong, Clarke-Pearson (1988), Biometrics 44.
    """
    ranking = table.ranking
    squares = ranking.placement_squares
    return Influence(
        Deviation(
            Placement(table.positives, above=True),
            table.auc,
            mean_square=squares[0],
            weighted_sums=lambda: ranking.weighted_placements[0],
        ),
        Deviation(
            Placement(table.negatives, above=False),
            table.auc,
            mean_square=squares[1],
            weighted_sums=lambda: ranking.weighted_placements[1],
        ),
    )


def hull_area_influence(table: ScoreTable) -> Influence:
    """Influence of the area under the ROC convex hull.

    It is that of the AUC of the scores with each segment of the hull as a block of ties: the hull
    is the largest of all polygons through points of the curve, so its corners are fixed to first
    order.
    """
    hull = table.hull
    on_right_side = [1 - (rate[:-1] + rate[1:]) / 2 for rate in (hull.fnr, hull.fpr)]
    return Influence(
        by_segment(table, hull.negatives_below, on_right_side[0]),
        by_segment(table, hull.positives_below, on_right_side[1]),
    )


def by_segment(table: ScoreTable, below: FloatArray, values: FloatArray) -> Deviation:
    """A function that is constant along each segment of the hull, minus its mean over a class.

    `below` is the weight of the class at or below each corner.
    """
    share = np.diff(below) / below[-1]
    return _stepping(table.hull_thresholds[1:-1], values, share)


def rate_driven_influence(table: ScoreTable, costs: CostDistribution) -> Influence:
    """Influence of the rate-driven expected loss under costs with a density w.

    Notes
    -----
    At rate c the loss is 2 (c (pi0 - c) + pi1 F1(t)), t such that R(t) = pi0 F0(t) + pi1 F1(t) =
    c. A point mass at s in F1 moves t as well, by -pi1 (1{s <= t} - F1(t)) / r(t), so it moves F1
    at rate c by (1{s <= t} - F1) pi0 f0 / r, and with r dt = dc

        phi1(s) = 2 pi0 pi1 (integral of w(R) dF0 over t >= s, minus its mean),
        phi0(s) = -2 pi0 pi1 (integral of w(R) dF1 over t >= s, minus its mean),

    and the slope is 2 E[(1 - q) F1 + q F0 - c], q = pi1 f1 / r. A block of ties, split at random,
    is spread evenly over its rates.
    """
    p = table.prevalence
    blocks = _Blocks.of(table, costs)
    edges = table.by_score.breaks[:-1]
    factor = 2 * p * (1 - p)
    return Influence(
        blocks.deviation(edges, blocks.positives, blocks.negatives).times(-factor),
        blocks.deviation(edges, blocks.negatives, blocks.positives).times(factor),
        blocks.slope(p),
    )


def _stepping(
    edges: FloatArray,
    values: FloatArray,
    share: FloatArray,
    ends: tuple[float, float] | None = None,
) -> Deviation:
    """A step function with given values between edges, minus its mean by shares of a class."""
    mean = float(np.sum(share * values))
    deviation = values - mean
    square = float(np.sum(share * deviation**2))
    cube = float(np.sum(share * deviation**3))
    return Deviation(Steps(edges, values), mean, 1.0, square, cube, ends=ends)


@final
@dataclass(frozen=True, eq=False)
class _Blocks(FrozenValue):
    """The blocks of tied scores along the rates."""

    # Shape (k,): share of each class in each block.
    negatives: FloatArray
    positives: FloatArray
    # Shape (k + 1,): share predicted negative before the first block and after each.
    rates: FloatArray
    # Shape (k,): mass of the costs between the rates of each block, and the mean of their distance
    # from the first rate.
    mass: FloatArray
    rise: FloatArray

    @classmethod
    def of(cls, table: ScoreTable, costs: CostDistribution) -> "_Blocks":
        below = table.ranking.at_distinct
        negatives = np.diff(below[0], prepend=0.0) / table.negatives.total
        positives = np.diff(below[1], prepend=0.0) / table.positives.total
        rates = table.not_flagged
        mass, first, _ = costs.partial_moments(rates)
        # Rounding can put a difference of moments outside the block.
        rise = np.clip(first - rates[:-1] * mass, 0.0, np.diff(rates) * mass)
        return cls(negatives, positives, rates, mass, rise)

    @property
    def _per_width(self) -> FloatArray:
        width = np.diff(self.rates)
        return np.divide(1, width, out=np.zeros_like(width), where=width > 0)

    def deviation(self, edges: FloatArray, passed: FloatArray, share: FloatArray) -> Deviation:
        """Integral of w over one class from each score on, averaged within a block.

        Minus its mean over the other class, whose share in each block is given.
        """
        whole = passed * self.mass * self._per_width
        after = np.append(np.cumsum(whole[:0:-1])[::-1], 0.0)
        values = after + passed * self.rise * self._per_width**2
        return _stepping(edges, values, share, (0.0, float(np.sum(whole))))

    def slope(self, prevalence: float) -> float:
        """2 E[(1 - q) F1 + q F0 - c]."""
        q = np.clip(prevalence * self.positives * self._per_width, 0, 1)
        start = [np.append(0.0, np.cumsum(s)[:-1]) for s in (self.negatives, self.positives)]
        at_start = (1 - q) * start[1] + q * start[0]
        steps = ((1 - q) * self.positives + q * self.negatives) * self._per_width
        mean = np.sum(at_start * self.mass + steps * self.rise)
        return float(2 * (mean - np.sum(self.rates[:-1] * self.mass + self.rise)))

"""Optimism: the bias of what is optimal on the sample that chose its thresholds."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.condition import cost_from_skew
from costspace.costs import CostDistribution
from costspace.curve import PiecewiseQuadratic
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable

# The effect of pooling neighbouring scores: half as much again, in units of the variance of a
# segment's share; and the mean area of a Brownian excursion, in units of the walk along it.
_POOLED = 1.5
_EXCURSION = np.sqrt(np.pi / 8)
# The standard error of an estimated bias as a share of it. With it, intervals of the optimal
# choice have their coverage in the coverage study.
BIAS_ERROR = 3**-0.5


def loss_optimism(
    table: ScoreTable,
    costs: CostDistribution,
    weights: str = "sampling",
    design_effect: float = 1.0,
) -> float:
    """The expected amount by which a sample's optimal expected loss is below the population's.

    The table is on its cost axis. Not negative; add it to the loss to correct it.

    Notes
    -----
    The loss of a segment of the hull with a share r of all rows, q of them positive, is r G(q) with
    G concave: G'' = -2 w, w the density of the costs at q. So with an estimated q it is too low by
    r w Var(q) in expectation. Summed over the segments, this is also what the *estimated* shares
    lose on new rows (Meyer and Woodroofe (2000), Annals of Statistics 28: a segment is a degree of
    freedom). But segments pool scores where there are few ties and the population's shares rise
    with the score. There the hull follows the noise: new rows lose half as much, and the sample
    gains one and a half times that. The half comes from Chernoff's distribution Z and the mean
    number of corners of the greatest convex minorant of Brownian motion with parabolic drift
    (Groeneboom (1989), Probability Theory and Related Fields 81), 4 E[Z^2] = 1.0542 and 2.1085 per
    unit of time. w is averaged over q plus and minus its standard error.
    """
    segments = _Segments.of(table, weights, design_effect)
    return float(np.sum(segments.gains(table.prevalence) * segments.density(costs)))


def voros_optimism(
    table: ScoreTable,
    skews: CostDistribution,
    weights: str = "sampling",
    design_effect: float = 1.0,
) -> float:
    """The expected excess of a sample's volume over the ROC surface over the population's.

    A loss L too low by d at skew z makes the area too large by d L / (z (1 - z)).
    """
    balanced = table.with_prevalence(0.5)
    segments = _Segments.of(balanced, weights, design_effect)
    hull, z = table.hull, segments.at
    corner = np.searchsorted(hull.breaks, z, side="left")
    loss = z * hull.fpr[corner] + (1 - z) * hull.fnr[corner]
    # Where rounding puts a crossing on 0 or 1, there is no gain.
    room = z * (1 - z)
    per_loss = np.divide(loss, room, out=np.zeros_like(loss), where=room > 0)
    density = segments.density(skews)
    return float(np.sum(segments.gains(0.5) * density * per_loss))


def hull_area_optimism(
    table: ScoreTable, weights: str = "sampling", design_effect: float = 1.0
) -> float:
    """The expected excess of a sample's area under the hull over the population's.

    For a segment that pools scores in random order, it is the area between the walk along them and
    the segment, which the walk does not cross: that of a Brownian excursion. At most what the hull
    adds to the area under the curve.
    """
    segments = _Segments.of(table, weights, design_effect)
    negatives, positives = segments.sizes
    walks = np.sqrt(negatives * positives * (negatives + positives)) * segments.pooled
    areas = segments.shares[0] * segments.shares[1] / (negatives * positives)
    excess = max(table.auc_hull - table.auc, 0.0)
    return min(excess, float(_EXCURSION * np.sum(walks * areas)))


@final
@dataclass(frozen=True, eq=False)
class _Segments(FrozenValue):
    """The segments of the hull with both classes."""

    at: FloatArray  # the condition at which the optimal point crosses each, its share of positives
    shares: tuple[FloatArray, FloatArray]  # share of the negatives and of the positives in each
    sizes: tuple[FloatArray, FloatArray]  # their effective sizes
    pooled: BoolArray  # whether there is more than one distinct score

    @classmethod
    def of(cls, table: ScoreTable, weights: str, design_effect: float = 1.0) -> "_Segments":
        hull, edges = table.hull, table.hull_thresholds[1:-1]
        sides = (table.negatives, hull.negatives_below), (table.positives, hull.positives_below)
        shares = [np.diff(below) / below[-1] for _, below in sides]
        mixed = (shares[0] > 0) & (shares[1] > 0)
        sizes = [_sizes(sample, np.diff(below), edges, weights)[mixed] for sample, below in sides]
        return cls(
            np.asarray(cost_from_skew(hull.breaks, prevalence=table.prevalence))[mixed],
            (shares[0][mixed], shares[1][mixed]),
            (sizes[0] / design_effect, sizes[1] / design_effect),
            _pooled(table, edges)[mixed],
        )

    def gains(self, prevalence: float) -> FloatArray:
        """How much too low each segment's loss is, per density of the costs there."""
        share = (1 - prevalence) * self.shares[0] + prevalence * self.shares[1]
        return share * self._variance * np.where(self.pooled, _POOLED, 1.0)

    def density(self, costs: CostDistribution) -> FloatArray:
        """Mean density of the costs over each share plus and minus its standard error."""
        low, high = self.reach
        mass = costs.below(np.nextafter(high, 2), 0) - costs.below(low, 0)
        return self.spread_out(np.asarray(mass))

    def spread_out(self, values: FloatArray) -> FloatArray:
        """Each segment's value over the width of its reach, 0 where rounding makes the width 0."""
        low, high = self.reach
        return np.divide(values, high - low, out=np.zeros_like(low), where=high > low)

    @property
    def reach(self) -> tuple[FloatArray, FloatArray]:
        """Each share of positives minus and plus its standard error."""
        spread = np.sqrt(self._variance)
        return np.maximum(self.at - spread, 0), np.minimum(self.at + spread, 1)

    @property
    def _variance(self) -> FloatArray:
        """The variance of each segment's share of positives."""
        return (self.at * (1 - self.at)) ** 2 * (1 / self.sizes[0] + 1 / self.sizes[1])


def _sizes(sample: ClassSample, weight: FloatArray, edges: FloatArray, weights: str) -> FloatArray:
    if weights == "counts" or not sample.weighted:
        return weight
    segment = np.searchsorted(edges, sample.values, side="left")
    squares = np.bincount(segment, sample.squared_shares, minlength=len(weight))
    share = weight / sample.total
    # At least one row, where squares of the weights underflow.
    return np.divide(share * share, squares, out=np.ones_like(share), where=squares > 0)


def _pooled(table: ScoreTable, edges: FloatArray) -> BoolArray:
    """Whether each of the segments between edges has more than one distinct score."""
    lowest = np.full(len(edges) + 1, np.inf)
    highest = np.full(len(edges) + 1, -np.inf)
    for sample in (table.negatives, table.positives):
        ends = np.concatenate([[0], sample.position(edges), [len(sample)]])
        some = ends[1:] > ends[:-1]
        first = np.take(sample.values, ends[:-1], mode="clip")
        lowest = np.where(some, np.minimum(lowest, first), lowest)
        highest = np.where(some, np.maximum(highest, sample.values[ends[1:] - 1]), highest)
    return highest > lowest


def optimism_curve(
    table: ScoreTable, weights: str = "sampling", design_effect: float = 1.0
) -> PiecewiseQuadratic:
    """The expected amount by which a sample's optimal loss is below the population's, by condition.

    Right on average over intervals of conditions that are wider than the error of a segment's
    share; its expectation is `loss_optimism`.
    """
    segments = _Segments.of(table, weights, design_effect)
    low, high = segments.reach
    height = segments.spread_out(segments.gains(table.prevalence))
    at = np.concatenate([low, high])
    order = np.argsort(at, kind="stable")
    sums = np.cumsum(np.concatenate([[0.0], np.concatenate([height, -height])[order]]))
    constant = np.maximum(sums, 0.0)
    breaks = np.concatenate([[0.0], at[order], [1.0]])
    inner, steps = np.unique(breaks[1:-1], return_index=True)
    steps = np.append(steps[1:], len(at)) if len(at) else steps
    coefficients = np.zeros((3, len(inner) + 1))
    coefficients[0] = constant[np.append(0, steps)]
    return PiecewiseQuadratic(np.concatenate([[0.0], inner, [1.0]]), coefficients)

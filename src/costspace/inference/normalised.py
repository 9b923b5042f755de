"""Influence of the metrics on the scale of the trivial rules: H and VOROS."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.costs import Beta, CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.inference.optimism import loss_optimism
from costspace.influences.influence import Influence
from costspace.influences.losses import least_loss_influence
from costspace.influences.ranks import by_segment
from costspace.influences.slopes import slope_of
from costspace.metrics.lesser import skews_between
from costspace.metrics.normalised import h_measure
from costspace.metrics.trivial import trivial_path
from costspace.scores.table import ScoreTable


def h_influence(table: ScoreTable, costs: CostDistribution | None) -> Influence:
    """Influence of the H-measure, 1 minus the optimal loss over that of the trivial rules.

    Its slope is a total one: the default distribution and the trivial loss follow the prevalence.
    """
    distribution, trivial = _trivial(table, costs)
    influence = least_loss_influence(table, distribution).times(-1 / trivial)
    return influence.sloping(slope_of(lambda t: h_measure(t, costs=costs), table))


def h_bias(
    table: ScoreTable, weights: str, design_effect: float, *, costs: CostDistribution | None
) -> float:
    """How much larger the H-measure of a sample is than the population's, in the mean."""
    distribution, trivial = _trivial(table, costs)
    return loss_optimism(table, distribution, weights, design_effect) / trivial


def _trivial(table: ScoreTable, costs: CostDistribution | None) -> tuple[CostDistribution, float]:
    """The distribution of conditions, and what the better trivial rule loses under it."""
    p = table.prevalence
    distribution = Beta(2, 1 + (1 - p) / p) if costs is None else as_costs(costs)
    return distribution, trivial_path(p).expected_loss(distribution)


def voros_influence(
    table: ScoreTable, low: float, high: float, costs: CostDistribution | None
) -> Influence:
    """Influence of the volume over the ROC surface.

    Notes
    -----
    It is 1 - E[L^2 / (2 z (1 - z))], with L = z FPR + (1 - z) FNR the optimal loss at skew z, so a
    point mass moves it by -E[L dL / (z (1 - z))], and the thresholds have no effect to first order.
    A negative is flagged below the skew of its segment of the hull: what L / (1 - z) is there in
    the mean is what it adds to the volume under the surface; a positive adds L / z from there on.
    """
    hull = table.hull
    edges = np.concatenate([[0.0], hull.breaks, [1.0]])
    distribution = skews_between(low, high, costs)
    odds, inverse_odds = distribution.odds_moments(edges)
    mass = distribution.partial_moments(edges)[0]
    added_flagged = _times(hull.fpr, odds) + hull.fnr * mass
    added_missed = hull.fpr * mass + _times(hull.fnr, inverse_odds)
    flagged = np.cumsum(added_flagged)[:-1]
    missed = np.cumsum(added_missed[::-1])[-2::-1]
    return Influence(
        by_segment(table, hull.negatives_below, flagged).times(-1),
        by_segment(table, hull.positives_below, missed).times(-1),
    )


def _times(rate: FloatArray, moment: FloatArray) -> FloatArray:
    """The product, zero where the moment is infinite: the rate is zero next to the ends."""
    return np.multiply(rate, moment, out=np.zeros_like(rate), where=np.isfinite(moment))

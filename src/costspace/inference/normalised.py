"""Influence of the metrics that are normalised by the trivial rules: H and VOROS."""

import numpy as np

from costspace.costs import Beta, CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.inference.optimism import loss_optimism
from costspace.influences.influence import Influence
from costspace.influences.losses import least_loss_influence
from costspace.influences.ranks import by_segment
from costspace.influences.slopes import slope_of
from costspace.metrics.lesser import skews_between, times_moment
from costspace.metrics.normalised import h_measure
from costspace.metrics.trivial import trivial_path
from costspace.scores.table import ScoreTable


def h_influence(table: ScoreTable, costs: CostDistribution | None) -> Influence:
    """Influence of the H-measure, 1 minus the optimal loss over that of the trivial rules.

    Its slope is the total derivative: the default distribution and the trivial loss depend on the
    prevalence.
    """
    distribution, trivial = _trivial(table, costs)
    influence = least_loss_influence(table, distribution).times(-1 / trivial)
    return influence.sloping(slope_of(lambda t: h_measure(t, costs=costs), table))


def h_bias(
    table: ScoreTable, weights: str, design_effect: float, *, costs: CostDistribution | None
) -> float:
    """The expected excess of a sample's H-measure over the population's."""
    distribution, trivial = _trivial(table, costs)
    return loss_optimism(table, distribution, weights, design_effect) / trivial


def _trivial(table: ScoreTable, costs: CostDistribution | None) -> tuple[CostDistribution, float]:
    """The distribution of conditions, and the expected loss of the better trivial rule."""
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
    A negative is flagged below the skew of its segment of the hull, and adds the mean of
    L / (1 - z) there to the volume under the surface; a positive adds that of L / z above it.
    """
    hull = table.hull
    edges = np.concatenate([[0.0], hull.breaks, [1.0]])
    distribution = skews_between(low, high, costs)
    odds, inverse_odds = distribution.odds_moments(edges)
    mass = distribution.partial_moments(edges)[0]
    added_flagged = times_moment(hull.fpr, odds) + hull.fnr * mass
    added_missed = hull.fpr * mass + times_moment(hull.fnr, inverse_odds)
    flagged = np.cumsum(added_flagged)[:-1]
    missed = np.cumsum(added_missed[::-1])[-2::-1]
    return Influence(
        by_segment(table, hull.negatives_below, flagged).times(-1),
        by_segment(table, hull.positives_below, missed).times(-1),
    )

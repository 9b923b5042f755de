"""Influence of expected losses: at fixed thresholds, and at those of least loss."""

import numpy as np

from costspace.arrays import ScoreFunction
from costspace.condition import cost_from_skew
from costspace.costs import CostDistribution
from costspace.errors import ConditionError
from costspace.influences.influence import Deviation, Influence, mean_over
from costspace.influences.ranks import by_segment
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable


def influence_of_risks(
    table: ScoreTable, as_negative: Deviation, as_positive: Deviation
) -> Influence:
    """Influence of an expected loss, given the risk of a negative and a positive at each score.

    Notes
    -----
    With these risks A and B, the loss is 2 (pi0 E0[A] + pi1 E1[B]). If they do not depend on the
    rows, phi0 = 2 pi0 (A - E0[A]), phi1 = 2 pi1 (B - E1[B]) and the slope is 2 (E1[B] - E0[A]).
    """
    p = table.prevalence
    return Influence(
        as_negative.times(2 * (1 - p)),
        as_positive.times(2 * p),
        2 * (as_positive.factor * as_positive.mean - as_negative.factor * as_negative.mean),
    )


def least_loss_influence(table: ScoreTable, costs: CostDistribution) -> Influence:
    """Influence of the least expected loss.

    Its thresholds follow the rows, without effect to first order, since the loss is least there.
    """
    hull = table.hull
    switch = np.asarray(cost_from_skew(hull.breaks, prevalence=table.prevalence))
    return influence_of_risks(
        table,
        by_segment(table, hull.negatives_below, costs.below(switch, 1)),
        by_segment(table, hull.positives_below, costs.complement_from(switch)),
    )


def most_at_risk(costs: CostDistribution) -> tuple[float, float]:
    """The risk of a negative that is always flagged, and of a positive that never is."""
    return costs.mean(), float(costs.complement_from(np.array([0.0]))[0])


def risk(sample: ClassSample, function: ScoreFunction, most: float) -> Deviation:
    """The risk of a row at each score, at most `most`, minus its mean over the class."""
    return Deviation(function, mean_over(sample, function), ends=(0.0, most))


def kept_risk(sample: ClassSample, function: ScoreFunction, most: float) -> Deviation:
    """`risk` of a function that is a hashable value: the sample caches its mean."""
    return Deviation(function, sample.mean(function), kept=True, ends=(0.0, most))


def risk_of_share(function: ScoreFunction, share: float) -> Deviation:
    """`risk` of a function that is 1 at a share of a class and 0 elsewhere."""
    square = share * (1 - share)
    return Deviation(function, share, 1.0, square, square * (1 - 2 * share), ends=(0.0, 1.0))


def check_density(costs: CostDistribution, asked: str, advice: str) -> None:
    """Raise `ConditionError`, naming what was `asked`, unless the distribution has a density."""
    if costs.atoms[0].size:
        raise ConditionError(
            f"{asked} has no closed-form standard error under {costs}, which has mass at single "
            f"conditions: {advice} or use the bootstrap."
        )

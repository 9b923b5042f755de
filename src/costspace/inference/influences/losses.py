"""Influence of an expected loss, for every threshold choice method that has one."""

import numpy as np

from costspace.arrays import FloatArray, ScoreFunction
from costspace.choices import (
    Fitted,
    NoisyCondition,
    Optimal,
    RateDriven,
    RateUniform,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.choices.score_functions import (
    ExposureAsNegative,
    ExposureAsPositive,
    ShareOfRangeBelow,
    ShareOfRangeFrom,
)
from costspace.condition import cost_from_skew
from costspace.costs import (
    Beta,
    CostDistribution,
    LogitUniform,
    Mixture,
    Point,
    Sampled,
    ScipyFrozen,
    Truncated,
    Uniform,
)
from costspace.errors import ConditionError
from costspace.inference.influences.influence import Deviation, Influence, Steps, mean_over
from costspace.inference.influences.ranks import auc_influence, by_segment, rate_driven_influence
from costspace.inference.influences.slopes import slope_of
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable

# Quantiles by which a distribution is searched for atoms, and how far apart others are.
_QUANTILES, _APART = 512, 1e-12


def loss_influence(
    choice: ThresholdChoice, table: ScoreTable, costs: CostDistribution
) -> Influence:
    """Influence of a choice's expected loss on the cost axis of a table.

    Parameters
    ----------
    choice : ThresholdChoice
    table : ScoreTable
        With balanced classes, ``table.with_prevalence(0.5)``, it is that on the skew axis.
    costs : CostDistribution

    Returns
    -------
    Influence
        Of a stepped choice, that of the one that interpolates: they differ by order 1/n.

    Raises
    ------
    ConditionError
        If there is none that the scores alone tell: where thresholds follow the sample at single
        conditions, it takes their densities there.
    ScoreError
        If the choice does not take the scores.

    Notes
    -----
    With A and B what a negative and a positive of each score risk, the loss is 2 (pi0 E0[A] + pi1
    E1[B]). Thresholds that do not follow the sample leave phi0 = 2 pi0 (A - E0[A]), phi1 = 2 pi1
    (B - E1[B]) and the slope 2 (E1[B] - E0[A]). Optimal ones do follow it, to first order
    without effect, since the loss is least there. Those of rates do with effect; if drawn
    uniformly, all that matters is the AUC.
    """
    if isinstance(choice, Optimal):
        return _optimal(table, costs)
    if isinstance(choice, RateUniform):
        return _rate_uniform(table, costs)
    if isinstance(choice, RateDriven):
        return _rate_driven(choice, table, costs)
    if not _keeps_thresholds(choice):
        raise ConditionError(
            f"the expected loss of {choice} has no closed-form standard error, as its thresholds "
            "follow the sample: use the bootstrap."
        )
    influence = _of_risks(table, *_risks(choice, table, costs))
    if isinstance(choice, ScoreDriven) and choice.by_skew and table.override is None:
        # The thresholds follow the estimated prevalence.
        _check_density(costs, f"{choice} at an estimated prevalence", "fix the prevalence")
        return influence.sloping(slope_of(lambda t: choice.expected_loss(t, costs), table))
    return influence


def _check_density(costs: CostDistribution, asked: str, advice: str) -> None:
    """Raise `ConditionError`, naming what was `asked`, unless the distribution has a density."""
    if _has_atoms(costs):
        raise ConditionError(
            f"{asked} has no closed-form standard error under {costs}, which gives single "
            f"conditions a share of their own: {advice} or use the bootstrap."
        )


def _has_atoms(costs: CostDistribution) -> bool:
    if isinstance(costs, Mixture):
        return any(_has_atoms(component) for component in costs.components)
    if isinstance(costs, Truncated):
        return _has_atoms(costs.costs)
    if isinstance(costs, Point | Sampled):
        return True
    if isinstance(costs, Uniform | Beta | LogitUniform | ScipyFrozen):
        return False
    # At an atom shares that differ have one quantile.
    found = costs.quantile((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    return bool(np.any(np.diff(found) <= _APART * np.minimum(found[1:], 1 - found[:-1])))


def _keeps_thresholds(choice: ThresholdChoice) -> bool:
    """Whether what a score risks does not depend on the other scores of the table."""
    if isinstance(choice, NoisyCondition):
        return _keeps_thresholds(choice.choice)
    return isinstance(choice, ScoreFixed | ScoreUniform | ScoreDriven | Fitted)


def _of_risks(table: ScoreTable, as_negative: Deviation, as_positive: Deviation) -> Influence:
    p = table.prevalence
    return Influence(
        as_negative.times(2 * (1 - p)),
        as_positive.times(2 * p),
        2 * (as_positive.factor * as_positive.mean - as_negative.factor * as_negative.mean),
    )


def _risks(
    choice: ThresholdChoice, table: ScoreTable, costs: CostDistribution
) -> tuple[Deviation, Deviation]:
    """What a negative and a positive of each score risk."""
    flagged, missed = costs.mean(), float(costs.complement_from(np.array([0.0]))[0])
    if isinstance(choice, ScoreFixed):
        point = table.by_score.at(choice.threshold)
        fpr, fnr, at = float(point.fpr), float(point.fnr), np.array([choice.threshold])
        return (
            _of_share(Steps(at, np.array([0.0, 1.0])), fpr).times(flagged),
            _of_share(Steps(at, np.array([1.0, 0.0])), fnr).times(missed),
        )
    if isinstance(choice, ScoreUniform):
        low, high = choice.low, choice.high
        return (
            _kept(table.negatives, ShareOfRangeBelow(low, high), 1.0).times(flagged),
            _kept(table.positives, ShareOfRangeFrom(low, high), 1.0).times(missed),
        )
    if isinstance(choice, ScoreDriven):
        table.check_probabilities("the score-driven choice")
        switch = choice.switch(table)
        return (
            _kept(table.negatives, ExposureAsNegative(switch, costs), flagged),
            _kept(table.positives, ExposureAsPositive(switch, costs), missed),
        )

    def as_negative(scores: FloatArray) -> FloatArray:
        return choice.exposure(table, scores, costs).as_negative

    def as_positive(scores: FloatArray) -> FloatArray:
        return choice.exposure(table, scores, costs).as_positive

    return (
        Deviation(as_negative, mean_over(table.negatives, as_negative), ends=(0.0, flagged)),
        Deviation(as_positive, mean_over(table.positives, as_positive), ends=(0.0, missed)),
    )


def _of_share(function: ScoreFunction, share: float) -> Deviation:
    """Of a function that is 1 at a share of a class and 0 elsewhere."""
    square = share * (1 - share)
    return Deviation(function, share, 1.0, square, square * (1 - 2 * share), ends=(0.0, 1.0))


def _kept(sample: ClassSample, function: ScoreFunction, most: float) -> Deviation:
    return Deviation(function, sample.mean(function), kept=True, ends=(0.0, most))


def _optimal(table: ScoreTable, costs: CostDistribution) -> Influence:
    hull = table.hull
    switch = np.asarray(cost_from_skew(hull.breaks, table.prevalence))
    return _of_risks(
        table,
        by_segment(table, hull.negatives_below, costs.below(switch, 1)),
        by_segment(table, hull.positives_below, costs.complement_from(switch)),
    )


def _rate_uniform(table: ScoreTable, costs: CostDistribution) -> Influence:
    """With m = 1 - AUC it is 2 (E[c] pi0 (pi0 / 2 + pi1 m) + (1 - E[c]) pi1 (pi1 / 2 + pi0 m))."""
    p, mean, misranked = table.prevalence, costs.mean(), 1 - table.auc
    slope = 2 * ((1 - mean) * p - mean * (1 - p) + (1 - 2 * p) * misranked)
    return auc_influence(table).times(-2 * p * (1 - p)).sloping(slope)


def _rate_driven(choice: RateDriven, table: ScoreTable, costs: CostDistribution) -> Influence:
    if costs == Uniform():
        # It is pi0 pi1 (1 - 2 AUC) + 1/3.
        p = table.prevalence
        slope = (1 - 2 * p) * (1 - 2 * table.auc)
        return auc_influence(table).times(-2 * p * (1 - p)).sloping(slope)
    _check_density(costs, f"{choice}", "take a distribution with a density")
    return rate_driven_influence(table, costs)

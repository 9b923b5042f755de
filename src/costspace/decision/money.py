"""What a threshold choice method costs at deployment, in money per 1,000 cases."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.choices import Optimal, ScoreFixed, ScoreUniform, ThresholdChoice
from costspace.costs import CostDistribution
from costspace.curve import OperatingPoints
from costspace.decision.over_prevalence import loss_over_prevalence
from costspace.deployment.conditions import BALANCED, JointConditions, Range
from costspace.errors import ConditionError, brief
from costspace.inference.influence import Influence
from costspace.inference.losses import loss_influence
from costspace.inference.named import makes_statistic
from costspace.inference.optimism import loss_optimism
from costspace.inference.statistic import Statistic
from costspace.metrics.curves import trivial_path
from costspace.metrics.expected import check_choice
from costspace.rules.constraints import Constraints
from costspace.rules.costed import CostedScores
from costspace.rules.feasible import (
    constrained_operating_path,
    constrained_path,
    threshold_path,
)
from costspace.rules.rule import Rule, ThresholdPath
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import source_of
from costspace.scores.table import ScoreTable

CASES = 1000
# How closely money is followed, relatively, where thresholds jump at prevalences that are not
# known beforehand, and how many distinct scores: each step costs a pass over them.
_FOLLOWED, _MOST_SCORES = 1e-4, 10_000


def expected_money(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    choice: ThresholdChoice,
    conditions: JointConditions,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Expected cost per 1,000 cases under a threshold choice method that sees each condition.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
        Labels of two classes and scores, higher meaning more positive. Their own prevalence
        does not count: that of the conditions does.
    choice : ThresholdChoice
        How the threshold follows the condition.
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float
        In the unit of the costs; smaller is better, negative where gains outweigh costs.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so.

    Notes
    -----
    The mean of 1000 (pi0 fp FPR + pi1 fn FNR) over the conditions, with fp - tn and fn - tp in
    place of fp and fn, plus pi0 tn + pi1 tp, if correct decisions cost or gain something. Each
    condition counts by the money at stake in it, which a mean of losses over skews forgets:
    Drummond and Holte (2006), Machine Learning 65, normalise it away.

    It is as exact as the moments of the conditions, rate-based choices over a `Deployment`'s range
    of prevalence included. Over such a range a choice of one's own that is not `by_skew` is
    averaged by adaptive quadrature, to a relative 1e-10 where its loss is smooth in the prevalence.

    Examples
    --------
    >>> import costspace as cs
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=0.1)
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> round(cs.expected_money(y, s, choice=cs.ScoreFixed(0.5), conditions=known), 2)
    1427.16
    >>> round(cs.expected_money(y, s, choice=cs.Optimal(), conditions=known), 2)
    421.99
    """
    source = source_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return reacting_money(source, check_choice(choice), check_joint(conditions))


@makes_statistic(expected_money)
def _money_statistic(*, choice: ThresholdChoice, conditions: JointConditions) -> Statistic:
    """Money per 1,000 cases with the prevalence of the conditions: class sizes do not matter."""
    prevalence, costs, size = _as_one_loss(check_choice(choice), check_joint(conditions))
    constant, per_loss = CASES * conditions.constant, CASES * size

    def influence(table: ScoreTable) -> Influence:
        found = loss_influence(choice, table.with_prevalence(prevalence), costs)
        return found.times(per_loss).sloping(0.0)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -per_loss * loss_optimism(
            table.with_prevalence(prevalence), costs, weights, design_effect
        )

    def ceiling(_: ScoreTable) -> float:
        return constant + per_loss * trivial_path(prevalence).expected_loss(costs)

    optimal = isinstance(choice, Optimal)
    return Statistic(
        "expected_money",
        partial(expected_money, choice=choice, conditions=conditions),
        influence,
        (constant, constant + CASES * conditions.stake),
        CASES * conditions.stake,
        balanced=True,
        bias=bias if optimal else None,
        ceiling=ceiling if optimal else None,
    )


def _as_one_loss(
    choice: ThresholdChoice, conditions: JointConditions
) -> tuple[float, CostDistribution, float]:
    """The prevalence and costs of the one expected loss that money is a multiple of, and which."""
    if choice.by_skew:
        return BALANCED, conditions.skews(), conditions.stake
    span = conditions.prevalence_range
    if span.low != span.high:
        raise ConditionError(
            f"money under {choice} has a closed-form standard error at one prevalence, and not at "
            f"{span.low:g} to {span.high:g}: use the bootstrap."
        )
    return loss_at_known_prevalence(conditions)


def check_joint(conditions: JointConditions) -> JointConditions:
    """Return `conditions`, or raise `ConditionError` unless it is a joint distribution."""
    if not isinstance(conditions, JointConditions):
        raise ConditionError(
            "conditions must be a Deployment or Scenarios, what is known of costs and "
            f"prevalence, got {brief(conditions)}."
        )
    return conditions


def reacting_money(
    source: ScoreSource, choice: ThresholdChoice, conditions: JointConditions
) -> float:
    """Money per 1,000 cases under a choice that sees the condition and has no constraints."""
    if choice.by_skew:
        balanced = source.with_prevalence(BALANCED)
        loss = conditions.stake * choice.expected_loss(balanced, conditions.skews())
    else:
        loss = loss_over_prevalence(source, choice, conditions)
    return CASES * (loss + conditions.constant)


def constrained_money(
    scores: CostedScores,
    choice: ThresholdChoice,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> float:
    """Money per 1,000 cases under a choice whose thresholds keep within constraints.

    A threshold that ignores the condition is committed to, so it keeps them at every prevalence;
    others react, and keep them at each. It raises `InfeasibleError` where there is none. Over a
    range of prevalence that of the optimal choice, if it may randomise, is exact to a relative
    1e-10; that of others to a few parts in 10,000, and runs of neighbouring scores count as one if
    there are more than 10,000.
    """
    ends = conditions.prevalence_range
    if not binds(constraints, scores, ends):
        return reacting_money(scores.costs, scores.seen_by(choice), conditions)

    if isinstance(choice, ScoreFixed | ScoreUniform):
        # It stays at one point whatever the condition.
        at = scores.with_prevalence(conditions.mean_prevalence)
        both = (ends.low, ends.high)
        path = constrained_operating_path(choice, at, constraints, both, randomise=randomise)
        return float(point_money(path.start, conditions)[0])
    known_kinks = isinstance(choice, Optimal) and randomise and scores.costs is scores.rows
    source = scores if known_kinks or ends.low == ends.high else scores.coarsened(_MOST_SCORES)

    def loss_at(prevalence: float, costs: CostDistribution, size: float) -> float:
        at = source.with_prevalence(prevalence)
        path = constrained_operating_path(choice, at, constraints, prevalence, randomise=randomise)
        return size / 2 * path.expected_loss(costs)

    for end in (ends.low, ends.high):
        # Where nothing is feasible it is so at an end, as a rule: say it of that.
        loss_at(end, conditions.skews(), 0.0)
    if known_kinks:
        kinks = constraints.kinks(scores.rows.hull_points, (ends.low, ends.high))
        loss = conditions.over_prevalence(loss_at, kinks)
    else:
        loss = conditions.over_prevalence(loss_at, tolerance=_FOLLOWED)
    return CASES * (loss + conditions.constant)


def binds(constraints: Constraints, scores: CostedScores, prevalence: Range) -> bool:
    """Whether some threshold breaks a constraint somewhere in a range of prevalence."""
    points = scores.rows.distinct_points.after_flagging_all()
    return not all(constraints.holds(points, p).all() for p in (prevalence.low, prevalence.high))


def committed_money(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> float:
    """Money per 1,000 cases under the best single rule for all conditions."""
    rule = committed_rule(scores, conditions, constraints, randomise=randomise)
    return float(point_money(rule.on(scores.costs), conditions)[0])


def by_costs_money(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> float:
    """Money per 1,000 cases under the best rule for known costs and a range of prevalence.

    It keeps to the constraints at every prevalence.
    """
    path = _balanced_path(scores, conditions, constraints, randomise=randomise)
    costs_only = conditions.averaging(prevalence=True)
    loss = conditions.stake * path.on(scores.costs.with_prevalence(BALANCED)).expected_loss(
        costs_only.skews()
    )
    return CASES * (loss + conditions.constant)


def committed_rule(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> Rule:
    """The best single rule for all conditions that keeps to the constraints at every prevalence.

    Money is linear in the operating point, so it is the optimal one at a mean skew.
    """
    path = _balanced_path(scores, conditions, constraints, randomise=randomise)
    return path.rule_at(mean_skew(conditions))


def _balanced_path(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool,
) -> ThresholdPath:
    """The best rule at each skew that keeps to the constraints at every prevalence."""
    balanced, ends = scores.with_prevalence(BALANCED), conditions.prevalence_range
    if not constraints:
        return threshold_path(Optimal(), balanced.costs)
    both = ends.low, ends.high
    return constrained_path(Optimal(), balanced, constraints, both, randomise=randomise)


def money_on_axis(
    expected_loss: Callable[[CostDistribution], float], conditions: JointConditions
) -> float:
    """Money per 1,000 cases from an expected loss on the axis that the conditions call for.

    That is the skew axis, or, if the prevalence is known, the cost axis there.
    """
    _, costs, size = loss_on_axis(conditions)
    return CASES * (size * expected_loss(costs) + conditions.constant)


def loss_on_axis(conditions: JointConditions) -> tuple[float, CostDistribution, float]:
    """The prevalence of the axis, the costs on it, and what money its expected losses are of.

    Money per case is that size times the expected loss, and the constant of the conditions.
    """
    span = conditions.prevalence_range
    if span.low != span.high:
        return BALANCED, conditions.skews(), conditions.stake
    return loss_at_known_prevalence(conditions)


def loss_at_known_prevalence(
    conditions: JointConditions,
) -> tuple[float, CostDistribution, float]:
    """The same on the cost axis, where the prevalence is one."""
    seen = []

    def note(prevalence: float, costs: CostDistribution, size: float) -> float:
        seen.append((prevalence, costs, size / 2))
        return 0.0

    conditions.over_prevalence(note)
    return seen[0]


def point_money(points: OperatingPoints, conditions: JointConditions) -> FloatArray:
    """Money per 1,000 cases of staying at each operating point: linear in its rates."""
    return CASES * (
        conditions.negative_stake * np.atleast_1d(points.fpr)
        + conditions.positive_stake * np.atleast_1d(points.fnr)
        + conditions.constant
    )


def mean_skew(conditions: JointConditions) -> float:
    """The skew that the best single rule is the optimal one for."""
    return conditions.negative_stake / conditions.stake

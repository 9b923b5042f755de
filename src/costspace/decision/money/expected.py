"""What a threshold choice method costs at deployment, in money per 1,000 cases."""

from __future__ import annotations

from functools import partial
from math import inf

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import ThresholdChoice
from costspace.choices.base import check_choice, choice_for
from costspace.costs import CostDistribution
from costspace.decision.money.over_prevalence import loss_over_prevalence
from costspace.deployment.conditions import BALANCED, CASES, JointConditions
from costspace.errors import ConditionError, brief
from costspace.influences.influence import Influence
from costspace.influences.optimism import loss_optimism
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import Labels, source_of
from costspace.scores.rows import NamedScores
from costspace.scores.table import ScoreTable


@metric(
    reads="choice",
    unbounded="it is not known to improve with the scores: compare it on binned.best and "
    "binned.worst",
    ends=(-inf, inf),
)
@underflow_to_zero
def expected_money(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice,
    conditions: JointConditions,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Expected cost per 1,000 cases of a threshold choice method that knows each condition.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive. Their own prevalence
        counts only where the conditions give none.
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
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    The mean of 1000 (pi0 fp FPR + pi1 fn FNR) over the conditions, with fp - tn and fn - tp in
    place of fp and fn, plus pi0 tn + pi1 tp, if correct decisions cost or gain something. Each
    condition counts by the money at stake in it, which a mean of losses over skews forgets:
    Drummond and Holte (2006), Machine Learning 65, normalise it away.

    It is as exact as the moments of the conditions, rate-based choices over a `Deployment`'s range
    of prevalence included. Over such a range a choice of one's own that is not `through_skew` and
    sees more than costs is averaged by adaptive quadrature, to a relative 1e-10 where its loss is
    smooth in the prevalence.

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
    choice, conditions = choice_for(source, choice), completed(conditions, source)
    if choice.through_skew:
        balanced = source.with_prevalence(BALANCED)
        loss = conditions.stake * choice.expected_loss(balanced, conditions.skews())
    else:
        loss = loss_over_prevalence(source, choice, conditions)
    return float(conditions.money(loss))


@makes_statistic(expected_money)
def _money_statistic(*, choice: ThresholdChoice, conditions: JointConditions) -> Statistic:
    """Money per 1,000 cases; class sizes do not matter if the conditions give the prevalence."""
    check_choice(choice)
    if not check_joint(conditions).gives_prevalence:
        return _at_own_prevalence(choice, conditions)
    prevalence, costs, size = _as_one_loss(choice, conditions)
    constant, per_loss = CASES * conditions.constant, CASES * size

    def influence(table: ScoreTable) -> Influence:
        found = choice.influence(table.with_prevalence(prevalence), costs)
        return found.times(per_loss).sloping(0.0)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -per_loss * loss_optimism(
            table.with_prevalence(prevalence), costs, weights, design_effect
        )

    def ceiling(_: ScoreTable) -> float:
        return constant + per_loss * trivial_path(prevalence).expected_loss(costs)

    optimal = choice.least_loss
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


def _at_own_prevalence(choice: ThresholdChoice, conditions: JointConditions) -> Statistic:
    """Money per 1,000 cases at the prevalence of the rows, which varies with them."""
    balanced = conditions.completed(BALANCED)
    costs, size = balanced.as_one_loss(BALANCED)
    # Each class has half of the cases there.
    tn_cost, tp_cost = (2 * CASES * cost for cost in balanced.of_right)
    worst = (
        tn_cost + 2 * CASES * balanced.negative_stake,
        tp_cost + 2 * CASES * balanced.positive_stake,
    )

    def influence(table: ScoreTable) -> Influence:
        found = choice.influence(table, costs).times(CASES * size)
        return found.sloping(found.slope + tp_cost - tn_cost)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -CASES * size * loss_optimism(table, costs, weights, design_effect)

    def ceiling(table: ScoreTable) -> float:
        at = conditions.completed(table.prevalence)
        return float(at.money(size * trivial_path(table.prevalence).expected_loss(costs)))

    ends = min(tn_cost, tp_cost), max(worst)
    return Statistic(
        "expected_money",
        partial(expected_money, choice=choice, conditions=conditions),
        influence,
        ends,
        ends[1] - ends[0],
        bias=bias if choice.least_loss else None,
        ceiling=ceiling if choice.least_loss else None,
    )


def _as_one_loss(
    choice: ThresholdChoice, conditions: JointConditions
) -> tuple[float, CostDistribution, float]:
    """The axis and costs of the one expected loss that money is a multiple of, and its size."""
    span = conditions.prevalence_range
    if not choice.through_skew and span.low != span.high:
        raise ConditionError(
            f"money under {choice} has a closed-form standard error at one prevalence, and not at "
            f"{span.low:g} to {span.high:g}: use the bootstrap."
        )
    axis = BALANCED if choice.through_skew else span.low
    return axis, *conditions.as_one_loss(axis)


def check_joint(conditions: JointConditions) -> JointConditions:
    """Return `conditions`, or raise `ConditionError` unless it is a joint distribution."""
    if not isinstance(conditions, JointConditions):
        raise ConditionError(
            "conditions must be a Deployment or Scenarios, what is known of costs and "
            f"prevalence, got {brief(conditions)}."
        )
    return conditions


def completed(conditions: JointConditions, source: ScoreSource) -> JointConditions:
    """The conditions at the prevalence of a source, unless they give one."""
    return check_joint(conditions).completed(source.prevalence)

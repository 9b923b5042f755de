"""What a threshold choice method costs at deployment, in money per 1,000 cases."""

from __future__ import annotations

from functools import partial
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import ThresholdChoice
from costspace.choices.base import ShareFlagged, check_choice, choice_for
from costspace.costs import CostDistribution, Mixture
from costspace.deployment.conditions import BALANCED, CASES, JointConditions
from costspace.deployment.deployment import Deployment
from costspace.deployment.share_flagged import Corners
from costspace.errors import ConditionError, brief
from costspace.influences.influence import Influence
from costspace.influences.optimism import loss_optimism
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.base import ScoreSource
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
    place of fp and fn, plus pi0 tn + pi1 tp, if correct decisions cost or gain something. With a
    review it is the sum over the two decisions that three actions are (`CostTable`). Each
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
    choice = choice_for(source, choice)
    conditions = check_joint(conditions).completed(source.prevalence)
    if choice.through_skew:
        balanced = source.with_prevalence(BALANCED)
        costs, size = _mixed(conditions, BALANCED)
        loss = size * choice.expected_loss(balanced, costs)
    else:
        loss = sum(loss_over_prevalence(source, choice, step) for step in conditions.steps)
    return float(conditions.money(loss))


@makes_statistic(expected_money)
def _money_statistic(*, choice: ThresholdChoice, conditions: JointConditions) -> Statistic:
    """Money per 1,000 cases; class sizes matter only if the conditions give no prevalence."""
    check_choice(choice)
    given = check_joint(conditions).gives_prevalence
    at = conditions.completed(BALANCED)
    axis, costs, size = _as_one_loss(choice, at)
    low, high, tilt = CASES * at.constant, CASES * (at.constant + at.stake), 0.0
    if not given:
        # Each class has half of the cases there.
        right = [2 * CASES * cost for cost in at.of_right]
        stakes = at.negative_stake, at.positive_stake
        worst = [own + 2 * CASES * stake for own, stake in zip(right, stakes, strict=True)]
        low, high, tilt = min(right), max(worst), right[1] - right[0]

    def seen(table: ScoreTable) -> ScoreTable:
        return table.with_prevalence(axis) if given else table

    def influence(table: ScoreTable) -> Influence:
        found = choice.influence(seen(table), costs).times(CASES * size)
        return found.sloping(0.0 if given else found.slope + tilt)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -CASES * size * loss_optimism(seen(table), costs, weights, design_effect)

    def ceiling(table: ScoreTable) -> float:
        loss = trivial_path(seen(table).prevalence).expected_loss(costs)
        return float(conditions.completed(table.prevalence).money(size * loss))

    return Statistic(
        "expected_money",
        partial(expected_money, choice=choice, conditions=conditions),
        influence,
        (low, high),
        high - low,
        balanced=given,
        bias=bias if choice.least_loss else None,
        ceiling=ceiling if choice.least_loss else None,
    )


def loss_over_prevalence(
    source: ScoreSource, choice: ThresholdChoice, conditions: JointConditions
) -> float:
    """Expected money of mistakes per case, whatever the choice looks at.

    At rates that do not move with the prevalence money is linear in it, so that its mean is what
    counts. A rate-based loss bends wherever its threshold passes a score, and has a way of its
    own, exact to rounding. Other losses are integrated over the prevalence, to a relative 1e-10
    where they are smooth in it.
    """
    span = conditions.prevalence_range
    if isinstance(conditions, Deployment) and span.low < span.high:
        if choice.sees <= {"costs"}:
            conditions = conditions.averaging(prevalence=True)
        elif (share := choice.share_flagged) not in (None, "any"):
            corners = corners_of(source, choice.chosen_on(source))
            if corners and corners.can_split:
                return _by_share(share, corners, conditions)

    def loss_at(prevalence: float, costs: CostDistribution, size: float) -> float:
        return size / 2 * choice.expected_loss(source.with_prevalence(prevalence), costs)

    return conditions.over_prevalence(loss_at)


def corners_of(source: ScoreSource, on: ScoreSource) -> Corners | None:
    """Those of thresholds set on one source and used on another, if both are finite samples."""
    if on is source:
        if source.by_score.between == "smooth":
            return None
        points = source.by_score.corners
        return Corners.of_curve(points.fpr, points.fnr)
    if not (isinstance(source, ScoreTable) and isinstance(on, ScoreTable)):
        return None
    # A threshold in the middle of a gap takes with it what the other sample has below.
    cuts = np.append(on.cut_points, np.inf)
    seen, used = (
        points.after_flagging_all() for points in (on.distinct_points, source.by_score.at(cuts))
    )
    return Corners(np.stack([1 - seen.fpr, seen.fnr]), np.stack([1 - used.fpr, used.fnr]))


def _by_share(share: ShareFlagged, corners: Corners, conditions: Deployment) -> float:
    costs, prevalence = conditions.cost_log_odds, conditions.prevalence_log_odds
    if isinstance(share, float):
        return corners.fixed_loss(1 - share, costs, prevalence)
    return corners.driven_loss(costs, prevalence)


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
    return axis, *_mixed(conditions, axis)


def _mixed(conditions: JointConditions, axis: float) -> tuple[CostDistribution, float]:
    """The steps between actions as one distribution of conditions, each with its stake."""
    found = [step.as_one_loss(axis) for step in conditions.steps]
    if len(found) == 1:
        return found[0]
    costs, sizes = zip(*found, strict=True)
    return Mixture(costs, sizes), sum(sizes)


def check_joint(conditions: JointConditions) -> JointConditions:
    """Return `conditions`, or raise `ConditionError` unless it is a joint distribution."""
    if not isinstance(conditions, JointConditions):
        raise ConditionError(
            "conditions must be a Deployment or Scenarios, what is known of costs and "
            f"prevalence, got {brief(conditions)}."
        )
    return conditions

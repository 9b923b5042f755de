"""What rules cost that keep to constraints: under a choice, and under one rule for a range."""

from costspace.choices import Optimal, ScoreFixed, ScoreUniform, ThresholdChoice
from costspace.costs import CostDistribution
from costspace.decision.money import point_money, reacting_money
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED, JointConditions
from costspace.rules.constraints import Constraints
from costspace.rules.costed import CostedScores
from costspace.rules.feasible import feasible_operating_path, feasible_path
from costspace.rules.rule import Rule, ThresholdPath
from costspace.rules.thresholds import thresholds_of

# How closely money is followed, relatively, where thresholds jump at prevalences that are not
# known beforehand, and how many distinct scores: each step costs a pass over them.
_FOLLOWED, _MOST_SCORES = 1e-4, 10_000


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
    span = conditions.prevalence_range
    if not binds(constraints, scores, span):
        return reacting_money(scores.costs, scores.seen_by(choice), conditions)

    ends = span.low, span.high
    if isinstance(choice, ScoreFixed | ScoreUniform):
        # It stays at one point whatever the condition.
        at = scores.with_prevalence(conditions.mean_prevalence)
        path = feasible_operating_path(choice, at, constraints, ends, randomise=randomise)
        return point_money(path.start, conditions)
    known_kinks = isinstance(choice, Optimal) and randomise and scores.costs is scores.rows
    source = scores if known_kinks or span.low == span.high else scores.coarsened(_MOST_SCORES)

    def loss_at(prevalence: float, costs: CostDistribution, size: float) -> float:
        at = source.with_prevalence(prevalence)
        path = feasible_operating_path(choice, at, constraints, prevalence, randomise=randomise)
        return size / 2 * path.expected_loss(costs)

    for end in ends:
        # Where nothing is feasible it is so at an end, as a rule: say it of that.
        loss_at(end, conditions.skews(), 0.0)
    if known_kinks:
        kinks = constraints.kinks(scores.rows.by_skew.corners, ends)
        loss = conditions.over_prevalence(loss_at, kinks)
    else:
        loss = conditions.over_prevalence(loss_at, tolerance=_FOLLOWED)
    return float(conditions.money(loss))


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
    return point_money(rule.on(scores.costs), conditions)


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
    costs_known = conditions.averaging(prevalence=True)
    on_costs = path.on(scores.costs.with_prevalence(BALANCED))
    loss = on_costs.expected_loss(costs_known.skews())
    return float(conditions.money(conditions.stake * loss))


def committed_rule(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> Rule:
    """The best single rule for all conditions that keeps to the constraints at every prevalence.

    Money is linear in the operating point, so it is the optimal one at the mean skew by stakes.
    """
    path = _balanced_path(scores, conditions, constraints, randomise=randomise)
    return path.rule_at(conditions.negative_stake / conditions.stake)


def _balanced_path(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool,
) -> ThresholdPath:
    """The best rule at each skew that keeps to the constraints at every prevalence."""
    balanced, span = scores.with_prevalence(BALANCED), conditions.prevalence_range
    if not constraints:
        return thresholds_of(Optimal(), balanced.costs)
    both = span.low, span.high
    return feasible_path(Optimal(), balanced, constraints, both, randomise=randomise)

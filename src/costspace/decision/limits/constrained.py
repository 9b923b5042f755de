"""What rules cost that keep to constraints: under a choice, and under one rule for a range."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.choices import Optimal, ThresholdChoice
from costspace.condition import cost_from_skew
from costspace.costs import CostDistribution
from costspace.curve import OperatingPath
from costspace.decision.limits.best_cuts import BestCuts
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.feasible import feasible_operating_path, feasible_path
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.expected import point_money, reacting_money
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED, CASES, JointConditions

# Ranges of prevalence that are taken as one, at most, and distinct scores, of which each of those
# costs a pass.
BANDS, _MOST_SCORES = 64, 10_000


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
    others react, and keep them at each. It raises `InfeasibleError` where there is none.

    A range of prevalence is taken as 64 narrow ones, each as its mean, and more than 10,000 scores
    as runs of neighbours. Limits that begin or cease to bind inside one of them leave an error: of
    at most 3 parts in 1,000 with hundreds of rows, and of 3 in 10,000 with tens of thousands.
    """
    span = conditions.prevalence_range
    if choice.places is not None and choice.places.batches and constraints.capacity is not None:
        # A queue that is cut in batches keeps to the capacity by itself.
        constraints = constraints.without("capacity")
    if not binds(constraints, scores, span):
        return reacting_money(scores.costs, scores.seen_by(choice), conditions)

    ends = span.low, span.high
    if not choice.sees:
        # It stays at one point whatever the condition.
        at = scores.with_prevalence(conditions.mean_prevalence)
        path = feasible_operating_path(choice, at, constraints, ends, randomise=randomise)
        return point_money(path.start, conditions)
    if span.low < span.high:
        scores = scores.coarsened(_MOST_SCORES)
    rules = _Rules(scores, choice, constraints, randomise)
    for end in ends:
        # Where nothing is feasible it is so at an end, as a rule: say it of that.
        if 0 < end < 1:
            rules.path_at(end)
    return float(conditions.money(rules.loss(conditions)))


@final
@dataclass(frozen=True, eq=False)
class _Rules(FrozenValue):
    """The rules of a choice that reacts to the prevalence, within constraints at each."""

    scores: CostedScores
    choice: ThresholdChoice
    constraints: Constraints
    randomise: bool

    def loss(self, conditions: JointConditions) -> float:
        """Expected money of mistakes per case."""
        there = [
            (band.share, band.conditions.averaging(prevalence=True))
            for band in conditions.bands(BANDS)
        ]
        return sum(share * known.over_prevalence(self.loss_at) for share, known in there)

    def loss_at(self, prevalence: float, costs: CostDistribution, size: float) -> float:
        """The same at one prevalence, as `over_prevalence` asks for it."""
        return size / 2 * self.path_at(prevalence).expected_loss(costs)

    def path_at(self, prevalence: float) -> OperatingPath:
        """Where the rules work at one prevalence."""
        if self._best is not None:
            return self._best.operating_path(prevalence)
        at = self.scores.with_prevalence(prevalence)
        return feasible_operating_path(
            self.choice, at, self.constraints, prevalence, randomise=self.randomise
        )

    @property
    def _mixes(self) -> bool:
        return self.randomise and self.scores.costs is self.scores.rows

    @cached_property
    def _best(self) -> BestCuts | None:
        if self._mixes or not self.choice.least_loss:
            return None
        return BestCuts(self.scores, self.constraints)


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
    rule = committed_rule(scores, Optimal(), conditions, constraints, randomise=randomise)
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
    balanced = scores.with_prevalence(BALANCED)
    path = _kept_path(balanced, Optimal(), conditions, constraints, randomise=randomise)
    costs_known = conditions.averaging(prevalence=True)
    loss = path.on(balanced.costs).expected_loss(costs_known.skews())
    return CASES * (conditions.stake * loss + conditions.constant)


def committed_rule(
    scores: CostedScores,
    choice: ThresholdChoice,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> Rule:
    """The rule of a choice that serves all conditions, and keeps to constraints at each of them.

    Money is linear in the operating point, so the rule is the one at the mean skew by stakes.
    """
    axis = BALANCED if choice.through_skew else conditions.mean_prevalence
    at = float(cost_from_skew(conditions.negative_stake / conditions.stake, prevalence=axis))
    formula = choice.threshold_at(at, axis)
    if formula is not None and not constraints:
        return Rule(float(formula))
    there = scores.with_prevalence(axis)
    path = _kept_path(there, choice, conditions, constraints, randomise=randomise)
    return path.rule_at(at)


def _kept_path(
    scores: CostedScores,
    choice: ThresholdChoice,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool,
) -> ThresholdPath:
    """The rule at each condition that keeps to the constraints at every prevalence."""
    if not constraints:
        return thresholds_of(choice, scores.looked_at(choice))
    span = conditions.prevalence_range
    return feasible_path(choice, scores, constraints, (span.low, span.high), randomise=randomise)

"""What rules cost that keep to constraints: under a choice, and under one rule for a range."""

from dataclasses import dataclass, replace
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
from costspace.decision.limits.over_prevalence import limited_loss
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.expected import point_money, reacting_money
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED, CASES, JointConditions
from costspace.deployment.deployment import Deployment

# How closely money is followed, relatively, by steps where thresholds jump at prevalences that are
# not told, and of how many distinct scores: each step costs a pass over them.
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
    others react, and keep them at each. It raises `InfeasibleError` where there is none.

    Over a `Deployment`'s range of prevalence it is exact to a relative 1e-9. What does not tell
    where thresholds jump is followed by steps, to a few parts in 10,000: a choice of one's own that
    is not `through_skew`, sees more than costs and flags no told share, another kind of conditions
    and limits with a margin for chance. Runs of neighbouring scores then count as one if there are
    more than 10,000, for `Scenarios` too.
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
        span = conditions.prevalence_range
        if isinstance(conditions, Deployment) and self.constraints.room is None:
            spread = self._spread_loss(conditions)
            if spread is not None:
                return spread + conditions.at_atoms(self.loss_at)
        if self.choice.least_loss and self._mixes and self.constraints.room is None:
            corners = self.scores.rows.by_skew.corners
            kinks = self.constraints.kinks(corners, (span.low, span.high))
            return conditions.over_prevalence(self.loss_at, kinks)
        steps = self
        if span.low < span.high:
            steps = replace(self, scores=self.scores.coarsened(_MOST_SCORES))
        return conditions.over_prevalence(steps.loss_at, tolerance=_FOLLOWED)

    def _spread_loss(self, conditions: Deployment) -> float | None:
        """The same as far as the prevalence has a density, if the choice tells what it follows."""
        if not conditions.prevalence_log_odds.densities:
            return 0.0
        scores, randomise = self.scores, self.randomise
        return limited_loss(
            scores, self.choice, conditions, self.constraints, self.path_at, randomise=randomise
        )

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
    at = float(cost_from_skew(conditions.negative_stake / conditions.stake, axis))
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

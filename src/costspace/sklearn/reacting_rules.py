"""The rule of a choice at any costs and any prevalence, without choosing anew."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, final

import numpy as np
from sklearn.exceptions import NotFittedError

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue
from costspace.choices import ThresholdChoice
from costspace.condition import skew_from_cost
from costspace.curve import LossCurve
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.feasible import feasible_path
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rules import Rules
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.rules.written import written_path
from costspace.deployment.conditions import BALANCED
from costspace.scores.table import ScoreTable

T = TypeVar("T")


@final
@dataclass(frozen=True, eq=False)
class ReactingRules(FrozenValue):
    """The thresholds that a choice sets on a sample, within constraints, at any prevalence."""

    choice: ThresholdChoice
    # The sample; None if the condition alone tells the thresholds, for scores calibrated to the
    # prevalence of their own sample.
    scores: ScoreTable | None = None
    constraints: Constraints = field(default_factory=Constraints)

    @property
    def through_skew(self) -> bool:
        """Whether one path over skews serves all prevalences."""
        return self.choice.through_skew and not self.constraints

    def rules(self, cost_proportion: Floats, prevalence: Floats) -> Rules:
        """The rule at each condition; all of them are numbers, or arrays of one shape."""
        if self.scores is None:
            return Rules.of(np.asarray(self.choice.threshold_at(cost_proportion, prevalence)))
        if self.through_skew:
            return self._over_skews.rules_at(skew_from_cost(cost_proportion, prevalence=prevalence))
        return _at_each_prevalence(
            lambda c, p: latest(self._latest, p, self.chosen).rules_at(c),
            cost_proportion,
            prevalence,
        )

    @cached_property
    def _latest(self) -> dict[float, ThresholdPath]:
        return {}

    @cached_property
    def _over_skews(self) -> ThresholdPath:
        return self.chosen(BALANCED)

    def path(self, prevalence: float) -> ThresholdPath | None:
        """The rules over cost proportions at a prevalence, unless they are no steps."""
        if self.scores is not None:
            return self.chosen(prevalence)
        if self.choice.sees:
            return None
        return ThresholdPath.constant(self.rules(0.5, prevalence).one)

    def chosen(self, prevalence: float) -> ThresholdPath:
        """The thresholds over cost proportions at a prevalence, chosen on the sample.

        Raises
        ------
        ConditionError
            If the choice draws its threshold from more than two.
        InfeasibleError
            If no rule keeps to the constraints.
        """
        table = self._at(prevalence)
        if not self.constraints:
            found = thresholds_of(self.choice, table)
        else:
            same = CostedScores.same(table)
            found = feasible_path(self.choice, same, self.constraints, prevalence)
        return written_path(found, self.choice, table)

    def loss(self, prevalence: float) -> LossCurve:
        """The loss on the sample over cost proportions at a prevalence."""
        return self.chosen(prevalence).on(self._at(prevalence)).loss()

    def _at(self, prevalence: float) -> ScoreTable:
        if self.scores is None:
            raise NotFittedError("there are no scores of held-out rows: fit first.")
        return self.scores.with_prevalence(prevalence)


def latest(memory: dict[float, T], prevalence: float, found: Callable[[float], T]) -> T:
    """What is found at a prevalence, looked for only if the last one was another."""
    known = memory.get(prevalence)
    if known is None:
        known = found(prevalence)
        memory.clear()
        memory[prevalence] = known
    return known


def cases_by_prevalence(prevalence: FloatArray) -> Iterator[tuple[BoolArray, float]]:
    """The cases of each prevalence, for what has to look at the sample for each."""
    distinct, which = np.unique(prevalence, return_inverse=True)
    for i, p in enumerate(distinct):
        yield which == i, float(p)


def _at_each_prevalence(
    rules: Callable[[Floats, float], Rules], cost_proportion: Floats, prevalence: Floats
) -> Rules:
    """Rules of one prevalence after the other."""
    if isinstance(prevalence, float) or np.ndim(prevalence) == 0:
        return rules(cost_proportion, float(prevalence))
    costs = np.broadcast_to(cost_proportion, prevalence.shape)
    parts = ((cases, rules(costs[cases], p)) for cases, p in cases_by_prevalence(prevalence))
    return Rules.joined(prevalence.shape, parts)

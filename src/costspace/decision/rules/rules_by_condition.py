"""The rule of a fitted strategy at each condition, and what it does to other rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, Floats
from costspace.choices import ThresholdChoice
from costspace.choices.flagging import Exposure
from costspace.condition import skew_from_cost
from costspace.costs import CostDistribution
from costspace.curve import OperatingPath
from costspace.curve.path import check_exact
from costspace.decision.rules.rules import Rules
from costspace.deployment.proportions import Proportions
from costspace.errors import ConditionError, brief
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable

# What a row of each of some scores risks.
Exposing: TypeAlias = Callable[[FloatArray], Exposure]


class RulesByCondition(ABC):
    """A rule at each cost proportion, at one prevalence; at 1/2 those are skews."""

    @property
    def draws(self) -> bool:
        """Whether a rule may draw one of two thresholds."""
        return False

    @property
    def on_probabilities(self) -> bool:
        """Whether scores have to be probabilities."""
        return False

    @abstractmethod
    def rules_at(self, conditions: Floats) -> Rules:
        """The rule at each condition."""

    @abstractmethod
    def before(self, conditions: Floats) -> Rules:
        """What the rule tends to as the condition grows towards each of some above 0."""

    @abstractmethod
    def on(self, table: ScoreTable) -> OperatingPath:
        """The operating point at each condition on other rows, at the prevalence of the rules."""

    @abstractmethod
    def flagged(self, table: ScoreTable, scores: FloatArray, skews: CostDistribution) -> FloatArray:
        """How likely a row of each of some scores is flagged, on average over skews."""

    @abstractmethod
    def exposing(self, table: ScoreTable, costs: CostDistribution) -> Exposing:
        """What a row of each of some scores risks, over a distribution of conditions."""

    @abstractmethod
    def until(self, scores: FloatArray) -> FloatArray:
        """The condition up to which each of some scores is flagged, by rules that draw nothing."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON, or `ConditionError` if none can hold the rules."""


@final
@dataclass(frozen=True, eq=False)
class ByFormula(RulesByCondition):
    """Thresholds that the condition tells without a sample.

    Attributes
    ----------
    choice : ThresholdChoice
    prevalence : float
    """

    choice: ThresholdChoice
    prevalence: float

    @property
    def on_probabilities(self) -> bool:
        return self.choice.on_probabilities

    def rules_at(self, conditions: Floats) -> Rules:
        thresholds = self.choice.threshold_at(conditions, self.prevalence)
        return Rules.of(np.asarray(thresholds))

    def before(self, conditions: Floats) -> Rules:
        return self.rules_at(conditions)

    def on(self, table: ScoreTable) -> OperatingPath:
        return check_exact("held-out decisions need", self.choice.path(table))

    def flagged(self, table: ScoreTable, scores: FloatArray, skews: CostDistribution) -> FloatArray:
        flagging = self.choice.flagging(table, scores)
        held = flagging.held
        if held is None:
            costs = Proportions(skews, self.prevalence)
            risked = flagging.exposure(costs)
            # E[C; flagged] and E[1 - C; flagged].
            return risked.as_negative + (1 - costs.mean() - risked.as_positive)
        if held.until is None:
            return held.share
        return held.share * skews.below(
            np.asarray(skew_from_cost(held.until, prevalence=self.prevalence)), 0
        )

    def exposing(self, table: ScoreTable, costs: CostDistribution) -> Exposing:
        return lambda scores: self.choice.flagging(table, scores).exposure(costs)

    def until(self, scores: FloatArray) -> FloatArray:
        # A formula looks at no sample but for its prevalence.
        table = ScoreTable.from_classes(ClassSample(np.zeros(1)), ClassSample(np.ones(1)))
        held = self.choice.flagging(table.with_prevalence(self.prevalence), scores).held
        if held is None or held.until is None:
            raise ConditionError(f"{self.choice} has no threshold for each case by its own costs.")
        return held.until

    def to_dict(self) -> dict[str, Any]:
        if self.choice.formula is None:
            raise ConditionError(
                f"{brief(self.choice)} has a threshold by formula that no file can hold: apply the "
                "decision in Python, give it a `formula`, or save one for known costs and a known "
                "prevalence."
            )
        return {"formula": dict(self.choice.formula)}

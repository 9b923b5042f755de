"""The rule of a fitted strategy at each condition, and what it does to other rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, Floats, IndexArray, ScoreFunction
from costspace.choices import ThresholdChoice
from costspace.choices.flagging import Exposure
from costspace.condition import skew_from_cost
from costspace.costs import CostDistribution
from costspace.curve import OperatingPath
from costspace.curve.path import check_exact
from costspace.decision.rules.threshold_paths import Rules, ThresholdPath
from costspace.deployment.proportions import Proportions
from costspace.errors import ConditionError, brief
from costspace.quadrature import RunningIntegral
from costspace.scores.table import ScoreTable

# What a row of each of some scores risks.
Exposing: TypeAlias = Callable[[FloatArray], Exposure]


class RulesByCondition(ABC):
    """A rule at each cost proportion, at one prevalence; at 1/2 those are skews."""

    @abstractmethod
    def rules_at(self, conditions: Floats) -> Rules:
        """The rule at each condition."""

    @abstractmethod
    def before(self, conditions: Floats) -> Rules:
        """What the rule tends to as the condition grows towards each."""

    @abstractmethod
    def path(self, table: ScoreTable) -> OperatingPath:
        """The operating point at each condition on other rows, at the prevalence of the rules."""

    @abstractmethod
    def flagged(self, table: ScoreTable, scores: FloatArray, skews: CostDistribution) -> FloatArray:
        """How likely a row of each of some scores is flagged, on average over skews."""

    @abstractmethod
    def exposing(self, table: ScoreTable, costs: CostDistribution) -> Exposing:
        """What a row of each of some scores risks, over a distribution of conditions."""

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

    def rules_at(self, conditions: Floats) -> Rules:
        thresholds = self.choice.threshold_at(conditions, self.prevalence)
        return Rules.of(np.asarray(thresholds))

    def before(self, conditions: Floats) -> Rules:
        return self.rules_at(conditions)

    def path(self, table: ScoreTable) -> OperatingPath:
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

    def to_dict(self) -> dict[str, Any]:
        if self.choice.formula is None:
            raise ConditionError(
                f"{brief(self.choice)} has a threshold by formula that no file can hold: apply the "
                "decision in Python, give it a `formula`, or save one for known costs and a known "
                "prevalence."
            )
        return {"formula": dict(self.choice.formula)}


@final
@dataclass(frozen=True, eq=False)
class ByPieces(RulesByCondition):
    """Thresholds that stay, or are mixed in straight lines, from one condition to the next.

    Attributes
    ----------
    thresholds : ThresholdPath
    """

    thresholds: ThresholdPath

    def rules_at(self, conditions: Floats) -> Rules:
        return self.thresholds.rules_at(conditions)

    def before(self, conditions: Floats) -> Rules:
        return self.thresholds.rules_before(conditions)

    def path(self, table: ScoreTable) -> OperatingPath:
        return self.thresholds.on(table)

    def flagged(self, table: ScoreTable, scores: FloatArray, skews: CostDistribution) -> FloatArray:
        path, p = self.thresholds, table.prevalence

        def below(c: FloatArray) -> FloatArray:
            return skews.below(np.asarray(skew_from_cost(c, prevalence=p)), 0)

        edges = np.asarray(skew_from_cost(path.breaks, prevalence=p))
        mass = np.diff(skews.below(np.append(edges[:-1], np.inf), 0))
        first = path.mix_start * mass
        width = np.diff(path.breaks)
        rise = path.mix_end - path.mix_start
        slopes = np.flatnonzero((rise != 0) & (width > 0))
        if len(slopes):
            # By parts: what the mix has risen by at each condition, over all of them.
            high = path.breaks[slopes + 1]
            area = RunningIntegral(below, np.array([0.0, 1.0]))
            mean = (area.below(high) - area.below(path.breaks[slopes])) / width[slopes]
            first[slopes] += rise[slopes] * (below(high) - mean)
        return self._passed(first, mass - first)(scores)

    def exposing(self, table: ScoreTable, costs: CostDistribution) -> Exposing:
        path = self.thresholds
        _, moment, square = costs.partial_moments(path.breaks)
        rest = -np.diff(costs.complement_from(np.append(path.breaks[:-1], np.inf)))
        width = np.diff(path.breaks)
        rise = path.mix_end - path.mix_start
        slope = np.divide(rise, width, out=np.zeros_like(width), where=width > 0)
        mix = path.mix_start - slope * path.breaks[:-1]
        # Over each piece the mean of c, and of 1 - c, where the first threshold is drawn.
        flagged = mix * moment + slope * square
        missed = mix * rest + slope * (moment - square)
        as_negative = self._passed(flagged, moment - flagged)
        as_positive, total = self._passed(missed, rest - missed), rest.sum()
        return lambda scores: Exposure(as_negative(scores), total - as_positive(scores))

    def _passed(self, first: FloatArray, second: FloatArray) -> ScoreFunction:
        """The sum over the pieces of what belongs to thresholds below each score."""
        order, thresholds, always = self._ascending
        sums = np.append(0.0, np.cumsum(np.concatenate([first, second])[order]))
        # A threshold of -inf is passed by every score.
        return lambda scores: sums[
            np.maximum(np.searchsorted(thresholds, scores, side="left"), always)
        ]

    @cached_property
    def _ascending(self) -> tuple[IndexArray, FloatArray, int]:
        """The order of all thresholds, they in that order, and how many every score passes."""
        thresholds = np.concatenate([self.thresholds.threshold, self.thresholds.threshold_2])
        order = np.argsort(thresholds)
        return order, thresholds[order], int(np.count_nonzero(np.isneginf(thresholds)))

    def to_dict(self) -> dict[str, Any]:
        return self.thresholds.to_dict()

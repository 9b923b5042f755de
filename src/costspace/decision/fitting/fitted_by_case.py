"""Strategies that set the threshold of each case by its own costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast, final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict
from costspace.choices import ThresholdChoice
from costspace.condition import PLACES, cost_from_skew, cost_proportion, skew_from_cost
from costspace.costs import CostDistribution
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.written import written_path
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import CASES, Band
from costspace.samples.rows import ScoredRows
from costspace.single import doubles
from costspace.special import expit, logit

# Shares of the cases between which most are.
_USUAL = (0.1, 0.9)


@final
@dataclass(frozen=True, eq=False)
class FittedByCase(FittedStrategy):
    """One that flags a case where the skew of its own costs is at most what its score allows.

    The scores are looked at row by row, every row counting once or by its weight: costs are told
    by the case and not by the threshold. The costs of the conditions are the mean ones of each
    class, so that the skew of a case is told from theirs at the same prevalence: Elkan (2001), The
    foundations of cost-sensitive learning, IJCAI, Theorem 2.
    """

    # The rows with the costs that decide in each part, where those are not what it is judged by.
    deciding: Mapping[int | None, HeldOutRows] = field(default_factory=FrozenDict)

    def part_flagged(self, part: int | None) -> FloatArray:
        return self.flagged_of(self._deciding(part).judged_part(part), part)

    def training_flagged(self, part: int | None) -> FloatArray:
        return self.flagged_of(self._deciding(part).training(part), part)

    def flagged_of(self, rows: ScoredRows, part: int | None) -> FloatArray:
        """How likely rows are flagged by what is chosen for a part, by their costs."""
        until = self._flagged_below(rows, part)
        negatives, positives = (
            self.task.seen.skews_of_class(positive=side).below(until, 0) for side in (False, True)
        )
        return np.where(rows.positive, positives, negatives)

    def part_losses(self, part: int) -> FloatArray:
        return self._losses(self._deciding(part).judged_part(part), part)

    def apparent_of(self, part: int | None) -> float:
        losses = self._losses(self._deciding(part).training(part), part)
        return self.task.money_of(losses, self._rows.training(part))

    def _deciding(self, part: int | None) -> HeldOutRows:
        return self.deciding.get(part, self._rows)

    @property
    def _rows(self) -> HeldOutRows:
        # Rows with costs of their own are never counted.
        return cast(HeldOutRows, self.task.held_out)

    @property
    def _axis(self) -> float:
        """The prevalence whose cost axis rules are on."""
        return Band(self.task.seen, 1.0).axis

    def _losses(self, rows: ScoredRows, part: int | None) -> FloatArray:
        until, skews = self._flagged_below(rows, part), self.task.seen.skews()
        risks = np.where(rows.positive, skews.complement_from(until), skews.below(until, 1))
        return np.asarray(CASES * self.task.conditions.stake * risks)

    def _flagged_below(self, rows: ScoredRows, part: int | None) -> FloatArray:
        """The skew of the mean costs below which each row is flagged; 1 or 0 if one is seen."""
        costs, seen = rows.known_costs, self.task.seen
        own = np.asarray(cost_proportion(fp_cost=costs.net_fp_cost, fn_cost=costs.net_fn_cost))
        scores = doubles(rows.scores[self.strategy.whose_scores])
        if all(span.low == span.high for span in (seen.prevalence_range, seen.skew_range)):
            # As rules are applied: a score at the threshold of its case is not flagged by rounding.
            return self._rules(part).rules_at(own).flagged(scores)
        skews = np.asarray(skew_from_cost(self.until_of(rows, part), prevalence=self._axis))
        with np.errstate(divide="ignore"):
            found = np.asarray(
                expit(logit(skews) + logit(self.task.mean_cost_proportion) - logit(own))
            )
        return _from_rounding(found, seen.skews())

    def until_of(self, rows: ScoredRows, part: int | None) -> FloatArray:
        """The cost proportion of its own up to which the score of each row is flagged."""
        return self._rules(part).until(doubles(rows.scores[self.strategy.whose_scores]))

    @property
    def bands(self) -> list[tuple[Range, RulesByCondition]]:
        return [(self.task.seen.prevalence_range, self.rules)]

    @property
    def rules(self) -> RulesByCondition:
        """The rule at each condition, chosen on all rows."""
        return self._rules(None)

    def _rules(self, part: int | None) -> RulesByCondition:
        choice, axis = self.strategy.choice, self._axis
        if choice.threshold_at(0.5, axis) is not None:
            return ByFormula(choice, axis)
        fitted_on = self.task.fitted_on(self.strategy.whose_scores, part)
        table = fitted_on.rows.with_prevalence(axis)
        return written_path(thresholds_of(choice, table), choice, table)

    @property
    def usual(self) -> tuple[Rule, Rule]:
        """The rules between which most are: of the tenth and ninetieth percentile of the costs."""
        return self._between(_USUAL)

    @property
    def same_for_all_costs(self) -> bool:
        """Whether it has one threshold, whatever the costs of a case."""
        low, high = self._between((0.0, 1.0))
        return low == high

    def _between(self, shares: tuple[float, float]) -> tuple[Rule, Rule]:
        """The rules of the costs up to which such shares of the cases are."""
        rows, p = self._deciding(None).rows, self.task.conditions.mean_prevalence
        costs = rows.known_costs
        own = np.asarray(cost_proportion(fp_cost=costs.net_fp_cost, fn_cost=costs.net_fn_cost))
        axis = self._axis
        most = _quantiles(np.broadcast_to(own, len(rows)), rows.weight, shares)
        ends = cost_from_skew(skew_from_cost(most, prevalence=p), prevalence=axis)
        low, high = self.rules.rules_at(np.asarray(ends)).each()
        return low, high


def _from_rounding(until: FloatArray, skews: CostDistribution) -> FloatArray:
    """Skews, without rounding errors next to those of many cases.

    By rounding alone a score at the threshold of its case would be flagged.
    """
    atoms, _ = skews.atoms
    if not len(atoms):
        return until
    nearest = atoms[np.searchsorted((atoms[1:] + atoms[:-1]) / 2, until)]
    close = np.abs(until - nearest) <= np.minimum(nearest, 1 - nearest) / PLACES
    return np.where(close, nearest, until)


def _quantiles(
    values: FloatArray, weight: FloatArray | None, shares: Sequence[float]
) -> FloatArray:
    """The least of some values that so great a share of the weight lies up to."""
    order = np.argsort(values)
    below = np.cumsum(np.ones(len(values)) if weight is None else weight[order])
    return np.asarray(values[order][np.searchsorted(below, np.asarray(shares) * below[-1])])


def goes_by_case(choice: ThresholdChoice, scores: CostedScores) -> bool:
    """Whether a choice says of each score up to which skew it is flagged."""
    return choice.through_skew and tells_until(choice, scores)


def tells_until(choice: ThresholdChoice, scores: CostedScores) -> bool:
    """Whether a choice says of each score up to which condition it is flagged."""
    held = choice.flagging(scores.rows, np.zeros(1)).held
    return held is not None and held.until is not None

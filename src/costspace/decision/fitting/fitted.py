"""Strategies fitted on labelled rows, and what they do to rows that they were not fitted on."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from typing import Self, cast, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.choices.places import Places
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPath
from costspace.decision.fitting.fit_rules import rules_of
from costspace.decision.held_out.judged_rows import OfClass
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.row_money import rates_of
from costspace.decision.rules.actions import chances_of
from costspace.decision.rules.cuts import ROUNDING
from costspace.decision.rules.graded import graded
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import Exposing, RulesByCondition
from costspace.decision.strategy import Strategy, point_of_trivial
from costspace.decision.task import Task
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED, CASES
from costspace.errors import ConditionError, InfeasibleError
from costspace.single import doubles


@dataclass(frozen=True, eq=False)
class FittedStrategy(FrozenValue, ABC):
    """A strategy of a task, fitted on all rows and on each part that leaves some out.

    Attributes
    ----------
    strategy : Strategy
    task : Task
    """

    strategy: Strategy
    task: Task

    @property
    def reason(self) -> str:
        """Why it does not keep to the constraints; nothing if it does."""
        return ""

    @property
    def shortfall(self) -> float:
        """How far below a limit its best rule stays; infinite if that is not told."""
        return inf

    @property
    def rule(self) -> Rule | None:
        """The rule, if one serves all conditions: one is known, or it looks at none."""
        return None

    @property
    def bands(self) -> list[tuple[Range, RulesByCondition]]:
        """The rules at each condition, by range of prevalence; none if there are none to apply."""
        return []

    @property
    def one_by_one(self) -> Rule | None:
        """What is done with cases that come one by one, if the rule is of a queue."""
        return None

    @abstractmethod
    def part_flagged(self, part: int | None) -> FloatArray:
        """How likely each row of a part held out is flagged, on average over its class.

        A condition counts by how many cases of the row's class there are in it. None asks what is
        chosen on all rows, of all that are held out in a part.
        """

    def training_flagged(self, part: int | None) -> FloatArray:
        """How likely each row that a rule for a part is chosen on is flagged, with costs of each.

        Raises
        ------
        ConditionError
            If nothing is chosen on rows with costs of their own.
        """
        raise ConditionError(f"{self.strategy} is not chosen by the costs of each case.")

    def part_reviewed(self, part: int | None) -> FloatArray:
        """How likely each is reviewed."""
        return np.zeros(len(self.task.judged.of_part(part)))

    @abstractmethod
    def part_losses(self, part: int) -> FloatArray:
        """What each row of a part held out says of the money.

        Returns
        -------
        array of shape (n,)
            Per 1,000 cases: what the strategy would cost, over all conditions and beside the
            constant, if it did on the row's class what it does on the row.
        """

    @abstractmethod
    def apparent_of(self, part: int | None) -> float:
        """Money per 1,000 cases on the rows that it is fitted on: all, or those outside a part."""

    def chosen_in_parts(self) -> list[tuple[float, Rule | None]]:
        """What is chosen outside each part: the share flagged at deployment, and the one rule.

        None of them, if nothing is learnt from rows.
        """
        return []

    @property
    def cuts(self) -> FloatArray | None:
        """Scores up to each of which, above the one before, it does about the same with a class.

        Ascending; None if it looks at more than the score.
        """
        return None

    def on(self, task: Task) -> Self:
        """The same for a task that judges it by other rows."""
        return replace(self, task=task)

    @property
    def feasible(self) -> bool:
        """Whether it keeps to the constraints at every prevalence."""
        return not self.reason

    @property
    def same_for_all(self) -> bool:
        """Whether it flags everybody, or nobody: every held-out row, or none, if it has no rule."""
        return bool(np.ptp(self.flagged) == 0) if self.rule is None else self.rule.trivial

    @cached_property
    def money(self) -> float | None:
        """Expected money per 1,000 cases on held-out rows; None if nothing keeps to the limits."""
        return self.task.money_of(self.row_losses) if self.feasible else None

    @property
    def in_sample(self) -> float | None:
        """The same on the rows that it is fitted on."""
        return self.apparent_of(None) if self.feasible else None

    @cached_property
    def row_losses(self) -> FloatArray:
        """`part_losses` of all held-out rows, on average over the parts that a row is in."""
        return self.task.judged.joined(self.part_losses)

    @property
    def losses_moved(self) -> tuple[FloatArray | float, FloatArray | float]:
        """Each row's influence on what either class costs by what it changes for other rows.

        Nothing, unless rows compete for places.
        """
        return 0.0, 0.0

    def moved(self, action: str) -> tuple[FloatArray | float, FloatArray | float]:
        """The same on the shares of negatives and positives, of all cases, with such an action."""
        return 0.0, 0.0

    def places_of(self, action: str) -> Places | None:
        """What those with an action have room in, if they compete for it."""
        return None

    @property
    def price(self) -> float:
        """What one more place for a review is worth, where there is room for so many."""
        return 0.0

    @property
    def flagged(self) -> FloatArray:
        """`part_flagged` likewise."""
        return self.task.judged.joined(self.part_flagged)

    @property
    def reviewed(self) -> FloatArray:
        """`part_reviewed` likewise."""
        return self.task.judged.joined(self.part_reviewed)

    @property
    def passing(self) -> "FittedStrategy":
        """What decides which cases are passed without a review; itself if there is none."""
        return self

    @property
    def flagging(self) -> "FittedStrategy":
        """What decides which cases are flagged without a review; itself if there is none."""
        return self


@final
@dataclass(frozen=True, eq=False)
class FittedByCondition(FittedStrategy):
    """One that sets its threshold by the condition, or has one for all of them."""

    # Those chosen on all rows, by the place of the band of prevalence that they are for.
    rules: Mapping[int, RulesByCondition]
    # The same chosen for each part of the held-out rows, on the others.
    parts: Mapping[int, tuple[RulesByCondition, ...]]
    reasons: Mapping[int, InfeasibleError]  # why there are none in other bands

    def held_out_path(self, i: int) -> OperatingPath:
        """Where the rules of a band work on held-out rows, in rates of cost."""
        axis = self.task.bands[i].axis
        if self.strategy.model is None:
            at = point_of_trivial(self.strategy)
            return OperatingPath.constant(at.fpr, at.fnr, axis)
        return self.task.held_out_scores[self.strategy.model].path_of(self.parts[i], axis)

    @property
    def reason(self) -> str:
        return str(next(iter(self.reasons.values()), ""))

    @property
    def shortfall(self) -> float:
        return max((error.shortfall for error in self.reasons.values()), default=0.0)

    @property
    def rule(self) -> Rule | None:
        looks_at_none = self.strategy.model is None or not self.strategy.choice.sees
        if not self.feasible or not (looks_at_none or self.task.sole_condition is not None):
            return None
        at = self.task.sole_condition or 0.0
        found = {rules.rules_at(at).one for rules in self.rules.values()}
        return found.pop() if len(found) == 1 else None

    @property
    def bands(self) -> list[tuple[Range, RulesByCondition]]:
        return [(Range(*band.ends), self.rules[i]) for i, band in enumerate(self.task.bands)]

    def rules_across(self) -> tuple[Rule, Rule, Rule]:
        """The rules where false negatives cost most, in the middle, where false positives do."""
        bands, span = self.task.bands, self.task.seen.skew_range
        middle = len(bands) // 2
        mean = bands[middle].conditions.skews().mean()
        first, last = self.rules[len(bands) - 1], self.rules[0]
        return (
            first.rules_at(cost_from_skew(span.low, prevalence=bands[-1].axis)).one,
            self.rules[middle].rules_at(cost_from_skew(mean, prevalence=bands[middle].axis)).one,
            last.before(cost_from_skew(span.high, prevalence=bands[0].axis)).one,
        )

    def apparent_of(self, part: int | None) -> float:
        task, model = self.task, self.strategy.model
        if model is None:
            at = point_of_trivial(self.strategy)
            return float(task.conditions.money_at(at.fpr.item(), at.fnr.item()))
        scores = task.fitted_on(model, part)
        money = 0.0
        for i, band in enumerate(task.bands):
            rules = self._rules(i, part)
            if self._constant:
                at = rules.rules_at(BALANCED).one.on(scores.costs)
                return float(task.conditions.money_at(at.fpr.item(), at.fnr.item()))
            path = rules.on(scores.with_prevalence(band.axis).costs)
            money += band.share * band.money(path.expected_loss)
        return money

    def part_flagged(self, part: int | None) -> FloatArray:
        if self._constant:
            return self._constantly_flagged(part)
        return self._by_row(part, partial(self._flagged_at, part, part))

    def training_flagged(self, part: int | None) -> FloatArray:
        rows = cast(HeldOutRows, self.task.held_out).training(part)
        scores = doubles(rows.scores[self.strategy.whose_scores])
        return self._rules(0, part).rules_at(BALANCED).flagged(scores)

    def chosen_in_parts(self) -> list[tuple[float, Rule | None]]:
        if self.strategy.model is None or all(one is self.rules[0] for one in self.parts[0]):
            return []
        table, p = self.task.models[self.strategy.model].rows, self.task.conditions.mean_prevalence
        found: list[tuple[float, Rule | None]] = []
        for k, rules in enumerate(self.parts[0]):
            rule = rules.rules_at(BALANCED).one if self._constant else None
            if rule is None:
                flags = partial(self._flagged_at, k, None)
                fpr, recall = rates_of(self.task.judged.rows, self._by_row(None, flags))
            else:
                at = rule.on(table)
                fpr, recall = float(at.fpr), 1 - float(at.fnr)
            found.append(((1 - p) * fpr + p * recall, rule))
        return found

    def _by_row(self, part: int | None, function: OfClass) -> FloatArray:
        """What a function of score and class is of the rows of a part."""
        judged, model = self.task.judged, self.strategy.whose_scores
        return judged.values(model, judged.of_part(part), self._test(part).rows, function)

    def _flagged_at(
        self, part: int | None, on: int | None, scores: FloatArray, *, positive: bool
    ) -> FloatArray:
        """How likely cases of a class are flagged by the rules of a part, on rows of another."""
        flagged, p = np.zeros(len(scores)), self.task.seen.mean_prevalence
        for i, band in enumerate(self.task.bands):
            own = band.conditions.mean_prevalence
            share = own / p if positive else (1 - own) / (1 - p)
            skews = band.conditions.skews_of_class(positive=positive)
            table = self._test(on).costs.with_prevalence(band.axis)
            shares = self._rules(i, part).flagged(table, scores, skews)
            flagged += band.share * share * shares
        # What rounding adds to sums of shares is no share, nor keeps them from being 1.
        flagged[flagged < ROUNDING] = 0.0
        return np.where(flagged > 1 - ROUNDING, 1.0, flagged)

    def part_losses(self, part: int) -> FloatArray:
        task = self.task
        positive = task.judged.rows.positive[task.judged.parts[part]]
        if self._constant:
            return task.losses_of(positive, chances_of(self._constantly_flagged(part)))
        return self._by_row(part, partial(self._losses_at, part))

    def _losses_at(self, part: int, scores: FloatArray, *, positive: bool) -> FloatArray:
        """What cases of a class say of the money of the rules of a part."""
        losses = np.zeros(len(scores))
        for band, (exposing, size) in zip(self.task.bands, self._exposing[part], strict=True):
            risked = exposing(scores)
            share = band.axis if positive else 1 - band.axis
            found = risked.as_positive if positive else risked.as_negative
            losses += band.share * 2 * CASES * size * (share * found)
        return losses

    @cached_property
    def _exposing(self) -> list[list[tuple[Exposing, float]]]:
        """By part and band, what a score risks by the rules, and what to multiply it by."""
        bands = range(len(self.task.bands))
        return [[self._exposing_in(i, k) for i in bands] for k in range(len(self.parts[0]))]

    def _exposing_in(self, i: int, part: int) -> tuple[Exposing, float]:
        band = self.task.bands[i]
        costs, size = band.conditions.as_one_loss(band.axis)
        table = self._test(part).costs.with_prevalence(band.axis)
        return self.parts[i][part].exposing(table, costs), size

    @property
    def cuts(self) -> FloatArray:
        if self.strategy.model is None or not self.feasible:
            return np.zeros(0)
        if self._constant:
            chosen = [one.rules_at(BALANCED) for one in (self.rules[0], *self.parts[0])]
            return np.unique([(one.threshold, one.threshold_2) for one in chosen])
        scores = self.task.models[self.strategy.whose_scores].rows.by_score.breaks
        parts = range(len(self.parts[0]))
        sides = [(part, positive) for part in parts for positive in (False, True)]
        return graded(scores, *(self._losses_at(k, scores, positive=side) for k, side in sides))

    @property
    def _constant(self) -> bool:
        """Whether one rule serves all conditions, so that nothing is to be averaged."""
        return self.strategy.model is None or self.task.sole_condition is not None

    def _constantly_flagged(self, part: int | None) -> FloatArray:
        own = self.task.judged.of_part(part)
        if self.strategy.model is None:
            return np.full(len(own), point_of_trivial(self.strategy).fpr)
        scores = self.task.judged_scores(self.strategy.model)[own]
        return self._rules(0, part).rules_at(BALANCED).flagged(scores)

    def _rules(self, band: int, part: int | None) -> RulesByCondition:
        """The rules for a band that are chosen on all rows, or on those outside a part."""
        return self.rules[band] if part is None else self.parts[band][part]

    def _test(self, part: int | None) -> CostedScores:
        model = self.strategy.whose_scores
        if part is None:
            return self.task.models[model]
        return self.task.held_out_scores[model].splits[part].test


def fit_by_condition(
    strategy: Strategy, task: Task, *, everywhere: bool = False
) -> FittedByCondition:
    """Fit a strategy that does not look at the costs of each case.

    Where there is but one condition its rule there is all that is kept, unless rules `everywhere`
    are asked for.
    """
    model = strategy.model
    whole = None if model is None else task.models[model]
    trains = [] if model is None else [one.train for one in task.held_out_scores[model].splits]
    at = None if everywhere else task.sole_condition
    rules: dict[int, RulesByCondition] = {}
    parts: dict[int, tuple[RulesByCondition, ...]] = {}
    reasons: dict[int, InfeasibleError] = {}
    for i, band in enumerate(task.bands):
        try:
            on_all = rules_of(strategy, whole, task, band, at)
            # What no sample tells is the same on every part.
            by_formula = strategy.choice.threshold_at(0.5, band.axis) is not None
            learnt = bool(trains) and (task.limits or not by_formula)
            found = [rules_of(strategy, one, task, band, at) for one in trains] if learnt else []
        except InfeasibleError as error:
            reasons[i] = error
        else:
            rules[i] = on_all
            parts[i] = tuple(found) if learnt else (on_all,) * len(trains)
    return FittedByCondition(strategy, task, rules, parts, reasons)

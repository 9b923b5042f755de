"""Strategies fitted on labelled rows, and what they do to rows that they were not fitted on."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPath
from costspace.decision.constrained import constrained_money
from costspace.decision.fitting import at_sole_condition, rules_of
from costspace.decision.holdout import Split
from costspace.decision.money import point_money
from costspace.decision.per_case import bayes_money, bayes_risks, flagged_below
from costspace.decision.rule import Rule
from costspace.decision.rules_by_condition import RulesByCondition
from costspace.decision.strategy import Strategy, point_of_trivial
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED, CASES
from costspace.errors import InfeasibleError
from costspace.scores.rows import ScoredRows


class FittedStrategy(ABC):
    """A strategy of a task, fitted on all rows and on each part that leaves some out.

    Attributes
    ----------
    strategy : Strategy
    task : Task
    """

    strategy: Strategy
    task: Task

    @property
    @abstractmethod
    def money(self) -> float | None:
        """Expected money per 1,000 cases on rows held out; None if nothing keeps to the limits."""

    @property
    @abstractmethod
    def rule(self) -> Rule | None:
        """The rule, if one serves all conditions: one is known, or it looks at none."""

    @property
    @abstractmethod
    def in_sample(self) -> float | None:
        """The same on the rows that it is fitted on."""

    @abstractmethod
    def flagged(self) -> FloatArray:
        """How likely each row held out is flagged, in the mean over conditions of its class.

        A condition counts by how many cases of the row's class there are in it.
        """

    @abstractmethod
    def row_losses(self) -> FloatArray:
        """What each row held out says of the money.

        Returns
        -------
        array of shape (n,)
            Per 1,000 cases, for the rows in their order: what the strategy would cost, over all
            conditions and beside the constant, if it did on the row's class what it does on the
            row.
        """


@final
@dataclass(frozen=True, eq=False)
class FittedByCondition(FrozenValue, FittedStrategy):
    """One that sets its threshold by the condition, or has one for all of them.

    Attributes
    ----------
    strategy : Strategy
    task : Task
    rules : mapping of int to RulesByCondition
        Those chosen on all rows, by the place of the band of prevalence that they are for.
    parts : mapping of int to tuple of RulesByCondition
        The same chosen for each part of the rows held out, on the others.
    reasons : mapping of int to str
        Why there are none in other bands.
    """

    strategy: Strategy
    task: Task
    rules: Mapping[int, RulesByCondition]
    parts: Mapping[int, tuple[RulesByCondition, ...]]
    reasons: Mapping[int, str]

    @cached_property
    def paths(self) -> dict[int, OperatingPath]:
        """Where the rules work on rows held out, in rates of cost, by the place of the band."""
        return {i: self._path(i) for i in self.rules}

    def _path(self, i: int) -> OperatingPath:
        axis = self.task.bands[i].axis
        if self.strategy.model is None:
            at = point_of_trivial(self.strategy)
            return OperatingPath.constant(at.fpr, at.fnr, axis)
        return self.task.held_out_scores[self.strategy.model].path_of(self.parts[i], axis)

    @property
    def feasible(self) -> bool:
        """Whether it keeps to the constraints at every prevalence."""
        return not self.reasons

    @cached_property
    def money(self) -> float | None:
        if not self.feasible:
            return None
        if self.strategy.committed:
            return point_money(self.paths[0].start, self.task.conditions)
        return sum(
            band.share * band.money(self.paths[i].expected_loss)
            for i, band in enumerate(self.task.bands)
        )

    @property
    def rule(self) -> Rule | None:
        looks_at_none = self.strategy.committed or not self.strategy.choice.sees
        if not self.feasible or not (looks_at_none or self.task.sole_condition is not None):
            return None
        at = self.task.sole_condition or 0.0
        found = {rules.rules_at(at).one for rules in self.rules.values()}
        return found.pop() if len(found) == 1 else None

    def rules_across(self) -> tuple[Rule, Rule, Rule]:
        """The rules where misses weigh most, in the middle, and where false alarms weigh most."""
        bands, span = self.task.bands, self.task.conditions.skew_range
        middle = len(bands) // 2
        mean = bands[middle].conditions.skews().mean()
        first, last = self.rules[len(bands) - 1], self.rules[0]
        return (
            first.rules_at(cost_from_skew(span.low, bands[-1].axis)).one,
            self.rules[middle].rules_at(cost_from_skew(mean, bands[middle].axis)).one,
            last.before(cost_from_skew(span.high, bands[0].axis)).one,
        )

    @cached_property
    def in_sample(self) -> float | None:
        task, model = self.task, self.strategy.model
        if not self.feasible or model is None:
            return self.money
        scores = task.models[model]
        if self.strategy.committed:
            rule = self.rules[0].rules_at(BALANCED).one
            return point_money(rule.on(scores.costs), task.conditions)
        return constrained_money(
            scores,
            self.strategy.choice,
            task.conditions,
            task.constraints,
            randomise=task.randomise,
        )

    def flagged(self) -> FloatArray:
        if self.strategy.committed:
            return self._flagged()
        flagged, p = np.zeros(len(self._scores)), self.task.conditions.mean_prevalence
        for i, band in enumerate(self.task.bands):
            own = band.conditions.mean_prevalence
            for positive, share in ((False, (1 - own) / (1 - p)), (True, own / p)):
                skews = band.conditions.skews_of_class(positive=positive)
                for part, rules, split in self._parts(i):
                    rows = part[self.task.held_out.judged.positive[part] == positive]
                    table = split.test.costs.with_prevalence(band.axis)
                    shares = rules.flagged(table, self._scores[rows], skews)
                    flagged[rows] += band.share * share * shares
        # What rounding adds to sums of shares.
        return np.clip(flagged, 0.0, 1.0)

    def row_losses(self) -> FloatArray:
        task, conditions = self.task, self.task.conditions
        positive = task.held_out.judged.positive
        if self.strategy.committed:
            flagged = self._flagged()
            return CASES * np.where(
                positive,
                conditions.positive_stake * (1 - flagged),
                conditions.negative_stake * flagged,
            )
        losses = np.zeros(len(positive))
        for i, band in enumerate(task.bands):
            costs, size = band.conditions.as_one_loss(band.axis)
            for part, rules, split in self._parts(i):
                table = split.test.costs.with_prevalence(band.axis)
                risked = rules.exposure(table, self._scores[part], costs)
                share = np.where(
                    positive[part],
                    band.axis * risked.as_positive,
                    (1 - band.axis) * risked.as_negative,
                )
                losses[part] += band.share * 2 * CASES * size * share
        return losses

    def _flagged(self) -> FloatArray:
        """How likely each row held out is flagged, where one rule serves all conditions."""
        if self.strategy.model is None:
            rows = len(self.task.held_out.judged)
            return np.full(rows, point_of_trivial(self.strategy).fpr)
        flagged = np.empty(len(self._scores))
        for part, rules, _ in self._parts(0):
            flagged[part] = rules.rules_at(BALANCED).flagged(self._scores[part])
        return flagged

    def _parts(self, i: int) -> Iterator[tuple[IndexArray, RulesByCondition, Split]]:
        """Which rows are held out at a time, their rules in a band, and the two samples."""
        splits = self.task.held_out_scores[self.strategy.whose_scores].splits
        return zip(self.task.held_out.parts, self.parts[i], splits, strict=True)

    @property
    def _scores(self) -> FloatArray:
        return np.asarray(self.task.held_out.judged.scores[self.strategy.whose_scores], dtype=float)


@final
@dataclass(frozen=True, eq=False)
class FittedByCase(FrozenValue, FittedStrategy):
    """One that trusts the scores, and sets the threshold of each case by its own costs.

    It chooses nothing on rows, so that any are held out.
    """

    strategy: Strategy
    task: Task

    @cached_property
    def money(self) -> float | None:
        return self._on(self.task.held_out.judged)

    @cached_property
    def in_sample(self) -> float:
        """The same on the rows that other strategies choose their thresholds on."""
        return self._on(self.task.rows)

    @property
    def rule(self) -> None:
        return None

    def flagged(self) -> FloatArray:
        task = self.task
        until = flagged_below(
            task.held_out.judged, self.strategy.whose_scores, task.conditions, task.calibrated_to
        )
        negatives, positives = (
            task.conditions.skews_of_class(positive=side).below(until, 0) for side in (False, True)
        )
        return np.where(task.held_out.judged.positive, positives, negatives)

    def row_losses(self) -> FloatArray:
        task = self.task
        risks = bayes_risks(
            task.held_out.judged, self.strategy.whose_scores, task.conditions, task.calibrated_to
        )
        return CASES * task.conditions.stake * risks

    def _on(self, rows: ScoredRows) -> float:
        return bayes_money(
            rows, self.strategy.whose_scores, self.task.conditions, self.task.calibrated_to
        )


def fit(strategy: Strategy, task: Task) -> FittedStrategy:
    """Fit a strategy on all rows, and on each part that leaves some out."""
    return FittedByCase(strategy, task) if strategy.by_case else fit_by_condition(strategy, task)


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
    reasons: dict[int, str] = {}
    for i, band in enumerate(task.bands):
        try:
            found = [rules_of(strategy, scores, task, band) for scores in (whole, *trains)]
        except InfeasibleError as error:
            reasons[i] = str(error)
        else:
            rules[i], *others = (at_sole_condition(one, at) for one in found)
            parts[i] = tuple(others)
    return FittedByCondition(strategy, task, rules, parts, reasons)

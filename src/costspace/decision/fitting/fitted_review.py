"""Strategies with three actions: one decision between passing and the rest, one before flagging."""

from dataclasses import dataclass, replace
from typing import Self, cast, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray
from costspace.decision.fitting.fitted import FittedByCondition, FittedStrategy
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.money.row_money import relative_costs
from costspace.decision.rules.between import three_actions
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED, CASES


@final
@dataclass(frozen=True, eq=False)
class FittedReview(FittedStrategy):
    """One that passes, reviews or flags each case: the sum of two that do one of two things.

    Who is flagged in the first step is reviewed, unless the second flags them too. What is flagged
    without a review is the second's: so are the shares that are `flagged`.
    """

    steps: tuple[FittedStrategy, FittedStrategy]
    # What one more place for a review is worth, where there is room for so many.
    price: float = 0.0

    @property
    def passing(self) -> FittedStrategy:
        return self.steps[0]

    @property
    def flagging(self) -> FittedStrategy:
        return self.steps[1]

    @property
    def reason(self) -> str:
        return self.steps[0].reason or self.steps[1].reason

    @property
    def shortfall(self) -> float:
        return max(step.shortfall for step in self.steps)

    @property
    def rule(self) -> Rule | None:
        return _one_rule(self.passing.rule, self.flagging.rule)

    def on(self, task: Task) -> Self:
        passing, flagging = (one.on(step) for one, step in zip(self.steps, task.steps, strict=True))
        return replace(self, task=task, steps=(passing, flagging))

    def part_flagged(self, part: int | None) -> FloatArray:
        return self.flagging.part_flagged(part)

    def part_reviewed(self, part: int | None) -> FloatArray:
        return self.passing.part_flagged(part) - self.flagging.part_flagged(part)

    def part_losses(self, part: int) -> FloatArray:
        if self._by_amounts:
            some = self.task.judged.parts[part]
            rows = self.task.judged.rows
            amounts = np.asarray(relative_costs(rows))[some]
            shares = self.part_reviewed(part), self.part_flagged(part)
            return self._losses_of(rows.positive[some], amounts, *shares)
        return self._in_all([step.part_losses(part) for step in self.steps], part)

    @property
    def _by_amounts(self) -> bool:
        """Whether each case has costs of its own, and nothing else varies.

        Where a review is not worth it for a case the steps are halves of one decision, and say
        nothing of what a rule costs that reviews it nevertheless.
        """
        return self.task.rows.costs is not None and self.task.sole_condition is not None

    def _losses_of(
        self, positive: BoolArray, amounts: FloatArray, reviewed: FloatArray, flagged: FloatArray
    ) -> FloatArray:
        """What rows of such amounts, relative to the mean of their class, say of the money."""
        task, conditions = self.task, self.task.conditions
        negatives, positives = task.reviewing_all(amounts)
        looked = np.where(positive, positives, negatives)
        mistaken = np.where(
            positive,
            conditions.positive_stake * (1 - reviewed - flagged),
            conditions.negative_stake * flagged,
        )
        return np.asarray(CASES * (looked * reviewed + mistaken))

    def _in_all(self, of_steps: list[FloatArray], part: int) -> FloatArray:
        """What the steps say of the rows of a part, each by the amounts of its own."""
        if self.task.rows.costs is None:
            return of_steps[0] + of_steps[1]
        some = self.task.judged.parts[part]
        # Rows with costs of their own have such amounts.
        own, *others = (
            np.asarray(relative_costs(task.judged.rows))[some]
            for task in (self.task, *self.task.steps)
        )
        return (of_steps[0] * others[0] + of_steps[1] * others[1]) / own

    def apparent_of(self, part: int | None) -> float:
        if self._by_amounts:
            rows = cast(HeldOutRows, self.task.held_out).training(part)
            acted, flagged = (step.training_flagged(part) for step in self.steps)
            amounts = np.asarray(relative_costs(rows))
            losses = self._losses_of(rows.positive, amounts, acted - flagged, flagged)
            return self.task.money_of(losses, rows)
        beside = sum(
            step.apparent_of(part) - CASES * step.task.conditions.constant for step in self.steps
        )
        return beside + CASES * self.task.conditions.constant

    def chosen_in_parts(self) -> list[tuple[float, Rule | None]]:
        of_steps = [step.chosen_in_parts() for step in self.steps]
        # What no sample tells is the same in every part.
        if not all(of_steps):
            return []
        return [
            (flagged, _one_rule(passing, flagging))
            for (_, passing), (flagged, flagging) in zip(*of_steps, strict=True)
        ]

    @property
    def cuts(self) -> FloatArray | None:
        low, high = (step.cuts for step in self.steps)
        return None if low is None or high is None else np.union1d(low, high)

    @property
    def same_for_all(self) -> bool:
        return all(step.same_for_all for step in self.steps)


def _one_rule(passing: Rule | None, flagging: Rule | None) -> Rule | None:
    """The rule of both steps, if each has one; two draws are no one rule."""
    if passing is None or flagging is None or passing.randomised or flagging.randomised:
        return None
    return three_actions(passing, flagging)


def in_order(passing: FittedStrategy, flagging: FittedStrategy) -> FittedStrategy:
    """What decides who is passed, so that nobody is who is flagged: a limit may flag more."""
    if not isinstance(passing, FittedByCondition) or not isinstance(flagging, FittedByCondition):
        return passing
    if not (passing.feasible and flagging.feasible) or not flagging.task.limits:
        return passing
    pairs = zip(
        (passing.rules[0], *passing.parts[0]), (flagging.rules[0], *flagging.parts[0]), strict=True
    )
    whole, *parts = (_at_most(own, other) for own, other in pairs)
    return replace(passing, rules={0: whole}, parts={0: tuple(parts)})


def _at_most(own: RulesByCondition, other: RulesByCondition) -> RulesByCondition:
    """The first of two rules for all conditions where that flags all that the other does."""
    first, second = own.rules_at(BALANCED).one, other.rules_at(BALANCED).one
    more = max(first.thresholds) <= min(second.thresholds)
    return own if more else ThresholdPath.constant(second)

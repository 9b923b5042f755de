"""Held-out rows, and what they say of the money that strategies cost, alone and in pairs."""

from dataclasses import dataclass, replace
from typing import Self, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.fitting.choosing import Priced
from costspace.decision.money.class_intervals import sum_of_classes
from costspace.decision.money.interval import difference_interval, money_interval
from costspace.decision.money.row_money import LEAST_UNITS, RowMoney
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.decision.words import units_shown
from costspace.deployment.conditions import CASES, JointConditions
from costspace.errors import LabelError
from costspace.estimates.interval import Ends, Interval, normal_quantile
from costspace.samples.rows import ScoredRows
from costspace.special import ndtr

# Amounts below this share of the stake are what rounding leaves of none.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class MoneySample(FrozenValue):
    """Held-out rows, with the range of what can be lost on them."""

    money: RowMoney  # the rows that count, those of a weight above 0
    counts: BoolArray | IndexArray  # which of the held-out rows those are
    conditions: JointConditions
    level: float  # in (0, 1): confidence level of the intervals
    n: int  # how many rows count
    # Whether the conditions alone say what it costs to flag nobody, or everybody: not where they
    # have a share of positives from rows that do not say how far it may be off.
    certain: bool
    # How much more a mistake on either class costs per 1,000 cases of a segment than of all, if
    # these are the rows of one.
    scale: Ends | None = None
    far: bool = False  # whether the level allows for several intervals, as `sum_of_classes` has it

    @classmethod
    def of(cls, task: Task) -> Self:
        """The rows that the strategies of a task are judged on."""
        judged = task.judged.rows
        rows = judged.counting
        money = RowMoney(rows, task.judged_weights, estimated=task.share_varies)
        if money.varies_by_class:
            money = replace(money, correct=correct_costs(task, rows))
        certain = task.share_varies == task.estimated
        return cls(money, judged.counts, task.conditions, task.level, task.judged.n, certain)

    def check_units(self) -> None:
        """Raise `LabelError` if the rows are too few for intervals."""
        if self.money.says_little:
            found = units_shown(self.money.units, groups=self.money.rows.groups is not None)
            few = f"fewer than {LEAST_UNITS} say too little"
            raise LabelError(f"the rarer class {found}, and {few}.")

    def money_of(self, one: Priced, more: MoneyDifference | None = None) -> StrategyMoney:
        """The cost of a strategy; the interval is of what has the margin already."""
        money = self._cost(one)
        error, interval = 0.0, Interval(money, money, "known")
        if self.money.varies_by_class:
            error, interval = sum_of_classes(
                money,
                self._losses(one),
                self._of(one),
                ranges=self._ranges,
                learnt=one.judged_as.model is not None,
                selection=(self.selection(one), float(np.sqrt(2 * self._unseen(one)))),
                level=self.level,
                far=self.far,
            )
        elif one.judged_as.model is not None:
            error, interval = money_interval(
                money,
                self._losses(one),
                self._of(one),
                stakes=self.stakes,
                least=CASES * self.conditions.constant,
                selection=self.selection(one),
                level=self.level,
                unseen=self._unseen(one),
            )
        elif not self.certain:
            return replace(without_interval(one), more=more)
        ends = interval.low, interval.high, interval.method
        return StrategyMoney(one.strategy, one.fit.rule, money, error, *ends, more)

    def difference(self, one: Priced, other: Priced) -> MoneyDifference:
        """What one costs more than the other, on the same rows; no p if both use one model."""
        stake = sum(self.stakes)
        difference = self._cost(one) - self._cost(other)
        if abs(difference) <= _ROUNDING * stake:
            difference = 0.0
        known = [priced.judged_as.model is None for priced in (one, other)]
        if any(known) and self.money.varies_by_class:
            return self._from_trivial(difference, one, other)
        if all(known):
            if not self.certain:
                return MoneyDifference.without_interval(difference)
            p = 1.0 if difference == 0 else 0.0
            return MoneyDifference(difference, 0.0, 0.0, difference, difference, p, p, "known")
        if any(known):
            return self._from_known(difference, one if known[1] else other, more=known[1])
        model = one.strategy.model
        errors, interval, p = difference_interval(
            difference,
            *self._apart(one, other),
            stakes=self.stakes,
            selection=float(np.hypot(self.selection(one), self.selection(other))),
            level=self.level,
            more_apart=self._more_apart(one.strategy, other.strategy),
        )
        if model is not None and model == other.strategy.model:
            p = np.nan
        low, high, method = interval.low, interval.high, interval.method
        return MoneyDifference(difference, *errors, low, high, p, p, method)

    def errors_apart(self, one: Priced, other: Priced) -> FloatArray:
        """What each independent row, or group, adds to the error of what one costs more."""
        losses, sample = self._apart(one, other)
        return sample.errors(sample.influences(losses))

    def between_thresholds(self, losses: FloatArray, selection: float) -> MoneyDifference:
        """What a threshold costs more than another of the same model, by what each row says of it.

        Parameters
        ----------
        losses : array of shape (n,)
        selection : float
            How much less both seem to cost where they are chosen: the root of the sum of squares.
        """
        sample, stakes, level = replace(self.money, correct=0.0), self.stakes, self.level
        difference = self.mean(losses)
        errors, interval, _ = difference_interval(
            difference,
            self._scaled(losses),
            sample,
            stakes=stakes,
            selection=selection,
            level=level,
        )
        ends = interval.low, interval.high
        return MoneyDifference(difference, *errors, *ends, np.nan, np.nan, interval.method)

    def mean(self, losses: FloatArray) -> float:
        """What is lost per 1,000 of these cases, beside right decisions, by what each row says."""
        return replace(self.money, correct=0.0).mean(self._scaled(losses))

    @property
    def stakes(self) -> Ends:
        """What flagging all negatives costs per 1,000 of these cases, and missing all positives."""
        stakes = CASES * self.conditions.negative_stake, CASES * self.conditions.positive_stake
        return (
            stakes if self.scale is None else (stakes[0] * self.scale[0], stakes[1] * self.scale[1])
        )

    def _cost(self, one: Priced) -> float:
        """What a strategy costs per 1,000 of these cases."""
        if self.scale is None:
            return one.money
        return self.money.mean(self._losses(one)) + one.margin

    def _losses(self, one: Priced) -> FloatArray:
        """What each of these rows says of that, beside the constant."""
        return self._scaled(one.row_losses[self.counts])

    def _scaled(self, losses: FloatArray) -> FloatArray:
        if self.scale is None:
            return losses
        return losses * np.where(self.money.rows.positive, self.scale[1], self.scale[0])

    def selection(self, one: Priced) -> float:
        """How much less it seems to cost where it is chosen: of the stake as much as in all."""
        if self.scale is None:
            return one.selection
        return one.selection * sum(self.stakes) / (CASES * self.conditions.stake)

    def _unseen(self, one: Priced) -> float:
        """The variance of mistakes of a strategy with a review that its own rows do not show.

        What is chosen has few mistakes on the rows that it is chosen on, and seems to vary as
        little. With a review most of the money is what reviews cost, which hardly varies, and few
        and dear mistakes are the rest: what choosing hides is of as many again. Of two actions
        mistakes are all of the money, and what is hidden is little beside them.
        """
        if not one.strategy.reviews:
            return 0.0
        sizes = self.money.effective_sizes
        return self.selection(one) * max(
            stake / n for stake, n in zip(self.stakes, sizes, strict=True)
        )

    @staticmethod
    def _more_apart(one: Strategy, other: Strategy) -> tuple[bool, bool]:
        """Whether rows not seen may make it less what one costs more than another, and more.

        Two ways with one model differ between their thresholds, on many rows that are seen. One
        without a review may make a dear mistake where the other pays for a review.
        """
        if one.model is None or one.model != other.model:
            return True, True
        return one.reviews and not other.reviews, other.reviews and not one.reviews

    def _of(self, one: Priced) -> RowMoney:
        """The rows, with what each changes for others if a strategy decides."""
        if self.scale is not None:
            # Who competes for the places of other segments is taken as it is.
            return self.money
        negatives, positives = (
            moved if isinstance(moved, float) else moved[self.counts] for moved in one.moved
        )
        return replace(self.money, moved=(negatives, positives))

    def _apart(self, one: Priced, other: Priced) -> tuple[FloatArray, RowMoney]:
        """What each row says that one costs more, and the rows as that needs them."""
        own, others = self._of(one).moved, self._of(other).moved
        moved = own[0] - others[0], own[1] - others[1]
        losses = self._losses(one) - self._losses(other)
        return losses, replace(self.money, correct=0.0, moved=moved)

    def _from_trivial(self, difference: float, one: Priced, other: Priced) -> MoneyDifference:
        """What one costs more than another, if one needs no model, and costs what rows say."""
        trivial, learnt = (one, other) if one.judged_as.model is None else (other, one)
        # What the trivial one costs on rows of a class is between none and all of its stake.
        sign, positive = (1.0 if trivial is one else -1.0), self.money.rows.positive
        own = self._losses(trivial)
        negatives, positives = (
            _turned(sign, own[side], stake)
            for side, stake in zip((~positive, positive), self.stakes, strict=True)
        )
        error, interval = sum_of_classes(
            difference,
            *self._apart(one, other),
            ranges=(negatives, positives),
            learnt=learnt.judged_as.model is not None,
            selection=(self.selection(learnt),) * 2,
            level=self.level,
            far=self.far,
        )
        ends = interval.low, interval.high
        p = self._p_of(difference, *ends)
        return MoneyDifference(difference, error, error, *ends, p, p, interval.method)

    @property
    def _ranges(self) -> tuple[Ends, Ends]:
        """Between what and what negatives may cost, and positives."""
        rows, (negatives, positives) = self.money.rows, self.stakes
        right = np.broadcast_to(self.money.correct, len(rows))
        least = [float(np.min(right[side])) for side in (~rows.positive, rows.positive)]
        return (least[0], least[0] + negatives), (least[1], least[1] + positives)

    def _p_of(self, difference: float, low: float, high: float) -> float:
        """The p of a difference with this interval, whose nearer end is at 0 where p is 1 - level.

        Where the interval cannot be further on that side, the rows leave no doubt.
        """
        nearer = difference - low if difference > 0 else high - difference
        if nearer <= 0:
            return 1.0 if difference == 0 else 0.0
        return float(2 * ndtr(-normal_quantile(self.level) * abs(difference) / nearer))

    def _from_known(self, difference: float, one: Priced, *, more: bool) -> MoneyDifference:
        """What is judged by rows costs more, or less, than what the conditions alone say.

        What choosing adds to the error counts at either end, so that luck is not called a saving.
        """
        own = self.money_of(one)
        errors = normal_quantile(self.level)
        low, high = own.low - own.money, max(own.high - own.money, errors * own.standard_error)
        if not more:
            low, high = -high, -low
        ends = difference + low, difference + high
        p = self._p_of(difference, *ends)
        error = own.standard_error
        return MoneyDifference(difference, error, error, *ends, p, p, own.method)


def without_interval(one: Priced) -> StrategyMoney:
    """What a strategy costs where rows are too few to tell how sure that is."""
    return StrategyMoney(
        one.strategy, one.fit.rule, one.money, np.nan, np.nan, np.nan, "none", None
    )


def _turned(sign: float, costs: FloatArray, stake: float) -> Ends:
    """Between what and what costs are more than others, from 0 to a stake, or less of them."""
    low, high = float(np.min(costs)), float(np.max(costs))
    return (low - stake, high) if sign > 0 else (-high, stake - low)


def correct_costs(task: Task, rows: ScoredRows) -> FloatArray:
    """What the right decision on each row costs, times the share of its class."""
    if rows.costs is None:
        of_negatives, of_positives = task.conditions.of_right
        return CASES * np.where(rows.positive, of_positives, of_negatives)
    p = task.conditions.mean_prevalence
    tp_cost, tn_cost = np.asarray(rows.costs.tp_cost), np.asarray(rows.costs.tn_cost)
    return CASES * np.where(rows.positive, p * tp_cost, (1 - p) * tn_cost)

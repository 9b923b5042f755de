"""Held-out rows, and what they say of the money that strategies cost, alone and in pairs."""

from dataclasses import dataclass
from typing import Self, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.fitting.choosing import Priced
from costspace.decision.money.interval import difference_interval, money_interval
from costspace.decision.money.row_money import RowMoney
from costspace.decision.strategy import FLAG_NOBODY, Strategy
from costspace.decision.task import Task
from costspace.decision.words import units_shown
from costspace.deployment.conditions import CASES, JointConditions
from costspace.errors import LabelError
from costspace.inference.interval import Interval, normal_quantile
from costspace.scores.rows import ScoredRows
from costspace.special import ndtr

# Below so many rows, or groups, of the rarer class there are no intervals.
LEAST_UNITS = 5
# Amounts below this share of the stake are what rounding leaves of none.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class MoneySample(FrozenValue):
    """Held-out rows, with the range of what can be lost on them.

    Attributes
    ----------
    money : RowMoney
        The rows that count, those of a weight above 0.
    counts : array of bool of shape (n,)
        Which of the held-out rows those are.
    conditions : JointConditions
    level : float in (0, 1)
        Confidence level of the intervals.
    n : int
        How many rows count.
    """

    money: RowMoney
    counts: BoolArray
    conditions: JointConditions
    level: float
    n: int

    @classmethod
    def of(cls, task: Task) -> Self:
        """The rows that the strategies of a task are judged on."""
        judged = task.judged.rows
        counts = np.ones(len(judged), bool) if judged.weight is None else judged.weight > 0
        rows = judged if counts.all() else judged.take(counts)
        money = RowMoney(rows, task.judged_weights, _correct(task, rows))
        return cls(money, counts, task.conditions, task.level, task.judged.n)

    def check_units(self) -> None:
        """Raise `LabelError` if the rows are too few for intervals."""
        units = self.money.units
        if units < LEAST_UNITS:
            found = units_shown(units, groups=self.money.rows.groups is not None)
            raise LabelError(
                f"the rarer class has {found}, and fewer than {LEAST_UNITS} say too little."
            )

    def money_of(self, one: Priced, more: MoneyDifference | None = None) -> StrategyMoney:
        """The cost of a strategy; the interval is of what has the margin already."""
        error, interval = 0.0, Interval(one.money, one.money, "known")
        if not self._known(one.strategy):
            error, interval = money_interval(
                one.money,
                one.row_losses[self.counts],
                self.money,
                stakes=self._stakes,
                least=CASES * self.conditions.constant,
                selection=one.selection,
                level=self.level,
            )
        ends = interval.low, interval.high, interval.method
        return StrategyMoney(one.strategy, one.fit.rule, one.money, error, *ends, more)

    def difference(self, one: Priced, other: Priced) -> MoneyDifference:
        """What one costs more than the other, on the same rows; no p if both use one model."""
        stake = sum(self._stakes)
        difference = one.money - other.money
        if abs(difference) <= _ROUNDING * stake:
            difference = 0.0
        known = [self._known(priced.strategy) for priced in (one, other)]
        if all(known):
            p = 1.0 if difference == 0 else 0.0
            return MoneyDifference(difference, 0.0, difference, difference, p, p, "known")
        if any(known):
            return self._from_known(difference, one if known[1] else other, more=known[1])
        own, others = (
            self.money.influences(priced.row_losses[self.counts]) for priced in (one, other)
        )
        error, interval, p = difference_interval(
            difference,
            own - others,
            self.money,
            stake=stake,
            selection=float(np.hypot(one.selection, other.selection)),
            level=self.level,
        )
        model = one.strategy.model
        if model is not None and model == other.strategy.model:
            p = np.nan
        low, high, method = interval.low, interval.high, interval.method
        return MoneyDifference(difference, error, low, high, p, p, method)

    @property
    def _stakes(self) -> tuple[float, float]:
        return CASES * self.conditions.negative_stake, CASES * self.conditions.positive_stake

    def _from_known(self, difference: float, one: Priced, *, more: bool) -> MoneyDifference:
        """What is judged by rows costs more, or less, than what the conditions alone say.

        What choosing adds to the error counts at either end, so that luck is not called a saving.
        """
        own = self.money_of(one)
        errors = normal_quantile(self.level)
        low, high = own.low - own.money, max(own.high - own.money, errors * own.standard_error)
        if not more:
            low, high = -high, -low
        # The p of an interval whose nearer end is at 0 is 1 - level.
        nearer = -low if difference > 0 else high
        if nearer > 0:
            p = float(2 * ndtr(-errors * abs(difference) / nearer))
        else:
            # What the rows say cannot be further on that side.
            p = 1.0 if difference == 0 else 0.0
        ends = difference + low, difference + high
        return MoneyDifference(difference, own.standard_error, *ends, p, p, own.method)

    def _known(self, strategy: Strategy) -> bool:
        """Whether the conditions alone say what a strategy costs."""
        if strategy.model is not None or not self.money.unbounded:
            return strategy.model is None
        costs = self.money.rows.known_costs
        involved = (
            (costs.fn_cost, costs.tn_cost)
            if strategy == FLAG_NOBODY
            else (costs.fp_cost, costs.tp_cost)
        )
        return all(np.ndim(cost) == 0 for cost in involved)


def without_interval(one: Priced) -> StrategyMoney:
    """What a strategy costs where rows are too few to tell how sure that is."""
    return StrategyMoney(
        one.strategy, one.fit.rule, one.money, np.nan, np.nan, np.nan, "none", None
    )


def _correct(task: Task, rows: ScoredRows) -> FloatArray | None:
    """What right decisions on each row cost, if mean costs are those of the rows, and vary."""
    if rows.costs is None or rows.costs.rows is None or task.held_out.validation is not None:
        return None
    p = task.conditions.mean_prevalence
    tp_cost, tn_cost = np.asarray(rows.costs.tp_cost), np.asarray(rows.costs.tn_cost)
    return CASES * np.where(rows.positive, p * tp_cost, (1 - p) * tn_cost)

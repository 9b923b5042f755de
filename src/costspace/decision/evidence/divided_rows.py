"""Held-out rows that are divided into segments, and what share of all cases each stands for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.decision.evidence.money_evidence import StrategyMoney
from costspace.decision.evidence.money_sample import MoneySample, correct_costs, without_interval
from costspace.decision.fitting.choosing import Priced
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.money.row_money import LEAST_UNITS, RowMoney, relative_costs
from costspace.decision.task import Task
from costspace.errors import SourceError
from costspace.estimates.interval import Ends
from costspace.samples.case_costs import MeanCosts
from costspace.samples.rows import ScoredRows

T = TypeVar("T")


def rows_to_divide(task: Task) -> int:
    """How many held-out rows there are to divide; `SourceError` if they are not kept."""
    held_out = task.held_out
    if isinstance(held_out, HeldOutCounts) and held_out.source.fold is None:
        raise SourceError(
            "segments need the rows, and these are known by their counts only: decide on rows in "
            "memory, on a sample of them if they are too many, or on the file by `costspace decide "
            "--by`."
        )
    return len(task.one_by_one.judged.rows)


@final
@dataclass(frozen=True, eq=False)
class DividedRows(FrozenValue):
    """The held-out rows of a task, one by one or counted in segments."""

    task: Task

    @property
    def rows(self) -> ScoredRows:
        """All of them."""
        return self.task.judged.rows

    @cached_property
    def shares(self) -> FloatArray:
        """What share of all cases at deployment each row stands for, of sum 1."""
        of_each = np.divide(self._classes, self.rows.class_weights)[self._side]
        return of_each if self.rows.weight is None else of_each * self.rows.weight

    def costs(self, one: Priced) -> FloatArray:
        """What each row adds to the cost of a strategy per 1,000 cases."""
        relative = relative_costs(self.rows)
        losses = one.row_losses if relative is None else one.row_losses * relative
        own = (losses + self._correct) / np.asarray(self._classes)[self._side]
        return (own + one.margin) * self.shares

    def counting(self, rows: Mapping[T, IndexArray]) -> dict[T, IndexArray]:
        """The rows of each segment that count, where there are some."""
        counts = self.rows.counts
        kept = {values: some[counts[some]] for values, some in rows.items()}
        return {values: some for values, some in kept.items() if len(some)}

    def mean(self, costs: FloatArray, some: IndexArray) -> float:
        """What some rows cost per 1,000 cases of theirs, by what each adds to the cost of all."""
        return float(np.sum(costs[some])) / float(np.sum(self.shares[some]))

    def money(self, one: Priced, cost: float, sample: MoneySample | None) -> StrategyMoney:
        """That cost of a strategy, with the interval of a sample if there is one."""
        money = without_interval(one) if sample is None else sample.money_of(one)
        return replace(money, money=cost)

    def number(self, some: IndexArray) -> int:
        """How many rows some of them are."""
        weight = self.rows.weight
        if self.task.judged.cuts is None or weight is None:
            return len(some)
        return int(np.sum(weight[some]))

    def are_few(self, some: IndexArray) -> bool:
        """Whether rows are too few for intervals."""
        counted = self.task.judged_weights == "counts" and self.rows.weight is not None
        positives = np.count_nonzero(self.rows.positive[some])
        if not counted and min(positives, len(some) - positives) < LEAST_UNITS:
            return True
        if positives in (0, len(some)):
            return True
        return RowMoney(self.rows.take(some), self.task.judged_weights).says_little

    def sample(self, some: IndexArray, level: float) -> MoneySample:
        """Rows of both classes as those of a segment, whose share of positives is its own.

        Where the prevalence is given a row weighs as many cases as it stands for at deployment.
        """
        rows, of_each = self.rows.take(some), self.shares[some]
        of_class = np.array([np.sum(of_each[side]) for side in (~rows.positive, rows.positive)])
        more = of_class / np.sum(of_class) / self._classes
        correct = self._correct[some] * more[rows.positive.astype(int)]
        if self._mean_costs is not None:
            own, of_all = rows.mean_costs, self._mean_costs
            more[0] *= own.net_fp_cost / of_all.net_fp_cost
            more[1] *= own.net_fn_cost / of_all.net_fn_cost
        negatives, positives = rows.class_weights
        odds = 1.0 if self.task.estimated else of_class[1] / of_class[0] * negatives / positives
        money = RowMoney(
            rows, self.task.judged_weights, correct=correct, estimated=True, odds=float(odds)
        )
        return MoneySample(
            money,
            some,
            self.task.conditions,
            level,
            n=self.number(some),
            certain=False,
            scale=(float(more[0]), float(more[1])),
            far=level > self.task.level,
        )

    @property
    def _classes(self) -> Ends:
        """The shares of negatives and of positives among the cases."""
        p = self.task.conditions.mean_prevalence
        return 1 - p, p

    @cached_property
    def _side(self) -> IndexArray:
        return self.rows.positive.astype(np.intp)

    @cached_property
    def _correct(self) -> FloatArray:
        return correct_costs(self.task, self.rows)

    @cached_property
    def _mean_costs(self) -> MeanCosts | None:
        return None if self.rows.costs is None else self.rows.mean_costs

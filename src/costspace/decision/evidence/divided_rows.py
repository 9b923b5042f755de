"""Held-out rows that are divided into segments, and what share of all cases each stands for."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.decision.evidence.money_sample import MoneySample, correct_costs
from costspace.decision.fitting.choosing import Priced
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.money.row_money import LEAST_UNITS, RowMoney, relative_costs
from costspace.decision.task import Task
from costspace.errors import ConditionError, SourceError
from costspace.estimates.interval import Ends
from costspace.samples.case_costs import MeanCosts
from costspace.samples.rows import ScoredRows


def rows_to_divide(task: Task) -> int:
    """How many held-out rows there are to divide.

    `SourceError` if they are not kept, `ConditionError` if weights are counts and a row would stand
    for another number of cases.
    """
    held_out = task.held_out
    if isinstance(held_out, HeldOutCounts) and held_out.source.fold is None:
        raise SourceError(
            "segments need the rows, and these are known by their counts only: decide on rows in "
            "memory, on a sample of them if they are too many."
        )
    judged = task.one_by_one.judged
    counted = task.weights == "counts" and judged.rows.weight is not None
    if counted and not task.estimated:
        raise ConditionError(
            "segments of rows whose weights are counts have the prevalence of the rows: leave out "
            "the prevalence, or give each row as often as it counts."
        )
    return len(judged.rows)


@final
@dataclass(frozen=True, eq=False)
class DividedRows(FrozenValue):
    """The held-out rows of a task, one by one."""

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
        rows, weights, of_each = self.rows.take(some), self.task.judged_weights, self.shares[some]
        of_class = np.array([np.sum(of_each[side]) for side in (~rows.positive, rows.positive)])
        more = of_class / np.sum(of_class) / self._classes
        correct = self._correct[some] * more[rows.positive.astype(int)]
        if self._mean_costs is not None:
            own, of_all = rows.mean_costs, self._mean_costs
            more[0] *= own.net_fp_cost / of_all.net_fp_cost
            more[1] *= own.net_fn_cost / of_all.net_fn_cost
        if not self.task.estimated:
            rows, weights = replace(rows, weight=of_each / np.mean(of_each)), "sampling"
        money = RowMoney(rows, weights, correct=correct, estimated=True)
        return MoneySample(
            money,
            some,
            self.task.conditions,
            level,
            n=len(some),
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

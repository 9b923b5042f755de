"""A strategy that works down a queue: the top share of the cases, whatever they score."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.curve import OperatingPoints
from costspace.decision.fitted import FittedStrategy
from costspace.decision.row_money import RowMoney
from costspace.decision.rule import ROUNDING, Rule
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class FittedQueue(FrozenValue, FittedStrategy):
    """One that flags the top share of a queue, and leaves out ties that go beyond it.

    Nothing is learnt: the queue itself tells its threshold, at whatever prevalence it has. So all
    rows held out are one queue, in which every row counts once or by its weight and the classes
    have the shares of deployment.

    Attributes
    ----------
    strategy : Strategy
    task : Task
    share : float
    """

    strategy: Strategy
    task: Task
    share: float

    @cached_property
    def reason(self) -> str:
        limits, span = self.task.limits, self.task.conditions.prevalence_range
        if not limits:
            return ""
        for end in (span.low, span.high):
            at = self._point(end)
            if not limits.holds(at, end):
                return f"{self.strategy} breaks a constraint at a prevalence of {end:g}: {limits}."
        return ""

    @property
    def rule(self) -> Rule:
        return Rule(self.share, by="share")

    @property
    def cut(self) -> Rule:
        """The rule for cases that come one by one: the score above which the share of all rows is.

        Classes have the shares that they have in the mean of deployment; ties that go beyond the
        share are left out.
        """
        p, table = self.task.conditions.mean_prevalence, self._table
        points = table.by_score.at(table.by_score.breaks).after_flagging_all()
        shares = (1 - p) * points.fpr + p * (1 - points.fnr)
        left_out = int(np.count_nonzero(shares > self.share * (1 + ROUNDING)))
        cuts = (-np.inf, *table.cut_points.tolist(), np.inf)
        return Rule(cuts[left_out])

    @property
    def _table(self) -> ScoreTable:
        return self.task.models[self.strategy.whose_scores].rows

    def part_flagged(self, part: int) -> FloatArray:
        return self._queue_flagged[self.task.held_out.parts[part]]

    def part_losses(self, part: int) -> FloatArray:
        return self._queue_losses[self.task.held_out.parts[part]]

    def apparent_of(self, part: int | None) -> float:
        rows = self.task.held_out.training(part)
        losses = _Queue.of(rows, self.strategy.whose_scores).losses(self.task, self.share)
        mean = RowMoney(rows, "sampling", None).mean(losses)
        return float(mean + CASES * self.task.conditions.constant)

    @cached_property
    def _queue(self) -> "_Queue":
        return _Queue.of(self.task.held_out.judged, self.strategy.whose_scores)

    @cached_property
    def _queue_flagged(self) -> FloatArray:
        return self._queue.flagged(self.task, self.share)

    @cached_property
    def _queue_losses(self) -> FloatArray:
        return self._queue.losses(self.task, self.share)

    def _point(self, prevalence: float) -> OperatingPoints:
        """Where the queue works at a prevalence, on rows held out."""
        queue = self._queue
        share = (1 - prevalence) * queue.fpr + prevalence * queue.tpr
        in_time = share <= self.share * (1 + ROUNDING)
        fpr, tpr = (np.max(rate, where=in_time, initial=0.0) for rate in (queue.fpr, queue.tpr))
        return OperatingPoints(np.asarray(fpr), np.asarray(1 - tpr))


@final
@dataclass(frozen=True, eq=False)
class _Queue:
    """Rows in the order of their scores: which share of either class is flagged with each.

    Attributes
    ----------
    positive : array of bool of shape (n,)
    fpr, tpr : arrays of shape (n,)
        If a row is flagged, and all that score as it does or more.
    """

    positive: BoolArray
    fpr: FloatArray
    tpr: FloatArray

    @classmethod
    def of(cls, rows: ScoredRows, model: str) -> "_Queue":
        table, scores = ScoreTable.from_rows(rows, model), rows.scores[model]
        distinct = table.by_score.breaks
        points = table.by_score.at(distinct).after_flagging_all()
        place = np.searchsorted(distinct, scores)
        return cls(rows.positive, points.fpr[place], 1 - points.fnr[place])

    def flagged(self, task: Task, share: float) -> FloatArray:
        """How likely each row is flagged, in the mean over the cases of its class."""
        p = task.conditions.mean_prevalence
        parts = self._where_flagged(task, share, cases=True)
        return np.clip(np.where(self.positive, parts[1] / p, parts[0] / (1 - p)), 0.0, 1.0)

    def losses(self, task: Task, share: float) -> FloatArray:
        """What each row says of the money, per 1,000 cases."""
        negative, positive = self._where_flagged(task, share, cases=False)
        missed = np.maximum(task.conditions.positive_stake - positive, 0.0)
        return CASES * np.where(self.positive, missed, negative)

    def _where_flagged(
        self, task: Task, share: float, *, cases: bool
    ) -> tuple[FloatArray, FloatArray]:
        """What is at stake on either class where each row is flagged.

        A row is while (1 - p) FPR + p TPR is at most the share: up to some prevalence if its TPR is
        the greater one, else from there.
        """
        conditions, rise = task.conditions, self.tpr - self.fpr
        room = share * (1 + ROUNDING) - self.fpr
        turn = np.divide(room, rise, out=np.zeros_like(room), where=rise != 0)
        always = conditions.where_rarer(np.ones(1), cases=cases)
        upto = conditions.where_rarer(np.clip(turn, 0, 1), cases=cases)
        found = []
        for below, whole in ((upto.negative, always.negative), (upto.positive, always.positive)):
            parts = np.where(rise > 0, below, whole - below)
            found.append(np.where(rise == 0, whole * (room >= 0), parts))
        return found[0], found[1]

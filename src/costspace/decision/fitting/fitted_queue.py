"""A strategy that works down a queue: the top share of the cases, whatever they score."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.places import Places
from costspace.curve import OperatingPoints
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.queued_rows import QueuedRows
from costspace.decision.fitting.queued_scores import QueuedScores, of_cases
from costspace.decision.money.row_money import relative_costs
from costspace.decision.rules.cuts import ROUNDING
from costspace.decision.rules.graded import graded
from costspace.decision.rules.queue import cut_beyond
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.written import written
from costspace.deployment.actions import FLAG
from costspace.deployment.conditions import CASES, JointConditions


@final
@dataclass(frozen=True, eq=False)
class FittedQueue(FittedStrategy):
    """One that flags the top share of a queue, and leaves out ties that go beyond it.

    Nothing is learnt: the queue itself tells its threshold, at whatever prevalence it has. So all
    held-out rows are one queue, or the population that each batch is drawn from.
    """

    places: Places  # of each batch, or of all

    @property
    def share(self) -> float:
        """The share of the cases that there is room for."""
        return self.places.share

    @cached_property
    def reason(self) -> str:
        task, span = self.task, self.task.conditions.prevalence_range
        limits = task.limits_with_room
        if limits.capacity is not None and self.share <= limits.capacity:
            # The queue keeps to its share on whatever cases.
            limits = limits.without("capacity")
        for end in (span.low, span.high):
            if not limits.holds(self._point(end), end):
                return f"{self.strategy} breaks a constraint at a prevalence of {end:g}: {limits}."
        return ""

    @property
    def rule(self) -> Rule:
        return Rule(self.share, by="share")

    @property
    def one_by_one(self) -> Rule | None:
        """What flags the share by score, if cases are like all rows at the mean prevalence.

        In batches it keeps to the places of 19 of 20, as thresholds do, at any prevalence.
        """
        if not self.rule.queued:
            return None
        table, conditions = self.task.models[self.strategy.whose_scores].rows, self.task.conditions
        queue, span = QueuedScores.of(table, counts=self._rows.counts), conditions.prevalence_range
        most, prevalences = self.share, [conditions.mean_prevalence]
        if self.places.batches:
            most, prevalences = self.places.most_by_threshold, [span.low, span.high]
        down_to = np.max([queue.down_to(p) for p in prevalences], axis=0)
        first = cut_beyond(table.by_score.breaks, down_to > most * (1 + ROUNDING))
        return written(Rule(first), table)

    def part_flagged(self, part: int | None) -> FloatArray:
        return self._rows.values(part, self._flagged)

    @cached_property
    def losses_moved(self) -> tuple[FloatArray, FloatArray]:
        def worth(known: JointConditions) -> tuple[float, float]:
            return CASES * known.negative_stake, -CASES * known.positive_stake

        return self._rows.influences(self.places, worth, relative_costs(self.task.judged.rows))

    def moved(self, action: str) -> tuple[FloatArray | float, FloatArray | float]:
        return self._flagged_moved if action == FLAG else (0.0, 0.0)

    @cached_property
    def _flagged_moved(self) -> tuple[FloatArray, FloatArray]:
        return self._rows.influences(self.places, of_cases)

    def places_of(self, action: str) -> Places | None:
        return self.places if action == FLAG else None

    def part_losses(self, part: int) -> FloatArray:
        return self._rows.values(part, self._losses)

    def apparent_of(self, part: int | None) -> float:
        scores = self.task.fitted_on(self.strategy.whose_scores, part)
        queue = QueuedScores.of(scores.rows, counts=self._rows.counts)
        alarmed, missed = queue.losses(self.task.conditions, self.places)
        costs = scores.costs.by_score.at(scores.rows.by_score.breaks).after_flagging_all()
        # What the rows of each distinct score weigh, by their costs.
        found = np.sum(-np.diff(costs.fpr) * alarmed) + np.sum(np.diff(costs.fnr) * missed)
        return float(found + CASES * self.task.conditions.constant)

    @property
    def cuts(self) -> FloatArray:
        return graded(self._rows.table.by_score.breaks, *self._flagged, *self._losses)

    def of_places(self, places: Places) -> float:
        """Expected money per 1,000 cases on held-out rows if it had other places."""
        found = replace(self, places=places).money
        return float("nan") if found is None else found

    @cached_property
    def _rows(self) -> QueuedRows:
        """All held-out rows."""
        return QueuedRows(self.task, self.strategy.whose_scores)

    @cached_property
    def _losses(self) -> tuple[FloatArray, FloatArray]:
        """What a negative and a positive of each score say of the money."""
        return self._rows.queue.losses(self.task.conditions, self.places)

    @cached_property
    def _flagged(self) -> tuple[FloatArray, FloatArray]:
        """How likely they are flagged."""
        return self._rows.queue.placed(self.task.conditions, self.places)

    def _point(self, prevalence: float) -> OperatingPoints:
        """Where the queue works at a prevalence, on held-out rows."""
        queue = self._rows.queue
        if self.places.batches:
            chance = queue.chance(self.places, prevalence)
            fpr, tpr = (float(np.sum(mass * chance)) for mass in queue.masses)
            return OperatingPoints(np.asarray(fpr), np.asarray(1 - tpr))
        share = (1 - prevalence) * queue.fpr + prevalence * queue.tpr
        in_time = share <= self.share * (1 + ROUNDING)
        fpr, tpr = (np.max(rate, where=in_time, initial=0.0) for rate in (queue.fpr, queue.tpr))
        return OperatingPoints(np.asarray(fpr), np.asarray(1 - tpr))

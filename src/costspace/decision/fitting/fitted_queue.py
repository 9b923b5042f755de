"""A strategy that works down a queue: the top share of the cases, whatever they score."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.places import Places
from costspace.curve import OperatingPoints
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.row_money import RowMoney, relative_costs
from costspace.decision.rules.cuts import ROUNDING
from costspace.decision.rules.graded import graded
from costspace.decision.rules.queue import cut_beyond
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.written import written
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES, Band, JointConditions
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# Ranges of prevalence that are taken as one, at most.
BANDS = 64
# For how many scores at how many prevalences chances are found at once.
_AT_ONCE = 50_000
# What a negative and a positive add where they are flagged, under some conditions.
Worth: TypeAlias = Callable[[JointConditions], tuple[float, float]]
# What a negative and a positive of each score add, and what they take from others.
Moved: TypeAlias = tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@final
@dataclass(frozen=True, eq=False)
class FittedQueue(FittedStrategy):
    """One that flags the top share of a queue, and leaves out ties that go beyond it.

    Nothing is learnt: the queue itself tells its threshold, at whatever prevalence it has. So all
    held-out rows are one queue, in which every row counts once or by its weight and the classes
    have the shares of deployment; or the population that each batch is drawn from.
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
        queue, span = _Queue.of(table, counts=self._counts), conditions.prevalence_range
        most, prevalences = self.share, [conditions.mean_prevalence]
        if self.places.batches:
            most, prevalences = self.places.most_by_threshold, [span.low, span.high]
        down_to = np.max([queue.down_to(p) for p in prevalences], axis=0)
        first = cut_beyond(table.by_score.breaks, down_to > most * (1 + ROUNDING))
        return written(Rule(first), table)

    @property
    def _size(self) -> float:
        """How many held-out rows there are."""
        rows = self.task.judged.rows
        if rows.weight is None:
            return float(len(rows))
        return float(np.sum(rows.weight if self._counts else rows.weight > 0))

    @property
    def _counts(self) -> bool:
        """Whether weights are how many rows there are."""
        return self.task.judged_weights == "counts"

    def part_flagged(self, part: int | None) -> FloatArray:
        return self._of_rows(part, self._flagged)

    @cached_property
    def losses_moved(self) -> tuple[FloatArray, FloatArray]:
        def worth(known: JointConditions) -> tuple[float, float]:
            return CASES * known.negative_stake, -CASES * known.positive_stake

        return self._moved(worth, relative_costs(self.task.judged.rows))

    @cached_property
    def flagged_moved(self) -> tuple[FloatArray, FloatArray]:
        return self._moved(lambda known: (1 - known.mean_prevalence, known.mean_prevalence), None)

    def _moved(self, worth: Worth, relative: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Each row's influence on what places of either class are worth, by the places it takes.

        Rows count for relative amounts.
        """
        task, rows = self.task, self.task.judged.rows
        masses = self._queue.masses if relative is None else self._masses_of(relative)
        sample = RowMoney.of_rates(rows, task.judged_weights, estimated=task.share_varies)

        def influences(
            own: tuple[FloatArray, FloatArray], lost: tuple[FloatArray, FloatArray]
        ) -> FloatArray:
            said = self._of_rows(None, own)
            said = (said if relative is None else said * relative) - self._of_rows(None, lost)
            return sample.influences(said)

        negatives, positives = self._queue.moved(task, self.places, self._size, worth, masses)
        return influences(*negatives), influences(*positives)

    def _masses_of(self, relative: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The share of the amounts of either class that rows of each score have."""
        rows = self.task.judged.rows
        weight = relative if rows.weight is None else relative * rows.weight
        distinct = self._table.by_score.breaks
        scores = doubles(rows.scores[self.strategy.whose_scores])
        place = np.minimum(np.searchsorted(distinct, scores), len(distinct) - 1)
        negatives, positives = (
            np.bincount(place[side], weight[side], minlength=len(distinct)) / np.sum(weight[side])
            for side in (~rows.positive, rows.positive)
        )
        return negatives, positives

    def part_losses(self, part: int) -> FloatArray:
        return self._of_rows(part, self._losses)

    def apparent_of(self, part: int | None) -> float:
        scores = self.task.fitted_on(self.strategy.whose_scores, part)
        alarmed, missed = _Queue.of(scores.rows, counts=self._counts).losses(self.task, self.places)
        costs = scores.costs.by_score.at(scores.rows.by_score.breaks).after_flagging_all()
        # What the rows of each distinct score weigh, by their costs.
        found = np.sum(-np.diff(costs.fpr) * alarmed) + np.sum(np.diff(costs.fnr) * missed)
        return float(found + CASES * self.task.conditions.constant)

    @property
    def cuts(self) -> FloatArray:
        return graded(self._table.by_score.breaks, *self._flagged, *self._losses)

    def of_places(self, places: Places) -> float:
        """Expected money per 1,000 cases on held-out rows if it had other places."""
        found = replace(self, places=places).money
        return float("nan") if found is None else found

    @property
    def _table(self) -> ScoreTable:
        return self.task.held_out.judged_table(self.strategy.whose_scores)

    @cached_property
    def _queue(self) -> "_Queue":
        """The queue of all held-out rows."""
        return _Queue.of(self._table, counts=self._counts)

    @cached_property
    def _losses(self) -> tuple[FloatArray, FloatArray]:
        """What a negative and a positive of each score say of the money."""
        return self._queue.losses(self.task, self.places)

    @cached_property
    def _flagged(self) -> tuple[FloatArray, FloatArray]:
        """How likely they are flagged."""
        return self._queue.flagged(self.task, self.places)

    def _of_rows(self, part: int | None, values: tuple[FloatArray, FloatArray]) -> FloatArray:
        """The values of the rows of a part, of those of negatives and positives of each score."""
        judged, distinct = self.task.judged, self._table.by_score.breaks

        def value(scores: FloatArray, *, positive: bool) -> FloatArray:
            # Rows of weight 0 are not in the table, and may score above all that are.
            place = np.minimum(np.searchsorted(distinct, scores), len(distinct) - 1)
            return values[int(positive)][place]

        return judged.values(self.strategy.whose_scores, judged.of_part(part), self._table, value)

    def _point(self, prevalence: float) -> OperatingPoints:
        """Where the queue works at a prevalence, on held-out rows."""
        queue = self._queue
        if self.places.batches:
            chance = queue.chance(self.places, prevalence)
            fpr, tpr = (float(np.sum(mass * chance)) for mass in queue.masses)
            return OperatingPoints(np.asarray(fpr), np.asarray(1 - tpr))
        share = (1 - prevalence) * queue.fpr + prevalence * queue.tpr
        in_time = share <= self.share * (1 + ROUNDING)
        fpr, tpr = (np.max(rate, where=in_time, initial=0.0) for rate in (queue.fpr, queue.tpr))
        return OperatingPoints(np.asarray(fpr), np.asarray(1 - tpr))


@final
@dataclass(frozen=True, eq=False)
class _Queue:
    """The distinct scores of a queue, and the share of either class that is flagged with each."""

    # Shape (k,): if all are flagged that have a score, ascending, or more.
    fpr: FloatArray
    tpr: FloatArray
    rows: FloatArray  # shape (k,): how many rows have each score

    @classmethod
    def of(cls, table: ScoreTable, *, counts: bool) -> "_Queue":
        """That of a table, whose weights may be counts of rows."""
        points, distinct = table.distinct_points.after_flagging_all(), table.by_score.breaks
        rows = np.zeros(len(distinct))
        for side in (table.negatives, table.positives):
            of_each = side.weight_of_each if counts else side.tally_of_each
            place = np.searchsorted(distinct, side.values)
            rows += np.bincount(place, of_each, minlength=len(distinct))
        return cls(points.fpr[:-1], 1 - points.fnr[:-1], rows)

    @property
    def masses(self) -> tuple[FloatArray, FloatArray]:
        """The share of either class that has each score."""
        return -np.diff(self.fpr, append=0.0), -np.diff(self.tpr, append=0.0)

    def down_to(self, prevalence: float | FloatArray) -> FloatArray:
        """The share of all that have each score or more."""
        return np.asarray((1 - prevalence) * self.fpr + prevalence * self.tpr)

    def chance(self, places: Places, prevalence: float | FloatArray) -> FloatArray:
        """How likely cases of each score are flagged; a row for each of a column of prevalences.

        Those of a queue that tie go together, or not at all. In a batch a row does not tie with
        itself: it stands for cases that score about as it does, and tie with its other rows alone.
        """
        down_to = self.down_to(prevalence)
        if not places.batches:
            return places.chance_with_ties(down_to / (1 + ROUNDING))
        of_each = (1 - prevalence) * self.masses[0] + prevalence * self.masses[1]
        return places.chance(down_to - of_each / np.maximum(self.rows, 1.0), down_to)

    def moved(
        self,
        task: Task,
        places: Places,
        rows: float,
        worth: Worth,
        masses: tuple[FloatArray, FloatArray],
    ) -> tuple[Moved, Moved]:
        """What a row of each score adds to what places of negatives, and of positives, are worth.

        One more above others takes from them the chance of a place. That a batch is drawn from a
        sample of so many rows spreads the share that is flagged; what is added is what that changes
        for the row itself.

        Parameters
        ----------
        task : Task
        places : Places
        rows : float
        worth : callable
            What it is worth if all negatives, and if all positives, have a place, under some
            conditions.
        masses : (FloatArray, FloatArray)
            The share of what that is of either class that is at each score.
        """
        none = np.zeros(len(self.fpr))
        added, lost = [none, none], [(none, none), (none, none)]
        for band, in_all in self._by_band(task.conditions, places):
            p, worths = band.conditions.mean_prevalence, worth(band.conditions)
            chance, density = places.in_sample(self.down_to(p), rows)
            more = chance - in_all
            for i, mass in enumerate(masses):
                value = band.share * worths[i]
                added[i] = added[i] + value * more
                taken = np.cumsum(density * mass) * value
                lost[i] = (lost[i][0] + (1 - p) * taken, lost[i][1] + p * taken)
        return ((added[0], none), lost[0]), ((none, added[1]), lost[1])

    def flagged(self, task: Task, places: Places) -> tuple[FloatArray, FloatArray]:
        """How likely negatives and positives are flagged, on average over cases of the class."""
        p = task.conditions.mean_prevalence
        negatives, positives = self._where_flagged(task, places, cases=True)
        return np.clip(negatives / (1 - p), 0, 1), np.clip(positives / p, 0, 1)

    def losses(self, task: Task, places: Places) -> tuple[FloatArray, FloatArray]:
        """What a negative and a positive of each score says of the money, per 1,000 cases."""
        alarmed, found = self._where_flagged(task, places, cases=False)
        missed = np.maximum(task.conditions.positive_stake - found, 0.0)
        return CASES * alarmed, CASES * missed

    def _where_flagged(
        self, task: Task, places: Places, *, cases: bool
    ) -> tuple[FloatArray, FloatArray]:
        """What is at stake on either class where each score is flagged.

        One is while (1 - p) FPR + p TPR is at most the share: up to some prevalence if its TPR is
        the greater one, else from there.
        """
        if places.batches:
            return self._where_placed(task, places, cases=cases)
        conditions, rise = task.conditions, self.tpr - self.fpr
        room = places.share * (1 + ROUNDING) - self.fpr
        turn = np.divide(room, rise, out=np.zeros_like(room), where=rise != 0)
        always = conditions.where_rarer(np.ones(1), cases=cases)
        upto = conditions.where_rarer(np.clip(turn, 0, 1), cases=cases)
        found = []
        for below, whole in ((upto.negative, always.negative), (upto.positive, always.positive)):
            parts = np.where(rise > 0, below, whole - below)
            found.append(np.where(rise == 0, whole * (room >= 0), parts))
        return found[0], found[1]

    def _where_placed(
        self, task: Task, places: Places, *, cases: bool
    ) -> tuple[FloatArray, FloatArray]:
        """The same by batch; a range of prevalence is taken as many narrow ones."""
        negative, positive = np.zeros_like(self.fpr), np.zeros_like(self.fpr)
        for band, chance in self._by_band(task.conditions, places):
            known, p = band.conditions, band.conditions.mean_prevalence
            stakes = (1 - p, p) if cases else (known.negative_stake, known.positive_stake)
            negative += band.share * stakes[0] * chance
            positive += band.share * stakes[1] * chance
        return negative, positive

    def _by_band(
        self, conditions: JointConditions, places: Places
    ) -> Iterator[tuple[Band, FloatArray]]:
        """Narrow bands of the prevalence, with how likely cases of each score are flagged there."""
        bands = conditions.bands(BANDS)
        at_once = max(_AT_ONCE // len(self.fpr), 1)
        for first in range(0, len(bands), at_once):
            some = bands[first : first + at_once]
            p = np.array([band.conditions.mean_prevalence for band in some])
            yield from zip(some, self.chance(places, p[:, None]), strict=True)

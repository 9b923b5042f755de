"""The held-out rows of a task as one queue, whose scores say what becomes of rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.choices.places import Places
from costspace.decision.fitting.queued_scores import QueuedScores, Worth
from costspace.decision.money.row_money import RowMoney
from costspace.decision.task import Task
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# Of negatives and of positives of each score.
ByClass = tuple[FloatArray, FloatArray]


@final
@dataclass(frozen=True, eq=False)
class QueuedRows(FrozenValue):
    """The held-out rows of a task, by the scores of a model.

    They are one queue, in which every row counts once or by its weight and the classes have the
    shares of deployment; or the population that each batch is drawn from.
    """

    task: Task
    model: str

    @property
    def table(self) -> ScoreTable:
        """Their scores."""
        return self.task.held_out.judged_table(self.model)

    @property
    def counts(self) -> bool:
        """Whether weights are how many rows there are."""
        return self.task.judged_weights == "counts"

    @cached_property
    def queue(self) -> QueuedScores:
        """The queue of all."""
        return QueuedScores.of(self.table, counts=self.counts)

    @property
    def size(self) -> float:
        """How many rows there are."""
        rows = self.task.judged.rows
        if rows.weight is None:
            return float(len(rows))
        return float(np.sum(rows.weight if self.counts else rows.weight > 0))

    def values(self, part: int | None, values: ByClass) -> FloatArray:
        """The values of the rows of a part, of those of negatives and positives of each score."""
        judged, distinct = self.task.judged, self.table.by_score.breaks

        def value(scores: FloatArray, *, positive: bool) -> FloatArray:
            # Rows of weight 0 are not in the table, and may score above all that are.
            place = np.minimum(np.searchsorted(distinct, scores), len(distinct) - 1)
            return values[int(positive)][place]

        return judged.values(self.model, judged.of_part(part), self.table, value)

    def influences(
        self, places: Places, worth: Worth, relative: FloatArray | None = None
    ) -> ByClass:
        """Each row's influence on what places of either class are worth, by the places it takes.

        Rows count for relative amounts.
        """
        masses = self.queue.masses if relative is None else self._masses_of(relative)
        moved = self.queue.moved(self.task.conditions, places, self.size, worth, masses)
        negatives, positives = (self.influences_of(*one, relative) for one in moved)
        return negatives, positives

    def influences_of(
        self, own: ByClass, lost: ByClass, relative: FloatArray | None = None
    ) -> FloatArray:
        """Each row's influence on what it adds of its `own`, and what others have `lost` by it."""
        task, rows = self.task, self.task.judged.rows
        sample = RowMoney.of_rates(rows, task.judged_weights, estimated=task.share_varies)
        said = self.values(None, own)
        said = (said if relative is None else said * relative) - self.values(None, lost)
        return sample.influences(said)

    def _masses_of(self, relative: FloatArray) -> ByClass:
        """The share of the amounts of either class that rows of each score have."""
        rows = self.task.judged.rows
        weight = relative if rows.weight is None else relative * rows.weight
        distinct = self.table.by_score.breaks
        place = np.minimum(
            np.searchsorted(distinct, doubles(rows.scores[self.model])), len(distinct) - 1
        )
        negatives, positives = (
            np.bincount(place[side], weight[side], minlength=len(distinct)) / np.sum(weight[side])
            for side in (~rows.positive, rows.positive)
        )
        return negatives, positives

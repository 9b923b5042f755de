"""A strategy that reviews the cases of each batch of which a review saves most."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.places import Places
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.queued_rows import QueuedRows
from costspace.decision.fitting.queued_scores import QueuedScores
from costspace.decision.fitting.review_places import worth_of
from costspace.decision.fitting.reviewed_scores import ReviewBands, ReviewedScores
from costspace.decision.rules.graded import graded
from costspace.decision.rules.review_queue import ReviewQueue, ReviewWorth
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.deployment.actions import FLAG, REVIEW
from costspace.deployment.conditions import BALANCED, CASES


@final
@dataclass(frozen=True, eq=False)
class FittedReviewQueue(FittedStrategy):
    """One that fills the places for reviews of each batch, and flags or passes the others.

    What a review saves by score is as the choice has it, on all rows or on those outside a part;
    which cases it saves most of is told by the batch. All held-out rows are the population that
    each batch is drawn from.
    """

    places: Places  # for reviews, of each batch
    worth: ReviewWorth
    parts: Sequence[ReviewWorth]
    # The same choice with two thresholds, for cases that come one by one.
    by_thresholds: FittedStrategy

    @property
    def queue(self) -> ReviewQueue:
        """What is done with a batch."""
        return ReviewQueue(self.worth, self.places.share)

    @property
    def one_by_one(self) -> Rule | None:
        """The two thresholds, with which the reviews of 19 of 20 batches find places."""
        return self.by_thresholds.rule

    @cached_property
    def price(self) -> float:
        """What one more place is worth."""
        more = replace(self, places=self.places.with_one_more())
        cases = sum(self.places.batches) / len(self.places.batches)
        saved = ((self.money or 0.0) - (more.money or 0.0)) * cases / CASES
        return max(saved, 0.0)

    def on(self, task: Task) -> Self:
        return replace(self, task=task, by_thresholds=self.by_thresholds.on(task))

    def part_flagged(self, part: int | None) -> FloatArray:
        return self._rows.values(part, self._of_part(part).flagged)

    def part_reviewed(self, part: int | None) -> FloatArray:
        return self._rows.values(part, self._of_part(part).reviewed)

    def part_losses(self, part: int) -> FloatArray:
        return self._rows.values(part, self._of_part(part).losses)

    def apparent_of(self, part: int | None) -> float:
        table = self.task.fitted_on(self.strategy.whose_scores, part).rows
        queue = QueuedScores.of(table, counts=self._rows.counts)
        saved = self._worth(part).saved(table.by_score.breaks)
        losses = ReviewedScores(queue, saved, self.task, self.places, self._bands).losses
        found = sum(
            float(np.sum(mass * own)) for mass, own in zip(queue.masses, losses, strict=True)
        )
        return found + CASES * self.task.conditions.constant

    @cached_property
    def losses_moved(self) -> tuple[FloatArray, FloatArray]:
        return self._whole.losses_moved(self._rows)

    def moved(self, action: str) -> tuple[FloatArray | float, FloatArray | float]:
        moved = {FLAG: self._whole.flagged_moved, REVIEW: self._whole.reviewed_moved}
        return moved[action](self._rows)

    def places_of(self, action: str) -> Places | None:
        return self.places if action == REVIEW else None

    @property
    def cuts(self) -> FloatArray:
        every = dict.fromkeys([self._whole, *self._in_parts])
        values = [own for one in every for own in (*one.losses, *one.reviewed, *one.flagged)]
        return graded(self._rows.table.by_score.breaks, *values)

    @property
    def same_for_all(self) -> bool:
        return not (np.ptp(self.flagged) or np.ptp(self.reviewed))

    @cached_property
    def _rows(self) -> QueuedRows:
        """All held-out rows."""
        return QueuedRows(self.task, self.strategy.whose_scores)

    @cached_property
    def _bands(self) -> ReviewBands:
        return ReviewBands.of(self.task)

    def _worth(self, part: int | None) -> ReviewWorth:
        return self.worth if part is None else self.parts[part]

    def _of_part(self, part: int | None) -> ReviewedScores:
        """All held-out rows, as what is chosen on all has them, or what is outside a part."""
        return self._whole if part is None else self._in_parts[part]

    @cached_property
    def _whole(self) -> ReviewedScores:
        return self._by(self.worth)

    @cached_property
    def _in_parts(self) -> tuple[ReviewedScores, ...]:
        # By a formula all parts have what is chosen on all rows.
        return tuple(
            self._whole if worth is self.worth else self._by(worth) for worth in self.parts
        )

    def _by(self, worth: ReviewWorth) -> ReviewedScores:
        saved = worth.saved(self._rows.table.by_score.breaks)
        return ReviewedScores(self._rows.queue, saved, self.task, self.places, self._bands)


def in_queue(
    strategy: Strategy, places: Places, by_thresholds: FittedStrategy
) -> FittedReviewQueue:
    """A strategy with so many places, of one choice with two thresholds."""
    task, model = by_thresholds.task, strategy.whose_scores
    whole = worth_of(strategy, task, task.models[model])
    splits = task.held_out_scores[model].splits
    # What no sample tells is the same on every part.
    learnt = strategy.choice.threshold_at(BALANCED, whole.axis) is None
    parts = [worth_of(strategy, task, one.train) if learnt else whole for one in splits]
    return FittedReviewQueue(strategy, task, places, whole, tuple(parts), by_thresholds)

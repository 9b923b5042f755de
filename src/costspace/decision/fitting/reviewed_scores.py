"""Whose scores are reviewed in batches, by what reviews save, and what becomes of the others."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.choices.places import Places
from costspace.decision.fitting.queued_rows import ByClass, QueuedRows
from costspace.decision.fitting.queued_scores import (
    QueuedScores,
    Worth,
    in_bands,
    of_cases,
    of_stakes,
)
from costspace.decision.rules.saved_by_review import SavedByReview
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES, JointConditions


@final
@dataclass(frozen=True, eq=False)
class ReviewBands(FrozenValue):
    """What is at stake in both steps of a task with reviews, over bands of the prevalence."""

    prevalences: FloatArray  # shape (b,): the mean one of each
    # Shape (6, b): what negatives and positives stake in the first step and in the second, and
    # their shares of all cases.
    worths: FloatArray

    @classmethod
    def of(cls, task: Task) -> "ReviewBands":
        """Those of a task, whose steps have the same prevalence."""
        passing, flagging = (step.conditions for step in task.steps)
        p, low = in_bands(passing, of_stakes)
        _, high = in_bands(flagging, of_stakes)
        _, cases = in_bands(passing, of_cases)
        return cls(p, np.concatenate([low, high, cases]))


@final
@dataclass(frozen=True, eq=False)
class ReviewedScores(FrozenValue):
    """The scores of a population that batches are drawn from, each with its chance of a review.

    Those of which a review saves more come first; who finds no place is flagged or passed.
    """

    queue: QueuedScores  # all scores, ascending, shape (k,)
    saved: SavedByReview  # what a review of each saves
    task: Task
    places: Places
    bands: ReviewBands

    @cached_property
    def reviewed(self) -> ByClass:
        """How likely negatives and positives are reviewed, on average over cases of the class."""
        (negatives, positives), p = self._placed[4:], self.task.conditions.mean_prevalence
        return np.clip(negatives / (1 - p), 0, 1), np.clip(positives / p, 0, 1)

    @cached_property
    def flagged(self) -> ByClass:
        """How likely they are flagged without a review."""
        negatives, positives = (np.where(self._flagged, 1 - own, 0.0) for own in self.reviewed)
        return negatives, positives

    @cached_property
    def losses(self) -> ByClass:
        """What a negative and a positive of each score says of the money, per 1,000 cases."""
        low, missed, high, found = self._placed[:4]
        steps = [step.conditions for step in self.task.steps]
        always = sum(step.negative_stake for step in steps)
        never = sum(step.positive_stake for step in steps)
        negative = np.where(self._flagged, always - high, low)
        positive = np.where(self._flagged, found, never - missed)
        return CASES * negative, CASES * positive

    @cached_property
    def _placed(self) -> FloatArray:
        """What the bands have at stake where each score has a place, shape (6, k)."""
        bands, found = self.bands, np.zeros((len(self.bands.worths), len(self._flagged)))
        found[:, self._ascending] = self._ahead.worth_in_bands(
            self.places, bands.prevalences, bands.worths
        )
        return found

    def losses_moved(self, rows: QueuedRows) -> ByClass:
        """Each row's influence on what either class costs by the places that it takes."""

        def worth(sign: int) -> Worth:
            # A place saves what flagging costs more than a review, or passing does.
            return lambda known: (
                sign * CASES * known.negative_stake,
                -sign * CASES * known.positive_stake,
            )

        passing, flagging = (step.conditions for step in self.task.steps)
        parts = [
            self._moved(rows, passing, worth(1), ~self._flagged),
            self._moved(rows, flagging, worth(-1), self._flagged),
        ]
        return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]

    def reviewed_moved(self, rows: QueuedRows) -> ByClass:
        """The same on the shares of negatives and of positives, of all cases, that are reviewed."""
        everybody = np.ones(len(self._flagged), dtype=bool)
        return self._moved(rows, self.task.conditions, of_cases, everybody)

    def flagged_moved(self, rows: QueuedRows) -> ByClass:
        """The same on those that are flagged."""
        negatives, positives = self._moved(rows, self.task.conditions, of_cases, self._flagged)
        return -negatives, -positives

    def _moved(
        self, rows: QueuedRows, conditions: JointConditions, worth: Worth, some: BoolArray
    ) -> ByClass:
        """Each row's influence on what places of some of the scores are worth, by class."""
        own = some[self._ascending]
        negative, positive = (mass * own for mass in self._ahead.masses)
        masses = negative, positive
        found = self._ahead.moved(conditions, self.places, rows.size, worth, masses)
        negatives, positives = (
            rows.influences_of(
                (self._spread(added[0] * own), self._spread(added[1] * own)),
                (self._spread(lost[0]), self._spread(lost[1])),
            )
            for added, lost in found
        )
        return negatives, positives

    @property
    def _flagged(self) -> BoolArray:
        """Whether each score is flagged unless it is reviewed."""
        return self.saved.flagged_otherwise

    @cached_property
    def _ahead(self) -> QueuedScores:
        """The scores of which a review saves anything, the one of which it saves most last."""
        return self.queue.reordered(self.saved.turns)

    @cached_property
    def _ascending(self) -> IndexArray:
        """Which of all scores those are."""
        return self.saved.turns[::-1]

    def _spread(self, values: FloatArray) -> FloatArray:
        """Values of those scores, of all: nothing is added, or taken, by others."""
        found = np.zeros(len(self._flagged))
        found[self._ascending] = values
        return found

"""The scores of a queue, how likely cases find a place there, and what that is worth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.choices.places import Places
from costspace.decision.rules.cuts import ROUNDING
from costspace.deployment.conditions import CASES, Band, JointConditions
from costspace.scores.table import ScoreTable

# Ranges of prevalence that are taken as one, at most.
BANDS = 64
# For how many scores at how many prevalences chances are found at once.
_AT_ONCE = 50_000
# What a negative and a positive add where they have a place, under some conditions.
Worth: TypeAlias = Callable[[JointConditions], tuple[float, float]]
# What a negative and a positive of each score add, and what they take from others.
Moved: TypeAlias = tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def of_cases(known: JointConditions) -> tuple[float, float]:
    """That they are so large a share of all cases."""
    return 1 - known.mean_prevalence, known.mean_prevalence


def of_stakes(known: JointConditions) -> tuple[float, float]:
    """What mistakes on them cost."""
    return known.negative_stake, known.positive_stake


def in_bands(conditions: JointConditions, worth: Worth) -> tuple[FloatArray, FloatArray]:
    """The mean prevalence of narrow bands, and what either class is worth in each, shape (2, b)."""
    bands = conditions.bands(BANDS)
    p = np.array([band.conditions.mean_prevalence for band in bands])
    return p, np.array([np.multiply(band.share, worth(band.conditions)) for band in bands]).T


@final
@dataclass(frozen=True, eq=False)
class QueuedScores:
    """The distinct scores of a queue, and the share of either class that is ahead with each."""

    # Shape (k,): those that have a score, ascending, or more, and so come first.
    fpr: FloatArray
    tpr: FloatArray
    rows: FloatArray  # shape (k,): how many rows have each score

    @classmethod
    def of(cls, table: ScoreTable, *, counts: bool) -> "QueuedScores":
        """That of a table, whose weights may be counts of rows."""
        points, distinct = table.distinct_points.after_flagging_all(), table.by_score.breaks
        rows = np.zeros(len(distinct))
        for side in (table.negatives, table.positives):
            of_each = side.weight_of_each if counts else side.tally_of_each
            place = np.searchsorted(distinct, side.values)
            rows += np.bincount(place, of_each, minlength=len(distinct))
        return cls(points.fpr[:-1], 1 - points.fnr[:-1], rows)

    def reordered(self, turns: IndexArray) -> "QueuedScores":
        """The queue of some scores alone, in which they find places in such an order."""
        ascending = turns[::-1]
        fpr, tpr = (np.cumsum(mass[turns])[::-1] for mass in self.masses)
        return QueuedScores(fpr, tpr, self.rows[ascending])

    @property
    def masses(self) -> tuple[FloatArray, FloatArray]:
        """The share of either class that has each score."""
        return -np.diff(self.fpr, append=0.0), -np.diff(self.tpr, append=0.0)

    def down_to(self, prevalence: float | FloatArray) -> FloatArray:
        """The share of all that have each score or more."""
        return np.asarray((1 - prevalence) * self.fpr + prevalence * self.tpr)

    def chance(self, places: Places, prevalence: float | FloatArray) -> FloatArray:
        """How likely cases of each score have a place; a row for each of a column of prevalences.

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
        conditions: JointConditions,
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
        conditions : JointConditions
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
        for band, in_all in self._by_band(conditions, places):
            p, worths = band.conditions.mean_prevalence, worth(band.conditions)
            chance, density = places.in_sample(self.down_to(p), rows)
            more = chance - in_all
            for i, mass in enumerate(masses):
                value = band.share * worths[i]
                added[i] = added[i] + value * more
                taken = np.cumsum(density * mass) * value
                lost[i] = (lost[i][0] + (1 - p) * taken, lost[i][1] + p * taken)
        return ((added[0], none), lost[0]), ((none, added[1]), lost[1])

    def placed(self, conditions: JointConditions, places: Places) -> tuple[FloatArray, FloatArray]:
        """How likely negatives and positives have a place, on average over cases of the class."""
        p = conditions.mean_prevalence
        negatives, positives = self.where_placed(conditions, places, cases=True)
        return np.clip(negatives / (1 - p), 0, 1), np.clip(positives / p, 0, 1)

    def losses(self, conditions: JointConditions, places: Places) -> tuple[FloatArray, FloatArray]:
        """What a negative and a positive of each score says of the money, per 1,000 cases."""
        alarmed, found = self.where_placed(conditions, places)
        missed = np.maximum(conditions.positive_stake - found, 0.0)
        return CASES * alarmed, CASES * missed

    def where_placed(
        self, conditions: JointConditions, places: Places, *, cases: bool = False
    ) -> tuple[FloatArray, FloatArray]:
        """What is at stake on either class, or how many `cases`, where each score has a place.

        One is while (1 - p) FPR + p TPR is at most the share: up to some prevalence if its TPR is
        the greater one, else from there.
        """
        if places.batches:
            return self._in_batches(conditions, places, cases=cases)
        rise = self.tpr - self.fpr
        room = places.share * (1 + ROUNDING) - self.fpr
        turn = np.divide(room, rise, out=np.zeros_like(room), where=rise != 0)
        always = conditions.where_rarer(np.ones(1), cases=cases)
        upto = conditions.where_rarer(np.clip(turn, 0, 1), cases=cases)
        found = []
        for below, whole in ((upto.negative, always.negative), (upto.positive, always.positive)):
            parts = np.where(rise > 0, below, whole - below)
            found.append(np.where(rise == 0, whole * (room >= 0), parts))
        return found[0], found[1]

    def _in_batches(
        self, conditions: JointConditions, places: Places, *, cases: bool
    ) -> tuple[FloatArray, FloatArray]:
        """The same by batch; a range of prevalence is taken as many narrow ones."""
        stakes = of_cases if cases else of_stakes
        negative, positive = self.worth_in_bands(places, *in_bands(conditions, stakes))
        return negative, positive

    def worth_in_bands(
        self, places: Places, prevalences: FloatArray, worths: FloatArray
    ) -> FloatArray:
        """What is at stake where each score has a place, over bands of the prevalence.

        Parameters
        ----------
        places : Places
        prevalences : array of shape (b,)
            The mean one of each band.
        worths : array of shape (m, b)
            What is at stake in each.

        Returns
        -------
        array of shape (m, k)
        """
        found = np.zeros((len(worths), len(self.fpr)))
        at_once = max(_AT_ONCE // max(len(self.fpr), 1), 1)
        for first in range(0, len(prevalences), at_once):
            some = slice(first, first + at_once)
            chances = self.chance(places, prevalences[some][:, None])
            for worth, chance in zip(worths[:, some].T, chances, strict=True):
                found += worth[:, None] * chance
        return found

    def _by_band(
        self, conditions: JointConditions, places: Places
    ) -> Iterator[tuple[Band, FloatArray]]:
        """Narrow bands of the prevalence, and how likely cases of each score have a place there."""
        bands = conditions.bands(BANDS)
        at_once = max(_AT_ONCE // max(len(self.fpr), 1), 1)
        for first in range(0, len(bands), at_once):
            some = bands[first : first + at_once]
            p = np.array([band.conditions.mean_prevalence for band in some])
            yield from zip(some, self.chance(places, p[:, None]), strict=True)

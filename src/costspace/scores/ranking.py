"""How the scores of two classes rank against each other, whatever the class shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from costspace.arrays import EXACT, FloatArray, FrozenValue, ScoreArray, ScoreFunction, read_only
from costspace.roc import lower_hull
from costspace.scores.look_up import LookUp, weighted_sums
from costspace.scores.sample import ClassSample, threshold_between


@final
@dataclass(frozen=True, eq=False)
class Hull(FrozenValue):
    """Corners of the ROC convex hull, from flagging everybody to flagging nobody.

    Attributes
    ----------
    negatives_below, positives_below : array of shape (k,)
        Weight of each class at or below the corner's threshold, ascending.
    fpr, fnr : array of shape (k,)
        The corners as rates.
    """

    negatives_below: FloatArray
    positives_below: FloatArray

    @cached_property
    def fpr(self) -> FloatArray:
        return read_only(
            (self.negatives_below[-1] - self.negatives_below) / self.negatives_below[-1]
        )

    @cached_property
    def fnr(self) -> FloatArray:
        return read_only(self.positives_below / self.positives_below[-1])

    @cached_property
    def breaks(self) -> FloatArray:
        """The k - 1 skews, ascending, at which the best corner changes to the next."""
        fp = np.diff(self.negatives_below) / self.negatives_below[-1]
        fn = np.diff(self.positives_below) / self.positives_below[-1]
        # Slopes that differ by less than rounding may have lost their order.
        return read_only(np.maximum.accumulate(fn / (fp + fn)))


class KnownMeans(Protocol):
    """What is known of scores beside the samples that stand for them."""

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class."""


@final
@dataclass(frozen=True, eq=False)
class Ranking(FrozenValue):
    """The scores of both classes; what follows from their order is computed once, when asked.

    Nothing here depends on the class shares, so a table and every reweighting of it share one
    ranking.

    Parameters
    ----------
    negatives, positives : ClassSample
    known : costspace.scores.ranking.KnownMeans, optional
        What knows class means and the range better than the samples, if these stand for scores
        that are known by bin only.
    """

    negatives: ClassSample
    positives: ClassSample
    known: KnownMeans | None = None

    @property
    def totals(self) -> tuple[float, float]:
        """Weight of the negatives and of the positives."""
        return self.negatives.total, self.positives.total

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""
        if self.known is not None:
            return self.known.score_range
        ends = [sample.values[[0, -1]] for sample in (self.negatives, self.positives)]
        return float(min(e[0] for e in ends)), float(max(e[1] for e in ends))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class."""
        if self.known is not None:
            return self.known.class_means(on_negatives, on_positives)
        return self.negatives.mean(on_negatives), self.positives.mean(on_positives)

    @property
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half."""
        return self._auc_and_hull[0]

    @property
    def hull(self) -> Hull:
        return self._auc_and_hull[1]

    @cached_property
    def placement_squares(self) -> tuple[float, float]:
        """Mean square, over each class, of how far placements are from the AUC.

        A score's placement is the share of the other class that it is on the right side of, ties
        counting half. Asked for first, it takes the AUC and the hull along: they come from the same
        look-up, the dearest step.
        """
        look_up = self._look_up()
        if "_auc_and_hull" not in vars(self):
            share, negatives_below, positives_below = self._compare(look_up)
            hull = self._hull_of(negatives_below, positives_below)
            vars(self)["_auc_and_hull"] = share, hull
        if look_up.own is self.positives:
            return look_up.squares_over_other(1 - self.auc), look_up.squares_over_own(self.auc)
        return look_up.squares_over_own(1 - self.auc), look_up.squares_over_other(self.auc)

    @cached_property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Sums over each class of w^2 d and w^2 d^2: weights, and how far placements are off."""
        negatives, positives, auc = self.negatives, self.positives, self.auc
        off, squared = weighted_sums(negatives, positives, 1 - auc)
        # Negatives are placed by what is above them.
        return (-off, squared), weighted_sums(positives, negatives, auc)

    @cached_property
    def _auc_and_hull(self) -> tuple[float, Hull]:
        # What the look-up gives is dropped before the hull: at 10^7 scores it is as large as they
        # are.
        share, negatives_below, positives_below = self._compare(self._look_up())
        return share, self._hull_of(negatives_below, positives_below)

    def _look_up(self) -> LookUp:
        """The smaller class looked up in the larger."""
        if len(self.positives) <= len(self.negatives):
            return LookUp.of(self.positives, self.negatives)
        return LookUp.of(self.negatives, self.positives)

    def _compare(self, look_up: LookUp) -> tuple[float, FloatArray, FloatArray]:
        """The AUC, and the inner points among which the corners of the hull are."""
        pairs = self.negatives.total * self.positives.total
        if look_up.own is self.positives:
            # The best points lie just below a group of positives.
            positives_below, negatives_below = look_up.corners_below()
            won = look_up.pairs_won()
        else:
            # The best points lie just above a group of negatives.
            negatives_below, positives_below = look_up.corners_above()
            won = pairs - look_up.pairs_won()
        return won / pairs, negatives_below, positives_below

    def _hull_of(self, x: FloatArray, y: FloatArray) -> Hull:
        """The hull of the inner points (x, y) between flagging everybody and nobody."""
        ends = self.totals
        x, y = lower_hull(
            np.concatenate([[0.0], x, ends[:1]]),
            np.concatenate([[0.0], y, ends[1:]]),
            rounding=self.rounding,
        )
        return Hull(read_only(x), read_only(y))

    @property
    def rounding(self) -> float:
        """How far rounding can move the ROC curve, relative to the totals; 0 if all is exact."""
        exact = self.negatives.whole_weights and self.positives.whole_weights
        if exact and self.negatives.total * self.positives.total < EXACT:
            return 0.0
        return max(self.negatives.rounding, self.positives.rounding)

    @cached_property
    def hull_thresholds(self) -> FloatArray:
        """A threshold for each corner of the hull, in the middle of the gap it stands in."""
        places = (
            (self.negatives, self.negatives.positions_of_weight(self.hull.negatives_below)),
            (self.positives, self.positives.positions_of_weight(self.hull.positives_below)),
        )
        below = np.max([sample.last_of_first(position) for sample, position in places], axis=0)
        above = np.min([sample.first_after(position) for sample, position in places], axis=0)
        return read_only(np.append(threshold_between(below, above)[:-1], np.inf))

    @cached_property
    def distinct(self) -> ScoreArray:
        """The distinct scores of both classes, ascending."""
        both = np.concatenate([self.negatives.values, self.positives.values])
        both.sort(kind="stable")
        return read_only(both[np.append(True, both[1:] != both[:-1])])

    @cached_property
    def at_distinct(self) -> tuple[FloatArray, FloatArray]:
        """Weight of the negatives and of the positives at or below each distinct score."""
        below = self.negatives.below(self.distinct), self.positives.below(self.distinct)
        return read_only(below[0]), read_only(below[1])

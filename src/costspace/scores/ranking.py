"""How the scores of two classes rank against each other, whatever the class shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, IndexArray, ScoreArray, read_only
from costspace.roc import lower_hull
from costspace.scores.sample import ClassSample, threshold_between

# Sums of counts are exact up to this.
_EXACT = 2.0**53
# Distinct scores whose pairs are summed at a time.
_BLOCK = 1 << 15


@final
@dataclass(frozen=True, eq=False)
class Hull:
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

    @property
    def fpr(self) -> FloatArray:
        return (self.negatives_below[-1] - self.negatives_below) / self.negatives_below[-1]

    @property
    def fnr(self) -> FloatArray:
        return self.positives_below / self.positives_below[-1]

    @property
    def breaks(self) -> FloatArray:
        """The k - 1 skews, ascending, at which the best corner changes to the next."""
        fp = np.diff(self.negatives_below) / self.negatives_below[-1]
        fn = np.diff(self.positives_below) / self.positives_below[-1]
        # Slopes that differ by less than rounding may have lost their order.
        return np.maximum.accumulate(fn / (fp + fn))


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """The scores of both classes; what follows from their order is computed once, when asked.

    Nothing here depends on the class shares, so a table and every reweighting of it share one
    ranking.
    """

    negatives: ClassSample
    positives: ClassSample

    @property
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half."""
        return self._auc_and_hull[0]

    @property
    def hull(self) -> Hull:
        return self._auc_and_hull[1]

    @cached_property
    def _auc_and_hull(self) -> tuple[float, Hull]:
        share, negatives_below, positives_below = self._compare()
        return share, self._hull_of(negatives_below, positives_below)

    def _compare(self) -> tuple[float, FloatArray, FloatArray]:
        """The AUC, and the inner points among which the corners of the hull are."""
        # Looking the smaller class up in the larger is enough for both, and what the look-up
        # gives is dropped on return: at 10^7 scores it is as large as they are.
        pairs = self.negatives.total * self.positives.total
        if len(self.positives) <= len(self.negatives):
            look_up = _look_up(self.positives, self.negatives)
            # The best points lie just below a group of positives.
            positives_below, negatives_below = look_up.corners_below()
            won = look_up.pairs_won()
        else:
            look_up = _look_up(self.negatives, self.positives)
            # The best points lie just above a group of negatives.
            negatives_below, positives_below = look_up.corners_above()
            won = pairs - look_up.pairs_won()
        return won / pairs, negatives_below, positives_below

    def _hull_of(self, x: FloatArray, y: FloatArray) -> Hull:
        """The hull of the inner points (x, y) between flagging everybody and nobody."""
        ends = self.negatives.total, self.positives.total
        exact = self.negatives.counts and self.positives.counts and ends[0] * ends[1] < _EXACT
        x, y = lower_hull(
            np.concatenate([[0.0], x, ends[:1]]),
            np.concatenate([[0.0], y, ends[1:]]),
            rounding=0.0 if exact else max(self.negatives.rounding, self.positives.rounding),
        )
        return Hull(read_only(x), read_only(y))

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


@final
@dataclass(frozen=True, eq=False)
class _LookUp:
    """Where each of the k distinct scores of one class stands among the scores of the other.

    Attributes
    ----------
    own, other : ClassSample
    starts : array of shape (k,)
        Position in `own` at which each distinct score begins.
    below, up_to : array of shape (k,)
        How many scores of `other` are below it, and how many not above it.
    """

    own: ClassSample
    other: ClassSample
    starts: IndexArray
    below: IndexArray
    up_to: IndexArray

    def pairs_won(self) -> float:
        """Weight of the pairs in which `own` scores above `other`, ties counting half."""
        if self.own.weights is None and self.other.weights is None and self._all_differ:
            return float(self.below.sum())
        won = 0.0
        ends = np.append(self.starts, len(self.own))
        for i in range(0, len(self.starts), _BLOCK):
            block = slice(i, i + _BLOCK)
            weight = np.diff(self.own.weight_of_first(ends[i : i + _BLOCK + 1]))
            below = self.other.weight_of_first(self.below[block])
            up_to = self.other.weight_of_first(self.up_to[block])
            won += float(np.sum(weight * (below + up_to))) / 2
        return won

    @property
    def _all_differ(self) -> bool:
        """Whether no score of `own` stands twice or in `other`."""
        return self.up_to is self.below and len(self.starts) == len(self.own)

    def corners_below(self) -> tuple[FloatArray, FloatArray]:
        """Weight of `own` and of `other` below each first of the scores that follow an other."""
        first = np.append(self.below[0] > 0, self.below[1:] != self.below[:-1])
        return self._weights(np.compress(first, self.starts), np.compress(first, self.below))

    def corners_above(self) -> tuple[FloatArray, FloatArray]:
        """Weight of `own` and of `other` up to each last of the scores that precede an other."""
        last = np.append(self.up_to[1:] != self.up_to[:-1], self.up_to[-1] < len(self.other))
        ends = np.append(self.starts[1:], len(self.own))
        return self._weights(np.compress(last, ends), np.compress(last, self.up_to))

    def _weights(self, own: IndexArray, other: IndexArray) -> tuple[FloatArray, FloatArray]:
        return self.own.weight_of_first(own), self.other.weight_of_first(other)


def _look_up(own: ClassSample, other: ClassSample) -> _LookUp:
    scores, starts = own.distinct()
    below = other.position(scores, inclusive=True)
    # Past the end nothing can be tied, and the last score, being below, is not.
    tied = np.take(other.values, below, mode="clip") == scores
    up_to = other.position(scores) if tied.any() else below
    return _LookUp(own, other, starts, below, up_to)

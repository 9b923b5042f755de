"""How the scores of two classes rank against each other, whatever the class shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from costspace.arrays import EXACT, FloatArray, IndexArray, ScoreArray, read_only
from costspace.roc import lower_hull
from costspace.scores.sample import ClassSample, ScoreFunction, threshold_between

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
class Ranking:
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
        look_up, positives = self._look_up()
        if "_auc_and_hull" not in vars(self):
            share, negatives_below, positives_below = self._compare(look_up, positives)
            hull = self._hull_of(negatives_below, positives_below)
            vars(self)["_auc_and_hull"] = share, hull
        if positives:
            return look_up.squares_over_other(1 - self.auc), look_up.squares_over_own(self.auc)
        return look_up.squares_over_own(1 - self.auc), look_up.squares_over_other(self.auc)

    @cached_property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Sums over each class of w^2 d and w^2 d^2: weights, and how far placements are off."""
        negatives, positives, auc = self.negatives, self.positives, self.auc
        off, squared = _weighted_sums(negatives, positives, 1 - auc)
        # Negatives are placed by what is above them.
        return (-off, squared), _weighted_sums(positives, negatives, auc)

    @cached_property
    def _auc_and_hull(self) -> tuple[float, Hull]:
        # What the look-up gives is dropped before the hull: at 10^7 scores it is as large as they
        # are.
        share, negatives_below, positives_below = self._compare(*self._look_up())
        return share, self._hull_of(negatives_below, positives_below)

    def _look_up(self) -> tuple["_LookUp", bool]:
        """The smaller class looked up in the larger, and whether that is the positives."""
        if len(self.positives) <= len(self.negatives):
            return _look_up(self.positives, self.negatives), True
        return _look_up(self.negatives, self.positives), False

    def _compare(
        self,
        look_up: "_LookUp",
        positives: bool,  # noqa: FBT001
    ) -> tuple[float, FloatArray, FloatArray]:
        """The AUC, and the inner points among which the corners of the hull are."""
        pairs = self.negatives.total * self.positives.total
        if positives:
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
        ends = self.negatives.total, self.positives.total
        exact = self.negatives.counts and self.positives.counts and ends[0] * ends[1] < EXACT
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


def half_below(sample: ClassSample, scores: FloatArray) -> FloatArray:
    """Weight of the scores of a sample below each of some scores, ties counting half."""
    before = sample.position(scores, inclusive=True)
    weight = np.asarray(sample.weight_of_first(before))
    tied = np.flatnonzero(np.take(sample.values, before, mode="clip") == scores)
    if tied.size:
        weight[tied] += sample.below(scores[tied])
        weight[tied] /= 2
    return weight


def _weighted_sums(own: ClassSample, other: ClassSample, mean: float) -> tuple[float, float]:
    """Sums over `own` of w^2 d and w^2 d^2, d the share of `other` below, less `mean`."""
    off = squared = 0.0
    squares = own.squares_of_each
    for i in range(0, len(own), _BLOCK):
        block = slice(i, i + _BLOCK)
        share = half_below(other, own.values[block].astype(float, copy=False))
        share /= other.total
        share -= mean
        weighted = share if own.weights is None else share * squares[block]
        off += float(np.sum(weighted))
        squared += float(np.sum(weighted * share))
    return off, squared


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

    def squares_over_own(self, mean: float) -> float:
        """Mean over `own` of (share of `other` below, ties counting half, less `mean`)^2."""
        total, ends = 0.0, np.append(self.starts, len(self.own))
        for i in range(0, len(self.starts), _BLOCK):
            block = slice(i, i + _BLOCK)
            weight = np.diff(self.own.weight_of_first(ends[i : i + _BLOCK + 1]))
            share = self.other.weight_of_first(self.below[block])
            share += self.other.weight_of_first(self.up_to[block])
            share /= 2 * self.other.total
            share -= mean
            share *= share
            share *= weight
            total += float(np.sum(share))
        return total / self.own.total

    def squares_over_other(self, mean: float) -> float:
        """Mean over `other` of (share of `own` below, ties counting half, less `mean`)^2."""
        total, ends = 0.0, np.append(self.starts, len(self.own))
        before = np.append(0, self.up_to)
        for i in range(0, len(self.starts), _BLOCK):
            block = slice(i, i + _BLOCK)
            share = self.own.weight_of_first(ends[i : i + _BLOCK + 1]) / self.own.total - mean
            # Those between two scores of `own` are above the lower one, others tied with it.
            passed, below, up_to = (
                self.other.weight_of_first(some[block]) for some in (before, self.below, self.up_to)
            )
            between, tied = below - passed[: len(below)], up_to - below
            total += float(np.sum(between * share[:-1] ** 2))
            total += float(np.sum(tied * ((share[:-1] + share[1:]) / 2) ** 2))
        last = self.other.total - float(self.other.weight_of_first(int(self.up_to[-1])))
        return (total + last * (1 - mean) ** 2) / self.other.total

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

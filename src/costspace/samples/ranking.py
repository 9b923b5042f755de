"""How the scores of two classes rank against each other, independent of the class shares."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, final

import numpy as np

from costspace.arrays import (
    EXACT,
    FloatArray,
    FrozenValue,
    IndexArray,
    ScoreFunction,
    read_only,
)
from costspace.roc.hull import lower_hull
from costspace.samples.class_sample import ClassSample, threshold_between
from costspace.samples.placements import Placements, weighted_sums
from costspace.samples.ranked import Hull, Keeping
from costspace.samples.sorting import search


class KnownMeans(Protocol):
    """What is known of scores besides the samples that represent them."""

    @cached_property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class."""


@final
@dataclass(frozen=True, eq=False)
class Ranking(FrozenValue, Keeping):
    """The scores of both classes; what their order determines is computed once, at the first use.

    Nothing here depends on the class shares, so a table and every reweighting of it share one
    ranking.

    Parameters
    ----------
    negatives, positives : ClassSample
    known : costspace.samples.ranking.KnownMeans, optional
        More exact class means and range, if the samples represent scores known only by bin.
    placed : bool, default False
        Whether placements will be needed: then they come with the AUC and the hull, from one
        look-up of a class in the other, the slowest step.
    """

    negatives: ClassSample
    positives: ClassSample
    known: KnownMeans | None = None
    placed: bool = False

    def with_placements(self) -> "Ranking":
        return replace(self, placed=True)

    @property
    def exact(self) -> bool:
        return self.known is None

    @property
    def totals(self) -> tuple[float, float]:
        return self.negatives.total, self.positives.total

    @cached_property
    def score_range(self) -> tuple[float, float]:
        if self.known is not None:
            return self.known.score_range
        ends = [sample.values[[0, -1]] for sample in (self.negatives, self.positives)]
        return float(min(e[0] for e in ends)), float(max(e[1] for e in ends))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        if self.known is not None:
            return self.known.class_means(on_negatives, on_positives)
        return self.negatives.mean(on_negatives), self.positives.mean(on_positives)

    @property
    def auc(self) -> float:
        return self._compared[0]

    @property
    def hull(self) -> Hull:
        return self._compared[1]

    @cached_property
    def placement_squares(self) -> tuple[float, float]:
        found = self._compared[2]
        return self._squares(self._placements(), self.auc) if found is None else found

    @cached_property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        negatives, positives, auc = self.negatives, self.positives, self.auc
        off, squared = weighted_sums(negatives, positives, 1 - auc)
        # Negatives are placed by the positives above them.
        return (-off, squared), weighted_sums(positives, negatives, auc)

    @cached_property
    def _compared(self) -> tuple[float, Hull, tuple[float, float] | None]:
        """The AUC, the hull and, if they will be needed, the squares of placements."""
        placements = self._placements()
        auc, negatives_below, positives_below = self._compare(placements)
        squares = self._squares(placements, auc) if self.placed else None
        # Dropped before the hull: they are as large as the scores.
        del placements
        return auc, self._hull_of(negatives_below, positives_below), squares

    def _placements(self) -> Placements:
        """The smaller class looked up in the larger."""
        if self._positives_are_fewer:
            return Placements.of(self.positives, self.negatives)
        return Placements.of(self.negatives, self.positives)

    @property
    def _positives_are_fewer(self) -> bool:
        return len(self.positives) <= len(self.negatives)

    def _squares(self, placements: Placements, auc: float) -> tuple[float, float]:
        if self._positives_are_fewer:
            return placements.squares_over_other(1 - auc), placements.squares_over_own(auc)
        return placements.squares_over_own(1 - auc), placements.squares_over_other(auc)

    def _compare(self, placements: Placements) -> tuple[float, FloatArray, FloatArray]:
        """The AUC, and the inner points that include the corners of the hull."""
        pairs = self.negatives.total * self.positives.total
        if self._positives_are_fewer:
            # The best points are just below a group of positives.
            positives_below, negatives_below = placements.corners_below()
            won = placements.pairs_won()
        else:
            # The best points are just above a group of negatives.
            negatives_below, positives_below = placements.corners_above()
            won = pairs - placements.pairs_won()
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
        exact = self.negatives.whole_weights and self.positives.whole_weights
        if exact and self.negatives.total * self.positives.total < EXACT:
            return 0.0
        return max(self.negatives.rounding, self.positives.rounding)

    @cached_property
    def hull_thresholds(self) -> FloatArray:
        places = (
            (self.negatives, self.negatives.positions_of_weight(self.hull.negatives_below)),
            (self.positives, self.positives.positions_of_weight(self.hull.positives_below)),
        )
        below = np.max([sample.last_of_first(position) for sample, position in places], axis=0)
        above = np.min([sample.first_after(position) for sample, position in places], axis=0)
        inner = threshold_between(below[1:-1], above[1:-1])
        return read_only(np.concatenate([[-np.inf], inner, [np.inf]]))

    @cached_property
    def cut_points(self) -> FloatArray:
        lowest = highest = self.distinct
        if self.negatives.lowest is not None or self.positives.lowest is not None:
            lowest = highest.copy()
            for sample in (self.negatives, self.positives):
                lowest[np.searchsorted(highest, sample.values)] = sample.lowest_of_each
        return read_only(threshold_between(highest[:-1], lowest[1:]))

    @property
    def distinct(self) -> FloatArray:
        return self._merged[0]

    @property
    def at_distinct(self) -> tuple[FloatArray, FloatArray]:
        _, negatives, positives = self._merged
        below = self.negatives.weight_of_first(negatives), self.positives.weight_of_first(positives)
        return read_only(below[0]), read_only(below[1])

    @cached_property
    def _merged(self) -> tuple[FloatArray, IndexArray, IndexArray]:
        """The distinct scores, and how many of either class are at or below each, in few bytes."""
        both = np.concatenate([self.negatives.values, self.positives.values])
        both.sort(kind="stable")
        starts = np.flatnonzero(np.append(True, both[1:] != both[:-1]))
        distinct, up_to = read_only(both[starts]), np.append(starts[1:], len(both))
        kind = np.min_scalar_type(-len(both) - 1)
        # Only the class with fewer rows is looked up; the counts of the other follow.
        fewer = self.positives if self._positives_are_fewer else self.negatives
        places = search(distinct, fewer.values, "left")
        counts = np.bincount(places, minlength=len(distinct))
        own = np.cumsum(counts, dtype=kind)
        rest = (up_to - own).astype(kind)
        return (distinct, rest, own) if self._positives_are_fewer else (distinct, own, rest)

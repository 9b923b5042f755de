"""The interface of rankings of the scores of two classes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, ScoreFunction, read_only
from costspace.samples.class_sample import ClassSample


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
        # Rounding can change the order of nearly equal slopes.
        return read_only(np.maximum.accumulate(fn / (fp + fn)))


class Keeping:
    """A ranking with a cache for what others derive from it alone."""

    @cached_property
    def _found(self) -> dict[str, FloatArray]:
        return {}

    def found(self, name: str, find: Callable[[], FloatArray]) -> FloatArray:
        if name not in self._found:
            self._found[name] = read_only(find())
        return self._found[name]


class RankedScores(Protocol):
    """How the scores of two classes rank against each other, independent of the class shares.

    It has what a `ScoreTable` and standard errors need.
    """

    @property
    def negatives(self) -> ClassSample:
        """Sorted scores of the negative class."""

    @property
    def positives(self) -> ClassSample:
        """Sorted scores of the positive class."""

    @property
    def exact(self) -> bool:
        """Whether the samples are the exact scores, not representatives of bins."""

    @property
    def totals(self) -> tuple[float, float]:
        """Weight of the negatives and of the positives."""

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class."""

    @property
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half."""

    @property
    def hull(self) -> Hull:
        """The ROC convex hull."""

    @property
    def hull_thresholds(self) -> FloatArray:
        """A threshold for each corner of the hull, in the middle of its gap."""

    @property
    def cut_points(self) -> FloatArray:
        """A threshold in the middle of each gap between neighbouring distinct scores."""

    @property
    def distinct(self) -> FloatArray:
        """The distinct scores of both classes, ascending."""

    @property
    def at_distinct(self) -> tuple[FloatArray, FloatArray]:
        """Weight of the negatives and of the positives at or below each distinct score."""

    @property
    def rounding(self) -> float:
        """How far rounding can move the ROC curve, relative to the totals; 0 if exact."""

    def found(self, name: str, find: Callable[[], FloatArray]) -> FloatArray:
        """The value of that name that `find` derives from the ranking, cached."""

    def with_placements(self) -> "RankedScores":
        """The same ranking, prepared to give placements with less work."""

    @property
    def placement_squares(self) -> tuple[float, float]:
        """Mean square, over each class, of placements minus the AUC.

        A score's placement is the share of the other class that it is ranked correctly against,
        ties counting half.
        """

    @property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Sums over each class of w^2 d and w^2 d^2: w weights, d placements minus the AUC."""

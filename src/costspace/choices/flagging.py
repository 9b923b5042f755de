"""The probability that a score is flagged, as the operating condition grows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath


@final
@dataclass(frozen=True, eq=False)
class Exposure(FrozenValue):
    """The risk of one row under a choice, over a distribution of conditions C.

    Attributes
    ----------
    as_negative : array, in [0, 1]
        E[C; flagged]: half its loss, per class share, if it is a negative.
    as_positive : array, in [0, 1]
        E[1 - C; not flagged]: the same if it is a positive.
    """

    as_negative: FloatArray
    as_positive: FloatArray


class Flagging(ABC):
    """The probability that each of some scores is flagged, at every condition."""

    @abstractmethod
    def exposure(self, costs: CostDistribution) -> Exposure:
        """The risk of a row at each score."""

    @abstractmethod
    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath | SmoothPath:
        """The path of a sample whose distinct scores, ascending, have this flagging.

        `points` are the operating points that flag all, and then all above each score.
        """

    @property
    def held(self) -> "Held | None":
        """The probability that each score keeps, and up to which condition.

        None, the default, if the probability does not drop from one value to 0 at once.
        """
        return None


@final
@dataclass(frozen=True, eq=False)
class Held(FrozenValue):
    """A probability of being flagged that each score keeps until it is no longer flagged.

    Attributes
    ----------
    share : array, in [0, 1]
    until : array, in [0, 1], or None
        The condition from which it is 0; None if it is kept at every condition.
    """

    share: FloatArray
    until: FloatArray | None = None


@final
@dataclass(frozen=True, eq=False)
class ConstantFlagging(FrozenValue, Flagging):
    """Flagged with the same probability at every condition.

    Attributes
    ----------
    share : array, in [0, 1]
        The probability, which does not fall as the score rises.

    Examples
    --------
    >>> import costspace as cs
    >>> half = ConstantFlagging(np.array([0.5]))
    >>> half.exposure(cs.Uniform()).as_negative
    array([0.25])
    """

    share: FloatArray

    def exposure(self, costs: CostDistribution) -> Exposure:
        mean = costs.mean()
        return Exposure(self.share * mean, (1 - self.share) * (1 - mean))

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath:
        # Not as dot products: BLAS would start its threads.
        fpr = np.sum(-np.diff(points.fpr) * self.share)
        fnr = np.sum(np.diff(points.fnr) * (1 - self.share))
        return OperatingPath.constant(fpr, fnr, prevalence)

    @property
    def held(self) -> Held:
        return Held(self.share)


@final
@dataclass(frozen=True, eq=False)
class SwitchedFlagging(FrozenValue, Flagging):
    """Flagged below condition `until`, not from there on.

    Attributes
    ----------
    until : array, in [0, 1]
        It ascends with the score.

    Examples
    --------
    The score-driven choice flags a score up to the condition that it is:

    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> cs.ScoreDriven().flagging(table, np.array([0.1, 0.6])).until
    array([0.1, 0.6])
    """

    until: FloatArray

    def exposure(self, costs: CostDistribution) -> Exposure:
        return Exposure(costs.below(self.until, 1), costs.complement_from(self.until))

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath:
        at = np.unique(self.until)
        passed = np.searchsorted(self.until, at, side="right")
        return OperatingPath.stepping(at, points.take(np.append(0, passed)), prevalence)

    @property
    def held(self) -> Held:
        return Held(np.ones(len(self.until)), self.until)


@final
@dataclass(frozen=True, eq=False)
class SlidingFlagging(FrozenValue, Flagging):
    """Flagged below condition `start`, not from `end` on, with a falling probability between.

    In between the probability falls linearly from 1 to 0.

    Attributes
    ----------
    start, end : array, in [0, 1]
        ``start <= end``; both ascend with the score, and the ranges of two scores are equal or
        do not overlap.

    Examples
    --------
    The rate-driven choice flags a block of ties with a falling probability, over a range of
    conditions as wide as its share:

    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> flagging = cs.RateDriven().flagging(table, np.array([0.1, 0.6]))
    >>> flagging.start, flagging.end
    (array([0. , 0.5]), array([0.25, 0.75]))
    """

    start: FloatArray
    end: FloatArray

    def exposure(self, costs: CostDistribution) -> Exposure:
        low, high = self.start, self.end
        m0, m1, m2 = (costs.below(high, k) - costs.below(low, k) for k in (0, 1, 2))
        width = high - low
        per_width = np.divide(1, width, out=np.zeros_like(width), where=width > 0)
        flagged = (high * m1 - m2) * per_width
        missed = ((1 + low) * m1 - m2 - low * m0) * per_width
        # Rounding can make a difference of moments negative.
        return Exposure(
            costs.below(low, 1) + np.maximum(flagged, 0),
            costs.complement_from(high) + np.maximum(missed, 0),
        )

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath:
        inner = np.unique(np.concatenate([self.start, self.end]))
        done = np.searchsorted(self.end, inner, side="right")
        begun = np.searchsorted(self.start, inner, side="left")
        return OperatingPath(
            np.concatenate([[0.0], inner, [1.0]]),
            points.take(np.append(0, done)),
            points.take(np.append(begun, len(self.start))),
            prevalence,
        )

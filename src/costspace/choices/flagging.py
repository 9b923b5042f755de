"""How likely a score is flagged as the operating condition grows: a choice seen from examples."""

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath


@final
@dataclass(frozen=True, eq=False)
class Exposure(FrozenValue):
    """What one example risks under a choice, over a distribution of conditions C.

    Attributes
    ----------
    as_negative : array, in [0, 1]
        E[C; flagged]: half its loss, per class share, if it is a negative.
    as_positive : array, in [0, 1]
        E[1 - C; not flagged]: the same if it is a positive.
    """

    as_negative: FloatArray
    as_positive: FloatArray


class Flagging(Protocol):
    """The probability that each of some scores is flagged, at every condition."""

    def exposure(self, costs: CostDistribution) -> Exposure:
        """What an example of each score risks."""

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath | SmoothPath:
        """The path of a sample whose distinct scores, ascending, are the scores flagged so.

        `points` are the operating points that flag all, and then all above each score.
        """


@final
@dataclass(frozen=True, eq=False)
class ConstantFlagging(FrozenValue):
    """Flagged with a probability that no condition changes.

    Attributes
    ----------
    share : array, in [0, 1]
        The probability, which does not fall as the score rises.
    """

    share: FloatArray

    def exposure(self, costs: CostDistribution) -> Exposure:
        mean = costs.mean()
        return Exposure(self.share * mean, (1 - self.share) * (1 - mean))

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath:
        # Not as dot products: BLAS would wake its threads.
        fpr = np.sum(-np.diff(points.fpr) * self.share)
        fnr = np.sum(np.diff(points.fnr) * (1 - self.share))
        return OperatingPath.constant(fpr, fnr, prevalence)


@final
@dataclass(frozen=True, eq=False)
class SwitchedFlagging(FrozenValue):
    """Flagged at every condition below `start` and at none from `end`.

    In between the probability falls linearly from 1 to 0.

    Attributes
    ----------
    start, end : array, in [0, 1]
        ``start <= end``; both ascend with the score, and the ranges of two scores are the same
        or do not overlap.
    """

    start: FloatArray
    end: FloatArray

    def exposure(self, costs: CostDistribution) -> Exposure:
        if self.start is self.end:
            return Exposure(costs.below(self.end, 1), costs.complement_from(self.end))
        low, high = self.start, self.end
        m0, m1, m2 = (costs.below(high, k) - costs.below(low, k) for k in (0, 1, 2))
        width = high - low
        per_width = np.divide(1, width, out=np.zeros_like(width), where=width > 0)
        flagged = (high * m1 - m2) * per_width
        missed = ((1 + low) * m1 - m2 - low * m0) * per_width
        # What rounding leaves of a difference of moments may be below zero.
        return Exposure(
            costs.below(low, 1) + np.maximum(flagged, 0),
            costs.complement_from(high) + np.maximum(missed, 0),
        )

    def path(self, points: OperatingPoints, prevalence: float) -> OperatingPath:
        inner = np.unique(np.concatenate([self.start, self.end]))
        breaks = np.concatenate([[0.0], inner, [1.0]])
        done = np.searchsorted(self.end, inner, side="right")
        start = points.take(np.append(0, done))
        if self.start is self.end:
            return OperatingPath(breaks, start, start, prevalence)
        begun = np.searchsorted(self.start, inner, side="left")
        end = points.take(np.append(begun, len(self.start)))
        return OperatingPath(breaks, start, end, prevalence)

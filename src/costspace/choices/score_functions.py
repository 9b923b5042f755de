"""Functions of the score whose class means score-based choices need.

They are hashable values, so that a sample computes the mean of each only once.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.condition import cost_from_skew, skew_from_cost, without_rounding
from costspace.costs.base import CostDistribution
from costspace.scores.look_ups import Switch


@final
@dataclass(frozen=True)
class ShareOfRangeBelow:
    """Share of the thresholds in [low, high] that flag a score."""

    low: float
    high: float

    def __call__(self, scores: FloatArray) -> FloatArray:
        # In place, and without steps that change nothing, as they do over [0, 1].
        share = np.clip(scores, self.low, self.high)
        if self.low:
            share -= self.low
        if self.high - self.low != 1:
            share /= self.high - self.low
        return share

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it bends."""
        width = self.high - self.low
        return _straight(self, low, high, -self.low / width, 1 / width)


@final
@dataclass(frozen=True)
class ShareOfRangeFrom:
    """Share of the thresholds in [low, high] that do not flag a score."""

    low: float
    high: float

    def __call__(self, scores: FloatArray) -> FloatArray:
        width = self.high - self.low
        return (self.high - np.clip(scores, self.low, self.high)) / width

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it bends."""
        width = self.high - self.low
        return _straight(self, low, high, self.high / width, -1 / width)


def _straight(
    share: ShareOfRangeBelow | ShareOfRangeFrom,
    low: FloatArray,
    high: FloatArray,
    constant: float,
    slope: float,
) -> FloatArray:
    """The coefficients of a share: a straight line inside its range, constant on either side."""
    inside = (low >= share.low) & (high <= share.high)
    outside = np.where(
        (high <= share.low) | (low >= share.high), [share(low), 0 * share(low)], np.nan
    )
    c0, c1 = np.where(inside, [[constant], [slope]], outside)
    return np.stack([c0, c1, np.zeros_like(c0)])


@final
@dataclass(frozen=True)
class PriorShift(Switch):
    """The condition up to which a score-driven threshold flags a score."""

    # The prevalence that the scores are calibrated to, and the one that they are corrected for;
    # None if each score is flagged up to the condition equal to it.
    correction: tuple[float, float] | None
    # Whether scores have densities, whose curves have no jumps for rounding to move.
    smooth: bool = False

    def __call__(self, x: FloatArray) -> FloatArray:
        if self.correction is None:
            return x
        calibrated_to, prevalence = self.correction
        return self._shifted(x, calibrated_to, prevalence)

    def inverse(self, c: FloatArray) -> FloatArray:
        """The threshold at each condition."""
        if self.correction is None:
            return c
        calibrated_to, prevalence = self.correction
        return self._shifted(c, prevalence, calibrated_to)

    def _shifted(self, x: FloatArray, start: float, end: float) -> FloatArray:
        """Probabilities at one prevalence as they are at another."""
        if start == end:
            return x
        found = np.asarray(cost_from_skew(skew_from_cost(x, prevalence=start), prevalence=end))
        return found if self.smooth else without_rounding(found)


@final
@dataclass(frozen=True)
class ExposureAsNegative:
    """E[C; C < switch]: the risk of a negative at a score."""

    switch: PriorShift
    costs: CostDistribution

    def __call__(self, scores: FloatArray) -> FloatArray:
        return self.costs.below(self.switch(scores), 1)

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it is no quadratic."""
        start, density = self.switch(low), _flat_on(self.switch, self.costs, low, high)
        constant = self.costs.below(start, 1) - density * start**2 / 2
        return np.stack([constant, 0 * density, density / 2])


@final
@dataclass(frozen=True)
class ExposureAsPositive:
    """E[1 - C; C >= switch]: the risk of a positive at a score."""

    switch: PriorShift
    costs: CostDistribution

    def __call__(self, scores: FloatArray) -> FloatArray:
        return self.costs.complement_from(self.switch(scores))

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it is no quadratic."""
        end, density = self.switch(high), _flat_on(self.switch, self.costs, low, high)
        constant = self.costs.complement_from(end) + density * (end - end**2 / 2)
        return np.stack([constant, -density, density / 2])


def _flat_on(
    switch: PriorShift, costs: CostDistribution, low: FloatArray, high: FloatArray
) -> FloatArray:
    """The density of the conditions up to which [low, high] is flagged, if it is constant there.

    Where it is, partial moments are quadratics of the condition; of the score too, unless the
    switch bends.
    """
    density = costs.flat_on(switch(low), switch(high))
    return density if switch.correction is None else np.where(density == 0, 0.0, np.nan)

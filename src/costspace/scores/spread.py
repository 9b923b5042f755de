"""A score distribution that is uniform on some intervals."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, ScoreFunction
from costspace.quadrature import integrate
from costspace.scores.density import ScoreDistribution


@final
@dataclass(frozen=True, eq=False)
class SpreadScores(FrozenValue):
    """A distribution whose mass between each `start` and `end` is spread evenly.

    Its support may be cut where the mass beyond is lost to rounding.
    """

    given: ScoreDistribution
    start: FloatArray
    end: FloatArray
    support: tuple[float, float]

    @cached_property
    def breaks(self) -> FloatArray:
        return np.unique(np.concatenate([self.given.breaks, self.start, self.end]))

    @cached_property
    def grid(self) -> FloatArray:
        return np.union1d(self.given.grid, self.breaks)

    @cached_property
    def _heights(self) -> FloatArray:
        """The density on each interval."""
        mass = self.given.cdf(self.end) - self.given.cdf(self.start)
        return mass / (self.end - self.start)

    def pdf(self, t: FloatArray) -> FloatArray:
        stretch, inside = self._stretch(t)
        low, high = self.support
        elsewhere = np.where((t >= low) & (t <= high), self.given.pdf(t), 0.0)
        return np.where(inside, self._heights[stretch], elsewhere)

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        def elsewhere(t: FloatArray) -> FloatArray:
            return np.where(self._stretch(t)[1], 0.0, f(t))

        def here(t: FloatArray) -> FloatArray:
            return np.where(self._stretch(t)[1], f(t), 0.0)

        edges = np.union1d(grid, np.concatenate([self.start, self.end]))
        spread = edges[(edges >= self.start[0]) & (edges <= self.end[-1])]
        stretch, inside = self._stretch((spread[:-1] + spread[1:]) / 2)
        even = np.where(inside, self._heights[stretch], 0)
        return self.given.mean(elsewhere, edges) + float(np.sum(integrate(here, spread) * even))

    def cdf(self, t: FloatArray) -> FloatArray:
        return self._moved(t, self.given.cdf)

    def sf(self, t: FloatArray) -> FloatArray:
        return self._moved(t, self.given.sf)

    def _moved(self, t: FloatArray, share: ScoreFunction) -> FloatArray:
        stretch, inside = self._stretch(t)
        a, b = self.start[stretch], self.end[stretch]
        along = np.clip((t - a) / (b - a), 0, 1)
        return np.where(inside, share(a) * (1 - along) + share(b) * along, share(t))

    def _stretch(self, t: FloatArray) -> tuple[IndexArray, BoolArray]:
        stretch = np.clip(np.searchsorted(self.start, t) - 1, 0, None)
        return stretch, (self.start[stretch] < t) & (t < self.end[stretch])

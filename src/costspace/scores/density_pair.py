"""Two class-conditional score densities against each other, independent of the class shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.scores.density import ScoreDistribution, apart
from costspace.scores.density_hull import DensityHull
from costspace.scores.roots import narrowed

# Kinks closer than this share of the distance to the next are equal up to rounding.
_SAME_KINK = 1e-9
# Tolerance of a rate.
_RATE = 1e-16


@final
@dataclass(frozen=True, eq=False)
class DensityPair(FrozenValue):
    """The scores of two classes; everything derived is computed once, at the first use."""

    negatives: ScoreDistribution
    positives: ScoreDistribution

    @cached_property
    def grid(self) -> FloatArray:
        """Thresholds, ascending; the first flags all and the last none."""
        return apart(np.union1d(self.negatives.grid, self.positives.grid), kept=self.kinks)

    @cached_property
    def kinks(self) -> FloatArray:
        return apart(np.union1d(self.negatives.breaks, self.positives.breaks), share=_SAME_KINK)

    @cached_property
    def at_grid(self) -> tuple[FloatArray, FloatArray]:
        """Share of each class at or below each threshold of the grid."""
        inner = self.grid[1:-1]
        below = (np.maximum.accumulate(f(inner)) for f in (self.negatives.cdf, self.positives.cdf))
        x, y = (np.concatenate([[0.0], share, [1.0]]) for share in below)
        return x, y

    @cached_property
    def _flagged_negatives(self) -> FloatArray:
        """The FPR at each threshold of the grid."""
        # By sf, like the results: SciPy's sf and 1 - cdf can differ in the 12th digit.
        above = np.minimum.accumulate(self.negatives.sf(self.grid[1:-1]))
        return np.concatenate([[1.0], above, [0.0]])

    @cached_property
    def hull(self) -> DensityHull:
        return DensityHull(self.negatives, self.positives, self.grid, self.kinks, self.at_grid)

    @property
    def bridges(self) -> tuple[FloatArray, FloatArray]:
        """The intervals of thresholds whose ROC points are below a chord of the hull."""
        return self.hull.bridges

    @cached_property
    def auc(self) -> float:
        return self.positives.mean(self.negatives.cdf, self.grid)

    def at_share(
        self, flagged: FloatArray, weights: tuple[float, float], *, most: bool
    ) -> tuple[FloatArray, FloatArray]:
        """FPR and FNR where a weighted share of both classes is above the threshold.

        Where a class has no scores this can be a range of thresholds: the lowest with `most`, else
        the highest.
        """
        w0, w1 = weights
        share = 1 - flagged
        f0, f1 = self.negatives, self.positives
        below = w0 * (1 - self._flagged_negatives) + w1 * self.at_grid[1]
        cell = np.searchsorted(below, share, side="left" if most else "right")
        cell = np.clip(cell, 1, len(below) - 1)
        (low, high), (at_low, at_high) = narrowed(
            lambda t, i: w0 * (1 - f0.sf(t)) + w1 * f1.cdf(t) - share[i],
            (self.grid[cell - 1], self.grid[cell]),
            (below[cell - 1] - share, below[cell] - share),
            np.full(share.shape, _RATE),
        )
        # Linear between the last two thresholds: near a pole of a density there are scores
        # even between neighbouring floats.
        width = at_high - at_low
        along = np.divide(-at_low, width, out=np.ones_like(width), where=width > 0).clip(0, 1)
        fpr = f0.sf(low) + along * (f0.sf(high) - f0.sf(low))
        return fpr, f1.cdf(low) + along * (f1.cdf(high) - f1.cdf(low))

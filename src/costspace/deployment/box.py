"""The conditions that bounds allow, as a box in logarithms."""

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import expit

from costspace.arrays import FloatArray, FrozenValue
from costspace.deployment.conditions import Range, Stakes
from costspace.errors import ConditionError


@final
@dataclass(frozen=True, eq=False)
class Box(FrozenValue):
    """Intervals for each of the three terms of the log-odds of the skew.

    Attributes
    ----------
    a, b, prevalence : arrays of shape (k, 2)
        Where ln a, -ln b and minus the log-odds of the prevalence can be.
    """

    a: FloatArray
    b: FloatArray
    prevalence: FloatArray

    @property
    def _sides(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.a, self.b, self.prevalence

    @property
    def skew_range(self) -> Range:
        """The least and the greatest skew."""
        low, high = (sum(end(side) for side in self._sides) for end in (np.min, np.max))
        return Range(float(expit(low)), float(expit(high)))

    def extremes(self, skews: FloatArray) -> Stakes:
        """The corners, and the points on the box's edges that have one of the skews.

        Stakes are linear in each of a, b and the prevalence, so on a piece of the box between two
        skews what is linear in the stakes is largest at one of these.
        """
        if not np.all(np.isfinite([self.a.max(), self.b.min()])):
            raise ConditionError(
                "costs without an upper bound have no largest regret: give bounds or Drawn values."
            )
        ends = [np.unique(side) for side in self._sides]
        points = [_combined(*ends)]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.log(np.ravel(skews)) - np.log1p(-np.ravel(skews))
            for i, side in enumerate(self._sides):
                others = _combined(*(t, *ends[:i], *ends[i + 1 :]))
                free = others[0] - others[1] - others[2]
                for low, high in side[side[:, 0] < side[:, 1]]:
                    inside = (free >= low) & (free <= high)
                    rows = [others[1][inside], others[2][inside]]
                    rows.insert(i, free[inside])
                    points.append(np.stack(rows))
        a, b, prevalence = np.concatenate(points, axis=1)
        return Stakes(np.exp(a) * expit(prevalence), np.exp(-b) * expit(-prevalence))


def _combined(*values: FloatArray) -> FloatArray:
    """All combinations, one column each."""
    return np.stack([grid.ravel() for grid in np.meshgrid(*values, indexing="ij")])

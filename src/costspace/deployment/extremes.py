"""The conditions that bounds allow: their skews, and those at which costs are largest."""

from typing import TypeAlias

import numpy as np

from costspace.arrays import FloatArray
from costspace.deployment.amounts import Amount
from costspace.deployment.bounds import Range, Stakes
from costspace.errors import ConditionError
from costspace.special import expit

# Intervals, of shape (k, 2), of ln a, of -ln b and of minus the log-odds of the prevalence. The
# three sum to the log-odds of the skew.
Sides: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]


def gaps(wrong: Amount, right: Amount) -> FloatArray:
    """The possible values of wrong - right: intervals, of shape (k, 2)."""
    found = np.subtract.outer(wrong.intervals, right.intervals[:, ::-1])
    return np.stack([found[:, 0, :, 0].ravel(), found[:, 1, :, 1].ravel()], axis=1)


def skews_between(sides: Sides) -> Range:
    """The least and the greatest skew."""
    low, high = (sum(end(side) for side in sides) for end in (np.min, np.max))
    return Range(float(expit(low)), float(expit(high)))


def extremes_of(sides: Sides, skews: FloatArray) -> Stakes:
    """The corners, and the points on the edges that have one of the skews.

    Stakes are linear in each of a, b and the prevalence. So between two skews a linear function of
    the stakes is largest at one of these.
    """
    if not np.all(np.isfinite([sides[0].max(), sides[1].min()])):
        raise ConditionError(
            "costs without an upper bound allow no largest regret: give bounds or Drawn values."
        )
    ends = [np.unique(side) for side in sides]
    points = [_combined(*ends)]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.log(np.ravel(skews)) - np.log1p(-np.ravel(skews))
        for i, side in enumerate(sides):
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

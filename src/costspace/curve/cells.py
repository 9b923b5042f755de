"""Functions of the operating condition, cut into cells on which they are quadratic."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, Function
from costspace.costs import CostDistribution
from costspace.errors import ConditionError

# Cells that every function is cut into before any is halved.
_CELLS = 64
# More cells to halve at once mean that the function is noise.
_MOST_CELLS = 1 << 18
# A cell this narrow, as a share of its condition, or this close to 0, is not halved further.
_NARROWEST = 8 * float(np.finfo(float).eps)
_NEAREST = 1e-100
# The error from a condition rounded by this share, times the slope, is allowed, up to so many
# tolerances.
_ROUNDING = 8e-16
_MOST_ROUNDED = 1e5
# In powers of c a larger term of c^2 would be only rounding. Below the second condition terms are
# judged by their size at it; closer to 0 than the third, coefficients are too large.
_STEEPEST = 1e5
_NEAR_0 = 3e-3
_NEAREST_IN_POWERS = 1e-13
# The rounding error of a cell's moments is less than a hundredth of this.
_UNCLEAR = 1e-14
# A cell with a mass of so many times its width is taken as a single condition.
_DENSEST = 1e3
_QUARTERS = np.array([0.25, 0.75])


@final
@dataclass(frozen=True, eq=False)
class Cells(FrozenValue):
    """Functions, approximated by a quadratic on each cell.

    With u the share of the cell before c, the function is
    ``start + u (end - start) - 2 u (1 - u) bend``.
    """

    breaks: FloatArray  # shape (m + 1,): the ends of the cells, ascending
    # Shape (k, m): of each function on each cell.
    start: FloatArray
    end: FloatArray
    bend: FloatArray
    # Shape (m,): cells on which the functions still bend, taken as straight: too narrow to be
    # halved.
    unresolved: BoolArray

    def expectation(self, costs: CostDistribution, at_1: FloatArray) -> FloatArray:
        """Expectation of each function, from 0 to 1, over a distribution of conditions."""
        a, b, h = self.breaks[:-1], self.breaks[1:], np.diff(self.breaks)
        # A last piece of length 0 has the mass at 1.
        moments = costs.partial_moments(np.append(self.breaks, 1.0))
        m0, m1, m2 = moments[:, :-1]
        # E[u] and E[u (1 - u)], u the share of the cell before c. Where they would be rounding,
        # they are those of a single condition, or of a constant density.
        u = np.where(m0 * h > _UNCLEAR, (m1 - a * m0) / h, m0 / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            unclear = np.where(m0 > _DENSEST * h, u - u**2 / m0, m0 / 6)
        clear = ((a + b) * m1 - m2 - a * b * m0) / h / h
        within = np.where(m0 * h * h > _UNCLEAR, clear, unclear)
        parts = self.start * m0 + (self.end - self.start) * u - 2 * self.bend * within
        return np.asarray(np.sum(parts, axis=1) + at_1 * moments[0, -1])


def cells_along(
    f: Function,
    left: Function,
    breaks: FloatArray,
    tolerance: float,
    *,
    least: float = 0.0,
    in_powers: bool = False,
) -> Cells:
    """Halve cells until quadratics match k functions, and their left limits, to the tolerance.

    Between ascending breaks the functions are smooth, and cells begin and end there. A cell of
    `least` width is not halved. If quadratics will be `in_powers` of c, the rounding of those is
    allowed. `ConditionError` if the functions are too rough, or NaN somewhere.
    """
    edges = np.union1d(breaks, np.linspace(breaks[0], breaks[-1], _CELLS + 1))
    a, b = edges[:-1], edges[1:]
    (start, middle), end = np.split(f(np.append(a, (a + b) / 2)), 2, axis=1), left(b)
    nearest = _NEAREST_IN_POWERS if in_powers else _NEAREST
    found: list[tuple[FloatArray, FloatArray, BoolArray]] = []
    while a.size:
        _check_going(a, start + middle + end, tolerance)
        h, away = b - a, np.maximum(np.abs(a), np.abs(b))
        rise, bend = end - start, start - 2 * middle + end
        if in_powers:
            large = np.abs(bend) * (np.maximum(away, _NEAR_0) / h) ** 2 > _STEEPEST
            bend = np.where(large, 0.0, bend)
        # The rounding of a condition, times the slope.
        rounding = _ROUNDING * np.max(np.abs(rise), axis=0) / h * (1.0 if in_powers else away)
        allowed = tolerance * (1 + np.minimum(rounding / tolerance, _MOST_ROUNDED))
        quarters = np.split(f(np.concatenate([a + u * h for u in _QUARTERS])), 2, axis=1)
        off = [start + u * rise - 2 * u * (1 - u) * bend for u in _QUARTERS]
        gaps = [middle - start - rise / 2 + bend / 2, *np.subtract(off, quarters)]
        close = np.max(np.abs(gaps), axis=(0, 1)) <= allowed
        narrow = (h <= np.maximum(_NARROWEST * away, least)) | (away <= nearest)
        done, going = close | narrow, ~(close | narrow)
        bend = np.where(close, bend, 0.0)
        found.append((a[done], np.stack([start, end, bend])[:, :, done], ~close[done]))
        a, b, halfway = a[going], b[going], ((a + b) / 2)[going]
        # The values at the middle and the quarter points are those at the halves' ends and middles.
        start, middle, end = (
            np.concatenate([first[:, going], second[:, going]], axis=1)
            for first, second in ((start, middle), quarters, (middle, end))
        )
        a, b = np.concatenate([a, halfway]), np.concatenate([halfway, b])
    starts = np.concatenate([cells[0] for cells in found])
    order = np.argsort(starts)
    start, end, bend = np.concatenate([cells[1] for cells in found], axis=2)[:, :, order]
    unresolved = np.concatenate([cells[2] for cells in found])[order]
    return Cells(np.append(starts[order], edges[-1]), start, end, bend, unresolved)


def _check_going(a: FloatArray, values: FloatArray, tolerance: float) -> None:
    """Raise `ConditionError` if the cells to halve are too many, or have no values."""
    if a.size > _MOST_CELLS:
        raise ConditionError(
            f"the loss curve is too rough to be approximated to {tolerance:g} near "
            f"{float(a[0]):.6g}: use smoother score distributions."
        )
    unknown = np.isnan(values).any(axis=0)
    if unknown.any():
        raise ConditionError(
            f"the loss curve has no value near {float(a[unknown][0]):.6g}: a score "
            "distribution gives NaN there."
        )

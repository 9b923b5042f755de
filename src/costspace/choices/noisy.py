"""A condition that is not known exactly when the threshold is chosen."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.base import ThresholdChoice
from costspace.choices.flagging import Exposure, Flagging, SwitchedFlagging
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, OperatingPoints, SmoothCurve, SmoothPath
from costspace.errors import ConditionError, brief
from costspace.quadrature import integrate
from costspace.scores.base import ScoreSource

TOLERANCE = 1e-9
# Pieces into which a path that bends is cut before it is blurred.
_CELLS = 1 << 14
# Errors tabulated; between them the integral is a cubic.
_ERRORS = 8193
# Over narrower ranges the share of errors below is linear to 1e-9 if its density moves no faster
# than by 100 per unit.
_NARROW = 1e-5
# Conditions blurred together, times pieces.
_BLOCK = 1 << 21


@final
@dataclass(frozen=True, eq=False)
class NoisyCondition(ThresholdChoice):
    """A choice that goes by an estimate of the condition: the true one plus an error.

    At deployment the condition assumed is C + error, clipped to [0, 1]; the loss is counted at
    the true C. The curve is smooth, not piecewise quadratic: its values are sums over the pieces
    of the exact choice's path, its integrals piecewise quadratic within 1e-9 of it.

    Parameters
    ----------
    choice : ThresholdChoice
        The method that takes the assumed condition for the true one.
    error : frozen ``scipy.stats`` distribution
        Of the error: continuous, such as ``norm(0, 0.1)`` or ``uniform(-0.1, 0.2)``.

    Raises
    ------
    ConditionError
        If `choice` is not a threshold choice method, or `error` no such distribution.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 7.3: what is known about the
    operating condition, and how reliably, decides which method is reasonable.

    Examples
    --------
    >>> import costspace as cs
    >>> from scipy.stats import norm
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> exact = cs.expected_loss(y, s, choice=cs.ScoreDriven())
    >>> noisy = cs.expected_loss(y, s, choice=NoisyCondition(cs.ScoreDriven(), norm(0, 0.2)))
    >>> round(exact, 6), round(noisy, 6)
    (0.185, 0.218989)
    """

    choice: ThresholdChoice
    error: Any

    def __post_init__(self) -> None:
        if not isinstance(self.choice, ThresholdChoice):
            raise ConditionError(
                "NoisyCondition needs a threshold choice method such as Optimal(), "
                f"got {brief(self.choice)}."
            )
        names = ("pdf", "cdf", "support")
        if not all(hasattr(self.error, name) for name in names) or isinstance(self.error, type):
            raise ConditionError(
                "NoisyCondition needs a frozen continuous scipy distribution of the error, such "
                f"as scipy.stats.norm(0, 0.1), got {brief(self.error)}."
            )

    def path(self, source: ScoreSource) -> SmoothPath:
        return _blurred(self.choice.path(source), _Error(self.error))

    def flagging(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        return _NoisyFlagging(self.choice.flagging(source, scores), _Error(self.error))


@final
@dataclass(frozen=True, eq=False)
class _Error:
    """How an assumed condition lies about the true one."""

    frozen: Any

    def below(self, x: FloatArray) -> FloatArray:
        """P(error < x)."""
        return np.asarray(self.frozen.cdf(x), dtype=float)

    @cached_property
    def _table(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Errors that can matter, P(error < x) there, and its integral up to there."""
        ends = np.clip(np.asarray(self.frozen.support(), dtype=float), -1, 1)
        grid = np.union1d(np.linspace(-1, 1, _ERRORS), ends)
        integrals = np.append(0.0, np.cumsum(integrate(self.below, grid)))
        return grid, self.below(grid), integrals

    def mean_below(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """The mean of P(error < x) over x from `low` to `high`, both in [-1, 1]."""
        width = high - low
        whole = (self._integral(high) - self._integral(low)) / width
        # Over a narrow range that would be all rounding, and the middle is as good.
        return np.where(width > _NARROW, whole, self.below((low + high) / 2))

    def _integral(self, x: FloatArray) -> FloatArray:
        """The integral of P(error < x), between grid points by its cubic through both."""
        grid, slopes, integrals = self._table
        cell = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, len(grid) - 2)
        h = grid[cell + 1] - grid[cell]
        u = (x - grid[cell]) / h
        rise = (integrals[cell + 1] - integrals[cell]) / h
        bend, twist = slopes[cell] - rise, rise - slopes[cell + 1]
        return integrals[cell] + h * u * (rise + (1 - u) * (bend * (1 - u) + twist * u))


def _blurred(path: OperatingPath | SmoothPath, error: _Error) -> SmoothPath:
    """The path at an assumed condition, averaged over the assumed given the true one."""
    pieces = path if isinstance(path, OperatingPath) else _cut(path)
    a, b, start, end = pieces.breaks[:-1], pieces.breaks[1:], pieces.start, pieces.end
    # The rates change by jumps between pieces and along pieces. An assumed condition of 0 has
    # always passed a jump at 0.
    fp, fn = end.fpr[:-1] - start.fpr[1:], start.fnr[1:] - end.fnr[:-1]
    least_fnr = float(start.fnr[0] + np.sum(fn[a[1:] == 0]))
    jump = ((fp != 0) | (fn != 0)) & (a[1:] > 0)
    fall = b > a
    changes = (
        (a[1:][jump], a[1:][jump], fp[jump], fn[jump]),
        (a[fall], b[fall], (start.fpr - end.fpr)[fall], (end.fnr - start.fnr)[fall]),
    )

    def at(c: FloatArray) -> OperatingPoints:
        fpr, fnr = np.full(c.shape, end.fpr[-1]), np.full(c.shape, least_fnr)
        for low, high, fp, fn in changes:
            rows = max(1, _BLOCK // max(1, len(low)))
            for i in range(0, len(c) if np.any(fp) or np.any(fn) else 0, rows):
                block = slice(i, i + rows)
                ahead = _ahead(low, high, c[block, None], error)
                fpr[block] += np.sum(ahead * fp, axis=1)
                fnr[block] += np.sum((1 - ahead) * fn, axis=1)
        return OperatingPoints(fpr, fnr)

    return SmoothPath(np.array([0.0, 1.0]), at, path.prevalence, tolerance=TOLERANCE)


def _ahead(low: FloatArray, high: FloatArray, true: FloatArray, error: _Error) -> FloatArray:
    """Share of what changes from `low` to `high` that the assumed condition has not passed."""
    if np.array_equal(low, high):
        return error.below(low - true)
    return error.mean_below(low - true, high - true)


def _cut(path: SmoothPath) -> OperatingPath:
    breaks = np.union1d(path.breaks, np.linspace(0, 1, _CELLS + 1))
    start, end = path.at(breaks[:-1]), (path.left or path.at)(breaks[1:])
    return OperatingPath(breaks, start, end, path.prevalence)


@final
@dataclass(frozen=True, eq=False)
class _NoisyFlagging:
    """Flagged as `exact` says of the assumed condition."""

    exact: Flagging
    error: _Error

    def exposure(self, costs: CostDistribution) -> Exposure:
        if not isinstance(self.exact, SwitchedFlagging):
            return self.exact.exposure(costs)
        ranges, where = np.unique(
            np.stack([self.exact.start, self.exact.end]), axis=1, return_inverse=True
        )
        found = np.array([self._exposure_of(low, high, costs) for low, high in ranges.T])
        as_negative, as_positive = found[np.ravel(where)].T
        return Exposure(as_negative, as_positive)

    def _exposure_of(self, low: float, high: float, costs: CostDistribution) -> tuple[float, float]:
        def flagged(c: FloatArray) -> FloatArray:
            if high == 0:
                return np.zeros_like(c)
            return _ahead(np.full(1, low), np.full(1, high), c[:, None], self.error)[:, 0]

        sides = (lambda c: c * flagged(c)), (lambda c: (1 - c) * (1 - flagged(c)))
        ends = np.array([0.0, 1.0])
        as_negative, as_positive = (
            SmoothCurve(ends, side, tolerance=TOLERANCE).expectation(costs) for side in sides
        )
        return max(as_negative, 0.0), max(as_positive, 0.0)

    def path(self, points: OperatingPoints, prevalence: float) -> SmoothPath:
        return _blurred(self.exact.path(points, prevalence), self.error)

"""Paths and loss curves that bend: of analytic score models, and of noisy conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, Floats, read_only
from costspace.condition import check_conditions, loss_at
from costspace.costs import CostDistribution
from costspace.curve.loss import LossCurve, PiecewiseQuadratic
from costspace.curve.points import OperatingPoints
from costspace.errors import ConditionError

TOLERANCE = 1e-12
# Cells that every smooth curve is cut into before any is halved.
_CELLS = 64
# In powers of c, the quadratic through three losses of a narrower cell would be all rounding.
_NARROW = 1e-7
# More cells than this to halve at once are a curve of noise.
_MOST_CELLS = 1 << 17
# A cell this narrow, as a share of its condition, cannot be halved further.
_NARROWEST = 8 * float(np.finfo(float).eps)
_QUARTERS = np.array([0.25, 0.75])

LossFunction: TypeAlias = Callable[[FloatArray], FloatArray]
PointFunction: TypeAlias = Callable[[FloatArray], OperatingPoints]


@final
class SmoothCurve(LossCurve):
    """A loss curve given by a function that is smooth between breaks.

    Values are the function's. Integrals, differences and crossings are those of a piecewise
    quadratic curve close to it, found by halving cells until their quarter points agree; a jump
    that is not among the breaks becomes a ramp as narrow as floats allow.

    Parameters
    ----------
    breaks : array of shape (m + 1,)
        Strictly ascending, from 0 to 1.
    loss : callable
        Loss at an array of conditions, right-continuous.
    left : callable, optional
        Its left limit; the function itself by default, for a continuous curve.
    tolerance : float, default 1e-12
        How close the pieces come.

    Raises
    ------
    ConditionError
        If the breaks do not ascend strictly from 0 to 1; when pieces are asked for, if the
        function is not smooth to the tolerance.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Appendix A: loss curves of analytic models.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = SmoothCurve(np.array([0.0, 1.0]), lambda c: np.sin(np.pi * c))
    >>> round(curve(0.5), 12), round(curve.expectation(cs.Uniform()), 10)
    (1.0, 0.6366197724)
    """

    def __init__(
        self,
        breaks: FloatArray,
        loss: LossFunction,
        left: LossFunction | None = None,
        *,
        tolerance: float = TOLERANCE,
    ) -> None:
        breaks = np.array(breaks, dtype=float)
        if breaks.ndim != 1 or breaks[0] != 0 or breaks[-1] != 1 or np.any(np.diff(breaks) <= 0):
            raise ConditionError("the breaks of a smooth curve must ascend strictly from 0 to 1.")
        self._breaks = read_only(breaks)
        self._loss = loss
        self._left = loss if left is None else left
        self._tolerance = tolerance

    @property
    def breaks(self) -> FloatArray:
        return self._breaks

    def __repr__(self) -> str:
        return f"SmoothCurve(loss from {self(0.0):.6g} at 0 to {self(1.0):.6g} at 1)"

    def __call__(self, c: ArrayLike) -> Floats:
        return _at(self._loss, c)

    def left(self, c: ArrayLike) -> Floats:
        return _at(self._left, c)

    def piecewise(self) -> PiecewiseQuadratic:
        return self._pieces

    @cached_property
    def _pieces(self) -> PiecewiseQuadratic:
        edges = np.union1d(self._breaks, np.linspace(0, 1, _CELLS + 1))
        a, b = edges[:-1], edges[1:]
        starts, coefficients = [], []
        while a.size:
            if a.size > _MOST_CELLS:
                raise ConditionError(
                    f"the loss curve could not be followed to {self._tolerance:g} near "
                    f"{float(a[0]):.6g}: its values are not smooth to that."
                )
            fit, close = self._fit(a, b)
            close |= b - a <= _NARROWEST * b
            starts.append(a[close])
            coefficients.append(fit[:, close])
            a, b = a[~close], b[~close]
            middle = (a + b) / 2
            a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
        order = np.argsort(np.concatenate(starts))
        breaks = np.append(np.concatenate(starts)[order], 1.0)
        return PiecewiseQuadratic(breaks, np.concatenate(coefficients, axis=1)[:, order])

    def _fit(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, BoolArray]:
        """The quadratic through the ends and the middle of each cell, and whether it is close."""
        h = b - a
        start, middle, end = self._loss(a), self._loss((a + b) / 2), self._left(b)
        bend = np.where(h > _NARROW, start - 2 * middle + end, 0.0)
        # f(x) = start + u (end - start) - 2 u (1 - u) bend, with u = (x - a) / h.
        u = _QUARTERS[:, None]
        fitted = start + u * (end - start) - 2 * u * (1 - u) * bend
        actual = np.reshape(self._loss((a + u * h).ravel()), (2, -1))
        close = np.abs(fitted - actual).max(axis=0, initial=0) <= self._tolerance
        close &= np.abs(middle - (start + end) / 2 + bend / 2) <= self._tolerance
        second = 2 * bend / h**2
        first = (end - start) / h - second * h
        return np.stack([start - a * (first - a * second), first - 2 * a * second, second]), close


@final
@dataclass(frozen=True, eq=False)
class SmoothPath:
    """A path through ROC space that bends: a function of the operating condition.

    Attributes
    ----------
    breaks : array of shape (m + 1,)
        Operating conditions, strictly ascending from 0 to 1, between which it is smooth.
    at : callable
        The operating points at an array of conditions, right-continuous.
    prevalence : float in (0, 1)
        The class mix that turns the path into a loss; 1/2 makes the condition a skew.
    left : callable, optional
        The left limit of `at`; by default `at` itself, for a continuous path.
    tolerance : float, default 1e-12
        How close the pieces of the loss curve come to it.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 2: a threshold choice method T(c),
    seen as what it does to the rates.

    Examples
    --------
    >>> import costspace as cs
    >>> path = SmoothPath(
    ...     np.array([0.0, 1.0]), lambda c: cs.OperatingPoints((1 - c) ** 2, c**2), 0.5
    ... )
    >>> round(path.loss()(0.5), 12), round(path.expected_loss(cs.Uniform()), 10)
    (0.25, 0.1666666667)
    """

    breaks: FloatArray
    at: PointFunction
    prevalence: float
    left: PointFunction | None = None
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        object.__setattr__(self, "breaks", read_only(np.asarray(self.breaks)))

    def loss(self) -> SmoothCurve:
        """The loss curve 2 (c pi0 FPR(c) + (1 - c) pi1 FNR(c)) along this path."""
        left = None if self.left is None else self._loss_of(self.left)
        return SmoothCurve(self.breaks, self._loss_of(self.at), left, tolerance=self.tolerance)

    def expected_loss(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions: not negative, smaller is better."""
        return max(self.loss().expectation(costs), 0.0)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece of the piecewise loss curve: its ends in the condition and ROC space."""
        breaks = self.loss().piecewise().breaks
        start, end = self.at(breaks[:-1]), (self.left or self.at)(breaks[1:])
        return {
            "from": breaks[:-1],
            "to": breaks[1:],
            "fpr_start": start.fpr,
            "fnr_start": start.fnr,
            "fpr_end": end.fpr,
            "fnr_end": end.fnr,
        }

    def _loss_of(self, points: PointFunction) -> LossFunction:
        def loss(c: FloatArray) -> FloatArray:
            found = points(c)
            return np.asarray(loss_at(c, self.prevalence, found.fpr, found.fnr))

        return loss


def _at(function: LossFunction, c: ArrayLike) -> Floats:
    x = check_conditions("an operating condition", c)
    value = np.asarray(function(np.atleast_1d(x)), dtype=float)
    return float(value[0]) if x.ndim == 0 else value.reshape(x.shape)

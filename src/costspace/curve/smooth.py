"""Smooth paths and loss curves: of analytic score models, and of noisy conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue, hold, kept, plain
from costspace.checks import check_conditions, check_numbers, check_prevalence
from costspace.condition import loss_of_rates
from costspace.costs import CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.curve.cells import Cells, cells_along
from costspace.curve.loss import LossCurve, PiecewiseQuadratic
from costspace.curve.points import OperatingPoints
from costspace.errors import ConditionError, brief

TOLERANCE = 1e-12
# A change by more than this many tolerances is a jump if a quarter of a cell too narrow to be
# halved has this share of it.
_JUMP = 1000
_AT_ONCE = 0.9
# In powers of c a steeper line would be only rounding.
_STEEPEST = 2e10
# Closer to a break, 1 - c, which a path may depend on, has rounding steps.
_APART = 4 * float(np.finfo(float).eps)

LossFunction: TypeAlias = Callable[[FloatArray], FloatArray]
PointFunction: TypeAlias = Callable[[FloatArray], OperatingPoints]


@final
class SmoothCurve(FrozenValue, LossCurve):
    """A loss curve given by a function that is smooth between breaks.

    Values are the function's. Integrals, differences and crossings are those of a piecewise
    quadratic approximation, found by halving cells until their quarter points agree. Where the
    curve is steep or bends sharply, away from 0, rounding adds 1e-15 of the slope to the tolerance.

    Parameters
    ----------
    breaks : array of shape (m + 1,)
        Strictly ascending, from 0 to 1.
    loss : callable
        Loss at an array of conditions, right-continuous.
    left : callable, optional
        Its left limit; the function itself by default, for a continuous curve.
    tolerance : float, default 1e-12
        The error of the pieces.

    Raises
    ------
    ConditionError
        If the breaks do not ascend strictly from 0 to 1; when pieces are computed, if the
        function is not smooth to the tolerance or has a jump that is not among the breaks.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Appendix A: loss curves of analytic
    models.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = SmoothCurve(np.array([0.0, 1.0]), lambda c: np.sin(np.pi * c))
    >>> round(curve(0.5), 12), round(curve.expectation(cs.Uniform()), 10)
    (1.0, 0.6366197724)
    """

    _breaks: FloatArray
    _loss: LossFunction
    _left: LossFunction
    _tolerance: float

    def __init__(
        self,
        breaks: FloatArray,
        loss: LossFunction,
        left: LossFunction | None = None,
        *,
        tolerance: float = TOLERANCE,
    ) -> None:
        breaks = check_numbers("breaks", breaks)
        ascend = breaks.ndim == 1 and bool(np.all(np.diff(breaks) > 0))
        if not ascend or breaks[0] != 0 or breaks[-1] != 1:
            raise ConditionError("the breaks of a smooth curve must ascend strictly from 0 to 1.")
        if not callable(loss):
            raise ConditionError(f"the loss of a curve must be a function, got {brief(loss)}.")
        hold(
            self,
            _breaks=kept(breaks),
            _loss=loss,
            _left=loss if left is None else left,
            _tolerance=tolerance,
        )

    @property
    def breaks(self) -> FloatArray:
        return self._breaks

    def __repr__(self) -> str:
        return f"SmoothCurve(loss from {self(0.0):.6g} at 0 to {self(1.0):.6g} at 1)"

    def __call__(self, c: ArrayLike) -> Floats:
        return _at(self._loss, c)

    def left(self, c: ArrayLike) -> Floats:
        return _at(self._left, c)

    def expectation(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions."""
        return float(self._cells.expectation(as_costs(costs), np.full(1, self(1.0)))[0])

    def piecewise(self) -> PiecewiseQuadratic:
        return self._pieces

    @cached_property
    def _pieces(self) -> PiecewiseQuadratic:
        cells = self._followed(in_powers=True)
        a, h = cells.breaks[:-1], np.diff(cells.breaks)
        (start,), (end,), (bend,) = cells.start, cells.end, cells.bend
        second = 2 * bend / h / h
        slope = (end - start) / h
        first = np.where(np.abs(slope) < _STEEPEST, slope, 0.0) - second * h
        return PiecewiseQuadratic(
            cells.breaks,
            np.stack([start - a * (first - a * second), first - 2 * a * second, second]),
        )

    @cached_property
    def _cells(self) -> Cells:
        return self._followed(in_powers=False)

    def _followed(self, *, in_powers: bool) -> Cells:
        cells = cells_along(
            lambda c: self._loss(c)[None],
            lambda c: self._left(c)[None],
            self._breaks,
            self._tolerance,
            in_powers=in_powers,
        )
        a, b = cells.breaks[:-1], cells.breaks[1:]
        # Next to a break a curve may be arbitrarily steep.
        inside = ~self._beside_break(a) & ~self._beside_break(b)
        a, b = a[cells.unresolved & inside], b[cells.unresolved & inside]
        quarters = np.linspace(a, b, 5)
        rises = np.abs(np.diff(self._loss(quarters.ravel()).reshape(quarters.shape), axis=0))
        least = np.maximum(_JUMP * self._tolerance, _AT_ONCE * np.sum(rises, axis=0))
        jumps = a[np.max(rises, axis=0) > least]
        if jumps.size:
            raise ConditionError(
                f"the loss curve has a jump that is not among its breaks, near {jumps[0]:.6g}."
            )
        return cells

    def _beside_break(self, c: FloatArray) -> BoolArray:
        """Whether conditions are next to a break."""
        after = np.clip(np.searchsorted(self._breaks, c), 1, len(self._breaks) - 1)
        gaps = c - self._breaks[after - 1], self._breaks[after] - c
        return np.asarray(np.minimum(*gaps) <= _APART)


@final
@dataclass(frozen=True, eq=False, init=False)
class SmoothPath(FrozenValue):
    """A smooth path through ROC space: a function of the operating condition.

    Attributes
    ----------
    breaks : array of shape (m + 1,)
        Operating conditions, strictly ascending from 0 to 1, between which it is smooth.
    at : callable
        The operating points at an array of conditions, right-continuous.
    prevalence : float in (0, 1)
        The prevalence of the loss; 1/2 makes the condition a skew.
    left : callable
        The left limit of `at`; by default `at` itself, for a continuous path.
    tolerance : float, default 1e-12
        The error of the loss curve's pieces.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: a threshold choice method
    T(c), in terms of the rates.

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
    left: PointFunction
    tolerance: float

    def __init__(
        self,
        breaks: FloatArray,
        at: PointFunction,
        prevalence: float,
        left: PointFunction | None = None,
        tolerance: float = TOLERANCE,
    ) -> None:
        hold(
            self,
            breaks=kept(np.asarray(breaks)),
            at=at,
            prevalence=prevalence,
            left=at if left is None else left,
            tolerance=tolerance,
        )

    @property
    def corners(self) -> None:
        """None: it moves between its breaks."""

    def loss(self) -> SmoothCurve:
        """The loss curve 2 (c pi0 FPR(c) + (1 - c) pi1 FNR(c)) along this path."""
        at, left = self._loss_of(self.at), self._loss_of(self.left)
        return SmoothCurve(self.breaks, at, left, tolerance=self.tolerance)

    def expected_loss(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions: not negative, smaller is better."""
        return max(self.loss().expectation(costs), 0.0)

    def cells(self, tolerance: float, least: float) -> Cells:
        """FPR and FNR by quadratics within a tolerance, on cells not much narrower than `least`.

        A last cell of length 0 holds the value at 1, after a jump there.
        """
        at, left = _rates(self.at), _rates(self.left)
        found, at_1 = cells_along(at, left, self.breaks, tolerance, least=least), at(np.ones(1))
        start, end, bend = (
            np.append(values, last, axis=1)
            for values, last in ((found.start, at_1), (found.end, at_1), (found.bend, 0 * at_1))
        )
        return Cells(np.append(found.breaks, 1.0), start, end, bend, found.unresolved)

    def mapped(self, f: Callable[[OperatingPoints], OperatingPoints]) -> "SmoothPath":
        """The path with a linear function applied to its points."""
        at, left = (partial(_mapped, f, points) for points in (self.at, self.left))
        return SmoothPath(self.breaks, at, self.prevalence, left, self.tolerance)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece of the piecewise loss curve: its ends in the condition and ROC space."""
        breaks = self.loss().piecewise().breaks
        start, end = self.at(breaks[:-1]), self.left(breaks[1:])
        return {
            "from": breaks[:-1],
            "to": breaks[1:],
            "fpr_start": start.fpr,
            "fnr_start": start.fnr,
            "fpr_end": end.fpr,
            "fnr_end": end.fnr,
        }

    def _loss_of(self, points: PointFunction) -> LossFunction:
        # Not a local function, which could not be pickled.
        return partial(_loss_along, points, check_prevalence(self.prevalence))


def _mapped(
    f: Callable[[OperatingPoints], OperatingPoints], points: PointFunction, c: FloatArray
) -> OperatingPoints:
    return f(points(c))


def _loss_along(points: PointFunction, prevalence: float, c: FloatArray) -> FloatArray:
    found = points(c)
    return loss_of_rates(c, prevalence, found.fpr, found.fnr)


def _rates(points: PointFunction) -> LossFunction:
    def rates(c: FloatArray) -> FloatArray:
        found = points(c)
        return np.stack([found.fpr, found.fnr])

    return rates


def _at(function: LossFunction, c: ArrayLike) -> Floats:
    x = check_conditions("an operating condition", c)
    value = np.asarray(function(np.atleast_1d(x)), dtype=float)
    return plain(value.reshape(x.shape))

"""Loss curves: loss as a function of the operating condition, exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, FrozenValue, IndexArray, hold, kept, plain
from costspace.checks import check_conditions, check_numbers
from costspace.costs import CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError, brief


class LossCurve(ABC):
    """Loss as a function of the operating condition, on [0, 1]; smaller is better.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equations 1 to 5: Q(c), and its mean
    under a distribution of c.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> isinstance(curve, LossCurve), curve.breaks
    (True, array([0. , 0. , 0.5, 1. , 1. ]))
    """

    @property
    @abstractmethod
    def breaks(self) -> FloatArray:
        """Conditions, ascending from 0 to 1, between which the curve is smooth."""

    @abstractmethod
    def __call__(self, c: ArrayLike) -> Floats:
        """Loss at each condition, right-continuous."""

    @abstractmethod
    def left(self, c: ArrayLike) -> Floats:
        """Left limit of the loss at each condition."""

    @abstractmethod
    def piecewise(self) -> PiecewiseQuadratic:
        """The curve as pieces of degree at most 2: itself if it is one, else a close one.

        Integrals, differences and crossings are computed from these.
        """

    def expectation(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions."""
        return self.piecewise().expectation(costs)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends, the loss at its start and its limit at its end."""
        return self.piecewise().columns()

    def __sub__(self, other: LossCurve) -> PiecewiseQuadratic:
        """The difference of two curves, itself a curve: negative where this one is lower."""
        if not isinstance(other, LossCurve):
            return NotImplemented
        return weighted_sum([self, other], weights=[1.0, -1.0])


@final
class PiecewiseQuadratic(FrozenValue, LossCurve):
    """An exact loss curve: a polynomial of degree at most 2 between breakpoints.

    Parameters
    ----------
    breaks : array of shape (m + 1,)
        Ascending, from 0 to 1. A piece of length 0 at 0 or 1 holds the left limit at 0 or the
        value at 1.
    coefficients : array of shape (3, m)
        Coefficients of 1, c and c^2 on each piece.

    Raises
    ------
    ConditionError
        If the breaks do not ascend from 0 to 1 or the shapes do not fit.

    Notes
    -----
    Values are exact up to rounding: where the loss is 0, an ulp below it is possible. The
    rate-driven curve of Hernandez-Orallo, Flach, Ferri (2011), arXiv:1107.5930, has degree 2;
    curves of other choices have degree 1.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> curve(0.5), curve.left(0.4), round(curve.expectation(cs.Uniform()), 12)
    (0.5, 0.2, 0.185)
    """

    _breaks: FloatArray
    _coefficients: FloatArray

    def __init__(self, breaks: FloatArray, coefficients: FloatArray) -> None:
        breaks = check_numbers("breaks", breaks)
        coefficients = check_numbers("coefficients", coefficients)
        if breaks.ndim != 1 or coefficients.shape != (3, len(breaks) - 1):
            raise ConditionError(
                "a curve of m pieces needs m + 1 breaks and 3 x m coefficients, got shapes "
                f"{breaks.shape} and {coefficients.shape}."
            )
        if breaks[0] != 0 or breaks[-1] != 1 or not np.all(np.diff(breaks) >= 0):
            raise ConditionError("the breaks of a curve must ascend from 0 to 1.")
        # The sum is faster: it takes one pass.
        if np.isnan(np.sum(coefficients)):
            raise ConditionError("the coefficients of a curve must be numbers, got NaN.")
        hold(self, _breaks=kept(breaks), _coefficients=kept(coefficients))

    @property
    def breaks(self) -> FloatArray:
        return self._breaks

    @property
    def coefficients(self) -> FloatArray:
        """Coefficients of 1, c and c^2 on each piece, of shape (3, m)."""
        return self._coefficients

    def __repr__(self) -> str:
        return (
            f"PiecewiseQuadratic({len(self._breaks) - 1} pieces, loss from "
            f"{self(0.0):.6g} at 0 to {self(1.0):.6g} at 1)"
        )

    def __call__(self, c: ArrayLike) -> Floats:
        return self._evaluate(c, left=False)

    def left(self, c: ArrayLike) -> Floats:
        return self._evaluate(c, left=True)

    def _evaluate(self, c: ArrayLike, *, left: bool) -> Floats:
        x = check_conditions("an operating condition", c)
        a0, a1, a2 = self.coefficients_at(x, left=left)
        return plain(a0 + x * (a1 + x * a2))

    def coefficients_at(self, c: FloatArray, *, left: bool) -> FloatArray:
        """The coefficients, of shape (3, ...), of the piece that each condition is in.

        With `left`, of the piece that ends there.
        """
        return self._coefficients[:, pieces_at(self._breaks, c, left=left)]

    def piecewise(self) -> PiecewiseQuadratic:
        return self

    def expectation(self, costs: CostDistribution) -> float:
        moments = as_costs(costs).partial_moments(self._breaks)
        return float(np.sum(self._coefficients * moments))

    def pieces_of(self, breaks: FloatArray) -> IndexArray:
        """Which piece each of the k pieces of a refinement of the breaks is part of."""
        # By its start, except that a piece that ends at 0 is left of all others.
        return np.where(breaks[1:] == 0, 0, pieces_at(self._breaks, breaks[:-1]))

    def coefficients_on(self, breaks: FloatArray) -> FloatArray:
        """The coefficients, of shape (3, k), on the k pieces of a refinement of the breaks."""
        return self._coefficients[:, self.pieces_of(breaks)]

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends, the loss at its start and its limit at its end."""
        a, b = self._breaks[:-1], self._breaks[1:]
        a0, a1, a2 = self._coefficients
        return {
            "from": a,
            "to": b,
            "loss_start": a0 + a * (a1 + a * a2),
            "loss_end": a0 + b * (a1 + b * a2),
            "constant": a0,
            "linear": a1,
            "quadratic": a2,
        }


def pieces_at(breaks: FloatArray, c: FloatArray, *, left: bool = False) -> IndexArray:
    """Which piece between breaks each condition is in or, with `left`, at the end of."""
    found = np.searchsorted(breaks, c, side="left" if left else "right") - 1
    return np.clip(found, 0, len(breaks) - 2)


def common_breaks(curves: Sequence[PiecewiseQuadratic]) -> FloatArray:
    """The breaks of all curves; 0 and 1 twice if any curve has a piece of length 0 there."""
    ends = [
        np.full(max(np.count_nonzero(curve.breaks == end) for curve in curves), end)
        for end in (0.0, 1.0)
    ]
    inner = np.unique(np.concatenate([curve.breaks for curve in curves]))[1:-1]
    return np.concatenate([ends[0], inner, ends[1]])


def weighted_sum(
    curves: Sequence[LossCurve], *, weights: ArrayLike | None = None
) -> PiecewiseQuadratic:
    """The weighted sum of curves; by default their mean.

    A mean with weights that sum to 1 is the loss of a random choice between the models for each
    prediction.

    Parameters
    ----------
    curves : sequence of k LossCurve, k >= 1
    weights : array of shape (k,), optional
        Of either sign; 1/k each by default.

    Returns
    -------
    PiecewiseQuadratic

    Raises
    ------
    ConditionError
        If there are no curves, or not one finite weight for each.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: a random choice between two
    probabilistic classifiers averages their Brier curves.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> a = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> b = cs.loss_curve(y, [0.2, 0.3, 0.8, 0.7], choice=cs.ScoreDriven())
    >>> a(0.5), b(0.5), weighted_sum([a, b])(0.5)
    (0.5, 0.0, 0.25)
    """
    pieces = pieces_of_curves(curves)
    w = np.full(len(pieces), 1 / len(pieces)) if weights is None else _weights(weights, pieces)
    breaks = common_breaks(pieces)
    total = sum(
        (weight * piece.coefficients_on(breaks) for weight, piece in zip(w, pieces, strict=True)),
        start=np.zeros((3, len(breaks) - 1)),
    )
    return PiecewiseQuadratic(breaks, total)


def pieces_of_curves(curves: Sequence[LossCurve]) -> list[PiecewiseQuadratic]:
    """The pieces of each curve, or `ConditionError` unless all are curves and there is one."""
    try:
        pieces = [check_curve(curve).piecewise() for curve in curves]
    except TypeError:
        raise ConditionError(
            f"curves must be loss curves in a list, got {brief(curves)}."
        ) from None
    if not pieces:
        raise ConditionError("there are no curves: give at least one.")
    return pieces


def check_curve(curve: LossCurve) -> LossCurve:
    """Return `curve`, or raise `ConditionError` unless it is a loss curve."""
    if not isinstance(curve, LossCurve):
        raise ConditionError(
            f"curve must be a loss curve, such as loss_curve(...) returns, got {brief(curve)}."
        )
    return curve


def _weights(weights: ArrayLike, curves: Sequence[LossCurve]) -> FloatArray:
    try:
        array = np.asarray(weights, dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    if array.shape != (len(curves),) or not np.all(np.isfinite(array)):
        raise ConditionError(
            f"weights must be {len(curves)} finite numbers, one a curve, got {brief(weights)}."
        )
    return array

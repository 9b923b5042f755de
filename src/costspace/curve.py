"""Operating paths and the loss curves they give.

A path says, for every operating condition, at which (FPR, FNR) a threshold choice method works;
a loss curve is the loss along it. Both are exact: breakpoints, and between them rates that are
linear in the condition, so losses of degree at most 2.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, IndexArray, read_only
from costspace.condition import check_conditions, check_prevalence
from costspace.costs import CostDistribution, as_costs
from costspace.errors import ConditionError


@final
@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """Points of ROC space.

    Attributes
    ----------
    fpr, fnr : array, in [0, 1]
        False positive and false negative rates, of one shape. Both are better small.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: ROC space, with FNR = 1 - TPR.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> points = table.at_score([0.5, 0.7])
    >>> points.fpr, points.fnr
    (array([0.5, 0. ]), array([0.5, 0.5]))
    """

    fpr: FloatArray
    fnr: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "fpr", read_only(np.asarray(self.fpr)))
        object.__setattr__(self, "fnr", read_only(np.asarray(self.fnr)))

    def __getitem__(self, index: slice) -> "OperatingPoints":
        return OperatingPoints(self.fpr[index], self.fnr[index])

    def after_flagging_all(self) -> "OperatingPoints":
        """The same points with (FPR, FNR) = (1, 0), where everybody is flagged, put first."""
        return OperatingPoints(np.append(1.0, self.fpr), np.append(0.0, self.fnr))


@final
@dataclass(frozen=True, eq=False)
class OperatingPath:
    """A path through ROC space, parameterised by the operating condition.

    On the piece between two breaks the operating point moves in a straight line from `start` to
    `end`. Pieces are closed on the left, the last one on both sides. A piece of no length at 0
    or 1 holds the left limit at 0 or the value at 1.

    Attributes
    ----------
    breaks : array of shape (m + 1,)
        Operating conditions, ascending, from 0 to 1.
    start, end : OperatingPoints of shape (m,)
        Where each piece begins and what it tends to.
    prevalence : float in (0, 1)
        The class mix that turns the path into a loss; 1/2 makes the condition a skew.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 2: a threshold choice method T(c),
    seen as what it does to the rates.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> path = cs.RateDriven().path(table)
    >>> path.breaks, path.end.fnr
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 0.5, 1. ]))
    """

    breaks: FloatArray
    start: OperatingPoints
    end: OperatingPoints
    prevalence: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "breaks", read_only(self.breaks))

    @classmethod
    def constant(cls, fpr: Floats, fnr: Floats, prevalence: float) -> "OperatingPath":
        """The path that stays at one operating point, whatever the condition."""
        point = OperatingPoints(np.reshape(fpr, 1), np.reshape(fnr, 1))
        return cls(np.array([0.0, 1.0]), point, point, prevalence)

    @classmethod
    def stepping(
        cls, at: FloatArray, points: OperatingPoints, prevalence: float
    ) -> "OperatingPath":
        """The path that jumps from one of `points` to the next at each condition in `at`."""
        return cls(np.concatenate([[0.0], at, [1.0]]), points, points, prevalence)

    def loss(self) -> "PiecewiseQuadratic":
        """The loss curve 2 (c pi0 FPR(c) + (1 - c) pi1 FNR(c)) along this path."""
        positive = check_prevalence(self.prevalence)
        negative = 1 - positive
        fpr, fpr_slope = self._line(self.start.fpr, self.end.fpr)
        fnr, fnr_slope = self._line(self.start.fnr, self.end.fnr)
        coefficients = np.stack(
            [
                2 * positive * fnr,
                2 * (negative * fpr + positive * (fnr_slope - fnr)),
                2 * (negative * fpr_slope - positive * fnr_slope),
            ]
        )
        return PiecewiseQuadratic(self.breaks, coefficients)

    def expected_loss(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions: not negative, smaller is better."""
        if self.start is self.end:
            # Straight from the rates: in powers of c the terms would cancel near c = 1.
            p = self.prevalence
            edges = np.append(self.breaks[:-1], np.inf)
            as_negative = self.start.fpr * np.diff(costs.below(edges, 1))
            as_positive = self.start.fnr * -np.diff(costs.complement_from(edges))
            return 2 * float((1 - p) * np.sum(as_negative) + p * np.sum(as_positive))
        return max(self.loss().expectation(costs), 0.0)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends in the condition and in ROC space."""
        return {
            "from": self.breaks[:-1],
            "to": self.breaks[1:],
            "fpr_start": self.start.fpr,
            "fnr_start": self.start.fnr,
            "fpr_end": self.end.fpr,
            "fnr_end": self.end.fnr,
        }

    def _line(self, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
        if start is end:
            return start, np.zeros_like(start)
        width = np.diff(self.breaks)
        slope = np.divide(end - start, width, out=np.zeros_like(width), where=width > 0)
        return start - slope * self.breaks[:-1], slope


class LossCurve(ABC):
    """Loss as a function of the operating condition, on [0, 1]; smaller is better.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Equations 2 to 6: Q(c), and its mean under a
    distribution of c.

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
    def expectation(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions."""

    @abstractmethod
    def columns(self) -> dict[str, FloatArray]:
        """The curve as named arrays of one length, for a table or a plot."""


@final
class PiecewiseQuadratic(LossCurve):
    """An exact loss curve: a polynomial of degree at most 2 between breakpoints.

    Parameters
    ----------
    breaks : array of shape (m + 1,)
        Ascending, from 0 to 1. A piece of no length at 0 or 1 holds the left limit at 0 or the
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
    rate-driven curve of Hernandez-Orallo, Flach, Ferri (2011), arXiv:1107.5930, has degree 2; every
    other choice's, degree 1.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> curve(0.5), curve.left(0.4), round(curve.expectation(cs.Uniform()), 12)
    (0.5, 0.2, 0.185)
    """

    __slots__ = ("_breaks", "_coefficients")

    def __init__(self, breaks: FloatArray, coefficients: FloatArray) -> None:
        breaks = np.array(breaks, dtype=float)
        coefficients = np.array(coefficients, dtype=float)
        if breaks.ndim != 1 or coefficients.shape != (3, len(breaks) - 1):
            raise ConditionError(
                "a curve of m pieces needs m + 1 breaks and 3 x m coefficients, got shapes "
                f"{breaks.shape} and {coefficients.shape}."
            )
        if breaks[0] != 0 or breaks[-1] != 1 or not np.all(np.diff(breaks) >= 0):
            raise ConditionError("the breaks of a curve must ascend from 0 to 1.")
        self._breaks = read_only(breaks)
        self._coefficients = read_only(coefficients)

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
        return self._evaluate(c, side="right")

    def left(self, c: ArrayLike) -> Floats:
        return self._evaluate(c, side="left")

    def _evaluate(self, c: ArrayLike, side: str) -> Floats:
        x = check_conditions("an operating condition", c)
        a0, a1, a2 = self._coefficients[:, self._piece(x, side)]
        value = a0 + x * (a1 + x * a2)
        return float(value) if x.ndim == 0 else value

    def _piece(self, x: FloatArray, side: str) -> IndexArray:
        found = np.searchsorted(self._breaks, x, side=side) - 1  # type: ignore[call-overload]
        return np.clip(found, 0, len(self._breaks) - 2)

    def expectation(self, costs: CostDistribution) -> float:
        moments = as_costs(costs).partial_moments(self._breaks)
        return float(np.sum(self._coefficients * moments))

    def __sub__(self, other: "PiecewiseQuadratic") -> "PiecewiseQuadratic":
        if not isinstance(other, PiecewiseQuadratic):
            return NotImplemented
        breaks = self._common_breaks(other)
        difference = self._on(breaks) - other._on(breaks)
        return PiecewiseQuadratic(breaks, difference)

    def _common_breaks(self, other: "PiecewiseQuadratic") -> FloatArray:
        ends = [
            np.full(max(np.count_nonzero(curve.breaks == end) for curve in (self, other)), end)
            for end in (0.0, 1.0)
        ]
        inner = np.union1d(self._breaks, other._breaks)[1:-1]
        return np.concatenate([ends[0], inner, ends[1]])

    def _on(self, breaks: FloatArray) -> FloatArray:
        """The coefficients on the pieces of a refinement of this curve's breaks."""
        # The piece is told by its start, but one that ends at 0 lies left of every other.
        piece = self._piece(breaks[:-1], "right")
        return self._coefficients[:, np.where(breaks[1:] == 0, 0, piece)]

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

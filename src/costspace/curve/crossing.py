"""Where curves cross, and the lowest of several at each condition."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.curve.loss import (
    LossCurve,
    PiecewiseQuadratic,
    check_curve,
    common_breaks,
    pieces_of_curves,
)
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated

# Losses that differ by no more are equal up to rounding.
COINCIDE = 1e-12


@final
@dataclass(frozen=True, eq=False)
class SignIntervals(FrozenValue, Tabulated):
    """Where a curve, usually a difference of two, is positive, negative or zero.

    Attributes
    ----------
    breaks : array of shape (k + 1,)
        Conditions, strictly ascending from 0 to 1, at which the sign changes.
    sign : array of shape (k,)
        1, -1 or 0 between them; neighbours differ. Single conditions do not count.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: dominance intervals.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> a = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> b = cs.loss_curve(y, [0.2, 0.3, 0.8, 0.7], choice=cs.ScoreDriven())
    >>> intervals = cs.curve.sign_intervals(a - b)
    >>> intervals.breaks, intervals.sign
    (array([0. , 0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 1. ]), array([ 0, -1,  0,  1,  0, -1,  0]))
    """

    breaks: FloatArray
    sign: IndexArray

    def where(self, sign: int) -> list[tuple[float, float]]:
        """The intervals of one sign, 1, -1 or 0, as pairs of conditions."""
        if sign not in (1, -1, 0):
            raise ConditionError(f"sign must be 1, -1 or 0, got {brief(sign)}.")
        chosen = np.flatnonzero(self.sign == sign)
        return [(float(self.breaks[i]), float(self.breaks[i + 1])) for i in chosen]

    def columns(self) -> dict[str, FloatArray | IndexArray]:
        """One row an interval."""
        return {"from": self.breaks[:-1], "to": self.breaks[1:], "sign": self.sign}


def sign_intervals(curve: LossCurve) -> SignIntervals:
    """Split the conditions by the sign of a curve.

    Parameters
    ----------
    curve : LossCurve
        Usually a difference ``a - b``: negative where a has the lower loss.

    Returns
    -------
    SignIntervals
        Exact up to rounding. Values within 1e-12 of 0 over a whole piece count as 0, so two
        curves coincide there, as approximate curves may near 0 and 1.

    Raises
    ------
    ConditionError
        If it is not a loss curve.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> best = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> cs.curve.sign_intervals(curve - best).where(1)
    [(0.0, 0.1), (0.4, 0.6), (0.9, 1.0)]
    """
    pieces = check_curve(curve).piecewise()
    a, b, coefficients = split_at_roots(pieces.breaks, pieces.coefficients)
    sign = _sign(a, b, coefficients)
    keep = np.append(True, sign[1:] != sign[:-1])
    return SignIntervals(np.append(a[keep], 1.0), sign[keep])


def crossings(first: LossCurve, second: LossCurve) -> FloatArray:
    """Conditions at which two curves cross or separate.

    Parameters
    ----------
    first, second : LossCurve
        On the same axis.

    Returns
    -------
    array
        Ascending, inside (0, 1). If the curves coincide over an interval, both its ends are
        crossings; a touch at a single condition is not.

    Raises
    ------
    ConditionError
        If one is not a loss curve.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: where cost curves cross, the better
    classifier changes.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> a = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreFixed(0.7))
    >>> b = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreFixed(0.2))
    >>> cs.crossings(a, b)
    array([0.5])
    """
    return sign_intervals(check_curve(first) - check_curve(second)).breaks[1:-1]


@final
@dataclass(frozen=True, eq=False)
class Envelope(FrozenValue, Tabulated):
    """The lowest of several curves at each condition.

    Attributes
    ----------
    curve : PiecewiseQuadratic
        The pointwise minimum.
    breaks : array of shape (k + 1,)
        Conditions, strictly ascending from 0 to 1, at which another curve becomes the lowest.
    winner : array of shape (k,)
        Index of the lowest curve between them; if several coincide, the first.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the lower envelope of cost lines or curves.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> a = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreFixed(0.7))
    >>> b = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreFixed(0.2))
    >>> envelope = cs.lower_envelope([a, b])
    >>> envelope.winner, envelope.breaks, envelope.curve(0.25)
    (array([1, 0]), array([0. , 0.5, 1. ]), 0.125)
    """

    curve: PiecewiseQuadratic
    breaks: FloatArray
    winner: IndexArray

    def columns(self) -> dict[str, FloatArray | IndexArray]:
        """One row an interval."""
        return {"from": self.breaks[:-1], "to": self.breaks[1:], "winner": self.winner}


def lower_envelope(curves: Sequence[LossCurve]) -> Envelope:
    """The lowest of several curves at each condition.

    Parameters
    ----------
    curves : sequence of k LossCurve, k >= 1
        On the same axis.

    Returns
    -------
    Envelope

    Raises
    ------
    ConditionError
        If there are no curves, or something else among them.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65; it takes one pass over the pieces for each
    curve.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> lines = [cs.loss_curve(y, s, choice=cs.ScoreFixed(t)) for t in (0, 0.1, 0.4, 0.6, 0.9)]
    >>> best = cs.loss_curve(y, s, choice=cs.Optimal())
    >>> cs.lower_envelope(lines).curve(0.3) == best(0.3)
    True
    """
    pieces = pieces_of_curves(curves)
    lowest, *others = pieces
    winner = np.zeros(len(lowest.breaks) - 1, dtype=np.intp)
    for i, other in enumerate(others, start=1):
        lowest, winner = _lower_of_two(lowest, winner, other, i)
    a, b = lowest.breaks[:-1], lowest.breaks[1:]
    begins, whose = a[a < b], winner[a < b]
    changes = np.append(True, whose[1:] != whose[:-1])
    return Envelope(lowest, np.append(begins[changes], 1.0), whose[changes])


def _lower_of_two(
    lowest: PiecewiseQuadratic, winner: IndexArray, other: PiecewiseQuadratic, index: int
) -> tuple[PiecewiseQuadratic, IndexArray]:
    shared = common_breaks([lowest, other])
    difference = other.coefficients_on(shared) - lowest.coefficients_on(shared)
    a, b, pieces = split_at_roots(shared, difference, keep_empty=True)
    breaks = np.append(a, 1.0)
    other_wins = _sign(a, b, pieces) < 0
    coefficients = np.where(
        other_wins, other.coefficients_on(breaks), lowest.coefficients_on(breaks)
    )
    held = winner[lowest.pieces_of(breaks)]
    return PiecewiseQuadratic(breaks, coefficients), np.where(other_wins, index, held)


def split_at_roots(
    breaks: FloatArray, coefficients: FloatArray, *, keep_empty: bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Cut the pieces of a curve where it passes through 0 inside them.

    Returns the start, the end and the coefficients of every part. Pieces of length 0 are left
    out unless `keep_empty`.
    """
    a, b = breaks[:-1], breaks[1:]
    if not keep_empty:
        long = a < b
        a, b, coefficients = a[long], b[long], coefficients[:, long]
    roots = _roots(coefficients)
    # A root this close to an end equals the end up to rounding.
    margin = 1e-13 * b
    inside = (roots > a + margin) & (roots < b - margin)
    starts = np.stack([a, *np.where(inside, roots, a)])
    starts.sort(axis=0)
    first = np.stack([np.ones(len(a), dtype=bool), *(starts[1:] > starts[:-1])])
    piece = np.broadcast_to(np.arange(len(a)), starts.shape).T[first.T]
    begins = starts.T[first.T]
    last = np.append(piece[1:] != piece[:-1], True)
    ends = np.where(last, b[piece], np.append(begins[1:], 1.0))
    return begins, ends, coefficients[:, piece]


def _roots(coefficients: FloatArray) -> FloatArray:
    """The real roots of each quadratic, of shape (2, m), NaN where there is none."""
    constant, linear, quadratic = coefficients
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        root = np.sqrt(linear**2 - 4 * quadratic * constant)
        # The form of each root without cancellation.
        q = -(linear + np.copysign(root, linear)) / 2
        return np.stack([q / quadratic, constant / q])


def _sign(a: FloatArray, b: FloatArray, coefficients: FloatArray) -> IndexArray:
    """The sign of each part, which has no root inside; 0 if it is always within `COINCIDE`."""
    a0, a1, a2 = coefficients
    at = np.stack([a, (a + b) / 2, b])
    values = a0 + at * (a1 + at * a2)
    middle = np.sign(values[1]).astype(np.intp)
    return np.where(np.abs(values).max(axis=0) <= COINCIDE, 0, middle)

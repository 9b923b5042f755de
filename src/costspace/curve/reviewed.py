"""Loss curves where a person may look at a case before it is decided."""

from __future__ import annotations

from functools import partial

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.checks import check_number
from costspace.curve.loss import (
    LossCurve,
    PiecewiseQuadratic,
    check_curve,
    common_breaks,
    pieces_at,
)
from costspace.curve.smooth import SmoothCurve
from costspace.errors import ConditionError


def with_review(curve: LossCurve, *, relative_cost: float | None = None) -> LossCurve:
    """The loss at every cost proportion where cases may be reviewed, by a reviewer without errors.

    Where a false positive costs c and a false negative 1 - c, a review is never worth it from
    c (1 - c) on. With kappa the cost of a review relative to that, the loss is
    (1 - c) Q(kappa c) + c Q(1 - kappa (1 - c)).

    Parameters
    ----------
    curve : LossCurve
        Q, without reviews, over cost proportions; of a choice that flags less as c grows.
    relative_cost : float in (0, 1], optional
        kappa; at 1 the curve is Q. By default the mean over all of them.

    Returns
    -------
    LossCurve
        Smaller is better. Its pieces are exact if those of the curve are lines; else it has the
        tolerance of a `SmoothCurve`.

    Raises
    ------
    ConditionError
        If it is no loss curve, or the relative cost not in (0, 1].

    Notes
    -----
    Chow (1970), IEEE Transactions on Information Theory 16: an error that costs more than a
    rejection. Over uniform c the mean is that of Q under the density
    ((1 - x / kappa)+ + (1 - (1 - x) / kappa)+) / kappa.

    Examples
    --------
    >>> import costspace as cs
    >>> from costspace.curve import with_review
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> half = with_review(curve, relative_cost=0.5)
    >>> curve(0.5), half(0.5), round(half.expectation(cs.Uniform()), 12)
    (0.5, 0.125, 0.103333333333)
    """
    pieces = check_curve(curve).piecewise()
    if relative_cost is None:
        mean, left_mean = (partial(_averaged, pieces, left=left) for left in (False, True))
        return SmoothCurve(np.unique(pieces.breaks), mean, left_mean)
    kappa = check_number("relative_cost", relative_cost, low=0, high=1)
    if kappa == 0:
        raise ConditionError(
            "relative_cost must be above 0, got 0: where a review is free review every case."
        )
    sides = along(pieces, 0.0, kappa), along(pieces, 1 - kappa, 1.0)
    breaks = common_breaks(sides)
    low, high = (side.coefficients_on(breaks) for side in sides)
    if not np.any(low[2]) and not np.any(high[2]):
        mixed = np.stack([low[0], low[1] - low[0] + high[0], high[1] - low[1]])
        return PiecewiseQuadratic(breaks, mixed)
    inner = np.unique(breaks)
    # Not local functions, which could not be pickled.
    at, before = (partial(_mixed, sides, left=left) for left in (False, True))
    return SmoothCurve(inner, at, before)


def along(curve: PiecewiseQuadratic, start: float, end: float) -> PiecewiseQuadratic:
    """The loss while the condition moves from one place in a line to another, over [0, 1].

    At its end it has the value of the curve there.
    """
    width, breaks = end - start, curve.breaks
    low, high = min(start, end), max(start, end)
    first = int(pieces_at(breaks, np.array(low), left=width > 0))
    last = max(int(pieces_at(breaks, np.array(high))), first)
    a0, a1, a2 = curve.coefficients[:, first : last + 1]
    coefficients = np.stack(
        [a0 + start * (a1 + start * a2), width * (a1 + 2 * start * a2), width * width * a2]
    )
    inner = breaks[first + 1 : last + 1]
    if width == 0:
        return PiecewiseQuadratic(np.array([0.0, 1.0]), coefficients[:, -1:])
    if width < 0:
        coefficients, inner = coefficients[:, ::-1], inner[::-1]
    moved = np.clip((inner - start) / width, 0.0, 1.0)
    return PiecewiseQuadratic(np.concatenate([[0.0], moved, [1.0]]), coefficients)


def _mixed(
    sides: tuple[PiecewiseQuadratic, PiecewiseQuadratic], c: FloatArray, *, left: bool
) -> FloatArray:
    """(1 - c) times one curve and c times another."""
    low, high = (side.left(c) if left else side(c) for side in sides)
    return np.asarray((1 - c) * low + c * high)


def _averaged(curve: PiecewiseQuadratic, c: FloatArray, *, left: bool) -> FloatArray:
    """The mean of the loss over all relative costs of a review.

    That is (1 - c) times the mean of the curve up to c, and c times that from c on.
    """
    breaks, piece = curve.breaks, pieces_at(curve.breaks, c)
    own = np.arange(len(breaks) - 1)
    whole = _areas(curve, own, breaks[:-1], breaks[1:])
    before = np.concatenate([[0.0], np.cumsum(whole)])[piece]
    # From the end, so that nothing cancels near it.
    after = np.concatenate([np.cumsum(whole[::-1])[::-1], [0.0]])[piece + 1]
    before = before + _areas(curve, piece, breaks[piece], c)
    after = after + _areas(curve, piece, c, breaks[piece + 1])
    ends = np.asarray(curve.left(c) if left else curve(c))
    below = np.divide(before, c, out=ends.copy(), where=c > 0)
    above = np.divide(after, 1 - c, out=ends.copy(), where=c < 1)
    return np.asarray((1 - c) * below + c * above)


def _areas(
    curve: PiecewiseQuadratic, piece: IndexArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """The area below pieces of the curve, from one condition to another; Simpson's rule."""
    a0, a1, a2 = curve.coefficients[:, piece]
    middle = (low + high) / 2
    values = sum(w * (a0 + c * (a1 + c * a2)) for w, c in ((1, low), (4, middle), (1, high)))
    return np.asarray((high - low) * values / 6)

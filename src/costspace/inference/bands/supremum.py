"""Standard errors along all conditions, and how far a whole curve strays in them."""

from collections.abc import Sequence

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.curve import PiecewiseQuadratic
from costspace.inference.bands.reaches import Errors, steps_on, thinned

# Conditions between the breaks at which a curve is looked at.
_EVEN = 65
# More breaks than this in the range are looked at in part.
_MOST = 4096


def squared_errors(
    errors: Errors, unseen: Sequence[tuple[float, float]] = ()
) -> PiecewiseQuadratic:
    """The variance of a loss at each condition, exactly: quadratic between breaks.

    Parameters
    ----------
    errors : sequence of RowLosses
        Whose errors add.
    unseen : sequence of pairs of float
        Standard errors to add in x and y.
    """
    at = np.concatenate([one.at for one in errors])
    inner = np.unique(at[(at >= 0) & (at <= 1)])
    breaks = np.concatenate([[0.0], inner, [1.0]])
    xx = np.full(len(inner) + 1, sum((x**2 for x, _ in unseen), 0.0))
    yy = np.full(len(inner) + 1, sum((y**2 for _, y in unseen), 0.0))
    xy = np.zeros(len(inner) + 1)
    for one in errors:
        products = one.products[:, steps_on(one, breaks)]
        # Rounding may leave less than nothing of a square.
        xx += np.maximum(products[0], 0)
        xy += products[1]
        yy += np.maximum(products[2], 0)
    return PiecewiseQuadratic(breaks, np.stack([yy, 2 * (xy - yy), xx - 2 * xy + yy]))


def critical_value(
    errors: Errors,
    variance: PiecewiseQuadratic,
    *,
    within: tuple[float, float],
    level: float,
    replicates: int,
    seed: int,
) -> float:
    """How many standard errors contain all of a curve over a range of conditions.

    Notes
    -----
    The quantile of the largest studentised error of Gaussian draws with the errors' covariances:
    the multiplier method of Chernozhukov, Chetverikov and Kato (2014), Annals of Statistics 42.
    """
    start, end = within
    breaks = thinned(variance.breaks[(variance.breaks > start) & (variance.breaks < end)], _MOST)
    right, left = np.union1d(np.linspace(start, end, _EVEN), breaks), np.append(breaks, end)
    conditions = np.concatenate([right, left])
    scale = np.sqrt(np.concatenate([variance(right), variance.left(left)]))
    steps = [
        np.concatenate([np.searchsorted(one.at, right, "right"), np.searchsorted(one.at, left)])
        for one in errors
    ]
    factors = np.stack([conditions, 1 - conditions]) / scale
    largest = _largest(errors, steps, factors, replicates, seed)
    return float(np.quantile(largest, level, method="higher"))


def _largest(
    errors: Errors, steps: Sequence[IndexArray], factors: FloatArray, replicates: int, seed: int
) -> FloatArray:
    """The largest absolute value of each draw, looked at after some numbers of steps."""
    rng = np.random.default_rng(seed)
    at_once = min(one.draws_at_once for one in errors)
    found = np.empty(replicates)
    for start in range(0, replicates, at_once):
        count = min(at_once, replicates - start)
        total = np.zeros((count, factors.shape[1]))
        for one, at in zip(errors, steps, strict=True):
            x, y = one.draw(rng, count, at)
            total += factors[0] * x + factors[1] * y
        found[start : start + count] = np.max(np.abs(total), axis=1)
    return found

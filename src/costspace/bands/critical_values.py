"""How many standard errors contain a whole curve."""

from collections.abc import Sequence

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.bands.band_limits import Errors, squared_errors, thinned

# Evenly spaced conditions, besides the breaks, at which a curve is checked.
_EVEN = 65
# The most breaks in the range that are checked.
_MOST = 4096


def critical_value(
    errors: Errors,
    *,
    within: tuple[float, float],
    level: float,
    replicates: int,
    seed: int,
) -> float:
    """How many standard errors contain all of a curve over a range of conditions.

    The unseen share of each class is added to its errors.

    Notes
    -----
    The quantile of the largest studentised error of Gaussian draws with the errors' covariances:
    the multiplier method of Chernozhukov, Chetverikov and Kato (2014), Annals of Statistics 42.
    """
    start, end = within
    variance = squared_errors(errors, level)
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
    """The largest absolute value of each draw, after some numbers of steps."""
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

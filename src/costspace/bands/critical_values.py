"""How many standard errors contain a whole curve."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.bands.band_limits import Errors, squared_errors, thinned
from costspace.checks import check_whole
from costspace.errors import ConditionError, brief

# Evenly spaced conditions, besides the breaks, at which a curve is checked.
_EVEN = 65
# The most breaks in the range that are checked.
_MOST = 4096
_FEWEST_REPLICATES = 100


class Draws(NamedTuple):
    """The Gaussian draws of a simultaneous band."""

    replicates: int
    seed: int


def checked_draws(replicates: object, seed: object, *, simultaneous: object) -> Draws | None:
    """The draws that are asked for, None for a pointwise band.

    `ConditionError` unless `simultaneous` is True or False, and the draws are enough.
    """
    if not isinstance(simultaneous, bool):
        raise ConditionError(f"simultaneous must be True or False, got {brief(simultaneous)}.")
    if not simultaneous:
        return None
    return Draws(
        check_whole("replicates", replicates, least=_FEWEST_REPLICATES),
        check_whole("seed", seed, least=0),
    )


def critical_value(
    errors: Errors,
    *,
    within: tuple[float, float],
    level: float,
    draws: Draws,
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

    def drawn(rng: np.random.Generator, count: int) -> FloatArray:
        total = np.zeros((count, factors.shape[1]))
        for one, at in zip(errors, steps, strict=True):
            x, y = one.draw(rng, count, at)
            total += factors[0] * x + factors[1] * y
        return total

    return largest_error(drawn, draws, level, min(one.draws_at_once for one in errors))


def largest_error(
    drawn: Callable[[np.random.Generator, int], FloatArray],
    draws: Draws,
    level: float,
    at_once: int,
) -> float:
    """The quantile of the largest absolute error of each draw.

    `drawn` gives so many draws of the studentised errors of a curve, one a row; it is asked for at
    most `at_once` of them.
    """
    rng = np.random.default_rng(draws.seed)
    found = np.empty(draws.replicates)
    for start in range(0, draws.replicates, at_once):
        count = min(at_once, draws.replicates - start)
        found[start : start + count] = np.max(np.abs(drawn(rng, count)), axis=1)
    return float(np.quantile(found, level, method="higher"))

"""Confidence intervals from the replicates of a bootstrap."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.errors import ConditionError, ScoreError, brief
from costspace.special import ndtr, ndtri

METHODS = ("percentile", "basic", "bca")


def bootstrap_interval(
    replicates: FloatArray,
    estimate: float,
    *,
    level: float,
    method: str,
    acceleration: float = 0.0,
) -> FloatArray:
    """Lower and upper end of a confidence interval, from replicates of a statistic and its value.

    The acceleration, for "bca", is how fast the standard error changes with the statistic.
    `ConditionError` if there is no such method, or there are too few replicates for the level,
    `ScoreError` if a BCa interval has no meaning.

    Notes
    -----
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, Chapters 13 and 14; Davison and
    Hinkley (1997), Bootstrap Methods and their Application, Equation 5.6, for "basic".
    """
    check_method(method)
    aside = (1 - level) / 2
    needed = int(np.ceil(round(1 / aside, 6))) - 1
    if len(replicates) < needed:
        raise ConditionError(
            f"replicates must be at least {needed} for an interval at level {level:g}, got "
            f"{len(replicates)}."
        )
    shares = (aside, 1 - aside)
    if method == "bca":
        shares = _moved(replicates, estimate, aside, acceleration)
    # The k-th of b ordered replicates is the quantile k / (b + 1).
    ends = np.asarray(np.quantile(replicates, shares, method="weibull"))
    return 2 * estimate - ends[::-1] if method == "basic" else ends


def check_method(method: str) -> None:
    """Raise `ConditionError` unless there is such a method."""
    if method not in METHODS:
        raise ConditionError(
            f"method must be {' or '.join(map(repr, METHODS))}, got {brief(method)}."
        )


def _moved(
    replicates: FloatArray, estimate: float, aside: float, acceleration: float
) -> tuple[float, float]:
    """Which quantiles of the replicates are the ends of a BCa interval."""
    below = float(np.mean(replicates < estimate) + np.mean(replicates == estimate) / 2)
    if not 0 < below < 1:
        raise ScoreError(
            f"the estimate {estimate:g} is outside all replicates, so a BCa interval has no "
            "meaning: use method='basic'."
        )
    middle = float(ndtri(below))
    moved = middle + ndtri(np.array([aside, 1 - aside]))
    if not np.all(acceleration * moved < 1):
        raise ScoreError(
            f"the statistic is too skewed for a BCa interval (acceleration {acceleration:.3g}): "
            "use method='percentile'."
        )
    low, high = ndtr(middle + moved / (1 - acceleration * moved))
    return float(low), float(high)

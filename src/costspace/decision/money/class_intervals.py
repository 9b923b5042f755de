"""Intervals of money where what a class adds varies with its share, or with the amounts of cases.

Money is then the sum of two means over all rows, of what negatives cost and of what positives cost.
Each has an interval of its own, since one of them may rest on very few rows, and be skewed.
"""

from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.money.row_money import RowMoney
from costspace.inference.interval import Ends, Interval, normal_quantile
from costspace.special import expit, logit, stdtrit

# Errors below this share of the stake are what rounding leaves of none.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True)
class _Part:
    """What a class adds to money, with its variance and the ends of its interval."""

    value: float
    variance: float
    low: float
    high: float


def sum_of_classes(
    parts: FloatArray,
    sample: RowMoney,
    *,
    ranges: tuple[Ends, Ends],
    learnt: bool,
    selection: Ends,
    level: float,
) -> tuple[float, Interval]:
    """The standard error of money or of a difference of money, and a two-sided interval.

    Parameters
    ----------
    parts : array of shape (n,)
        What each row says of it, as `RowMoney` has it.
    sample : RowMoney
    ranges : tuple of two pairs of floats
        Between what and what either class may add at its share.
    learnt : bool
        Whether a threshold decides, so that rows of a class are not all treated alike.
    selection : tuple of two floats
        How much less what is chosen seems to cost on the rows that it is chosen on, as far as that
        counts below and above.
    level : float in (0, 1)

    Returns
    -------
    tuple of float and Interval
        "known" if nothing varies.

    Notes
    -----
    The limits of a sum from those of its parts, which are correlated: Zou and Donner (2008),
    Statistics in Medicine 27; Zou (2007), Psychological Methods 12. Between two ends a part's logit
    moves by so many errors, and one row that costs the least and one that costs the most are added
    to a class that a threshold divides: Agresti and Coull (1998), American Statistician 52. Where
    amounts vary there is no most, and the skewness of their mean is taken out by a cubic: Hall
    (1992), Journal of the Royal Statistical Society B 54.
    """
    values = sample.class_means(parts)
    errors = sample.class_errors(parts)
    covariance = float(np.sum(errors[0] * errors[1]))
    one, other = (
        _part(
            sample,
            which,
            value=values[which],
            errors=errors[which],
            within=sample.class_variance_within(parts, which),
            ends=ranges[which],
            learnt=learnt,
            level=level,
        )
        for which in (0, 1)
    )
    money = sum(values)
    stake = sum(high - low for low, high in ranges)
    variance = max(one.variance + other.variance + 2 * covariance, 0.0)
    if variance <= (_ROUNDING * stake) ** 2:
        return 0.0, Interval(money, money, "known")
    spread = np.sqrt(one.variance * other.variance)
    correlation = covariance / spread if spread > 0 else 0.0

    def reach(a: float, b: float, chosen: float) -> float:
        squares = a * a + b * b + 2 * correlation * a * b
        return float(np.hypot(np.sqrt(max(squares, 0.0)), normal_quantile(level) * chosen))

    chosen = [bias / np.sqrt(2) for bias in selection]
    below = reach(one.value - one.low, other.value - other.low, chosen[0])
    above = reach(one.high - one.value, other.high - other.value, chosen[1])
    method = "cubic" if any(sample.amounts_vary) else "logit"
    error = float(np.hypot(np.sqrt(variance), chosen[0]))
    return error, Interval(money - below, money + above, method)


def cubic_ends(value: float, errors: FloatArray, error: float, quantile: float) -> Ends:
    """The ends of the interval of a mean whose errors are skewed: Hall (1992).

    Parameters
    ----------
    value : float
    errors : array of shape (units,)
        The part of each independent row, or cluster, in the error.
    error : float
        The standard error, which may be larger than they say.
    quantile : float
        How many errors the interval of a symmetric mean would reach.
    """
    own = float(np.sum(errors * errors))
    skewness = float(np.sum(errors**3)) / own**1.5 if own > 0 else 0.0
    if abs(skewness) < _ROUNDING:
        return value - quantile * error, value + quantile * error
    ends = 1 + skewness * (np.array([quantile, -quantile]) - skewness / 6)
    low, high = value - error * 3 * (np.cbrt(ends) - 1) / skewness
    return float(low), float(high)


def _part(
    sample: RowMoney,
    which: int,
    *,
    value: float,
    errors: FloatArray,
    within: float,
    ends: Ends,
    learnt: bool,
    level: float,
) -> _Part:
    size, (low, high) = sample.effective_sizes[which], ends
    most = high - low
    centre = (size * (value - low) + most) / (size + 2)
    squares = size * (value - low - centre) ** 2 + centre**2 + (most - centre) ** 2
    added = squares / ((size + 1) * (size + 2)) if learnt else 0.0
    variance = float(np.sum(errors * errors)) + added
    if variance <= (_ROUNDING * most) ** 2:
        return _Part(value, 0.0, value, value)
    inside = within + added
    freedom = variance**2 / (
        inside**2 / max(size - 1, _ROUNDING) + max(variance - inside, 0.0) ** 2 / (sample.cases - 1)
    )
    quantile, error = float(stdtrit(freedom, (1 + level) / 2)), float(np.sqrt(variance))
    share = sample.class_shares[which] if sample.estimated else 1.0
    least, largest = min(low / share, 0.0), max(high / share, 0.0)
    if sample.amounts_vary[which]:
        bounds = (-inf if least < 0 else 0.0), (inf if largest > 0 else 0.0)
        below, above = cubic_ends(value, errors, error, quantile)
    else:
        bounds, width = (least, largest), largest - least
        half = most / (2 * size + 2) / width if learnt else 0.0
        at = float(np.clip((value - least) / width, half, 1 - half))
        moved = quantile * error / width / (at * (1 - at))
        below, above = (least + width * expit(logit(at) + np.array([-moved, moved]))).tolist()
    return _Part(
        value, variance, max(min(below, value), bounds[0]), min(max(above, value), bounds[1])
    )

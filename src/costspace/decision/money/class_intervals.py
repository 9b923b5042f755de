"""Intervals of money where what a class adds varies with its share, or with the amounts of cases.

Money is then the sum of two means over all rows, of what negatives cost and of what positives cost.
Each has an interval of its own, since one of them may rest on very few rows, and be skewed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.money.row_money import RowMoney
from costspace.estimates.interval import Ends, Interval, normal_quantile
from costspace.special import stdtrit

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
    money: float,
    parts: FloatArray,
    sample: RowMoney,
    *,
    ranges: tuple[Ends, Ends],
    learnt: bool,
    selection: Ends,
    level: float,
    far: bool = False,
) -> tuple[float, Interval]:
    """The standard error of money or of a difference of money, and a two-sided interval.

    Parameters
    ----------
    money : float
        What it is said to be, with a margin perhaps.
    parts : array of shape (n,)
        What each row says of it, as `RowMoney` has it, and `FittedStrategy.row_losses`.
    sample : RowMoney
    ranges : tuple of two pairs of floats
        Between what and what either class may add at its share.
    learnt : bool
        Whether a threshold decides, so that rows of a class are not all treated alike.
    selection : tuple of two floats
        How much less what is chosen seems to cost on the rows that it is chosen on, as far as that
        counts below and above.
    level : float in (0, 1)
    far : bool, default False
        Whether the level is that of one of several intervals that hold at once. So far out the ends
        of a score interval are too near the value on the side of no row, and too far from it on the
        other: of six segments all held what they cost in 91 % of samples. They are of second order
        then: Cai (2005), Journal of Statistical Planning and Inference 131.

    Returns
    -------
    tuple of float and Interval
        "known" if nothing varies.

    Notes
    -----
    The limits of a sum from those of its parts, which are correlated: Zou and Donner (2008),
    Statistics in Medicine 27; Zou (2007), Psychological Methods 12. A part between two ends is as
    the share of so many rows: Wilson (1927), Journal of the American Statistical Association 22;
    few rows that cost something are taken to cost as much as one can. Where amounts vary there is
    no most, and the skewness of their mean is taken out by a cubic: Hall (1992), Journal of the
    Royal Statistical Society B 54.
    """
    values = sample.class_means(parts)
    errors = sample.class_errors(parts, estimated=sample.estimated)
    within = sample.class_errors(parts, estimated=False)
    trials = sample.trials(parts, (ranges[0][1] - ranges[0][0], ranges[1][1] - ranges[1][0]))
    covariance = float(np.sum(errors[0] * errors[1]))
    one, other = (
        _part(
            sample,
            which,
            value=values[which],
            errors=errors[which],
            within=float(np.sum(within[which] ** 2)),
            ends=ranges[which],
            trials=trials[which],
            learnt=learnt,
            level=level,
            far=far,
        )
        for which in (0, 1)
    )
    stake = sum(high - low for low, high in ranges)
    variance = max(one.variance + other.variance + 2 * covariance, 0.0)
    apart = _ROUNDING * (one.variance + other.variance)
    if variance <= max((_ROUNDING * stake) ** 2, apart):
        return 0.0, Interval(money, money, "known")
    spread = float(np.sqrt(np.sum(errors[0] ** 2) * np.sum(errors[1] ** 2)))
    correlation = covariance / spread if spread > 0 else 0.0

    def reach(a: float, b: float, chosen: float) -> float:
        squares = a * a + b * b + 2 * correlation * a * b
        return float(np.hypot(np.sqrt(max(squares, 0.0)), normal_quantile(level) * chosen))

    chosen = [bias / np.sqrt(2) for bias in selection]
    below = reach(one.value - one.low, other.value - other.low, chosen[0])
    above = reach(one.high - one.value, other.high - other.value, chosen[1])
    method = "cubic" if any(sample.amounts_vary) else "score"
    error = float(np.hypot(np.sqrt(variance), chosen[0]))
    return error, Interval(money - below, money + above, method)


def count_ends(
    sample: RowMoney, which: int, value: float, errors: FloatArray, *, most: float, level: float
) -> Ends:
    """The ends of the interval of a count that rows have different chances to be in.

    It is as the share of so many rows as vary as much: few rows with high chances tell as little as
    they are, however many with low ones there are. As in `sum_of_classes` one row more is taken to
    be in it for certain, and it is counted from the nearer end.

    Parameters
    ----------
    which : int
        The class that is counted: 0 for negatives, 1 for positives.
    errors : array of shape (units,)
        The part of each independent row, or cluster, in its error.
    most : float
        The count if all rows of the class are in it.
    """
    share, cases, more = _trials(sample, which, sample.sizes[which])
    width = most / share
    at = min(value / width, 1.0)
    up = at <= 1 / 2
    at = at if up else 1 - at
    variance = float(np.sum(errors * errors)) / width**2
    apart = _apart(at, variance, cases, more)
    quantile = normal_quantile(level)
    if sample.clustered:
        quantile = float(stdtrit(cases - 1, (1 + level) / 2))
    low, high = score_ends(at, _as_rows(at, apart, cases), quantile)
    low, high = (low, high) if up else (1 - high, 1 - low)
    return min(width * low, value), max(width * high, value)


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
    trials: float,
    learnt: bool,
    level: float,
    far: bool,
) -> _Part:
    """What a class adds, as a share of the range of what one row adds to a mean over all."""
    variance = float(np.sum(errors * errors))
    if not learnt and variance <= (_ROUNDING * (ends[1] - ends[0])) ** 2:
        return _Part(value, 0.0, value, value)
    share, cases, more = _trials(sample, which, trials)
    least, most = min(ends[0] / share, 0.0), max(ends[1] / share, 0.0)
    width = most - least
    # Counted from the end where rows of the other class are, if they are at one.
    up = most > 0
    at = (value - least if up else most - value) / width
    # Where a threshold may decide otherwise elsewhere, one row more is at the other end.
    apart = _apart(at, variance / width**2, cases, more if learnt else 0.0)
    used = max(width**2 * at * apart / cases, variance)
    # Rows that compete for places may vary less in all than within their class.
    within = min(within, variance)
    freedom = welch_freedom(
        (within + used - variance, variance - within), (sample.effective_sizes[which], sample.cases)
    )
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    if sample.amounts_vary[which] and variance > 0:
        low, high = cubic_ends(value, errors, float(np.sqrt(used)), quantile)
        low, high = max(low, 0.0 if least == 0 else -inf), min(high, 0.0 if most == 0 else inf)
    else:
        size = _as_rows(at, apart, cases)
        low, high = score_ends(at, size, quantile)
        if far and at > 0:
            low, high = _second_order_ends(at, size, quantile)
        low, high = (
            (least + width * low, least + width * high)
            if up
            else (most - width * high, most - width * low)
        )
    # Where no row costs anything, what is not ruled out says how far it may be off.
    variance = used if used > 0 else ((high - low) / (2 * quantile)) ** 2
    return _Part(value, variance, min(low, value), max(high, value))


def _trials(sample: RowMoney, which: int, size: float) -> tuple[float, float, float]:
    """The class's share of what is sampled, of how many rows or groups, and what one more adds.

    Of a group the rows of the class are one more, in units of the mean row or group: if its share
    is estimated the others of the group are in the mean over all, but are not of the class.
    """
    if not sample.estimated:
        return 1.0, sample.sizes[which], sample.sizes[which] / size
    share, cases = sample.class_shares[which], sample.cases
    return share, cases, share * cases / size


def _apart(share: float, variance: float, cases: float, more: float) -> float:
    """The mean of squares over that of values, less the mean: `1 - share` if values are 0 or 1.

    One row more is in it that adds `more` to the values.
    """
    deviations = cases * cases * variance + more * more * (1 - share)
    return deviations / (cases * share + more) if deviations > 0 else 0.0


def _as_rows(share: float, apart: float, cases: float) -> float:
    """How many rows that are in it or not would vary as much."""
    return cases * (1 - share) / apart if min(apart, 1 - share) > _ROUNDING else cases


def score_ends(share: float, size: float, quantile: float) -> Ends:
    """Between which shares that of so many rows lies: Wilson (1927)."""
    squared = quantile * quantile / size
    centre = share + squared / 2
    reach = quantile * float(np.sqrt((share * (1 - share) + squared / 4) / size))
    return (centre - reach) / (1 + squared), (centre + reach) / (1 + squared)


def _second_order_ends(share: float, size: float, quantile: float) -> Ends:
    """Between which shares that of so many rows lies, skewness allowed for: Cai (2005)."""
    squared, variance = quantile * quantile, share * (1 - share)
    added = squared / 3 + 1 / 6
    beside = (squared / 18 + 7 / 36) - (13 * squared + 17) / 18 * variance
    reach = quantile * float(np.sqrt(max(variance + beside / size, 0.0) / size))
    centre = (share * size + added) / (size + 2 * added)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)


def welch_freedom(variances: Sequence[float], sizes: Ends) -> float:
    """Degrees of freedom of the sum of two means, each with its own variance: Welch (1947)."""
    # What the weight of one row says alone tells nothing of how it varies.
    squares = sum(
        max(v, 0.0) ** 2 / max(size - 1, _ROUNDING)
        for v, size in zip(variances, sizes, strict=True)
    )
    return sum(variances) ** 2 / squares if squares > 0 else sizes[1] - 1

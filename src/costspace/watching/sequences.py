"""Confidence sequences of a mean from counts of a few values: valid at every look.

Whoever bets on each row that it is above a mean m, lambda of the stake to one, multiplies the stake
by 1 + lambda (l - m), and gains nothing on average if the mean is m at most. What many such bets
have together depends on how often each value came, and not on the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue
from costspace.errors import ConditionError, brief
from costspace.estimates.interval import Ends, Interval, check_level
from costspace.notebook import Tabulated

# Midpoints of equal angles: bets with arcsine weights, as shares of the largest that there may be.
BETS = 400
_BET = (1 - np.cos((np.arange(BETS) + 0.5) * (np.pi / BETS))) / 2
# The last step to an end is below this share of it, and what is left about its square.
_NEAR, _STEPS = 1e-8, 100
# So many looks are worked on at once.
_BLOCK = 64


@final
@dataclass(frozen=True, eq=False, repr=False)
class MeanSequence(FrozenValue, Tabulated):
    """A mean after each of some looks, with intervals that hold at all looks at once.

    Attributes
    ----------
    counts : array of shape (looks, k)
        How many rows have had each value by each look.
    values : array of shape (k,)
    ends : (float, float)
        Between what and what the value of a row may be.
    level : float in (0, 1)
        The chance that the mean is in the intervals of all looks, at least.
    rows : array of shape (looks,)
        How many rows there were by each look.
    mean : array of shape (looks,)
        NaN before the first row.
    low, high : arrays of shape (looks,)
        The ends of the interval; those of the range of values where rows say nothing.

    Examples
    --------
    >>> from costspace.watching import mean_sequence
    >>> found = mean_sequence([[90, 10], [910, 90]], [0, 1])
    >>> found.mean.round(3), found.low.round(3), found.high.round(3)
    (array([0.1 , 0.09]), array([0.027, 0.06 ]), array([0.223, 0.124]))
    >>> found.last.method
    'sequence'
    """

    counts: FloatArray
    values: FloatArray
    ends: Ends
    level: float

    @property
    def rows(self) -> FloatArray:
        """How many rows there were by each look."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def mean(self) -> FloatArray:
        """The mean by each look."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.counts @ self.values / self.rows)

    @property
    def low(self) -> FloatArray:
        """The lower end after each look."""
        return self._both[0]

    @property
    def high(self) -> FloatArray:
        """The upper end after each look."""
        return self._both[1]

    @property
    def last(self) -> Interval:
        """The interval after the last look, which takes no time for those before."""
        low, high = self._after(self.counts[-1:])
        return Interval(float(low[0]), float(high[0]), "sequence")

    @cached_property
    def _both(self) -> tuple[FloatArray, FloatArray]:
        return self._after(self.counts)

    def _after(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The ends of the interval by some looks."""
        low, high = self.ends
        if low == high:
            return np.full(len(counts), low), np.full(len(counts), high)
        shares, reach = (self.values - low) / (high - low), float(np.log(2 / (1 - self.level)))
        below = _least_means(counts, shares, reach)
        above = _least_means(counts, 1 - shares, reach)
        return low + (high - low) * below, high - (high - low) * above

    def columns(self) -> dict[str, FloatArray]:
        """One row a look."""
        return {name: getattr(self, name) for name in ("rows", "mean", "low", "high")}


def mean_sequence(
    counts: ArrayLike,
    values: ArrayLike,
    *,
    low: float | None = None,
    high: float | None = None,
    level: float = 0.95,
) -> MeanSequence:
    """The mean of rows that have a few values, with an interval that is valid at every look.

    Parameters
    ----------
    counts : array of shape (looks, k)
        How many rows have had each value by each look: cumulated, in the order of the looks.
    values : array of shape (k,)
    low, high : float, optional
        Between what and what the value of a row may be, fixed before the first look; by default
        the least and the largest of `values`, which must then be all that there may be.
    level : float in (0, 1)

    Returns
    -------
    MeanSequence

    Raises
    ------
    ConditionError
        If counts are not cumulated, or the values not numbers in that range.

    Notes
    -----
    A mean is outside the interval of a look if the wealth of bets on more, or of bets on less, is
    2 / (1 - level) there: Orabona and Jun (2024), IEEE Transactions on Information Theory 70, and
    Waudby-Smith and Ramdas (2024), Journal of the Royal Statistical Society B 86. Each row's mean
    given all before it is taken to be the same; if it moves, a low end above m says that it has
    been above m at some time, with the same certainty.

    Examples
    --------
    >>> from costspace.watching import mean_sequence
    >>> found = mean_sequence([[9400, 500, 100]], [0, 1, 10])
    >>> found.low.round(4), found.high.round(4)
    (array([0.1148]), array([0.1878]))
    """
    values, counts, low, high = _checked(counts, values, low, high)
    check_level(level)
    return MeanSequence(counts, values, (low, high), level)


def log_wealth(
    counts: ArrayLike,
    values: ArrayLike,
    mean: float,
    *,
    low: float | None = None,
    high: float | None = None,
) -> FloatArray:
    """The logarithm of what a stake of 1 has become by each look, in bets on more than a mean.

    Parameters
    ----------
    counts, values, low, high
        As in `mean_sequence`.
    mean : float in (low, high)

    Returns
    -------
    array of shape (looks,)
        Its exponential exceeds 1 / alpha at some look with a probability of alpha at most, if the
        mean of each row given all before it is `mean` at most.

    Examples
    --------
    >>> from costspace.watching.sequences import log_wealth
    >>> log_wealth([[9400, 500, 100]], [0, 1, 10], 0.13).round(9)
    array([-1.4775063])
    """
    values, counts, low, high = _checked(counts, values, low, high)
    shares, share = (values - low) / (high - low), (mean - low) / (high - low)
    return log_mean_exp(log_stakes(counts, shares, share))


def log_stakes(counts: FloatArray, shares: FloatArray, mean: float | FloatArray) -> FloatArray:
    """The same of each bet, shape (looks, bets), with values and means as shares of the range."""
    means = np.broadcast_to(np.asarray(mean, dtype=float)[..., None], (len(counts), 1))
    return _stakes_and_slopes(counts, shares, means)[0]


def log_mean_exp(stakes: FloatArray) -> FloatArray:
    """The logarithm of what all bets have together, a share each."""
    most = stakes.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.mean(np.exp(stakes - most), axis=-1)) + most[..., 0])


def _checked(
    counts: ArrayLike, values: ArrayLike, low: float | None, high: float | None
) -> tuple[FloatArray, FloatArray, float, float]:
    """Values and counts, and the range of values, or `ConditionError`."""
    amounts, numbers = np.array(values, dtype=float), np.array(counts, dtype=float)
    if amounts.ndim != 1 or len(amounts) == 0 or not np.isfinite(amounts).all():
        raise ConditionError(f"values must be finite numbers, got {brief(values)}.")
    if numbers.ndim != 2 or numbers.shape[1] != len(amounts):
        raise ConditionError(
            f"counts must have a row a look and a column for each of {len(amounts)} values, got "
            f"shape {numbers.shape}."
        )
    if not np.isfinite(numbers).all() or np.any(np.diff(numbers, axis=0, prepend=0) < 0):
        raise ConditionError(
            "counts must be cumulated, none below 0 or below that of the look before, got "
            f"{brief(counts)}."
        )
    least, most = float(amounts.min()), float(amounts.max())
    low, high = least if low is None else float(low), most if high is None else float(high)
    if not (-np.inf < low <= least <= most <= high < np.inf and high - low < np.inf):
        raise ConditionError(
            f"values must lie between low and high, got {least:g} to {most:g} and {low:g} to "
            f"{high:g}."
        )
    return amounts, numbers, low, high


def _least_means(counts: FloatArray, shares: FloatArray, reach: float) -> FloatArray:
    """The mean below which bets on more have e to the `reach` by each look, as a share; or 0."""
    return np.concatenate(
        [_least(counts[i : i + _BLOCK], shares, reach) for i in range(0, len(counts), _BLOCK)]
        or [np.zeros(0)]
    )


def _least(counts: FloatArray, shares: FloatArray, reach: float) -> FloatArray:
    """The same of a few looks, by Newton's method in the logarithm of the mean.

    The logarithm of wealth is convex there, so that every step but the first ends below the root,
    and nearer to it.
    """
    rows = counts.sum(axis=1)
    found = np.zeros(len(counts))
    # Only a value above the least can be more than any mean.
    todo = np.flatnonzero(counts @ (shares > 0) > 0)
    mean = (counts[todo] @ shares) / rows[todo]
    varies = (counts[todo] @ shares**2) / rows[todo] - mean**2
    spread = (np.maximum(varies, 0) + 1 / rows[todo] ** 2) * (reach + np.log(rows[todo] + 1) / 2)
    at = np.log(mean) - np.minimum(np.sqrt(2 * spread / rows[todo]) / mean, 3.0)
    for _ in range(_STEPS):
        stakes, slopes = _stakes_and_slopes(counts[todo], shares, np.exp(at)[:, None])
        wealth = log_mean_exp(stakes)
        slope = np.mean(np.exp(stakes - wealth[:, None]) * slopes, axis=1)
        with np.errstate(divide="ignore"):
            step = np.clip((wealth - reach) / slope, -30, 30)
        at = at - step
        found[todo] = np.exp(at)
        left = np.abs(step) > _NEAR
        todo, at = todo[left], at[left]
        if len(todo) == 0:
            break
    return found


def _stakes_and_slopes(
    counts: FloatArray, shares: FloatArray, means: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The logarithm of each bet's stake, and what it rises by with that of the mean."""
    lowest = shares == 0
    # Of the lowest value both parts are the same for all rows.
    least, rows = counts[:, lowest].sum(axis=1), counts.sum(axis=1)
    stakes = least[:, None] * np.log1p(-_BET) - (rows - least)[:, None] * np.log(means)
    slopes = np.broadcast_to((least - rows)[:, None], stakes.shape).copy()
    unmoved = (1 - _BET) * means
    for share, count in zip(shares[~lowest], counts[:, ~lowest].T, strict=True):
        both = unmoved + _BET * share
        slopes += count[:, None] * (unmoved / both)
        stakes += count[:, None] * np.log(both)
    return stakes, slopes

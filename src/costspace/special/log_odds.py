"""The logistic function and its inverse."""

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray

# Between these the quotient p / (1 - p) loses digits, and 2p - 1 is exact.
_NEAR_HALF = (0.3, 0.65)


def expit(log_odds: ArrayLike) -> FloatArray:
    """The probability 1 / (1 + exp(-x)) of log-odds x; tiny ones keep their digits."""
    x = np.asarray(log_odds, dtype=float)
    with np.errstate(under="ignore"):
        tail = np.exp(-np.abs(x))
    return (np.where(x < 0, tail, 1.0) / (1 + tail))[()]


def logit(probability: ArrayLike) -> FloatArray:
    """The log-odds log(p / (1 - p)) of a probability p: infinite at 0 and 1, NaN beyond."""
    p = np.asarray(probability, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(p / (1 - p))
        off = 2 * (p - 0.5)
        central = np.log1p(off) - np.log1p(-off)
    return np.where((p < _NEAR_HALF[0]) | (p > _NEAR_HALF[1]), odds, central)[()]

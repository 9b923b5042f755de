"""Odds that are uniform on the logarithmic scale."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_number, check_range
from costspace.costs.base import CostDistribution, written
from costspace.costs.log_odds import LogOddsDensity
from costspace.special import logit

# Exact to rounding for x / (1 - x) on any part of [0, 1/2].
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


@final
@dataclass(frozen=True)
class LogitUniform(CostDistribution):
    """Distribution on [low, high] that is uniform in log-odds.

    For what is known to within a factor, such as a prevalence between 0.1 % and 1 %: equal factors
    of the odds are equally likely.

    Parameters
    ----------
    low, high : float
        0 < low < high < 1.

    Raises
    ------
    ConditionError
        If not 0 < low < high < 1.

    Notes
    -----
    Its density is 1 / (p (1 - p)) over the range in log-odds. It is Haldane's prior of a
    proportion, confined to a range, and the mirror image 1 - p has the same form. Hernandez-Orallo,
    Flach, Ferri (2012), arXiv:1112.2640, Equation 4 admits any distribution.

    Examples
    --------
    >>> round(LogitUniform(0.1, 0.9).mean(), 12)
    0.5
    >>> round(LogitUniform(0.001, 0.01).mean(), 6)
    0.003915
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            bound = check_number(name, getattr(self, name), low=0, high=1, open_ends=True)
            object.__setattr__(self, name, bound)
        check_range(self.low, self.high, inside=(0, 1))

    def __str__(self) -> str:
        return f"logit_uniform({written(self.low)},{written(self.high)})"

    @property
    def _width(self) -> float:
        return float(_log_odds_ratio(self.low, np.asarray(self.high)))

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(0), np.zeros(0)

    def log_odds_density(self) -> LogOddsDensity:
        ends = logit(np.array([self.low, self.high]))
        return LogOddsDensity(ends, ends, self._in_log_odds)

    def _in_log_odds(self, w: FloatArray) -> FloatArray:
        return np.full_like(w, 1 / self._width)

    @property
    def words(self) -> str:
        return f"uniform in log-odds from {self.low:g} to {self.high:g}"

    def within(self, low: float, high: float) -> "LogitUniform | None":
        return LogitUniform(low, high) if self.low <= low < high <= self.high else None

    def below(self, c: FloatArray, power: int) -> FloatArray:
        x = np.clip(c, self.low, self.high)
        if power == 0:
            return _log_odds_ratio(self.low, x) / self._width
        if power == 1:
            return np.log1p((x - self.low) / (1 - x)) / self._width
        return _integrated_odds(self.low, x) / self._width

    def complement_from(self, c: FloatArray) -> FloatArray:
        x = np.clip(c, self.low, self.high)
        return np.log1p((self.high - x) / x) / self._width

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        x = np.clip(edges, self.low, self.high)
        a, b = x[:-1], x[1:]
        odds, inverse = (b - a) / ((1 - a) * (1 - b)), (b - a) / (a * b)
        return odds / self._width, inverse / self._width


def _log_odds_ratio(low: float, x: FloatArray) -> FloatArray:
    """The log-odds of `x` minus those of `low`, exact to rounding even if they are close."""
    return np.log1p((x - low) / (low * (1 - x)))


def _integrated_odds(low: float, x: FloatArray) -> FloatArray:
    """Integral of x / (1 - x) from `low`: above 1/2 in closed form, below it by quadrature.

    The closed form, -x - log(1 - x), cancels for small x.
    """
    start, end = min(low, 0.5), np.minimum(x, 0.5)
    half, middle = np.maximum(end - start, 0) / 2, (end + start) / 2
    lower = np.zeros_like(x)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        at = middle + half * node
        lower += weight * at / (1 - at)
    base = max(low, 0.5)
    gap = np.maximum(x - base, 0)
    return lower * half + np.log1p(gap / (1 - base - gap)) - gap

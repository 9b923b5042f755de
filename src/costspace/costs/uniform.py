"""Uniform operating conditions in a range."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Floats
from costspace.checks import check_range
from costspace.costs.base import QUANTILES, CostDistribution, written
from costspace.costs.log_odds import LogOddsDensity
from costspace.special import expit, logit


@final
@dataclass(frozen=True)
class Uniform(CostDistribution):
    """Uniform distribution of the operating condition on [low, high].

    An expectation over it is the mean over [low, high].

    Parameters
    ----------
    low, high : float
        0 <= low < high <= 1.

    Raises
    ------
    ConditionError
        If not 0 <= low < high <= 1.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640: the distribution U(c) of every link
    between a threshold choice method and a metric.

    Examples
    --------
    >>> Uniform(0.1, 0.4).mean()
    0.25
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        low, high = check_range(self.low, self.high, inside=(0, 1))
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def __str__(self) -> str:
        return f"uniform({written(self.low)},{written(self.high)})"

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def is_uniform(self) -> bool:
        return (self.low, self.high) == (0, 1)

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(0), np.zeros(0)

    def log_odds_density(self) -> LogOddsDensity:
        width, gaps = self.high - self.low, np.append(0.0, QUANTILES)
        with np.errstate(divide="ignore"):
            # At 0 or 1 the tail in log-odds is infinite: follow it to where its mass is negligible.
            seeds = np.append(logit(self.low + gaps * width), -logit(1 - self.high + gaps * width))
        seeds = seeds[np.isfinite(seeds)]
        ends = np.array([seeds.min(), seeds.max()])
        return LogOddsDensity(ends, seeds, self._in_log_odds)

    def _in_log_odds(self, w: FloatArray) -> FloatArray:
        return expit(w) * expit(-w) / (self.high - self.low)

    def below(self, c: FloatArray, power: int) -> FloatArray:
        # In place where possible: samples of 10^7 scores pass through here block by block. Over
        # all conditions a = 0 and the width is 1, and steps without effect are skipped.
        a, width, x = self.low, self.high - self.low, c.clip(self.low, self.high)
        if power == 0:
            factor: Floats = 1.0
        elif power == 1:
            factor = (x + a if a else x) / 2
        else:
            factor = (x * x + x * a + a * a) / 3
        if a:
            x -= a
        x *= factor
        if width != 1:
            x /= width
        return x

    def complement_from(self, c: FloatArray) -> FloatArray:
        b, x = self.high, c.clip(self.low, self.high)
        gap = b - x
        gap *= (2 - b) - x
        gap /= 2 * (b - self.low)
        return gap

    def flat_on(self, low: FloatArray, high: FloatArray) -> FloatArray:
        within = (low >= self.low) & (high <= self.high)
        return np.where(within, 1 / (self.high - self.low), super().flat_on(low, high))

    def within(self, low: float, high: float) -> "Uniform | None":
        return Uniform(low, high) if self.low <= low < high <= self.high else None

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        x = np.clip(edges, self.low, self.high)
        a, b = x[:-1], x[1:]
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            odds = np.log1p((b - a) / (1 - b), where=a < b, out=np.zeros_like(a)) - (b - a)
            inverse = np.log1p((b - a) / a, where=a < b, out=np.zeros_like(a)) - (b - a)
        width = self.high - self.low
        return odds / width, inverse / width

"""The beta family: conditions concentrated anywhere on [0, 1]."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.costs.base import FARTHEST, QUANTILES, CostDistribution, written
from costspace.costs.log_odds import LogOddsDensity
from costspace.quadrature import integrate
from costspace.special import (
    betainc,
    betaincc,
    betaincinv,
    betaln,
    log_expit,
    logit,
    xlog1py,
    xlogy,
)

_LARGEST = 1e15
# Up to this first shape, if it is whole, shares are sums of few terms, without SciPy. In the rest
# of the series, terms below this share of the sum are ignored.
_MOST_TERMS = 6
_NEGLIGIBLE = 1e-17


@final
@dataclass(frozen=True)
class Beta(CostDistribution):
    """Beta distribution of the operating condition.

    Parameters
    ----------
    a, b : float, positive
        Shapes; the mean is a / (a + b). ``Beta(1, 1)`` is uniform.

    Raises
    ------
    ConditionError
        If a shape is not positive, or above 1e15, where the distribution is nearly a point.

    Notes
    -----
    Hand (2009), Machine Learning 77, proposes ``Beta(2, 2)`` for the H-measure.

    Examples
    --------
    >>> Beta(2, 6).mean()
    0.25
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            shape = check_number(name, getattr(self, name), low=0, high=_LARGEST, open_ends=True)
            object.__setattr__(self, name, shape)

    def __str__(self) -> str:
        return f"beta({written(self.a)},{written(self.b)})"

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(0), np.zeros(0)

    def log_odds_density(self) -> LogOddsDensity:
        a, b = self.a, self.b
        lower, upper = betaincinv(a, b, QUANTILES), betaincinv(b, a, QUANTILES)
        with np.errstate(divide="ignore"):
            seeds = np.clip(np.append(logit(lower), -logit(upper)), -FARTHEST, FARTHEST)
        return LogOddsDensity(np.array([seeds.min(), seeds.max()]), seeds, self._in_log_odds)

    def _in_log_odds(self, w: FloatArray) -> FloatArray:
        a, b = self.a, self.b
        return np.exp(a * log_expit(w) + b * log_expit(-w) - betaln(a, b))

    def below(self, c: FloatArray, power: int) -> FloatArray:
        a, n = self.a, self.a + self.b
        moment = (1.0, a / n, (a / n) * ((a + 1) / (n + 1)))[power]
        return moment * _distribution_function(a + power, self.b, np.clip(c, 0, 1))

    def complement_from(self, c: FloatArray) -> FloatArray:
        share = self.b / (self.a + self.b)
        return share * _tail(self.a, self.b + 1, np.clip(c, 0, 1))

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        odds = _mean_inverse_odds(self.b, self.a, 1 - edges[::-1])[::-1]
        return odds, _mean_inverse_odds(self.a, self.b, edges)


def _distribution_function(a: float, b: float, x: FloatArray) -> FloatArray:
    """P(X < x), X ~ Beta(a, b): in the upper half from the tail, where SciPy is more exact."""
    x = np.asarray(x)
    share = _head(a, b, np.minimum(x, 0.5))
    upper = np.asarray(x > 0.5)
    share[upper] = 1 - _tail(a, b, x[upper])
    return share


def _head(a: float, b: float, x: FloatArray) -> FloatArray:
    """P(X < x), X ~ Beta(a, b), x at most 1/2."""
    if a not in range(1, _MOST_TERMS + 1):
        return np.asarray(betainc(a, b, x))
    tail, term = _first_terms(int(a), b, x)
    head = np.asarray(1 - tail)
    # Where that would cancel, use the other terms of the series: there, each is soon at most half
    # the one before.
    little = np.asarray(tail > 0.5)
    head[little] = np.asarray(term)[little] * _other_terms(int(a), b, np.asarray(x)[little])
    return head


def _other_terms(a: int, b: float, x: FloatArray) -> FloatArray:
    """The terms of that series from the one of x^a on, as multiples of it."""
    largest = float(np.max(x, initial=0.0))
    terms, total, j = [1.0], 1.0, a
    while terms[-1] > _NEGLIGIBLE * total:
        j += 1
        terms.append(terms[-1] * ((b + j - 1) / j * largest))
        total += terms[-1]
    share = x / largest if largest > 0 else x
    found = np.zeros_like(x)
    for term in reversed(terms):
        found *= share
        found += term
    return found


def _tail(a: float, b: float, x: FloatArray) -> FloatArray:
    """P(X >= x), X ~ Beta(a, b)."""
    if a not in range(1, _MOST_TERMS + 1):
        return np.asarray(betaincc(a, b, x))
    return _first_terms(int(a), b, x)[0]


def _first_terms(a: int, b: float, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(1 - x)^b times the first a terms of the power series of (1 - x)^-b, and the next term."""
    x = np.asarray(x)
    # In the upper half 1 - x is exact.
    term = np.where(x < 0.5, np.exp(b * np.log1p(-np.minimum(x, 0.5))), (1 - x) ** b)
    found = term.copy()
    for j in range(1, a):
        term = term * ((b + j - 1) / j * x)
        found += term
    return found, term * ((b + a - 1) / a * x)


def _mean_inverse_odds(a: float, b: float, edges: FloatArray) -> FloatArray:
    """E[(1 - X) / X] over the pieces between `edges`, X ~ Beta(a, b).

    With (1 - x) / x the density is that of Beta(a - 1, b + 1), if a > 1. Else it is integrated
    from the first edge above 0, and a piece that touches 0 has moment `inf`.
    """
    if a > 1:
        return b / (a - 1) * np.diff(_distribution_function(a - 1, b + 1, edges))

    def integrand(x: FloatArray) -> FloatArray:
        return np.exp(xlogy(a - 2, x) + xlog1py(b, -x) - betaln(a, b))

    positive = edges[edges > 0]
    moments = integrate(integrand, np.maximum(edges, positive[0]))
    moments[(edges[:-1] == 0) & (edges[1:] > 0)] = np.inf
    return moments

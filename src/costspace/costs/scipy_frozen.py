"""Any continuous distribution frozen by `scipy.stats`, as a distribution of conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.costs.base import QUANTILES, CostDistribution
from costspace.costs.log_odds import LogOddsDensity
from costspace.errors import ConditionError, brief
from costspace.quadrature import RunningIntegral, integrate
from costspace.special import expit, logit

_ROUNDING = 1e-12
# New names of methods in the distributions that SciPy 1.15 introduced.
_NEW_NAMES = {"sf": "ccdf", "ppf": "icdf", "isf": "iccdf"}


@final
@dataclass(frozen=True)
class ScipyFrozen(FrozenValue, CostDistribution):
    """A frozen continuous scipy distribution on [0, 1].

    Its partial moments are integrals of its distribution function by parts,
    E[X^k; X < c] = c^k F(c) - k int_0^c x^(k-1) F(x) dx, each by adaptive quadrature to about
    1e-12, even where the density jumps; costspace's own distributions are closed forms and faster.

    Parameters
    ----------
    frozen : frozen ``scipy.stats`` distribution
        Continuous, with support inside [0, 1].

    Raises
    ------
    ConditionError
        If it is not such a distribution, is discrete, is an array of several, or has support
        outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4 admits any distribution.

    Examples
    --------
    >>> from scipy.stats import triang
    >>> round(ScipyFrozen(triang(0.5)).mean(), 12)
    0.5
    """

    frozen: Any

    def __post_init__(self) -> None:
        try:
            low, high = map(float, self.frozen.support())
        except (AttributeError, TypeError, ValueError):
            raise ConditionError(
                "ScipyFrozen needs one frozen scipy distribution such as scipy.stats.beta(2, 2), "
                f"got {brief(self.frozen)}."
            ) from None
        if not hasattr(self.frozen, "pdf"):
            raise ConditionError(
                "a discrete scipy distribution cannot be used: give its points to Sampled."
            )
        # Scaled and shifted supports have rounding errors.
        if not -_ROUNDING <= low < high <= 1 + _ROUNDING:
            raise ConditionError(
                f"a distribution of conditions must have its support in [0, 1], got support "
                f"[{low:g}, {high:g}]: truncate or rescale it."
            )

    def __str__(self) -> str:
        return f"scipy({scipy_name(self.frozen)})"

    def __repr__(self) -> str:
        return f"ScipyFrozen({scipy_written(self.frozen)})"

    def _tail(self, x: FloatArray) -> FloatArray:
        return scipy_method(self.frozen, "sf")(x)

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.frozen.support()
        return max(float(low), 0.0), min(float(high), 1.0)

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(0), np.zeros(0)

    def log_odds_density(self) -> LogOddsDensity:
        places = np.concatenate([self.support, *quantiles(self.frozen)])
        seeds = logit(places[(places > 0) & (places < 1)])
        return LogOddsDensity(np.array([seeds.min(), seeds.max()]), seeds, self._in_log_odds)

    def _in_log_odds(self, w: FloatArray) -> FloatArray:
        # It may be infinite where rounding puts a number on an end of the support.
        return np.nan_to_num(self.frozen.pdf(expit(w)), posinf=0.0) * expit(w) * expit(-w)

    @cached_property
    def _to_power(self) -> dict[int, RunningIntegral]:
        """The integral of k x^(k-1) F(x) for each power k."""
        ends = np.array(self.support)
        return {
            1: RunningIntegral(self.frozen.cdf, ends),
            2: RunningIntegral(lambda x: 2 * x * self.frozen.cdf(x), ends),
        }

    @cached_property
    def _of_tail(self) -> RunningIntegral:
        return RunningIntegral(self._tail, np.array(self.support))

    def below(self, c: FloatArray, power: int) -> FloatArray:
        x = np.clip(c, *self.support)
        cdf = self.frozen.cdf(x)
        return cdf if power == 0 else x**power * cdf - self._to_power[power].below(x)

    def complement_from(self, c: FloatArray) -> FloatArray:
        x = np.clip(c, *self.support)
        # By parts: E[1 - X; X >= x] = (1 - x) S(x) - int_x^1 S(u) du.
        return (1 - x) * self._tail(x) - self._of_tail.above(x)

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        x = np.clip(edges, *self.support)
        inverse = _mean_inverse_odds(self.frozen.cdf, x)
        odds = _mean_inverse_odds(lambda y: self._tail(1 - y), 1 - x[::-1])
        return odds[::-1], inverse


def _mean_inverse_odds(cdf: Callable[[FloatArray], FloatArray], edges: FloatArray) -> FloatArray:
    """E[(1 - X) / X] over the pieces between `edges`, by parts; `inf` for one that touches 0.

    By parts it is [(1 - x) / x F(x)] + int F(x) / x^2 dx, which has no jumps if X has a density.
    """
    positive = edges[edges > 0]
    x = np.maximum(edges, positive[0])
    inside = np.diff((1 - x) / x * cdf(x)) + integrate(lambda u: cdf(u) / u**2, x)
    inside[(edges[:-1] == 0) & (edges[1:] > 0)] = np.inf
    return inside


def scipy_method(frozen: Any, name: str) -> Callable[[FloatArray], FloatArray]:
    """A method of a frozen scipy distribution of either kind, by its old name."""
    return getattr(frozen, name if hasattr(frozen, name) else _NEW_NAMES[name])


def quantiles(frozen: Any, shares: FloatArray = QUANTILES) -> tuple[FloatArray, FloatArray]:
    """Lower and upper quantiles of a scipy distribution, as far as they are finite."""
    with np.errstate(all="ignore"):
        lower, higher = (scipy_method(frozen, name)(shares) for name in ("ppf", "isf"))
    return lower[np.isfinite(lower)], higher[np.isfinite(higher)]


def scipy_name(frozen: Any) -> str:
    """The name of a frozen scipy distribution."""
    distribution = getattr(frozen, "dist", frozen)
    return getattr(distribution, "name", None) or type(distribution).__name__


def scipy_written(frozen: Any) -> str:
    """A frozen scipy distribution as it is written, such as norm(0, 0.1)."""
    if not hasattr(frozen, "dist"):
        # Those of SciPy 1.15 and later write themselves.
        return repr(frozen)
    given = [*map(str, frozen.args), *(f"{name}={one}" for name, one in frozen.kwds.items())]
    return f"{scipy_name(frozen)}({', '.join(given)})"


def as_costs(costs: Any) -> CostDistribution:
    """Return `costs` as a distribution of conditions, adapting a frozen scipy distribution."""
    if isinstance(costs, CostDistribution):
        return costs
    if hasattr(costs, "cdf") and hasattr(costs, "support"):
        return ScipyFrozen(costs)
    raise ConditionError(
        "costs must be a distribution of conditions such as Uniform(), Beta(2, 2) or Point(0.2), "
        f"or a frozen scipy distribution on [0, 1]; got {brief(costs)}."
    )

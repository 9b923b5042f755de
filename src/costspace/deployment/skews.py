"""The distribution of a skew of which the log-odds are a sum of independent numbers."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from scipy.special import expit, logit

from costspace.arrays import FloatArray, FrozenValue
from costspace.costs import CostDistribution, Mixture, Sampled
from costspace.deployment.conditions import Range
from costspace.deployment.laws import Law
from costspace.deployment.panels import Function, Panels, clenshaw

# What each moment integrates, as a function of the log-odds t.
_MOMENTS: tuple[Function, ...] = (
    np.ones_like,
    expit,
    lambda t: expit(t) ** 2,
    lambda t: expit(-t),
    np.exp,
    lambda t: np.exp(-t),
)
_COMPLEMENT, _ODDS, _INVERSE = 3, 4, 5


def skews_of(law: Law, span: Range, name: str) -> CostDistribution:
    """The distribution of z, given its range and the law of its log-odds up to a factor."""
    parts: list[CostDistribution] = []
    weights = []
    if law.values.size:
        parts.append(Sampled(expit(law.values), law.masses))
        weights.append(float(law.masses.sum()))
    if law.density is not None:
        parts.append(Skews(law.density, span, name))
        weights.append(law.density.mass)
    return parts[0] if len(parts) == 1 else Mixture(parts, weights)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Skews(FrozenValue, CostDistribution):
    """Continuous distribution of the skew, by the density of its log-odds.

    Parameters
    ----------
    density : Panels
        Up to a factor.
    span : Range
        The least and the greatest skew. Odds are taken to have no mean where it reaches 0 or 1.
    name : str
        What it is the distribution of.
    """

    density: Panels
    span: Range
    name: str

    def __str__(self) -> str:
        return f"skews({self.name})"

    def __repr__(self) -> str:
        low, high, mean = self.span.low, self.span.high, self.mean()
        return f"Skews({low:.6g} to {high:.6g}, mean {mean:.6g}: {self.name})"

    @cached_property
    def _moments(self) -> list["_Moment"]:
        density = self.density.times(lambda t: np.full_like(t, 1 / self.density.mass))
        return [_Moment(density.times(factor)) for factor in _MOMENTS]

    def _log_odds(self, c: FloatArray) -> FloatArray:
        edges = self.density.edges
        return np.clip(logit(np.clip(c, 0, 1)), edges[0], edges[-1])

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return self._moments[power].below(self._log_odds(c))

    def complement_from(self, c: FloatArray) -> FloatArray:
        return self._moments[_COMPLEMENT].above(self._log_odds(c))

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        t = self._log_odds(edges)
        odds = np.diff(self._moments[_ODDS].below(t))
        inverse = -np.diff(self._moments[_INVERSE].above(t))
        if self.span.high == 1:
            odds[(edges[1:] == 1) & (edges[:-1] < 1)] = np.inf
        if self.span.low == 0:
            inverse[(edges[:-1] == 0) & (edges[1:] > 0)] = np.inf
        return odds, inverse


class _Moment:
    """The integral of a function by polynomials, from either end."""

    def __init__(self, density: Panels) -> None:
        self._density = density
        self._within, self._over = density.integrals()
        self._before = np.append(0.0, np.cumsum(self._over))
        self._after = np.append(np.cumsum(self._over[::-1])[::-1], 0.0)

    def below(self, t: FloatArray) -> FloatArray:
        panel, u = self._density.locate(t)
        return np.maximum(self._before[panel] + clenshaw(self._within, panel, u), 0)

    def above(self, t: FloatArray) -> FloatArray:
        panel, u = self._density.locate(t)
        rest = self._over[panel] - clenshaw(self._within, panel, u)
        return np.maximum(self._after[panel + 1] + rest, 0)

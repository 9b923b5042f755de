"""The distribution of a skew whose log-odds are a sum of independent variables."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, Function
from costspace.costs import CostDistribution, Mixture
from costspace.costs.base import POWERS, QUANTILES
from costspace.costs.log_odds import LogOddsDensity
from costspace.deployment.bounds import Range
from costspace.deployment.measures import WIDEST, Measure
from costspace.deployment.panels import Panels, panels_of
from costspace.deployment.scenarios import sampled
from costspace.special import expit, logit

# The integrands of moments, as functions of the log-odds t: from the start, powers and the odds;
# to the end, the complement and the inverse odds.
_FROM_START: tuple[Function, ...] = (np.ones_like, expit, lambda t: expit(t) ** 2, np.exp)
_TO_END: tuple[Function, ...] = (lambda t: expit(-t), lambda t: np.exp(-t))
_ODDS, _COMPLEMENT, _INVERSE = 3, 0, 1


def log_gap(wrong: Measure, right: Measure) -> Measure:
    """The distribution of ln(wrong - right)."""
    gap = wrong.plus(right.reflected(), widest=np.inf)
    return Measure(np.log(gap.values), gap.masses, tuple(map(_of_log, gap.densities)))


def _of_log(density: Panels) -> Panels:
    """The density of the logarithm of a variable with a density."""
    first, edges, kinks = density.origin, density.edges, density.kinks
    if first <= 0:
        # It reaches down to 0, near which it has no mass.
        positive = first + edges[first + edges > 0]
        first = QUANTILES[0] * float(positive[0])
    before = first - density.origin
    seeds, kinks = (
        np.log1p(np.maximum(part - before, 0) / first) for part in (edges, np.append(kinks, before))
    )

    def at(x: FloatArray) -> FloatArray:
        return first * np.exp(x) * density.inside(before + first * np.expm1(x))

    return panels_of(at, float(np.log(first)), kinks, seeds, widest=WIDEST)


def skews_of(measure: Measure, span: Range, name: str) -> CostDistribution:
    """The distribution of z, given its range and the measure of its log-odds up to a factor."""
    parts: list[CostDistribution] = []
    weights = []
    if measure.values.size:
        parts.append(sampled(expit(measure.values), measure.masses))
        weights.append(float(measure.masses.sum()))
    for density in measure.densities:
        parts.append(Skews(density, span, name))
        weights.append(density.mass)
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
        The name of the variable.
    """

    density: Panels
    span: Range
    name: str

    def __str__(self) -> str:
        return f"skews({self.name})"

    def __repr__(self) -> str:
        low, high, mean = self.span.low, self.span.high, self.mean()
        return f"Skews({low:.6g} to {high:.6g}, mean {mean:.6g}: {self.name})"

    @property
    def support(self) -> tuple[float, float]:
        ends = expit(self.density.origin + self.density.edges[[0, -1]])
        return float(ends[0]), float(ends[1])

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(0), np.zeros(0)

    def log_odds_density(self) -> LogOddsDensity:
        density = self.density
        kinks, seeds = (density.origin + part for part in (density.kinks, density.edges))
        return LogOddsDensity(kinks, seeds, self._in_log_odds)

    def _in_log_odds(self, w: FloatArray) -> FloatArray:
        return self.density(w - self.density.origin) / self.density.mass

    @property
    def _scaled(self) -> Panels:
        return self.density.scaled(1 / self.density.mass)

    @cached_property
    def _below(self) -> list[Panels]:
        return [self._scaled.times(factor).below() for factor in _FROM_START]

    @cached_property
    def _above(self) -> list[Panels]:
        return [self._scaled.times(factor).above() for factor in _TO_END]

    def _log_odds(self, c: FloatArray) -> FloatArray:
        """The log-odds of conditions, relative to the origin of the density."""
        return np.asarray(logit(np.clip(c, 0, 1))) - self.density.origin

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return np.maximum(self._below[power](self._log_odds(c)), 0)

    def partial_moments(self, edges: FloatArray) -> FloatArray:
        # All powers have the same panels, so an edge has the same position on each.
        place = self._below[0].locate(self._log_odds(np.append(edges[:-1], np.inf)))
        return np.stack([np.diff(np.maximum(self._below[k].at(*place), 0)) for k in POWERS])

    def mean(self) -> float:
        return self._mean

    @cached_property
    def _mean(self) -> float:
        return super().mean()

    def complement_from(self, c: FloatArray) -> FloatArray:
        return np.maximum(self._above[_COMPLEMENT](self._log_odds(c)), 0)

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        t = self._log_odds(edges)
        odds = np.diff(self._below[_ODDS](t))
        inverse = -np.diff(self._above[_INVERSE](t))
        if self.span.high == 1:
            odds[(edges[1:] == 1) & (edges[:-1] < 1)] = np.inf
        if self.span.low == 0:
            inverse[(edges[:-1] == 0) & (edges[1:] > 0)] = np.inf
        return odds, inverse

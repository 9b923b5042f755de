"""A prevalence with a distribution of conditions."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.costs import CostDistribution, LogitUniform
from costspace.costs.base import QUANTILES
from costspace.costs.truncated import restricted
from costspace.deployment.amounts import Amount, Drawn
from costspace.deployment.measures import WIDEST, Measure, measure_of
from costspace.deployment.panels import panels_of
from costspace.errors import ConditionError
from costspace.special import expit, logit

# The tolerance for a distribution without a known density.
_FOLLOWED = 1e-11
# Over log-odds no wider than this, a density counts as constant.
_NARROW = 1e-6
# Beyond this, 1 - p is only rounding.
_LAST = 1 - 2.0**-53


@final
@dataclass(frozen=True)
class Spread(FrozenValue, Amount):
    """A prevalence with a distribution of conditions that has a density."""

    costs: CostDistribution

    def __str__(self) -> str:
        return self.costs.words

    @cached_property
    def intervals(self) -> FloatArray:
        return np.array([self.costs.support])

    @property
    def mean(self) -> float:
        return self.costs.mean()

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return off_1(expit(self.log_odds.draw(rng, size)))

    @cached_property
    def log_odds(self) -> Measure:
        """The distribution of its log-odds."""
        values, masses = self.costs.atoms
        rest = 1 - float(masses.sum())
        told = self.costs.log_odds_density()
        if told is None:
            spread = _by_below(self.costs, rest)
        else:
            spread = measure_of(told.at, told.kinks, told.seeds, mass=rest, widest=WIDEST)
        return Measure(
            np.append(logit(values), spread.values),
            np.append(masses, spread.masses),
            spread.densities,
        )


@final
@dataclass(frozen=True)
class Unknown(FrozenValue, Amount):
    """A prevalence that is not given, and so is to be estimated from rows."""

    def __str__(self) -> str:
        return "estimated from the rows"

    @property
    def varies(self) -> bool:
        return False

    @property
    def intervals(self) -> FloatArray:
        raise self._asked

    @property
    def mean(self) -> float:
        raise self._asked

    @property
    def costs(self) -> CostDistribution:
        """Its distribution."""
        raise self._asked

    @property
    def log_odds(self) -> Measure:
        """The distribution of its log-odds."""
        raise self._asked

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        raise self._asked

    @property
    def _asked(self) -> ConditionError:
        return ConditionError(
            "the prevalence is needed, and was not given: give it to the Deployment, or decide on "
            "rows, from which it is estimated."
        )


Prevalence: TypeAlias = Drawn | Spread | Unknown


def between(low: float, high: float) -> Spread:
    """A prevalence between two bounds: its log-odds are uniform."""
    return Spread(LogitUniform(low, high))


def log_odds(prevalence: Prevalence) -> Measure:
    """The distribution of the log-odds of a prevalence."""
    if isinstance(prevalence, Drawn):
        return Measure(logit(prevalence.measure.values), prevalence.measure.masses)
    return prevalence.log_odds


def cut(prevalence: Prevalence, count: int) -> list[tuple[Prevalence, float]]:
    """A prevalence cut into parts of about the same probability, ascending, and that of each."""
    if isinstance(prevalence, Drawn):
        values, masses = prevalence.measure.values, prevalence.measure.masses
        which = band_of_each(values, masses, count)
        groups = [which == index for index in range(which.max() + 1)]
        return [(Drawn(values[g], masses[g]), float(masses[g].sum())) for g in groups]
    costs, (low, high) = prevalence.costs, prevalence.costs.support
    inner = off_1(costs.quantile(np.arange(1, count) / count))
    edges = np.unique(np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]]))
    masses = np.diff(costs.below(np.append(edges[:-1], np.inf), 0))
    return [
        (Spread(restricted(costs, start, end)), float(mass))
        for start, end, mass in zip(edges[:-1].tolist(), edges[1:].tolist(), masses, strict=True)
    ]


def off_1(prevalence: FloatArray) -> FloatArray:
    """A prevalence below 1, where rounding made it 1."""
    return np.minimum(prevalence, np.nextafter(1, 0))


def _by_below(costs: CostDistribution, mass: float) -> Measure:
    """The part of the log-odds without atoms, known only from `below`."""
    values, masses = costs.atoms
    before = np.append(0.0, np.cumsum(masses))
    shares = np.concatenate([QUANTILES, 1 - QUANTILES[QUANTILES > 1e-16]])
    inner = np.clip(costs.quantile(shares), *costs.support)
    ends = np.clip(costs.support, inner.min(), _LAST)
    kinks = logit(np.append(ends, values[(values > ends[0]) & (values < ends[1])]))
    origin, width = float(kinks[0]), float(np.ptp(kinks))
    if width < _NARROW:
        # If conditions are very close, rounding leaves `below` few digits.
        return measure_of(lambda w: np.full_like(w, mass / width), kinks, mass=mass)

    def passed(x: FloatArray) -> FloatArray:
        c = expit(origin + x)
        return costs.below(c, 0) - before[np.searchsorted(values, c)]

    seeds = np.clip(logit(inner) - origin, 0, width)

    found = panels_of(
        passed, origin, kinks - origin, seeds, widest=WIDEST, tolerance=_FOLLOWED, with_ends=True
    )
    density = found.slope()
    return Measure(np.zeros(0), np.zeros(0), (density.scaled(mass / density.mass),))


def band_of_each(values: FloatArray, weights: FloatArray, count: int) -> IndexArray:
    """The band of each of some prevalences, with at most `count` bands."""
    distinct, which = np.unique(values, return_inverse=True)
    mass = np.bincount(which, weights, minlength=len(distinct))
    middle = np.cumsum(mass) - mass / 2
    band = np.minimum((middle / mass.sum() * count).astype(int), count - 1)
    return np.unique(band, return_inverse=True)[1][which]

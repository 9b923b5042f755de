"""What is known about the prevalence: its range, its law in log-odds, and draws of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
from scipy.special import betaincinv, betaln, expit, log_expit, logit

from costspace.arrays import FloatArray, FrozenValue
from costspace.condition import check_prevalence
from costspace.costs import (
    Beta,
    CostDistribution,
    LogitUniform,
    Mixture,
    Point,
    Sampled,
    ScipyFrozen,
    Truncated,
    Uniform,
)
from costspace.deployment.amounts import QUANTILES, Amount, Drawn, is_frozen, quantiles
from costspace.deployment.conditions import band_of_each
from costspace.deployment.given import number_or_bounds
from costspace.deployment.laws import Law, mixed
from costspace.deployment.panels import Function, panels_of
from costspace.errors import ConditionError, brief

# Log-odds beyond this are none.
_FARTHEST = 300.0
# What a prevalence may be, beside a number and bounds.
_OTHERWISE = (
    "Drawn, a frozen scipy distribution or one of costspace's own distributions of conditions"
)


@final
@dataclass(frozen=True)
class Spread(FrozenValue, Amount):
    """A prevalence with a distribution of conditions that has a density."""

    costs: CostDistribution

    def __str__(self) -> str:
        if isinstance(self.costs, LogitUniform):
            return f"uniform in log-odds from {self.bounds.low:g} to {self.bounds.high:g}"
        return f"distributed as {self.costs}"

    @cached_property
    def intervals(self) -> FloatArray:
        return np.array([support(self.costs)])

    @property
    def mean(self) -> float:
        return self.costs.mean()

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return _inside(expit(self.law_of_log_odds.draw(rng, size)))

    @cached_property
    def law_of_log_odds(self) -> Law:
        """Its log-odds."""
        return _law(self.costs)


def _inside(prevalence: FloatArray) -> FloatArray:
    """Off 1, to which rounding may take what is very close to it."""
    return np.minimum(prevalence, np.nextafter(1, 0))


Prevalence: TypeAlias = Drawn | Spread


def as_prevalence(value: Any) -> Prevalence:
    """Return the prevalence that `value` stands for, or raise `ConditionError`."""
    if isinstance(value, (CostDistribution, Drawn, Spread)) or is_frozen(value):
        found = _of_distribution(ScipyFrozen(value) if is_frozen(value) else value)
    else:
        low, high = map(check_prevalence, number_or_bounds("prevalence", value, _OTHERWISE))
        found = Drawn([low]) if low == high else Spread(LogitUniform(low, high))
    if isinstance(found, Drawn):
        for prevalence in (found.bounds.low, found.bounds.high):
            check_prevalence(prevalence)
    return found


def _of_distribution(value: CostDistribution | Drawn | Spread) -> Prevalence:
    if isinstance(value, (Drawn, Spread)):
        return value
    if isinstance(value, Point):
        return Drawn([value.c])
    if isinstance(value, Sampled):
        return Drawn(value.values, value.weights)
    support(value)
    return Spread(value)


def cut(prevalence: Prevalence, count: int) -> list[tuple[Prevalence, float]]:
    """A prevalence cut into parts of about the same probability, ascending, and that of each."""
    if isinstance(prevalence, Drawn):
        values, masses = prevalence.law.values, prevalence.law.masses
        which = band_of_each(values, masses, count)
        groups = [which == index for index in range(which.max() + 1)]
        return [(Drawn(values[g], masses[g]), float(masses[g].sum())) for g in groups]
    costs, (low, high) = prevalence.costs, support(prevalence.costs)
    inner = _inside(costs.quantile(np.arange(1, count) / count))
    edges = np.unique(np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]]))
    masses = np.diff(costs.below(np.append(edges[:-1], np.inf), 0))
    return [
        (Spread(_between(costs, start, end)), float(mass))
        for start, end, mass in zip(edges[:-1].tolist(), edges[1:].tolist(), masses, strict=True)
    ]


def _between(costs: CostDistribution, low: float, high: float) -> CostDistribution:
    if isinstance(costs, LogitUniform):
        return LogitUniform(low, high)
    return Truncated(costs, low, high)


def support(costs: CostDistribution) -> tuple[float, float]:
    """The range outside which a distribution has no mass."""
    found: tuple[float, float] | None = None
    match costs:
        case Uniform() | LogitUniform():
            found = costs.low, costs.high
        case Beta():
            found = 0.0, 1.0
        case Point():
            found = costs.c, costs.c
        case Sampled():
            seen = np.asarray(costs.values)[np.asarray(costs.weights) > 0]
            found = float(seen.min()), float(seen.max())
        case ScipyFrozen():
            low, high = map(float, costs.frozen.support())
            found = max(low, 0.0), min(high, 1.0)
        case Truncated():
            low, high = support(costs.costs)
            found = max(low, costs.low), min(high, costs.high)
        case Mixture():
            lows, highs = zip(*map(support, costs.components), strict=True)
            found = min(lows), max(highs)
    if found is not None:
        return found
    raise ConditionError(
        f"prevalence must be a number, (low, high), {_OTHERWISE}, got {brief(costs)}."
    )


def law_of_log_odds(prevalence: Prevalence) -> Law:
    """The law of the log-odds of a prevalence."""
    if isinstance(prevalence, Drawn):
        return Law(logit(prevalence.law.values), prevalence.law.masses)
    return prevalence.law_of_log_odds


def _law(costs: CostDistribution) -> Law:
    match costs:
        case Point():
            return Law(logit(np.array([costs.c])), np.ones(1))
        case Sampled():
            return Law(logit(np.asarray(costs.values)), np.asarray(costs.weights))
        case Truncated():
            return _restricted(_law(costs.costs), *logit([costs.low, costs.high]))
        case Mixture():
            parts = zip(costs.components, costs.weights or (), strict=True)
            return mixed([_law(part) for part, _ in parts], list(costs.weights or ()))
    seeds, density = _DENSITIES[type(costs)](costs)
    seeds = np.clip(seeds, -_FARTHEST, _FARTHEST)
    ends = np.array([seeds.min(), seeds.max()])
    return Law.of_density(panels_of(density, ends, seeds))


def _log_odds(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Of quantiles, the upper ones given by what they leave to 1."""
    with np.errstate(divide="ignore"):
        return np.concatenate([logit(lower), -logit(upper)])


def _logit_uniform(costs: LogitUniform) -> tuple[FloatArray, Function]:
    ends = logit(np.array([costs.low, costs.high]))
    return ends, lambda w: np.full_like(w, 1 / np.ptp(ends))


def _uniform(costs: Uniform) -> tuple[FloatArray, Function]:
    width = costs.high - costs.low
    gaps = np.append(0, QUANTILES) * width
    seeds = _log_odds(costs.low + gaps, 1 - costs.high + gaps)
    return seeds[np.isfinite(seeds)], lambda w: expit(w) * expit(-w) / width


def _beta(costs: Beta) -> tuple[FloatArray, Function]:
    a, b = costs.a, costs.b
    seeds = _log_odds(betaincinv(a, b, QUANTILES), betaincinv(b, a, QUANTILES))
    return seeds, lambda w: np.exp(a * log_expit(w) + b * log_expit(-w) - betaln(a, b))


def _scipy(costs: ScipyFrozen) -> tuple[FloatArray, Function]:
    frozen = costs.frozen
    ends = np.clip(frozen.support(), 0, 1)
    lower, upper = quantiles(frozen)
    seeds = np.concatenate([ends, lower, upper])
    seeds = logit(seeds[(seeds > 0) & (seeds < 1)])
    return seeds, lambda w: np.nan_to_num(frozen.pdf(expit(w)), posinf=0.0) * expit(w) * expit(-w)


_DENSITIES: dict[type, Callable[[Any], tuple[FloatArray, Function]]] = {
    LogitUniform: _logit_uniform,
    Uniform: _uniform,
    Beta: _beta,
    ScipyFrozen: _scipy,
}


def _restricted(law: Law, low: float, high: float) -> Law:
    """The law given that it lies in a range, the ends included."""
    part = law.between(low, high)
    return part.scaled(1 / part.mass)

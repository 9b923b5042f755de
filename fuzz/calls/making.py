"""What makers of cases have in common: predictions as arguments, choices and distributions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import brute_force
import numpy as np
from brute_force import beta_density, uniform_density

import costspace as cs
from fuzz.case import ANSWER, EITHER, REFUSE, Case, anything
from fuzz.clothes import dressed
from fuzz.samples import Rng, Sample, sample
from fuzz.spoils import SPOILS, spoiled

BAD = 0.2


def predictions(
    rng: Rng, one: Sample, *, table: bool = True
) -> tuple[Sample, tuple[Any, ...], dict[str, Any]]:
    """The sample as arguments: of random types, or now and then as a table."""
    if table and rng.random() < 0.2:
        found = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
        return (
            one,
            (found if one.prevalence is None else found.with_prevalence(one.prevalence),),
            {},
        )
    one, y, s, options = dressed(rng, one)
    return one, (y, s), options


def bad_predictions(
    rng: Rng, name: str, options: dict[str, Any], without: tuple[str, ...] = ()
) -> Case:
    """A call with predictions that are none, but not for want of an option that it lacks."""
    one = sample(rng, rows=(3, 10), prevalence=False)
    spoils = tuple(each for each in SPOILS if not any(word in each for word in without))
    y, s, spoilt, note = spoiled(rng, one, spoils)
    return Case(name, (y, s), {**options, **spoilt}, REFUSE, note=note)


def of_metric(
    rng: Rng,
    name: str,
    one: Sample,
    right: Callable[[Sample], Callable[[Any], str | None]],
    *,
    options: dict[str, Any] | None = None,
    must: Callable[[Sample], str] = lambda one: ANSWER,
    table: bool = True,
    without: tuple[str, ...] = (),
) -> Case:
    """A call on predictions, good or bad; `right` gives the check for what is passed."""
    options = options or {}
    if rng.random() < BAD:
        return bad_predictions(rng, name, options, without)
    one, args, passed = predictions(rng, one, table=table)
    needed = must(one)
    check = anything if needed == REFUSE else right(one)
    return Case(name, args, {**options, **passed}, needed, check, strict=rng.random() < 0.05)


def for_probabilities(one: Sample) -> str:
    """Scores that must be probabilities."""
    return ANSWER if one.unit else REFUSE


def for_any_scale(one: Sample) -> str:
    """Scores that may have any scale, but perhaps not be infinite."""
    return ANSWER if one.finite else EITHER


def for_ranks(one: Sample) -> str:
    """Scores of which the order counts."""
    return ANSWER


@dataclass(frozen=True)
class Chosen:
    """A threshold choice, its name in the oracle, and what it asks of scores."""

    choice: Any
    method: Any
    must: Callable[[Sample], str]

    def oracle(self, one: Sample) -> brute_force.Sample:
        return one.ranked if self.must is for_ranks else one.oracle


def _inside(rng: Rng) -> float:
    return float(rng.choice([0.5, 0.05, rng.uniform(0.02, 0.98)]))


def choice(rng: Rng) -> Chosen:
    """A random choice that is defined with ties and weights."""
    match rng.integers(8):
        case 0:
            t = float(rng.choice([0.5, 0.3, 0.0, -1.0, rng.random(), 1e300, 5e-324]))
            return Chosen(cs.ScoreFixed(t), ("score_fixed", t), for_any_scale)
        case 1:
            low, high = sorted((float(rng.uniform(-1, 1)), float(rng.uniform(-1, 2))))
            if rng.random() < 0.5:
                low, high = 0.0, 1.0
            return Chosen(cs.ScoreUniform(low, high), ("score_uniform", low, high), for_any_scale)
        case 2:
            return Chosen(cs.ScoreDriven(), ("score_driven",), for_probabilities)
        case 3:
            p = _inside(rng)
            return Chosen(cs.ScoreDriven(calibrated_to=p), ("score_driven", p), for_probabilities)
        case 4:
            share = float(rng.choice([0, 1, 0.5, rng.random()]))
            return Chosen(cs.RateFixed(share), ("rate_fixed", share), for_ranks)
        case 5:
            return Chosen(cs.RateUniform(), ("rate_uniform",), for_ranks)
        case 6:
            return Chosen(cs.RateDriven(), ("rate_driven",), for_ranks)
        case _:
            return Chosen(cs.Optimal(), ("optimal",), for_ranks)


def axis(rng: Rng) -> str:
    """An axis of conditions."""
    return str(rng.choice(["cost", "skew"]))


@dataclass(frozen=True)
class Spread:
    """A distribution of conditions and its definition: a density on a range, or atoms."""

    costs: Any
    density: Any = None
    low: float = 0.0
    high: float = 1.0
    values: Any = None
    weights: Any = None

    def expected(self, one: brute_force.Sample, method: Any, along: str) -> float:
        """The oracle's expected loss."""
        if self.values is not None:
            losses = one.loss(method, along, np.asarray(self.values, dtype=float))
            return float(np.average(losses, weights=self.weights))
        return one.expected_loss(method, along, self.density, self.low, self.high)


def bounds(rng: Rng) -> tuple[float, float]:
    """Two different numbers in [0, 1], ascending, not too close."""
    low = float(rng.choice([0.0, rng.uniform(0, 0.9)]))
    return low, float(rng.choice([1.0, rng.uniform(low + 0.01, 1)]))


def spread(rng: Rng) -> Spread:
    """A random distribution, with its definition."""
    match rng.integers(6):
        case 0:
            return Spread(cs.Uniform(), uniform_density)
        case 1:
            low, high = bounds(rng)
            return Spread(cs.Uniform(low, high), uniform_density, low, high)
        case 2:
            a, b = (float(x) for x in rng.uniform(1, 12, 2).round(2))
            return Spread(cs.Beta(a, b), beta_density(a, b))
        case 3:
            c = float(rng.random())
            return Spread(cs.Point(c), values=[c])
        case 4:
            values, weights = rng.random(4), rng.integers(1, 5, 4).astype(float)
            return Spread(cs.Sampled(values, weights), values=values, weights=weights)
        case _:
            # With some mass in any range.
            low, high = bounds(rng)
            low, high = low / 2, 0.6 + high * 0.4
            a, b = (float(x) for x in rng.uniform(1, 3, 2).round(2))
            return Spread(cs.Truncated(cs.Beta(a, b), low, high), beta_density(a, b), low, high)

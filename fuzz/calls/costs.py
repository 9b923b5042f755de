"""Distributions, choices, costs and conditions: what is taken, what refused, and means."""

from typing import Any

import brute_force
import numpy as np

import costspace as cs
from fuzz.calls.making import bounds, spread
from fuzz.calls.registry import makes
from fuzz.case import EITHER, REFUSE, Case
from fuzz.oracle import CLOSE, TIGHT, columns, differ, number
from fuzz.samples import Rng

NOT_A_RANGE = [(1, 0), (0.5, 0.5), (-1, 0.5), (0, 2), (np.nan, 1), ("0", 1), (None, 1), ([0], 1)]
GOOD: dict[str, list[tuple[Any, ...]]] = {
    "ScoreFixed": [(), (0.3,), (-1e308,), (True,), (np.float32(0.5),), (5e-324,)],
    "ScoreUniform": [(), (-3, 5), (0, 5e-324), (0.1, 0.2)],
    "ScoreDriven": [(), (0.5,), (1e-300,), (None,)],
    "RateFixed": [(0,), (1,), (0.5,), (5e-324,)],
    "RateUniform": [(), (True,)],
    "RateDriven": [(), (True,)],
    "Optimal": [()],
    "Smoothed": [()],
    "Uniform": [(), (0, 0.5), (0.2, 0.2000000001)],
    "Beta": [(1, 1), (0.5, 0.5), (1e-3, 5), (200, 3e3)],
    "Point": [(0,), (1,), (0.3,), (5e-324,)],
    "LogitUniform": [(0.1, 0.2), (1e-300, 0.5), (0.001, 1 - 1e-9)],
    "LogUniform": [(1, 2), (1e-9, 1e9)],
    "Drawn": [([1, 2, 3],), (5,), ([1, 2], [0, 1]), (np.ones(100),)],
    "Sampled": [([0.1, 0.2],), ([0, 1], [1, 0]), (0.5,), ([0.5] * 100,), ([0.1], [1e300])],
    "Constraints": [(), (0.1,), (None, 0.5, 0.5), (1, 0, 0, 0, 1)],
    "MeanCosts": [(1, 2), (1, 2, -0.5, 0)],
    "Room": [(1.6, 900.0, 100.0)],
    "ScoreMap": [([], [0.5]), ([0.5], [0, 1]), ([-1, 2], [0, 0.5, 1])],
}
BAD: dict[str, list[tuple[Any, ...]]] = {
    "ScoreFixed": [(np.nan,), ("0.5",), (None,), ([0.5],), (1j,)],
    "ScoreUniform": [(1, 0), (0, 0), (np.nan, 1), ("a", 1), (0, np.inf), (-np.inf, np.inf)],
    "ScoreDriven": [(0,), (1,), (2,), (np.nan,), ("0.5",), ([0.5],)],
    "RateFixed": [(-0.1,), (1.1,), (np.nan,), (None,), ("a",)],
    "Uniform": NOT_A_RANGE,
    "Beta": [(0, 1), (-1, 1), (np.nan, 1), (np.inf, 1), ("a", 1), (None, 2), (1, [2])],
    "Point": [(-0.1,), (1.1,), (np.nan,), ("0.5",), (None,), ([0.5],)],
    "LogitUniform": [(0, 0.5), (0.5, 1), (0.5, 0.5), (0.6, 0.5), (np.nan, 0.5), ("a", 1)],
    "LogUniform": [(0, 1), (-1, 1), (2, 1), (1, np.inf), (np.nan, 1), ("a", 1)],
    "Drawn": [([],), ([np.nan],), (["a"],), ([1, 2], [1]), ([1, 2], [0, 0]), ([[1]],), ([1], [-1])],
    "Sampled": [([],), ([2],), ([np.nan],), ("a",), ([0.1], [1, 2]), ([0.1], [-1]), ([0.1], [0])],
    "Truncated": [(cs.Beta(2, 2), 1, 0), (cs.Point(0.5), 0.6, 1), (0.5, 0, 1), ("uniform",)],
    "Mixture": [([],), ([0.5],), (cs.Uniform(),), ([cs.Uniform()], [0]), ([cs.Uniform()], [1, 2])],
    "ScipyFrozen": [(0.5,), ("beta",), (None,)],
    "Constraints": [(-0.1,), (1.1,), (np.nan,), ("a",), (None, [0.5])],
    "CaseCosts": [
        (0, 1),
        (-1, 1),
        (np.nan, 1),
        ("a", 1),
        ([1, 2], [1, 2, 3]),
        (1, 1, 2),
    ],
    "ScoreMap": [([0.5], [1]), ([1, 0], [0, 1, 2]), ([0.5], [np.nan, 1]), ("a", [1])],
    "Deployment": [
        (0, 1, 0.5),
        (1, -1, 0.5),
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, (0.5, 0.1)),
        (np.nan, 1, 0.5),
        (1, "a", 0.5),
        (1, (0, 5), 0.5),
        (1, 1, 0.5, 2),
        (None, 1, 0.5),
        (np.inf, 1, 0.5),
    ],
    "Scenarios": [
        (0, 1, 0.5),
        (1, [1, 2], [0.5, 0.5, 0.5]),
        (1, 1, [0.5, 1]),
        (1, np.nan, 0.5),
        (1, "a", 0.5),
        ([], [], []),
        (1, 1, 0.5, 2),
        (1, [1, 2], 0.5, 0, 0, [0, 0]),
    ],
}


@makes(*GOOD, weight=0.08)
def good(rng: Rng, name: str) -> Case:
    """A value that is one."""
    options = GOOD[name]
    return Case(name, options[int(rng.integers(len(options)))], strict=True)


@makes(*BAD, weight=0.08)
def bad(rng: Rng, name: str) -> Case:
    """A value that is none."""
    options = BAD[name]
    return Case(name, options[int(rng.integers(len(options)))], {}, REFUSE)


def moments(one: Any) -> dict[str, float]:
    """The mean, and the mass and mean below one condition, by definition."""
    if one.values is not None:
        values = np.asarray(one.values)
        weights = np.ones(len(values)) if one.weights is None else one.weights
        below = values < 0.4
        total = np.sum(weights)
        return {
            "mean": float(values @ weights / total),
            "mass": float(np.sum(np.asarray(weights)[below]) / total),
        }
    c, share = brute_force.quadrature(np.array([0.4]), one.low, one.high)
    share = share * one.density(c)
    return {
        "mean": float(c @ share / share.sum()),
        "mass": float(share[c < 0.4].sum() / share.sum()),
    }


@makes("Uniform", "Beta", "Point", "Sampled", "Truncated", weight=0.1)
def distributions(rng: Rng, name: str) -> Case:
    """The moments of a distribution."""
    while True:
        one = spread(rng)
        if type(one.costs).__name__ == name:
            break

    def found() -> list[float]:
        return [one.costs.mean(), float(one.costs.below(np.array([0.4]), 0)[0])]

    return Case(name, call=found, right=number(lambda: list(moments(one).values()), CLOSE))


@makes("Mixture", "ScipyFrozen", weight=0.05)
def mixtures(rng: Rng, name: str) -> Case:
    """The mean of a mixture is the mean of the means; scipy's is scipy's."""
    if name == "ScipyFrozen":
        from scipy import stats

        a, b = rng.uniform(0.5, 5, 2)
        frozen = stats.beta(a, b)
        return Case(
            name, call=lambda: cs.ScipyFrozen(frozen).mean(), right=number(lambda: a / (a + b))
        )
    parts, weights = [spread(rng) for _ in range(3)], rng.uniform(0.1, 1, 3)

    def found() -> float:
        return cs.Mixture([part.costs for part in parts], weights=weights).mean()

    return Case(
        name,
        call=found,
        right=number(
            lambda: float(np.average([moments(p)["mean"] for p in parts], weights=weights))
        ),
    )


@makes("Fitted", "NoisyCondition", weight=0.1)
def other_choices(rng: Rng, name: str) -> Case:
    """A choice fitted on the sample itself is that choice; no error of the condition, no change."""
    from fuzz.samples import small

    one = small(rng, prevalence=False)
    table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
    if rng.random() < 0.3:
        wrong: list[tuple[Any, ...]] = {
            "Fitted": [("optimal", table), (cs.Optimal(), one.s), (None, None)],
            "NoisyCondition": [("optimal", 1), (cs.Optimal(), "a"), (cs.Optimal(), None)],
        }[name]
        return Case(name, wrong[int(rng.integers(3))], {}, REFUSE)
    if name == "Fitted":
        choice = [cs.Optimal(), cs.ScoreDriven(), cs.ScoreFixed(0.4)][int(rng.integers(3))]
        expected = cs.expected_loss(table, choice=choice)
        return Case(
            name,
            call=lambda: cs.expected_loss(table, choice=cs.Fitted(choice, table)),
            right=number(lambda: expected),
        )
    return Case(name, (cs.ScoreDriven(), rng.uniform(0.1, 0.5)), {}, EITHER)


@makes("Deployment", "Scenarios", "Drawn", weight=0.1)
def deployments(rng: Rng, name: str) -> Case:
    """The mean money at stake, by hand."""
    if name == "Drawn":
        values, weights = rng.uniform(0.1, 10, 4), rng.uniform(0.1, 1, 4)
        return Case(
            name,
            (values, weights),
            right=columns(lambda: {"mean": np.average(values, weights=weights)}, TIGHT),
        )
    fp, fn, p = rng.uniform(0.1, 10, 3), rng.uniform(0.1, 10, 3), rng.uniform(0.01, 0.99, 3)
    if name == "Scenarios":
        stake = float(np.mean((1 - p) * fp + p * fn))
        return Case(name, (fp, fn, p), right=columns(lambda: {"stake": stake}, TIGHT))
    low, high = sorted(fp[:2])
    mean = (high - low) / np.log(high / low)
    stake = float((1 - p[0]) * mean + p[0] * fn[0])
    given = (low, high), float(fn[0]), float(p[0])
    return Case(name, given, right=columns(lambda: {"stake": stake}, CLOSE))


@makes("CaseCosts", weight=0.1)
def case_costs(rng: Rng, name: str) -> Case:
    """Costs of cases of any size."""
    size = 10 ** rng.uniform(-48, 48)
    fp, fn = rng.uniform(0.1, 10, (2, 5)) * size
    return Case(
        name,
        (fp, fn),
        right=lambda answer: differ(answer.columns()["fp_cost"] / size, fp / size, TIGHT),
    )


@makes("Band", "LogUniform", "LogitUniform", weight=0.05)
def spans(rng: Rng, name: str) -> Case:
    """Means between bounds."""
    low, high = bounds(rng)
    low = low or 0.001
    if name == "Band":
        return Case(name, (cs.Deployment(1, 2, 0.5), 0.5))
    if name == "LogUniform":
        mean = (high - low) / np.log(high / low)
        return Case(name, (low, high), right=columns(lambda: {"mean": mean}, TIGHT))
    high = min(high, 0.999)
    odds = np.log(high / (1 - high)) - np.log(low / (1 - low))
    mean = float(np.log((1 - low) / (1 - high)) / odds)
    return Case(name, (low, high), right=lambda a: differ(a.mean(), mean, CLOSE))

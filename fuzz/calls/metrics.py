"""Metrics of predictions, each against its definition."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from brute_force import beta_density

import costspace as cs
from fuzz.calls.making import (
    bounds,
    for_any_scale,
    for_probabilities,
    for_ranks,
    of_metric,
)
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, Case
from fuzz.oracle import CLOSE, TIGHT, differ, kendall, number, scored
from fuzz.samples import UNIT, Rng, Sample, sample

# What looks at the order of scores only, and what takes them for probabilities.
BY_RANK: dict[str, tuple[Callable[[Any], float], float]] = {
    "auc": (lambda o: o.auc(), TIGHT),
    "auc_hull": (lambda o: o.auc_hull(), CLOSE),
    "gini": (lambda o: 2 * o.auc() - 1, TIGHT),
}
OF_PROBABILITIES: dict[str, tuple[Callable[[Any], float], float]] = {
    "brier_score": (lambda o: o.brier(), TIGHT),
    "macro_brier_score": (lambda o: o.macro_brier(), TIGHT),
    "mean_absolute_error": (lambda o: o.mae(), TIGHT),
    "macro_mean_absolute_error": (lambda o: o.macro_mae(), TIGHT),
    "zero_one_loss": (lambda o: 1 - o.accuracy(0.5), TIGHT),
    "miscalibration": (lambda o: o.brier() - o.expected_loss("optimal", "cost"), CLOSE),
    "cost_loss_utility": (lambda o: (2 - o.positive_share() - o.brier()) / 2, TIGHT),
    "log_loss": (lambda o: scored(o, lambda s: -np.log1p(-s), lambda s: -np.log(s)), 1e-11),
    "boosting_loss": (
        lambda o: scored(
            o,
            lambda s: np.sqrt(s) / np.sqrt(1 - s),
            lambda s: np.sqrt(1 - s) / np.sqrt(np.abs(s)),
        ),
        1e-11,
    ),
}


def _probable(rng: Rng) -> Sample:
    """Mostly probabilities, as otherwise there is only a refusal."""
    return sample(rng, UNIT) if rng.random() < 0.8 else sample(rng)


@makes(*BY_RANK, weight=2)
def by_rank(rng: Rng, name: str) -> Case:
    """Metrics of the order of scores."""
    definition, tolerance = BY_RANK[name]
    return of_metric(
        rng,
        name,
        sample(rng),
        lambda one: number(lambda: definition(one.ranked), tolerance),
        must=for_ranks,
    )


@makes("gain_curve")
def gains(rng: Rng, name: str) -> Case:
    """Cumulative gains, by the area under them."""

    def right(one: Sample) -> Any:
        p = one.oracle.positive_share()
        area = p / 2 + (1 - p) * one.ranked.auc()

        def check(answer: Any) -> str | None:
            columns = answer.columns()
            drawn = float(np.trapezoid(columns["gain"], columns["flagged"]))
            return differ([answer.area, drawn], [area, area], CLOSE)

        return check

    return of_metric(rng, name, sample(rng), right, must=for_ranks)


@makes("kendall_tau")
def tau(rng: Rng, name: str) -> Case:
    """Kendall's tau, which has no meaning where one score has all the weight."""

    def must(one: Sample) -> str:
        return ANSWER if len(np.unique(one.s[one.present])) > 1 else EITHER

    return of_metric(
        rng, name, sample(rng), lambda one: number(lambda: kendall(one.ranked), 1e-10), must=must
    )


@makes(*OF_PROBABILITIES)
def of_probabilities(rng: Rng, name: str) -> Case:
    """Metrics of scores as probabilities."""
    definition, tolerance = OF_PROBABILITIES[name]
    return of_metric(
        rng,
        name,
        _probable(rng),
        lambda one: number(lambda: definition(one.oracle), tolerance),
        must=for_probabilities,
    )


@makes("accuracy", "macro_accuracy")
def accuracy(rng: Rng, name: str) -> Case:
    """Accuracy at any threshold."""
    one = sample(rng)
    threshold = float(rng.choice([0.5, 0.0, rng.normal(), one.s[0], 5e-324, 1e308]))
    options = {} if threshold == 0.5 else {"threshold": threshold}

    def right(one: Sample) -> Any:
        oracle = one.oracle
        definition = oracle.accuracy if name == "accuracy" else oracle.macro_accuracy
        return number(lambda: definition(threshold), TIGHT)

    return of_metric(rng, name, one, right, options=options, must=for_any_scale)


@makes("refinement_loss", "calibration_loss")
def murphy(rng: Rng, name: str) -> Case:
    """Murphy's decomposition, by distinct score or over the hull."""
    partition = str(rng.choice(["hull", "roc"]))

    def right(one: Sample) -> Any:
        # The hull's bins are those of the order, their mean scores are not.
        oracle = one.ranked if name == "refinement_loss" else one.oracle
        return number(lambda: getattr(oracle, name)(partition), CLOSE)

    must = for_ranks if name == "refinement_loss" else for_probabilities
    return of_metric(rng, name, _probable(rng), right, options={"partition": partition}, must=must)


@makes("h_measure", weight=0.5)
def h_measure(rng: Rng, name: str) -> Case:
    """The H measure, under its own distribution or a given one."""
    a, b = (float(x) for x in rng.uniform(1, 8, 2).round(2))
    own = rng.random() < 0.5

    def right(one: Sample) -> Any:
        odds = (1 - one.pi1) / one.pi1
        if own and odds > 60:
            return lambda answer: None if answer <= 1 else "above 1"
        density = beta_density(2, 1 + odds) if own else beta_density(a, b)
        # A share of what is small has more of rounding.
        small = min(one.pi1, 1 - one.pi1)
        return number(lambda: one.ranked.h_measure(density), max(CLOSE, 1e-13 / small))

    options = {} if own else {"costs": cs.Beta(a, b)}
    return of_metric(rng, name, sample(rng), right, options=options, must=for_ranks)


@makes("voros", "relative_voros", weight=0.4)
def voros(rng: Rng, name: str) -> Case:
    """The volume over the ROC surface, over a range or under a distribution."""
    low, high = bounds(rng)
    options: dict[str, Any] = {"low": low, "high": high}
    definition = partial(_volume, low=low, high=high)
    if rng.random() < 0.4:
        # With some mass in any range.
        a, b = (float(x) for x in rng.uniform(1, 1.5, 2).round(2))
        options["costs"] = cs.Beta(a, b)
        definition = partial(definition, density=beta_density(a, b))

    def right(one: Sample) -> Any:
        if name == "voros":
            return number(lambda: definition(one.ranked))
        trivial = cs.metrics.voros_baseline(**options)
        return number(lambda: (definition(one.ranked) - trivial) / (1 - trivial), 1e-7)

    return of_metric(rng, name, sample(rng), right, options=options, must=for_ranks)


def _volume(oracle: Any, low: float, high: float, **density: Any) -> float:
    return oracle.voros(low, high, **density)


@makes("h_measure", "voros", "accuracy", "calibration_loss", "refinement_loss", weight=0.2)
def bad_options(rng: Rng, name: str) -> Case:
    """Options that are none of the metric's."""
    one = sample(rng, UNIT)
    bad = {
        "h_measure": [{"costs": 0.5}, {"costs": "beta(2,2)"}, {"costs": cs.Point}],
        "voros": [{"low": 1, "high": 0}, {"low": -1}, {"high": np.nan}, {"low": 0.5, "high": 0.5}],
        "accuracy": [{"threshold": np.nan}, {"threshold": "0.5"}, {"threshold": [0.5]}],
        "calibration_loss": [{"partition": "bins"}, {"partition": 0}, {"partition": None}],
        "refinement_loss": [{"partition": "bins"}, {"partition": ["roc"]}],
    }[name]
    return Case(name, (one.y, one.s), bad[int(rng.integers(len(bad)))], "refuse")

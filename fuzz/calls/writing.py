"""What writers of choices, distributions, sources and metrics make or get."""

from typing import Any

import brute_force
import numpy as np
from brute_force import uniform_density
from scipy.special import expit

import costspace as cs
from fuzz.calls.making import bounds, of_metric
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, Case
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample

OF_CHOICES = {
    "SwitchedFlagging": (cs.ScoreDriven(), ("score_driven",)),
    "SlidingFlagging": (cs.RateDriven(), ("rate_driven",)),
    "ConstantFlagging": (cs.RateFixed(0.3), ("rate_fixed", 0.3)),
}


def _table(one: Sample) -> cs.ScoreTable:
    return cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)


@makes(*OF_CHOICES, weight=0.2)
def flagging(rng: Rng, name: str) -> Case:
    """How scores are flagged, from which their path and its loss follow."""
    one = sample(rng, UNIT, prevalence=False)
    choice, method = OF_CHOICES[name]
    oracle = one.ranked if choice.by_rank else one.oracle

    def call(one: Sample) -> Any:
        table = _table(one)
        return choice.flagging(table, table.by_score.breaks)

    def right(found: Any) -> str | None:
        table = _table(one)
        path = found.path(table.by_score.corners, table.prevalence)
        expected = oracle.expected_loss(method, "cost", uniform_density, 0.0, 1.0)
        return differ(path.expected_loss(cs.Uniform()), expected, CLOSE)

    return Case(name, (one,), {}, ANSWER, right, call=call)


@makes("SteppedLookUp", "SmoothLookUp", "Straight", weight=0.2)
def look_up(rng: Rng, name: str) -> Case:
    """Points by a score, and by what follows the condition."""
    breaks = np.unique(rng.random(int(rng.integers(1, 9))))
    fpr, x = np.sort(rng.random(len(breaks) + 1))[::-1], rng.random(5)
    made = {
        "SteppedLookUp": lambda: cs.scores.SteppedLookUp(breaks, cs.OperatingPoints(fpr, 1 - fpr)),
        "SmoothLookUp": lambda: cs.scores.SmoothLookUp(
            lambda t: cs.OperatingPoints(1 - t, t), np.array([0.0, 1.0]), flags_more=False
        ),
        "Straight": lambda: cs.scores.Straight(*bounds(rng)),
    }

    def right(found: Any) -> str | None:
        if name == "Straight":
            return differ(found(found.inverse(x)), x, 1e-9)
        passed = [int(np.sum(breaks <= each)) for each in x]
        expected = fpr[passed] if name == "SteppedLookUp" else 1 - x
        return differ(found.at(x).fpr, expected, CLOSE)

    return Case(name, (), {}, ANSWER, right, call=made[name])


@makes("LogOddsDensity", weight=0.2)
def log_odds(rng: Rng, name: str) -> Case:
    """The density of log-odds is that of conditions times c (1 - c)."""
    low, high = bounds(rng)

    def call(low: float, high: float) -> Any:
        return cs.Uniform(low, high).log_odds_density()

    def right(found: Any) -> str | None:
        c = expit(found.seeds)
        return differ(found.at(found.seeds), c * expit(-found.seeds) / (high - low), CLOSE)

    return Case(name, (low, high), {}, ANSWER, right, call=call)


@makes("Influence", "Deviation", weight=0.2)
def influence(rng: Rng, name: str) -> Case:
    """What rows do to a loss has the mean 0 over each class."""
    one = sample(rng, UNIT, prevalence=False)
    choice = [cs.ScoreFixed(), cs.ScoreDriven(), cs.Optimal()][int(rng.integers(3))]

    def call(one: Sample) -> Any:
        found = choice.influence(_table(one), cs.Uniform())
        return found if name == "Influence" else found.of_negatives

    def right(found: Any) -> str | None:
        table = _table(one)
        sides = (table.negatives, table.positives)
        of = (found.of_negatives, found.of_positives) if name == "Influence" else (found,)
        means = [side.mean(f) for side, f in zip(sides, of, strict=False)]
        return differ(means, [0.0] * len(means), CLOSE)

    return Case(name, (one,), {}, ANSWER, right, call=call)


@makes("source_of", weight=0.5)
def source(rng: Rng, name: str) -> Case:
    """The source that predictions make has their AUC."""
    one = sample(rng, prevalence=False)

    def right(one: Sample) -> Any:
        def check(found: Any) -> str | None:
            oracle: brute_force.Sample = one.ranked
            return differ(found.auc, oracle.auc(), CLOSE)

        return check

    return of_metric(rng, name, one, right)

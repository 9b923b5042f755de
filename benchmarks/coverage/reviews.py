"""What a decision with a review costs and saves by what it says, and what it truly does."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import Population, generator_of
from benchmarks.tables import Row
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.deployment.conditions import CASES

FP_COST, FN_COST, LEVEL = 1.0, 8.0, 0.95
_ROUNDING = 1e-9
# What a review costs at most to pay at some probability, of a reviewer without mistakes.
MOST = FP_COST * FN_COST / (FP_COST + FN_COST)


class Reviewed(NamedTuple):
    """What is drawn, what part of that a review costs, and how many there is room for."""

    kind: str
    n: int
    prevalence: float
    part: float
    sensitivity: float = 1.0
    capacity: float = 1.0
    estimated: bool = False

    @property
    def population(self) -> Population:
        return Population(self.kind, self.prevalence)

    @property
    def review(self) -> cs.Review:
        return cs.Review(self.part * MOST, self.sensitivity)

    def __str__(self) -> str:
        parts = (
            f"at {self.part:g} of the most",
            f"sensitivity {self.sensitivity:g}" if self.sensitivity < 1 else "",
            f"capacity {100 * self.capacity:g} %" if self.capacity < 1 else "",
            "prevalence estimated" if self.estimated else "",
        )
        return ", ".join(filter(None, (self.kind, *parts)))


SETTINGS = (
    Reviewed("distinct", 1000, 0.1, 0.1),
    Reviewed("distinct", 1000, 0.1, 0.5),
    Reviewed("distinct", 1000, 0.1, 0.95),
    Reviewed("distinct", 200, 0.5, 0.3),
    Reviewed("overconfident", 1000, 0.1, 0.3),
    Reviewed("overconfident", 1000, 0.1, 0.95),
    Reviewed("misspecified", 1000, 0.2, 0.3),
    Reviewed("six equal", 1000, 0.1, 0.3),
    Reviewed("useless", 1000, 0.1, 0.95),
    Reviewed("distinct", 1000, 0.1, 0.3, sensitivity=0.8),
    Reviewed("distinct", 1000, 0.1, 0.3, capacity=0.05),
    Reviewed("misspecified", 1000, 0.2, 0.3, estimated=True),
)


def simulate(setting: Reviewed, simulation: int) -> Sample:
    """Money and what reviews save, each with the ends of its interval and what it truly is."""
    rng = generator_of(setting, simulation)
    n, p = setting.n, setting.prevalence
    if setting.estimated:
        y, scores = setting.population.draw_varying(n, rng)
    else:
        y, scores, _ = setting.population.draw(n, rng)
    limits = cs.Constraints(review_capacity=setting.capacity if setting.capacity < 1 else None)
    decision = cs.decide(
        y,
        scores,
        fp_cost=FP_COST,
        fn_cost=FN_COST,
        prevalence=None if setting.estimated else p,
        review=setting.review,
        constraints=limits,
        level=LEVEL,
    )
    choosing = decision.choosing
    if choosing is None or decision.evidence is None:
        raise ValueError("nothing is feasible")
    best = choosing.best
    own = decision.evidence.of(best.strategy)
    other = choosing.best_otherwise
    more = None if other is None else decision.evidence.more(other.strategy)
    if other is None or own is None or more is None:
        raise ValueError("there is no interval")
    true, rival = true_money(setting, best), true_money(setting, other)
    sign = 1.0 if best.strategy.reviews else -1.0
    ends = sorted((sign * more.low, sign * more.high))
    saved = sign * (rival - true)
    return (
        own.money, own.low, own.high, true,
        sign * more.difference, *ends, saved,
        least(setting),
    )  # fmt: skip


@cache
def _table(setting: Reviewed) -> np.ndarray:
    return np.asarray(setting.review.table(fp_cost=FP_COST, fn_cost=FN_COST).costs)


def true_money(setting: Reviewed, fit: FittedStrategy) -> float:
    """What the rule of a strategy costs in the population."""
    rule, p, costs = fit.rule, setting.prevalence, _table(setting)
    if rule is None:
        raise ValueError("more than one rule")
    cuts = np.array([-np.inf, *rule.cuts, np.inf])
    if fit.strategy.model is None:
        fpr, fnr = (np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    else:
        fpr, fnr = setting.population.rates(fit.strategy.model, np.array(rule.cuts))
        fpr, fnr = np.array([1.0, *fpr, 0.0]), np.array([0.0, *fnr, 1.0])
    columns = [("pass", "review", "flag").index(action) for action in rule.actions]
    assert len(columns) == len(cuts) - 1
    negatives, positives = -np.diff(fpr), np.diff(fnr)
    return float(
        CASES * ((1 - p) * costs[0, columns] @ negatives + p * costs[1, columns] @ positives)
    )


@cache
def least(setting: Reviewed) -> float:
    """What reviews can save at most, with the best two thresholds of the best model of either."""
    costs, p, found = _table(setting), setting.prevalence, {}
    for columns in ((0, 1, 2), (0, 2)):
        best = []
        for model in setting.population.models:
            cuts = setting.population.cuts(model)
            fpr, fnr = setting.population.rates(model, cuts)
            # The first step is at its best, and so is the second, whatever the other is.
            total = (1 - p) * costs[0, 0] + p * costs[1, 2]
            for a, b in pairwise(columns):
                more, less = costs[0, b] - costs[0, a], costs[1, a] - costs[1, b]
                total += np.min((1 - p) * more * fpr + p * less * fnr)
            best.append(total)
        found[columns] = min(best)
    return float(CASES * (found[0, 2] - found[0, 1, 2]))


def _inside(low: np.ndarray, value: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether intervals hold values, those of known costs but for rounding."""
    return (low - _ROUNDING <= value) & (value <= high + _ROUNDING)


def figures(_: Reviewed, samples: np.ndarray) -> dict[str, float]:
    """In percent of samples, but for amounts."""
    money, low, high, true, saved, under, over, truly, least_saved = samples.T
    claims = under > 0
    return {
        "cost": np.mean(true),
        "bias": np.mean(money - true),
        "coverage": 100 * np.mean(_inside(low, true, high)),
        "saved": np.mean(truly),
        "most": np.mean(least_saved),
        "saved_bias": np.mean(saved - truly),
        "saved_coverage": 100 * np.mean(_inside(under, truly, over)),
        "pays": 100 * np.mean(claims),
        "falsely": 100 * np.mean(claims & (truly <= 0)),
    }


COLUMNS = {
    "Cost": shown("cost"),
    "Bias": shown("bias"),
    "Coverage, %": shown("coverage"),
    "Saved": shown("saved"),
    "Can be saved": shown("most"),
    "Bias of it": shown("saved_bias"),
    "Its coverage, %": shown("saved_coverage"),
    "Said to pay, %": shown("pays"),
    "Falsely, %": shown("falsely"),
}
_BRIEF = ("Cost", "Coverage, %", "Saved", "Its coverage, %", "Said to pay, %", "Falsely, %")


def brief(rows: Sequence[Row]) -> Iterator[str]:
    """The same for the docs, without biases."""
    yield from table(rows, {name: COLUMNS[name] for name in _BRIEF}, "Models and reviews")


PART = BySetting(
    "Reviews",
    "What the recommended rule truly costs per 1,000 cases where cases can be reviewed, how much "
    "more `decide` says on average, and how often its 95 % interval holds that; then the same of "
    "what is saved against the best without reviews, and what the best rules of the population "
    "save; in how many samples reviews are said to pay, and in how many of all they are so where "
    "the rule with them costs no less. A false positive costs 1, a false negative 8, and a review "
    "some part of the most at which it pays at any probability.",
    400,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models and reviews"),
)

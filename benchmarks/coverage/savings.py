"""What `compare_money` says that a model saves against another, and what it truly saves."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, range_of, shown, table
from benchmarks.coverage.populations import Population, generator_of
from benchmarks.tables import Row
from costspace.decision.evidence.money_evidence import StrategyMoney

FP_COST, FN_COST, LEVEL = 1.0, 8.0, 0.95
# Two models each.
_KINDS = {"equal": "six equal", "different": "distinct"}


class Pair(NamedTuple):
    """Which two models are compared."""

    kind: str
    n: int
    prevalence: float

    @property
    def population(self) -> Population:
        return Population(_KINDS[self.kind], self.prevalence)

    @property
    def known(self) -> cs.Deployment:
        return cs.Deployment(FP_COST, FN_COST, self.prevalence)

    def __str__(self) -> str:
        return self.kind


SETTINGS = tuple(
    Pair(kind, n, prevalence) for kind in _KINDS for n in (200, 2000) for prevalence in (0.2, 0.1)
)


def simulate(setting: Pair, simulation: int) -> Sample:
    """What is saved, the ends of its interval, the p-value, and what is truly saved."""
    y, scores, _ = setting.population.draw(setting.n, generator_of(setting, simulation))
    two = {name: scores[name] for name in ("m0", "m1")}
    found = cs.compare_money(y, two, conditions=setting.known, level=LEVEL)
    pair = found.pairs["m0", "m1"]
    first, second = (true_money(setting, one) for one in found.strategies)
    return pair.difference, pair.low, pair.high, pair.p, second - first


def true_money(setting: Pair, one: StrategyMoney) -> float:
    """What the rule of a model costs, which may be to flag nobody, or everybody."""
    if one.rule is None or one.strategy.model is None:
        raise ValueError(f"no model decides by {one}")
    at = [one.rule.flagged([score])[0] for score in (0.0, 1.0)]
    cut = one.rule.thresholds[0] if len(one.rule.cuts) else (-np.inf if at[0] else np.inf)
    fpr, fnr = setting.population.rates(one.strategy.model, np.array(cut))
    return float(setting.known.money_at(fpr, fnr))


def figures(_: Pair, samples: np.ndarray) -> dict[str, float]:
    """In percent of samples."""
    saved, low, high, p, true = samples.T
    return {
        "saved": np.mean(true),
        "bias": np.mean(saved - true),
        "told_apart": 100 * np.mean(p < 1 - LEVEL),
        "coverage": 100 * np.mean((low <= true) & (true <= high)),
        "below": 100 * np.mean(true < low),
        "above": 100 * np.mean(true > high),
    }


COLUMNS = {
    "Saved": shown("saved"),
    "Bias": shown("bias"),
    "Told apart, %": shown("told_apart"),
    "Coverage, %": shown("coverage"),
    "True below, %": shown("below"),
    "True above, %": shown("above"),
}


def brief(rows: Sequence[Row]) -> Iterator[str]:
    """The same for the docs, a line for each kind of models."""
    for kind in _KINDS:
        found = [row for row in rows if row["setting"] == kind]
        yield (
            f"- Of {kind} models {range_of(found, 'told_apart', '.1f')} % of samples tell two "
            f"apart, and {range_of(found, 'coverage', '.1f')} % of intervals hold what is truly "
            "saved."
        )


PART = BySetting(
    "What one model saves against another",
    "What the rule of one model truly saves per 1,000 cases against that of another, both chosen "
    "on the sample; how much more `compare_money` says on average; in how many samples p is below "
    "0.05, which for equal models is the type I error; and how often the 95 % interval "
    "holds what is truly saved. A false positive costs 1 and a false negative 8.",
    1000,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Two models"),
)

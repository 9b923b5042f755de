"""Whether the rows that `rows_to_settle` asks for tell a saving with the chance that it says."""

from functools import cache, partial

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import Population, generator_of
from benchmarks.coverage.savings import FN_COST, FP_COST, LEVEL, Pair, true_money

# Rows of the first sample, which says how many it takes.
_FIRST = 1000
# Beyond so many rows nothing is drawn.
_MOST = 100_000


class Settled(Pair):
    """The first two models of a population."""

    __slots__ = ()

    @property
    def population(self) -> Population:
        return Population(self.kind, self.prevalence)


SETTINGS = (
    Settled("distinct", _FIRST, 0.1),
    Settled("distinct", _FIRST, 0.5),
    Settled("overconfident", _FIRST, 0.1),
    Settled("overconfident", _FIRST, 0.3),
    Settled("misspecified", _FIRST, 0.2),
)


def _found(setting: Settled, n: int, rng: np.random.Generator) -> cs.decision.MoneyComparison:
    y, scores, _ = setting.population.draw(n, rng)
    two = {name: scores[name] for name in ("m0", "m1")}
    options = {"choices": [cs.ScoreDriven(), cs.Optimal()], "level": LEVEL}
    return cs.compare_money(y, two, conditions=setting.known, **options)


@cache
def _saving(setting: Settled) -> float:
    """What is truly saved, by the rules of many rows."""
    found = _found(setting, _MOST, generator_of(setting, 10**6))
    first, second = (true_money(setting, one) for one in found.strategies)
    return second - first


def simulate(setting: Settled, simulation: int) -> Sample:
    """How many rows a first sample asks for, and whether so many others tell the saving."""
    rng = generator_of(setting, simulation)
    needed = _found(setting, setting.n, rng).rows_to_settle(saving=abs(_saving(setting)))
    rows = round(min(needed["m0", "m1"], _MOST))
    pair = _found(setting, rows, rng).pairs["m0", "m1"]
    told = pair.p_adjusted < 1 - LEVEL and pair.difference * _saving(setting) > 0
    return _saving(setting), float(rows), float(told)


def figures(_: Settled, samples: np.ndarray) -> dict[str, float]:
    """The rows asked for, and the power with these in percent."""
    saving, rows, told = samples.T
    return {"saved": np.mean(saving), "rows": np.median(rows), "power": 100 * np.mean(told)}


COLUMNS = {
    "Saved": shown("saved"),
    "Rows asked for": shown("rows"),
    "Told, %": shown("power"),
}

PART = BySetting(
    "Rows to settle",
    "How many rows a first sample of 1,000 asks for to tell what one model truly saves against "
    "another, the median of samples, and how often as many other rows tell it. A false positive "
    f"costs {FP_COST:g}, a false negative {FN_COST:g}.",
    200,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models"),
)

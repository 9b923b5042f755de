"""Whether the rows that are asked for tell a saving, and what more rows are said to be worth."""

from functools import cache, partial
from typing import TypeAlias

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import Population, generator_of
from benchmarks.coverage.savings import FN_COST, FP_COST, LEVEL, Pair, true_money
from costspace.decision import MoneyComparison

# Rows of the first sample, which says how many it takes.
_FIRST = 1000
# Beyond so many rows nothing is drawn.
_MOST = 100_000
# How many more are valued.
_MORE = 1000
# Two models that differ by less are equal.
_EQUAL = 1.0
Drawn: TypeAlias = tuple[np.ndarray, dict[str, np.ndarray]]


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
    Settled("six equal", _FIRST, 0.2),
)


def _drawn(setting: Settled, n: int, rng: np.random.Generator) -> Drawn:
    y, scores, _ = setting.population.draw(n, rng)
    return y, {name: scores[name] for name in ("m0", "m1")}


def _found(setting: Settled, drawn: Drawn) -> MoneyComparison:
    choices = [cs.ScoreDriven(), cs.Optimal()]
    return cs.compare_money(*drawn, conditions=setting.known, choices=choices, level=LEVEL)


def _cost(setting: Settled, found: MoneyComparison) -> float:
    """What the cheaper of the two models, as it seems, truly costs."""
    best = min(found.strategies, key=lambda one: one.money)
    return true_money(setting, best)


@cache
def _saving(setting: Settled) -> float:
    """What is truly saved, by the rules of many rows."""
    found = _found(setting, _drawn(setting, _MOST, generator_of(setting, 10**6)))
    first, second = (true_money(setting, one) for one in found.strategies)
    return second - first


def simulate(setting: Settled, simulation: int) -> Sample:
    """How many rows a first sample asks for, whether they tell; what more are worth, and truly."""
    rng = generator_of(setting, simulation)
    first, more = _drawn(setting, setting.n, rng), _drawn(setting, _MORE, rng)
    found = _found(setting, first)
    settling = found.decision.settling(more_rows=_MORE)
    worth = 0.0 if settling is None or settling.worth is None else settling.worth
    y, scores = (
        np.append(first[0], more[0]),
        {name: np.append(own, more[1][name]) for name, own in first[1].items()},
    )
    gained = _cost(setting, found) - _cost(setting, _found(setting, (y, scores)))
    saving = _saving(setting)
    if abs(saving) < _EQUAL:
        return saving, np.nan, np.nan, worth, gained
    needed = found.rows_to_settle(saving=abs(saving))
    rows = round(min(needed["m0", "m1"], _MOST))
    pair = _found(setting, _drawn(setting, rows, rng)).pairs["m0", "m1"]
    told = pair.p_adjusted < 1 - LEVEL and pair.difference * saving > 0
    return saving, float(rows), float(told), worth, gained


def figures(_: Settled, samples: np.ndarray) -> dict[str, float]:
    """The rows asked for, the power with these in percent, and what more rows are worth."""
    saving, rows, told, worth, gained = samples.T
    return {
        "saved": np.mean(saving),
        "rows": np.median(rows),
        "power": 100 * np.mean(told),
        "said": np.mean(worth),
        "gained": np.mean(gained),
    }


COLUMNS = {
    "Saved": shown("saved"),
    "Rows asked for": shown("rows"),
    "Told, %": shown("power"),
    f"{_MORE:,} more said to be worth": shown("said"),
    "They are": shown("gained"),
}

PART = BySetting(
    "Rows to settle",
    "How many rows a first sample of 1,000 asks for to tell what one model truly saves against "
    "another, the median of samples, and how often as many other rows tell it; what 1,000 more "
    "rows are said to be worth at most per 1,000 cases, on average, and what choosing with them "
    f"truly saves. A false positive costs {FP_COST:g}, a false negative {FN_COST:g}.",
    400,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models"),
)

"""What a rule costs and saves in segments by what `Decision.by` says, and what it truly does."""

from functools import partial
from typing import NamedTuple

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import Population, generator_of
from costspace.decision import MoneyBySegment, Rule, SegmentMoney
from costspace.decision.evidence.money_by_segment import OTHERS

FP_COST, FN_COST, LEVEL = 1.0, 8.0, 0.95
# What share of the negatives, and of the positives, each segment has.
_SHARES = np.array([[0.4, 0.25, 0.15, 0.1, 0.06, 0.04], [0.3, 0.2, 0.25, 0.1, 0.1, 0.05]])


class Divided(NamedTuple):
    """What is drawn, and the prevalence of deployment, None if it is estimated."""

    kind: str
    n: int
    prevalence: float
    deployed: float | None = None

    @property
    def population(self) -> Population:
        return Population(self.kind, self.prevalence)

    def __str__(self) -> str:
        known = "estimated" if self.deployed is None else f"{self.deployed:g} at deployment"
        return f"{self.kind}, prevalence {known}"


SETTINGS = (
    Divided("distinct", 1000, 0.2),
    Divided("distinct", 4000, 0.1),
    Divided("distinct", 1000, 0.2, 0.2),
    Divided("distinct", 4000, 0.2, 0.05),
    Divided("overconfident", 4000, 0.1),
    Divided("misspecified", 4000, 0.2),
    Divided("useless", 4000, 0.1),
)


def simulate(setting: Divided, simulation: int) -> Sample:
    """How many segments have intervals of costs and of savings, how many hold, and the width."""
    rng = generator_of(setting, simulation)
    population, n = setting.population, setting.n
    if setting.deployed is None:
        y, scores = population.draw_varying(n, rng)
    else:
        y, scores, _ = population.draw(n, rng)
    site = np.empty(n, dtype=int)
    for label, shares in enumerate(_SHARES):
        site[y == label] = rng.choice(len(shares), np.count_nonzero(y == label), p=shares)
    asked = {"fp_cost": FP_COST, "fn_cost": FN_COST, "prevalence": setting.deployed}
    decision = cs.decide(y, scores, **asked, choices=[cs.Smoothed()], level=LEVEL)
    found = decision.by(site, own_thresholds=False)
    rule = next(fit.rule for fit in decision.fits if fit.strategy == found.strategy)
    costs, savings = [], []
    for one in found.segments:
        if one.reason is None and rule is not None and one.saving is not None:
            cost, saving = _true(setting, found, one, rule)
            costs.append(one.money.low <= cost <= one.money.high)
            savings.append(one.saving.low <= saving <= one.saving.high)
    all_costs, all_savings = float(np.all(costs)), float(np.all(savings))
    return len(costs), all_costs, all_savings, float(np.mean(costs)), float(np.mean(savings))


def _true(
    setting: Divided, found: MoneyBySegment, one: SegmentMoney, rule: Rule
) -> tuple[float, float]:
    """What the rule costs and saves per 1,000 cases of a segment, or of those that are joined."""
    named = {int(other.by["segment"]) for other in found.segments if other.name != OTHERS}
    own = [int(one.by["segment"])] if one.name != OTHERS else sorted({*range(6)} - named)
    p = setting.prevalence if setting.deployed is None else setting.deployed
    cases = np.array([1 - p, p]) * _SHARES[:, own].sum(axis=1)
    negatives, positives = 1000 * cases / cases.sum()
    flag_nobody = FN_COST * positives
    flag_everybody = FP_COST * negatives
    if found.strategy.model is None:
        at = float(rule.flagged([0.5])[0])
        fpr, fnr = at, 1 - at
    else:
        cut = rule.thresholds[0] if len(rule.cuts) else -np.inf
        fpr, fnr = setting.population.rates(found.strategy.model, np.array(cut))
    cost = float(FP_COST * negatives * fpr + FN_COST * positives * fnr)
    against = found.against
    plain = flag_nobody if against is not None and against.name == "flag_nobody" else flag_everybody
    return cost, plain - cost


def figures(_: Divided, samples: np.ndarray) -> dict[str, float]:
    """In percent of samples, and of segments."""
    segments, costs, savings, each_cost, each_saving = samples.T
    return {
        "segments": np.mean(segments),
        "costs": 100 * np.mean(costs),
        "savings": 100 * np.mean(savings),
        "each_cost": 100 * np.average(each_cost, weights=segments),
        "each_saving": 100 * np.average(each_saving, weights=segments),
    }


COLUMNS = {
    "Segments": shown("segments"),
    "All costs held, %": shown("costs"),
    "All savings held, %": shown("savings"),
    "Each cost, %": shown("each_cost", 2),
    "Each saving, %": shown("each_saving", 2),
}
PART = BySetting(
    "What a rule costs and saves by segment",
    "Six segments that have different shares of negatives and of positives. How many have an "
    "interval; in how many samples the intervals of all segments hold what the rule that is chosen "
    "on the sample truly costs there, and truly saves against the best of what needs no model, "
    "which Bonferroni's correction makes 95 % at least; and how often the interval of one segment "
    "does. A false positive costs 1 and a false negative 8.",
    200,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models, and what is known"),
)

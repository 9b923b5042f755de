"""Settings that decisions are studied in, and what rules truly cost there."""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import beta

import costspace as cs
from benchmarks.coverage.populations import Population, generator_of
from costspace.choices.places import Places
from costspace.decision.asking import task_of
from costspace.decision.deciding import decide_task
from costspace.decision.decision import Decision
from costspace.decision.money.row_conditions import conditions_of
from costspace.deployment.conditions import CASES, JointConditions

FP_COST, AMOUNTS_VARY = 1.0, 0.8
# Nodes for the amounts of cases, and for the prevalence.
_NORMAL = np.linspace(-5, 5, 201)
_NORMAL_WEIGHTS = np.exp(-(_NORMAL**2) / 2) / np.exp(-(_NORMAL**2) / 2).sum()
_EQUALLY_LIKELY = (np.arange(2000) + 0.5) / 2000
_INSIDE = (np.arange(100) + 0.5) / 100


class Setting(NamedTuple):
    """What is drawn, and what is known of its deployment.

    A range is from half to twice the number, each factor as likely.
    """

    kind: str
    n: int
    prevalence: float
    ranges: str = ""
    capacity: float = 0.0
    clusters: int = 0
    by_case: bool = False
    batch: int = 0

    @property
    def enough(self) -> bool:
        """Whether there are so many rows that targets are those of large samples."""
        return self.n >= 200 and round(self.n * self.prevalence) >= 20

    @property
    def fn_cost(self) -> float:
        return 2.0 if self.prevalence == 0.5 else 8.0

    @property
    def population(self) -> Population:
        return Population(self.kind, self.prevalence)

    @property
    def known(self) -> cs.Deployment:
        return _deployment(self)

    @property
    def constraints(self) -> cs.Constraints:
        batch = self.batch or None
        return cs.Constraints(self.capacity, batch=batch) if self.capacity else cs.Constraints()

    @property
    def most_by_threshold(self) -> float:
        """The largest share that a threshold may flag."""
        if not self.batch:
            return self.capacity
        return Places(self.capacity, (self.batch,)).most_by_threshold

    def __str__(self) -> str:
        parts = (
            f"{self.ranges} in a range" if self.ranges else "",
            f"capacity {100 * self.capacity:g} %" if self.capacity else "",
            f"batches of {self.batch}" if self.batch else "",
            f"{self.clusters} clusters" if self.clusters else "",
            "costs of each case" if self.by_case else "",
        )
        return ", ".join(filter(None, (self.kind, *parts)))


@cache
def _deployment(setting: Setting) -> cs.Deployment:
    fn_cost: Any = setting.fn_cost
    prevalence: Any = setting.prevalence
    if "costs" in setting.ranges:
        fn_cost = fn_cost / 2, fn_cost * 2
    if "prevalence" in setting.ranges:
        prevalence = prevalence / 2, prevalence * 2
    return cs.Deployment(FP_COST, fn_cost, prevalence)


_KINDS = ("distinct", "overconfident", "six equal", "useless", "misspecified")
SETTINGS = (
    *(
        Setting(kind, n, prevalence)
        for kind in _KINDS
        for n, prevalence in ((200, 0.1), (200, 0.5), (1000, 0.1), (2000, 0.05))
    ),
    Setting("distinct", 400, 0.05),
    Setting("overconfident", 1000, 0.2, "costs"),
    Setting("misspecified", 1000, 0.1, "prevalence"),
    Setting("distinct", 500, 0.1, "costs and prevalence"),
    Setting("distinct", 1000, 0.1, capacity=0.05),
    Setting("six equal", 500, 0.1, capacity=0.1),
    Setting("useless", 500, 0.2, capacity=0.1),
    Setting("overconfident", 2000, 0.05, "prevalence", capacity=0.04),
    Setting("distinct", 1000, 0.2, clusters=100),
    Setting("six equal", 500, 0.2, clusters=50),
    Setting("distinct", 1000, 0.1, by_case=True),
    Setting("misspecified", 500, 0.2, by_case=True),
    Setting("useless", 500, 0.1, by_case=True),
    Setting("distinct", 30, 0.5),
    Setting("useless", 30, 0.5),
    Setting("overconfident", 50, 0.2),
    Setting("six equal", 50, 0.2),
    Setting("misspecified", 100, 0.1),
    Setting("distinct", 100, 0.05),
)
BATCHES = (
    Setting("distinct", 1000, 0.1, capacity=0.05, batch=20),
    Setting("distinct", 1000, 0.1, capacity=0.05, batch=200),
    Setting("six equal", 500, 0.1, capacity=0.1, batch=50),
    Setting("useless", 500, 0.2, capacity=0.1, batch=20),
    Setting("misspecified", 2000, 0.05, capacity=0.1, batch=1000),
    Setting("overconfident", 2000, 0.05, "prevalence", capacity=0.04, batch=100),
)


@dataclass(frozen=True)
class Drawn:
    """Rows of a setting, and what is known of deployment."""

    setting: Setting
    rows: cs.ScoredRows
    conditions: JointConditions

    @classmethod
    def of(cls, setting: Setting, simulation: int) -> "Drawn":
        rng = generator_of(setting, simulation)
        y, scores, cluster = setting.population.draw(setting.n, rng, setting.clusters)
        costs = None
        if setting.by_case:
            costs = cs.CaseCosts(FP_COST, _amounts(setting, rng.standard_normal(setting.n)))
        rows = cs.ScoredRows.from_predictions(y, scores, case_costs=costs, groups=cluster)
        return cls(setting, rows, conditions_of(rows) if setting.by_case else setting.known)

    @property
    def at_own_prevalence(self) -> JointConditions:
        """The conditions at the share of positives of the rows, unless they give theirs."""
        return self.conditions.completed(self.rows.prevalence)

    @property
    def decision(self) -> Decision:
        limits = self.setting.constraints
        return decide_task(task_of(self.rows, self.conditions, constraints=limits))


def _amounts(setting: Setting, normal: np.ndarray) -> np.ndarray:
    """What missing each positive costs, `fn_cost` on average."""
    return setting.fn_cost * np.exp(AMOUNTS_VARY * normal - AMOUNTS_VARY**2 / 2)


def money_of_cut(setting: Setting, model: str, cuts: np.ndarray) -> np.ndarray:
    """Per 1,000 cases, if scores above each cut are flagged."""
    known = setting.known
    fpr, fnr = setting.population.rates(model, cuts)
    return CASES * (known.negative_stake * fpr + known.positive_stake * fnr)


def true_money(setting: Setting, decision: Decision) -> float:
    """What the recommended rule costs."""
    rules = decision.rules
    if rules.rule is None:
        return _by_case(setting, decision)
    if rules.model is None:
        return _trivial(setting)[rules.choice]
    if rules.rule.by == "share":
        return _queue(setting, rules.model)
    cut = np.array(rules.rule.thresholds[0])
    return float(money_of_cut(setting, rules.model, cut))


def _by_case(setting: Setting, decision: Decision) -> float:
    """If the threshold of each case follows what missing it costs."""
    rules, p, amounts = decision.rules, setting.prevalence, _amounts(setting, _NORMAL)
    cuts = rules.rules(cs.cost_proportion(fp_cost=FP_COST, fn_cost=amounts), p).threshold
    fpr, fnr = setting.population.rates(str(rules.model), cuts)
    lost = (1 - p) * FP_COST * fpr + p * amounts * fnr
    return float(CASES * _NORMAL_WEIGHTS @ lost)


@cache
def _queue(setting: Setting, model: str) -> float:
    """If the top share is flagged, whatever the prevalence."""
    p, fpr, fnr = _where_queue_works(setting, model)
    fn_cost = setting.known.positive_stake / setting.known.mean_prevalence
    return float(CASES * np.mean((1 - p) * FP_COST * fpr + p * fn_cost * fnr))


def _where_queue_works(setting: Setting, model: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prevalences, equally likely, and the rates of the queue at each."""
    p = np.array([setting.prevalence])
    if "prevalence" in setting.ranges:
        low, high = (np.log(end / (1 - end)) for end in (p / 2, p * 2))
        p = 1 / (1 + np.exp(-(low + (high - low) * _INSIDE)))
    cuts = setting.population.cuts(model)
    fpr, fnr = setting.population.rates(model, cuts)
    flagged = np.array([setting.capacity])
    if setting.batch:
        # In a batch of B with k places the share flagged of the population is Beta(k, B - k).
        places = round(setting.capacity * setting.batch)
        flagged = beta(places, setting.batch - places).ppf(_EQUALLY_LIKELY)
    rates = []
    for one in p:
        share = (1 - one) * fpr + one * (1 - fnr)
        rates.append([np.interp(-flagged, -share, rate).mean() for rate in (fpr, fnr)])
    return p, *np.array(rates).T


def _trivial(setting: Setting) -> dict[str, float]:
    known = setting.known
    found = {"flag_nobody": CASES * known.positive_stake}
    return found if setting.capacity else found | {"flag_everybody": CASES * known.negative_stake}


def least_trivial(setting: Setting) -> float:
    """What the best rule without a model costs that is allowed."""
    return min(_trivial(setting).values())


@cache
def best(setting: Setting) -> float:
    """What the best rule of the best model costs."""
    found = [least_trivial(setting)]
    for model in setting.population.models:
        found.append(_best_of(setting, model))
        if setting.capacity:
            found.append(_queue(setting, model))
    return min(found)


def _best_of(setting: Setting, model: str) -> float:
    """By a threshold, or by one for each amount."""
    cuts = setting.population.cuts(model)
    fpr, fnr = setting.population.rates(model, cuts)
    if setting.by_case:
        p, amounts = setting.prevalence, _amounts(setting, _NORMAL)[:, None]
        lost = (1 - p) * FP_COST * fpr + p * amounts * fnr
        return float(CASES * _NORMAL_WEIGHTS @ lost.min(axis=1))
    allowed = np.ones(len(cuts), bool)
    if setting.capacity:
        p = setting.known.prevalence_range.high
        flagged = np.maximum(fpr, (1 - p) * fpr + p * (1 - fnr))
        allowed = flagged <= setting.most_by_threshold
    return float(money_of_cut(setting, model, cuts)[allowed].min())

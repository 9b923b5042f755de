"""Money of a rule in use at a prevalence that is estimated from the rows, perhaps with amounts.

At low, middle and high thresholds, so that hardly a positive is missed, or that most are.
"""

import numpy as np
from scipy.stats import norm

import costspace as cs
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import LEVEL, Cell, Part
from costspace.decision.asking import task_of
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.choosing import Priced
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.money.row_conditions import conditions_of
from costspace.deployment.conditions import CASES

_APART, _FP_COST = 1.4, 1.0
_CUTS = {"low": -0.5, "middle": 0.7, "high": 2.0}
# How far the logarithms of what missing each positive costs spread.
_SPREADS = {"same": 0.0, "lognormal 1": 1.0, "lognormal 2": 2.0}
# At least 20 expected positives.
_SAMPLED = (
    *((200, prevalence) for prevalence in (0.5, 0.1)),
    *((1000, prevalence) for prevalence in (0.5, 0.1, 0.05)),
    *((5000, prevalence) for prevalence in (0.5, 0.1, 0.02)),
)
QUANTITIES = ("cost", "flag_nobody", "flag_everybody", "over_nobody", "over_everybody")


def _fn_cost(cell: Cell) -> float:
    """What missing a positive costs on average: both trivial rules then cost the same."""
    return _FP_COST * (1 - cell.prevalence) / cell.prevalence


def targets(cell: Cell) -> np.ndarray:
    cut = _CUTS[cell.scores]
    fpr, fnr = norm.sf(cut), norm.cdf(cut - _APART)
    p, fn_cost = cell.prevalence, _fn_cost(cell)
    cost, nobody = (1 - p) * _FP_COST * fpr + p * fn_cost * fnr, p * fn_cost
    everybody = (1 - p) * _FP_COST
    return CASES * np.array([cost, nobody, everybody, nobody - cost, everybody - cost])


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = generator_of(cell, simulation)
    y = rng.random(cell.n) < cell.prevalence
    scores = {"m": rng.standard_normal(cell.n) + _APART * y}
    spread, costs, fn_cost = _SPREADS[cell.design], None, _fn_cost(cell)
    if spread:
        amounts = np.exp(spread * rng.standard_normal(cell.n) - spread**2 / 2)
        costs = cs.CaseCosts(_FP_COST, fn_cost * amounts)
    rows = cs.ScoredRows.from_predictions(y, scores, case_costs=costs)
    known = cs.Deployment(_FP_COST, fn_cost) if costs is None else conditions_of(rows)
    task = task_of(
        rows, known, constraints=cs.Constraints(), baseline=("m", _CUTS[cell.scores]), level=LEVEL
    )
    named = {one.name: Priced(fit(one, task)) for one in strategies_of(task) if _is_fixed(one.name)}
    sample = MoneySample.of(task)
    alone = [sample.money_of(named[name]) for name in ("baseline", "flag_nobody", "flag_everybody")]
    more = [
        sample.difference(named[name], named["baseline"])
        for name in ("flag_nobody", "flag_everybody")
    ]
    return [
        *((one.low, one.high, one.money, one.money, one.standard_error) for one in alone),
        *((one.low, one.high, one.difference, one.difference, one.standard_error) for one in more),
    ]


def _is_fixed(name: str) -> bool:
    """Whether rules of a strategy are not learnt, which would take time and say nothing here."""
    return name in ("baseline", "flag_nobody", "flag_everybody")


PART = Part(
    "Money at an estimated prevalence",
    "What a threshold costs per 1,000 cases that is low, in the middle or high among normal "
    "scores 1.4 apart; what flagging nobody and everybody costs, and what the threshold saves over "
    "each. The prevalence is that of independent rows. A false positive costs 1, and a missed "
    "positive as much as makes both trivial rules equally dear, the same in all cases or in "
    "amounts whose logarithms are normal with a standard deviation of 1 or 2.",
    tuple(
        Cell(cut, spread, prevalence, n)
        for cut in _CUTS
        for spread in _SPREADS
        for n, prevalence in _SAMPLED
    ),
    {200: 1000, 1000: 1000, 5000: 1000},
    lambda cell: QUANTITIES,
    targets,
    simulate,
)

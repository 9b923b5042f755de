"""Actions beyond two, by every way of acting in the order of the scores, counted by hand."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import BAD
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample

ACTIONS = ("pass", "review", "flag")
BAD_TABLES: tuple[tuple[Any, ...], ...] = (
    ([0, 1],),
    ([[0, 1], [2]],),
    ([[0, 1]],),
    ("a",),
    (None,),
    ([[np.nan, 1], [1, 0]],),
    ([[0, 1], [1, np.inf]],),
    ([[0, 1], [1, 0]], ("a",)),
    ([[0, 1], [1, 0]], ("a", "a")),
    ([[0, 1], [1, 0]], "ab"),
)
BAD_REVIEWS: tuple[tuple[Any, ...], ...] = (
    (0,),
    (-1,),
    (np.nan,),
    ("a",),
    (None,),
    ((2, 1),),
    (1, 1.1),
    (1, -0.1),
    (1, 1, "a"),
    (1, (0.9, 1.2)),
)


def amounts(rng: Rng, actions: int) -> np.ndarray:
    """What actions cost on either class: whole numbers, some equal, or any."""
    if rng.random() < 0.5:
        return rng.integers(0, 8, (2, actions)).astype(float)
    return np.asarray(rng.uniform(-2, 20, (2, actions)))


def cost_above(one: Sample, costs: np.ndarray, thresholds: Any, p: float) -> float:
    """What one action more above each of some ascending thresholds costs."""
    place = np.searchsorted(np.asarray(thresholds), one.s, side="left")
    total = 0.0
    for label, share in ((0, 1 - p), (1, p)):
        own = one.y == label
        total += share * np.average(costs[label, place[own]], weights=one.weights[own])
    return float(total)


def least_cost(one: Sample, costs: np.ndarray, p: float) -> float:
    """The least of all ways to act more the higher the score, whichever actions are taken."""
    ordered = costs[:, np.argsort(costs[0], kind="stable")]
    cuts = [-np.inf, *np.unique(one.s)]
    ways = combinations_with_replacement(cuts, ordered.shape[1] - 1)
    return min(cost_above(one, ordered, way, p) for way in ways)


@makes("CostTable", "ActionSteps", weight=0.2)
def tables(rng: Rng, name: str) -> Case:
    """The optimal choice costs the least that there is."""
    if rng.random() < BAD:
        return Case("CostTable", BAD_TABLES[int(rng.integers(len(BAD_TABLES)))], {}, REFUSE)
    costs = amounts(rng, int(rng.integers(1, 5)))
    if name == "ActionSteps":

        def ascend(found: Any) -> str | None:
            steps = np.diff(found.costs)
            return None if (steps > 0).all() and (found.stakes > 0).all() else "no chain"

        return Case(name, (costs,), right=ascend, call=lambda given: cs.CostTable(given).steps)
    one = sample(rng, UNIT, rows=(4, 8), prevalence=False)
    p = float(rng.uniform(0.05, 0.95))

    def cost(given: np.ndarray) -> Any:
        table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
        curve = cs.loss_curve(table.with_prevalence(p), choice=cs.Optimal())
        return cs.CostTable(given).cost(curve, p)

    def right(found: Any) -> str | None:
        return differ(1 + found, 1 + least_cost(one, costs, p), CLOSE)

    must = EITHER if one.w is not None else ANSWER
    return Case(name, (costs,), must=must, right=right, call=cost)


@makes("Review", weight=0.2)
def reviews(rng: Rng, name: str) -> Case:
    """Every rule of a decision costs on the rows what its actions do."""
    if rng.random() < BAD:
        return Case(name, BAD_REVIEWS[int(rng.integers(len(BAD_REVIEWS)))], {}, REFUSE)
    fp, fn = (float(x) for x in rng.uniform(1, 20, 2))
    cost, found, kept = rng.uniform(0.01, 4), rng.uniform(0.5, 1), rng.choice([1.0, 0.9])
    one = sample(rng, UNIT, rows=(8, 16), weighted=False, prevalence=False)
    p = float(rng.uniform(0.05, 0.95))
    limits = cs.Constraints(review_capacity=float(rng.random()))
    options = {"constraints": limits} if rng.random() < 0.4 else {}
    costs = np.array(
        [
            [0.0, cost + (1 - kept) * fp, fp],
            [fn, cost + (1 - found) * fn, 0.0],
        ]
    )

    def decided(*given: float) -> Any:
        known = cs.Deployment(fp, fn, p, review=cs.Review(*given))
        choices = [cs.Optimal(), cs.ScoreDriven()]
        return cs.decide(one.y, one.s, conditions=known, choices=choices, **options)

    def right(decision: Any) -> str | None:
        for fit in decision.fits:
            if fit.in_sample is None:
                continue
            place = np.array([ACTIONS.index(name) for name in fit.rule.applied(one.s)])
            total = sum(
                1000 * share * np.mean(costs[label, place[one.y == label]])
                for label, share in ((0, 1 - p), (1, p))
            )
            wrong = differ(fit.in_sample, total, CLOSE)
            if wrong:
                return f"{fit.strategy}: {wrong}"
        best = min(fit.in_sample for fit in decision.fits if fit.in_sample is not None)
        return None if options else differ(best, 1000 * least_cost(one, costs, p), CLOSE)

    must = ANSWER if np.bincount(one.y, minlength=2).min() > 1 else EITHER
    return Case(name, (cost, found, kept), must=must, right=right, call=decided)

"""Watches and sequences: money by hand, and intervals that hold it."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import BAD
from fuzz.calls.registry import makes
from fuzz.case import EITHER, REFUSE, Case
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample

DAY = "2026-11-29"
BAD_TERMS: tuple[dict[str, Any], ...] = (
    {"tolerance": -1},
    {"tolerance": 1e9},
    {"tolerance": "a"},
    {"level": 1},
    {"looks": 0},
    {"rows": 1.5},
    {"against": {"decision": None}},
    {"in_use": True},
)


@makes("mean_sequence", weight=0.2)
def mean_sequence(rng: Rng, name: str) -> Case:
    """A mean with intervals that are valid at every look."""
    kinds = int(rng.integers(1, 5))
    values = np.sort(rng.normal(size=kinds) * 10.0 ** rng.integers(-3, 6))
    counts = np.cumsum(rng.integers(0, 10 ** int(rng.integers(1, 7)), (3, kinds)), axis=0)
    if rng.random() < BAD:
        bad: list[tuple[Any, ...]] = [
            (counts[::-1] + np.arange(3)[::-1, None], values),
            (counts, values[:-1]),
            (counts, np.full(kinds, np.inf)),
            (-counts - 1, values),
            (counts, "a"),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)

    def right(answer: Any) -> str | None:
        rows = counts.sum(axis=1)
        there = rows > 0
        mean = (counts @ values)[there] / rows[there]
        room = 1e-9 * (1 + np.max(np.abs(values)))
        if np.any(answer.low[there] > mean + room) or np.any(answer.high[there] < mean - room):
            return f"{mean} is not in {answer.low} to {answer.high}"
        return differ(answer.mean[there], mean, CLOSE)

    return Case(name, (counts, values), {}, EITHER, right)


@makes("begin_watch", weight=0.1)
def begin_watch(rng: Rng, name: str) -> Case:
    """What a rule costs on later rows."""
    first, later = (sample(rng, UNIT, rows=(12, 24), prevalence=False) for _ in range(2))
    # Cross-validation needs two rows of each class.
    y, s = [*first.y, 0, 0, 1, 1], [*first.s, 0.1, 0.2, 0.8, 0.9]
    decision = cs.decide(y, {"m": s}, fp_cost=1.0, fn_cost=5.0)
    terms: dict[str, Any] = {"tolerance": float(rng.uniform(10, 900))}
    if rng.random() < BAD:
        terms |= BAD_TERMS[int(rng.integers(len(BAD_TERMS)))]
        return Case(name, (decision,), terms, REFUSE)
    rule = decision.recommendation.rule
    cuts = () if rule is None else rule.cuts

    def looked(*args: Any, **terms: Any) -> Any:
        watch = cs.begin_watch(*args, **terms).add(later.y, {"m": later.s}, day=DAY)
        return watch, watch.look()

    def right(answer: Any) -> str | None:
        if len(cuts) != 1:
            return None
        return differ(answer[1].cost.mean[-1], _cost(cuts[0], later), CLOSE)

    return Case(name, (decision,), terms, EITHER, right, call=looked)


def _cost(cut: float, rows: Sample) -> float:
    """What a threshold costs per 1,000 cases."""
    flagged = np.asarray(rows.s) > cut
    return float(1000 * np.where(np.asarray(rows.y) == 1, 5.0 * ~flagged, 1.0 * flagged).mean())

"""Records that methods return: the method is called, and the record held against the rows."""

from typing import Any

import brute_force_decision as by_hand
import numpy as np

import costspace as cs
from fuzz.calls.registry import makes
from fuzz.case import EITHER, Case
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample


def _bounds(one: Sample) -> Any:
    binned = cs.ScoreCounts.from_predictions(
        one.y, one.s, sample_weight=one.w, binning=cs.Binning.uniform()
    )
    return cs.evaluate(binned).models["y_score"].bounds


def _crossings(one: Sample) -> Any:
    return cs.difference_band(
        one.y, {"a": one.s, "b": one.s[::-1]}, choice=cs.ScoreDriven(), replicates=100
    ).crossings()


def _splits(one: Sample) -> Any:
    rows = cs.ScoredRows.from_predictions(one.y, {"m": one.s}, sample_weight=one.w)
    return cs.hold_out(rows, folds=2).of("m").splits


def _intervals(one: Sample) -> Any:
    return cs.evaluate(one.y, one.s, intervals=True, level=0.9).models["y_score"].intervals


OF_ROWS = {
    "Intervals": _intervals,
    "ModelBounds": _bounds,
    "CrossingIntervals": _crossings,
    "Split": _splits,
}


@makes(*OF_ROWS, weight=0.05)
def of_rows(rng: Rng, name: str) -> Case:
    """Records that rows come to, if they are enough."""
    one = sample(rng, UNIT, rows=(10, 20), prevalence=False)
    return Case(name, (one,), {}, EITHER, call=OF_ROWS[name])


@makes("ActionSteps", "CostTable", weight=0.1)
def actions(rng: Rng, name: str) -> Case:
    """A table of actions: its lower left hull, or the conditions between them."""
    costs = rng.choice([0.0, 1.0, -2.0, *rng.uniform(0, 9, 4)], (2, int(rng.integers(1, 6))))

    def call(*_: Any) -> Any:
        table = cs.CostTable(costs)
        return table if name == "CostTable" else table.steps

    def right(answer: Any) -> str | None:
        table = cs.CostTable(costs)
        probability = np.append(table.steps.costs, rng.random(20))
        least, useful = (
            np.min((1 - probability) * one[0][:, None] + probability * one[1][:, None], axis=0)
            for one in (costs, np.asarray(table.useful.costs))
        )
        ascend = np.all(np.diff(table.steps.costs) > 0) and np.all(table.steps.stakes > 0)
        return differ(useful, least, CLOSE) if ascend else "steps do not ascend"

    return Case(name, (costs,), {}, call=call, right=right)


@makes("Reached", weight=0.05)
def reached(rng: Rng, name: str) -> Case:
    """What a point reaches of every limit."""
    fpr, fnr, p = (float(x) for x in rng.uniform(0.01, 0.99, 3))
    flagged = (1 - p) * fpr + p * (1 - fnr)
    expected = [flagged, p * (1 - fnr) / flagged, 1 - fnr, fpr]

    def call(*_: Any) -> Any:
        return cs.Constraints(capacity=0.5).reached(cs.OperatingPoints(fpr, fnr), p)

    def right(found: Any) -> str | None:
        each = [found.share_flagged, found.precision, found.recall, found.fpr]
        return differ(np.ravel(each), expected, CLOSE)

    return Case(name, (fpr, fnr, p), {}, right=right, call=call)


@makes("Stakes", weight=0.05)
def stakes(rng: Rng, name: str) -> Case:
    """All that is at stake is so whatever the prevalence."""
    fp, fn, p = float(rng.uniform(1, 9)), float(rng.uniform(1, 9)), float(rng.uniform(0.1, 0.9))
    known = by_hand.conditions_of([fp], [fn], [p])[0]

    def call(*_: Any) -> Any:
        return cs.Deployment(fp, fn, p).where_rarer(np.ones(1))

    def right(found: Any) -> str | None:
        return differ(
            [np.max(found.negative), np.max(found.positive)],
            [(1 - p) * known.a, p * known.b],
            CLOSE,
        )

    return Case(name, (fp, fn, p), {}, right=right, call=call)

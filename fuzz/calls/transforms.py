"""Maps of scores, by what they must leave as it is and what they must make of it."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import bounds
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.oracle import CLOSE, TIGHT, differ
from fuzz.samples import Rng, Sample, sample

NO_TABLES: tuple[Any, ...] = (None, "a", [0.1, 0.9], np.array([0.5]), cs.Optimal())


def table_of(one: Sample) -> Any:
    """The sample as a table."""
    table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
    return table if one.prevalence is None else table.with_prevalence(one.prevalence)


@makes("pav", "convexify", "calibrate", "mid_rates", "evenly_spaced", "concavities", weight=0.4)
def maps(rng: Rng, name: str) -> Case:
    """A map learnt on a table, by what holds of the table it is applied to."""
    if rng.random() < 0.15:
        return Case(name, (NO_TABLES[int(rng.integers(len(NO_TABLES)))],), {}, REFUSE)
    one = sample(rng)
    table, known = table_of(one), one.ranked

    def right(answer: Any) -> str | None:
        if name == "concavities":
            return differ(np.sum(answer.auc_gained), known.auc_hull() - known.auc(), CLOSE)
        mapped = answer.apply(table)
        if name in ("pav", "convexify"):
            wrong = differ(cs.auc(mapped), known.auc_hull(), CLOSE)
            refinement = known.refinement_loss("hull")
            return (
                wrong or differ(cs.brier_score(mapped), refinement, CLOSE)
                if name == "pav"
                else wrong
            )
        if name == "calibrate":
            return differ(cs.brier_score(mapped), known.refinement_loss("roc"), CLOSE)
        wrong = differ(mapped.auc, known.auc(), CLOSE)
        if wrong or name == "evenly_spaced":
            return wrong
        expected = known.expected_loss("rate_uniform", "cost")
        return differ(cs.mean_absolute_error(mapped), expected, CLOSE)

    must = ANSWER
    if name == "evenly_spaced" and one.w is not None:
        must = EITHER
    if name == "convexify" and not one.finite:
        must = EITHER
    return Case(name, (table,), {}, must, right)


@makes("repair_concavity", "partition_scores", weight=0.4)
def parts(rng: Rng, name: str) -> Case:
    """Repairs and partitions."""
    one = sample(rng)
    table = table_of(one)
    if name == "repair_concavity":
        low, high = bounds(rng)
        how = str(rng.choice(["randomise", "invert"]))
        if rng.random() < 0.2:
            bad: list[tuple[Any, ...]] = [
                (table, 1, 0),
                (table, np.nan, 1),
                (table, 0, 1, "undo"),
                (one.s, 0, 1),
                (table, "a", 1),
            ]
            return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
        within = (one.s > low) & (one.s <= high)
        keys = np.unique(one.s, return_inverse=True)[1].astype(float)
        if how == "randomise":
            keys[within] = np.mean(keys[within]) if within.any() else 0
        else:
            keys[within] = (keys[within].max() + keys[within].min() if within.any() else 0) - keys[
                within
            ]
        changed = Sample(one.y, keys, one.w, one.prevalence, one.kind)
        must = ANSWER if np.any(within & one.present) else REFUSE
        return Case(
            name,
            (table, low, high, how),
            {},
            must,
            lambda found: differ(found.auc, changed.ranked.auc(), CLOSE),
        )
    partition: Any = ["hull", "roc", int(rng.integers(1, 9)), [0.5], [0.1, 0.9]][
        int(rng.integers(5))
    ]
    if rng.random() < 0.2:
        wrong: list[Any] = ["bins", 0, -1, [0.9, 0.1], np.nan, None, 1.5, "2"]
        return Case(name, (table, wrong[int(rng.integers(len(wrong)))]), {}, REFUSE)

    def adds_up(answer: Any) -> str | None:
        wrong = differ(np.sum(answer.share), 1.0, TIGHT)
        found = float(answer.share @ answer.positive_share)
        return wrong or differ(found, one.pi1, CLOSE)

    return Case(name, (table, partition), {}, ANSWER, adds_up)


@makes(
    "score_intervals",
    "optimal_loss_density",
    "calibration_density",
    "refinement_density",
    weight=0.02,
)
def pointwise(rng: Rng, name: str) -> Case:
    """Densities of analytic models, whose integrals are the losses."""
    model = cs.AnalyticScores(_falling, _rising, float(rng.uniform(0.2, 0.8)))
    if rng.random() < 0.3:
        args: tuple[Any, ...] = (NO_TABLES[int(rng.integers(5))],)
        return Case(name, args if name == "score_intervals" else (*args, [0.5]), {}, REFUSE)
    if name == "score_intervals":
        return Case(name, (model,), right=lambda a: None if a.kind[0] == "bijective" else "kind")
    nodes, weights = np.polynomial.legendre.leggauss(20)
    t = (nodes + 1) / 2
    totals = {
        "optimal_loss_density": lambda: cs.expected_loss(model, choice=cs.Optimal()),
        "calibration_density": lambda: cs.brier_score(model) - cs.refinement_loss(model),
        "refinement_density": lambda: cs.refinement_loss(model),
    }
    return Case(
        name,
        (model, t),
        right=lambda found: differ(found @ weights / 2, totals[name](), 1e-6),
    )


def _falling(x: Any) -> Any:
    return 2 * (1 - x)


def _rising(x: Any) -> Any:
    return 2 * x

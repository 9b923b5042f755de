"""Money when every case has its own costs, by adding the cases up."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import BAD, bad_predictions
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.clothes import dressed
from fuzz.oracle import CLOSE, columns, differ, number
from fuzz.samples import UNIT, Rng, Sample, sample
from fuzz.spoils import spoiled


def costs(rng: Rng, n: int) -> dict[str, Any]:
    """Costs of cases: numbers or one for each row, of any size, gains too."""
    size = float(rng.choice([1.0, 1.0, 1e-48, 1e48, 1e6]))

    def one(low: float, high: float) -> Any:
        if rng.random() < 0.5:
            return float(rng.uniform(low, high)) * size
        return rng.uniform(low, high, n) * size

    found = {"fp_cost": one(0.5, 5), "fn_cost": one(0.5, 20)}
    if rng.random() < 0.4:
        found |= {"tp_cost": one(-2, 0.4), "tn_cost": one(-1, 0.4)}
    return found


def _full(given: dict[str, Any], n: int) -> dict[str, np.ndarray]:
    names = ("fp_cost", "fn_cost", "tp_cost", "tn_cost")
    return {name: np.broadcast_to(given.get(name, 0.0), n).astype(float) for name in names}


def cost_of(one: Sample, flagged: np.ndarray, given: dict[str, Any]) -> float:
    """Mean cost of a case."""
    c = _full(given, len(one))
    each = np.where(
        one.y == 1,
        np.where(flagged, c["tp_cost"], c["fn_cost"]),
        np.where(flagged, c["fp_cost"], c["tn_cost"]),
    )
    return float(one.oracle.masses() @ each[one.present])


def bayes(one: Sample, given: dict[str, Any]) -> np.ndarray:
    """Which cases the Bayes rule flags; the scores are calibrated to the sample's own share."""
    c = _full(given, len(one))
    odds = (c["fp_cost"] - c["tn_cost"]) / (c["fn_cost"] - c["tp_cost"])
    own = np.average(one.y, weights=one.weights)
    p = one.pi1
    odds = odds * (1 - p) / p * own / (1 - own)
    return one.s > odds / (1 + odds)


@makes("expected_cost", "savings_score", "trivial_costs", weight=0.7)
def of_cases(rng: Rng, name: str) -> Case:
    """Mean costs and savings of a rule."""
    one = sample(rng, UNIT)
    given = costs(rng, len(one))
    if rng.random() < BAD:
        small = sample(rng, rows=(3, 8), prevalence=False)
        if name == "trivial_costs" or rng.random() < 0.5:
            bad: list[dict[str, Any]] = [
                {"fp_cost": 0},
                {"fn_cost": -1.0},
                {"fp_cost": [1.0] * 99},
                {"fn_cost": np.nan},
                {"fp_cost": "a"},
                {"fp_cost": None},
                {"fp_cost": np.inf},
                {"tp_cost": 1e300},
                {"fp_cost": 5e-324},
                {"fn_cost": 1e51},
            ]
            spoilt = {"fp_cost": 1, "fn_cost": 1, **bad[int(rng.integers(len(bad)))]}
            args = (small.y,) if name == "trivial_costs" else (small.y, small.y)
            return Case(name, args, spoilt, REFUSE)
        y, s, spoilt, note = spoiled(rng, small)
        return Case(name, (y, s), {"fp_cost": 1, "fn_cost": 2, **spoilt}, REFUSE, note=note)
    one, y, s, options = dressed(rng, one)
    options |= given
    everybody, nobody = np.ones(len(one), bool), np.zeros(len(one), bool)
    trivial = [cost_of(one, each, given) for each in (nobody, everybody)]
    if name == "trivial_costs":
        expected = dict(zip(("flag_nobody", "flag_everybody"), trivial, strict=True))
        return Case(name, (y,), options, right=columns(lambda: expected))
    scale = max(map(abs, trivial))
    if rng.random() < 0.5:
        threshold = float(rng.choice([0.5, rng.random()]))
        options["threshold"] = threshold
        flagged = one.s > threshold
    else:
        flagged = bayes(one, given)
    cost = cost_of(one, flagged, given)
    if name == "expected_cost":
        return Case(name, (y, s), options, right=lambda a: differ(a / scale, cost / scale, CLOSE))
    least = min(trivial)
    if least <= 1e-9 * scale:
        return Case(name, (y, s), options, EITHER if least > -1e-9 * scale else REFUSE)
    return Case(name, (y, s), options, right=number(lambda: 1 - cost / least, 1e-7))


@makes("cost_weighted_table", weight=0.3)
def weighted_table(rng: Rng, name: str) -> Case:
    """The AUC where each row counts as much as its mistake costs."""
    if rng.random() < BAD:
        return bad_predictions(rng, name, {"fp_cost": 1, "fn_cost": 2})
    one = sample(rng)
    given = costs(rng, len(one))
    c = _full(given, len(one))
    stake = np.where(one.y == 1, c["fn_cost"] - c["tp_cost"], c["fp_cost"] - c["tn_cost"])
    one, y, s, options = dressed(rng, one)
    size = stake.max()
    heavier = Sample(one.y, one.s, one.weights * (stake / size), None, one.kind)
    tame = 1e-90 < float((one.weights * stake).max()) < 1e90

    def right(answer: Any) -> str | None:
        return differ(answer.auc, heavier.oracle.auc(), CLOSE)

    return Case(name, (y, s), {**options, **given}, ANSWER if tame else EITHER, right)


@makes("expected_money", weight=0.3)
def in_money(rng: Rng, name: str) -> Case:
    """Money at conditions that are listed, by adding them up."""
    one = sample(rng, UNIT, prevalence=False)
    if rng.random() < BAD:
        options: dict[str, Any] = {"conditions": cs.Deployment(1, 2, 0.5), "choice": cs.Optimal()}
        if rng.random() < 0.5:
            return bad_predictions(rng, name, options, ("prevalence",))
        bad = [None, "a", 0.5, cs.Uniform()]
        options["conditions"] = bad[int(rng.integers(len(bad)))]
        return Case(name, (one.y, one.s), options, REFUSE)
    size = float(rng.choice([1.0, 1e-48, 1e48]))
    fp, fn = rng.uniform(0.5, 9, (2, 3)) * size
    p = rng.uniform(0.05, 0.95, 3)
    known = cs.Scenarios(fp, fn, p)
    one, y, s, options = dressed(rng, one)
    options |= {"conditions": known, "choice": cs.Optimal()}
    stakes = list(zip((1 - p) * fp, p * fn, strict=True))
    best = [(a + b) * one.ranked.loss("optimal", "skew", a / (a + b)) for a, b in stakes]
    expected = 1000 * float(np.mean(best))
    return Case(name, (y, s), options, right=lambda a: differ(a / size, expected / size, CLOSE))

"""Points, lines and volumes of ROC and cost space, by their formulas."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.conditions import NOT_INSIDE, NOT_SHARES, inside, loss_of_point, share
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, REFUSE, Case
from fuzz.oracle import TIGHT, columns, differ, number
from fuzz.samples import Rng, sample


@makes("voros_baseline", "voros_of_point", weight=0.2)
def volumes(rng: Rng, name: str) -> Case:
    """Volumes of single points by quadrature over the skew."""
    low = float(rng.choice([0.0, rng.uniform(0, 0.9)]))
    high = float(rng.choice([1.0, rng.uniform(low + 0.01, 1)]))
    point = () if name == "voros_baseline" else (share(rng), share(rng))
    if rng.random() < 0.2:
        bad: list[dict[str, Any]] = [{"low": 1, "high": 0}, {"low": "a"}, {"high": 2}]
        return Case(name, point, bad[int(rng.integers(3))], REFUSE)

    def volume() -> float:
        # The area bends where the point's loss meets a trivial rule's.
        z = low + (np.arange(20_000) + 0.5) * (high - low) / 20_000
        points = [point] if point else [(1, 0), (0, 1)]
        losses = [z * x + (1 - z) * v for x, v in points]
        a, b = np.minimum(z, 1 - z), np.maximum(z, 1 - z)
        loss = np.minimum.reduce(losses)
        area = np.where(
            loss <= a,
            1 - loss**2 / (2 * a * b),
            np.where(loss <= b, 1 - (2 * loss - a) / (2 * b), (1 - loss) ** 2 / (2 * a * b)),
        )
        return float(np.mean(area))

    return Case(name, point, {"low": low, "high": high}, right=number(volume, 1e-6))


@makes("contingency_table", weight=0.3)
def contingency(rng: Rng, name: str) -> Case:
    """The cells of a table."""
    fpr, fnr, p = share(rng), share(rng), inside(rng)
    if rng.random() < 0.3:
        bad = NOT_SHARES[int(rng.integers(len(NOT_SHARES)))]
        return Case(name, (fpr, bad, p), {}, REFUSE)
    cells = {"tp": p * (1 - fnr), "fn": p * fnr, "fp": (1 - p) * fpr, "tn": (1 - p) * (1 - fpr)}
    return Case(name, (fpr, fnr, p), right=columns(lambda: cells, TIGHT))


@makes("loss_isometric", "precision_isometric", "rate_isometric", weight=0.3)
def isometrics(rng: Rng, name: str) -> Case:
    """Every point of an isometric has the value that it is for."""
    value, p = share(rng), float(rng.uniform(0.01, 0.99))
    if rng.random() < 0.2:
        bad = NOT_INSIDE[int(rng.integers(len(NOT_INSIDE)))]
        extra = {"fpr": 0.1, "fnr": 0.2} if name == "loss_isometric" else {}
        return Case(name, (value, bad), extra, REFUSE)
    options: dict[str, Any] = {}
    if name == "loss_isometric":
        options = {"fpr": share(rng), "fnr": share(rng)}

    def right(answer: Any) -> str | None:
        fpr, tpr = answer.fpr, answer.tpr
        if np.any((fpr < 0) | (fpr > 1) | (tpr < 0) | (tpr > 1)):
            return f"outside ROC space: {fpr}, {tpr}"
        if name == "loss_isometric":
            expected = loss_of_point(c=value, p=p, **options)
            found = [loss_of_point(x, 1 - y, value, p) for x, y in zip(fpr, tpr, strict=True)]
            return differ(found, [expected] * len(fpr), 1e-9)
        if name == "rate_isometric":
            return differ((1 - p) * fpr + p * tpr, np.full(len(fpr), value), 1e-9)
        flagged = (1 - p) * fpr + p * tpr
        return differ(p * tpr, value * flagged, 1e-9)

    return Case(name, (value, p), options, right=right)


@makes("reasonable_choices", weight=0.05)
def guide(rng: Rng, name: str) -> Case:
    """The guide to choices."""
    known = [None, "at evaluation", "at deployment", "never", "always", 3, ["never"]]
    i = int(rng.integers(len(known)))
    return Case(name, (known[i],), {}, ANSWER if i < 4 else REFUSE)


@makes("cost_lines", weight=0.3)
def lines(rng: Rng, name: str) -> Case:
    """Cost lines, by the loss at conditions of their axis."""
    fpr, fnr = rng.random((2, 3))
    p = inside(rng)
    along = str(rng.choice(["prevalence", "cost", "skew", "pc"]))
    options: dict[str, Any] = {"axis": along}
    if along == "cost":
        options["prevalence"] = p
    if along == "prevalence" and rng.random() < 0.5:
        options |= {"fp_cost": 2.0, "fn_cost": 5.0}
    if rng.random() < 0.2:
        bad: list[dict[str, Any]] = [
            {"axis": "costs"},
            {"axis": "cost", "prevalence": None},
            {"axis": "cost", "prevalence": 1},
            {"axis": "skew", "fp_cost": 1},
            {"axis": "prevalence", "prevalence": 0.5},
        ]
        return Case(name, ((fpr, fnr),), {**options, **bad[int(rng.integers(len(bad)))]}, REFUSE)
    x = rng.random(4)

    def right(answer: Any) -> str | None:
        a, b = options.get("fp_cost", 1), options.get("fn_cost", 1)
        z = x[None, :]
        falls, rises = {
            "prevalence": ((1 - z) * a, z * b),
            "cost": (2 * z * (1 - p), 2 * (1 - z) * p),
            "skew": (z, 1 - z),
            "pc": (1 - z, z),
        }[along]
        expected = falls * fpr[:, None] + rises * fnr[:, None]
        found = answer(x)
        return differ(found if found.shape == expected.shape else found.T, expected, TIGHT)

    return Case(name, ((fpr, fnr),), options, right=right)


@makes("OperatingPoints", "Piece", "Range", weight=0.1)
def values(rng: Rng, name: str) -> Case:
    """Small values, and what is none."""
    good, bad = {
        "OperatingPoints": (
            [([0.1, 0.2], [0.3, 0.4]), (0, 1)],
            [],
        ),
        "Piece": (
            [(0, 1, 10), (1e-9, 1.0, 3, "log"), (-1, 1, 1)],
            [(1, 0, 10), (0, 1, 0), (0, 1, 1.5), (0, np.inf, 3), (0, 1, 10, "cubic")],
        ),
        "Range": ([(0, 1), (2.0, 2.0)], []),
    }[name]
    if bad and rng.random() < 0.5:
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    return Case(name, good[int(rng.integers(len(good)))])


@makes("threshold_path", weight=0.1)
def threshold_path(rng: Rng, name: str) -> Case:
    """Thresholds along conditions: they flag what the choice's path says."""
    one = sample(rng, prevalence=False)
    table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
    if rng.random() < 0.2:
        bad: list[tuple[Any, ...]] = [(table, "optimal"), (one.s, cs.Optimal()), (None, None)]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    c = float(rng.random())

    def right(answer: Any) -> str | None:
        rule = answer.rule_at(c)
        flagged = one.s > rule.thresholds[0]
        if np.isneginf(one.s).any() and np.isneginf(rule.thresholds[0]):
            # The choice flags everybody there, which no threshold does.
            return None
        negative, positives = one.weights * (one.y == 0), one.weights * (one.y == 1)
        fpr, fnr = negative[flagged].sum(), positives[~flagged].sum()
        z = c
        loss = z * fpr / negative.sum() + (1 - z) * fnr / positives.sum()
        return differ(loss, one.ranked.loss("optimal", "skew", z), 1e-9)

    return Case(name, (table.with_prevalence(0.5), cs.Optimal()), right=right)

"""Operating conditions: functions of single numbers, against their formulas in exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, REFUSE, Case
from fuzz.oracle import TIGHT, columns, differ, number
from fuzz.samples import Rng

NOT_POSITIVE: tuple[Any, ...] = (0, -1.0, np.nan, np.inf, -np.inf, "1", None, [1.0, -1.0], "x", {})
NOT_SHARES: tuple[Any, ...] = (-0.1, 1.1, np.nan, np.inf, "x", None, [0.5, 2.0], {}, 1 + 1e-9)
NOT_INSIDE: tuple[Any, ...] = (0, 1, -0.1, 50, np.nan, "x", None, {})


def positive(rng: Rng) -> float:
    """A cost of any size."""
    return float(
        rng.choice([1.0, rng.uniform(0.1, 10), 10 ** rng.uniform(-300, 300), 5e-324, 1.7e308])
    )


def share(rng: Rng) -> float:
    """A number from 0 to 1."""
    near = [0.0, 1.0, 0.5, 1e-300, 5e-324, 1 - 2.0**-53]
    return float(rng.choice([*near, *rng.random(6)]))


def inside(rng: Rng) -> float:
    """A number inside (0, 1)."""
    return float(rng.choice([0.5, 1e-9, 1 - 1e-9, 1e-300, *rng.uniform(0.001, 0.999, 5)]))


def _exact(value: float) -> Fraction:
    return Fraction(float(value))


def _share_of(part: Fraction, rest: Fraction) -> float:
    return float(part / (part + rest))


def _cost_proportion(fp: float, fn: float) -> float:
    return _share_of(_exact(fp), _exact(fn))


def _skew(c: float, p: float) -> float:
    c, p = _exact(c), _exact(p)
    return _share_of(c * (1 - p), (1 - c) * p)


def _cost(z: float, p: float) -> float:
    z, p = _exact(z), _exact(p)
    return _share_of(z * p, (1 - z) * (1 - p))


def _probability_cost(p: float, fp: float, fn: float) -> float:
    p, fp, fn = _exact(p), _exact(fp), _exact(fn)
    return _share_of(p * fn, (1 - p) * fp)


def _normalised(p: float, fpr: float, fnr: float, fp: float, fn: float) -> float:
    pc = _exact(_probability_cost(p, fp, fn))
    return float(pc * _exact(fnr) + (1 - pc) * _exact(fpr))


def _loss(c: float, p: float, fpr: float, fnr: float) -> float:
    c, p = _exact(c), _exact(p)
    return float(2 * (c * (1 - p) * _exact(fpr) + (1 - c) * p * _exact(fnr)))


def _trivial(c: float, p: float) -> float:
    return min(_loss(c, p, 1, 0), _loss(c, p, 0, 1))


def _area(z: float, fpr: float, fnr: float) -> float:
    z, fpr, fnr = _exact(z), _exact(fpr), _exact(fnr)
    a, b = min(z, 1 - z), max(z, 1 - z)
    loss = z * fpr + (1 - z) * fnr
    if loss <= a:
        return float(1 - loss**2 / (2 * a * b)) if a else 1.0
    return float(1 - (2 * loss - a) / (2 * b) if loss <= b else (1 - loss) ** 2 / (2 * a * b))


# The formula, and for each argument what draws good values and which are bad.
Draw = tuple[Callable[[Rng], float], tuple[Any, ...]]
POSITIVE, SHARE, INSIDE = (positive, NOT_POSITIVE), (share, NOT_SHARES), (inside, NOT_INSIDE)
RATE: Draw = (share, ())
FORMULAS: dict[str, tuple[Callable[..., float], tuple[Draw, ...]]] = {
    "cost_proportion": (_cost_proportion, (POSITIVE, POSITIVE)),
    "skew_from_cost": (_skew, (SHARE, INSIDE)),
    "cost_from_skew": (_cost, (SHARE, INSIDE)),
    "probability_cost": (_probability_cost, (INSIDE, POSITIVE, POSITIVE)),
    "normalised_cost": (_normalised, (INSIDE, SHARE, SHARE, POSITIVE, POSITIVE)),
    "loss_at": (_loss, (SHARE, INSIDE, RATE, RATE)),
    "trivial_loss": (_trivial, (SHARE, INSIDE)),
    "lesser_area": (_area, (SHARE, SHARE, SHARE)),
}
# These take a share at the ends, too.
_ENDS_ALLOWED = {("probability_cost", 0), ("normalised_cost", 0)}


@makes(*FORMULAS, weight=0.5)
def formula(rng: Rng, name: str) -> Case:
    """A function of numbers, or of an array of one of them."""
    definition, draws = FORMULAS[name]
    values: list[Any] = [draw(rng) for draw, _ in draws]
    strict = rng.random() < 0.1
    i = int(rng.integers(len(draws)))
    if rng.random() < 0.3 and draws[i][1]:
        bad = draws[i][1]
        values[i] = bad[int(rng.integers(len(bad)))]
        if (name, i) not in _ENDS_ALLOWED or values[i] not in (0, 1):
            return Case(name, tuple(values), {}, REFUSE, strict=strict)
    if rng.random() < 0.3 and (name, i) not in (("loss_at", 1), ("trivial_loss", 1)):
        values[i] = [draws[i][0](rng) for _ in range(3)]
        each = [[*values[:i], one, *values[i + 1 :]] for one in values[i]]
        right = number(lambda: [definition(*one) for one in each], TIGHT)
        return Case(name, tuple(values), {}, ANSWER, right, strict=strict)
    return Case(
        name, tuple(values), {}, ANSWER, number(lambda: definition(*values), TIGHT), strict=strict
    )


@makes("skew_range", weight=0.5)
def skew_range(rng: Rng, name: str) -> Case:
    """Ranges of the skew by their ends."""
    ratios = sorted(10 ** rng.uniform(-5, 5, 2))
    shares = sorted(rng.uniform(0.001, 0.999, 2))
    if rng.random() < 0.3:
        bad: list[dict[str, Any]] = [
            {"cost_ratio": ratios[::-1], "prevalence": 0.5},
            {"cost_ratio": 0, "prevalence": 0.5},
            {"cost_ratio": 1},
            {"cost_ratio": 1, "prevalence": 0.5, "class_ratio": 1},
            {"cost_ratio": "1:2", "prevalence": 0.5},
            {"cost_ratio": 1, "prevalence": (0.5, 1)},
            {"cost_ratio": (1, 2, 3), "class_ratio": 1},
            {"cost_ratio": np.nan, "class_ratio": 1},
        ]
        return Case(name, (), bad[int(rng.integers(len(bad)))], REFUSE)

    def ends() -> dict[str, float]:
        odds = [r * (1 - p) / p for r, p in zip(ratios, shares[::-1], strict=True)]
        return {"low": odds[0] / (1 + odds[0]), "high": odds[1] / (1 + odds[1])}

    given = {"cost_ratio": tuple(ratios), "prevalence": tuple(shares)}
    return Case(name, (), given, right=columns(ends, TIGHT))


@makes("bayes_thresholds", weight=0.5)
def thresholds(rng: Rng, name: str) -> Case:
    """Thresholds of cases by their costs."""
    fp, fn = rng.uniform(0.1, 10, (2, 4))
    tn, tp = -rng.uniform(0, 1, (2, 4)) * rng.integers(0, 2)
    given: dict[str, Any] = {"fp_cost": fp, "fn_cost": fn, "tp_cost": tp, "tn_cost": tn}
    if rng.random() < 0.3:
        spoils: list[dict[str, Any]] = [
            {"fp_cost": -fp},
            {"fn_cost": np.full(4, np.nan)},
            {"prevalence": 0.5},
            {"calibrated_to": 0.5},
            {"fp_cost": fp[:3]},
            {"fp_cost": "a"},
            {"prevalence": 2, "calibrated_to": 0.5},
            {"tn_cost": fp},
            {"fp_cost": np.inf},
        ]
        return Case(name, (), {**given, **spoils[int(rng.integers(len(spoils)))]}, REFUSE)
    odds = (fp - tn) / (fn - tp)
    if rng.random() < 0.5:
        p, q = rng.uniform(0.01, 0.99, 2)
        given |= {"prevalence": float(p), "calibrated_to": float(q)}
        odds = odds * (1 - p) / p * q / (1 - q)
    return Case(name, (), given, right=number(lambda: odds / (1 + odds), TIGHT))


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
            expected = _loss(value, p, **options)
            found = [_loss(value, p, x, 1 - y) for x, y in zip(fpr, tpr, strict=True)]
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
    from fuzz.samples import sample

    one = sample(rng, prevalence=False)
    table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
    if rng.random() < 0.2:
        bad: list[tuple[Any, ...]] = [("optimal", table), (cs.Optimal(), one.s), (None, None)]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    c = float(rng.random())

    def right(answer: Any) -> str | None:
        rule = answer.rule_at(c)
        flagged = one.s > rule.threshold
        negative, positives = one.weights * (one.y == 0), one.weights * (one.y == 1)
        fpr, fnr = negative[flagged].sum(), positives[~flagged].sum()
        z = c
        loss = z * fpr / negative.sum() + (1 - z) * fnr / positives.sum()
        return differ(loss, one.ranked.loss("optimal", "skew", z), 1e-9)

    return Case(name, (cs.Optimal(), table.with_prevalence(0.5)), right=right)

"""Operating conditions: functions of single numbers, against their formulas in exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from fuzz.calls.registry import makes
from fuzz.case import ANSWER, REFUSE, Case
from fuzz.oracle import TIGHT, columns, number
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


def _normalised(fpr: float, fnr: float, p: float, fp: float, fn: float) -> float:
    pc = _exact(_probability_cost(p, fp, fn))
    return float(pc * _exact(fnr) + (1 - pc) * _exact(fpr))


def loss_of_point(fpr: float, fnr: float, c: float, p: float) -> float:
    c, p = _exact(c), _exact(p)
    return float(2 * (c * (1 - p) * _exact(fpr) + (1 - c) * p * _exact(fnr)))


def _trivial(c: float, p: float) -> float:
    return min(loss_of_point(1, 0, c, p), loss_of_point(0, 1, c, p))


def _area(fpr: float, fnr: float, z: float) -> float:
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
    "normalised_cost": (_normalised, (SHARE, SHARE, INSIDE, POSITIVE, POSITIVE)),
    "loss_at": (loss_of_point, (RATE, RATE, SHARE, INSIDE)),
    "trivial_loss": (_trivial, (SHARE, INSIDE)),
    "lesser_area": (_area, (SHARE, SHARE, SHARE)),
}
# These take a share at the ends, too.
_ENDS_ALLOWED = {("probability_cost", 0), ("normalised_cost", 2)}


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
    if rng.random() < 0.3 and (name, i) not in (("loss_at", 3), ("trivial_loss", 1)):
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

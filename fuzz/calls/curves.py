"""What is made of several loss curves, by their values at many conditions."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import axis, choice
from fuzz.calls.registry import makes
from fuzz.case import REFUSE, Case
from fuzz.oracle import CLOSE, TIGHT, differ, inside
from fuzz.samples import Rng, small


def some_curves(rng: Rng, count: int) -> dict[str, Any]:
    """Loss curves by name, on one axis."""
    along = axis(rng)
    found = {}
    for i in range(count):
        one, chosen = small(rng, prevalence=False), choice(rng)
        found[f"m{i}"] = cs.loss_curve(
            one.y, one.s, choice=chosen.choice, axis=along, sample_weight=one.w
        )
    return found


def _conditions(curves: Any) -> np.ndarray:
    return inside(np.concatenate([curve.breaks for curve in curves]))


@makes("weighted_sum", "lower_envelope", "sign_intervals", "crossings", weight=0.25)
def of_curves(rng: Rng, name: str) -> Case:
    """Sums, minima and signs."""
    curves = list(some_curves(rng, int(rng.integers(1, 4))).values())
    if rng.random() < 0.2:
        bad: list[tuple[Any, ...]] = {
            "weighted_sum": [([],), ([0.5],), (curves, [1] * 9), (curves, "a"), (3,)],
            "lower_envelope": [([],), ([None],), (3,)],
            "sign_intervals": [(0.5,), (None,), ([curves[0]],)],
            "crossings": [(curves[0], 1), (None, curves[0])],
        }[name]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    c = _conditions(curves)
    if name == "weighted_sum":
        weights = rng.normal(size=len(curves))
        expected = sum(w * curve(c) for w, curve in zip(weights, curves, strict=True))
        return Case(name, (curves, weights), right=lambda a: differ(a(c), expected, CLOSE))
    if name == "lower_envelope":
        least = np.min([curve(c) for curve in curves], axis=0)
        return Case(name, (curves,), right=lambda a: differ(a.curve(c), least, CLOSE))
    other = next(iter(some_curves(rng, 1).values()))
    gap = curves[0] - other
    if name == "crossings":
        return Case(name, (curves[0], other), right=lambda a: _crossed(a, gap))
    return Case(name, (gap,), right=lambda a: _signed(a, gap))


def _crossed(answer: np.ndarray, gap: Any) -> str | None:
    if np.any(np.diff(answer) <= 0) or np.any((answer <= 0) | (answer >= 1)):
        return f"not ascending inside (0, 1): {answer}"
    for low, high in zip(np.append(0, answer), np.append(answer, 1), strict=True):
        c = inside(np.concatenate([gap.breaks[(gap.breaks > low) & (gap.breaks < high)]]))
        c = c[(c > low + 1e-9) & (c < high - 1e-9)]
        values = gap(c)
        if np.any(values > 1e-9) and np.any(values < -1e-9):
            return f"a sign change between {low} and {high}"
    return None


def _signed(answer: Any, gap: Any) -> str | None:
    c = inside(np.append(gap.breaks, answer.breaks))
    values = gap(c)
    at = np.clip(np.searchsorted(answer.breaks, c, side="right") - 1, 0, len(answer.sign) - 1)
    wrong = np.sign(values) != answer.sign[at]
    wrong &= np.abs(values) > 1e-9
    if np.any(wrong):
        return f"sign {answer.sign[at][wrong][0]} where the gap is {values[wrong][0]}"
    return None


@makes("dominance", "hybrid", "losses_at", weight=0.25)
def of_models(rng: Rng, name: str) -> Case:
    """Which model is best where."""
    curves = some_curves(rng, int(rng.integers(2, 4)))
    c0 = float(rng.choice([0.0, 1.0, rng.random()]))
    extra = (c0,) if name == "losses_at" else ()
    if rng.random() < 0.2:
        bad: list[tuple[Any, ...]] = [({},), ({"a": 1},), (None,), (3,)]
        bad_args = bad[int(rng.integers(len(bad)))] + extra
        if name == "losses_at" and rng.random() < 0.5:
            bad_args = (curves, [2.0, np.nan, "a", None][int(rng.integers(4))])
        return Case(name, bad_args, {}, REFUSE)
    if name == "losses_at":
        values = {key: float(curve(c0)) for key, curve in curves.items()}

        def at(answer: Any) -> str | None:
            expected = [values[one] for one in answer.names]
            return differ(answer.loss, sorted(expected), TIGHT)

        return Case(name, (curves, c0), right=at)
    c = _conditions(curves.values())
    least = np.min([curve(c) for curve in curves.values()], axis=0)
    if name == "hybrid":
        return Case(name, (curves,), right=lambda a: differ(a.on(curves)(c), least, CLOSE))

    def best(answer: Any) -> str | None:
        found = np.clip(np.searchsorted(answer.breaks, c, side="right") - 1, 0, None)
        for i, at in enumerate(np.minimum(found, len(answer.best) - 1)):
            for model in answer.best[at]:
                value = float(curves[model](c[i]))
                if value > least[i] + 1e-9:
                    return f"{model} is best at {c[i]} with {value}, the least is {least[i]}"
        return None

    return Case(name, (curves,), right=best)


@makes("advantage", "operating_range", "trivial_curve", weight=0.25)
def against_trivial(rng: Rng, name: str) -> Case:
    """Against the better trivial rule."""
    p = float(rng.choice([0.5, rng.uniform(0.01, 0.99)]))
    curve = next(iter(some_curves(rng, 1).values()))
    args = (p,) if name == "trivial_curve" else (curve, p)
    if rng.random() < 0.2:
        bad = [0, 1, "a", np.nan, None, [0.5]]
        return Case(name, (*args[:-1], bad[int(rng.integers(len(bad)))]), {}, REFUSE)
    c = inside(np.append(curve.breaks, p))
    trivial = 2 * np.minimum(c * (1 - p), (1 - c) * p)
    if name == "trivial_curve":
        return Case(name, args, right=lambda a: differ(a(c), trivial, TIGHT))
    if name == "advantage":
        return Case(name, args, right=lambda a: differ(a(c), trivial - curve(c), CLOSE))
    return Case(name, args, right=lambda a: _signed(a, cs.metrics.advantage(curve, prevalence=p)))


@makes("with_review", weight=0.25)
def where_reviewed(rng: Rng, name: str) -> Case:
    """Loss curves where cases may be reviewed, at one cost of a review or on average."""
    curve = next(iter(some_curves(rng, 1).values()))
    if rng.random() < 0.2:
        bad: list[tuple[Any, dict[str, Any]]] = [
            (None, {}),
            (0.5, {}),
            *((curve, {"relative_cost": one}) for one in (0, -1, 1.5, "a", np.nan, [0.5])),
        ]
        given, options = bad[int(rng.integers(len(bad)))]
        return Case(name, (given,), options, REFUSE)
    if rng.random() < 0.3:
        mean = curve.expectation(cs.Uniform())
        return Case(name, (curve,), {}, right=lambda a: differ(a(0.5), mean, CLOSE))
    kappa = float(rng.choice([1.0, 0.5, rng.random()]))

    def right(answer: Any) -> str | None:
        c = inside(answer.breaks)
        expected = (1 - c) * curve(kappa * c) + c * curve(1 - kappa * (1 - c))
        return differ(answer(c), expected, CLOSE)

    return Case(name, (curve,), {"relative_cost": kappa}, right=right)


@makes("average_scores", weight=0.2)
def averages(rng: Rng, name: str) -> Case:
    """The mean of models' scores."""
    a, b = rng.random((2, 5))
    weights = rng.random(2)
    if rng.random() < 0.4:
        bad: list[tuple[Any, ...]] = [
            ({},),
            ({"a": a, "b": b[:3]},),
            ({"a": a, "b": [np.nan] * 5},),
            ({"a": a}, [0]),
            ({"a": a}, [-1]),
            ({"a": ["x"] * 5},),
            (a,),
            ({"a": a, "b": b}, [1]),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    expected = np.average([a, b], axis=0, weights=weights)
    return Case(
        name, ({"a": a, "b": b}, weights), right=lambda found: differ(found, expected, TIGHT)
    )

"""Loss curves, their expectations and their other scales, against the oracle's losses."""

from typing import Any

import brute_force
import numpy as np

import costspace as cs
from fuzz import oracle
from fuzz.calls.making import (
    axis,
    bounds,
    choice,
    for_probabilities,
    for_ranks,
    of_metric,
    spread,
)
from fuzz.calls.registry import makes
from fuzz.case import REFUSE, Case
from fuzz.oracle import CLOSE, clear, differ, inside, number
from fuzz.samples import UNIT, Rng, Sample, sample


@makes("expected_loss", "loss_shares", weight=2)
def expected(rng: Rng, name: str) -> Case:
    """Expected losses, and each row's share."""
    chosen, over, along = choice(rng), spread(rng), axis(rng)

    def right(one: Sample) -> Any:
        def total() -> float:
            return over.expected(chosen.oracle(one), chosen.method, along)

        if name == "expected_loss":
            return number(total)
        return lambda shares: (
            f"{len(shares)} shares of {len(one)} rows"
            if len(shares) != len(one)
            else differ(np.sum(shares), total(), CLOSE)
        )

    options = {"choice": chosen.choice, "costs": over.costs, "axis": along}
    scores = UNIT if chosen.must is for_probabilities and rng.random() < 0.9 else None
    one = sample(rng, scores) if scores else sample(rng)
    table = name == "expected_loss"
    return of_metric(rng, name, one, right, options=options, must=chosen.must, table=table)


@makes("expected_loss", "loss_curve", weight=0.5)
def bad_terms(rng: Rng, name: str) -> Case:
    """A choice, a distribution or an axis that is none."""
    bad: list[dict[str, Any]] = [
        {"choice": "optimal"},
        {"choice": cs.Optimal},
        {"choice": None},
        {"choice": cs.Optimal(), "axis": "costs"},
        {"choice": cs.Optimal(), "axis": None},
        {"choice": cs.Optimal(), "axis": ["cost"]},
    ]
    if name == "expected_loss":
        bad += [{"choice": cs.Optimal(), "costs": each} for each in (0.5, "uniform", cs.Uniform)]
    one = sample(rng, UNIT)
    return Case(name, (one.y, one.s), bad[int(rng.integers(len(bad)))], REFUSE)


@makes("loss_curve", "murphy_curve", "decision_curve", "relative_economic_value", weight=1.2)
def curves(rng: Rng, name: str) -> Case:
    """Loss curves on every scale over cost proportions."""
    chosen = choice(rng)
    along = axis(rng) if name == "loss_curve" else "cost"
    options: dict[str, Any] = {"choice": chosen.choice}
    if name == "loss_curve":
        options["axis"] = along

    def right(one: Sample) -> Any:
        known = chosen.oracle(one)
        if name in ("loss_curve", "murphy_curve"):
            return oracle.curve(known, chosen.method, along, 1.0 if name == "loss_curve" else 0.25)
        return lambda answer: _rescaled(answer, name, known, chosen.method)

    scores = UNIT if chosen.must is for_probabilities and rng.random() < 0.9 else None
    one = sample(rng, scores) if scores else sample(rng)
    return of_metric(rng, name, one, right, options=options, must=chosen.must)


def _rescaled(answer: Any, name: str, known: brute_force.Sample, method: Any) -> str | None:
    c = inside(np.append(known.breakpoints(method, "cost"), answer.breaks))
    c = clear(known, method, "cost", c)
    loss, p = known.loss(method, "cost", c), known.positive_share()
    if name == "decision_curve":
        expected, scale = p - loss / (2 * (1 - c)), 1 - c
    else:
        trivial = 2 * np.minimum(c * (1 - p), (1 - c) * p)
        expected, scale = 1 - loss / trivial, trivial
    # What is divided by little has more of rounding.
    return differ(answer(c) * scale, expected * scale, CLOSE)


@makes("normalised_cost_curve", "class_parts")
def other_curves(rng: Rng, name: str) -> Case:
    """The loss over PC(+), and each class's part of the loss."""
    chosen = choice(rng)
    along = "skew" if name == "normalised_cost_curve" else axis(rng)
    options: dict[str, Any] = {"choice": chosen.choice}
    if name == "class_parts":
        options["axis"] = along

    def right(one: Sample) -> Any:
        known = chosen.oracle(one)

        def check(answer: Any) -> str | None:
            if name == "class_parts":
                breaks = np.append(answer.negatives.breaks, answer.positives.breaks)
                c = inside(np.append(known.breakpoints(chosen.method, along), breaks))
                c = clear(known, chosen.method, along, c)
                found = answer.negatives(c) + answer.positives(c)
            else:
                c = inside(np.append(known.breakpoints(chosen.method, along), 1 - answer.breaks))
                c = clear(known, chosen.method, along, c)
                found = answer(1 - c)
            return differ(found, known.loss(chosen.method, along, c), CLOSE)

        return check

    scores = UNIT if chosen.must is for_probabilities and rng.random() < 0.9 else None
    one = sample(rng, scores) if scores else sample(rng)
    return of_metric(rng, name, one, right, options=options, must=chosen.must)


@makes("review_curve", weight=0.7)
def reviewed(rng: Rng, name: str) -> Case:
    """The cost of a case by the cost of a review."""
    chosen = choice(rng)
    fp, fn = np.exp(rng.uniform(-3, 3, 2))
    found, found_out = rng.choice([1.0, 0.9, 0.6, 0.3], 2).tolist()
    review = cs.Review(1.0, found, found_out)
    options = {"choice": chosen.choice, "fp_cost": fp, "fn_cost": fn, "review": review}
    if rng.random() < 0.1:
        bad = [{"fp_cost": 0}, {"fn_cost": -1}, {"review": None}, {"review": 1}, {"fp_cost": "a"}]
        options |= bad[int(rng.integers(len(bad)))]
        one = sample(rng, UNIT)
        return Case(name, (one.y, one.s), options, REFUSE)

    def right(one: Sample) -> Any:
        known = chosen.oracle(one)

        def check(answer: Any) -> str | None:
            pieces = answer.columns()
            x = (pieces["from"] + pieces["to"])[pieces["to"] > pieces["from"] + 1e-9] / 2
            if answer.most == 0:
                x, steps = np.ones(1), np.array([[fp / 2, fp / 2], [fn / 2, fn / 2]])[..., None]
            else:
                steps = np.array(
                    [
                        [x + (1 - found_out) * fp, found_out * fp - x],
                        [found * fn - x, x + (1 - found) * fn],
                    ]
                )
            stakes, c = steps.sum(axis=0), steps[0] / steps.sum(axis=0)
            far = np.isin(c, clear(known, chosen.method, "cost", c.ravel())).all(axis=0)
            losses = known.loss(chosen.method, "cost", c[:, far].ravel()).reshape(2, -1)
            expected = np.sum(stakes[:, far] * losses, axis=0) / 2
            return differ(answer(x[far]), expected, CLOSE * (fp + fn))

        return check

    scores = UNIT if chosen.must is for_probabilities and rng.random() < 0.9 else None
    one = sample(rng, scores) if scores else sample(rng)
    return of_metric(rng, name, one, right, options=options, must=chosen.must)


@makes("kendall_curve", "calibration_gap")
def differences(rng: Rng, name: str) -> Case:
    """What misranking and miscalibration cost at each condition."""
    along = axis(rng)
    by_rank = name == "kendall_curve"

    def right(one: Sample) -> Any:
        known = one.ranked if by_rank else one.oracle
        method = "rate_driven" if by_rank else "score_driven"

        def check(answer: Any) -> str | None:
            other = known
            if by_rank:
                perfect = brute_force.Sample(one.y, one.y, one.w, one.prevalence)
                other, least = perfect, "rate_driven"
            else:
                least = "optimal"
            breaks = [each.breakpoints(m, along) for each, m in ((known, method), (other, least))]
            c = inside(np.concatenate([*breaks, answer.breaks]))
            expected = known.loss(method, along, c) - other.loss(least, along, c)
            return differ(answer(c), expected, CLOSE)

        return check

    must = for_ranks if by_rank else for_probabilities
    return of_metric(
        rng,
        name,
        sample(rng) if by_rank else sample(rng, UNIT),
        right,
        options={"axis": along},
        must=must,
    )


@makes("partial_brier_score", weight=0.7)
def partial_brier(rng: Rng, name: str) -> Case:
    """The Brier score over a range of conditions."""
    low, high = bounds(rng)
    along = axis(rng)

    def right(one: Sample) -> Any:
        return number(lambda: one.oracle.expected_loss("score_driven", along, low=low, high=high))

    options = {"low": low, "high": high, "axis": along}
    return of_metric(rng, name, sample(rng, UNIT), right, options=options, must=for_probabilities)


@makes("roc_surface", weight=0.5)
def surface(rng: Rng, name: str) -> Case:
    """The ROC surface: its volume, and the area at a skew."""
    one = sample(rng, prevalence=False)

    def right(one: Sample) -> Any:
        return lambda answer: differ(answer.volume(), one.ranked.voros(), CLOSE)

    return of_metric(rng, name, one, right, without=("prevalence",))


@makes("equal_cost_points", weight=0.5)
def equal_cost(rng: Rng, name: str) -> Case:
    """Skews at which two models' best losses are equal."""
    first, second = sample(rng), sample(rng)
    tables = [cs.ScoreTable.from_predictions(o.y, o.s, sample_weight=o.w) for o in (first, second)]

    def right(answer: Any) -> str | None:
        losses = [o.ranked.loss("optimal", "skew", answer.skew) for o in (first, second)]
        return differ(losses[0], losses[1], CLOSE)

    return Case(name, tuple(tables), right=right)

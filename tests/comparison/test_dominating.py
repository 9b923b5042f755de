"""Which model is best where, against the values of all curves."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import AXES, CHOICES, fit_for, inside
from refusals import refused
from worked_examples import EXAMPLES

import costspace as cs
from costspace import ConditionError

Y = [0, 0, 1, 1]
CURVES = {
    "a": cs.loss_curve(Y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven()),
    "b": cs.loss_curve(Y, [0.2, 0.6, 0.7, 0.3], choice=cs.ScoreDriven()),
}


def example_3(choice: cs.ThresholdChoice, axis: str = "cost") -> dict[str, cs.LossCurve]:
    return {
        name.lower(): cs.loss_curve(
            EXAMPLES[f"ex3{name}"]["y_true"],
            EXAMPLES[f"ex3{name}"]["y_score"],
            choice=choice,
            axis=axis,
        )
        for name in "ABC"
    }


@settings(max_examples=50)
@given(st.data(), st.sampled_from(AXES), st.integers(1, 4))
def test_the_best_have_the_least_loss(data: st.DataObject, axis: str, k: int) -> None:
    curves = {}
    for i in range(k):
        kind = data.draw(st.sampled_from(["score_driven", "rate_driven", "optimal", "score_fixed"]))
        table = fit_for(CHOICES[kind], data).table
        curves[f"model {i}"] = cs.loss_curve(table, choice=CHOICES[kind].choice, axis=axis)
    if data.draw(st.booleans(), label="twice"):
        curves["again"] = curves["model 0"]
    found = cs.dominance(curves)
    assert found.names == tuple(curves)
    assert found.breaks[0] == 0
    assert found.breaks[-1] == 1
    assert np.all(np.diff(found.breaks) > 0)
    assert all(found.best)
    assert all(before != after for before, after in zip(found.best, found.best[1:], strict=False))
    breaks = np.concatenate([curve.breaks for curve in curves.values()])
    c = np.concatenate([inside(breaks), inside(found.breaks)])
    values = {name: np.asarray(curve(c)) for name, curve in curves.items()}
    least = np.min(list(values.values()), axis=0)
    place = np.searchsorted(found.breaks, c, side="right") - 1
    for i, best in enumerate(found.best):
        for name in curves:
            excess = values[name][place == i] - least[place == i]
            if name in best:
                assert np.all(excess <= 2e-12)
            elif excess.size > 3:
                # At a touch it may be 0, but not all along.
                assert excess.max() > 0
    if "again" in curves:
        assert all(("again" in best) == ("model 0" in best) for best in found.best)


def test_example_3_of_brier_curves() -> None:
    found = cs.dominance(example_3(cs.ScoreDriven()))
    np.testing.assert_allclose(found.breaks, [0, 0.1, 0.5, 0.55, 2 / 3, 1], atol=1e-15)
    assert found.best == (("a", "b"), ("a",), ("b",), ("a",), ("b",))
    assert found.never_best == ("c",)
    np.testing.assert_allclose(found.where("a"), [(0.1, 0.5), (0.55, 2 / 3)], atol=1e-15)
    np.testing.assert_allclose(found.where("b"), [(0.5, 0.55), (2 / 3, 1)], atol=1e-15)
    assert found.where("c") == []


def test_example_3_on_cost_curves() -> None:
    found = cs.dominance(example_3(cs.Optimal()))
    np.testing.assert_allclose(found.breaks, [0, 0.4, 1], atol=1e-15)
    assert found.best == (("a",), ("b",))
    assert found.never_best == ("c",)


def test_one_model_and_models_that_coincide() -> None:
    alone = cs.dominance({"a": CURVES["a"]})
    assert alone.best == (("a",),)
    assert alone.where("a") == [(0, 1)]
    both = cs.dominance({"x": CURVES["a"], "y": CURVES["a"]})
    assert both.best == (("x", "y"),)
    assert both.where("x") == []
    assert both.never_best == ()


def test_a_touch_does_not_count() -> None:
    zero = cs.curve.PiecewiseQuadratic(np.array([0.0, 1.0]), np.zeros((3, 1)))
    bowl = cs.curve.PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[0.25], [-1], [1]]))
    found = cs.dominance({"bowl": bowl, "zero": zero})
    assert found.best == (("zero",),)
    assert found.never_best == ("bowl",)


def test_scores_one_rounding_below_1() -> None:
    almost = np.nextafter(1, 0)
    curves = {
        "a": cs.loss_curve([0, 1], [0, 0], choice=cs.ScoreDriven()),
        "b": cs.loss_curve([0, 1], [0, almost], choice=cs.ScoreDriven()),
    }
    found = cs.dominance(curves)
    assert found.best[0] == ("b",)
    assert found.never_best in ((), ("a",))


def test_curves_that_bend() -> None:
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 4 * x**3, 0.5)
    curves = {
        "optimal": cs.loss_curve(model, choice=cs.Optimal()),
        "by score": cs.loss_curve(model, choice=cs.ScoreDriven()),
        "by rate": cs.loss_curve(model, choice=cs.RateDriven()),
    }
    found = cs.dominance(curves)
    middle = (found.breaks[1:] + found.breaks[:-1]) / 2
    assert all("optimal" in best for best in found.best)
    assert found.where("optimal")
    for c, best in zip(middle, found.best, strict=True):
        least = min(curve(c) for curve in curves.values())
        assert all(curves[name](c) <= least + 3e-12 for name in best)


def test_unknown_names() -> None:
    with refused(ConditionError, "there is no curve 'c': there are 'a', 'b'."):
        cs.dominance(CURVES).where("c")


@pytest.mark.parametrize("bad", [{}, [], None, 3, [CURVES["a"]], CURVES["a"]], ids=str)
def test_no_mapping(bad: Any) -> None:
    for call in (
        cs.dominance,
        cs.hybrid,
        lambda curves: cs.comparison.losses_at(curves, condition=0.5),
    ):
        with refused(ConditionError, "curves must be a mapping of names to loss curves, got "):
            call(bad)


def test_no_curve_in_the_mapping() -> None:
    for bad in (3, None, cs.Optimal(), [0.1, 0.2]):
        for call in (
            cs.dominance,
            cs.hybrid,
            lambda curves: cs.comparison.losses_at(curves, condition=0.5),
        ):
            with refused(ConditionError, "curve must be a loss curve, such as loss_curve(...) ret"):
                call({**CURVES, "c": bad})


# --- At one condition --------------------------------------------------------------------------


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("c", [0.0, 0.05, 0.45, 0.52, 0.6, 0.7, 1.0])
def test_losses_at_a_condition(c: float, axis: str) -> None:
    curves = example_3(cs.ScoreDriven(), axis)
    found = cs.comparison.losses_at(curves, condition=c)
    assert found.condition == c
    assert sorted(found.names) == ["a", "b", "c"]
    assert found.loss.tolist() == [curves[name](c) for name in found.names]
    assert np.all(np.diff(found.loss) >= 0)
    assert found.excess.tolist() == (found.loss - found.loss[0]).tolist()
    if c in (0.45, 0.52, 0.6, 0.7):
        best = cs.dominance(curves)
        place = np.searchsorted(best.breaks, c, side="right") - 1
        assert best.best[place] == found.names[:1]


def test_at_a_tie_the_order_is_that_given() -> None:
    curves = {"z": CURVES["a"], "a": CURVES["a"]}
    assert cs.comparison.losses_at(curves, condition=0.3).names == ("z", "a")

"""Models made of several: switched, averaged."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, AXES, CHOICES, fit_for, inside, predictions
from refusals import refused
from worked_examples import EXAMPLES

import costspace as cs
from costspace import ConditionError, ScoreError

Y = [0, 0, 1, 1]
TRAIN = {
    "a": cs.loss_curve(Y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven()),
    "b": cs.loss_curve(Y, [0.2, 0.3, 0.35, 0.5], choice=cs.ScoreDriven()),
}
KINDS = ["score_driven", "rate_driven", "optimal", "score_fixed"]


def draw_curves(data: st.DataObject, axis: str, k: int) -> dict[str, cs.LossCurve]:
    kinds = [data.draw(st.sampled_from(KINDS)) for _ in range(k)]
    return {
        f"model {i}": cs.loss_curve(
            fit_for(CHOICES[kind], data).table, choice=CHOICES[kind].choice, axis=axis
        )
        for i, kind in enumerate(kinds)
    }


@settings(max_examples=40)
@given(st.data(), st.sampled_from(AXES), st.integers(1, 4))
def test_on_its_own_sample_it_is_the_pointwise_minimum(
    data: st.DataObject, axis: str, k: int
) -> None:
    curves = draw_curves(data, axis, k)
    switching = cs.hybrid(curves)
    breaks = np.concatenate([curve.breaks for curve in curves.values()])
    c = np.concatenate([inside(breaks), inside(switching.breaks)])
    least = np.min([curve(c) for curve in curves.values()], axis=0)
    np.testing.assert_allclose(switching.curve(c), least, atol=2e-12)
    np.testing.assert_allclose(switching.on(curves)(c), least, atol=2e-12)
    for costs in (cs.Uniform(), cs.Beta(2, 5)):
        area = switching.curve.expectation(costs)
        assert area <= min(curve.expectation(costs) for curve in curves.values()) + 1e-12


@settings(max_examples=40)
@given(st.data(), st.sampled_from(AXES), st.integers(1, 4))
def test_elsewhere_it_follows_its_switches_and_is_not_below_the_envelope(
    data: st.DataObject, axis: str, k: int
) -> None:
    train, test = draw_curves(data, axis, k), draw_curves(data, axis, k)
    switching = cs.hybrid(train)
    held_out = switching.on(test)
    c = np.concatenate(
        [
            inside(np.concatenate([switching.breaks, *(curve.breaks for curve in test.values())])),
            switching.breaks[:-1],
        ]
    )
    place = np.searchsorted(switching.breaks, c, side="right") - 1
    expected = [test[switching.models[i]](at) for i, at in zip(place, c, strict=True)]
    np.testing.assert_allclose(held_out(c), expected, atol=1e-13)
    assert np.all(held_out(c) >= cs.lower_envelope(list(test.values())).curve(c) - 2e-12)


@given(predictions(sizes=(10, 30)), st.sampled_from(AXES))
@settings(max_examples=25)
def test_thresholds_and_switches_chosen_on_half_of_a_sample(sample: Any, axis: str) -> None:
    halves = [sample.rows(np.arange(i, len(sample), 2)) for i in range(2)]
    if any(len(np.unique(half.y)) < 2 for half in halves):
        return
    train, test = halves
    choices = {"score": cs.ScoreDriven(), "best": cs.Fitted(cs.Optimal(), train.table)}
    curves = {k: cs.loss_curve(train.table, choice=v, axis=axis) for k, v in choices.items()}
    other = {k: cs.loss_curve(test.table, choice=v, axis=axis) for k, v in choices.items()}
    held_out = cs.hybrid(curves).on(other)
    bound = cs.loss_curve(test.table, choice=cs.Optimal(), axis=axis)
    c = np.linspace(0, 1, 101)
    assert np.all(held_out(c) >= bound(c) - 1e-12)


def test_the_hybrid_of_example_3() -> None:
    curves = {
        name: cs.loss_curve(
            EXAMPLES[f"ex3{name}"]["y_true"],
            EXAMPLES[f"ex3{name}"]["y_score"],
            choice=cs.ScoreDriven(),
        )
        for name in "AB"
    }
    switching = cs.hybrid(curves)
    np.testing.assert_allclose(switching.breaks, [0, 0.5, 0.55, 2 / 3, 1], atol=1e-15)
    assert switching.models == ("A", "B", "A", "B")
    c = np.linspace(0, 1, 301)
    least = np.minimum(curves["A"](c), curves["B"](c))
    np.testing.assert_allclose(switching.curve(c), least, atol=1e-15)


def test_order_of_the_other_curves_does_not_matter() -> None:
    switching = cs.hybrid(TRAIN)
    turned = {name: TRAIN[name] for name in ("b", "a")}
    c = np.linspace(0, 1, 101)
    np.testing.assert_array_equal(switching.on(TRAIN)(c), switching.on(turned)(c))
    more = {**TRAIN, "unused": TRAIN["a"]}
    np.testing.assert_array_equal(switching.on(TRAIN)(c), switching.on(more)(c))


def test_curves_that_bend() -> None:
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 4 * x**3, 0.5)
    choices = (cs.ScoreDriven(), cs.RateDriven(), cs.ScoreFixed())
    curves = {str(choice): cs.loss_curve(model, choice=choice) for choice in choices}
    switching = cs.hybrid(curves)
    c = np.linspace(0, 1, 301)
    least = np.min([curve(c) for curve in curves.values()], axis=0)
    np.testing.assert_allclose(switching.curve(c), least, atol=3e-12)
    np.testing.assert_allclose(switching.on(curves)(c), least, atol=3e-12)


def test_a_model_in_use_without_a_curve() -> None:
    with refused(ConditionError, "the hybrid uses 'b', which has no curve: give one."):
        cs.hybrid(TRAIN).on({"a": TRAIN["a"]})
    with refused(ConditionError, "must be a loss curve, such as loss_curve(...) returns, got 3."):
        cs.hybrid(TRAIN).on({"a": TRAIN["a"], "b": 3})


@pytest.mark.parametrize("bad", [3, None, []])
def test_curves_must_be_in_a_mapping(bad: Any) -> None:
    with refused(ConditionError, "curve"):
        cs.hybrid(TRAIN).on(bad)


# --- The model at a condition ------------------------------------------------------------------


@settings(max_examples=40)
@given(st.data(), st.sampled_from(AXES), st.integers(1, 4))
def test_the_model_at_a_condition_has_the_least_loss(
    data: st.DataObject, axis: str, k: int
) -> None:
    curves = draw_curves(data, axis, k)
    switching = cs.hybrid(curves)
    c = inside(switching.breaks)
    found = switching.models_at(c)
    assert found.shape == c.shape
    loss = [float(curves[name](at)) for name, at in zip(found, c, strict=True)]
    np.testing.assert_allclose(loss, switching.curve(c), atol=2e-12)
    assert [str(switching.models_at(at)) for at in c] == found.tolist()


def test_at_a_switch_it_is_the_model_that_follows() -> None:
    switching = cs.hybrid(TRAIN)
    assert switching.models_at(switching.breaks[:-1]).tolist() == list(switching.models)
    assert switching.models_at(1) == switching.models[-1]
    assert switching.models_at([]).tolist() == []
    assert switching.models_at(0.37).shape == ()


@pytest.mark.parametrize("bad", [[0.5, 2], -0.1, np.nan, "half"])
def test_conditions_outside(bad: Any) -> None:
    with refused(ConditionError, "an operating condition must be"):
        cs.hybrid(TRAIN).models_at(bad)


# --- Averages of scores ------------------------------------------------------------------------


def test_averages_are_those_of_the_scores() -> None:
    scores = {"a": [0.75, 0.25, 0.0], "b": [0.25, 1.0, 0.5], "c": np.float32([0.5, 0.25, 1])}
    np.testing.assert_allclose(cs.comparison.average_scores(scores), [0.5, 0.5, 0.5])
    found = cs.comparison.average_scores(scores, weights=[1, 2, 0])
    np.testing.assert_allclose(found, [1.25 / 3, 2.25 / 3, 1 / 3])
    assert cs.comparison.average_scores({"a": scores["a"]}).tolist() == scores["a"]


def test_averages_of_the_largest_and_smallest_scores() -> None:
    most, least = np.finfo(float).max, 5e-324
    scores = {"a": [most, -most, 1e308, least], "b": [most, most, 5e307, least]}
    for weights in (None, [1e308, 1e308]):
        found = cs.comparison.average_scores(scores, weights=weights)
        assert found.tolist() == [most, 0, 7.5e307, least]


def test_averages_of_example_3() -> None:
    scores = {name: EXAMPLES[f"ex3{name}"]["y_score"] for name in "AB"}
    y = EXAMPLES["ex3A"]["y_true"]
    mean = cs.comparison.average_scores(scores)
    # The paper's D.
    assert cs.auc(y, mean) == pytest.approx(0.75)
    assert cs.auc_hull(y, mean) == pytest.approx(0.875)
    assert round(cs.brier_score(y, mean), 3) == 0.231


@given(ANY, ANY)
@settings(max_examples=20)
def test_averaging_is_no_worse_than_the_mean_brier_score(one: Any, other: Any) -> None:
    # The square is convex, so averaging scores beats choosing between models at random.
    n = min(len(one), len(other))
    scores = [sample.s[:n].astype(float) for sample in (one, other)]
    y = np.resize([0, 1], n)
    average = cs.comparison.average_scores(dict(zip("ab", scores, strict=True)))
    mean = np.mean([cs.brier_score(y, s) for s in scores])
    assert cs.brier_score(y, average) <= mean + 1e-12


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ({}, "there are no scores to average: give at least one model's."),
        ({"a": [1, 2], "b": [1]}, "must be of the same rows, got shapes (2,), (1,)."),
        ({"a": [[1, 2]]}, "must be of the same rows, got shapes (1, 2)."),
        ({"a": 3}, "must be of the same rows, got shapes ()."),
        (
            {"a": [1, np.inf]},
            "scores to average must be finite: use their ranks, or leave rows out.",
        ),
        ({"a": [1, 2], "b": [1, np.nan]}, "scores to average must be finite"),
        ({"a": ["x", "y"]}, "scores to average must be"),
    ],
)
def test_bad_scores(scores: Any, text: str) -> None:
    with refused(ScoreError, text):
        cs.comparison.average_scores(scores)


@pytest.mark.parametrize("bad", [[[0.1, 0.2]], np.zeros((2, 3)), None])
def test_scores_without_names(bad: Any) -> None:
    with refused(ScoreError, "scores"):
        cs.comparison.average_scores(bad)


@pytest.mark.parametrize("weights", [[1], [0, 0], [-1, 2], [np.nan, 1], "ab", [1, 2, 3]])
def test_bad_weights(weights: Any) -> None:
    with refused(ConditionError, "average_scores needs 2 weights, none negative and not all zero"):
        cs.comparison.average_scores({"a": [1, 2], "b": [3, 4]}, weights=weights)

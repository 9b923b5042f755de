"""Cost lines, where they cross, and their lower envelope."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

FPR, FNR = np.array([0.2, 0.0, 1.0, 0.35]), np.array([0.4, 1.0, 0.0, 0.1])
UNIT = st.integers(0, 8).map(lambda i: i / 8) | st.floats(0, 1)
POINTS = st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=9).map(
    lambda points: tuple(np.array(points).T)
)
X = np.linspace(0, 1, 11)


# --- Lines -----------------------------------------------------------------------------------


def test_error_rates_over_the_share_of_positives() -> None:
    lines = cs.cost_lines((FPR, FNR), axis="prevalence")
    np.testing.assert_allclose(lines(X), np.outer(FPR, 1 - X) + np.outer(FNR, X))
    for x in X[1:-1]:
        np.testing.assert_allclose(lines(x), cs.condition.loss_at(FPR, FNR, c=0.5, prevalence=x))


def test_expected_costs_over_the_share_of_positives() -> None:
    lines = cs.cost_lines((FPR, FNR), axis="prevalence", fp_cost=2, fn_cost=30)
    for x in X[1:-1]:
        expected = (1 - x) * FPR * 2 + x * FNR * 30
        np.testing.assert_allclose(lines(x), expected)
        # Over the worst it is the normalised cost, and curved.
        worst = (1 - x) * 2 + x * 30
        np.testing.assert_allclose(
            expected / worst,
            cs.condition.normalised_cost(FPR, FNR, prevalence=x, fp_cost=2, fn_cost=30),
        )


def test_losses_over_cost_proportions() -> None:
    for p in (0.03, 0.5, 0.8):
        lines = cs.cost_lines((FPR, FNR), axis="cost", prevalence=p)
        np.testing.assert_allclose(
            lines(X), cs.condition.loss_at(FPR[:, None], FNR[:, None], c=X, prevalence=p)
        )


def test_losses_over_skews_and_probability_costs_are_mirrored() -> None:
    by_skew, by_pc = (cs.cost_lines((FPR, FNR), axis=axis) for axis in ("skew", "pc"))
    np.testing.assert_allclose(
        by_skew(X), cs.condition.loss_at(FPR[:, None], FNR[:, None], c=X, prevalence=0.5)
    )
    np.testing.assert_allclose(by_pc(X), by_skew(1 - X))
    assert by_pc.left.tolist() == FPR.tolist()
    assert by_pc.right.tolist() == FNR.tolist()
    assert cs.cost_lines((FPR, FNR), axis="skew", prevalence=0.1).left.tolist() == FNR.tolist()


def test_normalised_costs_are_lines_over_the_probability_cost() -> None:
    lines = cs.cost_lines((FPR, FNR), axis="pc")
    for prevalence, fp_cost, fn_cost in ((0.1, 1, 9), (0.6, 5, 0.2), (0, 1, 1), (1, 1, 3)):
        pc = cs.condition.probability_cost(prevalence=prevalence, fp_cost=fp_cost, fn_cost=fn_cost)
        expected = cs.condition.normalised_cost(
            FPR, FNR, prevalence=prevalence, fp_cost=fp_cost, fn_cost=fn_cost
        )
        np.testing.assert_allclose(lines(pc), expected, atol=1e-15)


def test_points_of_a_table() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    points = table.distinct_points.after_flagging_all()
    lines = cs.cost_lines(points, axis="skew")
    assert lines.left.tolist() == points.fnr.tolist()
    single = cs.cost_lines(table.by_score.at(0.5), axis="skew")
    assert single(0.5).tolist() == [0.5]
    assert cs.cost_lines((0.3, 0.4), axis="pc").columns()["left"].tolist() == [0.3]


def test_shapes() -> None:
    lines = cs.cost_lines((FPR, FNR), axis="skew")
    assert lines(0.5).shape == (4,)
    assert lines(X).shape == (4, 11)
    assert lines(X.reshape(1, 11)).shape == (4, 1, 11)
    assert list(lines.columns()) == ["left", "right"]
    with pytest.raises(ValueError, match="read-only"):
        lines.left[0] = 3


# --- Crossings -------------------------------------------------------------------------------


def test_the_lectures_classifiers_cross() -> None:
    lines = cs.cost_lines(([0.2, 0.13], [0.08, 0.18]), axis="prevalence")
    x = lines.crossing()
    assert x == pytest.approx(0.07 / 0.17)
    assert round(x, 2) == 0.41
    assert lines(x)[0] == pytest.approx(lines(x)[1])


@given(st.tuples(UNIT, UNIT), st.tuples(UNIT, UNIT))
def test_crossings(one: tuple[float, float], other: tuple[float, float]) -> None:
    lines = cs.curve.CostLines("pc", *np.array([one, other]).T)
    x = lines.crossing()
    assert x == pytest.approx(lines.crossing(1, 0), abs=1e-15)
    gaps = np.array(one) - np.array(other)
    if x is None:
        assert np.all(gaps > 0) or np.all(gaps < 0) or gaps[0] == gaps[1]
    else:
        assert 0 <= x <= 1
        assert lines(x)[0] == pytest.approx(lines(x)[1], abs=1e-15)


def test_lines_that_do_not_cross() -> None:
    lines = cs.cost_lines(([0.1, 0.2, 0.1, 0.1], [0.1, 0.2, 0.1, 0.3]), axis="skew")
    assert lines.crossing(0, 1) is None
    assert lines.crossing(0, 2) is None
    assert lines.crossing(0, 3) == 1
    assert lines.crossing(1, 3) == pytest.approx(0.5)


# --- Envelope --------------------------------------------------------------------------------


@given(POINTS)
def test_the_envelope_is_the_least_of_the_lines(points: tuple[np.ndarray, np.ndarray]) -> None:
    lines = cs.cost_lines(points, axis="pc")
    envelope = lines.envelope()
    x = np.union1d(np.linspace(0, 1, 101), envelope.breaks)
    np.testing.assert_allclose(envelope(x), lines(x).min(axis=0), atol=1e-13)


@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_the_envelope_of_all_points_is_the_optimal_curve(axis: str) -> None:
    generator = np.random.default_rng(5)
    y = generator.integers(0, 2, 200)
    s = y + generator.normal(0, 1, 200).round(1)
    table = cs.ScoreTable.from_predictions(y, s).with_prevalence(0.2)
    points = table.distinct_points.after_flagging_all()
    envelope = cs.cost_lines(points, axis=axis, prevalence=0.2).envelope()
    optimal = cs.loss_curve(table, choice=cs.Optimal(), axis=axis)
    np.testing.assert_allclose(envelope(X), optimal(X), atol=1e-14)
    assert envelope.expectation(cs.Beta(2, 3)) == pytest.approx(
        optimal.expectation(cs.Beta(2, 3)), abs=1e-14
    )


def test_the_trivial_rules_envelope_is_their_loss() -> None:
    envelope = cs.cost_lines(([1, 0], [0, 1]), axis="cost", prevalence=0.3).envelope()
    np.testing.assert_allclose(
        envelope(X), cs.condition.trivial_loss(X, prevalence=0.3), atol=1e-15
    )


# --- Bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "options", "text"),
    [
        (
            (FPR, FNR),
            {"axis": "costs"},
            "axis must be 'prevalence', 'cost', 'skew' or 'pc', got 'c",
        ),
        (
            (FPR, FNR),
            {"axis": None},
            "axis must be 'prevalence', 'cost', 'skew' or 'pc', got None.",
        ),
        (
            (FPR, FNR),
            {"axis": "cost"},
            "axis='cost' needs a prevalence: give it, or use 'skew' or 'pc'.",
        ),
        ((FPR, FNR), {"axis": "cost", "prevalence": 1}, "prevalence must be in (0, 1), got 1."),
        (
            (FPR, FNR),
            {"axis": "prevalence", "prevalence": 0.1},
            "on axis='prevalence' the prevalence is the condition: leave it out, or choose axis='c",
        ),
        (
            (FPR, FNR),
            {"axis": "pc", "fp_cost": 1},
            "fp_cost and fn_cost belong to axis='prevalence",
        ),
        ((FPR, FNR), {"axis": "skew", "fn_cost": 1}, "on axis='skew' the condition says what mis"),
        (
            (FPR, FNR),
            {"axis": "prevalence", "fp_cost": 0},
            "fp_cost must be positive and finite, g",
        ),
        ((FPR, FNR), {"axis": "prevalence", "fn_cost": "a"}, "fn_cost must be a number, got 'a'."),
        (([0.1, 2], [0, 0]), {"axis": "pc"}, "fpr must be in [0, 1], got [0.1, 2]."),
        (([0.1, 1], [0, -1]), {"axis": "pc"}, "fnr must be in [0, 1], got [0, -1]."),
        (([0.1, 1], [0]), {"axis": "pc"}, "lists of the same length, got shapes (2,) and (1,)."),
        (([], []), {"axis": "pc"}, "must be lists of the same length, got shapes (0,) and (0,)."),
        (([[0.1]], [[0]]), {"axis": "pc"}, "lists of the same length, got shapes (1, 1) and"),
        (0.5, {"axis": "pc"}, "points must be OperatingPoints or (fpr, fnr), got 0.5."),
        (([0.1], [0.1], [0.1]), {"axis": "pc"}, "points must be OperatingPoints or (fpr, fnr), go"),
    ],
)
def test_bad_lines(points: Any, options: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.cost_lines(points, **options)


@pytest.mark.parametrize(
    ("axis", "name"), [("prevalence", "prevalence"), ("skew", "skew"), ("pc", "probability cost")]
)
def test_conditions_outside_0_and_1(axis: str, name: str) -> None:
    with refused(ConditionError, f"a {name} must be in [0, 1], got 1.5."):
        cs.cost_lines((FPR, FNR), axis=axis)(1.5)

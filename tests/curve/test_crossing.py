"""Signs, crossings and lower envelopes of loss curves, against values on dense conditions."""

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
from costspace.curve import PiecewiseQuadratic

KINDS = (
    *("score_driven", "score_driven_corrected", "rate_driven", "rate_driven_stepped"),
    *("optimal", "score_fixed", "rate_uniform"),
)
AXIS = st.sampled_from(AXES)


def curve_of(breaks: list[float], *coefficients: list[float]) -> PiecewiseQuadratic:
    rows = [*coefficients, *[[0.0] * (len(breaks) - 1)] * (3 - len(coefficients))]
    return PiecewiseQuadratic(np.array(breaks), np.array(rows, dtype=float))


def example(name: str, choice: cs.ThresholdChoice, axis: str = "cost") -> cs.LossCurve:
    entry = EXAMPLES[name]
    return cs.loss_curve(entry["y_true"], entry["y_score"], choice=choice, axis=axis)


def draw_curve(data: st.DataObject, axis: str) -> cs.LossCurve:
    case = CHOICES[data.draw(st.sampled_from(KINDS))]
    return cs.loss_curve(fit_for(case, data).table, choice=case.choice, axis=axis)


def signs_at(intervals: cs.curve.SignIntervals, c: np.ndarray) -> np.ndarray:
    return intervals.sign[np.searchsorted(intervals.breaks, c, side="right") - 1]


# --- Against values on dense conditions --------------------------------------------------------


@settings(max_examples=60)
@given(st.data(), AXIS)
def test_signs_are_those_of_the_values(data: st.DataObject, axis: str) -> None:
    first, second = draw_curve(data, axis), draw_curve(data, axis)
    if data.draw(st.booleans(), label="halfway"):
        second = cs.curve.weighted_sum([first, second])
    gap = first - second
    intervals = cs.curve.sign_intervals(gap)
    assert intervals.breaks[0] == 0
    assert intervals.breaks[-1] == 1
    assert np.all(np.diff(intervals.breaks) > 0)
    assert np.all(intervals.sign[1:] != intervals.sign[:-1])
    c = np.concatenate([inside(gap.breaks), inside(intervals.breaks)])
    value, sign = gap(c), signs_at(intervals, c)
    assert np.all((np.sign(value) == sign) | (np.abs(value) <= 2e-12))
    assert np.all(np.abs(value[sign == 0]) <= 2e-12)
    np.testing.assert_array_equal(cs.crossings(first, second), intervals.breaks[1:-1])
    opposite = cs.curve.sign_intervals(second - first)
    np.testing.assert_array_equal(opposite.sign, -intervals.sign)
    np.testing.assert_allclose(opposite.breaks, intervals.breaks, atol=1e-9)


@settings(max_examples=60)
@given(st.data(), AXIS, st.integers(1, 5))
def test_the_envelope_is_the_least_value(data: st.DataObject, axis: str, k: int) -> None:
    curves = [draw_curve(data, axis) for _ in range(k)]
    twice = data.draw(st.booleans(), label="twice")
    if twice:
        curves.append(curves[0])
    envelope = cs.lower_envelope(curves)
    breaks = np.unique(np.concatenate([curve.breaks for curve in (*curves, envelope.curve)]))
    c = np.concatenate([inside(breaks), inside(envelope.breaks)])
    values = np.array([curve(c) for curve in curves])
    np.testing.assert_allclose(envelope.curve(c), values.min(axis=0), atol=2e-12)
    winner = envelope.winner[np.searchsorted(envelope.breaks, c, side="right") - 1]
    assert np.all(values[winner, np.arange(len(c))] <= values.min(axis=0) + 2e-12)
    # Of curves that coincide it is the first.
    assert not twice or k not in envelope.winner
    # At the breaks too, from either side.
    right = np.min([curve(breaks) for curve in curves], axis=0)
    left = np.min([curve.left(breaks) for curve in curves], axis=0)
    np.testing.assert_allclose(envelope.curve(breaks), right, atol=1e-11)
    np.testing.assert_allclose(envelope.curve.left(breaks), left, atol=1e-11)


@settings(max_examples=30)
@given(st.data(), AXIS, st.lists(st.floats(-3, 3), min_size=1, max_size=4))
def test_a_combination_is_the_weighted_sum(
    data: st.DataObject, axis: str, weights: list[float]
) -> None:
    curves = [draw_curve(data, axis) for _ in weights]
    total = cs.curve.weighted_sum(curves, weights=weights)
    breaks = np.unique(np.concatenate([curve.breaks for curve in curves]))
    c = np.concatenate([inside(breaks), breaks])
    for side in ("__call__", "left"):
        values = [getattr(curve, side)(c) for curve in curves]
        np.testing.assert_allclose(getattr(total, side)(c), weights @ np.array(values), atol=1e-11)
    areas = [curve.expectation(cs.Beta(2, 3)) for curve in curves]
    assert total.expectation(cs.Beta(2, 3)) == pytest.approx(np.dot(weights, areas), abs=1e-12)
    mean = cs.curve.weighted_sum(curves)
    np.testing.assert_allclose(mean(c), np.mean([curve(c) for curve in curves], axis=0), atol=1e-11)


# --- Pieces of a special kind --------------------------------------------------------------------


def test_a_touch_is_not_a_crossing() -> None:
    bowl = curve_of([0, 1], [0.25], [-1], [1])
    assert cs.curve.sign_intervals(bowl).sign.tolist() == [1]
    assert cs.curve.sign_intervals(bowl).breaks.tolist() == [0, 1]
    zero = curve_of([0, 1], [0])
    assert cs.crossings(bowl, zero).tolist() == []
    hill = cs.curve.weighted_sum([bowl], weights=[-1])
    assert cs.curve.sign_intervals(hill).sign.tolist() == [-1]
    assert cs.lower_envelope([zero, bowl]).winner.tolist() == [0]
    assert cs.lower_envelope([zero, hill]).winner.tolist() == [1]


def test_two_roots_in_a_piece() -> None:
    # (c - 1/4) (c - 3/4)
    curve = curve_of([0, 1], [3 / 16], [-1], [1])
    intervals = cs.curve.sign_intervals(curve)
    assert intervals.breaks.tolist() == [0, 0.25, 0.75, 1]
    assert intervals.sign.tolist() == [1, -1, 1]
    assert intervals.where(1) == [(0, 0.25), (0.75, 1)]
    assert intervals.where(-1) == [(0.25, 0.75)]
    assert intervals.where(0) == []


@pytest.mark.parametrize("root", [1e-9, 0.3, 0.5, 1 - 1e-9])
@pytest.mark.parametrize("bend", [0, 1e-300, 1e-20, 1e-9, -1e-12, 1.0, -1.0, 1e9])
def test_roots_without_cancellation(root: float, bend: float) -> None:
    # (c - root) (1 + bend (c + 1)): its other root, if any, is beyond [0, 1] or told apart.
    coefficients = [-root * (1 + bend)], [1 + bend - root * bend], [bend]
    curve = curve_of([0, 1], *coefficients)
    found = cs.curve.sign_intervals(curve).breaks[1:-1]
    assert np.min(np.abs(found - root)) <= 1e-15 + 4e-16 * (1 + abs(bend)) / abs(
        1 + bend * (root + 1)
    )


def test_roots_at_breaks() -> None:
    # Through 0 at a break, and touching it there from one side.
    curve = curve_of([0, 0.25, 0.5, 1], [-0.25, -0.25, 0.75], [1, 1, -1])
    intervals = cs.curve.sign_intervals(curve)
    assert intervals.breaks.tolist() == [0, 0.25, 0.75, 1]
    assert intervals.sign.tolist() == [-1, 1, -1]
    tent = curve_of([0, 0.5, 1], [0.5, -0.5], [-1, 1])
    assert cs.curve.sign_intervals(tent).sign.tolist() == [1]


def test_jumps_over_0() -> None:
    curve = curve_of([0, 0.3, 0.6, 1], [1, -1, 0])
    assert cs.curve.sign_intervals(curve).breaks.tolist() == [0, 0.3, 0.6, 1]
    assert cs.curve.sign_intervals(curve).sign.tolist() == [1, -1, 0]


def test_pieces_of_no_length_do_not_count() -> None:
    curve = curve_of([0, 0, 0.5, 1, 1], [-5, 1, -1, 7])
    assert cs.curve.sign_intervals(curve).breaks.tolist() == [0, 0.5, 1]
    assert cs.curve.sign_intervals(curve).sign.tolist() == [1, -1]
    zero = curve_of([0, 1], [0])
    envelope = cs.lower_envelope([zero, curve])
    assert envelope.winner.tolist() == [0, 1]
    # They do count in the curve: its left limit at 0 and its value at 1.
    assert (envelope.curve.left(0), envelope.curve(0)) == (-5, 0)
    assert (envelope.curve.left(1), envelope.curve(1)) == (-1, 0)


def test_curves_that_differ_by_rounding_coincide() -> None:
    zero = curve_of([0, 1], [0])
    for gap, sign in ((1e-13, 0), (1e-11, 1), (-1e-13, 0), (-1e-11, -1)):
        curve = curve_of([0, 1], [gap])
        assert cs.curve.sign_intervals(curve).sign.tolist() == [sign]
        assert cs.crossings(curve, zero).tolist() == []


@pytest.mark.parametrize("name", ["fig1", "ties", "constant", "perfect", "inverted", "n2"])
@pytest.mark.parametrize("axis", AXES)
def test_a_curve_coincides_with_itself(name: str, axis: str) -> None:
    for choice in (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()):
        curve = example(name, choice, axis)
        assert cs.curve.sign_intervals(curve - curve).sign.tolist() == [0]
        assert cs.crossings(curve, curve).tolist() == []
        envelope = cs.lower_envelope([curve, curve, curve])
        assert envelope.winner.tolist() == [0]
        assert envelope.breaks.tolist() == [0, 1]


def test_scores_one_rounding_below_1() -> None:
    almost = np.nextafter(1, 0)
    first = cs.loss_curve([0, 1], [0, 0], choice=cs.ScoreDriven())
    second = cs.loss_curve([0, 1], [0, almost], choice=cs.ScoreDriven())
    assert cs.curve.sign_intervals(first - second).breaks.tolist() == [0, almost, 1]
    assert cs.lower_envelope([first, second]).curve(0.5) == 0


# --- The papers' examples ------------------------------------------------------------------------


def test_where_the_brier_curve_is_the_cost_curve() -> None:
    # Brier curves, Example 2: at the ends too, and nowhere else.
    gap = example("fig1", cs.ScoreDriven()) - example("fig1", cs.Optimal())
    intervals = cs.curve.sign_intervals(gap)
    expected = [(0, 0.05), (0.05, 1 / 7), (1 / 7, 0.9), (0.9, 0.95), (0.95, 1)]
    np.testing.assert_allclose(intervals.breaks[1:], [to for _, to in expected], atol=1e-15)
    assert intervals.sign.tolist() == [1, 0, 1, 0, 1]
    np.testing.assert_allclose(gap([0.05, 0.1, 0.9, 0.94, 1]), 0, atol=1e-15)


def test_dominance_of_example_3() -> None:
    a, b, c = (example(f"ex3{k}", cs.ScoreDriven()) for k in "ABC")
    intervals = cs.curve.sign_intervals(a - b)
    np.testing.assert_allclose(intervals.breaks, [0, 0.1, 0.5, 0.55, 2 / 3, 1], atol=1e-15)
    assert intervals.sign.tolist() == [0, -1, 1, -1, 1]
    for better in (a, b):
        assert cs.curve.sign_intervals(better - c).where(1) == []


def test_cost_curves_of_example_3() -> None:
    a, b, c = (example(f"ex3{k}", cs.Optimal()) for k in "ABC")
    intervals = cs.curve.sign_intervals(a - b)
    assert intervals.where(-1) == [(0, pytest.approx(0.4, abs=1e-15))]
    assert intervals.where(1) == [(pytest.approx(0.4, abs=1e-15), 1)]
    # C beats A somewhere and B somewhere else, but never both.
    assert len(cs.curve.sign_intervals(c - a).where(-1)) == 1
    assert len(cs.curve.sign_intervals(c - b).where(-1)) == 1
    assert cs.lower_envelope([a, b, c]).winner.tolist() == [0, 1]


def test_a_random_choice_averages_curves() -> None:
    # Brier curves, Section 5; averaging scores is not the same.
    a, b, d = (example(f"ex3{k}", cs.ScoreDriven()) for k in "ABD")
    mean = cs.curve.weighted_sum([a, b])
    areas = [curve.expectation(cs.Uniform()) for curve in (a, b, mean, d)]
    assert areas[2] == pytest.approx((areas[0] + areas[1]) / 2)
    assert areas[3] < areas[2]


# --- Records and bad input -----------------------------------------------------------------------


NO_CURVES = [3, None, "curve", cs.Optimal(), np.zeros(3)]


@pytest.mark.parametrize("bad", NO_CURVES, ids=str)
def test_an_argument_that_is_not_a_curve_is_refused(bad: Any) -> None:
    curve = example("fig1", cs.ScoreDriven())
    text = "curve must be a loss curve, such as loss_curve(...) returns, got "
    for call in (
        lambda: cs.curve.sign_intervals(bad),
        lambda: cs.crossings(curve, bad),
        lambda: cs.crossings(bad, curve),
        lambda: cs.lower_envelope([curve, bad]),
        lambda: cs.curve.weighted_sum([bad, curve]),
    ):
        with refused(ConditionError, text):
            call()


def test_no_curves() -> None:
    with refused(ConditionError, "there are no curves: give at least one."):
        cs.lower_envelope([])
    with refused(ConditionError, "there are no curves: give at least one."):
        cs.curve.weighted_sum([])


@pytest.mark.parametrize(
    "weights", [[1], [1, 2, 3], [1, np.nan], [1, np.inf], "ab", None, [[1, 2]]]
)
def test_bad_weights(weights: Any) -> None:
    curve = example("fig1", cs.ScoreDriven())
    if weights is None:
        assert cs.curve.weighted_sum([curve, curve], weights=None)(0.3) == curve(0.3)
        return
    with refused(ConditionError, "weights must be 2 finite numbers, one a curve, got "):
        cs.curve.weighted_sum([curve, curve], weights=weights)


@pytest.mark.parametrize("bad", [3, None])
def test_curves_must_be_in_a_sequence(bad: Any) -> None:
    for call in (cs.lower_envelope, cs.curve.weighted_sum):
        with refused(ConditionError, "loss curve"):
            call(bad)

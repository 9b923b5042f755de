"""Curves that bend: values, the pieces that approximate them, and results from the pieces."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import COSTS
from refusals import refused

import costspace as cs
from costspace import ConditionError, OperatingPoints
from costspace.curve import SmoothCurve, SmoothPath

ENDS = np.array([0.0, 1.0])
Array = np.ndarray

# Functions that bend, and the breaks between which they are smooth.
BENT: dict[str, tuple[Callable[[Array], Array], list[float]]] = {
    "line": (lambda c: 0.25 + c / 2, []),
    "parabola": (lambda c: 2 * c * (1 - c), []),
    "sine": (lambda c: np.sin(np.pi * c), []),
    "waves": (lambda c: 1 + np.cos(60 * c), []),
    "root_at_0": (np.sqrt, []),
    "root_at_1": (lambda c: np.sqrt(1 - c), []),
    "cube_root": (np.cbrt, []),
    "steep_end": (lambda c: c**0.05, []),
    "kink": (lambda c: np.abs(c - 1 / 3), [1 / 3]),
    "hidden_kink": (lambda c: np.abs(c - 1 / 3), []),
    "huge_kink": (lambda c: 1e6 * np.abs(c - np.pi / 4), []),
    "peak": (lambda c: np.exp(-(((c - 0.37) / 1e-3) ** 2)), []),
    "declared_narrow_peak": (lambda c: np.exp(-(((c - 0.37) / 1e-6) ** 2)), [0.37]),
    "wall": (lambda c: np.tanh((c - 0.61) / 1e-7), []),
}
each_function = pytest.mark.parametrize("name", BENT)


def bent(name: str) -> SmoothCurve:
    function, breaks = BENT[name]
    return SmoothCurve(np.array([0.0, *breaks, 1.0]), function)


def step(c: Array) -> Array:
    return np.where(c < 0.3, c, np.where(c < 0.8, c**2 + 1, np.exp(-c)))


def step_from_the_left(c: Array) -> Array:
    return np.where(c <= 0.3, c, np.where(c <= 0.8, c**2 + 1, np.exp(-c)))


STEPS = SmoothCurve(np.array([0, 0.3, 0.8, 1]), step, step_from_the_left)


def conditions(name: str) -> Array:
    around = np.array([1 / 3, 0.37, 0.61, np.pi / 4, 0.0, 1.0])[:, None]
    near = around + np.concatenate([-np.logspace(-12, -1, 60), np.logspace(-12, -1, 60)])
    c = np.concatenate([np.random.default_rng(0).random(4000), near.ravel()])
    return c[(c >= 0) & (c <= 1)]


@each_function
def test_values_are_the_functions(name: str) -> None:
    function, _ = BENT[name]
    curve, c = bent(name), conditions(name)
    np.testing.assert_array_equal(curve(c), function(c))
    np.testing.assert_array_equal(curve.left(c), function(c))


@each_function
def test_pieces_are_within_the_tolerance(name: str) -> None:
    curve, c = bent(name), np.sort(conditions(name))
    pieces = curve.piecewise()
    assert isinstance(pieces, cs.curve.PiecewiseQuadratic)
    assert curve.piecewise() is pieces
    # In powers of c a value is rounded to 1e-16 of its terms.
    steep = np.abs(pieces.coefficients[:, pieces.pieces_of(np.append(c, 1.0))]).max(axis=0)
    assert np.all(np.abs(pieces(c) - curve(c)) <= 2e-12 + 8e-16 * steep)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8, 1e-12])
def test_a_coarser_tolerance_takes_fewer_pieces(tolerance: float) -> None:
    curve = SmoothCurve(ENDS, np.sqrt, tolerance=tolerance)
    c = np.linspace(0, 1, 20_001)
    assert np.abs(curve.piecewise()(c) - np.sqrt(c)).max() <= 2 * tolerance
    pieces = len(curve.piecewise().breaks)
    assert pieces < 100 + 2 / tolerance ** (1 / 3)


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.floats(0.1, 30), st.floats(-2, 2), st.floats(0, 6)), max_size=3),
    st.lists(st.floats(0.01, 0.99), max_size=3, unique=True),
    st.floats(0.3, 3),
)
def test_pieces_of_any_smooth_curve_with_jumps(
    waves: list[tuple[float, float, float]], jumps: list[float], power: float
) -> None:
    jumps = sorted(jumps)

    def level(c: Array, side: str) -> Array:
        return np.searchsorted(jumps, c, side=side) / 3

    def smooth(c: Array) -> Array:
        return c**power + sum(a * np.sin(w * c + p) for w, a, p in waves)

    curve = SmoothCurve(
        np.array([0.0, *jumps, 1.0]),
        lambda c: smooth(c) + level(c, "right"),
        lambda c: smooth(c) + level(c, "left"),
    )
    c = np.concatenate([np.linspace(0, 1, 501), jumps])
    pieces = curve.piecewise()
    np.testing.assert_allclose(pieces(c), curve(c), rtol=0, atol=3e-12)
    np.testing.assert_allclose(pieces.left(c), curve.left(c), rtol=0, atol=3e-12)


@pytest.mark.parametrize("costs", COSTS)
def test_expectations(costs: str) -> None:
    case = COSTS[costs]
    for name in ("parabola", "root_at_0", "kink", "peak"):
        function, breaks = BENT[name]
        peak = np.concatenate([breaks, 0.37 + np.linspace(-6e-3, 6e-3, 25)])
        expected = case.mean(lambda c, _, f=function: f(c), peak)
        assert bent(name).expectation(case.costs) == pytest.approx(expected, abs=2e-11)
    expected = case.mean(lambda c, _: step(c), [0.3, 0.8])
    assert STEPS.expectation(case.costs) == pytest.approx(expected, abs=2e-11)


def test_closed_forms() -> None:
    for name, area in (("sine", 2 / np.pi), ("root_at_0", 2 / 3), ("cube_root", 3 / 4)):
        assert bent(name).expectation(cs.Uniform()) == pytest.approx(area, abs=1e-12)
    area = np.sqrt(np.pi) * 1e-3
    assert bent("peak").expectation(cs.Uniform()) == pytest.approx(area, abs=1e-12)
    area = np.sqrt(np.pi) * 1e-6
    found = bent("declared_narrow_peak").expectation(cs.Uniform())
    assert found == pytest.approx(area, abs=1e-12)
    assert bent("parabola").expectation(cs.Beta(2, 2)) == pytest.approx(0.4, abs=1e-13)


def test_jumps_at_breaks() -> None:
    assert STEPS([0.3, 0.8]).tolist() == pytest.approx([1.09, np.exp(-0.8)])
    assert STEPS.left([0.3, 0.8]).tolist() == pytest.approx([0.3, 1.64])
    pieces = STEPS.piecewise()
    assert {0.3, 0.8} <= set(pieces.breaks.tolist())
    np.testing.assert_allclose(pieces([0, 0.3, 0.8, 1]), STEPS([0, 0.3, 0.8, 1]), atol=1e-14)
    np.testing.assert_allclose(
        pieces.left([0.3, 0.8, 1]), STEPS.left([0.3, 0.8, 1]), rtol=0, atol=1e-14
    )
    assert STEPS.expectation(cs.Point(0.3)) == pytest.approx(1.09)
    area = 0.045 + (0.8**3 - 0.3**3) / 3 + 0.5 + np.exp(-0.8) - np.exp(-1)
    assert STEPS.expectation(cs.Uniform()) == pytest.approx(area, abs=1e-13)


@pytest.mark.parametrize("at", [0.7, 1 / 3, 0.5, 1e-9, 1 - 1e-9, 0.015625])
@pytest.mark.parametrize("height", [1.0, 1e-6])
def test_an_undeclared_jump(at: float, height: float) -> None:
    curve = SmoothCurve(ENDS, lambda c: c + height * (c >= at))
    assert curve(at) == at + height
    with refused(ConditionError, "the loss curve has a jump that is not among its breaks, near"):
        curve.expectation(cs.Uniform())


@pytest.mark.parametrize(
    "breaks", [[0, 0.5], [0.1, 1], [0, 0.6, 0.4, 1], [0, 0.5, 0.5, 1], [0, np.nan, 1], [[0, 1]]]
)
def test_bad_breaks(breaks: Any) -> None:
    with refused(ConditionError, "the breaks of a smooth curve must ascend strictly from 0 to 1."):
        SmoothCurve(np.array(breaks), np.sqrt)


@pytest.mark.parametrize("c", [-0.1, 1.1, np.nan, [0.5, 2], None, "half"])
def test_conditions_outside_0_and_1(c: Any) -> None:
    for evaluate in (STEPS, STEPS.left):
        with refused(ConditionError, "an operating condition must be"):
            evaluate(c)


def test_scalars_give_floats_and_arrays_their_shape() -> None:
    for c in (0.3, np.float64(0.3), np.array(0.3), 1):
        assert isinstance(STEPS(c), float)
        assert isinstance(STEPS.left(c), float)
    assert STEPS([[0.1, 0.2]]).shape == (1, 2)
    assert STEPS([]).shape == (0,)


def test_an_expectation_needs_a_distribution() -> None:
    with refused(ConditionError, "costs must be a distribution"):
        STEPS.expectation("uniform")


def test_differences_and_sums_with_other_curves() -> None:
    exact = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    c = np.linspace(0, 1, 501)
    for gap, sign in ((exact - STEPS, 1), (STEPS - exact, -1)):
        np.testing.assert_allclose(gap(c), sign * (exact(c) - STEPS(c)), atol=2e-12)
        np.testing.assert_allclose(gap.left(c), sign * (exact.left(c) - STEPS.left(c)), atol=2e-12)
    total = cs.curve.weighted_sum([exact, STEPS], weights=[2, -0.5])
    np.testing.assert_allclose(total(c), 2 * exact(c) - STEPS(c) / 2, atol=2e-12)
    with pytest.raises(TypeError, match="unsupported operand"):
        STEPS - 3


def test_crossings_of_curves_that_bend() -> None:
    sine, root = bent("sine"), bent("root_at_0")
    found = cs.crossings(sine, root)
    np.testing.assert_allclose(np.sin(np.pi * found), np.sqrt(found), atol=1e-11)
    c = np.linspace(0.01, 1, 991)
    assert len(found) == np.count_nonzero(np.diff(np.sign(np.sin(np.pi * c) - np.sqrt(c))))
    envelope = cs.lower_envelope([sine, root])
    np.testing.assert_allclose(envelope.curve(c), np.minimum(sine(c), root(c)), atol=2e-12)


def test_columns_and_repr() -> None:
    columns = STEPS.columns()
    assert list(columns)[:4] == ["from", "to", "loss_start", "loss_end"]
    np.testing.assert_allclose(columns["loss_start"], STEPS(columns["from"]), atol=1e-14)
    np.testing.assert_allclose(columns["loss_end"], STEPS.left(columns["to"]), atol=1e-14)
    assert repr(STEPS) == "SmoothCurve(loss from 0 at 0 to 0.367879 at 1)"


def test_a_curve_cannot_be_changed() -> None:
    breaks = ENDS.copy()
    curve = SmoothCurve(breaks, np.sqrt)
    breaks[1] = 0.5
    assert curve.breaks.tolist() == [0, 1]


# --- Paths -------------------------------------------------------------------------------------


def circle(c: Array) -> OperatingPoints:
    """A quarter of a circle from (1, 0), where everybody is flagged, to (0, 1)."""
    return OperatingPoints(1 - np.sin(np.pi * c / 2), 1 - np.cos(np.pi * c / 2))


@pytest.mark.parametrize("prevalence", [0.5, 0.1, 1e-9, 0.999])
def test_the_loss_along_a_path(prevalence: float) -> None:
    path = SmoothPath(ENDS, circle, prevalence)
    c, p = np.linspace(0, 1, 301), prevalence
    fpr, fnr = 1 - np.sin(np.pi * c / 2), 1 - np.cos(np.pi * c / 2)
    expected = 2 * (c * (1 - p) * fpr + (1 - c) * p * fnr)
    np.testing.assert_allclose(path.loss()(c), expected, rtol=1e-14, atol=1e-15)
    # int c (1 - sin(pi c / 2)) dc = 1/2 - 4 / pi^2, and the same for the positives.
    assert path.expected_loss(cs.Uniform()) == pytest.approx(1 - 8 / np.pi**2, abs=1e-12)


def test_a_path_with_a_jump() -> None:
    def at(c: Array) -> OperatingPoints:
        return OperatingPoints(np.where(c < 0.4, 1 - c, 0.1), np.where(c < 0.4, 0.0, c))

    def left(c: Array) -> OperatingPoints:
        return OperatingPoints(np.where(c <= 0.4, 1 - c, 0.1), np.where(c <= 0.4, 0.0, c))

    path = SmoothPath(np.array([0, 0.4, 1]), at, 0.5, left)
    curve = path.loss()
    assert (curve.left(0.4), curve(0.4)) == pytest.approx((0.24, 0.04 + 0.24))
    ends = path.columns()
    jump = np.flatnonzero(ends["to"] == 0.4)
    assert (ends["fpr_end"][jump], ends["fnr_end"][jump]) == (0.6, 0)
    assert (ends["fpr_start"][jump + 1], ends["fnr_start"][jump + 1]) == (0.1, 0.4)
    with refused(ConditionError, "not among its breaks"):
        SmoothPath(ENDS, at, 0.5, left).expected_loss(cs.Uniform())


def test_path_columns() -> None:
    ends = SmoothPath(ENDS, circle, 0.3).columns()
    assert list(ends) == ["from", "to", "fpr_start", "fnr_start", "fpr_end", "fnr_end"]
    np.testing.assert_array_equal(ends["fpr_start"], circle(ends["from"]).fpr)
    np.testing.assert_array_equal(ends["fnr_end"], circle(ends["to"]).fnr)


def test_an_expected_loss_is_not_negative() -> None:
    nothing = SmoothPath(ENDS, lambda c: OperatingPoints(0 * c, 0 * c - 1e-17), 0.5)
    assert nothing.expected_loss(cs.Uniform()) == 0


def test_bad_paths() -> None:
    for prevalence in (0, 1, np.nan):
        with refused(ConditionError, "prevalence must be in (0, 1)"):
            SmoothPath(ENDS, circle, prevalence).expected_loss(cs.Uniform())
    with refused(ConditionError, "must ascend strictly from 0 to 1."):
        SmoothPath(np.array([0.2, 1]), circle, 0.5).loss()
    with pytest.raises(FrozenInstanceError):
        SmoothPath(ENDS, circle, 0.5).prevalence = 0.2


def test_a_function_without_a_value() -> None:
    curve = cs.curve.SmoothCurve(np.array([0.0, 1.0]), lambda c: np.where(c > 0.9, np.nan, c))
    with refused(ConditionError, "the loss curve has no value near 0."):
        curve.piecewise()

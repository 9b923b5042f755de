"""Loss curves and paths: values, limits, moments, differences and columns."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError, OperatingPath, OperatingPoints
from costspace.curve import PiecewiseQuadratic

NAN, INF = float("nan"), float("inf")
Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
CHOICES = [
    cs.ScoreFixed(),
    cs.ScoreUniform(),
    cs.ScoreDriven(),
    cs.ScoreDriven(0.3),
    cs.RateFixed(0.3),
    cs.RateUniform(),
    cs.RateDriven(),
    cs.RateDriven(stepped=True),
    cs.Optimal(),
]
each_choice = pytest.mark.parametrize("choice", CHOICES, ids=str)


def curve_of(breaks: list[float], *coefficients: list[float]) -> PiecewiseQuadratic:
    return PiecewiseQuadratic(np.array(breaks), np.array(coefficients, dtype=float))


STEPS = curve_of([0, 0, 0.5, 1, 1], [7, 1, 2, 9], [0, 0, 0, 0], [0, 0, 0, 0])


def test_right_continuous_with_left_limits() -> None:
    curve = curve_of([0, 0.5, 1], [1, 2], [0, 0], [0, 4])
    assert curve([0, 0.25, 0.5, 0.75, 1]).tolist() == [1, 1, 3, 4.25, 6]
    assert curve.left([0, 0.25, 0.5, 0.75, 1]).tolist() == [1, 1, 1, 4.25, 6]


def test_pieces_of_no_length_hold_the_outer_limits() -> None:
    assert STEPS([0, 0.5, 1]).tolist() == [1, 2, 9]
    assert STEPS.left([0, 0.5, 1]).tolist() == [7, 1, 2]
    assert STEPS.expectation(cs.Uniform()) == 1.5
    assert STEPS.expectation(cs.Point(0)) == 1
    assert STEPS.expectation(cs.Point(0.5)) == 2
    assert STEPS.expectation(cs.Point(1)) == 9


def test_scalars_give_floats_and_arrays_their_shape() -> None:
    for c in (0.3, np.float64(0.3), np.array(0.3), 1, True):
        assert isinstance(STEPS(c), float)
        assert isinstance(STEPS.left(c), float)
    assert STEPS([[0.1, 0.2]]).shape == (1, 2)
    assert STEPS([]).shape == (0,)


@pytest.mark.parametrize("c", [-0.1, 1.1, NAN, INF, [0.5, 2], None])
def test_conditions_outside_0_and_1(c: Any) -> None:
    for evaluate in (STEPS, STEPS.left):
        with refused(ConditionError, "an operating condition must be in [0, 1], got"):
            evaluate(c)


def test_messages_about_long_arrays_are_one_line() -> None:
    with refused(ConditionError, "an operating condition must be in [0, 1]"):
        STEPS(np.linspace(0, 2, 5000))


def test_conditions_that_are_not_numbers_are_refused() -> None:
    with refused(ConditionError, "operating condition"):
        STEPS("half")


@pytest.mark.parametrize("costs", [cs.Uniform, "uniform", None])
def test_an_expectation_needs_a_distribution(costs: Any) -> None:
    with refused(ConditionError, "costs must be a distribution"):
        STEPS.expectation(costs)


@pytest.mark.parametrize(
    ("breaks", "pieces", "text"),
    [
        ([0, 1], 2, "a curve of m pieces needs m + 1 breaks and 3 x m coefficients, got shapes"),
        ([0, 0.5, 0.4, 1], 3, "the breaks of a curve must ascend from 0 to 1."),
        ([0.1, 1], 1, "the breaks of a curve must ascend from 0 to 1."),
        ([0, 0.9], 1, "the breaks of a curve must ascend from 0 to 1."),
        ([0, NAN, 1], 2, "the breaks of a curve must ascend from 0 to 1."),
    ],
)
def test_bad_pieces(breaks: list[float], pieces: int, text: str) -> None:
    with refused(ConditionError, text):
        PiecewiseQuadratic(np.array(breaks), np.zeros((3, pieces)))


def test_expectation_of_a_quadratic() -> None:
    curve = curve_of([0, 0.4, 1], [1, 0], [2, 1], [3, -1])
    grid = (np.arange(200_000) + 0.5) / 200_000
    for costs, density in (
        (cs.Uniform(), np.ones_like(grid)),
        (cs.Beta(2, 2), 6 * grid * (1 - grid)),
        (cs.Uniform(0.25, 0.75), 2.0 * ((grid > 0.25) & (grid < 0.75))),
    ):
        expected = np.mean(curve(grid) * density)
        assert curve.expectation(costs) == pytest.approx(expected, abs=1e-8)
    atoms = cs.Sampled([0, 0.4, 1], [1, 1, 2])
    expected = (curve(0.0) + curve(0.4) + 2 * curve(1.0)) / 4
    assert curve.expectation(atoms) == pytest.approx(expected)


@each_choice
def test_difference(choice: cs.ThresholdChoice) -> None:
    one = cs.loss_curve(Y, S, choice=choice)
    y, s = [0, 1, 0, 1, 1], [0, 0.2, 0.4, 0.7, 1]
    c = np.union1d(np.linspace(0, 1, 201), one.breaks)
    for choice_2 in CHOICES:
        other = cs.loss_curve(y, s, choice=choice_2)
        assert isinstance(one, PiecewiseQuadratic)
        assert isinstance(other, PiecewiseQuadratic)
        gap = one - other
        np.testing.assert_allclose(gap(c), one(c) - other(c), atol=1e-14)
        np.testing.assert_allclose(gap.left(c), one.left(c) - other.left(c), atol=1e-14)
        for costs in (cs.Uniform(), cs.Beta(2, 3), cs.Point(0), cs.Point(1), cs.Point(0.4)):
            expected = one.expectation(costs) - other.expectation(costs)
            assert gap.expectation(costs) == pytest.approx(expected, abs=1e-14)


def test_only_a_curve_can_be_subtracted() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        STEPS - 3


def test_scores_of_0_and_1() -> None:
    y, s = [0, 0, 1, 1, 1], [0, 1, 0, 1, 0.5]
    curve = cs.loss_curve(y, s, choice=cs.ScoreDriven())
    # Below condition 0 all rows are flagged, and from 1 on none.
    assert curve.left(0) == 0
    assert curve(0) == pytest.approx(2 * 3 / 5 * 1 / 3)
    assert curve.left(1) == pytest.approx(2 * 2 / 5 * 1 / 2)
    assert curve(1) == 0
    optimal = cs.loss_curve(y, s, choice=cs.Optimal())
    assert (optimal.left(0), optimal(0), optimal.left(1), optimal(1)) == (0, 0, 0, 0)


def test_threshold_conventions_of_a_score_driven_curve() -> None:
    curve = cs.loss_curve(Y, S, choice=cs.ScoreDriven())
    assert curve(0.4) == pytest.approx(0.4 * 0.5 + 0.6 * 0.5)
    assert curve.left(0.4) == pytest.approx(0.4 * 0.5)
    assert curve.breaks.tolist() == [0, 0.1, 0.4, 0.6, 0.9, 1]


@each_choice
def test_curve_columns(choice: cs.ThresholdChoice) -> None:
    curve = cs.loss_curve(Y, S, choice=choice)
    columns = curve.columns()
    assert list(columns) == [
        *("from", "to", "loss_start", "loss_end", "constant", "linear", "quadratic")
    ]
    assert {len(column) for column in columns.values()} == {len(curve.breaks) - 1}
    long = columns["from"] < columns["to"]
    np.testing.assert_allclose(columns["loss_start"][long], curve(columns["from"][long]))
    np.testing.assert_allclose(
        columns["loss_end"][long], curve.left(columns["to"][long]), atol=1e-15
    )
    middle = (columns["from"] + columns["to"]) / 2
    value = columns["constant"] + middle * (columns["linear"] + middle * columns["quadratic"])
    np.testing.assert_allclose(value[long], curve(middle[long]))


def test_the_points_of_pieces_of_no_length() -> None:
    path = cs.ScoreDriven().path(cs.ScoreTable.from_predictions([0, 1], [1, 0]))
    assert path.breaks.tolist() == [0, 0, 1, 1]
    ends = np.array([0.0, 1.0])
    assert (path.at(ends).fpr.tolist(), path.at(ends).fnr.tolist()) == ([1, 0], [1, 1])
    assert (path.left(ends).fpr.tolist(), path.left(ends).fnr.tolist()) == ([1, 1], [0, 1])


def test_constant_path() -> None:
    path = OperatingPath.constant(0.2, 0.4, prevalence=0.5)
    assert path.breaks.tolist() == [0, 1]
    assert path.loss()([0, 0.5, 1]).tolist() == pytest.approx([0.4, 0.3, 0.2])
    with refused(ConditionError, "prevalence must be in (0, 1), got 1."):
        OperatingPath.constant(0.2, 0.4, prevalence=1).loss()


def test_moving_path_is_quadratic() -> None:
    start = OperatingPoints(np.array([1.0, 0.4]), np.array([0.0, 0.1]))
    end = OperatingPoints(np.array([0.4, 0.0]), np.array([0.1, 1.0]))
    path = OperatingPath(np.array([0, 0.3, 1.0]), start, end, prevalence=0.2)
    for c in (0.0, 0.15, 0.3, 0.6, 1.0):
        at = (c - 0.3) / 0.7 if c >= 0.3 else c / 0.3
        a, b = ((0.4, 0.1), (0, 1)) if c >= 0.3 else ((1, 0), (0.4, 0.1))
        fpr, fnr = ((1 - at) * u + at * v for u, v in zip(a, b, strict=True))
        assert path.loss()(c) == pytest.approx(2 * (c * 0.8 * fpr + (1 - c) * 0.2 * fnr))


def test_points_are_sliced_and_extended() -> None:
    points = OperatingPoints(np.array([0.5, 0.0]), np.array([0.5, 1.0]))
    more = points.after_flagging_all()
    assert more.fpr.tolist() == [1, 0.5, 0]
    assert more.fnr.tolist() == [0, 0.5, 1]
    assert more[1:].fpr.tolist() == [0.5, 0]


def test_a_curve_cannot_be_changed() -> None:
    breaks, coefficients = np.array([0.0, 1.0]), np.ones((3, 1))
    curve = PiecewiseQuadratic(breaks, coefficients)
    with pytest.raises(ValueError, match="read-only"):
        curve.columns()["constant"][0] = 0.5


def test_a_curve_keeps_its_own_copy() -> None:
    breaks, coefficients = np.array([0.0, 1.0]), np.ones((3, 1))
    curve = PiecewiseQuadratic(breaks, coefficients)
    coefficients[:] = 5
    assert curve(1) == 3

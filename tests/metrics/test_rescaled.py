"""Murphy curves against elementary scores, normalised cost over PC(+) against points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside, same_curve
from laws.sources import source

import costspace as cs

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]


def elementary(x: np.ndarray, y: np.ndarray, theta: float) -> np.ndarray:
    """Ehm et al. (2016), Theorem 1, for the expectile of level 1/2, in full."""

    def above(value: np.ndarray) -> np.ndarray:
        return np.maximum(value - theta, 0)

    return np.abs((y < x) - 0.5) * (above(y) - above(x) - (y - x) * (theta < x))


@given(ANY)
@settings(max_examples=80)
def test_murphy_curve_is_the_mean_elementary_score(sample: Predictions) -> None:
    curve = cs.metrics.murphy_curve(sample.y, sample.s, **sample.options)
    mass, s = sample.masses("cost"), sample.printed
    for theta in np.concatenate([s, np.linspace(0, 1, 9)]):
        close(curve(theta), np.sum(mass * elementary(s, sample.y, theta)), 1e-15)
    close(4 * curve.expectation(cs.Uniform()), cs.brier_score(sample.table), 1e-14)


@given(ANY)
@settings(max_examples=40)
def test_left_limits_of_the_murphy_curve(sample: Predictions) -> None:
    curve = cs.metrics.murphy_curve(sample.table)
    mass, s, y = sample.masses("cost"), sample.printed, sample.y
    for theta in s:
        wrong = np.where(y == 1, s < theta, s >= theta)
        close(curve.left(theta), np.sum(mass * wrong * abs(y - theta)) / 2, 1e-15)


def test_murphy_curve_of_another_choice_and_of_a_model() -> None:
    best, c = cs.metrics.murphy_curve(Y, S, choice=cs.Optimal()), np.linspace(0, 1, 21)
    close(best(c), np.asarray(cs.loss_curve(Y, S, choice=cs.Optimal())(c)) / 4)
    model = source("model_figure_8")
    close(
        cs.metrics.murphy_curve(model)(c),
        cs.loss_curve(model, choice=cs.ScoreDriven())(c) / 4,
        1e-11,
    )


@pytest.mark.parametrize("method", CHOICES)
@given(st.data())
@settings(max_examples=8)
def test_normalised_cost_is_the_skew_curve_turned_round(method: str, data: st.DataObject) -> None:
    case = CHOICES[method]
    sample = fit_for(case, data)
    curve = cs.metrics.normalised_cost_curve(
        sample.y, sample.s, choice=case.choice, **sample.options
    )
    pc = inside(1 - np.append(curve.breaks, sample.oracle.breakpoints(case.method, "skew")))
    points = [sample.oracle.operating_point(case.method, "skew", 1 - x) for x in pc]
    fpr, fnr = np.transpose(points)
    # With equal costs PC(+) is the prevalence; the oracle's rates may be an ulp below 0.
    close(curve(pc), cs.condition.normalised_cost(*np.clip([fpr, fnr], 0, 1), prevalence=pc))
    skews = cs.loss_curve(sample.table, choice=case.choice, axis="skew")
    close(curve(pc), skews(1 - pc))
    close(curve.expectation(cs.Uniform()), skews.expectation(cs.Uniform()))


def test_sides_of_a_jump() -> None:
    curve = cs.metrics.normalised_cost_curve([0, 1], [0.25, 0.75], choice=cs.ScoreDriven())
    # At skew 1/4 the negative is flagged if scores at the threshold are.
    assert (curve(0.75), curve.left(0.75)) == (0.25, 0)
    assert (curve(0.25), curve.left(0.25)) == (0, 0.25)
    at_ends = cs.metrics.normalised_cost_curve([0, 1], [1.0, 0.0], choice=cs.ScoreDriven())
    skews = cs.loss_curve([0, 1], [1.0, 0.0], choice=cs.ScoreDriven(), axis="skew")
    for pc in (0.0, 1.0):
        assert (at_ends(pc), at_ends.left(pc)) == (skews.left(1 - pc), skews(1 - pc))


@given(ANY)
@settings(max_examples=40)
def test_the_cost_curve_is_the_envelope_of_cost_lines(sample: Predictions) -> None:
    points = sample.table.distinct_points.after_flagging_all()
    envelope = cs.cost_lines(points, axis="pc").envelope()
    same_curve(cs.metrics.normalised_cost_curve(sample.table), envelope)


def test_normalised_cost_does_not_depend_on_the_prevalence() -> None:
    same_curve(
        cs.metrics.normalised_cost_curve(Y, S, prevalence=0.01),
        cs.metrics.normalised_cost_curve(Y, S),
    )

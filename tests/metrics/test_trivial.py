"""The trivial rules, and the advantage of curves over them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import AXES, CHOICES, SHIFTS, close, fit_for, inside
from laws.sources import QUICK, on, source

import costspace as cs

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]
AXIS = st.sampled_from(AXES)
# Pieces of curves that bend are within 1e-12 of them; in powers of c, steep ones lose a digit.
PIECES = 2e-11


@pytest.mark.parametrize("prevalence", [1e-9, 0.03, 0.5, 0.8, 1 - 1e-9])
def test_the_trivial_curve(prevalence: float) -> None:
    curve = cs.metrics.trivial_curve(prevalence=prevalence)
    c = np.append(np.linspace(0, 1, 101), prevalence)
    expected = 2 * np.minimum(c * (1 - prevalence), (1 - c) * prevalence)
    np.testing.assert_allclose(curve(c), expected, atol=1e-15)
    np.testing.assert_allclose(curve.left(c), expected, atol=1e-15)
    np.testing.assert_allclose(
        cs.condition.trivial_loss(c, prevalence=prevalence), expected, atol=1e-15
    )
    area = curve.expectation(cs.Uniform())
    assert area == pytest.approx(prevalence * (1 - prevalence), abs=1e-15)


@pytest.mark.parametrize("method", ["score_driven", "rate_driven", "optimal", "score_fixed"])
@given(st.data(), AXIS)
@settings(max_examples=25)
def test_advantage_and_operating_range(method: str, data: st.DataObject, axis: str) -> None:
    table = fit_for(CHOICES[method], data).on(axis)
    curve, p = cs.loss_curve(table, choice=CHOICES[method].choice), table.prevalence
    gained = cs.metrics.advantage(curve, prevalence=p)
    c = np.concatenate([inside(np.append(curve.breaks, p)), curve.breaks])
    expected = cs.condition.trivial_loss(c, prevalence=p) - curve(c)
    close(gained(c), expected)
    found = cs.metrics.operating_range(curve, prevalence=p)
    c = np.concatenate([inside(found.breaks), inside(np.append(curve.breaks, p))])
    gap = cs.condition.trivial_loss(c, prevalence=p) - curve(c)
    sign = found.sign[np.searchsorted(found.breaks, c, side="right") - 1]
    assert np.all((np.sign(gap) == sign) | (np.abs(gap) <= 2e-12))
    if method == "optimal":
        assert -1 not in found.sign


@pytest.mark.parametrize("name", QUICK)
def test_the_advantage_of_sources(name: str) -> None:
    c = np.linspace(0, 1, 201)
    for axis in AXES:
        p = on(name, axis).prevalence
        for choice in (cs.RateDriven(), cs.Optimal()):
            curve = cs.loss_curve(source(name), choice=choice, axis=axis)
            close(
                cs.metrics.advantage(curve, prevalence=p)(c),
                cs.condition.trivial_loss(c, prevalence=p) - curve(c),
                PIECES,
            )
            found = cs.metrics.operating_range(curve, prevalence=p)
            assert (found.breaks[0], found.breaks[-1]) == (0, 1)


def test_the_operating_range_of_a_classifier() -> None:
    # A fixed classifier beats flagging nobody from skew FNR' on and everybody up to there.
    curve = cs.loss_curve(Y, S, choice=cs.ScoreFixed(0.5), axis="skew")
    fpr, fnr = 1 / 2, 1 / 3
    found = cs.metrics.operating_range(curve, prevalence=0.5)
    low, high = fnr / (1 - fpr + fnr), (1 - fnr) / (1 - fnr + fpr)
    assert found.where(1) == [(pytest.approx(low), pytest.approx(high))]
    assert found.where(-1) == [(0, pytest.approx(low)), (pytest.approx(high), 1)]
    useless = cs.loss_curve([1, 0], [0.1, 0.9], choice=cs.ScoreFixed(), axis="skew")
    assert cs.metrics.operating_range(useless, prevalence=0.5).where(1) == []


@given(SHIFTS)
def test_the_advantage_moves_with_the_prevalence(prevalence: float) -> None:
    curve = cs.loss_curve(Y, S, choice=cs.Optimal(), prevalence=prevalence)
    on_skew = cs.loss_curve(Y, S, choice=cs.Optimal(), axis="skew")
    one = cs.metrics.operating_range(curve, prevalence=prevalence)
    other = cs.metrics.operating_range(on_skew, prevalence=0.5)
    np.testing.assert_array_equal(one.sign, other.sign)
    moved = cs.skew_from_cost(one.breaks, prevalence=prevalence)
    np.testing.assert_allclose(moved, other.breaks, atol=1e-12)

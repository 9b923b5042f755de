"""Thresholds chosen on one sample and applied to another, against the oracle and each other."""

from dataclasses import replace

import numpy as np
import pytest
from brute_force_derived import loss_as_fitted
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import (
    ANY,
    AXES,
    COSTS,
    EVERY_CHOICE,
    SAMPLES,
    SHIFTS,
    UNTIED,
    close,
    fit_for,
    inside,
    same_curve,
)

import costspace as cs

on_both_axes = pytest.mark.parametrize("axis", AXES)
every_choice = pytest.mark.parametrize("name", EVERY_CHOICE)
# Quadrature has tests of its own.
QUICK = st.sampled_from([name for name, case in COSTS.items() if not case.slow])
AXIS = st.sampled_from(AXES)
# A block of scores that holds 1e-8 of the weight is split by rates with only 8 digits.
EVEN = st.one_of(*(value for name, value in SAMPLES.items() if name != "imbalanced_by_weight"))


def train_for(case, data):
    return data.draw(UNTIED if case.untied else EVEN, label="train")


def same_everywhere(curve, other):
    """Assert that two curves agree: values and left limits, at all breaks and between them."""
    breaks = np.concatenate([[0.0, 1.0], curve.breaks, other.breaks])
    c = np.concatenate([breaks, inside(breaks)])
    close(curve(c), other(c))
    close(curve.left(c), other.left(c))


@every_choice
@given(st.data(), AXIS)
@settings(max_examples=10)
def test_the_loss_at_every_condition(name, data, axis):
    case = EVERY_CHOICE[name]
    train, test = train_for(case, data), data.draw(EVEN, label="test")
    fitted = cs.Fitted(case.choice, train.table)
    curve = cs.loss_curve(test.table, choice=fitted, axis=axis)
    known, other = train.oracle, test.oracle
    at_test = replace(known, prevalence=known.prevalence if test.prevalence is None else 0.5)
    breaks = [source.breakpoints(case.method, axis) for source in (known, at_test, other)]
    c = inside(np.concatenate([*breaks, curve.breaks]))
    close(curve(c), loss_as_fitted(known, other, case.method, axis, c), 1e-11)
    close(curve.left(c), loss_as_fitted(known, other, case.method, axis, c, "left"), 1e-11)


@every_choice
@given(st.data(), AXIS)
@settings(max_examples=10)
def test_a_table_is_flagged_along_its_own_path(name, data, axis):
    choice = EVERY_CHOICE[name].choice
    table = fit_for(EVERY_CHOICE[name], data).on(axis)
    points = table.distinct_points.after_flagging_all()
    flagged = choice.flagging(table, table.by_score.breaks).path(points, table.prevalence)
    same_everywhere(flagged.loss(), choice.path(table).loss())


@every_choice
@given(st.data(), AXIS, QUICK)
@settings(max_examples=10)
def test_fitted_on_the_very_sample_changes_nothing(name, data, axis, costs):
    case, distribution = EVERY_CHOICE[name], COSTS[costs]
    sample = fit_for(case, data)
    fitted, options = cs.Fitted(case.choice, sample.table), {"axis": axis, **sample.options}
    curve = cs.loss_curve(sample.y, sample.s, choice=fitted, **options)
    own = cs.loss_curve(sample.y, sample.s, choice=case.choice, **options)
    same_everywhere(curve, own)
    options["costs"] = distribution.costs
    close(
        cs.expected_loss(sample.y, sample.s, choice=fitted, **options),
        cs.expected_loss(sample.y, sample.s, choice=case.choice, **options),
        distribution.tolerance,
    )
    close(
        cs.loss_shares(sample.y, sample.s, choice=fitted, **options),
        cs.loss_shares(sample.y, sample.s, choice=case.choice, **options),
        distribution.tolerance,
    )


@every_choice
@given(st.data(), AXIS, QUICK)
@settings(max_examples=10)
def test_shares_sum_to_the_expected_loss_and_that_is_the_mean_of_the_curve(name, data, axis, costs):
    case, distribution = EVERY_CHOICE[name], COSTS[costs]
    train, test = train_for(case, data), data.draw(ANY, label="test")
    options = {"choice": cs.Fitted(case.choice, train.table), "axis": axis, **test.options}
    expected = cs.loss_curve(test.y, test.s, **options).expectation(distribution.costs)
    options["costs"] = distribution.costs
    shares = cs.loss_shares(test.y, test.s, **options)
    close(shares.sum(), expected, distribution.tolerance)
    close(cs.expected_loss(test.y, test.s, **options), expected, distribution.tolerance)
    assert shares.min() >= -distribution.tolerance


@on_both_axes
@given(ANY, ANY)
@settings(max_examples=20)
def test_train_optimal_is_nowhere_below_test_optimal(axis, train, test):
    # Drummond and Holte (2006), Section 5.2: test-optimal is the lower bound of any thresholds.
    fitted = cs.loss_curve(test.table, choice=cs.Fitted(cs.Optimal(), train.table), axis=axis)
    regret = fitted - cs.loss_curve(test.table, choice=cs.Optimal(), axis=axis)
    ends = regret.columns()
    assert min(ends["loss_start"].min(), ends["loss_end"].min()) >= -1e-12


@on_both_axes
@given(SAMPLES["weighted_ties"] | SAMPLES["tied"])
def test_halves_of_one_sample(axis, sample):
    order = np.random.default_rng(len(sample)).permutation(len(sample))
    halves = [sample.rows(order[i::2]) for i in range(2)]
    if any(len(np.unique(half.y)) < 2 for half in halves):
        return
    train, test = halves
    c = np.linspace(0, 1, 41)
    bound = cs.loss_curve(test.table, choice=cs.Optimal(), axis=axis)
    for choice in (cs.Optimal(), cs.RateDriven(), cs.RateFixed(0.3), cs.RateUniform()):
        fitted = cs.Fitted(choice, train.table)
        curve = cs.loss_curve(test.table, choice=fitted, axis=axis)
        assert np.all(curve(c) >= bound(c) - 1e-12)
        assert np.all(curve.left(c) >= bound.left(c) - 1e-12)


@every_choice
@given(st.data(), SHIFTS, SHIFTS)
@settings(max_examples=10)
def test_what_reweights_the_test_sample_reweights_the_fit(name, data, prevalence, other):
    case = EVERY_CHOICE[name]
    train, test = train_for(case, data).table, data.draw(ANY, label="test").table
    test = test.with_prevalence(prevalence)
    curve = cs.loss_curve(test, choice=cs.Fitted(case.choice, train))
    for known in (train.with_prevalence(prevalence), train.with_prevalence(other)):
        again = cs.loss_curve(test, choice=cs.Fitted(case.choice, known))
        np.testing.assert_array_equal(curve.breaks, again.breaks)
        np.testing.assert_array_equal(curve.coefficients, again.coefficients)


@pytest.mark.parametrize("name", [name for name, case in EVERY_CHOICE.items() if not case.ranks])
@given(ANY, ANY, SHIFTS)
@settings(max_examples=10)
def test_thresholds_on_scores_are_the_same_on_every_sample(name, train, test, prevalence):
    # A corrected threshold looks at the class shares, which an override makes the same.
    choice, test = EVERY_CHOICE[name].choice, replace(test, prevalence=prevalence)
    same_curve(
        cs.loss_curve(test.table, choice=cs.Fitted(choice, train.table)),
        cs.loss_curve(test.table, choice=choice),
    )


@on_both_axes
@given(ANY, ANY)
@settings(max_examples=20)
def test_fitting_twice_is_fitting_once(axis, train, test):
    for choice in (cs.Optimal(), cs.RateDriven()):
        once = cs.Fitted(choice, train.on(axis))
        twice = cs.Fitted(once, test.on(axis))
        curve = cs.loss_curve(test.on(axis), choice=twice)
        same_everywhere(curve, cs.loss_curve(test.on(axis), choice=once))

"""A choice seen as a path, as a curve and from its rows: always the same expected loss."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.metrics import METRICS
from laws.registry import (
    ANY,
    AXES,
    COSTS,
    NEIGHBOURS,
    SHIFTS,
    close,
    fit_for,
    inside,
    predictions,
)
from laws.registry import (
    EVERY_CHOICE as CHOICES,
)

import costspace as cs
from costspace.condition import loss_at

every_choice = pytest.mark.parametrize("name", CHOICES)


# All distributions on one sample: drawing it takes longer than testing.
@every_choice
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=10)
def test_expected_loss_is_the_mean_of_the_curve_and_the_sum_of_shares(name, data, axis):
    case = CHOICES[name]
    sample = fit_for(case, data)
    options = {"choice": case.choice, "axis": axis, **sample.options}
    curve = cs.loss_curve(sample.y, sample.s, **options)
    for distribution in COSTS.values():
        costs, tolerance = distribution.costs, distribution.tolerance
        shares = cs.loss_shares(sample.y, sample.s, costs=costs, **options)
        loss = cs.expected_loss(sample.y, sample.s, costs=costs, **options)
        expected = curve.expectation(costs)
        close(loss, expected, tolerance)
        close(shares.sum(), expected, tolerance)
        assert shares.min() >= -tolerance
        assert not np.any(shares[sample.weights == 0])


@every_choice
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=25)
def test_the_curve_is_the_loss_at_the_operating_points_of_the_path(name, data, axis):
    table = fit_for(CHOICES[name], data).on(axis)
    path = CHOICES[name].choice.path(table)
    curve = path.loss()
    c = inside(path.breaks)
    ends = path.columns()
    piece = np.searchsorted(path.breaks, c) - 1
    along = (c - ends["from"][piece]) / (ends["to"] - ends["from"])[piece]
    fpr, fnr = (
        (1 - along) * ends[f"{rate}_start"][piece] + along * ends[f"{rate}_end"][piece]
        for rate in ("fpr", "fnr")
    )
    close(curve(c), loss_at(fpr, fnr, c=c, prevalence=path.prevalence))
    for points in (path.at(c), path.left(c)):
        close(points.fpr, fpr)
        close(points.fnr, fnr)
    for rate in (fpr, fnr):
        assert 0 <= rate.min() <= rate.max() <= 1


@pytest.mark.parametrize("name", [name for name, case in CHOICES.items() if not case.untied])
@given(predictions(NEIGHBOURS, sizes=(20, 40)), SHIFTS)
@settings(max_examples=20)
def test_scores_one_rounding_apart_have_a_curve(name, sample, prevalence):
    # Their order must outlive every formula that turns a score into a condition.
    curve = cs.loss_curve(sample.table.with_prevalence(prevalence), choice=CHOICES[name].choice)
    assert 0 <= curve.expectation(cs.Uniform()) <= 1


@every_choice
@given(st.data(), st.sampled_from(AXES), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0]))
@settings(max_examples=25)
def test_all_mass_on_one_condition_gives_the_value_there(name, data, axis, c):
    sample = fit_for(CHOICES[name], data)
    table, choice = sample.on(axis), CHOICES[name].choice
    curve = cs.loss_curve(table, choice=choice)
    for condition in (c, *curve.breaks.tolist()):
        point = cs.Point(condition)
        close(curve.expectation(point), curve(condition))
        close(choice.expected_loss(table, point), curve(condition))


@every_choice
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=14)
def test_expectation_over_a_mixture_is_the_weighted_mean_of_expectations(name, data, axis):
    table, choice = fit_for(CHOICES[name], data).on(axis), CHOICES[name].choice
    parts = {cs.Beta(2, 6): 3, cs.Point(0.25): 2, cs.Uniform(0.5, 1): 1, cs.Beta(0.5, 2): 4}
    mixture = cs.Mixture(list(parts), weights=list(parts.values()))
    losses = [cs.expected_loss(table, choice=choice, costs=costs) for costs in parts]
    close(
        cs.expected_loss(table, choice=choice, costs=mixture),
        np.average(losses, weights=list(parts.values())),
    )


@every_choice
@given(st.data(), st.lists(st.sampled_from([0, 0.1, 0.2, 0.5, 0.75, 1]), min_size=1))
@settings(max_examples=14)
def test_expectation_over_sampled_conditions_is_the_mean_of_the_curve(name, data, values):
    curve = cs.loss_curve(fit_for(CHOICES[name], data).table, choice=CHOICES[name].choice)
    close(curve.expectation(cs.Sampled(values)), np.mean(curve(values)))


@given(ANY, st.sampled_from(AXES))
@settings(max_examples=40)
def test_evaluate_reports_every_metric_and_expected_loss(sample, axis):
    costs = cs.Beta(2, 3)
    found = cs.evaluate(sample.y, sample.s, costs=costs, axis=axis, **sample.options)
    model = found.models["y_score"]
    for name, value in model.metrics.items():
        assert value == METRICS[name](sample.table)
    for axis_of, losses in model.expected_loss.items():
        for name, value in losses.items():
            assert value == CHOICES[name].choice.expected_loss(sample.on(axis_of), costs)


@pytest.mark.parametrize(
    "name", [name for name, case in CHOICES.items() if case.choice.through_skew]
)
@given(ANY, st.floats(0.01, 0.99), st.floats(0.02, 0.98))
def test_a_choice_through_skew_looks_at_nothing_else(name, sample, prevalence, skew):
    # Money under an uncertain prevalence rests on it.
    choice = CHOICES[name].choice
    at_deployment = choice.path(sample.table.with_prevalence(prevalence)).loss()
    balanced = choice.path(sample.table.with_prevalence(0.5)).loss()
    c = cs.cost_from_skew(skew, prevalence=prevalence)
    size = 2 * (c * (1 - prevalence) + (1 - c) * prevalence)
    near = np.concatenate(
        [cs.skew_from_cost(at_deployment.breaks, prevalence=prevalence), balanced.breaks]
    )
    if np.min(np.abs(near - skew)) > 1e-9:
        close(at_deployment(c), size * balanced(skew))


@pytest.mark.parametrize("name", CHOICES)
def test_the_laws_of_a_choice_are_those_that_it_says(name):
    case = CHOICES[name]
    assert case.ranks == case.choice.by_rank
    assert case.probabilities == case.choice.on_probabilities


@pytest.mark.parametrize(
    "name", [name for name, case in CHOICES.items() if "costs" not in case.choice.sees]
)
@given(st.data())
@settings(max_examples=7)
def test_a_choice_that_sees_no_costs_stays_at_a_point(name, data):
    case = CHOICES[name]
    points = case.choice.path(fit_for(case, data).table).columns()
    for rate in ("fpr_start", "fpr_end", "fnr_start", "fnr_end"):
        assert np.ptp(points[rate]) == 0


@pytest.mark.parametrize(
    "name", [name for name, case in CHOICES.items() if case.choice.follows == "nothing"]
)
@given(st.data())
@settings(max_examples=7)
def test_a_choice_that_follows_nothing_flags_the_same_on_any_sample(name, data):
    case = CHOICES[name]
    one, other = (fit_for(case, data).table for _ in range(2))
    scores = np.linspace(0, 1, 41)
    found, expected = (case.choice.exposure(table, scores, cs.Beta(2, 3)) for table in (one, other))
    np.testing.assert_array_equal(found.as_negative, expected.as_negative)
    np.testing.assert_array_equal(found.as_positive, expected.as_positive)


@pytest.mark.parametrize(
    "name", [name for name, case in CHOICES.items() if case.choice.sees <= {"costs"}]
)
@given(st.data(), st.floats(0.01, 0.99))
@settings(max_examples=14)
def test_a_choice_that_sees_no_prevalence_looks_at_none(name, data, prevalence):
    # Money under an uncertain prevalence that costs do not depend on rests on it.
    case = CHOICES[name]
    table = fit_for(case, data).table
    one, other = (case.choice.path(table.with_prevalence(p)).columns() for p in (prevalence, 0.5))
    for column, values in one.items():
        np.testing.assert_array_equal(values, other[column])

"""The links between choices, metrics and each other.

arXiv:1112.2640: Hernandez-Orallo, Flach, Ferri (2012), "Threshold choice methods".
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.metrics import METRICS, metrics_of
from laws.registry import (
    ANY,
    AXES,
    SHIFTS,
    UNTIED,
    close,
    fit_for,
    inside,
    same_curve,
)
from laws.registry import (
    EVERY_CHOICE as CHOICES,
)

import costspace as cs
from costspace.condition import trivial_loss

on_both_axes = pytest.mark.parametrize("axis", AXES)


def expected(table, choice):
    return cs.expected_loss(table, choice=choice)


def mean_label(sample, axis, values):
    return float(sample.masses(axis) @ values)


@on_both_axes
@given(ANY)
def test_score_driven_is_the_brier_score(axis, sample):
    # arXiv:1112.2640, Theorem 6.
    table, squares = sample.on(axis), (sample.printed - sample.y) ** 2
    close(expected(table, cs.ScoreDriven()), mean_label(sample, axis, squares))
    close(cs.brier_score(table), mean_label(sample, axis, squares))


@on_both_axes
@given(ANY)
def test_score_uniform_is_the_mean_absolute_error(axis, sample):
    # arXiv:1112.2640, Theorem 4.
    table, gaps = sample.on(axis), np.abs(sample.printed - sample.y)
    close(expected(table, cs.ScoreUniform()), mean_label(sample, axis, gaps))
    close(cs.mean_absolute_error(table), mean_label(sample, axis, gaps))


@on_both_axes
@given(ANY, st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]))
def test_score_fixed_is_the_error_rate(axis, sample, threshold):
    wrong = (sample.printed > threshold) != (sample.y == 1)
    close(expected(sample.on(axis), cs.ScoreFixed(threshold)), mean_label(sample, axis, wrong))


@on_both_axes
@given(ANY)
def test_rate_uniform_and_rate_driven_are_linear_in_auc(axis, sample):
    # arXiv:1112.2640, Theorems 8 and 10; exact with ties, because tied blocks are interpolated.
    table = sample.on(axis)
    p, auc = table.prevalence, cs.auc(table)
    close(expected(table, cs.RateUniform()), p * (1 - p) * (1 - 2 * auc) + 1 / 2)
    driven = cs.loss_curve(table, choice=cs.RateDriven()).expectation(cs.Uniform())
    close(driven, p * (1 - p) * (1 - 2 * auc) + 1 / 3)
    close(expected(table, cs.RateUniform()) - driven, 1 / 6)


@on_both_axes
@given(UNTIED)
def test_stepped_rate_driven_has_a_closed_form(axis, sample):
    table = sample.on(axis)
    n0, n1 = np.bincount(sample.y)
    n, p, auc = n0 + n1, table.prevalence, cs.auc(table)
    # The squared positions of a class's own ranks matter unless classes have their own shares.
    position = (np.argsort(np.argsort(sample.s)) + 1) / (n + 1)
    loss = (1 - p) * np.mean(position[sample.y == 0] ** 2)
    loss += p * np.mean((1 - position[sample.y == 1]) ** 2)
    close(expected(table, cs.RateDriven(stepped=True)), loss)
    if sample.prevalence is None and axis == "cost":
        mean_position = ((n1 + 1) / 2 + n0 * auc) / (n + 1)
        close(loss, 1 - p - (4 * n + 5) / (6 * (n + 1)) + 2 * p * (1 - mean_position))


@given(UNTIED)
def test_rate_uniform_over_the_cut_points(sample):
    # The n + 1 cuts are rates of equal steps only at the sample's own class shares.
    table = replace(sample, prevalence=None).table
    n, p = len(sample), table.prevalence
    cuts = [cs.RateFixed(i / n) for i in range(n + 1)]
    close(
        np.mean([expected(table, cut) for cut in cuts]),
        p * (1 - p) * (1 - 2 * cs.auc(table)) * n / (n + 1) + 1 / 2,
    )


@on_both_axes
@given(ANY)
def test_optimal_is_the_refinement_loss_over_the_hull(axis, sample):
    # arXiv:1112.2640, Corollary 15.
    table = sample.on(axis)
    close(expected(table, cs.Optimal()), cs.refinement_loss(table))
    close(cs.miscalibration(table), cs.brier_score(table) - cs.refinement_loss(table))


@on_both_axes
@given(ANY)
def test_calibration_and_refinement_over_roc_segments_sum_to_the_brier_score(axis, sample):
    table = sample.on(axis)
    calibration = cs.calibration_loss(table, partition="roc")
    close(calibration + cs.refinement_loss(table, partition="roc"), cs.brier_score(table))


@on_both_axes
@pytest.mark.parametrize("name", [name for name in CHOICES if name != "optimal"])
@given(st.data())
@settings(max_examples=25)
def test_optimal_is_nowhere_above_another_choice(name, axis, data):
    table = fit_for(CHOICES[name], data).on(axis)
    other = cs.loss_curve(table, choice=CHOICES[name].choice)
    regret = other - cs.loss_curve(table, choice=cs.Optimal())
    ends = regret.columns()
    assert min(ends["loss_start"].min(), ends["loss_end"].min()) >= -1e-12
    # A quadratic may also dip inside its piece.
    dips = ends["quadratic"] > 0
    lowest = -ends["linear"][dips] / (2 * ends["quadratic"][dips])
    within = (lowest > ends["from"][dips]) & (lowest < ends["to"][dips])
    assert np.all(regret(lowest[within]) >= -1e-12)


@on_both_axes
@given(ANY)
def test_optimal_is_nowhere_above_a_trivial_rule(axis, sample):
    table = sample.on(axis)
    curve = cs.loss_curve(table, choice=cs.Optimal())
    c = np.concatenate([curve.breaks, inside(curve.breaks), [table.prevalence]])
    assert np.all(curve(c) <= trivial_loss(c, prevalence=table.prevalence) + 1e-12)


@pytest.mark.parametrize("name", [name for name, case in CHOICES.items() if not case.untied])
@given(ANY, SHIFTS)
@settings(max_examples=20)
def test_skew_and_prevalence_are_the_classes_reweighted(name, sample, prevalence):
    # arXiv:1112.2640, Lemma 1, for prevalence 1/2; and the same for any other.
    choice = CHOICES[name].choice
    for share, axis in ((0.5, "skew"), (prevalence, "cost")):
        totals = [sample.weights[sample.y == label].sum() for label in (0, 1)]
        weight = sample.weights * np.where(
            sample.y == 1, share / totals[1], (1 - share) / totals[0]
        )
        same_curve(
            cs.loss_curve(sample.table.with_prevalence(share), choice=choice),
            cs.loss_curve(sample.y, sample.s, choice=choice, sample_weight=weight),
        )
        same_curve(
            cs.loss_curve(sample.y, sample.s, choice=choice, sample_weight=weight),
            cs.loss_curve(
                sample.y,
                sample.s,
                choice=choice,
                axis=axis,
                prevalence=share,
                sample_weight=sample.w,
            ),
        )


@pytest.mark.parametrize("name", CHOICES)
@given(st.data(), SHIFTS)
@settings(max_examples=14)
def test_prevalence_leaves_the_skew_axis_alone(name, data, prevalence):
    table, choice = fit_for(CHOICES[name], data).table, CHOICES[name].choice
    curve = cs.loss_curve(table, choice=choice, axis="skew")
    shifted = cs.loss_curve(table.with_prevalence(prevalence), choice=choice, axis="skew")
    np.testing.assert_array_equal(curve.columns()["loss_start"], shifted.columns()["loss_start"])
    np.testing.assert_array_equal(curve.breaks, shifted.breaks)


@given(ANY, SHIFTS)
def test_prevalence_leaves_macro_metrics_and_areas_alone(sample, prevalence):
    names = [name for name, case in METRICS.items() if not case.shares]
    table = sample.table
    shifted = metrics_of(table.with_prevalence(prevalence), names)
    np.testing.assert_array_equal(metrics_of(table, names), shifted)


@on_both_axes
@given(ANY, st.sampled_from([0.0, 0.3, 1.0]))
def test_a_constant_model_has_rate_driven_curve_2c_1_minus_c(axis, sample, score):
    constant = replace(sample, s=np.full(len(sample), score))
    curve = cs.loss_curve(constant.on(axis), choice=cs.RateDriven())
    c = np.linspace(0, 1, 21)
    close(curve(c), 2 * c * (1 - c))
    close(cs.auc(constant.table), 1 / 2)
    close(cs.h_measure(constant.table), 0)


@given(ANY)
def test_areas_and_h_are_in_order_and_range(sample):
    table = sample.table
    auc, hull, volume = cs.auc(table), cs.auc_hull(table), cs.voros(table)
    assert 0 <= auc <= hull + 1e-12
    # Ratigan and Cowen (2024): the volume is at least the hull's area.
    assert 0.5 - 1e-12 <= hull <= volume + 1e-12 <= 1 + 2e-12
    for costs in (None, cs.Beta(2, 2), cs.Uniform(), cs.Point(0.3)):
        assert -1e-12 <= cs.h_measure(table, costs=costs) <= 1 + 1e-12


@given(ANY)
def test_a_separating_score_is_perfect(sample):
    table = replace(sample, s=0.4 * sample.printed + 0.6 * sample.y).table
    names = ("auc", "auc_hull", "gini", "h_measure", "h_measure_hand", "voros", "voros_part")
    close(metrics_of(table, names), 1)
    close(expected(table, cs.Optimal()), 0)

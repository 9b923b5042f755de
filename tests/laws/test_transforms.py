"""Every deterministic choice is the score-driven one after a map of the scores.

Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7. Mid-rates and PAV scores are
computed here from their definitions on the reweighted rows, too.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import (
    ANY,
    AXES,
    COSTS,
    GRIDS,
    SAMPLES,
    UNTIED,
    close,
    inside,
    predictions,
    same_curve,
)

import costspace as cs

on_both_axes = pytest.mark.parametrize("axis", AXES)
MAKERS = (cs.pav, cs.convexify, cs.calibrate, cs.transform.mid_rates)
every_maker = pytest.mark.parametrize("maker", MAKERS)

UNWEIGHTED = st.one_of(
    *(SAMPLES[name] for name in ("continuous", "tied", "one_rounding_apart", "shifted"))
)
# Sums of their weights are exact, so rounding cannot bend a ROC curve.
COUNTED = UNWEIGHTED | SAMPLES["counted"] | SAMPLES["counted_and_shifted"]


def rescored(sample, scores, axis):
    return replace(sample, s=scores).on(axis)


def mid_rates(sample, axis):
    """Share of rows below each score and half of those tied with it; and the blocks' w."""
    mass = sample.masses(axis)
    below = (sample.s[None, :] < sample.s[:, None]) @ mass
    tied = (sample.s[None, :] == sample.s[:, None]) @ mass
    first = np.unique(sample.s[sample.weights > 0])
    blocks = np.array([mass[sample.s == score].sum() for score in first])
    return np.clip(below + tied / 2, 0, 1), blocks


def pav(sample, axis):
    """Isotonic regression of the labels on the scores by its max-min formula."""
    mass = sample.masses(axis)

    def mean(low, high):
        between = (sample.s >= low) & (sample.s <= high)
        return np.average(sample.y[between], weights=mass[between])

    levels = np.unique(sample.s[mass > 0])
    fitted = {
        level: max(
            min(mean(low, high) for high in levels[levels >= level])
            for low in levels[levels <= level]
        )
        for level in levels
    }
    return np.array([fitted.get(score, np.nan) for score in sample.s])


def same_scores(sample, axis, scores, expected):
    """Scores agree on the examples present.

    Cumulated weights are rounded to 1e-16 of the whole, so the share of positives in a bin to as
    much of the bin.
    """
    mass = sample.masses(axis)
    present = mass > 0
    close((mass * scores)[present], (mass * expected)[present])


@every_maker
@on_both_axes
@given(ANY)
@settings(max_examples=30)
def test_a_mapped_table_is_the_table_of_mapped_scores(axis, maker, sample):
    table = sample.on(axis)
    found = maker(table)
    mapped, rows = found.apply(table), rescored(sample, found(sample.s), axis)
    assert repr(mapped) == repr(rows)
    np.testing.assert_array_equal(mapped.by_score.breaks, rows.by_score.breaks)
    for points in zip(mapped.ranking.at_distinct, rows.ranking.at_distinct, strict=True):
        np.testing.assert_allclose(*points, rtol=1e-14)
    close(mapped.prevalence, rows.prevalence)


# --- Optimal: PAV, convexification and perfect calibration -------------------------------------


@on_both_axes
@given(ANY, st.sampled_from(sorted(COSTS)))
@settings(max_examples=50)
def test_optimal_is_score_driven_on_pav_scores(axis, sample, costs):
    table = sample.on(axis)
    calibrate = cs.pav(table)
    same_scores(sample, axis, calibrate(sample.s), pav(sample, axis))
    calibrated = calibrate.apply(table)
    optimal, driven = cs.Optimal().path(table), cs.ScoreDriven().path(calibrated)
    np.testing.assert_array_equal(np.unique(optimal.breaks), np.unique(driven.breaks))
    same_curve(optimal.loss(), driven.loss())
    close(optimal.loss()(driven.breaks), driven.loss()(driven.breaks))
    costs = COSTS[costs].costs
    close(optimal.expected_loss(costs), cs.ScoreDriven().expected_loss(calibrated, costs))
    close(cs.refinement_loss(table), cs.brier_score(calibrated))


@on_both_axes
@given(ANY)
def test_pav_is_idempotent_and_its_own_optimum(axis, sample):
    table = sample.on(axis)
    scores = cs.pav(table)(sample.s)
    calibrated = rescored(sample, scores, axis)
    same_scores(sample, axis, cs.pav(calibrated)(scores), scores)
    same_curve(
        cs.loss_curve(table, choice=cs.Optimal()),
        cs.loss_curve(calibrated, choice=cs.Optimal()),
    )


@on_both_axes
@given(ANY)
def test_convexification_leaves_the_optimal_loss_and_makes_the_hull(axis, sample):
    # arXiv:1112.2640, Theorem 12.
    table = sample.on(axis)
    convex = cs.convexify(table).apply(table)
    same_curve(
        cs.loss_curve(table, choice=cs.Optimal()), cs.loss_curve(convex, choice=cs.Optimal())
    )
    close(cs.auc(convex), cs.auc_hull(table))
    close(
        cs.decomposition.partition_scores(table).mean_score,
        cs.decomposition.partition_scores(convex).mean_score,
    )
    # Murphy's losses over the hull are exact after it, as no bin is left with two scores.
    murphy = cs.calibration_loss(table) + cs.refinement_loss(table)
    close(cs.brier_score(convex), murphy)


@on_both_axes
@given(ANY)
def test_perfect_calibration_leaves_the_refinement_over_scores(axis, sample):
    # Definition 19.
    table = sample.on(axis)
    calibrated = cs.calibrate(table).apply(table)
    close(cs.calibration_loss(calibrated, partition="roc"), 0)
    for perfect in (table, calibrated):
        refinement = cs.refinement_loss(perfect, partition="roc")
        close(refinement, cs.brier_score(calibrated))


@on_both_axes
@given(COUNTED)
def test_perfect_calibration_is_monotone_where_the_roc_curve_is_convex(axis, sample):
    table = sample.on(axis)
    convex = len(cs.transform.concavities(table).low) == 0
    assert cs.calibrate(table).monotone == convex
    assert convex == (cs.auc_hull(table) - cs.auc(table) < 1e-9)


@on_both_axes
@given(ANY)
def test_convexification_and_perfect_calibration(axis, sample):
    # Table 5: Conv after Cal is Cal, and Cal after Conv is PAV.
    table = sample.on(axis)
    scores = cs.calibrate(table)(sample.s)
    calibrated = rescored(sample, scores, axis)
    same_scores(sample, axis, cs.convexify(calibrated)(scores), scores)
    scores = cs.convexify(table)(sample.s)
    convex = rescored(sample, scores, axis)
    same_scores(sample, axis, cs.calibrate(convex)(scores), cs.pav(table)(sample.s))


@on_both_axes
@pytest.mark.parametrize("maker", [cs.pav, cs.calibrate])
@given(ANY)
def test_calibrated_scores_have_mae_twice_the_brier_score(maker, axis, sample):
    # Theorems 22 and 24: MAE = 2 Brier = 2 pi0 (mean score of the negatives).
    table = sample.on(axis)
    calibrated = maker(table).apply(table)
    brier, p = cs.brier_score(calibrated), table.prevalence
    mean_negative = calibrated.negatives.mean(np.positive)
    mean_positive = calibrated.positives.mean(np.positive)
    close(cs.mean_absolute_error(calibrated), 2 * brier)
    close(brier, (1 - p) * mean_negative)
    close(brier, p * (1 - mean_positive))
    close(brier, cs.expected_loss(calibrated, choice=cs.Optimal()))
    close(cs.miscalibration(calibrated), 0)
    close(cs.calibration_loss(calibrated), 0)


# --- Rates: mid-rates and evenly spaced scores -------------------------------------------------


@on_both_axes
@given(ANY)
def test_rate_choices_are_score_choices_on_mid_rates(axis, sample):
    table = sample.on(axis)
    rates, blocks = mid_rates(sample, axis)
    present = sample.weights > 0
    close(cs.transform.mid_rates(table)(sample.s)[present], rates[present])
    before, after = (table.by_score.at(sample.s, most=most) for most in (True, False))
    p = table.prevalence
    close((1 - p) * (2 - before.fpr - after.fpr) / 2 + p * (before.fnr + after.fnr) / 2, rates)
    ranked = cs.transform.mid_rates(table).apply(table)
    driven = cs.expected_loss(table, choice=cs.RateDriven())
    close(driven, cs.brier_score(ranked) + np.sum(blocks**3) / 12)
    uniform = cs.expected_loss(table, choice=cs.RateUniform())
    close(uniform, cs.mean_absolute_error(ranked))


@on_both_axes
@given(UNTIED)
def test_stepped_is_score_driven_on_ranks(axis, sample):
    n = len(sample)
    ranked = rescored(sample, (np.argsort(np.argsort(sample.s)) + 1) / (n + 1), axis)
    curve = cs.loss_curve(sample.on(axis), choice=cs.RateDriven(stepped=True))
    same = cs.loss_curve(ranked, choice=cs.ScoreDriven())
    same_curve(curve, same)
    steps = np.arange(n + 2) / (n + 1)
    close(curve(steps), same(steps))


@given(UNWEIGHTED)
def test_evenly_spaced_scores_keep_the_order_and_are_spaced_once(sample):
    table = sample.table
    spaced = cs.transform.evenly_spaced(table).apply(table)
    assert spaced.auc == table.auc
    found = cs.transform.evenly_spaced(spaced)
    np.testing.assert_array_equal(found(spaced.by_score.breaks), spaced.by_score.breaks)
    position = [np.mean(np.flatnonzero(np.sort(sample.s) == s)) for s in sample.s]
    close(cs.transform.evenly_spaced(table)(sample.s), np.array(position) / (len(sample) - 1))


@given(predictions(sizes=(2, 40), unique=True))
def test_evenly_spaced_scores_tend_to_the_rate_choices(sample):
    # Corollary 18 and Theorem 19: they are within 1 / (2 n) of the mid-rates.
    n, table = len(sample), sample.table
    spaced = cs.transform.evenly_spaced(table).apply(table)
    driven = cs.expected_loss(table, choice=cs.RateDriven())
    uniform = cs.expected_loss(table, choice=cs.RateUniform())
    assert abs(cs.brier_score(spaced) - driven) <= 1 / n + 1 / (12 * n**2) + 1e-12
    assert abs(cs.mean_absolute_error(spaced) - uniform) <= 1 / (2 * n) + 1e-12


# --- Fixed, and thresholds that stay -----------------------------------------------------------


@on_both_axes
@given(ANY, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_fixed_is_score_driven_on_scores_0_and_1(axis, sample, threshold):
    table = sample.on(axis)
    decided = cs.transform.ScoreMap(np.array([threshold]), np.array([0.0, 1.0])).apply(table)
    fixed = cs.loss_curve(table, choice=cs.ScoreFixed(threshold))
    driven = cs.loss_curve(decided, choice=cs.ScoreDriven())
    same_curve(fixed, driven)
    c = np.append(inside(driven.breaks), 0.0)
    close(fixed(c), driven(c))
    close(fixed.left(1.0), driven.left(1.0))


FITTED = {
    "optimal": (cs.Optimal(), cs.pav, cs.ScoreDriven()),
    "rate_uniform": (cs.RateUniform(), cs.transform.mid_rates, cs.ScoreUniform()),
}


@on_both_axes
@pytest.mark.parametrize("name", FITTED)
@given(predictions(GRIDS), ANY)
def test_a_fitted_choice_is_a_score_choice_after_the_map_learnt(name, axis, test, train):
    choice, maker, by_score = FITTED[name]
    train = replace(train, prevalence=None)
    known, table = train.on(axis), test.on(axis)
    same_curve(
        cs.loss_curve(table, choice=cs.Fitted(choice, known)),
        cs.loss_curve(maker(known).apply(table), choice=by_score),
    )


# --- Repair of concavities ---------------------------------------------------------------------


def auc_by_pairs(sample, scores):
    """Share of the pairs of classes, by weight, that the scores rank right."""
    positive, negative = sample.y == 1, sample.y == 0
    gap = scores[positive][:, None] - scores[negative][None, :]
    won = np.where(gap > 0, 1.0, np.where(gap < 0, 0.0, 0.5))
    w = sample.weights
    return w[positive] @ won @ w[negative] / (w[positive].sum() * w[negative].sum())


@given(ANY)
def test_what_repairs_gain_adds_up_to_the_area_of_the_hull(sample):
    table = sample.table
    found = cs.transform.concavities(table)
    close(np.sum(found.auc_gained), cs.auc_hull(table) - cs.auc(table))
    tied = table
    for low, high, gained in zip(*found.columns().values(), strict=True):
        assert gained > 0
        close(cs.transform.repair_concavity(table, low=low, high=high).auc, table.auc + gained)
        close(
            cs.transform.repair_concavity(table, low=low, high=high, how="invert").auc,
            table.auc + 2 * gained,
        )
        tied = cs.transform.repair_concavity(tied, low=low, high=high)
    close(tied.auc, cs.auc_hull(table))
    same_curve(
        cs.loss_curve(tied, choice=cs.RateDriven()),
        cs.loss_curve(cs.convexify(table).apply(table), choice=cs.RateDriven()),
    )


@given(ANY, st.tuples(st.sampled_from([-1.0, 0.0, 0.1, 0.25, 0.5]), st.floats(0.01, 1)))
def test_repairs_of_any_range(sample, ends):
    table, low, high = sample.table, ends[0], ends[0] + ends[1]
    s = sample.printed
    within = (s > low) & (s <= high)
    if not np.any(within & (sample.weights > 0)):
        return
    middle = s[within & (sample.weights > 0)][0]
    close(
        cs.transform.repair_concavity(table, low=low, high=high).auc,
        auc_by_pairs(sample, np.where(within, middle, s)),
    )
    rank = np.unique(s, return_inverse=True)[1]
    keys = 1000 * ((s > low) * 1 + (s > high)) + np.where(within, -rank, rank)
    inverted = cs.transform.repair_concavity(table, low=low, high=high, how="invert")
    close(inverted.auc, auc_by_pairs(sample, keys))
    np.testing.assert_array_equal(inverted.by_score.breaks, table.by_score.breaks)
    again = cs.transform.repair_concavity(inverted, low=low, high=high, how="invert")
    for name in ("negatives", "positives"):
        np.testing.assert_array_equal(getattr(again, name).values, getattr(table, name).values)

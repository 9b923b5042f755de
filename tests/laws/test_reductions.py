"""Every deterministic choice is the score-driven one after a monotone map of the scores.

Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 7.3. The maps, mid-rates and PAV scores,
are computed here from their definitions on the reweighted rows.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.registry import ANY, AXES, UNTIED, close, inside, same_curve

import costspace as cs

on_both_axes = pytest.mark.parametrize("axis", AXES)


def rescored(sample, scores, axis):
    return replace(sample, s=scores).on(axis)


def mid_rates(sample, axis):
    """Share of examples below each score and half of those tied with it; and the blocks' w."""
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


@on_both_axes
@given(ANY)
def test_optimal_is_score_driven_on_pav_scores(axis, sample):
    table = sample.on(axis)
    scores = cs.cost_from_skew(table.skew_at_score(sample.s), table.prevalence)
    # Cumulated weights are rounded to 1e-16 of the whole, so the PAV score of a bin to as much
    # of the bin.
    mass = sample.masses(axis)
    present = mass > 0
    close((mass * scores)[present], (mass * pav(sample, axis))[present])
    calibrated = rescored(sample, scores, axis)
    optimal = cs.loss_curve(table, choice=cs.Optimal())
    same_curve(optimal, cs.loss_curve(calibrated, choice=cs.ScoreDriven()))
    close(optimal.expectation(cs.Uniform()), cs.brier_score(calibrated))


@on_both_axes
@given(ANY)
def test_optimal_is_its_own_optimum_after_calibration(axis, sample):
    table = sample.on(axis)
    scores = cs.cost_from_skew(table.skew_at_score(sample.s), table.prevalence)
    calibrated = rescored(sample, scores, axis)
    for choice in (cs.Optimal(), cs.ScoreDriven()):
        same_curve(
            cs.loss_curve(table, choice=cs.Optimal()), cs.loss_curve(calibrated, choice=choice)
        )


@on_both_axes
@given(ANY)
def test_rate_choices_are_score_choices_on_mid_rates(axis, sample):
    table = sample.on(axis)
    rates, blocks = mid_rates(sample, axis)
    ranked = rescored(sample, rates, axis)
    driven = cs.expected_loss(table, choice=cs.RateDriven())
    close(driven, cs.brier_score(ranked) + np.sum(blocks**3) / 12)
    uniform = cs.expected_loss(table, choice=cs.RateUniform())
    close(uniform, cs.mean_absolute_error(ranked))


@on_both_axes
@given(ANY)
def test_rates_at_a_score_are_the_shares_below_and_up_to_it(axis, sample):
    before, after = sample.on(axis).rates_at_score(sample.s)
    close((before + after) / 2, mid_rates(sample, axis)[0])


@on_both_axes
@given(UNTIED)
def test_stepped_is_score_driven_on_evenly_spaced_scores(axis, sample):
    n = len(sample)
    spaced = rescored(sample, (np.argsort(np.argsort(sample.s)) + 1) / (n + 1), axis)
    curve = cs.loss_curve(sample.on(axis), choice=cs.RateDriven(stepped=True))
    same = cs.loss_curve(spaced, choice=cs.ScoreDriven())
    same_curve(curve, same)
    steps = np.arange(n + 2) / (n + 1)
    close(curve(steps), same(steps))


@on_both_axes
@given(ANY, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_fixed_is_score_driven_on_scores_0_and_1(axis, sample, threshold):
    decided = rescored(sample, (sample.s > threshold).astype(float), axis)
    fixed = cs.loss_curve(sample.on(axis), choice=cs.ScoreFixed(threshold))
    driven = cs.loss_curve(decided, choice=cs.ScoreDriven())
    same_curve(fixed, driven)
    c = np.append(inside(driven.breaks), 0.0)
    close(fixed(c), driven(c))
    close(fixed.left(1.0), driven.left(1.0))

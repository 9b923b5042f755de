"""What is known of scores by bin only: bounds that contain what is known of the scores."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.metrics import METRICS, Metric
from laws.registry import (
    ANY,
    AXES,
    CHOICES,
    COSTS,
    GRIDS,
    SHIFTS,
    WHOLE,
    close,
    inside,
    predictions,
)
from refusals import refused
from scipy import stats

import costspace as cs

BOUNDED = [name for name, case in CHOICES.items() if case.choice.monotone != "unknown"]
STEPPED = [name for name, case in CHOICES.items() if case.untied]
MORE_METRICS = {
    "log_loss": cs.log_loss,
    "boosting_loss": cs.metrics.boosting_loss,
    "zero_one_loss": cs.metrics.zero_one_loss,
    "cost_loss_utility": cs.metrics.cost_loss_utility,
    "relative_voros": cs.relative_voros,
    "partial_brier_score": cs.partial_brier_score,
}
EVERY_METRIC = METRICS | {name: Metric(metric, None) for name, metric in MORE_METRICS.items()}

# Edges at the very scores of a grid, between them, next to them, and none at all.
BINNINGS = st.one_of(
    st.sampled_from([1, 2, 4, 5, 10]).map(lambda bins: cs.Binning.uniform(bins=bins)),
    st.sampled_from(
        [
            cs.Binning.uniform(2, 3, bins=1),
            cs.Binning.uniform(-1, 0.3, bins=3),
            cs.Binning((cs.summaries.Piece(0.1, 0.3, 2), cs.summaries.Piece(0.5, 0.75, 3))),
            cs.Binning(
                (
                    cs.summaries.Piece(1e-9, 0.3, 9, "log"),
                    cs.summaries.Piece(0.4, 0.999, 4, "log from one"),
                )
            ),
        ]
    ),
)


def binned_of(sample, binning):
    return cs.ScoreCounts.from_predictions(
        sample.y, sample.s, binning=binning, sample_weight=sample.w
    )


def within(value, found, tolerance=0.0):
    assert found.low - tolerance <= value <= found.high + tolerance


@pytest.mark.parametrize("name", BOUNDED)
@given(ANY, BINNINGS, st.sampled_from(AXES), st.sampled_from(sorted(COSTS)))
@settings(max_examples=12)
def test_bounds_contain_every_expected_loss(name, sample, binning, axis, costs):
    options = {"choice": CHOICES[name].choice, "axis": axis, "costs": COSTS[costs].costs}
    exact = cs.expected_loss(sample.table, **options)
    found = cs.bounds(
        binned_of(sample, binning),
        metric=partial(cs.expected_loss, prevalence=sample.prevalence, **options),
    )
    within(exact, found)


@pytest.mark.parametrize("name", BOUNDED)
@given(ANY, BINNINGS, st.sampled_from(AXES))
@settings(max_examples=12)
def test_curves_of_the_best_and_the_worst_contain_the_curve(name, sample, binning, axis):
    options = {"choice": CHOICES[name].choice, "axis": axis, "prevalence": sample.prevalence}
    binned = binned_of(sample, binning)
    best, exact, worst = (
        cs.loss_curve(table, **options) for table in (binned.best, sample.table, binned.worst)
    )
    c = inside(np.concatenate([curve.breaks for curve in (best, exact, worst)]))
    assert np.all(best(c) <= exact(c) + 1e-12)
    assert np.all(exact(c) <= worst(c) + 1e-12)


TRAIN = cs.ScoreTable.from_predictions(
    [0, 0, 1, 0, 1, 1], [0.05, 0.35, 0.3, 0.6, 0.55, 0.9], sample_weight=[1, 2, 1, 1, 3, 1]
)
UNTIED_TRAIN = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1], [0.1, 0.4, 0.3, 0.6, 0.8])
ERROR = stats.norm(0, 0.1)
MORE_CHOICES = {
    "fitted_optimal": cs.Fitted(cs.Optimal(), TRAIN),
    "fitted_rate_fixed": cs.Fitted(cs.RateFixed(0.3), TRAIN),
    "fitted_rate_driven": cs.Fitted(cs.RateDriven(), TRAIN),
    "fitted_stepped": cs.Fitted(cs.RateDriven(stepped=True), UNTIED_TRAIN),
    "fitted_corrected": cs.Fitted(cs.ScoreDriven(calibrated_to=0.2), TRAIN),
    "noisy_score_driven": cs.NoisyCondition(cs.ScoreDriven(), ERROR),
    "noisy_rate_driven": cs.NoisyCondition(cs.RateDriven(), ERROR),
    "noisy_fitted": cs.NoisyCondition(cs.Fitted(cs.Optimal(), TRAIN), ERROR),
}


@pytest.mark.parametrize("name", MORE_CHOICES)
@given(predictions(GRIDS, weights=WHOLE, prevalence=st.none() | SHIFTS), BINNINGS)
@settings(max_examples=4)
def test_bounds_contain_losses_of_fitted_and_noisy_choices(name, sample, binning):
    options = {"choice": MORE_CHOICES[name], "costs": cs.Beta(2, 2)}
    found = cs.bounds(
        binned_of(sample, binning),
        metric=partial(cs.expected_loss, prevalence=sample.prevalence, **options),
    )
    # Noise is integrated to so many digits.
    tolerance = 1e-8 if isinstance(MORE_CHOICES[name], cs.NoisyCondition) else 0.0
    within(cs.expected_loss(sample.table, **options), found, tolerance)


@pytest.mark.parametrize("name", [n for n, case in EVERY_METRIC.items() if case.bounded])
@given(ANY, BINNINGS)
@settings(max_examples=14)
def test_bounds_contain_every_metric(name, sample, binning):
    case = EVERY_METRIC[name]
    binned = binned_of(sample, binning)
    found = cs.bounds(
        binned, metric=partial(case.metric, prevalence=sample.prevalence, **case.options)
    )
    within(case(sample.table), found)


@pytest.mark.parametrize("name", [n for n, case in EVERY_METRIC.items() if not case.bounded])
def test_metrics_that_better_scores_may_worsen_are_refused(name):
    case = EVERY_METRIC[name]
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7], binning=cs.Binning.uniform())
    with refused(cs.ConditionError, "bounds"):
        cs.bounds(binned, metric=partial(case.metric, **case.options))


@pytest.mark.parametrize(
    "metric",
    [
        cs.brier_score,
        cs.macro_brier_score,
        cs.mean_absolute_error,
        cs.macro_mean_absolute_error,
        cs.metrics.cost_loss_utility,
    ],
)
@given(ANY, BINNINGS)
@settings(max_examples=14)
def test_mean_errors_are_exact_whatever_the_bins(metric, sample, binning):
    found = cs.bounds(
        binned_of(sample, binning), metric=partial(metric, prevalence=sample.prevalence)
    )
    close([found.low, found.high], metric(sample.table))


@given(ANY, BINNINGS)
def test_bounds_of_miscalibration_are_those_of_the_refinement_loss(sample, binning):
    binned = binned_of(sample, binning)
    brier = cs.brier_score(sample.table)
    refinement = cs.bounds(binned, metric=partial(cs.refinement_loss, prevalence=sample.prevalence))
    found = cs.bounds(binned, metric=partial(cs.miscalibration, prevalence=sample.prevalence))
    close([found.low, found.high], [max(0, brier - refinement.high), brier - refinement.low])


@given(ANY, BINNINGS, st.data())
def test_parts_add_up_to_the_whole_in_any_order(sample, binning, data):
    whole = binned_of(sample, binning)
    part = np.array(data.draw(st.lists(st.booleans(), min_size=len(sample), max_size=len(sample))))
    if not part.any() or part.all() or (sample.w is not None and not sample.w[part].any()):
        return
    if sample.w is not None and not sample.w[~part].any():
        return
    first, second = (binned_of(sample.rows(index), binning) for index in (part, ~part))
    columns = whole.columns()
    for added in (first + second, second + first):
        assert list(added.columns()) == list(columns)
        for name, values in added.columns().items():
            exact = not name.endswith(("sum", "squares", "weight"))
            np.testing.assert_allclose(values, columns[name], rtol=0 if exact else 1e-12)


@pytest.mark.parametrize("name", ["auc", "auc_hull", "h_measure", "voros", *BOUNDED])
@given(ANY, st.integers(0, 4), st.sampled_from(AXES), st.sampled_from(sorted(COSTS)))
@settings(max_examples=6)
def test_more_bins_never_widen_bounds(name, sample, power, axis, costs):
    options = {"prevalence": sample.prevalence}
    if name in METRICS:
        metric, tolerance = METRICS[name].metric, 1e-12
    else:
        metric, tolerance = cs.expected_loss, COSTS[costs].tolerance
        options |= {"choice": CHOICES[name].choice, "axis": axis, "costs": COSTS[costs].costs}
    wide, narrow = (
        cs.bounds(
            binned_of(sample, cs.Binning.uniform(bins=bins)), metric=partial(metric, **options)
        )
        for bins in (2**power, 2 ** (power + 1))
    )
    within(narrow.low, wide, tolerance)
    within(narrow.high, wide, tolerance)


@given(ANY)
def test_bins_of_one_score_each_have_exact_bounds(sample):
    scores = np.unique(sample.printed)
    middles = (scores[1:] + scores[:-1]) / 2
    if len(middles) < 2 or np.diff(scores).min() < 1e-9:
        return
    pieces = pairwise(middles)
    binned = binned_of(sample, cs.Binning(tuple(cs.summaries.Piece(*ends, 1) for ends in pieces)))
    assert cs.evaluation.widest_bounds(binned, costs=cs.Beta(2, 2)) <= 1e-13
    close(cs.auc(binned.best), cs.auc(sample.table))


@given(ANY, BINNINGS)
def test_the_rows_and_weights_are_those_of_the_data(sample, binning):
    binned, table = binned_of(sample, binning), replace(sample, prevalence=None).table
    for end in (binned.best, binned.worst):
        close(end.prevalence, table.prevalence)
        for side in ("negatives", "positives"):
            assert getattr(end, side).rows == getattr(table, side).rows
            close(getattr(end, side).total / getattr(table, side).total, 1)
        assert end.score_range == table.score_range
        # Weights that add up to the number of rows in every bin are as none.
        if sample.w is None or np.all(sample.w == 1):
            assert not end.negatives.weighted


@pytest.mark.parametrize("name", STEPPED)
def test_stepped_choices_are_refused(name):
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7], binning=cs.Binning.uniform())
    with refused(cs.ConditionError, "has no bounds on binned scores, because it needs the exact"):
        cs.bounds(binned, metric=partial(cs.expected_loss, choice=CHOICES[name].choice))


def test_noise_before_the_best_threshold_can_cost_more_on_better_scores():
    """Why such a choice is refused: a point that is best elsewhere may be worse here."""
    choice = cs.NoisyCondition(cs.Optimal(), stats.norm(0.3, 0.02))
    worse, better = (
        cs.expected_loss([0, 1, 1, 0], s, choice=choice, costs=cs.Point(0.3))
        for s in ([0, 1, 1, 1], [0, 2, 1, 1])
    )
    assert better > worse + 0.1
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7], binning=cs.Binning.uniform())
    with refused(cs.ConditionError, "fit Optimal() on a sample, Fitted(..., on)"):
        cs.bounds(binned, metric=partial(cs.expected_loss, choice=choice))

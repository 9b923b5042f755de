"""What must not change a number, and what must mirror it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.metrics import METRICS, metrics_of
from laws.registry import (
    ANY,
    AXES,
    GRIDS,
    PLAIN,
    REAL,
    SHIFTS,
    UNTIED,
    WHOLE,
    Predictions,
    close,
    fit_for,
    inside,
    predictions,
    same_curve,
)
from laws.registry import (
    EVERY_CHOICE as CHOICES,
)

import costspace as cs

with_ties_and_weights = pytest.mark.parametrize(
    "name", [name for name, case in CHOICES.items() if not case.untied]
)
every_choice = pytest.mark.parametrize("name", CHOICES)
rank_choices = pytest.mark.parametrize("name", [n for n, case in CHOICES.items() if case.ranks])

SCORES = GRIDS | st.just(PLAIN)
COUNTED = predictions(SCORES, weights=WHOLE, prevalence=st.none() | SHIFTS)
WEIGHTED = predictions(SCORES, weights=REAL, prevalence=st.none() | SHIFTS)
# Dyadic scores, of which 1 - s is exact.
DYADIC = st.just(st.integers(0, 64).map(lambda i: i / 64))


def same_everywhere(name, table, other):
    for axis in AXES:
        same_curve(
            cs.loss_curve(table, choice=CHOICES[name].choice, axis=axis),
            cs.loss_curve(other, choice=CHOICES[name].choice, axis=axis),
        )


def merged(parts):
    """One sample of two: weights of 1 where one has none."""
    y, s = (np.concatenate([getattr(part, name) for part in parts]) for name in ("y", "printed"))
    unweighted = all(part.w is None for part in parts)
    w = None if unweighted else np.concatenate([part.weights for part in parts])
    return Predictions(y, s, w, parts[0].prevalence)


@with_ties_and_weights
@given(ANY, ANY)
@settings(max_examples=25)
def test_merging_tables_is_one_table(name, first, second):
    second = replace(second, prevalence=first.prevalence)
    same_everywhere(name, first.table + second.table, merged([first, second]).table)


@given(ANY, ANY)
def test_metrics_of_merged_tables_are_those_of_one(first, second):
    second = replace(second, prevalence=first.prevalence)
    table, other = first.table + second.table, merged([first, second]).table
    close(metrics_of(table), metrics_of(other))
    assert repr(table) == repr(other)


@given(ANY, st.randoms(use_true_random=False))
def test_any_split_into_tables_merges_to_the_whole(sample, random):
    # Each part needs both classes, so each is given a row of either on top.
    ends = Predictions(np.array([0, 1]), np.array([0.25, 0.75]), None, sample.prevalence)
    rows = np.array([random.random() < 0.5 for _ in range(len(sample))])
    parts = [merged([sample.rows(chosen), ends]) for chosen in (rows, ~rows)]
    whole = merged([sample, merged([ends, ends])])
    close(metrics_of(parts[0].table + parts[1].table), metrics_of(whole.table))


@every_choice
@given(UNTIED, UNTIED)
@settings(max_examples=14)
def test_merging_untied_tables_is_one_table(name, first, second):
    # Even levels for one and odd ones for the other: neither ties nor weights arise.
    ranks = [np.argsort(np.argsort(part.s)) for part in (first, second)]
    parts = [
        replace(part, s=(2 * rank + odd) / 30, prevalence=first.prevalence)
        for part, rank, odd in zip((first, second), ranks, (0, 1), strict=True)
    ]
    same_everywhere(name, parts[0].table + parts[1].table, merged(parts).table)


@given(ANY, ANY, ANY)
@settings(max_examples=20)
def test_merging_is_associative_and_commutative(a, b, c):
    tables = [replace(part, prevalence=None).table for part in (a, b, c)]
    one = metrics_of((tables[0] + tables[1]) + tables[2])
    close(metrics_of(tables[0] + (tables[1] + tables[2])), one)
    close(metrics_of((tables[2] + tables[1]) + tables[0]), one)


@pytest.mark.parametrize("name", [n for n, c in CHOICES.items() if c.shares and not c.untied])
@given(COUNTED)
@settings(max_examples=20)
def test_whole_weights_are_repetitions(name, sample):
    repeated = replace(sample.rows(np.repeat(np.arange(len(sample)), sample.w.astype(int))), w=None)
    same_everywhere(name, sample.table, repeated.table)


@given(COUNTED)
def test_metrics_under_whole_weights_are_those_of_repetitions(sample):
    repeated = replace(sample.rows(np.repeat(np.arange(len(sample)), sample.w.astype(int))), w=None)
    close(metrics_of(sample.table), metrics_of(repeated.table))


@given(COUNTED)
@settings(max_examples=25)
def test_weight_zero_is_absence(sample):
    present = sample.rows(sample.w > 0)
    np.testing.assert_array_equal(metrics_of(sample.table), metrics_of(present.table))
    for axis in AXES:
        for case in CHOICES.values():
            if not case.untied:
                options = {"choice": case.choice, "axis": axis, "prevalence": sample.prevalence}
                shares = cs.loss_shares(sample.y, sample.s, sample_weight=sample.w, **options)
                kept = cs.loss_shares(present.y, present.s, sample_weight=present.w, **options)
                np.testing.assert_array_equal(shares[sample.w > 0], kept)


@every_choice
@given(st.data(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_row_order_is_irrelevant(name, data, random):
    sample = fit_for(CHOICES[name], data)
    order = np.array(random.sample(range(len(sample)), len(sample)))
    shuffled = sample.rows(order)
    same_everywhere(name, sample.table, shuffled.table)
    shares, other = (
        cs.loss_shares(rows.y, rows.s, choice=CHOICES[name].choice, **rows.options)
        for rows in (sample, shuffled)
    )
    close(shares[order], other)


@given(ANY | UNTIED, st.randoms(use_true_random=False))
def test_row_order_is_irrelevant_to_metrics(sample, random):
    shuffled = sample.rows(np.array(random.sample(range(len(sample)), len(sample))))
    close(metrics_of(sample.table), metrics_of(shuffled.table))


FACTORS = st.sampled_from([2.0**-40, 1e-30, 0.1, 3.0, 1e30])


@with_ties_and_weights
@given(WEIGHTED, FACTORS)
@settings(max_examples=20)
def test_scaling_weights_changes_nothing(name, sample, factor):
    scaled = replace(sample, w=sample.w * factor)
    same_everywhere(name, sample.table, scaled.table)


@given(WEIGHTED, FACTORS)
def test_scaling_weights_changes_no_metric(sample, factor):
    scaled = replace(sample, w=sample.w * factor)
    close(metrics_of(sample.table), metrics_of(scaled.table))


def test_equal_weights_are_no_weights_in_a_large_sample():
    # 0.1 added up a million times is off by 1e-12 of the sum, unless blocks are added up apart.
    rng = np.random.default_rng(7)
    y, s = rng.integers(0, 2, 10**6), rng.random(10**6)
    weighted = cs.ScoreTable.from_predictions(y, s, sample_weight=np.full(10**6, 0.1))
    close(metrics_of(weighted), metrics_of(cs.ScoreTable.from_predictions(y, s)))


# Strictly ascending maps of k levels, among them infinite ends and neighbouring floats.
ASCENDING = {
    "integers": lambda k: np.arange(k) - k // 2,
    "infinite_ends": lambda k: np.concatenate([[-np.inf], np.arange(1.0, k - 1), [np.inf]])[-k:],
    "neighbouring_floats": lambda k: 1 + np.arange(k) * 2.0**-52,
    "denormals": lambda k: np.arange(k) * 5e-324,
    "huge": lambda k: np.linspace(-1, 1, k) * 1e308,
    "single_precision": lambda k: (1 + np.arange(k) * 2.0**-23).astype(np.float32),
}


def mapped(sample, ascending):
    distinct, rank = np.unique(sample.s, return_inverse=True)
    return replace(sample, s=ASCENDING[ascending](len(distinct))[rank])


@pytest.mark.parametrize("ascending", ASCENDING)
@rank_choices
@given(st.data())
@settings(max_examples=14)
def test_choices_by_rank_see_only_the_order_of_scores(name, ascending, data):
    sample = fit_for(CHOICES[name], data)
    other = mapped(sample, ascending)
    same_everywhere(name, sample.table, other.table)
    shares, others = (
        cs.loss_shares(rows.y, rows.s, choice=CHOICES[name].choice, **rows.options)
        for rows in (sample, other)
    )
    close(shares, others)


@pytest.mark.parametrize("ascending", ASCENDING)
@pytest.mark.parametrize("metric", [name for name, case in METRICS.items() if case.ranks])
@given(ANY)
@settings(max_examples=14)
def test_metrics_by_rank_see_only_the_order_of_scores(metric, ascending, sample):
    table, other = sample.table, mapped(sample, ascending).table
    close(metrics_of(other, [metric]), metrics_of(table, [metric]))


def swapped(sample, scores):
    prevalence = None if sample.prevalence is None else 1 - sample.prevalence
    return Predictions(1 - sample.y, scores, sample.w, prevalence)


def mirrors(name, sample, scores):
    """Q'(c) = Q(1 - c) away from the breaks, at which each curve is right-continuous."""
    case = CHOICES[name]
    for axis in AXES:
        curve = cs.loss_curve(sample.table, choice=case.choice, axis=axis)
        mirror = cs.loss_curve(swapped(sample, scores).table, choice=case.mirror, axis=axis)
        # Breaks near 1 are rounded, which moves a loss by its share of the piece's width.
        c = inside(np.concatenate([curve.breaks, 1 - mirror.breaks]), least=1e-3)
        close(mirror(1 - c), curve(c))


@pytest.mark.parametrize("name", [n for n, case in CHOICES.items() if not case.ranks])
@given(predictions(DYADIC, prevalence=st.none() | SHIFTS) | predictions(DYADIC, weights=REAL))
@settings(max_examples=25)
def test_swapping_classes_mirrors_choices_by_score(name, sample):
    threshold = getattr(CHOICES[name].choice, "threshold", None)
    # A score at a fixed threshold is flagged in neither orientation.
    sample = sample.rows(sample.s != threshold)
    if len(np.unique(sample.y)) == 2:
        mirrors(name, sample, 1 - sample.s)


@rank_choices
@given(st.data())
@settings(max_examples=25)
def test_swapping_classes_mirrors_choices_by_rank(name, data):
    sample = fit_for(CHOICES[name], data)
    mirrors(name, sample, -sample.s)


@given(ANY)
def test_swapping_classes_leaves_symmetric_metrics_alone(sample):
    table, mirror = sample.table, swapped(sample, -sample.s).table
    names = ("auc", "auc_hull", "gini", "kendall_tau", "h_measure_hand", "voros")
    names += ("refinement_loss", "refinement_loss_roc")
    close(metrics_of(mirror, names), metrics_of(table, names))
    close(cs.voros(mirror, low=0.4, high=0.8), METRICS["voros_part"](table))


@given(predictions(DYADIC, prevalence=st.none() | SHIFTS) | predictions(DYADIC, weights=REAL))
def test_swapping_classes_leaves_losses_of_probabilities_alone(sample):
    table, mirror = sample.table, swapped(sample, 1 - sample.s).table
    names = ("brier", "macro_brier", "mae", "macro_mae", "miscalibration")
    names += ("calibration_loss", "calibration_loss_roc")
    close(metrics_of(mirror, names), metrics_of(table, names))

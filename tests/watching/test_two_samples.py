"""Drift against unpaired comparisons, SciPy and repeated samples."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy import stats
from two_periods import counts, sample

import costspace as cs
from costspace import ConditionError, LabelError, SourceError
from costspace.estimates.quantities import QUANTITIES

COMPARED = QUANTITIES[2:]


def table(y, s, **more):
    return cs.ScoreTable.from_predictions(y, s, **more)


def by_name(found):
    return {one.quantity: one for one in found.changes}


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_metrics_and_losses_are_compared_as_independent_samples_are(prevalence):
    (y0, s0), (y1, s1) = sample(0), sample(1, 400, moved=0.4)
    for make in (table, counts):
        found = cs.drift(
            make(y0, s0),
            make(y1, s1),
            quantities=COMPARED,
            correction=None,
            level=0.9,
            prevalence=prevalence,
        )
        expected = cs.compare(
            {"before": y0, "after": y1},
            {"before": s0, "after": s1},
            metrics=COMPARED,
            correction=None,
            level=0.9,
            prevalence=prevalence,
        )
        assert [one.quantity for one in found.changes] == list(COMPARED)
        for one, pair in zip(found.changes, expected.pairs, strict=True):
            assert one.difference == pytest.approx(-pair.difference, abs=1e-12)
            assert one.bounds == (one.difference, one.difference)
            assert one.standard_error == pytest.approx(pair.standard_error, rel=1e-9)
            assert (one.low, one.high) == pytest.approx((-pair.high, -pair.low), abs=1e-9)
            assert one.p == pytest.approx(pair.p, rel=1e-6)
            assert one.bias == pytest.approx(-pair.bias, abs=1e-12)
            assert (one.method, one.design) == (pair.method, pair.design)


def test_prevalence_is_a_difference_of_two_shares():
    (y0, s0), (y1, s1) = sample(0, 200), sample(1, 300)
    # An assumed prevalence has no part in it.
    for prevalence in (None, 0.5):
        found = cs.drift(
            table(y0, s0), table(y1, s1), quantities="prevalence", prevalence=prevalence
        )
        one = found.changes[0]
        assert (one.before, one.after) == (y0.mean(), y1.mean())
        error = np.hypot(y0.std() / np.sqrt(len(y0)), y1.std() / np.sqrt(len(y1)))
        assert one.standard_error == pytest.approx(error, rel=0.01)
        assert one.design == "independent"
        reach = stats.norm.ppf(0.975) * one.standard_error
        assert (one.low, one.high) == pytest.approx(
            (one.difference - reach, one.difference + reach)
        )
        assert one.p == pytest.approx(2 * stats.norm.sf(abs(one.difference) / one.standard_error))


@pytest.mark.parametrize("prevalence", [None, 0.4])
def test_calibration_in_the_large_is_a_difference_of_two_means(prevalence):
    samples = sample(0, 250), sample(1, 350, moved=0.3)
    one = cs.drift(
        *(table(*both) for both in samples),
        quantities="calibration_in_the_large",
        prevalence=prevalence,
    ).changes[0]
    means, variances = [], []
    for y, s in samples:
        if prevalence is None:
            means.append(np.mean(s - y))
            variances.append(np.var(s - y) / len(y))
        else:
            sides = [(s[y == 0], 1 - prevalence), (s[y == 1], prevalence)]
            means.append(sum(p * side.mean() for side, p in sides) - prevalence)
            variances.append(sum(p**2 * side.var() / len(side) for side, p in sides))
    assert (one.before, one.after) == pytest.approx(means)
    assert one.standard_error == pytest.approx(np.sqrt(sum(variances)), rel=0.01)


def test_shifts_are_those_of_kolmogorov_and_smirnov():
    (y0, s0), (y1, s1) = sample(0, 900), sample(1, 1100, moved=0.25)
    found = cs.drift(table(y0, s0), counts(y1, s1), quantities="auc", correction=None)
    for label, one in enumerate(found.shifts):
        expected = stats.ks_2samp(s0[y0 == label], s1[y1 == label], method="asymp")
        assert one.rows == ("negatives", "positives")[label]
        assert one.distance == pytest.approx(expected.statistic, abs=1e-12)
        assert one.bounds == pytest.approx((expected.statistic, expected.statistic), abs=1e-12)
        # SciPy's has a correction for small samples.
        assert one.p == pytest.approx(expected.pvalue, rel=0.15)


def test_weighted_rows_have_an_effective_size():
    (y0, s0), (y1, s1) = sample(0), sample(1, moved=0.3)
    doubled = np.full(len(y0), 2.0)
    plain = cs.drift(table(y0, s0), table(y1, s1), quantities=["prevalence", "auc", "brier"])
    weighted = cs.drift(
        table(y0, s0, sample_weight=doubled),
        table(y1, s1),
        quantities=["prevalence", "auc", "brier"],
    )
    for one, other in zip(plain.changes, weighted.changes, strict=True):
        assert one.standard_error == pytest.approx(other.standard_error, rel=1e-9)
    for one, other in zip(plain.shifts, weighted.shifts, strict=True):
        assert one.p == pytest.approx(other.p)


def test_all_tests_of_a_drift_are_one_family():
    (y0, s0), (y1, s1) = sample(0), sample(1, share=0.4, moved=0.3)
    raw = cs.drift(table(y0, s0), table(y1, s1), correction=None)
    found = cs.drift(table(y0, s0), table(y1, s1), correction="bonferroni")
    family = len(QUANTITIES) + 2
    for one, other in zip(
        (*raw.changes, *raw.shifts), (*found.changes, *found.shifts), strict=True
    ):
        assert one.p_adjusted == one.p == other.p
        assert other.p_adjusted == min(1, family * one.p)


def test_each_sample_has_its_test_of_calibration():
    (y0, s0), (y1, s1) = sample(0), sample(1, moved=0.5)
    found = cs.drift(counts(y0, s0), table(y1, s1), quantities="auc", prevalence=0.2)
    assert found.calibration_before.p == pytest.approx(cs.calibration_test(y0, s0).p)
    assert found.calibration_after.p == pytest.approx(cs.calibration_test(y1, s1).p)


def test_calibration_of_weighted_counts_is_that_of_the_rows():
    y, s = sample(0)
    weight = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    expected = cs.calibration_test(y, s, sample_weight=weight)
    for found in (
        cs.calibration_test(table(y, s, sample_weight=weight)),
        cs.calibration_test(counts(y, s, sample_weight=weight).table()),
    ):
        assert found.statistic == pytest.approx(expected.statistic)
        assert (found.degrees, found.n) == (expected.degrees, expected.n)


@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
@settings(max_examples=30)
def test_binned_scores_hold_what_the_rows_say(seed, bins, weighted):
    random = np.random.default_rng(seed)
    # Of weighted rows each class needs several bins for a standard error.
    binning = cs.Binning.uniform(bins=20 * bins if weighted else bins)
    exact, binned = [], []
    for moved in (0.0, random.uniform(0.01, 0.8)):
        y, s = sample([seed, moved > 0], 60, moved=moved)
        y[:4] = 0, 1, 0, 1
        weight = random.integers(1, 4, len(y)).astype(float) if weighted else None
        exact.append(counts(y, s, sample_weight=weight))
        binned.append(cs.ScoreCounts.from_predictions(y, s, sample_weight=weight, binning=binning))
    of_rows, found = cs.drift(*exact), cs.drift(*binned)
    known = by_name(of_rows)
    for name, one in by_name(found).items():
        low, high = one.bounds
        assert low - 1e-12 <= known[name].difference <= high + 1e-12, name
        assert low - 1e-12 <= one.difference <= high + 1e-12, name
        assert one.p >= 0
    for name in ("prevalence", "calibration_in_the_large", "brier", "mae"):
        one = by_name(found)[name]
        assert one.bounds == pytest.approx((known[name].difference,) * 2, abs=1e-12), name
    for one, shift in zip(found.shifts, of_rows.shifts, strict=True):
        assert one.bounds[0] - 1e-12 <= shift.distance <= one.bounds[1] + 1e-12
        assert one.p >= shift.p - 1e-12


def test_fine_bins_find_what_the_rows_do():
    (y0, s0), (y1, s1) = sample(0), sample(1, moved=0.3)
    exact = cs.drift(counts(y0, s0), counts(y1, s1))
    binned = cs.drift(
        *(
            cs.ScoreCounts.from_predictions(*x, binning=cs.Binning.uniform())
            for x in ((y0, s0), (y1, s1))
        )
    )
    for one, other in zip(exact.changes, binned.changes, strict=True):
        assert other.difference == pytest.approx(one.difference, abs=1e-9)
        assert other.standard_error == pytest.approx(one.standard_error, rel=1e-6)
        assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1e-6)
    assert binned.calibration_before is None
    assert "binned" in binned.notes["calibration_test.after"]


def test_coarse_bins_widen_the_interval():
    (y0, s0), (y1, s1) = sample(0), sample(1, moved=0.3)
    binning = cs.Binning.uniform(bins=8)
    exact = cs.drift(counts(y0, s0), counts(y1, s1), quantities="auc").changes[0]
    binned = cs.drift(
        *(cs.ScoreCounts.from_predictions(*x, binning=binning) for x in ((y0, s0), (y1, s1))),
        quantities="auc",
    ).changes[0]
    assert binned.bounds[1] - binned.bounds[0] > 0.01
    assert binned.low < exact.low < exact.high < binned.high
    assert binned.p > exact.p


def test_without_drift_few_samples_show_one():
    """At a level of 5 %, over all quantities and both shifts."""
    false = clear = 0
    for seed in range(60):
        first, second = sample(2 * seed, 400), sample(2 * seed + 1, 400)
        found = cs.drift(counts(*first), counts(*second), quantities=["prevalence", "auc", "brier"])
        false += any(found.is_clear(one) for one in (*found.changes, *found.shifts))
        moved = sample(2 * seed + 1, 400, moved=0.8)
        found = cs.drift(counts(*first), counts(*moved), quantities=["prevalence", "auc", "brier"])
        clear += found.is_clear(found.shifts[0])
    assert false <= 8  # 3 expected at most, by Holm
    assert clear == 60


def test_the_reading_tells_kinds_of_change_apart():
    rows = sample(0, 2000)
    before = counts(*rows)
    same = counts(*sample(1, 2000))
    rarer = counts(*sample(2, 2000, share=0.15))
    other = counts(*sample(3, 2000, moved=0.5))
    assert cs.drift(before, same).reading().startswith("No evidence of a change: not of the share")
    assert "the share of positives has changed, and there is no evidence" in (
        cs.drift(before, rarer).reading().lower()
    )
    reading = cs.drift(before, other).reading()
    assert reading.startswith("The distribution of the scores of the negatives and of the")
    assert "share of positives" not in reading
    both = counts(*sample(4, 2000, share=0.15, moved=0.5))
    assert cs.drift(before, both).reading().endswith("The share of positives has changed too.")


def test_what_has_no_meaning_for_the_scores_is_left_out():
    y = np.array([0, 0, 1, 0, 1, 1, 0, 1])
    margins = np.array([-2, -1, 1, 0.5, 2, 0.2, -0.4, np.inf])
    found = cs.drift(table(y, margins), table(y, margins[::-1]))
    assert "auc" in by_name(found)
    for name in ("brier", "calibration_in_the_large", "calibration_test.before"):
        assert "scores in [0, 1]" in found.notes[name], name
    assert found.calibration_before is None
    assert any(line.startswith("No brier: ") for line in repr(found).splitlines())


def test_columns_and_json():
    (y0, s0), (y1, s1) = sample(0), sample(1)
    found = cs.drift(counts(y0, s0), counts(y1, s1))
    columns = found.columns()
    assert {len(column) for column in columns.values()} == {len(QUANTITIES)}
    np.testing.assert_array_equal(columns["bound_low"], columns["difference"])
    assert found.shift_columns()["rows"].tolist() == ["negatives", "positives"]
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["changes"][0]["quantity"] == "prevalence"
    assert plain["changes"][0]["se"] == found.changes[0].standard_error
    assert plain["calibration_test"]["before"]["p"] == found.calibration_before.p
    certain = table([0, 0, 1, 1, 0], [0.2, 0.3, 0.8, 0.0, 1.0])
    plain = cs.drift(certain, certain).to_dict()
    assert plain["calibration_test"]["before"]["statistic"] is None
    json.dumps(plain, allow_nan=False)


def test_what_cannot_be_compared_is_refused():
    y, s = sample(0)
    good = table(y, s)
    with refused(LabelError, "after: there is no positive row"):
        cs.drift(good, counts([0, 0], [0.1, 0.2]))
    with refused(SourceError, "before: drift needs a ScoreTable, ScoreCounts or ScoredRows"):
        cs.drift(s, good)
    with refused(ConditionError, "there is no quantity 'acu'"):
        cs.drift(good, good, quantities=["acu"])
    with refused(LabelError, "at least two rows of each class"):
        cs.drift(good, table([0, 0, 1], [0.1, 0.2, 0.3]))
    with refused(SourceError, "one sample has a prevalence override"):
        cs.drift(good, good.with_prevalence(0.5), quantities="brier")
    with refused(SourceError, "needs rows, or a ScoreTable with the prevalence of its rows"):
        cs.calibration_test(good.with_prevalence(0.5))


def test_rows_of_models_of_two_names_are_not_one_model():
    y, s = sample(0)
    one, other, unnamed = (
        cs.ScoredRows.from_predictions(y, scores) for scores in ({"old": s}, {"new": s}, s)
    )
    with refused(SourceError, "drift is of one model, got scores of 'old' before and of 'new' af"):
        cs.drift(one, other)
    expected = cs.drift(one, one)
    assert cs.drift(one, unnamed) == cs.drift(unnamed, other) == expected
    assert cs.drift(one, cs.ScoreTable.from_rows(other, "new")) == expected
    with refused(cs.ScoreError, "before: the scores of one model are needed, got those of a, b."):
        cs.drift(cs.ScoredRows.from_predictions(y, {"a": s, "b": s}), other)


def test_costs_may_be_distributed_as_scipy_has_it():
    y, s = sample(0)
    found = cs.drift(table(y, s), table(y, s[::-1]), costs=stats.beta(2, 2))
    expected = cs.drift(table(y, s), table(y, s[::-1]), costs=cs.Beta(2, 2))
    losses = (by_name(one)["expected_loss.cost.optimal"].difference for one in (found, expected))
    assert len({round(loss, 9) for loss in losses}) == 1

"""Drift where rows are in groups that may be in both samples: sums by hand, and refusals."""

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import LabelError, SourceError


def sample(seed, effect, n=400):
    """Rows of customers, whose effect on label and score is the same in both periods."""
    random = np.random.default_rng(seed)
    who = random.integers(0, len(effect), n)
    y = (random.random(n) < 1 / (1 + np.exp(1 - 2 * effect[who]))).astype(int)
    s = 1 / (1 + np.exp(-(y + effect[who] + random.normal(size=n) - 1)))
    return y, s, who


def drifted(first, second, **more):
    (y0, s0, who0), (y1, s1, who1) = first, second
    rows = [cs.ScoredRows.from_predictions(y, {"m": s}) for y, s in ((y0, s0), (y1, s1))]
    return cs.drift(*rows, groups=(who0, who1), **more)


def by_group(values, who, groups):
    """What each group adds to the error of a mean, with the divisor of so many groups."""
    count = len(np.unique(who))
    sums = np.bincount(who, values - values.mean(), minlength=groups)
    return np.sqrt(count / (count - 1)) * sums / len(values)


def test_errors_are_those_of_what_each_group_adds_in_both_samples():
    effect = np.random.default_rng(0).normal(size=60)
    first, second = sample(1, effect), sample(2, effect, 500)
    found = drifted(first, second, quantities=["prevalence", "brier"])
    values = {
        "prevalence": [y.astype(float) for y, _, _ in (first, second)],
        "brier": [(s - y) ** 2 for y, s, _ in (first, second)],
    }
    for one in found.changes:
        before, after = (
            by_group(own, who, 60)
            for own, (_, _, who) in zip(values[one.quantity], (first, second), strict=True)
        )
        expected = np.sqrt(np.sum((after - before) ** 2))
        assert one.standard_error == pytest.approx(expected, rel=1e-9)


def test_what_is_the_same_in_both_samples_has_no_error():
    one = sample(1, np.random.default_rng(0).normal(size=60))
    found = drifted(one, one)
    assert max(change.standard_error for change in found.changes) < 1e-12
    apart = drifted(one, (one[0], one[1], one[2] + 60))
    assert min(change.standard_error for change in apart.changes) > 0


def test_names_of_groups_may_be_texts_and_rows_of_weight_0_count_for_nothing():
    effect = np.random.default_rng(0).normal(size=60)
    first, second = sample(1, effect), sample(2, effect)
    plain = drifted(first, second, quantities=["auc", "brier"])
    texts = [(y, s, np.array([f"c{i}" for i in who])) for y, s, who in (first, second)]
    named = drifted(*texts, quantities=["auc", "brier"])
    rows = [
        cs.ScoredRows.from_predictions(
            np.append(y, 1), {"m": np.append(s, 0.1)}, sample_weight=np.append(np.ones(len(y)), 0)
        )
        for y, s, _ in (first, second)
    ]
    groups = tuple(np.append(who, 1000) for _, _, who in (first, second))
    weighted = cs.drift(*rows, groups=groups, quantities=["auc", "brier"])
    for same in (named, weighted):
        for one, other in zip(same.changes, plain.changes, strict=True):
            assert one.standard_error == pytest.approx(other.standard_error, rel=1e-9)


def test_groups_that_rows_have_are_others_in_each_sample():
    effect = np.random.default_rng(0).normal(size=60)
    first, second = sample(1, effect), sample(2, effect)
    rows = [
        cs.ScoredRows.from_predictions(y, {"m": s}, groups=who) for y, s, who in (first, second)
    ]
    own = cs.drift(*rows, quantities="auc")
    apart = (*second[:2], second[2] + 60)
    assert own.changes == drifted(first, apart, quantities="auc").changes
    alone = cs.drift(*(cs.ScoreTable.from_rows(one, "m") for one in rows), quantities="auc")
    assert own.changes[0].standard_error > alone.changes[0].standard_error


def test_shifts_count_groups_and_calibration_is_not_tested():
    effect = np.random.default_rng(0).normal(size=60)
    first, second = sample(1, effect), sample(2, effect)
    found = drifted(first, second, quantities="auc")
    alone = drifted(
        (*first[:2], np.arange(400)), (*second[:2], 400 + np.arange(400)), quantities="auc"
    )
    assert all(a.p > b.p for a, b in zip(found.shifts, alone.shifts, strict=True))
    assert found.calibration_before is None
    assert "in no groups" in found.notes["calibration_test.before"]


@pytest.mark.simulation
def test_the_interval_of_a_change_covers_none_where_customers_are_in_both_periods():
    """In repeated samples of new customers of whom each is in both periods."""
    runs, missed, wide = 300, 0, 0
    for seed in range(runs):
        effect = np.random.default_rng(1000 + seed).normal(size=80)
        first, second = sample(2 * seed, effect), sample(2 * seed + 1, effect)
        one = drifted(first, second, quantities="auc").changes[0]
        missed += not one.low <= 0 <= one.high
        apart = drifted(first, (*second[:2], second[2] + 80), quantities="auc").changes[0]
        wide += apart.standard_error > one.standard_error
    # Three standard errors of 5 %.
    assert abs(missed / runs - 0.05) < 0.038
    assert wide > 0.9 * runs


def test_what_are_no_groups_is_refused():
    one = sample(1, np.random.default_rng(0).normal(size=60))
    rows = cs.ScoredRows.from_predictions(one[0], {"m": one[1]})
    table = cs.ScoreTable.from_predictions(*one[:2])
    with refused(SourceError, "groups need rows, and after is ScoreTable"):
        cs.drift(rows, table, groups=(one[2], one[2]))
    with refused(SourceError, "groups must be two arrays"):
        cs.drift(rows, rows, groups=(one[2],))
    with refused(SourceError, "groups has 399 values for 400 labels"):
        cs.drift(rows, rows, groups=(one[2], one[2][1:]))
    grouped = cs.ScoredRows.from_predictions(one[0], {"m": one[1]}, groups=one[2])
    with refused(SourceError, "one sample has groups and the other has none"):
        cs.drift(rows, grouped)
    with refused(LabelError, "is in the same group"):
        cs.drift(rows, rows, groups=(one[2], one[0]))

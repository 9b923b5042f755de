"""Prevalence and money of rows without labels, and what labels say of both later."""

import pickle

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.errors import ConditionError, ScoreError, SourceError, WeightError
from costspace.watching import drift_unlabelled
from costspace.watching.unlabelled_prevalence import CALIBRATION, LABEL_SHIFT

COSTS = {"fp_cost": 1.0, "fn_cost": 5.0}


def drawn(seed, n, prevalence, *, narrower=1.0):
    """Binormal scores; narrower ones have the same probability at each score."""
    random = np.random.default_rng(seed)
    y = (random.random(n) < prevalence).astype(int)
    s = 1.6 * y + random.normal(size=n)
    if narrower != 1:
        s = s.mean() + narrower * (s - s.mean())
        odds = np.exp(1.6 * s - 1.28) * prevalence / (1 - prevalence)
        y = (random.random(n) < odds / (1 + odds)).astype(int)
    return y, s.round(2)


@pytest.fixture(scope="module")
def before():
    return cs.ScoreTable.from_predictions(*drawn(0, 6000, 0.2))


@pytest.fixture(scope="module")
def halved():
    return drawn(1, 4000, 0.1)


@pytest.fixture(scope="module")
def found(before, halved):
    return drift_unlabelled(before, halved[1], **COSTS)


def test_calibration_is_the_mean_share_of_positives_near_each_score(before, halved, found):
    edges = np.append(found.cells.cells.edges, np.inf)
    own = [np.searchsorted(edges, one.values) for one in (before.negatives, before.positives)]
    negatives, positives = (np.bincount(i, minlength=len(edges)) for i in own)
    share = positives / (negatives + positives)
    expected = share[np.searchsorted(edges, halved[1])].mean()
    assert found.calibration.estimate == pytest.approx(expected, abs=1e-12)


def test_the_labelled_rows_themselves_have_their_prevalence_under_both(before):
    scores = np.concatenate([before.negatives.values, before.positives.values])
    found = drift_unlabelled(before, scores)
    assert found.calibration.estimate == pytest.approx(before.prevalence, abs=1e-12)
    assert found.label_shift.estimate == pytest.approx(before.prevalence, abs=1e-12)
    assert found.moments.estimate == pytest.approx(before.prevalence, abs=1e-12)
    assert found.gap.difference == pytest.approx(0, abs=1e-12)
    assert found.test.statistic == pytest.approx(0, abs=1e-9)


def test_money_under_label_shift_is_that_of_the_rates_at_the_new_prevalence(before, found):
    money, _ = found.money
    p, (cut,) = found.label_shift.estimate, money.rule.cuts
    fpr = np.mean(before.negatives.values > cut)
    fnr = np.mean(before.positives.values <= cut)
    assert money.cost == pytest.approx(1000 * ((1 - p) * fpr + p * 5 * fnr), rel=1e-12)
    other = cs.decide(*drawn(0, 6000, 0.2), **COSTS, prevalence=p).rules.rule
    assert money.best == other != money.rule


def test_money_under_calibration_is_that_of_the_probability_of_each_row(before, halved, found):
    _, money = found.money
    (cut,) = money.rule.cuts
    edges = np.append(found.cells.cells.edges, np.inf)
    own = [np.searchsorted(edges, one.values) for one in (before.negatives, before.positives)]
    negatives, positives = (np.bincount(i, minlength=len(edges)) for i in own)
    share = (positives / (negatives + positives))[np.searchsorted(edges, halved[1])]
    cost = np.where(halved[1] > cut, 1 - share, 5 * share).mean()
    assert money.cost == pytest.approx(1000 * cost, rel=1e-9)
    assert money.best == money.rule
    assert money.saving == 0


def test_a_rule_that_is_saved_is_the_one_in_use(before, halved):
    decision = cs.decide(*drawn(0, 6000, 0.2), fp_cost=1, fn_cost=5, prevalence=0.3)
    money = drift_unlabelled(before, halved[1], decision=decision).money
    assert {one.rule for one in money} == {decision.rules.rule}
    assert money[0].needed


def test_halved_prevalence_is_told_by_label_shift_and_narrower_scores_by_calibration(before):
    half = drift_unlabelled(before, drawn(1, 4000, 0.1)[1], **COSTS)
    assert half.label_shift.low < 0.1 < half.label_shift.high < half.calibration.low
    assert not half.shift_refused
    y, s = drawn(2, 4000, 0.2, narrower=0.6)
    narrow = drift_unlabelled(before, s, **COSTS)
    assert narrow.shift_refused
    assert narrow.calibration.low < y.mean() < narrow.calibration.high
    assert "no mixture" in narrow.reading()


def test_counts_weights_and_rows_say_the_same(before, halved):
    scores = halved[1]
    values, counts = np.unique(scores, return_counts=True)
    plain = drift_unlabelled(before, scores).to_dict()
    counted = drift_unlabelled(before, values, sample_weight=counts, weights="counts")
    assert {**counted.to_dict(), "rows": None} == {**plain, "rows": None}
    for other in (
        cs.ScoreTable.from_predictions(*halved),
        cs.ScoreCounts.from_predictions(*halved),
        cs.ScoredRows.from_predictions(halved[0], {"s": scores}),
    ):
        assert drift_unlabelled(before, other).to_dict() == plain
    doubled = drift_unlabelled(before, scores, sample_weight=np.full(len(scores), 2.0))
    assert doubled.label_shift.low == pytest.approx(plain["prevalence"][LABEL_SHIFT]["low"])


def test_a_monotone_map_of_all_scores_changes_nothing(before, halved, found):
    y, s = drawn(0, 6000, 0.2)
    bent = cs.ScoreTable.from_predictions(y, np.exp(s))
    other = drift_unlabelled(bent, np.exp(halved[1]), **COSTS)
    for one, own in zip(other.prevalences, found.prevalences, strict=True):
        assert one.estimate == pytest.approx(own.estimate, abs=1e-12)
    assert other.test.p == pytest.approx(found.test.p, rel=1e-9)


def test_separated_classes_are_counted():
    table = cs.ScoreTable.from_predictions([0] * 100 + [1] * 50, np.arange(150.0))
    found = drift_unlabelled(table, [5.0] * 30 + [120.0] * 10)
    assert found.label_shift.estimate == pytest.approx(0.25, abs=0.06)
    assert 0 < found.label_shift.low < 0.25 < found.label_shift.high < 0.5


def test_classes_of_the_same_mean_rank_have_no_estimate_by_it():
    table = cs.ScoreTable.from_predictions([0, 1, 1, 0] * 50, [0.0, 1.0, 2.0, 3.0] * 50)
    found = drift_unlabelled(table, [0.0, 1.0, 2.0] * 30 + [3.0] * 30)
    assert found.moments is None
    assert found.label_shift.estimate == pytest.approx(0.5)
    assert list(found.columns()["method"]) == ["label_shift", "calibration"]


def test_the_prevalence_stands_where_one_may(before, found):
    spread = found.label_shift.prevalence
    low, high = spread.bounds.low, spread.bounds.high
    assert found.label_shift.low < low < found.label_shift.estimate < high < found.label_shift.high
    decision = cs.decide(*drawn(0, 6000, 0.2), **COSTS, prevalence=spread)
    assert decision.conditions.mean_prevalence == pytest.approx(spread.mean)


def test_labels_say_which_assumption_held(before, halved, found):
    came = found.labelled(cs.ScoreTable.from_predictions(*halved))
    assert came.held == (LABEL_SHIFT,)
    first = came.errors[0]
    assert first.labelled == pytest.approx(halved[0].mean())
    assert first.difference == pytest.approx(found.label_shift.estimate - halved[0].mean())
    (cut,) = found.money[0].rule.cuts
    flagged = halved[1] > cut
    cost = 1000 * np.where(flagged, 1 - halved[0], 5 * halved[0]).mean()
    assert [one.labelled for one in came.errors[2:]] == pytest.approx([cost, cost])
    assert "as they were" in came.reading()


def test_late_labels_are_no_negatives(before, halved, found):
    y, s = halved
    with refused(SourceError, "A row whose label is late is no negative"):
        found.labelled(cs.ScoreTable.from_predictions(y[:-100], s[:-100]))


@pytest.mark.simulation
@pytest.mark.parametrize("assumption", [LABEL_SHIFT, CALIBRATION])
def test_errors_have_intervals_that_hold_none_where_the_assumption_holds(assumption):
    inside = 0
    for seed in range(200):
        table = cs.ScoreTable.from_predictions(*drawn(2 * seed, 2000, 0.2))
        if assumption == LABEL_SHIFT:
            later = drawn(2 * seed + 1, 1000, 0.1)
        else:
            y, s = drawn(2 * seed + 1, 3000, 0.2)
            kept = (s > 0.5) | (np.random.default_rng(seed).random(len(s)) < 0.3)
            later = y[kept], s[kept]
        came = drift_unlabelled(table, later[1]).labelled(cs.ScoreTable.from_predictions(*later))
        inside += assumption in came.held
    assert abs(inside / 200 - 0.95) < 0.035


def test_it_pickles_and_shows(found):
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.to_dict() == found.to_dict()
    assert "label shift" in repr(found)
    assert "<table>" in found._repr_html_()
    assert list(found.columns()["method"]) == ["label_shift", "moments", "calibration"]


def test_new_scores_beyond_the_labelled_ones_are_told(before):
    found = drift_unlabelled(before, [0.0, 0.5, 1.0, 99.0])
    assert found.notes["outside"].startswith("25 % of the new scores are beyond")


@pytest.mark.parametrize(
    ("after", "given", "error", "words"),
    [
        ([], {}, ScoreError, "after must not be empty"),
        ([0.1, np.nan], {}, ScoreError, "NaN"),
        ([0.1], {"level": 2}, ConditionError, "level"),
        ([0.1], {"sample_weight": [-1]}, WeightError, "at least 0"),
        ([0.1], {"sample_weight": [1], "weights": "both"}, ConditionError, "'sampling' or"),
        ([0.1], {"fp_cost": 1}, ConditionError, "fn_cost"),
        (
            [0.1],
            {"conditions": cs.Deployment(1, 5, 0.2)},
            ConditionError,
            "give costs alone",
        ),
        (
            [0.1],
            {"conditions": cs.Deployment(1, 5, review=cs.Review(0.1))},
            ConditionError,
            "leave out the review",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(before, after, given, error, words):
    with refused(error, words):
        drift_unlabelled(before, after, **given)


def test_labelled_rows_must_be_independent_and_tell_the_classes_apart():
    rows = cs.ScoredRows.from_predictions([0, 1, 0, 1], {"s": [1, 2, 3, 4]}, groups=[0, 0, 1, 1])
    with refused(SourceError, "groups"):
        drift_unlabelled(rows, [1.0])
    alike = cs.ScoreTable.from_predictions([0, 1, 0, 1], [1.0, 1.0, 2.0, 2.0])
    with refused(ScoreError, "tell the classes apart"):
        drift_unlabelled(alike, [1.0])
    given = alike.with_prevalence(0.3)
    with refused(SourceError, "drift_unlabelled"):
        drift_unlabelled(given, [1.0])

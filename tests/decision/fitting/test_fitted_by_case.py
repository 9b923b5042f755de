"""Thresholds set by the costs of each case, against decisions made one by one."""

import numpy as np
import pytest
from brute_force import Sample
from brute_force_methods import METHODS
from hypothesis import given, settings
from hypothesis import strategies as st

import costspace as cs
from costspace.decision.fitting.fitted_by_case import FittedByCase
from costspace.decision.rules.written import written

PREVALENCES = [0.013, 0.2, 0.61]
CALIBRATED_TO = 0.3


def drawn(seed, n=24, *, weighted=False):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    s = np.clip(np.round(rng.normal(0.35 + 0.3 * y, 0.2), 1), 0.05, 0.95)
    costs = cs.CaseCosts(*rng.uniform(1, 9, (2, n)), tp_cost=0.3, tn_cost=-0.5)
    w = rng.choice([0.5, 1.0, 2.5], n) if weighted else None
    return cs.ScoredRows.from_predictions(y, {"m": s}, sample_weight=w, case_costs=costs)


def trusting(train, s):
    """The skew up to which scores calibrated to a prevalence are flagged."""
    del train
    odds = s / (1 - s) * (1 - CALIBRATED_TO) / CALIBRATED_TO
    return odds / (1 + odds)


def smoothed(train, s):
    """The same of the smoothed estimate, that of the nearest score in the rows."""
    rows, scores = train
    own = Sample(rows.positive.astype(int), scores, rows.weight)
    until, distinct = METHODS["smoothed"]()._until(own, "skew"), np.unique(scores)
    by_score = np.array([until[scores == value][0] for value in distinct])
    # Thresholds are in as few digits as tell the rows apart.
    table = cs.ScoreTable.from_rows(rows, "m")
    cuts = [written(cs.Rule(float(cut)), table).cuts[0] for cut in table.cut_points]
    return by_score[np.searchsorted(cuts, s, side="left")]


CHOICES = {
    "trusting": (cs.ScoreDriven(CALIBRATED_TO), trusting),
    "smoothed": (cs.Smoothed(), smoothed),
}


def test_costs_of_each_case_are_not_said_to_be_one():
    y, s = np.tile([0, 0, 1], 20), {"m": np.linspace(0, 1, 60), "o": np.linspace(1, 0, 60) ** 2}
    amounts = np.where(y == 1, np.tile([9.0, 9.0, 248.998], 20) + np.arange(60) % 4, 1.5)
    said = (
        "fp_cost known: 1",
        f"fn_cost of each case, {amounts[y == 1].mean():.4g} on average",
        "prevalence estimated from the rows: 0.3333",
    )
    costs = cs.CaseCosts(fp_cost=1.0, fn_cost=amounts)
    for found in (cs.decide(y, s, case_costs=costs), cs.compare_money(y, s, case_costs=costs)):
        assert found.assumptions[:3] == said


def fitted(rows, name, known, **more):
    prevalence = cs.Drawn(PREVALENCES)
    means = rows.mean_costs
    decision = cs.decide(
        rows,
        conditions=cs.Deployment(
            means.fp_cost, means.fn_cost, prevalence, tp_cost=means.tp_cost, tn_cost=means.tn_cost
        ),
        choices={name: CHOICES[name][0]},
        known=known,
        **more,
    )
    (found,) = (fit for fit in decision.fits if fit.strategy.name == name)
    assert isinstance(found, FittedByCase)
    return decision, found


def flags(rows, until, seen):
    """Which rows are flagged at a prevalence that is seen."""
    odds = rows.costs.net_fp_cost * (1 - seen) / (rows.costs.net_fn_cost * seen)
    return odds < until / (1 - until)


def by_hand(rows, train, name, known):
    """What each row costs at each prevalence, and whether it is flagged."""
    until = CHOICES[name][1]((train, train.scores["m"]), rows.scores["m"])
    seen = PREVALENCES if "prevalence" in known else [np.mean(PREVALENCES)] * len(PREVALENCES)
    flagged = np.array([flags(rows, until, p) for p in seen])
    return np.array([rows.costs.of_flags(one, rows.positive) for one in flagged]), flagged


def money(rows, paid):
    w = np.ones(len(rows)) if rows.weight is None else rows.weight
    total = 0.0
    for p, own in zip(PREVALENCES, paid, strict=True):
        for side, share in ((~rows.positive, 1 - p), (rows.positive, p)):
            total += share * np.average(own[side], weights=w[side]) / len(PREVALENCES)
    return 1000 * total


@pytest.mark.parametrize("known", ["costs", "costs,prevalence", ""])
@pytest.mark.parametrize("name", CHOICES)
@given(seed=st.integers(0, 999), weighted=st.booleans())
@settings(max_examples=5)
def test_money_is_the_mean_over_the_cases(name, known, seed, weighted):
    rows = drawn(seed, weighted=weighted)
    _, found = fitted(rows, name, known, folds=2)
    shape = len(PREVALENCES), len(rows)
    paid, flagged, parts = np.zeros(shape), np.zeros(shape), found.task.judged.parts
    for part in parts:
        train = rows.take(np.setdiff1d(np.arange(len(rows)), part))
        own = by_hand(rows.take(part), train, name, known)
        paid[:, part] += own[0] / 10
        flagged[:, part] += own[1] / 10
    assert len(parts) == 20
    assert found.money == pytest.approx(money(rows, paid), rel=1e-9)
    apparent, _ = by_hand(rows, rows, name, known)
    assert found.apparent_of(None) == pytest.approx(money(rows, apparent), rel=1e-9)
    train = rows.take(np.setdiff1d(np.arange(len(rows)), parts[3]))
    outside, _ = by_hand(train, train, name, known)
    # The mean costs are those of all rows, and so is what a class can lose.
    assert found.apparent_of(3) == pytest.approx(scaled(train, outside, rows), rel=1e-9)
    p = np.array(PREVALENCES)[:, None]
    counted = np.where(rows.positive, p, 1 - p)
    np.testing.assert_allclose(
        found.flagged, np.sum(counted * flagged, axis=0) / np.sum(counted, axis=0), atol=1e-9
    )


def scaled(train, paid, rows):
    """Money of some rows at the mean costs of all."""
    w = np.ones(len(train)) if train.weight is None else train.weight
    total, costs = 0.0, train.costs
    own, whole = train.mean_costs, rows.mean_costs
    for p, one in zip(PREVALENCES, paid, strict=True):
        for side, share, right, ratio in (
            (~train.positive, 1 - p, costs.tn_cost, whole.net_fp_cost / own.net_fp_cost),
            (train.positive, p, costs.tp_cost, whole.net_fn_cost / own.net_fn_cost),
        ):
            lost = np.average((one - right)[side], weights=w[side])
            total += share * (right + ratio * lost) / len(PREVALENCES)
    return 1000 * total


def test_validation_rows_have_costs_of_their_own():
    rows, other = drawn(1, 40), drawn(2, 30)
    for name in CHOICES:
        _, found = fitted(rows, name, "costs", validation=other)
        paid, _ = by_hand(other, rows, name, "costs")
        assert found.money == pytest.approx(scaled(other, paid, rows), rel=1e-9)


@pytest.mark.parametrize("name", CHOICES)
def test_it_is_applied_case_by_case(name):
    rows = drawn(5, 60)
    decision, found = fitted(rows, name, "costs")
    rng = np.random.default_rng(0)
    s, fp, fn = np.round(rng.random(50), 2), rng.uniform(1, 9, 50), rng.uniform(1, 9, 50)
    until = CHOICES[name][1]((rows, rows.scores["m"]), np.clip(s, 1e-9, 1 - 1e-9))
    p = np.mean(PREVALENCES)
    # Of right decisions the costs are those of the rows: 0.3 and -0.5.
    expected = (fp + 0.5) * (1 - p) / ((fn - 0.3) * p) < until / (1 - until)
    actions = decision.saved(found.strategy).apply(s, fp_cost=fp, fn_cost=fn).action
    np.testing.assert_array_equal(actions == "flag", expected)
    assert 0 < expected.sum() < 50


def test_constant_costs_make_it_the_choice_for_known_costs():
    rng = np.random.default_rng(7)
    y, s = np.arange(60) % 3 == 0, np.round(rng.random(60), 2)
    rows = cs.ScoredRows.from_predictions(y, {"m": s}, case_costs=cs.CaseCosts(1.03, 7.7))
    known = cs.Deployment(1.03, 7.7, (0.0123, 0.345))
    for name in CHOICES:
        of_cases, of_all = (
            cs.decide(
                one, conditions=known, choices={name: CHOICES[name][0]}, known="costs,prevalence"
            )
            for one in (rows, cs.ScoredRows(rows.positive, rows.scores))
        )
        for one, other in zip(of_cases.fits[2:], of_all.fits[2:], strict=True):
            assert isinstance(one, FittedByCase)
            assert not isinstance(other, FittedByCase)
            assert one.money == pytest.approx(other.money, rel=1e-9)

"""Intervals where the prevalence is estimated and amounts vary, against counts and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import costspace as cs
from costspace.decision.money.class_intervals import cubic_ends, sum_of_classes
from costspace.decision.money.row_money import RowMoney

FP, FN = 1.0, 12.0


def sample_of(y, amounts=None, groups=None, *, estimated=True):
    costs = None if amounts is None else cs.CaseCosts(FP, amounts)
    rows = cs.ScoredRows.from_predictions(
        y.astype(int), {"m": y.astype(float)}, case_costs=costs, groups=groups
    )
    return RowMoney(rows, "sampling", estimated=estimated)


def interval_of(y, flagged, *, sign=0.0, learnt=True, amounts=None, groups=None, prevalence=None):
    """Of the cost, or of what flagging nobody (sign 1) or everybody (-1) costs more."""
    sample = sample_of(y, amounts, groups, estimated=prevalence is None)
    p = y.mean() if prevalence is None else prevalence
    stakes = 1000 * (1 - p) * FP, 1000 * p * (FN if amounts is None else amounts[y].mean())
    cost = np.where(y, stakes[1] * (1 - flagged), stakes[0] * flagged)
    parts, ranges = cost, ((0.0, stakes[0]), (0.0, stakes[1]))
    if sign:
        trivial = np.where(y, stakes[1], 0.0) if sign > 0 else np.where(y, 0.0, stakes[0])
        parts = trivial - cost
        ranges = ((-stakes[0], 0.0), (0.0, stakes[1]))
        ranges = ranges if sign > 0 else ((0.0, stakes[0]), (-stakes[1], 0.0))
    return sum_of_classes(
        *(sample.mean(parts), parts, sample),
        ranges=ranges,
        learnt=learnt,
        selection=(0.0, 0.0),
        level=0.95,
    )


@given(st.integers(20, 300), st.integers(2, 17))
@settings(max_examples=20)
def test_flagging_nobody_is_a_share_of_the_rows(n, positives):
    y = np.arange(n) < positives
    error, found = interval_of(y, np.zeros(n), learnt=False)
    p, scale = positives / n, 1000 * FN
    assert found.method == "score"
    # The class is divided by its size less one: an error as of n - 1 rows, or of a few less.
    assert error == pytest.approx(
        scale * np.sqrt(p * (1 - p) / n), rel=0.6 / (min(positives, n - positives) - 1)
    )
    rows = (scale / error) ** 2 * p * (1 - p)
    z = stats.t.ppf(0.975, n - 1)
    squared = z * z / rows
    reach = z * np.sqrt((p * (1 - p) + squared / 4) / rows)
    ends = (np.array([-reach, reach]) + p + squared / 2) / (1 + squared)
    assert (found.low, found.high) == pytest.approx(tuple(scale * ends), rel=0.02)


def test_a_prevalence_that_is_given_leaves_nothing_open_where_all_are_treated_alike():
    y = np.arange(50) < 10
    error, found = interval_of(y, np.zeros(50), learnt=False, prevalence=0.2)
    assert (error, found.method, found.low) == (0.0, "known", found.high)
    # A threshold may miss some elsewhere, though it misses none here.
    error, found = interval_of(y, np.ones(50) * y, prevalence=0.2)
    assert error > 0
    assert found.low == 0 < 1000 * 0.2 * FN / 10 < found.high


def test_no_mistake_seen_is_not_no_mistake():
    y = np.arange(200) < 20
    error, found = interval_of(y, y.astype(float))
    assert error > 0
    assert found.low == 0
    # Of 200 rows without one false negative there may be 3.8 at the level of 95 %.
    assert found.high == pytest.approx(1000 * FN * 3.8 / 200, rel=0.05)


def test_a_cubic_takes_out_the_skewness_of_a_mean():
    errors = np.array([3.0, -1.0, -1.0, -1.0] * 25) / 100
    error = float(np.sqrt(np.sum(errors**2)))
    low, high = cubic_ends(5.0, errors, error, 1.96)
    assert high - 5 > 1.96 * error > 5 - low
    skewness = np.sum(errors**3) / error**3
    # Hall's transformation of either end is that of a symmetric interval.
    for end, sign in ((low, 1), (high, -1)):
        t = (5.0 - end) / error
        moved = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
        assert moved == pytest.approx(sign * 1.96, rel=1e-9)
    symmetric = np.array([1.0, -1.0] * 20) / 40
    assert cubic_ends(0.0, symmetric, 0.1, 2.0) == pytest.approx((-0.2, 0.2))


@pytest.mark.simulation
@pytest.mark.parametrize("cut", [-0.5, 2.5])
@pytest.mark.parametrize("sigma", [0.0, 1.0])
def test_intervals_hold_the_truth(cut, sigma):
    # Low and high thresholds: where hardly a positive is missed, and where most are.
    n, p, apart, rng = 800, 0.06, 1.4, np.random.default_rng(7)
    fpr, fnr = stats.norm.sf(cut), stats.norm.cdf(cut - apart)
    true = 1000 * ((1 - p) * FP * fpr + p * FN * fnr)
    targets = {0.0: true, 1.0: 1000 * p * FN - true, -1.0: 1000 * (1 - p) * FP - true}
    held, simulations = dict.fromkeys(targets, 0), 400
    for _ in range(simulations):
        y = rng.random(n) < p
        flagged = (rng.standard_normal(n) + apart * y > cut).astype(float)
        amounts = None
        if sigma:
            amounts = FN * np.exp(sigma * rng.standard_normal(n) - sigma**2 / 2)
        for sign, target in targets.items():
            _, found = interval_of(y, flagged, sign=sign, amounts=amounts)
            held[sign] += found.low <= target <= found.high
    for sign, count in held.items():
        # 93 to 97 %, beside two standard errors of the simulation; more where mistakes are few.
        assert 0.915 < count / simulations < (0.98 if cut > 0 else 0.999), sign

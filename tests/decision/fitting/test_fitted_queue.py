"""Working down a queue, against flagging row by row at every prevalence."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom

import costspace as cs
from costspace.decision.fitting.fitted_queue import FittedQueue

LOW, HIGH = 0.05, 0.4
RANGE = cs.Deployment((1, 3), (2, 20), (LOW, HIGH), tp_cost=-1, tn_cost=0.5)
# The means of costs whose logarithms are uniform.
A, B = 2 / np.log(3) - 0.5, 18 / np.log(10) + 1


def drawn(seed, n=24, *, weighted):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    s = rng.integers(0, 7, n) / 7 + 0.2 * y
    w = rng.choice([0.5, 1.0, 2.5], n) if weighted else None
    return y, s, w


def queue_of(y, s, w, share, conditions, **more):
    decision = cs.decide(
        *(y, {"m": s}),
        conditions=conditions,
        choices={"mine": cs.RateFixed(share)},
        sample_weight=w,
        **more,
    )
    (found,) = (fit for fit in decision.fits if fit.strategy.name == "mine")
    assert isinstance(found, FittedQueue)
    return decision, found


def rates_with(y, s, w):
    """Which share of either class is flagged where a row is, and all that score as much."""
    w = np.ones(len(y)) if w is None else w
    beside = s[:, None] <= s[None, :]
    return tuple((beside @ (w * side)) / (w @ side) for side in (~y, y))


def in_time(rates, p, share):
    return (1 - p) * rates[0] + p * rates[1] <= share * (1 + 1e-12)


def mean_over_range(rates, share, value):
    """Over prevalences of uniform log odds, of a value where each row is flagged, in pieces."""
    first, last = logit(LOW), logit(HIGH)
    found = np.zeros(len(rates[0]))
    for i, (fpr, tpr) in enumerate(zip(*rates, strict=True)):
        turn = (share - fpr) / (tpr - fpr) if tpr != fpr else 0.5
        ends = [first, *([logit(turn)] if LOW < turn < HIGH else []), last]
        for low, high in pairwise(ends):
            if in_time((fpr, tpr), expit((low + high) / 2), share):
                found[i] += quad(lambda x: value(expit(x)), low, high)[0]
    return found / (last - first)


def expected_losses(y, s, w, share):
    rates = rates_with(y, s, w)
    negative = mean_over_range(rates, share, lambda p: (1 - p) * A)
    whole = mean_over_range(rates, 2.0, lambda p: p * B)
    positive = whole - mean_over_range(rates, share, lambda p: p * B)
    return 1000 * np.where(y, positive, negative)


def expected_flagged(y, s, w, share):
    rates = rates_with(y, s, w)
    parts = [
        mean_over_range(rates, share, value) / mean_over_range(rates, 2.0, value)
        for value in (lambda p: 1 - p, lambda p: p)
    ]
    return np.where(y, parts[1], parts[0])


def mean_of_classes(values, y, w):
    w = np.ones(len(y)) if w is None else w
    return sum(np.average(values[side], weights=w[side]) for side in (~y, y))


@given(st.integers(0, 999), st.booleans(), st.sampled_from([0.03, 0.1, 0.25, 0.5, 0.9, 1.0]))
@settings(max_examples=15)
def test_over_a_range_of_prevalence(seed, weighted, share):
    y, s, w = drawn(seed, weighted=weighted)
    _, found = queue_of(y, s, w, share, RANGE)
    losses = expected_losses(y, s, w, share)
    np.testing.assert_allclose(found.row_losses, losses, rtol=1e-8, atol=1e-6)
    np.testing.assert_allclose(found.flagged, expected_flagged(y, s, w, share), atol=1e-9)
    mean = mean_of_classes(losses, y, w)
    assert found.money == pytest.approx(mean + 1000 * RANGE.constant, rel=1e-8)
    # Nothing is learnt: on rows that it is fitted on it costs the same.
    assert found.apparent_of(None) == pytest.approx(found.money, rel=1e-9)
    part = np.ones(len(y), bool)
    part[found.task.judged.parts[1]] = False
    rest = y[part], s[part], None if w is None else w[part]
    outside = mean_of_classes(expected_losses(*rest, share), rest[0], rest[2])
    assert found.apparent_of(1) == pytest.approx(outside + 1000 * RANGE.constant, rel=1e-8)


@given(st.integers(0, 999), st.booleans(), st.sampled_from([0.1, 0.25, 0.5]))
@settings(max_examples=20)
def test_over_scenarios(seed, weighted, share):
    y, s, w = drawn(seed, weighted=weighted)
    fp, fn, p = [1.0, 2.0, 1.5], [5.0, 9.0, 30.0], [0.3, 0.1, 0.2]
    known = cs.Scenarios(fp, fn, p, tn_cost=0.25, weights=[1, 2, 3])
    _, found = queue_of(y, s, w, share, known)
    losses, flagged, cases = np.zeros(len(y)), np.zeros(len(y)), np.zeros(len(y))
    for a, b, at, weight in zip(np.array(fp) - 0.25, fn, p, (1 / 6, 1 / 3, 1 / 2), strict=True):
        here = in_time(rates_with(y, s, w), at, share)
        losses += weight * np.where(y, at * b * ~here, (1 - at) * a * here)
        own = weight * np.where(y, at, 1 - at)
        flagged, cases = flagged + own * here, cases + own
    np.testing.assert_allclose(found.row_losses, 1000 * losses, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.flagged, flagged / cases, atol=1e-12)
    money = 1000 * (mean_of_classes(losses, y, w) + 0.25 * (1 - (0.3 + 0.2 + 0.6) / 6))
    assert found.money == pytest.approx(money, rel=1e-9)


def test_one_prevalence_is_the_top_of_the_queue():
    y = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], bool)
    s = np.array([9, 8, 7, 7, 5, 4, 3, 2, 1, 0]) / 10
    at = cs.Deployment(1, 5, 0.4)
    # Two of ten, and the two that tie behind them are left out at three.
    for share, flags in ((0.2, 2), (0.3, 2), (0.4, 4), (0.45, 4), (0.05, 0), (1.0, 10)):
        _, found = queue_of(y, s, None, share, at)
        np.testing.assert_array_equal(found.flagged, np.arange(10) < flags)
        fpr, fnr = np.sum(~y[:flags]) / 6, 1 - np.sum(y[:flags]) / 4
        assert found.money == pytest.approx(1000 * (0.6 * fpr + 0.4 * 5 * fnr))


def test_it_is_deployed_as_a_share_and_compared_with_a_capacity():
    y, s, _ = drawn(3, 120, weighted=False)
    decision = cs.decide(y, {"m": s}, conditions=RANGE, constraints=cs.Constraints(capacity=0.25))
    (found,) = (fit for fit in decision.fits if isinstance(fit, FittedQueue))
    assert (found.strategy.name, found.share) == ("queue", 0.25)
    assert found.rule == cs.Rule(0.25, by="share")
    assert found.feasible
    kept = decision.saved(found.strategy)
    tied = kept.apply([0.9, 0.8, 0.8, 0.1]).action.tolist()
    assert tied == ["flag", "pass", "pass", "pass"]


def test_a_longer_queue_than_there_is_capacity_for_is_refused():
    y, s, _ = drawn(3, 60, weighted=False)
    limits = cs.Constraints(capacity=0.2)
    _, found = queue_of(y, s, None, 0.5, RANGE, constraints=limits)
    assert not found.feasible
    assert "m, mine breaks a constraint at a prevalence of 0.05" in found.reason
    assert found.money is None


def test_rows_of_weight_zero_do_not_count_wherever_they_score():
    y, s, _ = drawn(3, 60, weighted=False)
    others, validation = np.array([True, False, True]), {"validation": (y, {"m": s})}
    _, plain = queue_of(y, s, None, 0.2, RANGE, **validation)
    rows = cs.ScoredRows.from_predictions(
        np.append(y, others),
        {"m": np.append(s, [9.0, -9.0, 0.5])},
        sample_weight=np.append(np.ones(60), np.zeros(3)),
    )
    decision, found = queue_of(y, s, None, 0.2, RANGE, validation=rows)
    assert found.money == pytest.approx(plain.money, rel=1e-12)
    assert found.row_losses[:60] == pytest.approx(plain.row_losses, rel=1e-12)
    assert decision.outcomes(found.strategy).flagged.value > 0


def test_a_share_of_none_needs_no_capacity():
    y, s, _ = drawn(3, 60, weighted=False)
    decision, found = queue_of(y, s, None, 0.0, RANGE)
    assert found.feasible
    assert found.money == pytest.approx(decision.trivial["flag_nobody"], rel=1e-12)


def flagged_in_batches(s, mass, size, places):
    """The chance of a row of each score over all batches; it ties with the other rows of that.

    What is above it among the cases that its own row stands for is anything, on average.
    """
    cells, which, rows = np.unique(s, return_inverse=True, return_counts=True)
    share = np.bincount(which, mass)
    found = np.zeros(len(cells))
    for cell, (own, times) in enumerate(zip(share, rows, strict=True)):
        down_to = share[cell:].sum()
        part = own / times

        def placed(above):
            return binom.cdf(places - 1, size - 1, above)

        found[cell] = quad(placed, down_to - part, down_to, epsabs=1e-13)[0] / part
    return found[which]


@pytest.mark.parametrize(("size", "share"), [(1, 1.0), (3, 0.4), (4, 0.5), (5, 0.4)])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_queue_in_batches_is_the_mean_over_every_batch(size, share, weighted):
    y, s, w = drawn(size, weighted=weighted)
    known = cs.Deployment(1, 7, 0.15, tp_cost=-1)
    choices = {"mine": cs.RateFixed(share, batch=size)}
    decision = cs.decide(y, {"m": s}, conditions=known, choices=choices, sample_weight=w)
    (found,) = (fit for fit in decision.fits if fit.strategy.name == "mine")
    weights = np.ones(len(y)) if w is None else w
    mass = np.where(y, 0.15 * weights / weights[y].sum(), 0.85 * weights / weights[~y].sum())
    flagged = flagged_in_batches(s, mass, size, int(share * size))
    np.testing.assert_allclose(found.flagged, flagged, rtol=0, atol=1e-12)
    money = 1000 * (mass @ np.where(y, 8 * (1 - flagged), flagged) - 0.15)
    assert found.money == pytest.approx(money, abs=1e-9)
    assert found.in_sample == pytest.approx(money, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_where_no_rows_tie_batches_cost_what_the_curve_says(seed):
    rng = np.random.default_rng(seed)
    n, size = [(60, 20), (200, 20), (90, 9), (1000, 50)][seed]
    y = rng.permutation(np.arange(n) % 5 == 0)
    s = rng.normal(1.2 * y)
    choice = cs.RateFixed(0.13, batch=size)
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 3), choices=[choice])
    (found,) = (fit for fit in decision.fits if fit.strategy.model)
    table = cs.ScoreTable.from_predictions(y, s)
    curve = cs.loss_curve(table, choice=choice)
    at = cs.cost_proportion(fp_cost=1, fn_cost=3)
    assert found.money == pytest.approx(2000 * float(curve(at)), rel=1e-12)
    flagged = decision.outcomes(found.strategy).flagged.value
    assert flagged == pytest.approx(1000 * int(0.13 * size) / size, rel=1e-12)


def test_over_a_range_of_prevalence_batches_are_those_of_each():
    y, s, _ = drawn(3, n=300, weighted=False)
    choices = {"mine": cs.RateFixed(0.2, batch=[20, 60])}
    decision = cs.decide(y, {"m": s}, conditions=RANGE, choices=choices)
    (found,) = (fit for fit in decision.fits if fit.strategy.name == "mine")

    def at(x):
        p = float(expit(x))
        known = cs.Deployment(A + 0.5, B - 1, p, tp_cost=-1, tn_cost=0.5)
        one = cs.decide(y, {"m": s}, conditions=known, choices=choices)
        return next(fit.money for fit in one.fits if fit.strategy.name == "mine")

    nodes, weights = np.polynomial.legendre.leggauss(9)
    low, high = logit(LOW), logit(HIGH)
    places = low + (high - low) * (nodes + 1) / 2
    expected = sum(w / 2 * at(x) for x, w in zip(places, weights, strict=True))
    assert found.money == pytest.approx(expected, rel=2e-4)


def test_batches_as_they_are_applied_cost_what_was_said():
    rng = np.random.default_rng(8)

    def cases(n):
        y = rng.random(n) < 0.1
        return y, np.round(rng.normal(size=n) + 2 * y, 2)

    known = cs.Deployment(fp_cost=1, fn_cost=8, prevalence=0.1)
    y, s = cases(4000)
    limits = cs.Constraints(capacity=0.1, batch=20)
    decision = cs.decide(y, {"m": s}, conditions=known, constraints=limits)
    assert decision.strategy.name == "queue"
    whole = cs.decide(y, {"m": s}, conditions=known, constraints=cs.Constraints(capacity=0.1))
    new_y, new_s = cases(60_000)
    kept = decision.saved()
    action = kept.apply({"m": new_s}, batch=np.arange(60_000) // 20)
    flagged = action.action == "flag"
    cost = 1000 * np.mean(np.where(new_y, 8.0 * ~flagged, flagged))
    own = decision.recommendation.interval
    assert own.low < cost < own.high
    (queue,) = (one for one in whole.strategies if str(one.strategy) == "m, queue")
    assert cost > queue.high


@pytest.mark.simulation
@pytest.mark.parametrize("size", [20, 200, 10_000])
def test_the_error_of_a_queue_in_batches_is_that_over_samples(size):
    rng = np.random.default_rng(0)
    known = cs.Deployment(fp_cost=1, fn_cost=8, prevalence=0.1)
    choices = {"mine": cs.RateFixed(0.05, batch=size)}
    found, widths = [], []
    for _ in range(60):
        y = np.arange(500) < 50
        s = rng.normal(size=500) + 1.5 * y
        one = cs.decide(y, {"m": s}, conditions=known, choices=choices)
        (own,) = (x for x in one.strategies if x.strategy.name == "mine")
        found.append(own.money)
        widths.append(own.standard_error)
    assert 0.75 < np.std(found) / np.mean(widths) < 1.25

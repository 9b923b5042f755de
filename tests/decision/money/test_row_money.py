"""Each row's part in money, against money as it is, repeated rows and simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace.decision.money.row_money import RowMoney
from costspace.errors import ConditionError, LabelError

SHARE = {False: 0.8, True: 0.2}


def drawn(seed, n=60, *, weighted=False, costly=False, groups=None):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    costs = None
    if costly:
        amounts = rng.uniform(1, 9, (2, n))
        costs = cs.CaseCosts(*amounts, tp_cost=rng.uniform(-1, 0, n), tn_cost=rng.random(n))
    return cs.ScoredRows.from_predictions(
        y,
        {"m": rng.random(n)},
        sample_weight=rng.integers(1, 5, n) if weighted else None,
        case_costs=costs,
        groups=groups,
    )


def right_costs(rows):
    """What right decisions cost, as `RowMoney` takes it."""
    return np.where(
        rows.positive, SHARE[True] * rows.costs.tp_cost, SHARE[False] * rows.costs.tn_cost
    )


def parts_of(rows, flagged):
    """The parts of rows in money at known class shares; mean costs 1 where rows have none."""
    means = rows.mean_costs if rows.costs is not None else cs.samples.MeanCosts(1.0, 1.0)
    wrong = np.where(rows.positive, ~flagged, flagged)
    return wrong * np.where(
        rows.positive, SHARE[True] * means.net_fn_cost, SHARE[False] * means.net_fp_cost
    )


@pytest.mark.parametrize("seed", range(5))
def test_class_variances_are_those_of_means_of_what_rows_cost(seed):
    rows = drawn(seed, n=90, costly=True)
    flagged = rows.scores["m"] > 0.4
    money = RowMoney(rows, "sampling", right_costs(rows))
    paid = rows.costs.of_flags(flagged, rows.positive)
    found = zip(money.class_variances(parts_of(rows, flagged)), money.effective_sizes, strict=True)
    for (variance, size), (side, share) in zip(found, SHARE.items(), strict=True):
        of = rows.positive == side
        # Costs that differ make rows count as fewer, and that is in the variance.
        assert size < np.count_nonzero(of)
        assert variance / size == pytest.approx(share**2 * np.var(paid[of]) / np.count_nonzero(of))


@given(st.integers(0, 99), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_amounts_that_vary_make_it_the_standard_error_of_what_rows_cost(seed, weighted, flag):
    rows = drawn(seed, weighted=weighted, costly=True)
    flagged = rows.scores["m"] > 0.4 if flag else np.zeros(len(rows), bool)
    money = RowMoney(rows, "sampling", right_costs(rows))
    paid = rows.costs.of_flags(flagged, rows.positive)
    w = np.ones(len(rows)) if rows.weight is None else rows.weight
    total, variance = 0.0, 0.0
    for side, share in SHARE.items():
        of = rows.positive == side
        mean = np.average(paid[of], weights=w[of])
        total += share * mean
        square = np.sum((w[of] * (paid[of] - mean)) ** 2) / np.sum(w[of]) ** 2
        variance += share**2 * square * np.sum(of) / (np.sum(of) - 1)
    parts = parts_of(rows, flagged)
    assert money.mean(parts) == pytest.approx(total, rel=1e-12)
    assert money.error(money.influences(parts)) == pytest.approx(np.sqrt(variance), rel=1e-12)


@given(st.integers(0, 99), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_influences_are_what_a_row_more_would_change(seed, weighted, estimated):
    # Each row's weight is raised a little, and what that changes set against its influence.
    rows = drawn(seed, weighted=weighted, costly=True)
    flagged = rows.scores["m"] > 0.4
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight.astype(float)

    def total(w):
        again = cs.ScoredRows(rows.positive, rows.scores, w, rows.costs)
        means = again.mean_costs
        p = again.prevalence if estimated else SHARE[True]
        fpr, fnr = (
            np.average(wrong[side], weights=(w * cost)[side])
            for side, wrong, cost in (
                (~rows.positive, flagged, rows.costs.net_fp_cost),
                (rows.positive, ~flagged, rows.costs.net_fn_cost),
            )
        )
        found = (1 - p) * means.net_fp_cost * fpr + p * means.net_fn_cost * fnr
        return found + (1 - p) * means.tn_cost + p * means.tp_cost

    # The parts of rows are at given class shares, or at those of the rows.
    own = {True: rows.prevalence, False: 1 - rows.prevalence}
    scale = np.where(rows.positive, own[True] / SHARE[True], own[False] / SHARE[False])
    scale = scale if estimated else np.ones(len(rows))
    money = RowMoney(rows, "sampling", right_costs(rows) * scale, estimated)
    influences = money.influences(parts_of(rows, flagged) * scale)
    for i in (0, 7, 31):
        step = 1e-5 * np.eye(len(rows))[i]
        slope = (total(weight + step) - total(weight - step)) / 2e-5
        assert influences[i] / np.sum(weight) == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("costly", [False, True])
def test_counts_are_repeated_rows(costly):
    rows = drawn(3, weighted=True, costly=costly)
    repeated = cs.ScoredRows(rows.positive, rows.scores, None, rows.costs).take(
        np.repeat(np.arange(len(rows)), rows.weight.astype(int))
    )
    errors, effective_size = [], []
    for sample, weights in ((rows, "counts"), (repeated, "sampling")):
        money = RowMoney(sample, weights, right_costs(sample) if costly else 0.0)
        errors.append(money.error(money.influences(parts_of(sample, sample.scores["m"] > 0.4))))
        effective_size.append(money.effective_size)
    assert errors[0] == pytest.approx(errors[1], rel=1e-12)
    if not costly:
        assert effective_size[0] == effective_size[1]


def test_one_row_of_a_class_shows_no_variation():
    rows = cs.ScoredRows.from_predictions([0, 0, 1], {"m": [0.1, 0.2, 0.3]})
    money = RowMoney(rows, "sampling")
    influences = money.influences(np.array([0.0, 1.0, 1.0]))
    np.testing.assert_allclose(influences, [-0.75, 0.75, 0.0])
    with refused(LabelError, "a standard error needs at least two rows of each class"):
        money.error(influences)
    weighted = cs.ScoredRows(rows.positive, rows.scores, np.array([1.0, 2.5, 1.0]))
    with refused(ConditionError, "weights='counts' needs whole numbers as weights"):
        RowMoney(weighted, "counts").error(influences)


@pytest.mark.parametrize("asked", [{}, {"weighted": True}, {"groups": np.arange(60) // 3}])
def test_odds_of_cases_are_weights_of_the_classes(asked):
    rows = drawn(4, **asked)
    weight = np.ones(60) if rows.weight is None else rows.weight
    weighed = replace(rows, weight=weight * np.where(rows.positive, 3.0, 1.0))
    parts = np.random.default_rng(1).random(60)
    one = RowMoney(rows, "sampling", estimated=True, odds=3.0)
    other = RowMoney(weighed, "sampling", estimated=True)
    for of in (
        lambda money: money.error(money.influences(parts)),
        lambda money: money.class_errors(parts, estimated=True)[1].tolist(),
        lambda money: money.class_variances(parts),
        lambda money: money.group_variances(money.influences(parts)),
        lambda money: money.trials(parts, (1.0, 2.0)),
        lambda money: money.class_shares,
    ):
        assert of(one) == pytest.approx(of(other))

"""Money: against sums over conditions, drawn conditions, and one condition at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, close, fit_for
from refusals import refused

import costspace as cs

# Off dyadic numbers, so that no condition falls on a break.
SCENARIOS = cs.Scenarios(
    fp_cost=[1.03, 2.17, 0.71, 1.9],
    fn_cost=[5.3, 0.97, 31.0, 12.1],
    prevalence=[0.0713, 0.513, 0.00731, 0.0713],
    tp_cost=[0, 0.4, -3.1, 1.7],
    tn_cost=[0, -0.3, 0.1, 0.7],
    weights=[3, 1, 2, 1],
)
KNOWN = cs.Deployment(1, (5, 500), (0.003, 0.2), tp_cost=(-2, 3), tn_cost=0.1)


def money_one_by_one(table, choice, conditions):
    """The weighted mean over scenarios of what each costs, from its own loss curve."""
    total = 0.0
    columns = conditions.columns()
    parts = ("fp_cost", "fn_cost", "prevalence", "tp_cost", "tn_cost", "weights")
    for fp, fn, p, tp, tn, weight in zip(*(columns[part] for part in parts), strict=True):
        a, b = fp - tn, fn - tp
        curve = choice.path(table.with_prevalence(p)).loss()
        loss = (a + b) / 2 * curve(cs.cost_proportion(fp_cost=a, fn_cost=b))
        total += weight * (loss + (1 - p) * tn + p * tp)
    return 1000 * total


@pytest.mark.parametrize("name", CHOICES)
@given(st.data())
@settings(max_examples=10)
def test_money_is_the_mean_over_the_conditions(name, data):
    case = CHOICES[name]
    sample = fit_for(case, data)
    expected = money_one_by_one(sample.table, case.choice, SCENARIOS)
    found = cs.expected_money(
        sample.y, sample.s, choice=case.choice, conditions=SCENARIOS, sample_weight=sample.w
    )
    close(found, expected, 1e-8)


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.2
    s = np.clip(0.15 + 0.25 * y + rng.normal(0, 0.15, 300), 0, 1).round(2)
    return y, s


@pytest.mark.parametrize(
    "choice",
    [cs.Optimal(), cs.ScoreDriven(0.2), cs.ScoreDriven(), cs.ScoreFixed(0.3), cs.RateFixed(0.1)],
    ids=str,
)
def test_money_agrees_with_a_million_drawn_conditions(choice, predictions):
    y, s = predictions
    found = cs.expected_money(y, s, choice=choice, conditions=KNOWN)
    drawn = KNOWN.draw(10**6, seed=1).columns()
    p, a, b = (
        drawn["prevalence"],
        drawn["fp_cost"] - drawn["tn_cost"],
        drawn["fn_cost"] - drawn["tp_cost"],
    )
    table = cs.ScoreTable.from_predictions(y, s)
    if isinstance(choice, cs.Optimal):
        points = table.by_skew.at((1 - p) * a / ((1 - p) * a + p * b))
    elif isinstance(choice, cs.RateFixed):
        # The share flagged is of the cases at deployment.
        all_points = table.distinct_points.after_flagging_all()
        fpr, fnr = all_points.fpr, all_points.fnr
        flagged = np.outer(1 - p[:20000], fpr) + np.outer(p[:20000], 1 - fnr)
        points = cs.OperatingPoints(
            *(np.array([np.interp(-0.1, -share, rate) for share in flagged]) for rate in (fpr, fnr))
        )
        p, a, b = p[:20000], a[:20000], b[:20000]
    else:
        c = a / (a + b)
        threshold = {
            cs.ScoreFixed(0.3): np.full(len(c), 0.3),
            cs.ScoreDriven(): c,
            cs.ScoreDriven(0.2): c * (1 - p) * 0.2 / (c * (1 - p) * 0.2 + (1 - c) * p * 0.8),
        }[choice]
        points = table.by_score.at(threshold)
    n = len(p)
    money = 1000 * (
        (1 - p) * a * points.fpr
        + p * b * points.fnr
        + (1 - p) * drawn["tn_cost"][:n]
        + p * drawn["tp_cost"][:n]
    )
    error = money.std() / np.sqrt(n)
    assert abs(found - money.mean()) < 4 * error
    assert error < 0.02 * abs(found)


def test_conditions_of_one_skew_count_by_their_stakes():
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    # At skew 0.5 an error costs 1 or 10; at 0.9 nothing costs much.
    two = cs.Scenarios(fp_cost=[1, 10], fn_cost=[1, 10], prevalence=0.5)
    assert cs.expected_money(y, s, choice=cs.ScoreFixed(), conditions=two) == 0.5 * 5.5 * 1000
    mixed = cs.Scenarios(fp_cost=[10, 0.09], fn_cost=[10, 0.01], prevalence=0.5)
    plain, staked = (mixed.skews(staked=staked).mean() for staked in (False, True))
    close([plain, staked], [0.7, (0.5 * 10 + 0.9 * 0.05) / 10.05])


@given(ANY, st.sampled_from([0.01, 7.0, 1e6]))
@settings(max_examples=25)
def test_scaling_all_costs_scales_the_money_only(sample, factor):
    known, scaled = (
        cs.Deployment(
            *((f, 2 * f), (5 * f, 80 * f), (0.01, 0.3)), tp_cost=(-3 * f, 4 * f), tn_cost=0.5 * f
        )
        for f in (1, factor)
    )
    for choice in (cs.Optimal(), cs.RateUniform()):
        one, other = (
            cs.expected_money(sample.y, sample.s, choice=choice, conditions=conditions)
            for conditions in (known, scaled)
        )
        np.testing.assert_allclose(other, factor * one, rtol=1e-9)


def test_bad_input_is_refused():
    with refused(cs.ConditionError, "choice must be a threshold choice method"):
        cs.expected_money([0, 1], [0.2, 0.7], choice="optimal", conditions=KNOWN)
    with refused(cs.ConditionError, "conditions must be a Deployment or Scenarios"):
        cs.expected_money([0, 1], [0.2, 0.7], choice=cs.Optimal(), conditions=cs.Uniform())

"""The Bayes rule of cases with costs of their own, against decisions made one by one."""

import numpy as np
import pytest
from costspace.decision.per_case import bayes_money
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, close

import costspace as cs
from costspace.decision.deciding import conditions_of

PREVALENCES = [0.013, 0.2, 0.61]


def rows_with_costs(sample, seed):
    rng = np.random.default_rng(seed)
    costs = cs.CaseCosts(*rng.uniform(1, 9, (2, len(sample))), tp_cost=0.3, tn_cost=-0.5)
    return cs.ScoredRows.from_predictions(
        sample.y, {"m": sample.s}, sample_weight=sample.w, case_costs=costs
    )


@given(ANY, st.integers(0, 99), st.sampled_from(PREVALENCES))
@settings(max_examples=40)
def test_money_is_the_sum_over_the_cases(sample, seed, calibrated_to):
    rows = rows_with_costs(sample, seed)
    costs, w = rows.costs, np.ones(len(rows)) if rows.weight is None else rows.weight
    c = cs.cost_proportion(costs.false_alarm, costs.miss)
    total = 0.0
    for p in PREVALENCES:
        z = c * (1 - p) / (c * (1 - p) + (1 - c) * p)
        threshold = z * calibrated_to / (z * calibrated_to + (1 - z) * (1 - calibrated_to))
        money = costs.of_flags(rows.scores["m"] > threshold, rows.positive)
        for side, share in ((~rows.positive, 1 - p), (rows.positive, p)):
            total += share * np.average(money[side], weights=w[side]) / len(PREVALENCES)
    known = conditions_of(rows, cs.Drawn(PREVALENCES))
    close(bayes_money(rows, "m", known, calibrated_to), 1000 * total, 1e-8)


@given(ANY)
@settings(max_examples=20)
def test_constant_costs_make_it_the_score_driven_choice(sample):
    rows = cs.ScoredRows.from_predictions(
        sample.y, {"m": sample.s}, sample_weight=sample.w, case_costs=cs.CaseCosts(1.03, 7.7)
    )
    known = conditions_of(rows, (0.0123, 0.345))
    calibrated_to = 0.3
    expected = cs.expected_money(
        sample.y,
        sample.s,
        choice=cs.ScoreDriven(calibrated_to),
        conditions=cs.Deployment(1.03, 7.7, (0.0123, 0.345)),
        sample_weight=sample.w,
    )
    close(bayes_money(rows, "m", known, calibrated_to), expected, 1e-7)


def test_scores_must_be_probabilities():
    rows = cs.ScoredRows.from_predictions(
        [0, 1], {"m": [-1.0, 2.0]}, case_costs=cs.CaseCosts(1, [2, 3])
    )
    with pytest.raises(cs.ScoreError, match="the per-case Bayes rule needs scores in"):
        bayes_money(rows, "m", conditions_of(rows), 0.5)

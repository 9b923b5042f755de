"""The parts of the loss budget: they add up, and none is negative in-sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, close
from refusals import refused

import costspace as cs
from costspace.decision.asking import conditions_of
from costspace.decision.budget import (
    REMEDIES,
    committing_budget,
    reacting_budget,
    worth_of_knowing,
)
from costspace.decision.limits.constrained import committed_money, constrained_money

EXACT = cs.Deployment(1, 7, 0.15)
UNCERTAIN = cs.Scenarios(
    fp_cost=[1.1, 0.9, 1.3], fn_cost=[5.3, 17, 0.4], prevalence=[0.11, 0.031, 0.47]
)
LIMITS = [
    cs.Constraints(),
    cs.Constraints(capacity=0.3),
    cs.Constraints(min_precision=0.2, capacity=0.6),
    cs.Constraints(max_fpr=0.25),
]


def budgets(sample, conditions, limits, *, randomise=True):
    """The reacting and the committing budget of a sample."""
    table = getattr(sample, "table", sample)
    scores = (
        table
        if isinstance(table, cs.decision.CostedScores)
        else cs.decision.CostedScores.same(table)
    )

    def money(choice, constraints):
        return constrained_money(scores, choice, conditions, constraints, randomise=randomise)

    def single(constraints):
        return committed_money(scores, conditions, constraints, randomise=randomise)

    free = cs.Constraints()
    trusting = money(cs.ScoreDriven(scores.prevalence), limits)
    optimal, feasible = money(cs.Optimal(), free), money(cs.Optimal(), limits)
    yield reacting_budget(conditions, optimal=optimal, feasible=feasible, trusting=trusting)
    yield committing_budget(
        conditions,
        optimal=optimal,
        single=single(free),
        feasible=single(limits),
        in_use=money(cs.ScoreFixed(0.5), limits),
    )


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("conditions", [EXACT, UNCERTAIN], ids=["exact", "uncertain"])
@given(ANY, st.booleans())
@settings(max_examples=16)
def test_parts_are_not_negative_and_add_up(limits, conditions, sample, randomise):
    for budget in budgets(sample, conditions, limits, randomise=randomise):
        money = np.array(list(budget.parts.values()))
        close(money.sum() / 1000, budget.total / 1000)
        assert money.min() > -1e-9
        assert set(budget.parts) <= set(REMEDIES)


@given(ANY)
@settings(max_examples=16)
def test_totals_are_the_expected_costs_of_the_strategies(sample):
    reacting, committing = budgets(sample, UNCERTAIN, cs.Constraints())
    options = {"conditions": UNCERTAIN, "sample_weight": sample.w}
    trusting = cs.ScoreDriven(sample.table.with_prevalence(sample.table.prevalence).prevalence)
    close(
        reacting.total,
        cs.expected_money(sample.y, sample.s, choice=trusting, **options),
        1e-8,
    )
    close(
        committing.total,
        cs.expected_money(sample.y, sample.s, choice=cs.ScoreFixed(0.5), **options),
        1e-8,
    )


def test_a_limit_can_help_a_threshold_that_is_set_badly():
    # Why constraints come before the mis-set threshold: after it they would add -90.
    y, s = [0] * 9 + [1], [0.9] * 9 + [0.95]
    table = cs.ScoreTable.from_predictions(y, s)
    known = cs.Deployment(fp_cost=1, fn_cost=10, prevalence=0.1)
    _, free = budgets(table, known, cs.Constraints())
    _, held = budgets(table, known, cs.Constraints(capacity=0.1))
    close(free.total, 900, 1e-9)
    close(held.total, 0, 1e-9)
    assert held.parts["constraints"] == 0


def test_correct_decisions_have_a_part_of_their_own():
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    known = cs.Deployment(fp_cost=3, fn_cost=5, prevalence=0.5, tp_cost=1, tn_cost=-2)
    _, budget = budgets(cs.ScoreTable.from_predictions(y, s), known, cs.Constraints())
    assert next(iter(budget.parts)) == "correct_decisions"
    assert budget.parts["correct_decisions"] == -500
    close(budget.total, sum(budget.parts.values()), 1e-9)


@given(ANY)
@settings(max_examples=20)
def test_knowing_more_never_costs_more(sample):
    worth = cs.value_of_knowing(sample.y, sample.s, conditions=UNCERTAIN, sample_weight=sample.w)
    assert worth.costs > -1e-9
    assert worth.prevalence > -1e-9
    assert worth.both > max(worth.costs, worth.prevalence) - 1e-9


def test_at_known_conditions_knowing_more_is_worth_nothing():
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    assert cs.value_of_knowing(y, s, conditions=EXACT) == cs.decision.ValueOfKnowing(0, 0, 0)
    with refused(cs.ConditionError, "conditions must be a Deployment or Scenarios"):
        cs.value_of_knowing(y, s, conditions=0.5)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@given(ANY, st.integers(0, 99))
@settings(max_examples=14)
def test_costs_of_each_case_leave_no_part_negative(limits, sample, seed):
    rng = np.random.default_rng(seed)
    costs = cs.CaseCosts(*rng.uniform(1, 9, (2, len(sample))))
    rows = cs.ScoredRows.from_predictions(
        sample.y, {"m": sample.s}, sample_weight=sample.w, case_costs=costs
    )
    scores = cs.decision.CostedScores.from_rows(rows, "m")
    for budget in budgets(scores, conditions_of(rows, rows.prevalence), limits):
        assert min(budget.parts.values()) > -1e-9


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_what_knowing_is_worth_by_brute_force(limits):
    rng = np.random.default_rng(8)
    y, s = rng.random(40) < 0.4, rng.random(40).round(1)
    table = cs.ScoreTable.from_predictions(y, s + 0.3 * y)
    fn, prevalences = np.array([2.0, 9.0]), np.array([0.11, 0.35])
    known = cs.Scenarios(1, np.repeat(fn, 2), np.tile(prevalences, 2))
    points = table.by_score.at(np.append(-np.inf, table.by_score.breaks))
    money = np.array([[(1 - p) * points.fpr + p * b * points.fnr for p in prevalences] for b in fn])
    held = np.array([limits.holds(points, p) for p in prevalences])
    everywhere = held.all(axis=0)
    unknown = money.mean(axis=(0, 1))[everywhere].min()
    costs = np.mean([of.mean(axis=0)[everywhere].min() for of in money])
    prevalence = np.mean([money[:, i].mean(axis=0)[held[i]].min() for i in (0, 1)])
    both = np.mean([[money[j, i][held[i]].min() for i in (0, 1)] for j in (0, 1)])
    worth = worth_of_knowing(cs.decision.CostedScores.same(table), known, limits, randomise=False)
    expected = [1000 * (unknown - money) for money in (costs, prevalence, both)]
    close([worth.costs, worth.prevalence, worth.both], expected, 1e-9)

"""The question that a decision answers, as a page has it."""

import numpy as np
import pytest
import scipy.stats

import costspace as cs
from costspace.report.answering import asked
from costspace.report.question import question_of, why_fixed

Y, S = [0, 0, 1, 1, 0, 1] * 3, [0.1, 0.6, 0.4, 0.9, 0.3, 0.7] * 3
BASE = {"fp_cost": 1, "fn_cost": 5, "prevalence": 0.2}
SAME = {
    "fp_cost": [1, 1], "fn_cost": [5, 5], "prevalence": [0.2, 0.2], "tp_cost": [0, 0],
    "tn_cost": [0, 0], "review": None, "estimated": False, "known": [], "limits": {}, "batch": None,
    "baseline": None,
}  # fmt: skip


BEYOND = "What was asked of this decision goes beyond the inputs of a page."


def look(cost, sensitivity=(1, 1), specificity=(1, 1)):
    parts = {"cost": cost, "sensitivity": sensitivity, "specificity": specificity}
    return {name: list(ends) for name, ends in parts.items()}


def decided(costs=BASE, **asked_for):
    return cs.decide(Y, {"a": S}, conditions=cs.Deployment(**{**BASE, **costs}), **asked_for)


@pytest.mark.parametrize(
    ("costs", "asked_for", "ends"),
    [
        ({}, {}, {}),
        ({"prevalence": (0.1, 0.3)}, {}, {"prevalence": [0.1, 0.3]}),
        ({"prevalence": cs.LogitUniform(0.1, 0.3)}, {}, {"prevalence": [0.1, 0.3]}),
        ({"fp_cost": cs.LogUniform(1, 3)}, {}, {"fp_cost": [1, 3]}),
        ({"fn_cost": cs.Drawn([7, 7])}, {}, {"fn_cost": [7, 7]}),
        ({"tp_cost": -2, "tn_cost": (-1, 0)}, {}, {"tp_cost": [-2, -2], "tn_cost": [-1, 0]}),
        (
            {"fn_cost": (5, 9)},
            {"known": ("prevalence", "costs")},
            {"fn_cost": [5, 9], "known": ["costs", "prevalence"]},
        ),
        (
            {},
            {"constraints": cs.Constraints(capacity=0.9, min_recall=0.1)},
            {"limits": {"capacity": 0.9, "min_recall": 0.1}},
        ),
        ({"prevalence": None}, {}, {"prevalence": [0.5, 0.5], "estimated": True}),
        ({"review": cs.Review(0.5)}, {}, {"review": look([0.5, 0.5])}),
        (
            {"review": cs.Review((0.1, 0.5), sensitivity=(0.8, 0.9), specificity=0.95)},
            {},
            {"review": look([0.1, 0.5], [0.8, 0.9], [0.95, 0.95])},
        ),
        (
            {"review": cs.Review(0.5)},
            {"constraints": cs.Constraints(review_capacity=4, batch=20)},
            {"review": look([0.5, 0.5]), "limits": {"review_capacity": 0.2}, "batch": 20},
        ),
        ({}, {"baseline": ("a", 0.5)}, {"baseline": {"model": "a", "threshold": 0.5}}),
        ({}, {"baseline": [0, 1] * 9}, {"baseline": {"model": "in use", "threshold": None}}),
    ],
)
def test_what_inputs_say(costs, asked_for, ends):
    decision = decided(costs, **asked_for)
    question = question_of(decision)
    assert question == {**SAME, **ends}
    assert why_fixed(decision) is None
    again = asked(decision.task.held_out, question, decision.level)
    assert again.to_dict() == decision.to_dict()


@pytest.mark.parametrize(
    ("costs", "asked_for"),
    [
        ({"prevalence": cs.Uniform(0.1, 0.3)}, {}),
        ({"fp_cost": cs.Drawn([1, 3])}, {}),
        ({"fn_cost": scipy.stats.lognorm(1)}, {}),
        ({"review": cs.Review(scipy.stats.lognorm(1))}, {}),
        ({"review": cs.Review(0.5, sensitivity=cs.Drawn([0.8, 0.9]))}, {}),
        ({}, {"choices": [cs.RateFixed(0.1)]}),
        ({}, {"calibrated_to": 0.3}),
        ({}, {"randomise": True}),
    ],
)
def test_no_inputs_say_it(costs, asked_for):
    decision = decided(costs, **asked_for)
    assert question_of(decision) is None
    assert why_fixed(decision) == BEYOND


def test_what_varies_together_or_by_case_is_fixed():
    scenarios = cs.Scenarios(fp_cost=1, fn_cost=[5, 50], prevalence=0.2)
    decision = cs.decide(Y, {"a": S}, conditions=scenarios)
    assert why_fixed(decision) == BEYOND
    by_case = cs.CaseCosts(fp_cost=np.ones(18), fn_cost=np.arange(2.0, 20.0))
    for limits in (cs.Constraints(), cs.Constraints(capacity=0.4)):
        decision = cs.decide(Y, {"a": S}, case_costs=by_case, constraints=limits)
        assert why_fixed(decision).startswith("Each case has costs of its own here")


def test_validation_rows_are_not_on_the_page():
    decision = decided(validation=(Y, {"a": S}))
    assert why_fixed(decision).startswith("Strategies were compared on validation rows")

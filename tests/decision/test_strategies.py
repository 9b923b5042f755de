"""Which strategies a task has, in which order, and what is refused if it is asked for."""

import numpy as np
import pytest
from foreign import Settings
from refusals import refused
from two_models import sample

import costspace as cs
from costspace.arrays import FrozenDict
from costspace.decision.costed import CostedScores
from costspace.decision.holdout import hold_out
from costspace.decision.strategies import strategies_of
from costspace.decision.strategy import default_choices, named_choices
from costspace.decision.task import Task

RANGE, KNOWN = cs.Deployment(1, (2, 20), (0.05, 0.4)), cs.Deployment(1, (2, 20), 0.2)
LIMITS = cs.Constraints(capacity=0.2)


def task_of(rows, conditions, *, choices=None, constraints=cs.Constraints(), calibrated_to=0.4):
    named = default_choices(calibrated_to)
    if choices is not None:
        named = named_choices(choices, calibrated_to)
    return Task(
        rows,
        FrozenDict({name: CostedScores.from_rows(rows, name) for name in rows.scores}),
        hold_out(rows),
        FrozenDict(named),
        calibrated_to,
        conditions,
        constraints,
        randomise=True,
    )


def names(task, model, *, asked=False):
    return [one.name for one in strategies_of(task, asked=asked) if one.model == model]


def test_the_simplest_come_first():
    rows = sample(40, 9)
    rows = cs.ScoredRows(rows.positive, {**rows.scores, "margin": 4 * rows.scores["a"] - 2})
    known = task_of(rows, KNOWN)
    assert names(known, None) == ["flag_nobody", "flag_everybody"]
    assert [one.model for one in strategies_of(known, asked=False)][:3] == [None, None, "a"]
    probabilities = ["score_fixed", "score_driven", "score_driven_uncorrected"]
    assert names(known, "a") == ["one_threshold", *probabilities, "rate_driven", "optimal"]
    assert names(known, "margin") == ["one_threshold", "score_fixed", "rate_driven", "optimal"]
    # Rates, and thresholds at the cost proportion, are a matter of the prevalence too.
    over = task_of(rows, RANGE)
    assert names(over, "b") == ["one_threshold", "score_fixed", "score_driven", "optimal"]
    assert names(task_of(rows, KNOWN, calibrated_to=0.2), "a") == [
        *("one_threshold", "score_fixed", "score_driven", "rate_driven", "optimal"),
    ]


def test_costs_of_each_case_have_a_strategy_of_their_own():
    rows = sample(40, 9, costly=True)
    assert names(task_of(rows, KNOWN), "b")[-1] == "per_case"
    assert "per_case" not in names(task_of(rows, KNOWN, constraints=LIMITS), "b")
    assert "per_case" not in names(task_of(rows, KNOWN, choices=[cs.Optimal()]), "b", asked=True)
    margin = cs.ScoredRows(rows.positive, {"margin": 4 * rows.scores["a"] - 2}, costs=rows.costs)
    assert "per_case" not in names(task_of(margin, KNOWN), "margin")


def test_what_was_asked_for_is_all_there_is():
    rows = sample(40, 9)
    own = [cs.RateFixed(0.1), Settings()]
    assert names(task_of(rows, KNOWN, choices=own), "a", asked=True) == [str(one) for one in own]
    own = [cs.Optimal(), cs.ScoreFixed(0.3)]
    assert names(task_of(rows, RANGE, choices=own), "a", asked=True) == [
        *("one_threshold", "optimal", "ScoreFixed(threshold=0.3)"),
    ]


@pytest.mark.parametrize(
    ("choice", "conditions", "error", "text"),
    [
        (cs.RateUniform(), KNOWN, cs.ConditionError, "draws its threshold at random, and has none"),
        (cs.ScoreUniform(), KNOWN, cs.ConditionError, "draws its threshold at random"),
        (cs.RateDriven(), RANGE, cs.ConditionError, "looks at more than the skew (`"),
        (cs.RateFixed(0.1), RANGE, cs.ConditionError, "the prevalence is 0.05 to 0.4: give one"),
        (Settings(), RANGE, cs.ConditionError, "give one prevalence, or use another choice."),
    ],
)
def test_what_cannot_be_deployed(choice, conditions, error, text):
    rows = sample(40, 9)
    with refused(error, text):
        list(strategies_of(task_of(rows, conditions, choices=[choice]), asked=True))
    labels = rows.positive.astype(int)
    with refused(error, text):
        cs.decide(labels, rows.scores, conditions=conditions, choices=[cs.Optimal(), choice])


def test_trusted_scores_are_probabilities():
    y, s = np.tile([0, 1], 20), np.linspace(-2, 3, 40)
    with refused(cs.ScoreError, "needs scores in [0, 1], got scores of 'm' from -2 to 3: use a"):
        cs.decide(y, {"m": s}, conditions=KNOWN, choices=[cs.ScoreDriven()])
    found = cs.decide(y, {"m": s}, conditions=KNOWN, choices=[cs.ScoreFixed(0.5)])
    assert {one.strategy.model for one in found.strategies} == {None, "m"}

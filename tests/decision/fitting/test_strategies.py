"""Which strategies a task has, in which order, and what is refused if it is asked for."""

import numpy as np
import pytest
from foreign import Settings
from refusals import refused
from two_models import sample

import costspace as cs
from costspace.arrays import FrozenDict
from costspace.decision.fitting.strategies import check_choices, strategies_of
from costspace.decision.held_out.holding_out import hold_out
from costspace.decision.money.costed import CostedScores
from costspace.decision.strategy import (
    CASE,
    CONDITION,
    NOTHING,
    Strategy,
    default_choices,
    named_choices,
)
from costspace.decision.task import Task

RANGE, KNOWN = cs.Deployment(1, (2, 20), (0.05, 0.4)), cs.Deployment(1, (2, 20), 0.2)
LIMITS = cs.Constraints(capacity=0.2)


def task_of(
    rows,
    conditions,
    *,
    choices=None,
    constraints=cs.Constraints(),
    calibrated_to=0.4,
    known=CONDITION,
    baseline=None,
):
    named = default_choices(calibrated_to, constraints.capacity)
    if choices is not None:
        named = named_choices(choices, calibrated_to)
    return Task(
        rows,
        FrozenDict({name: CostedScores.from_rows(rows, name) for name in rows.scores}),
        hold_out(rows),
        FrozenDict(named),
        calibrated_to,
        conditions,
        known,
        constraints,
        randomise=True,
        baseline=baseline,
    )


def strategies(task, model):
    return [one for one in strategies_of(task) if one.model == model]


def names(task, model):
    return [one.name for one in strategies(task, model)]


def test_the_simplest_come_first():
    rows = sample(40, 9)
    rows = cs.ScoredRows(rows.positive, {**rows.scores, "margin": 4 * rows.scores["a"] - 2})
    in_use = Strategy("b", cs.ScoreFixed(0.3), "baseline", NOTHING)
    task = task_of(rows, RANGE, constraints=LIMITS, baseline=in_use)
    assert names(task, None) == ["flag_nobody", "flag_everybody"]
    assert [one.model for one in strategies_of(task)][:4] == [None, None, "b", "a"]
    assert names(task, "a") == ["queue", "score_driven", "smoothed"]
    assert names(task, "b") == ["baseline", "queue", "score_driven", "smoothed"]
    assert names(task, "margin") == ["queue", "smoothed"]
    assert names(task_of(rows, RANGE), "a") == ["score_driven", "smoothed"]


@pytest.mark.parametrize("known", [NOTHING, {"costs"}, {"prevalence"}, CONDITION])
def test_strategies_go_by_what_is_known(known):
    task = task_of(sample(40, 9), RANGE, constraints=LIMITS, known=frozenset(known))
    assert [one.known for one in strategies(task, "a")] == [NOTHING, known, known]
    assert {one.known for one in strategies(task, None)} == {NOTHING}


def test_choices_follow_the_costs_of_each_case_where_they_can():
    rows = sample(40, 9, costly=True)
    by_case = {"costs", CASE}
    own = [cs.Optimal(), cs.ScoreFixed(0.3), cs.RateDriven(), cs.RateFixed(0.1)]

    def known(**given):
        task = task_of(rows, KNOWN, known=frozenset(by_case), **given)
        return [one.known for one in strategies(task, "b")]

    assert known() == [by_case, by_case]
    assert known(constraints=LIMITS) == [NOTHING, {"costs"}, {"costs"}]
    assert known(choices=own) == [by_case, {"costs"}, {"costs"}, NOTHING]


@pytest.mark.parametrize("weights", ["sampling", "counts"])
def test_the_room_of_limits_is_for_as_many_rows_as_weights_stand_for(weights):
    y, s = np.tile([0, 0, 1], 30), np.random.default_rng(4).random(90) + np.tile([0, 0, 0.4], 30)
    weight = np.tile([1.0, 1.0, 1.0, 5.0, 5.0, 5.0], 15)
    often = weight.astype(int)
    # Weights that are counts are rows, and others so many as Kish has them.
    n = often.sum() / 3 if weights == "counts" else 30 * 9 / 13
    given = {"conditions": cs.Deployment(1, 9, 0.3), "constraints": cs.Constraints(capacity=0.4)}
    decision = cs.decide(y, {"m": s}, **given, sample_weight=weight, weights=weights)
    room = decision.task.limits_with_room.room
    assert (room.negatives, room.positives) == pytest.approx((2 * n, n), rel=1e-9)
    # There is more room where the cheapest of more models is used.
    two = {"m": s, "o": -s}
    more = cs.decide(y, two, **given, sample_weight=weight, weights=weights)
    assert more.task.limits_with_room.room.quantile > room.quantile
    saved = cs.compare_money(
        y, two, **given, sample_weight=weight, weights=weights, choices=[cs.Optimal()]
    )
    if weights == "counts":
        again = cs.decide(y.repeat(often), {"m": s.repeat(often)}, **given)
        assert again.task.limits_with_room.room == room
        rules = {one.rule for one in saved.strategies if one.strategy.model == "m"}
        repeated = {name: one.repeat(often) for name, one in two.items()}
        alike = cs.decide(y.repeat(often), repeated, **given, choices=[cs.Optimal()])
        assert rules == {one.rule for one in alike.fits if one.strategy.model == "m"}


def test_only_the_choices_asked_for_are_compared():
    rows = sample(40, 9)
    own = [cs.RateFixed(0.1), Settings()]
    assert names(task_of(rows, KNOWN, choices=own), "a") == [str(one) for one in own]
    own = [cs.Optimal(), cs.ScoreFixed(0.3)]
    assert names(task_of(rows, RANGE, choices=own), "a") == [
        *("optimal", "ScoreFixed(threshold=0.3)"),
    ]


@pytest.mark.parametrize(
    ("choice", "conditions", "error", "text"),
    [
        (cs.RateUniform(), KNOWN, cs.ConditionError, "draws its threshold at random, and has none"),
        (cs.ScoreUniform(), KNOWN, cs.ConditionError, "draws its threshold at random"),
        (cs.RateDriven(), RANGE, cs.ConditionError, "looks at more than the skew (`"),
        (Settings(), RANGE, cs.ConditionError, "0.4: say that it is not known at each decision (k"),
        (Settings(), RANGE, cs.ConditionError, "give one prevalence, or use another choice."),
    ],
)
def test_choices_that_cannot_be_deployed_are_refused(choice, conditions, error, text):
    rows = sample(40, 9)
    with refused(error, text):
        check_choices(task_of(rows, conditions, choices=[choice]))
    labels = rows.positive.astype(int)
    with refused(error, text):
        cs.decide(
            *(labels, rows.scores),
            conditions=conditions,
            choices=[cs.Optimal(), choice],
            known="costs,prevalence",
        )


def test_a_choice_is_left_out_for_models_that_it_does_not_suit():
    rows = sample(40, 9)
    y, scores = rows.positive.astype(int), {**rows.scores, "margin": 4 * rows.scores["a"] - 2}
    given = {"conditions": KNOWN, "choices": [cs.ScoreDriven()], "known": "costs"}
    found = cs.decide(y, scores, **given)
    assert {one.strategy.model for one in found.strategies} == {None, "a", "b"}
    (said,) = (text for text in found.recommendation.warnings if "without" in text)
    assert said.startswith("margin without score_driven_uncorrected: score_driven_unc")
    compared = cs.compare_money(y, scores, **given)
    assert said in compared.warnings
    assert compared.notes == {"margin": "no choice suits its scores."}
    compared = cs.compare_money(y, scores, **given | {"choices": [cs.ScoreDriven(), cs.Smoothed()]})
    assert said in compared.warnings
    assert not compared.notes
    with refused(cs.InfeasibleError, "too few models can be compared: margin, no choice suits"):
        cs.compare_money(y, {name: scores[name] for name in ("a", "margin")}, **given)
    with refused(cs.ScoreError, "needs scores in [0, 1]"):
        cs.decide(y, {"margin": scores["margin"]}, **given)


def test_a_choice_that_follows_the_costs_needs_known_costs_or_the_skew():
    y, scores = sample(40, 9).positive.astype(int), sample(40, 9).scores
    text = "follows the costs, and they are not known at each decision: say that they are (known="
    for known in ((), "prevalence"):
        with refused(cs.ConditionError, text):
            cs.decide(y, scores, conditions=KNOWN, choices=[cs.RateDriven()], known=known)
    # Through the skew, or with one cost of each mistake, or where costs are known, it can.
    for choice, conditions, known in (
        (cs.Optimal(), RANGE, ()),
        (cs.RateDriven(), cs.Deployment(1, 4, 0.2), ()),
        (cs.RateDriven(), cs.Deployment(1, 4, (0.1, 0.3)), ()),
        (cs.RateDriven(), RANGE, "costs"),
        (cs.RateDriven(), KNOWN, "costs"),
    ):
        found = cs.decide(y, scores, conditions=conditions, choices=[choice], known=known)
        assert {one.strategy.model for one in found.strategies} == {None, "a", "b"}


def test_score_driven_thresholds_need_probabilities():
    y, s = np.tile([0, 1], 20), np.linspace(-2, 3, 40)
    with refused(cs.ScoreError, "needs scores in [0, 1], got scores of 'm' from -2 to 3: calib"):
        cs.decide(y, {"m": s}, conditions=KNOWN, choices=[cs.ScoreDriven(0.5)])
    found = cs.decide(y, {"m": s}, conditions=KNOWN, choices=[cs.ScoreFixed(0.5)])
    assert {one.strategy.model for one in found.strategies} == {None, "m"}


def test_what_rows_say_of_the_money_is_by_class_and_action() -> None:
    known = cs.Deployment(fp_cost=3, fn_cost=20, tp_cost=2, tn_cost=1, prevalence=0.1)
    task = task_of(sample(40, 9), known)
    chances = np.array([[1.0, 0.0], [0.0, 1.0], [0.25, 0.75], [0.25, 0.75]])
    found = task.losses_of(np.array([True, False, True, False]), chances)
    # A miss costs 18 more than what is found, an alarm 2 more than none.
    expected = 1000 * np.array([0.1 * 18, 0.9 * 2, 0.25 * 0.1 * 18, 0.75 * 0.9 * 2])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert task.losses_of(np.array([True, False]), np.array([[0.0, 1.0], [1.0, 0.0]])).max() == 0
    assert task.trivial["flag_nobody"] == pytest.approx(1000 * (0.1 * 20 + 0.9 * 1))
    assert task.trivial["flag_everybody"] == pytest.approx(1000 * (0.1 * 2 + 0.9 * 3))

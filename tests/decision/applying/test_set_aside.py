"""Cases that no rule decides: a value is missing, or acting on them is never worth it."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.rules.queue import Queue

RNG = np.random.default_rng(9)
Y = (RNG.random(400) < 0.3).astype(int)
S = 1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=400)))
NAN = float("nan")
LOSS = RNG.uniform(5, 50, 400)


def by_rule(rule: cs.Rule) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule))


def by_case(**more: Any) -> SavedDecision:
    costs = cs.CaseCosts(fp_cost=4, fn_cost=LOSS, tp_cost=4)
    return cs.decide(Y, {"m": S}, case_costs=costs, folds=2, **more).saved()


def test_missing_scores_are_refused_unless_it_is_said_what_to_do() -> None:
    kept = by_rule(cs.Rule(0.5))
    with refused(cs.ScoreError, "scores have a missing value (NaN) in row 2: fill or drop it."):
        kept.apply([0.2, NAN, 0.9])
    for odd in ("drop", None, True, ["pass"]):
        with refused(
            cs.ConditionError, "missing must be one of 'refuse', 'pass', 'review', 'flag', got"
        ):
            kept.apply([0.2], missing=odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "scores",
    [
        [0.2, NAN, 0.9, None],
        [-np.inf, NAN, np.inf, None],
        np.array([0.2, NAN, 0.9, NAN], dtype=np.float32),
        np.ma.array([0.2, 0.7, 0.9, 0.1], mask=[False, True, False, True]),
        pd.Series([0.2, None, 0.9, None], dtype="Float64"),
        pd.DataFrame({"m": [0.2, None, 0.9, None]}),
        {"m": [0.2, NAN, 0.9, NAN]},
    ],
)
def test_missing_scores_have_the_action_that_was_asked_for(scores: Any) -> None:
    kept = by_rule(cs.Rule(0.5))
    for missing in ("pass", "flag"):
        found = kept.apply(scores, missing=missing)
        assert found.action.tolist() == ["pass", missing, "flag", missing]
        assert (found.missing, found.not_worth) == (2, 0)
    every = kept.apply([NAN, NAN], missing="flag")
    assert (every.counts, every.missing) == ({"flag": 2}, 2)


def test_a_rule_that_looks_at_no_score_lacks_none() -> None:
    kept = SavedDecision({}, DeployedRules(None, "flag_nobody", cs.Rule(np.inf)))
    for missing in ("refuse", "pass", "flag"):
        for scores in ([0.2, NAN, 0.9], {"m": [0.2, None, 0.9]}, pd.Series([0.2, None, 0.9])):
            found = kept.apply(scores, missing=missing)
            assert (found.action.tolist(), found.missing) == (["pass"] * 3, 0)


def test_what_is_no_number_is_still_refused() -> None:
    kept = by_rule(cs.Rule(0.5))
    for odd, text in (
        ([0.2, None, "x"], "scores must be numbers, got text such as '0.2'"),
        ([0.2, NAN, 2**60], "integers beyond 2^53"),
        ([[0.2], [NAN, 0.3]], "scores must have one dimension"),
    ):
        with refused(cs.ScoreError, text):
            kept.apply(odd, missing="pass")


def test_draws_go_by_the_place_of_a_case_whatever_is_missing() -> None:
    kept = by_rule(cs.Rule(0.3, otherwise=cs.Rule(0.7), chance=0.5))
    whole = kept.apply(S, seed=3).action
    gaps = np.where(np.arange(400) % 3 == 0, NAN, S)
    found = kept.apply(gaps, seed=3, missing="pass").action
    assert (found[np.isfinite(gaps)] == whole[np.isfinite(gaps)]).all()
    assert (found[np.isnan(gaps)] == "pass").all()


def test_in_a_queue_missing_scores_come_first_or_take_no_place() -> None:
    kept = by_rule(cs.Rule(0.4, by="share"))
    # Four places for ten cases.
    scores = [0.1, NAN, 0.3, 0.4, 0.5, NAN, 0.7, 0.8, 0.9, 0.2]
    passed = kept.apply(scores, missing="pass")
    assert np.flatnonzero(passed.action == "flag").tolist() == [4, 6, 7, 8]
    flagged = kept.apply(scores, missing="flag")
    assert np.flatnonzero(flagged.action == "flag").tolist() == [1, 5, 7, 8]
    assert (passed.tied, flagged.tied, flagged.missing) == (0, 0, 2)
    # There are more than places: all of them are flagged, and nobody else.
    many = kept.apply([NAN] * 6 + [0.1, 0.2, 0.3, 0.4], missing="flag")
    assert many.action.tolist() == ["flag"] * 6 + ["pass"] * 4
    assert many.tied == 0
    # There are more places than scores: all with one are flagged.
    few = kept.apply([NAN] * 7 + [0.1, 0.2, 0.3], missing="pass")
    assert few.action.tolist() == ["pass"] * 7 + ["flag"] * 3
    # What ties at the edge is left out, where missing scores have taken its places.
    tied = kept.apply([0.9, NAN, NAN, 0.5, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1], missing="flag")
    assert (tied.counts["flag"], tied.tied) == (3, 2)
    days = np.repeat(["mon", "tue"], 5)
    each = kept.apply(scores, missing="flag", batch=days)
    assert np.flatnonzero(each.action == "flag").tolist() == [1, 4, 5, 8]
    alone = SavedDecision({}, DeployedRules("m", "own", cs.Rule(0.4, by="share")))
    assert alone.apply([NAN], missing="flag").counts == {"flag": 1}


def test_a_queue_counts_all_cases() -> None:
    scores, counts = np.array([0.1, 0.5, NAN]), np.array([3.0, 2.0, 5.0])
    for missing, ends in (("pass", (0, 5)), ("flag", (5, 0))):
        queue = Queue.of(scores, counts, missing=missing)
        assert (queue.cases, queue.first, queue.last) == (10, *ends)
        same = Queue.of(np.repeat(scores, [3, 2, 5]), missing=missing)
        assert (same.scores == queue.scores).all()
        assert (same.counts == queue.counts).all()
        assert (same.first, same.last) == ends


def test_amounts_and_shares_may_be_missing_too() -> None:
    conditions = cs.Deployment((1, 2), (4, 12), (0.1, 0.2))
    more = {"known": ["costs", "prevalence"], "choices": [cs.Optimal()], "folds": 2}
    kept = cs.decide(Y, {"m": S}, conditions=conditions, **more).saved()
    given = {
        "fp_cost": np.linspace(1, 2, 400),
        "fn_cost": np.linspace(12, 4, 400),
        "prevalence": np.linspace(0.1, 0.2, 400),
    }
    whole = kept.apply(S, **given).action
    gaps = {
        name: np.where(np.arange(400) % 7 == i, NAN, x) for i, (name, x) in enumerate(given.items())
    }
    scores = np.where(np.arange(400) % 7 == 3, NAN, S)
    lacks = np.arange(400) % 7 <= 3
    for missing in ("pass", "flag"):
        found = kept.apply(scores, **gaps, missing=missing)
        assert (found.action[~lacks] == whole[~lacks]).all()
        assert (found.action[lacks] == missing).all()
        assert found.missing == np.sum(lacks)
        assert found.doubt == ""
    with refused(cs.ConditionError, "fp_cost must be finite, got nan in row 1"):
        kept.apply(S, **gaps)
    with refused(cs.ConditionError, "costs must be one number or one a row, got 3 of fp_cost"):
        kept.apply(S, **{**given, "fp_cost": [1, 1, 1]}, missing="pass")
    with refused(cs.ConditionError, "prevalence must be in (0, 1), got nan"):
        kept.apply(S, **{**given, "prevalence": NAN}, missing="pass")


def test_cases_of_which_acting_is_never_worth_it_are_passed() -> None:
    kept = by_case()
    assert kept.rules.follows_costs
    losses = np.where(np.arange(400) % 10 == 0, RNG.uniform(0, 4, 400), LOSS)
    never = losses <= 4
    whole = kept.apply(S, fp_cost=4, fn_cost=LOSS)
    found = kept.apply(S, fp_cost=4, fn_cost=losses)
    assert (found.action[never] == "pass").all()
    assert (found.action[~never] == whole.action[~never]).all()
    assert (found.not_worth, found.missing) == (np.sum(never), 0)
    also = kept.apply(S, case_costs=cs.CaseCosts(4, losses, 4))
    assert also.action.tolist() == found.action.tolist()
    everything = kept.apply(S[:3], fp_cost=4, fn_cost=[1, 2, 4])
    assert (everything.counts, everything.not_worth) == ({"pass": 3}, 3)
    # What is missing is not known to be so.
    gaps = np.where(np.arange(400) % 20 == 0, NAN, losses)
    both = kept.apply(S, fp_cost=4, fn_cost=gaps, missing="flag")
    assert (both.missing, both.not_worth) == (20, np.sum(never & np.isfinite(gaps)))
    assert (both.action[np.isnan(gaps)] == "flag").all()


def test_costs_that_say_to_flag_always_or_of_one_number_are_refused() -> None:
    kept = by_case()
    with refused(cs.ConditionError, "fn_cost must be above tp_cost, got 3 and 4"):
        kept.apply(S, fp_cost=4, fn_cost=3)
    with refused(cs.ConditionError, "fp_cost must be above tn_cost, got 0 and 0 in row 400"):
        kept.apply(S, fp_cost=np.append(np.ones(399), 0), fn_cost=LOSS)
    with refused(cs.ConditionError, "costs are 2 for 400 scores"):
        kept.apply(S, fp_cost=4, fn_cost=[3, 9])


def test_decide_passes_rows_of_which_acting_is_never_worth_it_and_counts_them() -> None:
    losses = np.where(np.arange(400) % 10 == 0, 3.0, LOSS)
    worth = losses > 4
    costs = cs.CaseCosts(fp_cost=4, fn_cost=losses, tp_cost=4)
    groups, use = np.arange(400) // 2, (S > 0.5).astype(int)
    more = {"groups": groups, "sample_weight": 1 + np.arange(400) % 2}
    found = cs.decide(Y, {"m": S}, case_costs=costs, baseline=use, **more)
    fewer = {name: values[worth] for name, values in more.items()}
    wanted = cs.decide(
        Y[worth],
        {"m": S[worth]},
        case_costs=cs.CaseCosts(4, LOSS[worth], 4),
        baseline=use[worth],
        **fewer,
    )
    told = (
        "40 rows are passed and left out, whatever the score: a false negative costs no more than "
        "a true positive there."
    )
    assert told in found.recommendation.answer
    assert found.recommendation.money == wanted.recommendation.money
    assert [one.money for one in found.strategies] == [one.money for one in wanted.strategies]
    assert found.to_dict()["condition"]["passed"] == 40
    assert wanted.to_dict()["condition"]["passed"] == 0
    json.dumps(found.to_dict(details=True), allow_nan=False)
    compared = cs.compare_money(Y, {"m": S}, case_costs=costs, baseline=("m", 0.5))
    assert told in compared.warnings
    rows = cs.ScoredRows.from_predictions(Y, {"m": S}, case_costs=costs)
    split = cs.decide(rows, validation=rows)
    assert split.task.passed == 80
    with refused(cs.LabelError, "there is no positive row: both classes are needed."):
        cs.decide(Y, {"m": S}, case_costs=cs.CaseCosts(4, np.where(Y == 1, 3.0, 9.0), 4))

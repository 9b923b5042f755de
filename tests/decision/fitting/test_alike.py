"""Strategies that do the same on all rows: one line, in whatever order they are given."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import costspace as cs

KNOWN = cs.Deployment(1000, 5000, 0.2)


def log_odds(p):
    return np.log(p) - np.log1p(-p)


def platt(p):
    return 1 / (1 + np.exp(0.3 - 0.6 * log_odds(p)))


# The same ranking on other scales.
TWINS = {
    "copy": np.copy,
    "log-odds": log_odds,
    "Platt": platt,
    "half": lambda p: p / 2,
    "percent": lambda p: 100 * p,
    "float32": lambda p: p.astype(np.float32),
}
ASKED = {
    "one condition": lambda y: {"conditions": KNOWN},
    "a range": lambda y: {"conditions": cs.Deployment(1, (2, 9), (0.1, 0.3))},
    "a range that is known": lambda y: {
        "conditions": cs.Deployment(1, (2, 9), 0.2),
        "known": "costs",
    },
    "a queue": lambda y: {"conditions": KNOWN, "constraints": cs.Constraints(capacity=0.2)},
    "costs of each case": lambda y: {
        "case_costs": cs.CaseCosts(1 + np.arange(len(y)) % 3, 2 + np.arange(len(y)) % 7)
    },
    "in use": lambda y: {"conditions": KNOWN, "baseline": ("main", 0.3)},
}


def drawn(seed, n=200):
    """Labels, scores of a model that is nearly calibrated, and of a worse one."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    good, bad = (1 / (1 + np.exp(1 - rng.normal(k * y, 1))) for k in (1.5, 0.8))
    return y, good, bad


def lines(decision):
    """What is said of every strategy, by its name."""
    found = {}
    for one in decision.strategies:
        more = one.more
        numbers = [one.money, one.low, one.high]
        numbers += [] if more is None else [more.difference, more.low, more.high, more.p_adjusted]
        alike = {str(each) for each in decision.alike(one.strategy)}
        found[str(one.strategy)] = numbers, (alike, str(one.same_as))
    return found


def assert_same_lines(some, others):
    assert some.keys() == others.keys()
    for name, (numbers, same) in some.items():
        np.testing.assert_allclose(numbers, others[name][0], rtol=1e-9, atol=1e-9)
        assert same == others[name][1]


@pytest.mark.parametrize(
    ("twin", "asked"),
    [*((twin, "one condition") for twin in TWINS), *(("log-odds", asked) for asked in ASKED)],
)
def test_twins_are_one_line_in_any_order(twin, asked):
    y, good, bad = drawn(len(twin), 120)
    scores = {"main": good, "twin": TWINS[twin](good), "other": bad}
    first = None
    for order in permutations(scores):
        found = cs.decide(y, {name: scores[name] for name in order}, **ASKED[asked](y))
        by_name = {str(one.strategy): one for one in found.strategies}
        for name in ("smoothed", "queue"):
            if f"main, {name}" in by_name:
                main, same = (by_name[f"{model}, {name}"] for model in ("main", "twin"))
                assert same.strategy in found.alike(main.strategy)
                assert main.money == same.money
        for one in found.strategies:
            if one.same_as is not None:
                assert not one.in_family
                if one.same_as == found.strategy:
                    assert (one.more.difference, one.more.p_adjusted) == (0, 1)
        first = first or found
        assert found.strategy == first.strategy
        assert found.recommendation.text == first.recommendation.text
        assert_same_lines(lines(found), lines(first))


@given(st.integers(0, 10_000), st.sampled_from(list(TWINS)), st.booleans())
@settings(max_examples=15, deadline=None)
def test_a_twin_changes_nothing_but_names(seed, twin, tied):
    y, good, bad = drawn(seed, 120)
    good = good.round(2) if tied else good
    scores = {"main": good, "other": bad}
    learnt = {"conditions": KNOWN, "choices": [cs.Smoothed()]}
    alone = cs.decide(y, scores, **learnt)
    beside = cs.decide(y, {"twin": TWINS[twin](good), **scores}, **learnt)
    assert len(beside.strategies) == len(alone.strategies) + 1
    before, after = lines(alone), lines(beside)
    for name, (numbers, _) in before.items():
        np.testing.assert_allclose(after[name][0], numbers, rtol=1e-9, atol=1e-9)
    assert after["twin, smoothed"][1][1] == "main, smoothed"


@pytest.mark.parametrize("twin", ["log-odds", "Platt", "half"])
@pytest.mark.parametrize("fn_cost", [2, 5, 20])
def test_the_name_of_a_twin_moves_no_cost(twin, fn_cost):
    """Between two scores folds' thresholds differ by scale: the nearest to probabilities counts."""
    y, p, _ = drawn(8)
    known = {"conditions": cs.Deployment(1, fn_cost), "choices": [cs.Smoothed()]}
    alone = cs.decide(y, {"p": p}, **known).recommendation
    for name in ("a", "z"):
        beside = cs.decide(y, {"p": p, name: TWINS[twin](p)}, **known).recommendation
        assert (beside.model, beside.money, beside.cost) == (alone.model, alone.money, alone.cost)


def test_a_copy_in_single_precision_is_no_other_model():
    y, good, bad = drawn(5, 400)
    # Ties of the copy move what is learnt; and it is above thresholds that it is to be at.
    close = 1 - (1 - good) / 1e5 * (good > 0.6) - (good <= 0.6) * (1 - good.round(1))
    scores = {"main": close, "single": close.astype(np.float32), "bad": bad}
    for fn_cost in (1, 4, 9):
        known = cs.Deployment(1, fn_cost, y.mean())
        for order in (("main", "single", "bad"), ("single", "main", "bad")):
            found = cs.decide(y, {name: scores[name] for name in order}, conditions=known)
            by_name = {str(one.strategy): one for one in found.strategies}
            assert str(by_name["single, smoothed"].same_as) == "main, smoothed"
            if found.recommendation.model in ("main", "single"):
                for name in ("main, score_driven", "single, score_driven"):
                    assert not by_name[name].in_family
            told = found.recommendation.text
            assert "single costs" not in told
            assert "main costs" not in told


def test_it_is_said_and_not_counted():
    y, good, bad = drawn(3)
    found = cs.decide(y, {"b": good, "a": good, "bad": bad}, conditions=KNOWN)
    told = found.to_dict()
    assert (found.recommendation.model, "b does the same on all rows.") == (
        "a",
        found.recommendation.beside[1],
    )
    same = {(one["model"], one["choice"]): one["same_as"] for one in told["strategies"]}
    choice = found.recommendation.choice
    assert same["b", choice] == {"model": "a", "choice": choice}
    assert same["a", choice] is None
    assert "<td>a, b</td>" in found._repr_html_()
    # The choices of the third model are all that others are.
    assert sum(one.in_family for one in found.evidence.strategies) == 2


def test_the_rule_in_use_is_kept_where_a_model_does_the_same():
    y, good, bad = drawn(3)
    chosen = cs.decide(y, {"good": good, "bad": bad}, conditions=KNOWN)
    at = np.sort(good)[np.searchsorted(np.sort(good), chosen.recommendation.rule.cuts[0]) - 1]
    scores = {"bad": bad, "good": good}
    in_use = cs.decide(
        y, scores, conditions=KNOWN, baseline=("good", at), choices=[cs.ScoreFixed(at)]
    )
    assert in_use.strategy.name == "baseline"
    assert in_use.recommendation.instruction.startswith("Keep the rule in use, good:")
    decisions = cs.decide(
        y, scores, conditions=KNOWN, baseline=(good > at).astype(int), choices=[cs.ScoreFixed(at)]
    )
    # Decisions that were made are no rule for other cases.
    assert str(decisions.strategy) == f"good, ScoreFixed(threshold={at})"
    assert "The rule in use does the same." in decisions.recommendation.text


def test_equal_costs_alone_are_not_the_same():
    # Both flag one positive and no negative, but not the same positive.
    y = np.tile([0, 0, 0, 1, 1, 1], 10)
    a, b = np.tile([0, 0, 0, 0, 0, 1.0], 10), np.tile([0, 0, 0, 1.0, 0, 0], 10)
    known = {"conditions": cs.Deployment(1, 1, 0.3), "choices": [cs.ScoreFixed(0.5)]}
    for scores in ({"a": a, "b": b}, {"b": b, "a": a}):
        found = cs.decide(y, scores, **known)
        assert found.recommendation.model == "a"
        assert [len(found.alike(one.strategy)) for one in found.strategies] == [1] * 4


def test_many_rows_are_told_alike_by_their_counts():
    y, good, bad = drawn(1, 120_000)
    scores = {"main": good, "twin": log_odds(good), "other": bad}
    for order in (("main", "twin", "other"), ("other", "twin", "main")):
        rows = cs.ScoredRows.from_predictions(y, {name: scores[name] for name in order})
        found = cs.decide(rows, conditions=KNOWN, choices=[cs.Smoothed(), cs.Optimal()])
        by_name = {str(one.strategy): one for one in found.strategies}
        for name in ("smoothed", "optimal"):
            assert str(by_name[f"twin, {name}"].same_as) == f"main, {name}"
        assert found.recommendation.model == "main"


def test_a_learnt_rule_that_flags_all_or_nobody_costs_what_that_costs():
    seen = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = rng.random(300) < 0.3
        scores = {name: rng.random(300).round(2) for name in "abc"}
        known = cs.Deployment(1, 4 if seed % 2 else 0.5)
        decision = cs.decide(y, scores, conditions=known, choices=[cs.Smoothed()])
        record = decision.to_dict()["strategies"]
        trivial = {one["choice"]: one for one in record if one["model"] is None}
        for one in record:
            if one["model"] is None or one["rule"]["cuts"]:
                continue
            name = f"flag_{'everybody' if one['rule']['actions'] == ['flag'] else 'nobody'}"
            assert one["cost_per_1000"] == trivial[name]["cost_per_1000"]
            assert one["same_as"] == {"model": None, "choice": name}
            seen += 1
    assert seen > 3


def test_the_next_best_model_is_told_by_its_best_rule():
    """Also where that does the same as a rule of what is recommended."""
    rng = np.random.default_rng(8)
    y = rng.random(1000) < 0.3
    p = 1 / (1 + np.exp(-(rng.normal(1.2 * y) - 1.4)))
    known = cs.Deployment(1, 9)
    for scores in ({"p": p, "half": p / 2}, {"half": p / 2, "p": p}):
        decision = cs.decide(y, scores, conditions=known)
        record = decision.to_dict()["strategies"]
        assert decision.recommendation.model == "p"
        half = [one for one in record if one["model"] == "half" and not one["same_for_all"]]
        best = min(half, key=lambda one: one["cost_per_1000"])
        assert (best["choice"], best["same_as"]["model"]) == ("smoothed", "p")
        amount = f"half costs {best['more']['difference']:.0f} more"
        assert f"No clear winner: {amount}" in decision.recommendation.text

"""Decisions kept in files and applied: what the file alone says, row by row."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from applied_by_hand import actions
from foreign import Settings
from refusals import refused
from two_models import knowing

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames.applying import apply_decision

RNG = np.random.default_rng(7)
Y = (RNG.random(300) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=300))), 2)
NEW = 200
SCORES = np.round(RNG.random(NEW), 2)
RANGE = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=(0.1, 0.2))
COSTS = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=0.15)
KNOWN = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
LIMITS = cs.Constraints(capacity=0.3)
BY_ROW = {
    "fp_cost": np.linspace(1, 2, NEW),
    "fn_cost": 4 + 8 * RNG.random(NEW),
    "prevalence": np.linspace(0.1, 0.2, NEW),
}
ONE = {"fp_cost": 1.5, "fn_cost": 6.0, "prevalence": 0.13}


CHOICES = {
    "score_driven": cs.ScoreDriven(0.3),
    "optimal": cs.Optimal(),
    "smoothed": cs.Smoothed(),
    "score_fixed": cs.ScoreFixed(),
}


def decided(conditions, **more):
    given = {"choices": CHOICES, "folds": 2, **more}
    return knowing(Y, {"m": S}, conditions=conditions, **given)


CASES = {
    "known": (KNOWN, {}),
    "known, limits": (KNOWN, {"constraints": LIMITS}),
    "costs in a range": (COSTS, {}),
    "a range": (RANGE, {}),
    "a range, limits": (RANGE, {"constraints": LIMITS, "randomise": True}),
    "shares": (COSTS, {"choices": [cs.RateFixed(0.2), cs.Optimal()]}),
}


@cache
def strategies(name):
    """A decision kept for each of its strategies, by its name."""
    conditions, more = CASES[name]
    found = decided(conditions, **more)
    return {str(one.strategy): found.saved(one.strategy) for one in found.strategies}


@pytest.mark.parametrize("name", CASES)
def test_what_is_applied_is_what_the_file_says_row_by_row(name, tmp_path):
    for told, kept in strategies(name).items():
        path = tmp_path / "decision.json"
        kept.save(path)
        follows = kept.rules.rule is None
        for given in (BY_ROW, ONE) if follows else ({},):
            seen = given.keys() - ({"prevalence"} if CASES[name][0] is COSTS else set())
            known = {name: given[name] for name in seen}
            hand = actions(path, SCORES, seed=5, **known)
            assert kept.apply(SCORES, seed=5, **known).action.tolist() == hand, told
            again = cs.load_decision(path)
            assert again.apply({"m": SCORES}, seed=5, **known).action.tolist() == hand, told


def test_case_costs_are_seen_case_by_case(tmp_path):
    costs = cs.CaseCosts(RNG.uniform(1, 2, 300), RNG.uniform(4, 60, 300))
    given = {"known": "prevalence", "choices": [cs.ScoreDriven(0.3)]}
    found = cs.decide(Y, {"m": S}, case_costs=costs, prevalence=(0.1, 0.2), **given)
    (own,) = (one.strategy for one in found.strategies if one.strategy.by_case)
    path = tmp_path / "decision.json"
    found.saved(own).save(path)
    kept = cs.load_decision(path)
    own_costs = cs.CaseCosts(BY_ROW["fp_cost"], 10 * BY_ROW["fn_cost"], tp_cost=0.5)
    known = {
        name: np.asarray(getattr(own_costs, name)) for name in ("fp_cost", "fn_cost", "tp_cost")
    }
    hand = actions(path, SCORES, prevalence=0.15, **known)
    assert len(set(hand)) == 2
    assert kept.apply(SCORES, case_costs=own_costs, prevalence=0.15).action.tolist() == hand
    assert kept.apply(SCORES, prevalence=0.15, **known).action.tolist() == hand
    with refused(cs.ConditionError, "case_costs and fp_cost are both given"):
        kept.apply(SCORES, case_costs=own_costs, fp_cost=1)


def test_the_file_is_the_record_and_the_rules(tmp_path):
    found = decided(KNOWN)
    path = tmp_path / "decision.json"
    found.save(path)
    values = json.loads(path.read_text())
    rules = values.pop("apply")
    assert values == json.loads(json.dumps(found.to_dict()))
    assert rules["rule"] == values["recommendation"]["rule"]
    assert rules["model"] == "m"
    kept = cs.load_decision(path)
    assert json.loads(json.dumps(kept.record)) == values
    assert kept.model == "m"
    counts = found.apply(SCORES).counts
    assert kept.apply(SCORES).counts == counts
    assert sum(counts.values()) == NEW


def test_a_rule_of_two_cuts_and_one_of_a_queue(tmp_path):
    path = tmp_path / "decision.json"
    words = ("pass", "review", "block")
    for rule in (
        cs.Rule((0.3, 0.6), words),
        cs.Rule((0.1, 0.25), words[::-1], by="share"),
        cs.Rule(0.1, ("block", "pass"), by="share", otherwise=cs.Rule((), ("pass",)), chance=0.3),
    ):
        kept = SavedDecision(decided(KNOWN).to_dict(), DeployedRules("m", "own", rule))
        kept.save(path)
        again = cs.load_decision(path)
        assert again.rules.rule == rule
        hand = actions(path, SCORES, seed=2)
        assert again.apply(SCORES, seed=2).action.tolist() == hand
        assert len(set(hand)) > 1


def test_trivial_rules_apply_without_scores(tmp_path):
    path = tmp_path / "decision.json"
    for told, kept in strategies("known").items():
        if kept.model is None:
            kept.save(path)
            found = cs.load_decision(path).apply({"other": SCORES})
            assert found.counts == {"flag" if told == "flag_everybody" else "pass": NEW}


def test_what_a_rule_follows_is_asked_for_by_name():
    kept = strategies("a range")["m, optimal"]
    with refused(cs.ConditionError, "m (optimal) follows the costs: give fp_cost"):
        kept.apply(SCORES)
    with refused(cs.ConditionError, "give prevalence (--prevalence), from 0.1 to 0.2"):
        kept.apply(SCORES, fp_cost=1, fn_cost=5)
    with refused(cs.ConditionError, "the prevalence is 0.5, and the decision is for 0.1 to 0.2"):
        kept.apply(SCORES, fp_cost=1, fn_cost=5, prevalence=0.5)
    with refused(cs.ConditionError, "the prevalence is 0.5 in row 2"):
        kept.apply(SCORES[:2], fp_cost=1, fn_cost=5, prevalence=[0.1, 0.5])
    with refused(
        cs.ConditionError, "a false negative costs more than the decision is for: the skew"
    ):
        kept.apply(SCORES, fp_cost=1, fn_cost=500, prevalence=0.1)
    with refused(cs.ConditionError, "costs are 3 for 200 scores"):
        kept.apply(SCORES, fp_cost=[1, 1, 1], fn_cost=5, prevalence=0.1)
    with refused(cs.ConditionError, "fp_cost must be above tn_cost"):
        kept.apply(SCORES, fp_cost=1, fn_cost=5, tn_cost=1, prevalence=0.1)
    with refused(cs.ScoreError, "the decision is to use 'm', and there are scores of 'other'"):
        kept.apply({"other": SCORES}, **ONE)
    with refused(cs.ScoreError, "scores have a missing value (NaN) in row 2"):
        kept.apply([0.1, np.nan], **ONE)
    fixed = strategies("known")["m, optimal"]
    with refused(cs.ConditionError, "looks at no costs and no prevalence: leave out fp_cost"):
        fixed.apply(SCORES, fp_cost=1)
    trusting = strategies("a range")["m, score_driven"]
    with refused(cs.ScoreError, "m (score-driven) needs scores in [0, 1]"):
        trusting.apply(3 * SCORES, **ONE)


def test_the_rule_of_one_condition_is_told_of_what_the_decision_follows():
    choices = {"score_driven": cs.ScoreDriven(0.3)}
    kept = cs.decide(Y, {"m": S}, conditions=RANGE, known="costs", choices=choices).saved()
    here, _, threshold = kept.text_at({"fp_cost": 1, "fn_cost": 4}).rpartition(" ")
    assert here == "Use m (score-driven): here, flag scores above"
    at = cs.ScoreDriven(0.3).threshold_at(0.2, kept.rules.sole_prevalence)
    assert float(threshold) == pytest.approx(at, abs=1e-12)
    with refused(cs.ConditionError, "m (score-driven) looks at no prevalence"):
        kept.text_at({"fp_cost": 1, "fn_cost": 4, "prevalence": 0.1})
    with refused(cs.ConditionError, "m (score-driven) follows the costs: give fn_cost"):
        kept.text_at({"fp_cost": 1})


def test_a_prevalence_that_goes_with_the_costs_has_to_be_given_too(tmp_path):
    together = cs.Scenarios(fp_cost=1, fn_cost=[2, 20], prevalence=[0.1, 0.3])
    decision = cs.decide(Y, {"m": S}, conditions=together, known="costs")
    for ask in (lambda: decision.save(tmp_path / "d"), lambda: decision.apply(S, **ONE)):
        with refused(cs.ConditionError, "the prevalence goes with them, from 0.1 to 0.3"):
            ask()
    assert not (tmp_path / "d").exists()
    decision = cs.decide(Y, {"m": S}, conditions=together, known="costs,prevalence")
    decision.save(tmp_path / "d")
    found = cs.load_decision(tmp_path / "d").apply(S, fp_cost=1, fn_cost=20, prevalence=0.3)
    assert found.action.tolist() == (
        decision.apply(S, fp_cost=1, fn_cost=20, prevalence=0.3).action.tolist()
    )


@pytest.mark.parametrize(
    "conditions",
    [
        cs.Deployment((1, 2), (4, 12), 0.15, tp_cost=1.5, tn_cost=-0.5),
        cs.Scenarios([1, 2, 1], [12, 4, 4], 0.15, [1.5, 1.5, 0], -0.5, weights=[1, 1, 0]),
        cs.CaseCosts(1 + RNG.random(300), 4 + 8 * RNG.random(300), 1.5, -0.5),
    ],
)
def test_correct_decisions_cost_what_they_did_unless_given(conditions, tmp_path):
    by_case = isinstance(conditions, cs.CaseCosts)
    asked = {"case_costs" if by_case else "conditions": conditions}
    found = cs.decide(Y, {"m": S}, **asked, known="costs", choices=[cs.ScoreDriven(0.3)])
    found.save(tmp_path / "decision.json")
    seen = {"fp_cost": 1.5, "fn_cost": np.linspace(5, 11, NEW)}
    frame = pd.DataFrame({"m": SCORES, "fn_cost": seen["fn_cost"]})
    for kept in (found, cs.load_decision(tmp_path / "decision.json")):
        own = kept.apply(SCORES, **seen).action
        assert (own == kept.apply(SCORES, **seen, tp_cost=1.5, tn_cost=-0.5).action).all()
        assert (own != kept.apply(SCORES, **seen, tp_cost=0.5).action).any()
        more = {"fp_cost": 1.5, "fn_cost": "fn_cost"}
        assert (own == apply_decision(kept, frame, **more).frame["action"]).all()


@pytest.mark.parametrize(
    "conditions",
    [
        cs.Deployment((1, 2), (4, 12), 0.15, tp_cost=(0, 1), tn_cost=0.5),
        cs.Scenarios([1, 2], [12, 4], 0.15, [1, 0], 0.5),
        cs.CaseCosts(1.0, 4 + 8 * RNG.random(300), RNG.random(300), 0.5),
    ],
)
def test_costs_of_correct_decisions_that_vary_are_asked_for(conditions):
    by_case = isinstance(conditions, cs.CaseCosts)
    asked = {"case_costs" if by_case else "conditions": conditions}
    found = cs.decide(Y, {"m": S}, **asked, known="costs", choices=[cs.ScoreDriven(0.3)])
    with refused(cs.ConditionError, "give tp_cost (--tp-cost), one number for all cases"):
        found.apply(SCORES, fp_cost=1.5, fn_cost=6)
    with refused(cs.ConditionError, "The decision has tn_cost 0.5, unless given."):
        found.apply(SCORES, fp_cost=1.5, fn_cost=6)
    assert found.apply(SCORES, fp_cost=1.5, fn_cost=6, tp_cost=0.5).counts


def test_ends_of_a_range_have_room_for_rounding():
    kept = strategies("a range")["m, optimal"]
    low, high = kept.rules.skews.low, kept.rules.skews.high
    ends = {"fp_cost": [1, 2], "fn_cost": [12, 4], "prevalence": [0.2 * (1 + 1e-12), 0.1]}
    assert low < high
    assert len(kept.apply([0.2, 0.3], **ends)) == 2


def test_a_rule_that_draws_needs_a_seed_and_repeats_it():
    limits = cs.Constraints(capacity=0.05)
    coarse = np.round(S, 1)
    found = cs.decide(
        *(Y, {"m": coarse}),
        conditions=KNOWN,
        constraints=limits,
        choices=[cs.Optimal()],
        randomise=True,
    )
    assert found.recommendation.rule.randomised
    with refused(cs.ConditionError, "draws at random: give a seed"):
        found.apply(SCORES)
    many = np.repeat(coarse, 50)
    first, again, other = (found.apply(many, seed=seed).action for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    wanted = found.recommendation.rule.flagged(many).mean()
    assert abs(np.mean(first == "flag") - wanted) < 0.01
    for seed in (-1, 0.5, True, "1"):
        with refused(cs.ConditionError, "a seed must be a whole number from 0 up"):
            found.apply(SCORES, seed=seed)


def test_a_formula_of_a_users_own_is_applied_but_not_saved(tmp_path):
    choice = Settings()
    found = decided(COSTS, choices=[choice])
    (own,) = (one.strategy for one in found.strategies if one.strategy.choice == choice)
    kept = found.saved(own)
    flagged = kept.apply(SCORES, fp_cost=1, fn_cost=BY_ROW["fn_cost"]).action == "flag"
    costs = cs.cost_proportion(fp_cost=1, fn_cost=BY_ROW["fn_cost"])
    assert (flagged == (choice.threshold_at(costs, 0.15) < SCORES)).all()
    assert len(np.unique(choice.threshold_at(costs, 0.15))) == 1
    with refused(cs.ConditionError, "has a threshold by formula that no file can hold"):
        kept.save(tmp_path / "decision.json")
    assert not list(tmp_path.iterdir())


def test_nothing_feasible_is_not_applied(tmp_path):
    found = decided(KNOWN, constraints=cs.Constraints(capacity=0.01, min_recall=0.99))
    with refused(cs.ConditionError, "nothing keeps to the constraints"):
        found.apply(SCORES)
    with refused(cs.ConditionError, "nothing keeps to the constraints"):
        found.save(tmp_path / "decision.json")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def saved(tmp_path):
    """The values of a saved decision that follows the condition, and what writes others."""
    path = tmp_path / "decision.json"
    strategies("a range, limits")["m, optimal"].save(path)

    def write(values):
        text = values if isinstance(values, str) else json.dumps(values)
        path.write_text(text.replace("Infinity", "1e400"))
        return path

    return json.loads(path.read_text()), write


def test_versions_and_unknown_keys(saved, tmp_path):
    values, write = saved
    more = {**values, "version": "2.7", "new": 1, "apply": {**values["apply"], "new": 2}}
    kept = cs.load_decision(write(more))
    assert kept.apply(SCORES, seed=1, **ONE).counts
    kept.save(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text())["version"] == "2.0"
    with refused(cs.FileError, "is damaged: apply.new is 2, and has no meaning."):
        cs.load_decision(write({**more, "version": "2.0"}))
    for version, text in (
        ("3.0", "was saved by a newer version of costspace, in version 3.0, this one reads 2"),
        ("1.0", "was saved by another version of costspace, in version 1.0, this one reads 2"),
        ("1.0", "decide and save anew."),
        ("2", "its version is '2'"),
        ("2.x", "its version is '2.x'"),
        ("one", "its version is 'one'"),
        (1, "its version is 1"),
        (None, "its version is None"),
    ):
        with refused(cs.FileError, text):
            cs.load_decision(write({**values, "version": version}))


PLAIN = cs.Rule(0.5).to_dict()
DRAWN = cs.Rule(0.5, otherwise=cs.Rule(0.7), chance=0.5).to_dict()


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        ((), [], "must be an object"),
        (("choice",), 3, "must be names"),
        (("model",), None, "there is neither a model nor a rule"),
        (("rule",), {"by": "score"}, "a rule has 'by', 'cuts' and 'actions'"),
        (("rule",), {"by": "score", "cuts": [2, 1], "actions": ["a", "b", "c"]}, "must ascend"),
        (("rule",), {"by": "score", "cuts": ["x"], "actions": ["a", "b"]}, "must be a number"),
        (("rule",), {"by": "score", "cuts": [[0.5]], "actions": ["a", "b"]}, "a list of numbers"),
        (("rule",), {"by": "score", "cuts": [0.5], "actions": "ab"}, "a list of 2 actions"),
        (("rule",), {"by": "score", "cuts": [0.5], "actions": {"a": 1, "b": 2}}, "list of 2"),
        (("rule",), {"by": "score", "cuts": [1e400], "actions": ["a", "b"]}, "rule.cuts is [inf]"),
        (("rule",), {**PLAIN, "chanse": 1}, "apply.rule.chanse is 1, and has no meaning"),
        (("rule",), {**PLAIN, "chance": True}, "apply.rule.chance is True"),
        (("rule",), {**PLAIN, "cuts": [True]}, "cuts[0] is True, and would be read as 1.0"),
        (("rule",), DRAWN | {"chance": 1.5}, "chance must be in [0, 1], got 1.5"),
        (("rule",), DRAWN | {"chance": "0.5"}, "chance must be a number, got '0.5'"),
        (("rule",), DRAWN | {"otherwise": DRAWN}, "that draws nothing itself"),
        (("bands",), [], "bands must be a list of rules"),
        (("bands", 0), 1, "a band must be an object"),
        (("bands", 0, "prevalence"), {"low": 0.3, "high": 0.1}, "low not above high"),
        (("bands", 0, "prevalence"), {"low": 0.3}, "must have 'low' and 'high'"),
        (("bands", 0, "prevalence"), {"low": 0.3, "high": 0.9}, "must ascend"),
        (("bands", 0, "breaks"), [0, 1], "there is one cut for each stretch"),
        (("bands", 0, "breaks", 0), False, "breaks[0] is False, and would be read as 0.0"),
        (("bands", 0, "cuts", 0), 1e400, "must not descend"),
        (("bands", 0, "more"), 1, "apply.bands[0].more is 1, and has no meaning"),
        (("bands", 0, "breaks", 1), 3, "a break must be in [0, 1]"),
        (("bands", 0, "cuts", 0), "low", "a cut must be a number"),
        (("bands", 0, "mix_start", 0), 7, "a mix must be in [0, 1]"),
        (("bands", 0, "actions"), ["pass"], "actions must be"),
        (("bands", 0, "formula"), {"name": "other"}, "a formula has a name of"),
        (("skews",), {"low": "a", "high": 1}, "must be a number"),
        (("skews",), {"low": False, "high": 1}, "apply.skews.low is False"),
        (("skews",), {"low": 0, "high": 1, "mid": 0.5}, "apply.skews.mid is 0.5"),
        (("costs",), True, "apply.costs is True, and would be read as 1.0"),
        (("recommended",), 1, "apply.recommended is 1, and would be read as False"),
        (("correct_costs",), {"tp": 1}, "correct_costs must have tp_cost and tn_cost, got"),
        (("correct_costs", "tn_cost"), "1", "tn_cost must be a number, got '1'"),
        (("prevalence_known",), 1, "prevalence_known must be true or false, got 1"),
        (("prevalence_known",), False, "a prevalence that is not known must be one"),
    ],
)
def test_every_value_of_a_file_is_checked(saved, place, value, text):
    values, write = saved
    if not place:
        values["apply"] = value
    else:
        inside = values["apply"]
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value
    with refused(cs.FileError, text):
        cs.load_decision(write(values))


def test_every_key_of_a_file_is_needed(saved):
    values, write = saved
    for name in values["apply"]:
        less = {key: value for key, value in values["apply"].items() if key != name}
        with refused(cs.FileError, "is damaged: "):
            cs.load_decision(write({**values, "apply": less}))
    doubled = json.dumps(values).replace('"bands"', '"model": "other", "bands"', 1)
    with refused(cs.FileError, "it says 'model' twice in one object: leave out one of them."):
        cs.load_decision(write(doubled))


RULE = {"by": "score", "cuts": [0.9], "actions": ["pass", "flag"]}


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        ("recommendation.rule", RULE, "recommendation.rule.cuts[0] is 0.9, and apply.rule.cuts[0]"),
        ("recommendation.rule.cuts", [], "recommendation.rule.cuts is [], and apply.rule.cuts is"),
        ("recommendation.rule", None, "recommendation.rule is None, and apply.rule is {"),
        ("apply.rule", RULE, ".rule.cuts[0] is 0.5, and apply.rule.cuts[0] is 0.9: make them"),
        ("recommendation.model", "o", "are 'o' and 'score_fixed', those of apply 'm' and"),
        ("apply.model", "o", "are 'm' and 'score_fixed', those of apply 'o' and"),
        ("recommendation.choice", "smoothed", "are 'm' and 'smoothed', those of apply 'm'"),
        ("recommendation.instruction", "Use m: flag scores above 0.9.", "0.9.', and the rule is"),
        ("recommendation.text", "Use m: flag scores above 0.9.", "text does not have"),
        ("recommendation", [1], "recommendation must be an object, got [1]"),
        ("strategies", 1, "strategies must be a list, got 1"),
        ("strategies", [1], "strategies[0] must be an object, got 1"),
        ("limits", True, "limits must be an object, got True"),
        ("limits", {"capacity": "0.1"}, "limits.capacity must be a number, got '0.1'"),
        ("limits", {"capacity": 7}, "limits.capacity must be in [0, 1], got 7"),
    ],
)
def test_what_people_read_is_what_is_applied(place, value, text, tmp_path):
    decided(KNOWN).save(tmp_path / "decision.json")
    values = inside = json.loads((tmp_path / "decision.json").read_text())
    *steps, last = place.split(".")
    for step in steps:
        inside = inside[step]
    inside[last] = value
    (tmp_path / "decision.json").write_text(json.dumps(values))
    with refused(cs.FileError, text):
        cs.load_decision(tmp_path / "decision.json")


def test_a_decision_saved_for_another_strategy_says_which(tmp_path):
    own = strategies("known")
    names = {name: json.loads(json.dumps(kept.record)) for name, kept in own.items()}
    for name, kept in own.items():
        kept.save(tmp_path / "decision.json")
        values = json.loads((tmp_path / "decision.json").read_text())
        told = values["recommendation"]
        assert values["apply"]["recommended"] is (f"{told['model']}, {told['choice']}" == name)
        again = cs.load_decision(tmp_path / "decision.json")
        assert json.loads(json.dumps(again.record)) == names[name]


def test_what_is_no_saved_decision(saved, tmp_path):
    values, write = saved
    for text in ("", "{", "[1]", '{"version": NaN}', "[" * 100_000, '{"a": 1}'):
        with refused(cs.FileError, "is no saved decision"):
            cs.load_decision(write(text))
    (tmp_path / "bytes").write_bytes(b"\xff\x00")
    with refused(cs.FileError, "is no saved decision"):
        cs.load_decision(tmp_path / "bytes")
    del values["apply"]
    with refused(cs.FileError, "is the report of a decision, without the rules"):
        cs.load_decision(write(values))
    with refused(cs.FileError, "cannot read"):
        cs.load_decision(tmp_path / "none.json")
    with refused(cs.ConditionError, "decision must be a Decision"):
        apply_decision(values, None)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    with refused(cs.FileError, "cannot write"):
        decided(KNOWN).save(tmp_path / "no" / "decision.json")
    assert not list(tmp_path.iterdir())

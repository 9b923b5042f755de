"""Decisions to pass, review or flag, applied to other cases: each case counted by hand."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from applied_by_hand import actions
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision

RNG = np.random.default_rng(5)
Y = RNG.random(400) < 0.25
S = np.round(1 / (1 + np.exp(-(1.8 * Y + RNG.normal(size=400) - 1.5))), 2)
REVIEW = cs.Review(cost=4, sensitivity=0.9, specificity=0.95)
SCORES = np.round(RNG.random(300), 2)
FP, FN = RNG.uniform(15, 20, 300), RNG.uniform(100, 140, 300)
P = np.linspace(0.1, 0.3, 300)
COSTS = {"fp_cost": FP, "fn_cost": FN}
CHOICES = {"optimal": cs.Optimal(), "trusted": cs.ScoreDriven(0.25), "raw": cs.ScoreDriven()}
ASKED = {"fp_cost": (15, 20), "fn_cost": (100, 140), "prevalence": 0.25, "known": "costs"}


@cache
def kept(name: str = "optimal", **more: object) -> SavedDecision:
    """A decision that reviews by one choice."""
    asked = {**ASKED, "review": REVIEW, "choices": {name: CHOICES[name]}, **more}
    found = cs.decide(Y, {"m": S}, **asked)
    return found.saved(fit_of(found, name).strategy)


def fit_of(decision: cs.Decision, name: str = "score_driven") -> Any:
    """What reviews by one choice."""
    (found,) = (one for one in decision.fits if one.strategy.reviews and one.strategy.name == name)
    return found


def cheapest(costs: dict[str, np.ndarray], review: cs.Review = REVIEW) -> list[str]:
    """The action that costs least on each case, whose score is its probability."""
    fp, fn = costs["fp_cost"], costs["fn_cost"]
    missed, raised = 1 - review.sensitivity.mean, 1 - review.specificity.mean
    looked = review.cost.mean + missed * SCORES * fn + raised * (1 - SCORES) * fp
    each = np.stack([SCORES * fn, looked, (1 - SCORES) * fp])
    return np.array(["pass", "review", "flag"])[np.argmin(each, axis=0)].tolist()


def test_each_case_gets_the_action_that_costs_least_at_its_costs(tmp_path: Path) -> None:
    found = kept("raw").apply(SCORES, **COSTS)
    assert found.action.tolist() == cheapest(COSTS)
    assert set(found.counts) == {"pass", "review", "flag"}
    path = tmp_path / "decision.json"
    kept("raw").save(path)
    again = cs.load_decision(path)
    assert again.apply({"m": SCORES}, **COSTS).action.tolist() == cheapest(COSTS)
    one = {"fp_cost": 17.0, "fn_cost": 120.0}
    same = {name: np.full(300, cost) for name, cost in one.items()}
    assert again.apply(SCORES, **one).action.tolist() == cheapest(same)
    assert "review those above" in again.text_at({**one, "tp_cost": None, "tn_cost": None})


@pytest.mark.parametrize("name", ["optimal", "trusted"])
@pytest.mark.parametrize(
    ("more", "seen"),
    [
        ({}, COSTS),
        (
            {"known": "prevalence", "prevalence": (0.1, 0.3)},
            {"prevalence": P},
        ),
        (
            {"known": "costs,prevalence", "prevalence": (0.1, 0.3), "tp_cost": -3},
            {**COSTS, "prevalence": P},
        ),
    ],
)
def test_what_is_applied_is_what_the_file_says_row_by_row(name, more, seen, tmp_path: Path) -> None:
    decision, path = kept(name, **more), tmp_path / "decision.json"
    decision.save(path)
    hand = actions(path, SCORES, **seen)
    assert set(hand) == {"pass", "review", "flag"}
    assert decision.apply(SCORES, **seen).action.tolist() == hand
    assert cs.load_decision(path).apply(SCORES, **seen).action.tolist() == hand


def test_costs_of_each_case_with_some_never_worth_a_review_and_some_never_worth_flagging() -> None:
    amount = np.round(RNG.uniform(1, 400, 400))
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    decision = cs.decide(Y, {"m": S}, case_costs=costs, review=REVIEW, calibrated_to=np.mean(Y))
    fn = np.where(np.arange(300) % 3 == 0, 5.0, FN)
    seen = {"fp_cost": FP, "fn_cost": fn}
    own = decision.saved(fit_of(decision).strategy)
    found = own.apply(SCORES, **seen)
    # Of a case that loses 5 at most a review for 4 is never worth it.
    assert found.action.tolist() == cheapest(seen)
    assert set(found.action[::3]) == {"pass", "flag"}
    fn[:10], worth = 2.0, np.arange(300) >= 10
    found = own.apply(SCORES, **seen, tp_cost=2.0)
    assert found.not_worth == 10
    assert set(found.action[~worth]) == {"pass"}


def test_a_price_of_the_places_is_part_of_what_a_review_costs() -> None:
    amount = np.round(RNG.uniform(60, 400, 400))
    costs = cs.CaseCosts(fp_cost=20 + 0.01 * amount, fn_cost=amount)
    limits = cs.Constraints(review_capacity=0.15)
    decision = cs.decide(
        Y,
        {"m": S},
        case_costs=costs,
        review=REVIEW,
        constraints=limits,
        calibrated_to=np.mean(Y),
    )
    fit = fit_of(decision)
    assert fit.price > 0
    found = decision.saved(fit.strategy).apply(SCORES, **COSTS)
    assert found.action.tolist() == cheapest(COSTS, REVIEW.priced(fit.price))
    assert decision.saved(fit.strategy).apply(S, case_costs=costs).counts["review"] <= 0.15 * 400


def test_costs_beyond_the_range_are_refused_in_each_step() -> None:
    told = "relative to a false negative, a false positive costs more in row 1"
    with refused(cs.ConditionError, told):
        kept().apply(SCORES, fp_cost=100 * FP, fn_cost=FN)
    with refused(cs.ConditionError, "between pass and review, relative to a false positive"):
        kept().apply(SCORES, fp_cost=100 * FP, fn_cost=100 * FN)
    with refused(cs.ConditionError, "follows the costs: give fp_cost and fn_cost"):
        kept().apply(SCORES)
    with refused(cs.ConditionError, "costs are 299 for 300 scores"):
        kept().apply(SCORES, fp_cost=FP[1:], fn_cost=120)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda own: own["review"].pop("cost"), "review must have cost, sensitivity, specificity"),
        (lambda own: own["review"].update(cost=-1), "cost of a review must be"),
        (lambda own: own["steps"].pop(), "steps must be two objects beside a review"),
        (lambda own: own["steps"][0].update(bands=[]), "bands must be a list of rules"),
        (lambda own: own["steps"][1].update(model="m"), "apply.steps[1].model is 'm'"),
        (lambda own: own.pop("review"), "bands must be a list of rules"),
        (
            lambda own: own["steps"][0]["bands"][0]["prevalence"].update(low=0.1),
            "must have the same bands",
        ),
        (lambda own: own.update(bands=own["steps"][0]["bands"]), "apply.bands is"),
    ],
)
def test_damaged_files(change, said: str, tmp_path: Path) -> None:
    path = tmp_path / "decision.json"
    kept().save(path)
    values = json.loads(path.read_text())
    change(values["apply"])
    path.write_text(json.dumps(values))
    with refused(cs.FileError, said):
        cs.load_decision(path)


# --- Words for actions ---------------------------------------------------------------------------

WORDS = ("approve", "review", "decline")
CALLED = dict(zip(("pass", "review", "flag"), WORDS, strict=True))
ONE = {"fp_cost": 20, "fn_cost": 100, "review": REVIEW}


def called(actions: list[str], words: dict[str, str] = CALLED) -> list[str]:
    return [words[action] for action in actions]


def test_a_decision_says_its_actions_and_keeps_them(tmp_path: Path) -> None:
    decision, plain = (cs.decide(Y, {"m": S}, **ONE, actions=own) for own in (WORDS, None))
    said = plain.recommendation.instruction
    for own, word in CALLED.items():
        said = said.replace(f"{own} ", f"{word} ")
    assert decision.recommendation.instruction == said
    assert "decline scores above" in said
    assert "review those above" in said
    assert "approve the rest" in said
    path = tmp_path / "decision.json"
    decision.save(path)
    again, hand = cs.load_decision(path), called(plain.apply(SCORES).action.tolist())
    assert set(hand) == {*WORDS}
    for one in (decision, again):
        assert one.apply(SCORES).action.tolist() == hand
        assert one.apply(SCORES).counts == {word: hand.count(word) for word in WORDS}
    assert "decline scores above" in again.text
    # Other words win; those of the decision itself are plain ones.
    other = dict(zip(CALLED, "abc", strict=True))
    wanted = called(plain.apply(SCORES).action.tolist(), other)
    assert again.apply(SCORES, actions=["a", "b", "c"]).action.tolist() == wanted
    assert again.apply(SCORES, actions=("pass", "review", "flag")).action.tolist() == (
        plain.apply(SCORES).action.tolist()
    )
    with refused(cs.ConditionError, "which is another of them"):
        plain.apply(SCORES, actions=["flag", "review", "pass"])
    # The record is in its own words.
    assert "actions" not in json.loads(path.read_text())
    assert json.loads(path.read_text())["apply"]["actions"] == CALLED
    assert decision.recommendation.rule == plain.recommendation.rule


def test_what_follows_costs_says_its_actions() -> None:
    for known, said in (
        ({"fp_cost": (15, 20), "fn_cost": (100, 140), "known": "costs"}, "; approve the rest."),
        ({"case_costs": cs.CaseCosts(10 + S, 20 + 300 * S)}, ", approve the rest."),
    ):
        decision = cs.decide(Y, {"m": S}, **known, review=REVIEW, actions=WORDS)
        told = decision.recommendation.instruction
        assert "decline" in told, told
        assert "review" in told
        assert said in told
        assert "flag" not in told
    two = cs.decide(Y, {"m": S}, fp_cost=20, fn_cost=100, actions=("pay", "check"))
    assert "check scores above" in two.recommendation.instruction
    assert set(two.apply(SCORES).counts) == {"pay", "check"}


def test_a_rule_without_a_review_of_a_decision_with_one_has_its_words() -> None:
    decision = cs.decide(Y, {"m": S}, **ONE, actions=WORDS)
    (own,) = (
        one.strategy for one in decision.fits if one.strategy.name == "smoothed_without_review"
    )
    assert set(decision.saved(own).apply(SCORES).counts) == {"approve", "decline"}
    # A scheduled job has words for a review, whether one is worth it that day or not.
    found = decision.saved(own).apply(SCORES, actions=["a", "b", "c"])
    assert (
        found.action.tolist()
        == decision.saved(own).apply(SCORES, actions=["a", "c"]).action.tolist()
    )
    assert set(found.counts) == {"a", "c"}
    same = decision.saved(own).apply(SCORES, actions=["pass", "review", "flag"])
    assert set(same.counts) == {"pass", "flag"}
    for words in (["a", "b", "b"], ["a", "b", "c", "d"], ["a", " ", "c"]):
        with refused(cs.ConditionError, "must be "):
            decision.saved(own).apply(SCORES, actions=words)
    gaps = np.where(np.arange(300) < 7, np.nan, SCORES)
    found = decision.saved(own).apply(gaps, missing="review")
    assert (found.counts["review"], found.missing) == (7, 7)
    found = decision.saved(own).apply(gaps, missing="review", actions=["a", "b", "c"])
    assert found.counts["b"] == 7


@pytest.mark.parametrize(
    "words",
    [("a",), ("a", "b"), ("a", "b", "b"), ("a", "b", ""), ("a", "b", " "), "abc", 3, [1, 2, 3]],
)
def test_words_that_cannot_be(words: Any) -> None:
    said = "actions (--actions) must be 3 different words, for pass, review, flag in this order"
    with refused(cs.ConditionError, said):
        cs.decide(Y, {"m": S}, **ONE, actions=words)
    with refused(cs.ConditionError, said):
        kept().apply(SCORES, **COSTS, actions=words)


def test_a_decision_of_two_words_has_none_for_a_review() -> None:
    two = cs.decide(Y, {"m": S}, fp_cost=20, fn_cost=100, actions=("pay", "check"))
    with refused(cs.ConditionError, "has no word for review: give words for pass, review, flag"):
        two.apply([np.nan, 0.2], missing="review")
    found = two.apply([np.nan, 0.2, 0.9], missing="review", actions=("pay", "look", "check"))
    assert found.action.tolist() == ["look", "pay", "check"]
    with refused(cs.ConditionError, "must be 2 different words"):
        cs.decide(Y, {"m": S}, fp_cost=20, fn_cost=100, actions=WORDS)


@pytest.mark.parametrize("missing", ["pass", "review", "flag"])
def test_missing_scores_have_any_action(missing: str) -> None:
    gaps = np.where(np.arange(300) % 10 == 0, np.nan, SCORES)
    for decision, costs in ((kept(), COSTS), (by_rule(cs.Rule(0.5)), {})):
        whole = decision.apply(SCORES, **costs).action
        found = decision.apply(gaps, **costs, missing=missing)
        assert found.action.tolist() == np.where(np.isnan(gaps), missing, whole).tolist()
        assert found.missing == 30
    # What is reviewed takes no place of those that are flagged.
    queue = by_rule(cs.Rule(0.1, by="share"))
    assert (
        queue.apply(gaps, missing="review").counts["flag"]
        == queue.apply(gaps, missing="pass").counts["flag"]
    )


def by_rule(rule: cs.Rule) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule))


def test_rules_with_actions_of_their_own_have_words_too() -> None:
    for rule in (
        cs.Rule((0.3, 0.7), ("pass", "watch", "block")),
        cs.Rule((0.3, 0.7), ("block", "watch", "pass"), by="share"),
    ):
        plain = by_rule(rule).apply(SCORES).counts
        found = by_rule(rule).apply(SCORES, actions=("a", "b", "c")).counts
        assert found == {"a": plain["pass"], "b": plain["watch"], "c": plain["block"]}
    assert by_rule(cs.Rule(np.inf)).apply(SCORES, actions=("a", "b")).counts == {"a": 300}


def test_a_sentence_in_other_words_than_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "decision.json"
    cs.decide(Y, {"m": S}, fp_cost=20, fn_cost=100, actions=("pay", "check")).save(path)
    values = json.loads(path.read_text())
    for word, said in (("stop", "and the rule is to stop scores above"), ("pay", "2 different")):
        values["apply"]["actions"]["flag"] = word
        path.write_text(json.dumps(values))
        with refused(cs.FileError, said):
            cs.load_decision(path)

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

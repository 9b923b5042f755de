"""What strategies are called in sentences and tables."""

import numpy as np
import pytest

import costspace as cs
from costspace.decision.fitting.strategies import strategies_of
from costspace.decision.sentences.terms import meaning, named, rule_in_short, term
from costspace.decision.strategy import FLAG_NOBODY, NOTHING, Strategy

Y, S = np.tile([0, 0, 0, 1], 25), np.linspace(0, 1, 100)


def test_every_default_has_a_term_of_its_own() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1)
    task = cs.decide(
        *(Y, {"m": S}),
        conditions=known,
        constraints=cs.Constraints(capacity=0.3),
        baseline=("m", 0.4),
    ).task
    terms = [term(strategy) for strategy in strategies_of(task)]
    assert len(set(terms)) == len(terms)
    assert not any("_" in text or "(" in text for text in terms)
    assert set(terms) == {
        *("flag nobody", "flag everybody", "rule in use", "score-driven", "smoothed", "queue"),
    }


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        (FLAG_NOBODY, "flagging nobody"),
        (Strategy("m", cs.ScoreFixed(0.2), "baseline", NOTHING), "m (rule in use)"),
        (Strategy("m", cs.RateFixed(0.02), "queue", NOTHING), "m (queue)"),
        (Strategy("m", cs.Smoothed(), "smoothed"), "m (smoothed)"),
        (Strategy("m", cs.RateFixed(0.02)), "m (RateFixed(flagged=0.02))"),
        (Strategy("m", cs.RateFixed(0.02), "the team's share"), "m (the team's share)"),
        (Strategy("m", cs.ScoreDriven(0.2), "score_driven"), "m (score-driven)"),
        (Strategy("m", cs.RateDriven()), "m (rate-driven)"),
    ],
)
def test_strategies_in_a_sentence(strategy: Strategy, text: str) -> None:
    assert named(strategy) == text


def test_what_terms_mean() -> None:
    trusting = Strategy("m", cs.ScoreDriven(0.2), "score_driven")
    assert meaning(trusting) == "score-driven takes scores as probabilities"
    raw = Strategy("m", cs.ScoreDriven(), "score_driven_uncorrected")
    assert meaning(raw) == "score-driven, raw takes scores as probabilities as they are"
    assert meaning(FLAG_NOBODY) == ""
    queue = Strategy("m", cs.RateFixed(0.02), "queue", NOTHING)
    assert meaning(queue) == "queue flags the top share of a batch"
    in_use = Strategy("m", cs.ScoreFixed(0.2), "baseline", NOTHING)
    assert meaning(in_use) == ""


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (cs.Rule(0.225), "0.225"),
        (cs.Rule((0.2, 0.6), ("pass", "review", "block")), "0.2, 0.6"),
        (cs.Rule(0.69, otherwise=cs.Rule(0.495), chance=0.6), "0.495 or 0.69"),
        (cs.Rule(0.02, ("flag", "pass"), by="share"), "top 2 %"),
        (cs.Rule(0.99999, ("flag", "pass"), by="share"), "top 99.999 %"),
        (cs.Rule(0.9991, ("review", "flag")), "0.9991, else review"),
        (cs.Rule(0.9991, ("pass", "review")), "review above 0.9991"),
        (cs.Rule(0.02, ("review", "pass"), by="share"), "review top 2 %"),
        (cs.Rule(0.02, ("flag", "review"), by="share"), "top 2 %, else review"),
        (cs.Rule((), ("review",)), "reviews all"),
        (cs.Rule(np.inf), "flags none"),
        (cs.Rule(-np.inf), "flags all"),
    ],
)
def test_rules_in_a_cell(rule: cs.Rule, text: str) -> None:
    assert rule_in_short(rule) == text


def test_a_rule_in_a_cell_says_its_actions_as_they_are_called() -> None:
    names = {"pass": "approve", "review": "check", "flag": "decline"}
    rules = [cs.Rule(0.9, ("review", "flag")), cs.Rule(0.9, ("pass", "review"))]
    rules += [cs.Rule(np.inf), cs.Rule(0.9)]
    told = ["0.9, else check", "check above 0.9", "approves all", "0.9"]
    assert [rule_in_short(rule, None, names) for rule in rules] == told


@pytest.mark.parametrize(
    ("share", "batch", "text"),
    [
        (0.9999, 20, "top 19 of 20"),
        (0.07, 20, "top 1 of 20"),
        (0.04, 20, "top 0 of 20"),
        (0.1, 20, "top 10 %"),
        (7 / 30, 30, "top 7 of 30"),
        (0.07, [20, 30], "top 7 %"),
        (0.07, None, "top 7 %"),
        (1 / 3, None, "top 33.33333333333 %"),
    ],
)
def test_a_queue_without_a_whole_number_of_places_has_those_of_each_batch(share, batch, text):
    rule = cs.Rule(share, ("flag", "pass"), by="share")
    assert rule_in_short(rule, cs.RateFixed(share, batch=batch).places) == text

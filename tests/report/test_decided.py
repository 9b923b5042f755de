"""What a page stores of a decision."""

import json

import numpy as np
import pytest
from foreign import RecallReached

import costspace as cs
from costspace.report.choices import label, term
from costspace.report.decided import answer_dict, details_dict, staying_dict

Y, S = [0, 0, 1, 1, 0, 1] * 3, [0.1, 0.6, 0.4, 0.9, 0.3, 0.7] * 3
BASE = {"fp_cost": 1, "fn_cost": 5, "prevalence": 0.2}


def decided(**known):
    return cs.decide(Y, {"a": S}, conditions=cs.Deployment(**{**BASE, **known}))


def test_it_is_the_answer_and_what_a_page_shows_besides():
    decision = decided(fn_cost=(5, 50))
    record, (fpr, fnr) = decision.answer(), decision.outcomes().rates
    assert answer_dict(decision) == {
        **record,
        "point": {"fpr": fpr, "fnr": fnr},
        "labels": {row["choice"]: label(row["choice"]) for row in record["strategies"]},
        "terms": {row["choice"]: term(row["choice"]) for row in record["strategies"]},
        "not_shown": decision.recommendation.not_shown,
        "heading": decision.recommendation.heading,
        "saving": decision.recommendation.saving,
        "told": list(decision.recommendation.told),
        "beside": list(decision.recommendation.beside),
        "sure": decision.certainty._asdict(),
        "settling": decision.recommendation.settling,
        "choosing": decision.recommendation.choosing,
        "reviews": [],
    }
    # What is found first is part of the whole.
    whole = decision.to_dict()
    for own, row in zip(whole["strategies"], record.pop("strategies"), strict=True):
        assert row == {**own, "outcomes": row["outcomes"]}
    assert {name: whole[name] for name in record} == record


def test_details_say_why():
    decision = decided(fn_cost=(5, 50))
    found, whole = details_dict(decision), decision.to_dict(details=True)
    assert found.pop("staying") == staying_dict(decision)
    assert found == {name: whole[name] for name in ("limits_kept", "places_worth", "knowing_more")}


def test_the_recommendation_is_there_by_sentence():
    decision = decided(fn_cost=(5, 50))
    found, said = answer_dict(decision), decision.recommendation
    use = found["recommendation"]
    answer = [found["not_shown"], use["instruction"], use["cost"], use["without_model"]]
    answer += [*found["told"], *found["beside"], found["settling"], found["choosing"]]
    # Those of a page stand below what to do.
    assert sorted(filter(None, answer)) == sorted(said.answer)
    assert found["not_shown"] == said.not_shown == said.answer[0]
    assert all(sentence.endswith(".") for sentence in said.sentences)
    assert use["text"] == " ".join(said.sentences)


CHOICES = {"fixed": cs.ScoreFixed(0.5), "trusting": cs.ScoreDriven(0.5), "queue": cs.RateFixed(0.3)}


def test_outcomes_have_rates():
    conditions = cs.Deployment(**{**BASE, "fn_cost": (5, 50)})
    decision = cs.decide(Y, {"a": S}, conditions=conditions, choices=CHOICES)
    rates = {
        one.strategy.name: decision.outcomes(one.strategy).rates for one in decision.strategies
    }
    assert rates["flag_nobody"] == (0, 1)
    assert rates["flag_everybody"] == (1, 0)
    at = cs.ScoreTable.from_predictions(Y, S).by_score.at(0.5)
    assert rates["fixed"] == pytest.approx((float(at.fpr), float(at.fnr)))
    # At a prevalence of 0.2 those above 0.6 are 13 % of the queue, and with the next ones 40 %.
    assert rates["queue"] == pytest.approx((0, 1 / 3))


@pytest.mark.parametrize("known", [(), "costs"])
def test_one_rule_for_all_conditions_has_a_point(known):
    conditions = cs.Deployment(**{**BASE, "fn_cost": (5, 9)})
    choices = {"trusting": cs.ScoreDriven(0.5)}
    decision = cs.decide(Y, {"a": S}, conditions=conditions, choices=choices, known=known)
    assert decision.recommendation.choice == "trusting"
    fpr, fnr = decision.outcomes().rates
    assert answer_dict(decision)["point"] == (None if known else {"fpr": fpr, "fnr": fnr})


def test_the_outcomes_of_what_is_recommended_are_found_first():
    decision = decided(fn_cost=(5, 50))
    first, whole = decision.answer()["strategies"], decision.to_dict()["strategies"]
    told = {row["choice"]: row["outcomes"] for row in first if row["outcomes"]}
    assert told == {decision.recommendation.choice: decision.outcomes().to_dict()}
    assert all(row["outcomes"] for row in whole)


def test_outcomes_are_of_the_rule_that_is_stated():
    rng = np.random.default_rng(1)
    y = rng.random(60) < 0.4
    conditions = cs.Deployment(**{**BASE, "fn_cost": (5, 50)})
    decision = cs.decide(y, {"a": rng.normal(size=60) + y}, conditions=conditions)
    for fit in decision.fits:
        fpr, fnr = decision.outcomes(fit.strategy).rates
        money = conditions.negative_stake * fpr + conditions.positive_stake * fnr
        assert 1000 * money == pytest.approx(fit.in_sample)


def test_a_foreign_choice_is_there_under_its_own_name():
    choices = [RecallReached(), cs.RateFixed(0.1)]
    conditions = cs.Deployment(**{**BASE, "fn_cost": (5, 50)})
    decision = cs.decide(Y, {"a": S}, conditions=conditions, choices=choices, known="costs")
    found = answer_dict(decision) | details_dict(decision)
    names = [str(choice) for choice in choices]
    assert [row["choice"] for row in found["strategies"] if row["model"]] == names
    assert [found["labels"][name] for name in names] == names
    json.dumps(found, allow_nan=False)

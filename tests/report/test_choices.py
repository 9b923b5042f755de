"""What a page stores of threshold choices: what they say of themselves, and what it calls them."""

import pytest

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.decision.strategy import Strategy, default_choices, parameter_free
from costspace.report.choices import label, label_of, path_of, stored_choices

STORED = {one["name"]: one for one in stored_choices(0.3)}


def test_every_choice_of_the_papers_is_there():
    assert set(STORED) == set(parameter_free(0.3))


@pytest.mark.parametrize(("name", "choice"), parameter_free(0.3).items())
def test_what_a_choice_says_of_itself_is_stored(name, choice):
    found = STORED[name]
    assert found["through_skew"] == choice.through_skew
    assert found["on_probabilities"] == choice.on_probabilities
    assert found["path"] == path_of(choice)
    assert found["label"] == label(name) != name
    assert found["about"]


def test_evaluations_trust_scores_as_they_are():
    evaluated = {one["evaluated"]: name for name, one in STORED.items() if one["evaluated"]}
    assert set(evaluated) == set(PARAMETER_FREE)
    assert evaluated.pop("score_driven") == "score_driven_uncorrected"
    assert all(name == own for name, own in evaluated.items())


def test_one_threshold_for_all_conditions_is_known():
    thresholds = {name: one["threshold"] for name, one in STORED.items()}
    assert thresholds.pop("score_fixed") == 0.5
    assert set(thresholds.values()) == {None}


def test_a_known_name_that_a_user_gave_another_choice_is_left_as_it_is():
    assert label_of(Strategy("model", cs.ScoreFixed(0.5), "score_fixed"), 0.3) == "Fixed at 0.5"
    assert label_of(Strategy("model", cs.ScoreFixed(0.2), "score_fixed"), 0.3) == "score_fixed"
    assert label_of(Strategy("model", cs.Smoothed(), "smoothed"), 0.3) == "Smoothed"
    assert label_of(Strategy("model", cs.Optimal(), "smoothed"), 0.3) == "smoothed"


def test_what_a_decision_compares_by_default_has_a_label():
    assert all(label(name) != name for name in [*default_choices(0.3, 0.1), "baseline"])
    assert label("queue") == "Top of the queue"


def test_a_choice_that_is_not_known_goes_by_its_own_name():
    assert label(str(cs.RateFixed(0.1))) == "RateFixed(flagged=0.1)"

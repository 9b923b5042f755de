"""What a page calls threshold choices."""

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.decision.strategy import Strategy, default_choices, parameter_free
from costspace.report.choices import label, label_of, stored_choices, term, term_of

STORED = {one["name"]: one for one in stored_choices(0.3)}


def test_every_choice_of_the_papers_is_there_under_a_label() -> None:
    assert set(STORED) == set(parameter_free(0.3))
    assert all(one["label"] == label(name) != name for name, one in STORED.items())


def test_evaluations_do_not_correct_scores_for_the_prevalence() -> None:
    evaluated = {one["evaluated"]: name for name, one in STORED.items() if one["evaluated"]}
    assert set(evaluated) == set(PARAMETER_FREE)
    assert evaluated.pop("score_driven") == "score_driven_uncorrected"
    assert all(name == own for name, own in evaluated.items())


def test_a_known_name_that_a_user_gave_another_choice_is_left_as_it_is() -> None:
    assert label_of(Strategy("model", cs.ScoreFixed(0.5), "score_fixed"), 0.3) == "Fixed at 0.5"
    assert (
        label_of(Strategy("model", cs.Smoothed(), "smoothed_queue"), 0.3)
        == "Learned from labels, queue"
    )
    assert label_of(Strategy("model", cs.ScoreFixed(0.2), "score_fixed"), 0.3) == "score_fixed"
    assert label_of(Strategy("model", cs.Smoothed(), "smoothed"), 0.3) == "Learned from labels"
    assert label_of(Strategy("model", cs.Optimal(), "smoothed"), 0.3) == "smoothed"


def test_what_a_decision_compares_by_default_has_a_label() -> None:
    assert all(label(name) != name for name in [*default_choices(0.3, 0.1), "baseline"])
    assert label("queue") == "Top of the queue"


def test_a_choice_that_is_not_known_goes_by_its_own_name() -> None:
    assert label(str(cs.RateFixed(0.1))) == "RateFixed(flagged=0.1)"


def test_plain_words_have_the_term_of_the_field_beside_them() -> None:
    assert term("score_driven") == term("score_driven_uncorrected") == "score-driven"
    assert term("score_fixed") is None
    assert term_of(Strategy("model", cs.Smoothed(), "smoothed_queue"), 0.3) == "smoothed"
    assert term_of(Strategy("model", cs.Optimal(), "smoothed"), 0.3) is None

"""Strategies: a model and a choice, by which name, and what may be asked for."""

import numpy as np
import pytest
from foreign import Settings
from refusals import refused

import costspace as cs
from costspace.decision.rule import Rule
from costspace.decision.strategy import (
    CASE,
    CONDITION,
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    NOTHING,
    TRIVIAL,
    Strategy,
    default_choices,
    named_choices,
    one_threshold,
    per_case,
    point_of_trivial,
)

DEFAULTS = [
    *("score_fixed", "score_uniform", "score_driven", "score_driven_uncorrected"),
    *("rate_uniform", "rate_driven", "optimal"),
]


def test_names_and_what_is_known():
    plain = Strategy("logistic", cs.RateFixed(0.02))
    assert (plain.name, str(plain)) == (
        "RateFixed(flagged=0.02)",
        "logistic, RateFixed(flagged=0.02)",
    )
    assert (plain.known, plain.committed, plain.by_case) == (CONDITION, False, False)
    own = one_threshold("m")
    assert (str(own), own.known, own.committed) == ("m, one_threshold", NOTHING, True)
    cases = per_case("m", 0.3)
    assert (str(cases), cases.known, cases.by_case) == ("m, per_case", CASE, True)
    assert cases.choice == cs.ScoreDriven(0.3)
    assert plain.whose_scores == "logistic"
    assert Strategy("m", cs.Optimal()) == Strategy("m", cs.Optimal())
    assert Strategy("m", cs.Optimal()) != Strategy("m", cs.Optimal(), "optimal")
    assert len({own, one_threshold("m"), one_threshold("n")}) == 2


def test_rules_that_need_no_model():
    assert [str(strategy) for strategy in TRIVIAL] == ["flag_nobody", "flag_everybody"]
    assert list(TRIVIAL.values()) == [Rule(np.inf), Rule(-np.inf)]
    for strategy, flagged in ((FLAG_NOBODY, 0), (FLAG_EVERYBODY, 1)):
        point = point_of_trivial(strategy)
        assert (point.fpr, point.fnr) == (flagged, 1 - flagged)
    with refused(cs.ConditionError, "flag_nobody looks at no scores: ask for a strategy with a"):
        _ = FLAG_NOBODY.whose_scores


def test_the_choices_that_need_nothing_from_the_user():
    found = default_choices(0.3)
    assert list(found) == DEFAULTS
    assert found["score_driven"] == cs.ScoreDriven(calibrated_to=0.3)
    assert found["score_driven_uncorrected"] == cs.ScoreDriven()


def test_choices_have_names():
    own = Settings()
    asked = [cs.Optimal(), cs.RateFixed(0.02), own, cs.ScoreDriven(0.3), cs.ScoreDriven()]
    found = named_choices(asked, 0.3)
    assert list(found) == [
        *(
            "optimal",
            "RateFixed(flagged=0.02)",
            str(own),
            "score_driven",
            "score_driven_uncorrected",
        ),
    ]
    assert list(found.values()) == asked
    assert named_choices({"two percent": cs.RateFixed(0.02)}, 0.3) == {
        "two percent": cs.RateFixed(0.02)
    }
    assert list(named_choices((cs.Optimal() for _ in range(1)), 0.3)) == ["optimal"]


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ([], "choices must be at least one threshold choice, got none."),
        ({}, "choices must be at least one threshold choice, got none."),
        (3, "choices must be a list of threshold choices, got 3."),
        (cs.Optimal(), "choices must be a list of threshold choices, got Optimal()."),
        (["optimal"], "choices must be a threshold choice method"),
        ("optimal", "choices must be a threshold choice method"),
        ({"optimal": "optimal"}, "choices must be a threshold choice method"),
        ([cs.Optimal], "choices must be a threshold choice method"),
        ([cs.Optimal(), cs.Optimal()], "choices must differ, got Optimal() twice."),
        *(
            ({name: cs.Optimal()}, f"choices has one named {name!r}, which a decision calls a")
            for name in ("one_threshold", "per_case", "flag_nobody", "flag_everybody")
        ),
    ],
)
def test_what_are_no_choices(choices, text):
    with refused(cs.ConditionError, text):
        named_choices(choices, 0.3)
    with refused(cs.ConditionError, text):
        cs.decide([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], conditions=KNOWN, choices=choices)


KNOWN = cs.Deployment(1, 5, 0.3)


def test_what_is_no_strategy():
    with refused(cs.ConditionError, "choice must be a threshold choice method"):
        Strategy("m", "optimal")
    with refused(cs.ConditionError, "known must be {'costs', 'prevalence'}, {'case'} or an empty"):
        Strategy("m", cs.Optimal(), known=frozenset({"costs"}))

"""Strategies: a model and a choice, by which name, and what may be asked for."""

import numpy as np
import pytest
from foreign import Settings
from refusals import refused

import costspace as cs
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import (
    CASE,
    CONDITION,
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    NOTHING,
    TRIVIAL,
    Strategy,
    check_known,
    default_choices,
    named_choices,
    parameter_free,
    point_of_trivial,
    rule_in_use,
)

PARAMETER_FREE = [
    *("score_fixed", "score_uniform", "score_driven", "score_driven_uncorrected"),
    *("rate_uniform", "rate_driven", "optimal"),
]
KNOWN = cs.Deployment(1, 5, 0.3)


def test_names_and_what_is_known():
    plain = Strategy("logistic", cs.RateFixed(0.02))
    assert (plain.name, str(plain)) == (
        "RateFixed(flagged=0.02)",
        "logistic, RateFixed(flagged=0.02)",
    )
    assert (plain.known, plain.by_case) == (CONDITION, False)
    own = Strategy("m", cs.Optimal(), "one", NOTHING)
    assert (str(own), own.known) == ("m, one", NOTHING)
    cases = Strategy("m", cs.ScoreDriven(0.3), "score_driven", frozenset({"costs", CASE}))
    assert (str(cases), cases.by_case) == ("m, score_driven", True)
    assert plain.whose_scores == "logistic"
    assert Strategy("m", cs.Optimal()) == Strategy("m", cs.Optimal())
    assert Strategy("m", cs.Optimal()) != Strategy("m", cs.Optimal(), "optimal")
    assert Strategy("m", cs.Optimal()) != Strategy("m", cs.Optimal(), known=NOTHING)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((), set()),
        ("", set()),
        ("costs", {"costs"}),
        ("prevalence", {"prevalence"}),
        ("costs,prevalence", {"costs", "prevalence"}),
        (" prevalence , costs", {"costs", "prevalence"}),
        (["costs"], {"costs"}),
        ({"costs", "prevalence"}, {"costs", "prevalence"}),
        ((name for name in ("costs", "costs")), {"costs"}),
    ],
)
def test_what_may_be_known(given, found):
    assert check_known(given) == frozenset(found)


@pytest.mark.parametrize(
    "given", ["both", "cost", "costs;prevalence", ["case"], "case", [1], 3, None]
)
def test_what_cannot_be_known(given):
    text = "'costs', 'prevalence', or for both 'costs,prevalence', in Python a list too, got "
    with refused(cs.ConditionError, text):
        check_known(given)
    with refused(cs.ConditionError, text):
        cs.decide([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], conditions=KNOWN, known=given)


def test_rules_that_need_no_model():
    assert [str(strategy) for strategy in TRIVIAL] == ["flag_nobody", "flag_everybody"]
    assert list(TRIVIAL.values()) == [Rule(np.inf), Rule(-np.inf)]
    for strategy, flagged in ((FLAG_NOBODY, 0), (FLAG_EVERYBODY, 1)):
        point = point_of_trivial(strategy)
        assert (point.fpr, point.fnr) == (flagged, 1 - flagged)
    with refused(cs.ConditionError, "flag_nobody looks at no scores: ask for a strategy with a"):
        _ = FLAG_NOBODY.whose_scores


def test_the_choices_that_are_compared_by_default():
    both = {"score_driven": cs.ScoreDriven(0.3), "smoothed": cs.Smoothed()}
    assert default_choices(0.3, None) == both
    assert default_choices(0.3, 0.02, 50)["queue"] == cs.RateFixed(0.02, batch=50)
    assert default_choices(0.3, 0.02) == {**both, "queue": cs.RateFixed(0.02)}


def test_the_choices_that_need_nothing_from_the_user():
    found = parameter_free(0.3)
    assert list(found) == PARAMETER_FREE
    assert found["score_driven"] == cs.ScoreDriven(calibrated_to=0.3)
    assert found["score_driven_uncorrected"] == cs.ScoreDriven()


def test_choices_have_names():
    own = Settings()
    asked = [
        *(cs.Optimal(), cs.RateFixed(0.02), own),
        *(cs.ScoreDriven(0.3), cs.ScoreDriven(), cs.Smoothed()),
    ]
    found = named_choices(asked, 0.3)
    assert list(found) == [
        *("optimal", "RateFixed(flagged=0.02)", str(own)),
        *("score_driven", "score_driven_uncorrected", "smoothed"),
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
        (3, "choices must be a list of threshold choices, or a mapping"),
        (cs.Optimal(), "}, got Optimal()."),
        (["optimal"], "choices must be a threshold choice method"),
        ("smoothed", "as {\"smoothed\": cs.Smoothed()}, got 'smoothed'."),
        ({"optimal": "optimal"}, "choices must be a threshold choice method"),
        ([cs.Optimal], "choices must be a threshold choice method"),
        ([cs.Optimal(), cs.Optimal()], "choices must differ, got Optimal() twice."),
        *(
            ({name: cs.Optimal()}, f"choices has one named {name!r}, which a decision calls a")
            for name in ("baseline", "flag_nobody", "flag_everybody")
        ),
    ],
)
def test_what_are_no_choices(choices, text):
    with refused(cs.ConditionError, text):
        named_choices(choices, 0.3)
    with refused(cs.ConditionError, text):
        cs.decide([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], conditions=KNOWN, choices=choices)


def test_the_rule_in_use_is_a_strategy():
    found = rule_in_use(("m", 0.3), {"m", "n"})
    assert found == Strategy("m", cs.ScoreFixed(0.3), "baseline", NOTHING)


@pytest.mark.parametrize(
    ("baseline", "text"),
    [
        (("n", 0.3), "the rule in use is of 'n', and there are no scores of that"),
        (("x", 620), "there are scores of '-x', with the sign changed: -x:-620 flags below 620."),
        (
            ("m", "high"),
            "with a review a model and two, got ('m', 'high').",
        ),
        (
            ("m", np.nan),
            "with a review a model and two, got ('m', nan).",
        ),
        (
            ("m",),
            "with a review a model and two, got ('m',).",
        ),
        (
            0.3,
            "with a review a model and two, got 0.3.",
        ),
    ],
)
def test_what_is_no_rule_in_use(baseline, text):
    with refused(cs.ConditionError, text):
        rule_in_use(baseline, {"m", "-x"})


def test_what_is_no_strategy():
    with refused(cs.ConditionError, "choice must be a threshold choice method"):
        Strategy("m", "optimal")
    with refused(cs.ConditionError, "known must be a frozenset of 'costs', 'prevalence' and 'ca"):
        Strategy("m", cs.Optimal(), known=frozenset({"cost"}))

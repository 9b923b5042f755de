"""Candidates: which of them there are, in which order, and what those without a model do."""

import pytest
from costspace.decision.candidates import METHODS, candidates, method_choices, path_of_trivial
from refusals import refused
from two_models import sample

import costspace as cs
from costspace import ConditionError
from costspace.decision.costed import CostedScores


def test_candidates_and_their_order() -> None:
    rows = sample(40, 9)
    models = {name: CostedScores.from_rows(rows, name) for name in rows.scores}
    margin = cs.ScoreTable.from_predictions([0, 1], [-2.0, 3.0])
    models["margin"] = CostedScores.same(margin)
    choices = method_choices(0.3)
    assert tuple(choices) == METHODS
    assert choices["score_driven"] == cs.ScoreDriven(calibrated_to=0.3)
    assert choices["score_driven_uncorrected"] == cs.ScoreDriven()
    found = candidates(models, choices, by_skew=False)
    threshold = ["score_fixed", "score_driven", "score_driven_uncorrected", "rate_driven"]
    assert [c.method for c in found if c.model == "a"] == [*threshold, "optimal"]
    assert [c.method for c in found if c.model == "margin"] == [
        "score_fixed",
        "rate_driven",
        "optimal",
    ]
    assert [str(c) for c in list(found)[:2]] == ["flag_nobody", "flag_everybody"]
    by_skew = candidates(models, choices, by_skew=True)
    assert [c.method for c in by_skew if c.model == "b"] == [
        "score_fixed",
        "score_driven",
        "optimal",
    ]


def test_trivial_paths() -> None:
    nobody, everybody = (cs.decision.Candidate(None, m) for m in ("flag_nobody", "flag_everybody"))
    assert path_of_trivial(nobody, 0.3).loss()(0.2) == pytest.approx(2 * 0.8 * 0.3)
    assert path_of_trivial(everybody, 0.3).loss()(0.2) == pytest.approx(2 * 0.2 * 0.7)


def test_bad_candidates() -> None:
    with refused(ConditionError, "there is no method 'best': there are 'score_fixed'"):
        cs.decision.Candidate("m", "best")
    with refused(ConditionError, "'flag_nobody' needs no model, got model='m'."):
        cs.decision.Candidate("m", "flag_nobody")
    with refused(ConditionError, "'optimal' needs a model, got model=None."):
        cs.decision.Candidate(None, "optimal")

"""What a page stores."""

import json
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.report import ReportContents, contents
from costspace.report.choices import stored_choices
from costspace.report.decided import answer_dict, details_dict
from costspace.report.gathering import contents_of

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.6, 0.4, 0.9, 0.3, 0.7]
CONDITION, SOURCE = cs.ConditionError, cs.SourceError


def test_json_holds_the_evaluation_and_what_the_page_opens_with():
    found = contents(Y, {"a": S, "b": [-s for s in S]}, prevalence=0.2, sample_weight=[2] * 6)
    stored = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    evaluation = cs.evaluate(
        Y, {"a": S, "b": [-s for s in S]}, prevalence=0.2, intervals=True, sample_weight=[2] * 6
    ).to_dict()
    assert stored["initial"] == {
        "prevalence": [0.2, 0.2],
        "estimated": False,
        "currency": "",
        "cases": None,
    }
    assert stored["prevalence"] == 0.5
    assert stored["source"] == {**evaluation["source"], "weighted": True}
    assert stored["condition"]["costs"] == "uniform(0,1)"
    assert [model["name"] for model in stored["models"]] == ["a", "b"]
    for model in stored["models"]:
        assert {name: model[name] for name in evaluation["models"][model["name"]]} == (
            evaluation["models"][model["name"]]
        )
    assert [model["probabilities"] for model in stored["models"]] == [True, False]
    assert stored["choices"] == stored_choices(0.5)
    assert stored["decision"] is None
    assert stored["assumptions"][0].startswith("scores are calibrated to a prevalence of 0.5")


def test_a_range_of_prevalence_is_for_the_page_and_not_for_the_evaluation():
    found = contents(Y, {"a": S}, prevalence=(0.01, 0.1), intervals=False)
    assert found.prevalences == (0.01, 0.1)
    assert found.evaluation.condition.prevalence == 0.5


def test_tables_are_as_good_as_rows():
    table = cs.ScoreTable.from_predictions(Y, S)
    of_table, of_rows = (
        found.to_dict() for found in (contents({"a": table}), contents(Y, {"a": S}))
    )
    assert of_table.pop("fixed") == (
        "This page was made of saved tables, which have no rows to judge rules on."
    )
    assert of_rows.pop("fixed") is None
    assert of_table.pop("rows") is None
    assert set(of_rows.pop("rows")["scores"]) == {"a"}
    assert of_table == of_rows
    assert contents(table, intervals=False).models["y_score"]["cuts"] == 6


def test_a_decision_comes_along():
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    decision = cs.decide(Y * 3, {"a": S * 3}, conditions=known)
    found = contents(Y * 3, {"a": S * 3}, decision=decision, intervals=False).to_dict()
    assert found["decision"] == answer_dict(decision)
    assert found["question"]["fn_cost"] == [5, 5]
    assert found["initial"] == {
        "prevalence": [0.2, 0.2],
        "estimated": False,
        "currency": "",
        "cases": None,
    }
    assert found["assumptions"] == list(decision.assumptions)


def test_a_decision_that_inputs_cannot_ask_for_comes_whole():
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    decision = cs.decide(Y * 3, {"a": S * 3}, conditions=known, choices=[cs.RateFixed(0.1)])
    found = contents(Y * 3, {"a": S * 3}, decision=decision, intervals=False).to_dict()
    assert found["decision"] == answer_dict(decision) | details_dict(decision)
    assert found["fixed"].startswith("What was asked")
    assert (found["question"], found["rows"]) == (None, None)


def test_rows_that_cannot_be_divided_answer_nothing():
    found = contents([0, 0, 1], {"a": [0.1, 0.6, 0.4]}, intervals=False).to_dict()
    assert found["fixed"].startswith("cross-validation needs 2 rows of each class")
    assert found["rows"] is None


def test_many_rows_are_told_by_counts():
    rng = np.random.default_rng(0)
    y = (rng.random(100_000) < 0.1).astype(int)
    scores = {"a": rng.normal(y), "b": rng.normal(y).round(1)}
    found = contents(y, scores, intervals=False)
    stored = found.to_dict()
    assert stored["rows"]["folds"] == 5
    assert stored["notes"][0].startswith("Charts and metrics are of at most ")
    exact = cs.evaluate(y, scores)
    for model, numbers in found.evaluation.models.items():
        assert numbers.metrics == pytest.approx(exact.models[model].metrics, abs=1e-4)
    assert found.evaluation.models["b"].metrics["auc"] == exact.models["b"].metrics["auc"]
    assert stored["source"]["negatives"] == int(np.sum(y == 0))


def test_columns_are_those_of_the_evaluation():
    found = contents(Y, {"a": S}, intervals=False)
    assert isinstance(found, ReportContents)
    assert found.columns()["model"].tolist() == ["a"]


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"prevalence": (0.5, 0.2)}, CONDITION, "prevalence must be (low, high)"),
        ({"prevalence": "5"}, CONDITION, "prevalence must be a number"),
        ({"prevalence": (0, 0.5)}, CONDITION, "prevalence must be in (0, 1)"),
        ({"prevalence": 1}, CONDITION, "prevalence must be in (0, 1)"),
    ],
)
def test_bad_conditions(options, error, text):
    with refused(error, text):
        contents(Y, {"a": S}, intervals=False, **options)


def test_other_bad_input():
    table = cs.ScoreTable.from_predictions(Y, S)
    with refused(SOURCE, "groups need rows"):
        contents(table, groups=[1, 1, 2, 2, 3, 3])
    with refused(SOURCE, "y_score is missing"):
        contents({"a": 3})
    binned = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform())
    with refused(SOURCE, "a report needs labels and scores, or a ScoreTable"):
        contents(binned)
    with refused(SOURCE, "models must be of the same rows"):
        contents({"a": table, "b": cs.ScoreTable.from_predictions(Y[1:], S[1:])})
    with refused(SOURCE, "no tables to report on"):
        contents_of([])


def test_other_tables_than_those_decided_on_are_shown():
    decision = cs.decide(Y * 3, S * 3, conditions=cs.Deployment(1, 5, 0.2))
    found = contents(Y * 3, {"m": S * 3, "other": S * 3}, decision=decision, intervals=False)
    assert list(found.models) == ["m", "other"]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"currency": "thirteen characters"}, "currency must be text of up to 12 characters, such"),
        ({"currency": "a\nb"}, "currency must be text of up to 12 characters"),
        ({"currency": 3}, "currency must be str, got 3."),
        ({"cases_a_year": 0}, "cases_a_year must be in (0, inf), got 0."),
        ({"cases_a_year": float("inf")}, "cases_a_year must be in (0, inf), got inf."),
        ({"cases_a_year": "many"}, "cases_a_year must be a number, got 'many'."),
    ],
)
def test_what_is_no_currency_and_no_number_of_cases(given: dict[str, Any], text: str) -> None:
    with refused(cs.ConditionError, text):
        contents([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], intervals=False, **given)

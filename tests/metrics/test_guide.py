"""The guide to choices and metrics, against what the metrics and choices compute."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from laws.registry import ANY, AXES, close
from refusals import refused

import costspace as cs

GUIDE = cs.reasonable_choices()
ROWS = {row.name: row for row in GUIDE.choices}
NOT_FIXED = [name for name, row in ROWS.items() if row.setting != "fixed"]
on_both_axes = pytest.mark.parametrize("axis", AXES)


def loss_by_metric(name: str, axis: str, table: cs.ScoreTable, **options: Any) -> float:
    """The guide's formula of the expected loss, with the metric that it names."""
    row = ROWS[name]
    metric, formula = getattr(row, f"{axis}_metric"), getattr(row, f"{axis}_loss")
    prevalence = table.prevalence if axis == "cost" else 0.5
    value = getattr(cs, metric)(table, prevalence=prevalence, **options)
    return float(eval(formula, {"p": table.prevalence, metric: value}))


@on_both_axes
@pytest.mark.parametrize("name", NOT_FIXED)
@given(ANY)
@settings(max_examples=30)
def test_the_metric_gives_the_expected_loss(name: str, axis: str, sample: Any) -> None:
    expected = cs.expected_loss(sample.table, choice=ROWS[name].choice(), axis=axis)
    close(loss_by_metric(name, axis, sample.table), expected)


@on_both_axes
@pytest.mark.parametrize("threshold", [0.0, 0.25, 0.5, 0.8])
@given(ANY)
@settings(max_examples=30)
def test_accuracy_gives_the_loss_of_fixed_thresholds(
    threshold: float, axis: str, sample: Any
) -> None:
    table = sample.table
    loss = loss_by_metric("score_fixed", axis, table, threshold=threshold)
    choice = ROWS["score_fixed"].choice(threshold)
    close(loss, cs.expected_loss(table, choice=choice, axis=axis))
    # The rate-fixed choice that flags as many sets its threshold in the same gap.
    known = sample.on(axis)
    point, p = known.by_score.at(threshold), known.prevalence
    flagged = (1 - p) * point.fpr + p * (1 - point.fnr)
    choice = ROWS["rate_fixed"].choice(flagged=min(max(float(flagged), 0), 1))
    close(loss, cs.expected_loss(table, choice=choice, axis=axis), 1e-9)


def test_the_skew_axis_ignores_the_prevalence_but_through_refinement() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.9, 0.7])
    for row in GUIDE.choices:
        metric = getattr(cs, row.skew_metric)
        assert "p" not in row.skew_loss.split()
        if row.name != "optimal":
            assert metric(table) == pytest.approx(metric(table, prevalence=0.1))


def test_known_at_evaluation_fixes_the_threshold() -> None:
    rows = cs.reasonable_choices(condition_known="at evaluation").choices
    assert [(row.name, row.setting) for row in rows] == [
        ("score_fixed", "fixed"),
        ("rate_fixed", "fixed"),
    ]
    assert [row.choice for row in rows] == [cs.ScoreFixed, cs.RateFixed]


def test_known_at_deployment_drives_it() -> None:
    rows = cs.reasonable_choices(condition_known="at deployment").choices
    found = {row.name: (row.choice(), row.family, row.cost_metric) for row in rows}
    assert found == {
        "score_driven": (cs.ScoreDriven(), "scores", "brier_score"),
        "rate_driven": (cs.RateDriven(), "rates", "auc"),
        "optimal": (cs.Optimal(), "optimal", "refinement_loss"),
    }
    assert {row.setting for row in rows} == {"driven by the condition"}


def test_a_condition_never_known_leaves_random_thresholds() -> None:
    rows = cs.reasonable_choices(condition_known="never").choices
    assert [row.choice() for row in rows] == [cs.ScoreUniform(), cs.RateUniform()]
    assert {row.setting for row in rows} == {"chosen uniformly"}
    assert [row.skew_metric for row in rows] == ["macro_mean_absolute_error", "auc"]


def test_the_rows_for_each_case_make_the_whole_guide() -> None:
    cases = [
        cs.reasonable_choices(condition_known=k)
        for k in ("at evaluation", "at deployment", "never")
    ]
    assert GUIDE.choices == tuple(row for case in cases for row in case.choices)
    assert GUIDE.condition_known is None
    assert len(GUIDE.choices) == 7
    for case in cases:
        assert {row.condition_known for row in case.choices} == {case.condition_known}


def test_columns() -> None:
    columns = GUIDE.columns()
    assert {len(column) for column in columns.values()} == {7}
    assert columns["name"].tolist() == list(ROWS)
    assert columns["condition_known"].tolist().count("at deployment") == 3
    assert columns["cost_loss"][0] == "1 - accuracy"
    assert all(column.dtype.kind == "U" for column in columns.values())
    assert np.unique(columns["family"]).tolist() == ["optimal", "rates", "scores"]


def test_shown_as_a_table() -> None:
    lines = repr(cs.reasonable_choices(condition_known="never")).splitlines()
    assert [line.split()[0] for line in lines] == ["name", "score_uniform", "rate_uniform"]
    assert lines[2].endswith("p * (1 - p) * (1 - 2 * auc) + 1 / 2")
    assert {line.find(word) for line, word in zip(lines[1:], ("chosen",) * 2, strict=True)} == {
        lines[0].find("setting")
    }
    page = cs.reasonable_choices(condition_known="never")._repr_html_()
    assert page.count("<tr>") == 3
    assert "<td>mean_absolute_error</td>" in page


@pytest.mark.parametrize("known", ["later", "", 1, True, ["never"]])
def test_another_condition_known_is_refused(known: Any) -> None:
    text = f"condition_known must be 'at evaluation', 'at deployment' or 'never', got {known!r}."
    with refused(cs.ConditionError, text):
        cs.reasonable_choices(condition_known=known)

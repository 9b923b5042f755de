"""Predictions or a table in, a source out."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError, SourceError

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.5, float("nan"), float("inf"), True])
def test_prevalence_outside_its_range(p: float) -> None:
    text = f"prevalence must be in (0, 1), got {p:g}"
    with refused(ConditionError, text):
        cs.brier_score(Y, S, prevalence=p)
    with refused(ConditionError, text):
        cs.loss_curve(TABLE, choice=cs.Optimal(), prevalence=p)
    with refused(ConditionError, text):
        cs.evaluate(Y, S, prevalence=p)
    with refused(ConditionError, text):
        TABLE.with_prevalence(p)


@pytest.mark.parametrize("p", ["half", [0.2], 1j, np.array([0.2]), {}])
def test_a_prevalence_that_is_not_a_number_is_refused(p: Any) -> None:
    with refused(ConditionError, f"prevalence must be a number, got {p!r}."):
        cs.brier_score(Y, S, prevalence=p)


def test_prevalence_beyond_floats() -> None:
    with refused(ConditionError, "prevalence must be"):
        cs.brier_score(Y, S, prevalence=10**400)


@pytest.mark.parametrize("p", [np.float64(0.25), np.float32(0.25), np.array(0.25)])
def test_prevalence_as_a_numpy_scalar(p: Any) -> None:
    assert cs.refinement_loss(Y, S, prevalence=p) == cs.refinement_loss(Y, S, prevalence=0.25)
    assert isinstance(cs.refinement_loss(Y, S, prevalence=p), float)


def test_a_table_stands_alone() -> None:
    has, weights = "a score table already has", "weights are of rows: give sample_weight where"
    asked = (({"y_score": S}, has), ({"pos_label": 1}, has), ({"sample_weight": [1] * 4}, weights))
    for more, text in asked:
        with refused(SourceError, text):
            cs.auc(TABLE, **more)
        with refused(SourceError, text):
            cs.expected_loss(TABLE, choice=cs.Optimal(), **more)
        with refused(SourceError, text):
            cs.voros(TABLE, **more)
        with refused(SourceError, text):
            cs.h_measure(TABLE, **more)


def test_scores_missing() -> None:
    text = "y_score is missing: give y_true and y_score, or a score table."
    with refused(SourceError, text):
        cs.auc(Y)
    with refused(SourceError, text):
        cs.loss_curve(Y, choice=cs.Optimal())


def test_shares_need_rows() -> None:
    with refused(SourceError, "the scores of each row are needed, got ScoreTable"):
        cs.loss_shares(TABLE, None, choice=cs.Optimal())


@pytest.mark.parametrize("axis", ["skw", "Cost", None, 0, ["cost"]])
def test_unknown_axis(axis: Any) -> None:
    text = f"axis must be 'cost' or 'skew', got {axis!r}."
    with refused(ConditionError, text):
        cs.expected_loss(Y, S, choice=cs.Optimal(), axis=axis)
    with refused(ConditionError, text):
        cs.loss_curve(Y, S, choice=cs.Optimal(), axis=axis)
    with refused(ConditionError, text):
        cs.loss_shares(Y, S, choice=cs.Optimal(), axis=axis)
    with refused(ConditionError, text):
        cs.evaluate(Y, S, axis=axis)


def test_the_skew_axis_ignores_the_prevalence() -> None:
    for p in (None, 0.01, 0.7):
        loss = cs.expected_loss(Y, S, choice=cs.ScoreDriven(), axis="skew", prevalence=p)
        assert loss == cs.macro_brier_score(Y, S)

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


def test_prevalence_outside_its_range() -> None:
    with refused(ConditionError, "prevalence must be in (0, 1), got 1.5"):
        TABLE.with_prevalence(1.5)


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


def test_shares_need_rows() -> None:
    with refused(SourceError, "the scores of each row are needed, got ScoreTable"):
        cs.loss_shares(TABLE, None, choice=cs.Optimal())


def test_the_skew_axis_ignores_the_prevalence() -> None:
    for p in (None, 0.01, 0.7):
        loss = cs.expected_loss(Y, S, choice=cs.ScoreDriven(), axis="skew", prevalence=p)
        assert loss == cs.macro_brier_score(Y, S)

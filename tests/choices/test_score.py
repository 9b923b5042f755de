"""Thresholds on the score."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError

NAN, INF = float("nan"), float("inf")
Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]


def test_a_score_at_the_threshold_is_not_flagged() -> None:
    for threshold, accuracy in ((0.4, 0.5), (np.nextafter(0.4, 0), 0.75), (0.6, 0.75), (0.9, 0.5)):
        assert cs.accuracy(Y, S, threshold=threshold) == accuracy
        loss = cs.expected_loss(Y, S, choice=cs.ScoreFixed(threshold))
        assert loss == pytest.approx(1 - accuracy)


def test_fixed_thresholds_take_any_scale() -> None:
    decisions = [-3, 0.6, 0.4, 2.5]
    assert cs.accuracy(Y, decisions, threshold=-1) == 0.75
    assert cs.accuracy(Y, decisions, threshold=-INF) == 0.5
    assert cs.accuracy(Y, decisions, threshold=INF) == 0.5
    table = cs.ScoreTable.from_predictions(Y, decisions)
    assert cs.ScoreFixed(INF).path(table).start.fnr.tolist() == [1]
    assert cs.ScoreFixed(-INF).path(table).start.fpr.tolist() == [1]


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (NAN, "threshold must be a number, got nan."),
        ("a", "threshold must be a number, got 'a'."),
        (None, "threshold must be a number, got None."),
    ],
)
def test_bad_threshold(threshold: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.ScoreFixed(threshold)
    with refused(ConditionError, text):
        cs.accuracy(Y, S, threshold=threshold)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1, 1, "low must be below high, got low=1 and high=1."),
        (2, 1, "low must be below high, got low=2 and high=1."),
        (NAN, 1, "low must be a number, got nan."),
        (0, NAN, "high must be a number, got nan."),
        (0, INF, "high must be in [-8e+307, 8e+307], got inf."),
        (-1.7e308, 1.7e308, "low must be in [-8e+307, 8e+307], got -1.7e+308."),
        ("a", 1, "low must be a number, got 'a'."),
    ],
)
def test_bad_range(low: Any, high: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.ScoreUniform(low, high)


def test_the_widest_range() -> None:
    assert cs.expected_loss(Y, S, choice=cs.ScoreUniform(-8e307, 8e307)) == 0.5


@pytest.mark.parametrize("p", [0, 1, -1, NAN, "half"])
def test_bad_calibration_prevalence(p: Any) -> None:
    with refused(ConditionError, "calibrated_to must be"):
        cs.ScoreDriven(p)


def test_correction_to_the_own_prevalence_changes_nothing() -> None:
    for p in (None, 0.25, 0.7):
        table = cs.ScoreTable.from_predictions(Y, S)
        table = table if p is None else table.with_prevalence(p)
        corrected = cs.ScoreDriven(table.prevalence)
        assert cs.expected_loss(table, choice=corrected) == pytest.approx(
            cs.brier_score(table), abs=1e-15
        )


def test_correction_keeps_the_ends() -> None:
    curve = cs.loss_curve([0, 1], [0, 1], choice=cs.ScoreDriven(0.2), prevalence=0.01)
    assert curve.breaks.tolist() == [0, 0, 1, 1]


def test_correction_of_neighbouring_scores() -> None:
    for p in np.arange(0.01, 1, 0.02):
        for q in np.arange(0.01, 1, 0.02):
            arguments: dict[str, Any] = {"choice": cs.ScoreDriven(p), "prevalence": q}
            curve = cs.loss_curve([0, 1], [0.3, 0.1 + 0.2], **arguments)
            loss = cs.expected_loss([0, 1], [0.3, 0.1 + 0.2], **arguments)
            assert curve.expectation(cs.Uniform()) == pytest.approx(loss, abs=1e-12)

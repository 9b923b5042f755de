"""Mean errors of scores taken as probabilities, and what scores they refuse."""

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ScoreError

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]
W = [1, 2, 1, 3, 1]
NEED_PROBABILITIES = {
    "the Brier score": cs.brier_score,
    "the macro Brier score": cs.macro_brier_score,
    "the mean absolute error": cs.mean_absolute_error,
    "the macro mean absolute error": cs.macro_mean_absolute_error,
    "the calibration loss": cs.calibration_loss,
    "the miscalibration": cs.miscalibration,
}


def test_errors_by_hand() -> None:
    y, s, w = map(np.array, (Y, S, W))
    squares, errors = (s - y) ** 2, abs(s - y)
    assert cs.brier_score(Y, S) == pytest.approx(squares.mean())
    assert cs.mean_absolute_error(Y, S) == pytest.approx(errors.mean())
    assert cs.brier_score(Y, S, sample_weight=W) == pytest.approx(np.average(squares, weights=w))
    assert cs.mean_absolute_error(Y, S, sample_weight=W) == pytest.approx(
        np.average(errors, weights=w)
    )
    for prevalence in (0.1, 0.5):
        by_class = [squares[y == k].mean() for k in (0, 1)]
        expected = (1 - prevalence) * by_class[0] + prevalence * by_class[1]
        assert cs.brier_score(Y, S, prevalence=prevalence) == pytest.approx(expected)
    assert cs.macro_brier_score(Y, S) == pytest.approx(expected)
    assert cs.macro_mean_absolute_error(Y, S) == pytest.approx(
        (errors[y == 0].mean() + errors[y == 1].mean()) / 2
    )


ADVICE = "a rate-based or optimal choice, or calibrate the scores first."
DECISION_VALUES = f"they look like decision values, log-odds or points. Use {ADVICE}"


@pytest.mark.parametrize("asked", NEED_PROBABILITIES)
@pytest.mark.parametrize(
    ("scores", "span", "what"),
    [
        ([-3, 0.6, 0.4, 0.9, 0.6], "-3 to 0.9", DECISION_VALUES),
        ([0.1, 0.6, 0.4, 2.5, 0.6], "0.1 to 2.5", f"use {ADVICE}"),
        ([-0.1, 0.6, 0.4, 1.1, 0.6], "-0.1 to 1.1", f"use {ADVICE}"),
        ([-np.inf, 0.6, 0.4, np.inf, 0.6], "-inf to inf", DECISION_VALUES),
        ([0.1, 60, 40, 99.5, 60], "0.1 to 99.5", "they look like percentages. Divide them by 100."),
        ([0.1, 60, 40, 101, 60], "0.1 to 101", f"use {ADVICE}"),
    ],
)
def test_scores_outside_0_and_1(asked: str, scores: list[float], span: str, what: str) -> None:
    metric = NEED_PROBABILITIES[asked]
    text = f"{asked} needs scores in [0, 1], got scores from {span}: {what}"
    with refused(ScoreError, text):
        metric(Y, scores)
    with refused(ScoreError, text):
        metric(cs.ScoreTable.from_predictions(Y, scores))

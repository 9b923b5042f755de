"""The named metrics: values by hand, ranges, and their documentation."""

import inspect
from collections.abc import Callable
from typing import Any

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
RANKS = {
    "auc": cs.auc,
    "auc_hull": cs.auc_hull,
    "gini": cs.gini,
    "kendall_tau": cs.kendall_tau,
    "refinement_loss": cs.refinement_loss,
    "h_measure": cs.h_measure,
    "voros": cs.voros,
}
NAMED = [*NEED_PROBABILITIES.values(), *list(RANKS.values())[:5], cs.accuracy, cs.macro_accuracy]


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


def test_accuracy_by_hand() -> None:
    assert cs.accuracy(Y, S) == pytest.approx(3 / 5)
    assert cs.accuracy(Y, S, threshold=0.6) == pytest.approx(3 / 5)
    assert cs.accuracy(Y, S, threshold=0.3, sample_weight=W) == pytest.approx(6 / 8)
    assert cs.accuracy(Y, S, prevalence=0.1) == pytest.approx(0.9 / 2 + 0.1 * 2 / 3)
    assert cs.macro_accuracy(Y, S) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_ranks_by_hand() -> None:
    assert cs.auc(Y, S) == pytest.approx(4.5 / 6)
    assert cs.gini(Y, S) == pytest.approx(0.5)
    assert cs.auc_hull(Y, S) == pytest.approx(cs.auc([0, 0, 1, 1, 1], [1, 2, 2, 3, 2]))


ADVICE = "a rate-based or optimal choice, or calibrate the scores first."
DECISION_VALUES = f"they look like decision values or log-odds. Use {ADVICE}"


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


@pytest.mark.parametrize("name", RANKS)
def test_rank_metrics_take_any_scale(name: str) -> None:
    metric = RANKS[name]
    decisions = 10 * np.array(S) - 7
    assert metric(Y, decisions) == metric(Y, S)
    assert metric(Y, decisions, sample_weight=W) == metric(Y, S, sample_weight=W)


def test_kendall_tau_of_a_constant() -> None:
    with refused(ScoreError, "Kendall's tau has no meaning when one score has all the weight."):
        cs.kendall_tau([0, 1], [1, 1])


@pytest.mark.parametrize("weights", [[1, 1e-20], [1e-4, 1e4]])
def test_kendall_tau_beside_a_block_of_nearly_all_weight(weights: list[float]) -> None:
    assert cs.kendall_tau([0, 1], [0, 1], sample_weight=weights) == pytest.approx(1, abs=1e-15)


RANGES: dict[str, tuple[Callable[..., float], float, float]] = {
    "auc": (cs.auc, 0, 1),
    "auc_hull": (cs.auc_hull, 0.5, 1),
    "gini": (cs.gini, -1, 1),
    "brier_score": (cs.brier_score, 0, 1),
    "mean_absolute_error": (cs.mean_absolute_error, 0, 1),
    "refinement_loss": (cs.refinement_loss, 0, 0.25),
    "calibration_loss": (cs.calibration_loss, 0, 1),
    "miscalibration": (cs.miscalibration, 0, 1),
    "h_measure": (cs.h_measure, 0, 1),
    "voros": (cs.voros, 0.5, 1),
}


@pytest.mark.parametrize("name", RANGES)
def test_ranges(name: str) -> None:
    metric, low, high = RANGES[name]
    generator = np.random.default_rng(0)
    for _ in range(200):
        y = np.append([0, 1], generator.integers(0, 2, generator.integers(0, 8)))
        s = generator.choice([0, 0.2, 0.5, 1], len(y))
        for scores in (s, y, 1 - y, np.full(len(y), 0.3)):
            for weight in (None, generator.random(len(y)) + 0.01):
                value = metric(y, scores, sample_weight=weight)
                assert isinstance(value, float)
                assert low - 1e-15 <= value <= high + 1e-15


@pytest.mark.parametrize("metric", NAMED, ids=lambda metric: metric.__name__)
def test_signatures(metric: Any) -> None:
    parameters = inspect.signature(metric).parameters
    assert list(parameters)[:2] == ["y_true", "y_score"]
    own = {"threshold", "partition"} & set(parameters)
    assert set(parameters) == {
        *("y_true", "y_score", "prevalence", "pos_label", "sample_weight"),
        *own,
    }
    for name in list(parameters)[2:]:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert name in (metric.__doc__ or "")
    with pytest.raises(TypeError, match="unexpected keyword"):
        metric(Y, S, treshold=0.3)

"""The same numbers as other packages, on real predictions."""

from typing import Any

import numpy as np
import pytest
from hmeasure import h_score
from scipy.stats import kendalltau, rankdata
from sklearn.metrics import (
    accuracy_score,
    auc,
    balanced_accuracy_score,
    brier_score_loss,
    mean_absolute_error,
    roc_auc_score,
    roc_curve,
)

import costspace as cs


def agrees(expected: float) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-9)


def test_the_scores_are_tied_and_saturated(scored: Any) -> None:
    for data in ("cancer", "digits", "wine"):
        assert len(np.unique(scored[data, "tied"].s)) < 25
        assert {0.0, 1.0} <= set(scored[data, "tied"].s)
        extreme = abs(scored[data, "saturated"].s - 0.5) > 0.5 - 1e-6
        assert extreme.mean() > 0.25


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(predictions: Any, weighted: bool) -> None:
    y, s = predictions.y, predictions.s
    weight = {"sample_weight": predictions.weight if weighted else None}
    assert cs.auc(y, s, **weight) == agrees(roc_auc_score(y, s, **weight))
    assert cs.brier_score(y, s, **weight) == agrees(brier_score_loss(y, s, **weight))
    assert cs.mean_absolute_error(y, s, **weight) == agrees(mean_absolute_error(y, s, **weight))
    assert cs.accuracy(y, s, **weight) == agrees(accuracy_score(y, s > 0.5, **weight))
    assert cs.macro_accuracy(y, s, **weight) == agrees(
        balanced_accuracy_score(y, s > 0.5, **weight)
    )
    balance = np.where(y == 1, 1 / np.mean(y == 1), 1 / np.mean(y == 0))
    assert cs.macro_brier_score(y, s) == agrees(brier_score_loss(y, s, sample_weight=balance))


def test_kendall_tau(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    assert cs.kendall_tau(y, s) == agrees(kendalltau(y, s).statistic)
    grouped = np.round(s, 1)
    assert cs.kendall_tau(y, grouped) == agrees(kendalltau(y, grouped).statistic)


def test_kendall_tau_of_integer_weights(predictions: Any) -> None:
    y, s = predictions.y[:300], predictions.s[:300]
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    expected = kendalltau(np.repeat(y, weight), np.repeat(s, weight)).statistic
    assert cs.kendall_tau(y, s, sample_weight=weight) == agrees(expected)


def test_h_measure_by_default(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    assert cs.h_measure(y, s) == agrees(h_score(y, s))
    ranks = rankdata(s) / len(s)
    assert cs.h_measure(y, s) == agrees(h_score(y, ranks))


@pytest.mark.parametrize("severity_ratio", [0.1, 0.7, 1, 4])
def test_h_measure_at_a_severity_ratio(predictions: Any, severity_ratio: float) -> None:
    y, s = predictions.y, predictions.s
    costs = cs.Beta(2, 1 + 1 / severity_ratio)
    assert cs.h_measure(y, s, costs=costs) == agrees(h_score(y, s, severity_ratio=severity_ratio))


def test_h_measure_at_the_class_shares(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    share = np.mean(y)
    found = cs.h_measure(y, s, costs=cs.Beta(1 + share, 2 - share))
    assert found == agrees(h_score(y, s, severity_ratio=-1))


def test_h_measure_of_integer_weights(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    expected = h_score(np.repeat(y, weight), np.repeat(s, weight))
    assert cs.h_measure(y, s, sample_weight=weight) == agrees(expected)


def test_h_measure_of_a_poor_ranking(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    noise = np.random.default_rng(2).random(len(y))
    for scores in (1 - s, noise, np.round(noise, 1)):
        assert cs.h_measure(y, scores) == agrees(h_score(y, scores))


@pytest.mark.parametrize("prevalence", [None, 0.03])
@pytest.mark.parametrize("weighted", [False, True])
def test_gains_are_those_of_a_roc_curve(
    predictions: Any, weighted: bool, prevalence: float | None
) -> None:
    y, s = predictions.y, predictions.s
    weight = predictions.weight if weighted else np.ones(len(y))
    fpr, tpr, _ = roc_curve(y, s, sample_weight=weight, drop_intermediate=False)
    p = np.average(y, weights=weight) if prevalence is None else prevalence
    curve = cs.metrics.gain_curve(y, s, sample_weight=weight, prevalence=prevalence)
    assert curve(np.clip(p * tpr + (1 - p) * fpr, 0, 1)) == agrees(tpr)
    assert curve.area == agrees(auc(p * tpr + (1 - p) * fpr, tpr))

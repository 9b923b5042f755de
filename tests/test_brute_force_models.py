"""The oracles of models and of derived thresholds against closed forms and against each other."""

import numpy as np
import pytest
from brute_force import Sample
from brute_force_derived import flagged_as_fitted, loss_as_fitted, loss_under_error
from brute_force_models import Model
from scipy import stats

C = np.linspace(0.03, 0.97, 21)
EDGES = np.linspace(0, 1, 41)
DIAGONAL = Model((np.ones_like,) * 2, (lambda x: np.clip(x, 0, 1),) * 2, EDGES, 0.3)
# JMLR 13, Figure 13.
RISING = Model(
    (np.ones_like, lambda x: 0.5 + x),
    (lambda x: np.clip(x, 0, 1), lambda x: np.clip(x, 0, 1) * (1 + np.clip(x, 0, 1)) / 2),
    EDGES,
    0.5,
)
METHODS = ["score_driven", "rate_driven", "rate_driven_stepped", "optimal", ("rate_fixed", 0.3)]


def test_a_diagonal_model() -> None:
    expected = {
        "optimal": 2 * np.minimum(0.7 * C, 0.3 * (1 - C)),
        "rate_driven": 2 * C * (1 - C),
        "rate_uniform": 0.7 * C + 0.3 * (1 - C),
        "score_uniform": 0.7 * C + 0.3 * (1 - C),
        "score_driven": 2 * C * (1 - C),
    }
    for method, loss in expected.items():
        np.testing.assert_allclose(DIAGONAL.loss(method, "cost", C), loss, atol=1e-14)
    assert DIAGONAL.auc() == pytest.approx(0.5, abs=1e-14)
    assert DIAGONAL.auc_hull() == pytest.approx(0.5, abs=1e-14)
    with pytest.raises(ValueError, match="unknown method"):
        DIAGONAL.loss("score-driven", "cost", C)


def test_figure_13() -> None:
    area = RISING.expected_loss("optimal", "cost", np.array([1 / 3, 0.6]))
    assert area == pytest.approx((1 - np.log(5 / 3)) / 2, abs=1e-12)
    assert RISING.auc() == pytest.approx(7 / 12, abs=1e-14)
    assert RISING.auc_hull() == pytest.approx(7 / 12, abs=1e-6)
    by_rate = RISING.expected_loss("rate_driven", "cost", np.zeros(0))
    assert by_rate == pytest.approx((1 - 2 * 7 / 12) / 4 + 1 / 3, abs=1e-12)
    corrected = RISING.with_prevalence(0.1).loss(("score_driven", 0.1), "cost", C)
    own = RISING.with_prevalence(0.1).loss("score_driven", "cost", C)
    np.testing.assert_allclose(corrected, own, atol=1e-14)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_fitted_on_itself(method: str) -> None:
    sample = Sample([0, 1, 1, 0, 1], [0.1, 0.3, 0.4, 0.7, 0.9])
    for side in ("left", "right"):
        own = sample.loss(method, "cost", C, side=side)
        np.testing.assert_allclose(loss_as_fitted(sample, sample, method, "cost", C, side), own)


def test_fitted_elsewhere() -> None:
    train = Sample([0, 1], [0.2, 0.6])
    test = Sample([0, 0, 1], [0.1, 0.5, 0.4])
    flagged = flagged_as_fitted(train, test, "optimal", "cost", np.array([0.5]))
    assert flagged.tolist() == [[0, 1, 0]]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_a_tiny_error_changes_nothing(method: str) -> None:
    sample = Sample([0, 1, 1, 0, 1], [0.1, 0.3, 0.45, 0.7, 0.9])
    for c in (0.21, 0.55, 0.93):
        noisy = loss_under_error(sample, method, "cost", c, stats.norm(0, 1e-9))
        assert noisy == pytest.approx(float(sample.loss(method, "cost", c)), abs=1e-8)


def test_an_error_across_one_jump() -> None:
    sample, error = Sample([0, 1], [0.4, 0.4]), stats.norm(0.01, 0.1)
    for c in (0.1, 0.35, 0.8):
        ahead = error.cdf(0.4 - c)
        expected = c * ahead + (1 - c) * (1 - ahead)
        assert loss_under_error(sample, "score_driven", "cost", c, error) == pytest.approx(expected)

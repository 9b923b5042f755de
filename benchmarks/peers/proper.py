"""Proper scores: Brier score and log loss, whole and over a range of thresholds."""

from typing import Any

import numpy as np
from scipy.special import logit

import costspace as cs
from benchmarks.peers.comparison import TENSORS, XARRAYS, Quantity

RANGE = (0.1, 0.4)


def _brier_sklearn(y: np.ndarray, s: np.ndarray) -> float:
    from sklearn.metrics import brier_score_loss

    return brier_score_loss(y, s)


def _brier_scores(forecast: Any, outcome: Any) -> float:
    from scores.probability import brier_score

    return float(brier_score(forecast, outcome))


def _brier_model_diagnostics(y: np.ndarray, s: np.ndarray) -> float:
    from model_diagnostics.scoring import SquaredError

    return SquaredError()(y, s)


def _brier_briertools(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import BrierScorer

    return BrierScorer().score(y, s)


def _brier_torchmetrics(scores: Any, labels: Any) -> float:
    from torchmetrics.functional import mean_squared_error

    return float(mean_squared_error(scores, labels))


def _log_loss_sklearn(y: np.ndarray, s: np.ndarray) -> float:
    from sklearn.metrics import log_loss

    return log_loss(y, s)


def _log_loss_model_diagnostics(y: np.ndarray, s: np.ndarray) -> float:
    from model_diagnostics.scoring import LogLoss

    return LogLoss()(y, s)


def _log_loss_briertools(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import LogLossScorer

    return LogLossScorer().score(y, s)


def _bounded_brier(*rows: Any) -> float:
    """The range's part of the Brier score."""
    low, high = RANGE
    return (high - low) * cs.partial_brier_score(*rows, low=low, high=high)


def _bounded_brier_briertools(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import BrierScorer

    return BrierScorer().score(y, s, threshold_range=RANGE)


def _bounded_log_loss(*rows: Any) -> float:
    """The range's part of the log loss: half of its loss curve's integral over log-odds."""
    low, high = RANGE
    mean = cs.expected_loss(*rows, choice=cs.ScoreDriven(), costs=cs.LogitUniform(low, high))
    return mean * (logit(high) - logit(low)) / 2


def _bounded_log_loss_briertools(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import LogLossScorer

    return LogLossScorer().score(y, s, threshold_range=RANGE)


BRIER = Quantity("Brier score", "brier_score", cs.brier_score)
LOG_LOSS = Quantity("Log loss", "log_loss", cs.log_loss)

COMPARISONS = (
    BRIER.by("scikit-learn", "brier_score_loss", _brier_sklearn),
    BRIER.by("scores", "brier_score", _brier_scores, XARRAYS),
    BRIER.by("model-diagnostics", "SquaredError", _brier_model_diagnostics),
    BRIER.by("briertools", "BrierScorer.score", _brier_briertools),
    BRIER.by("torchmetrics", "mean_squared_error", _brier_torchmetrics, TENSORS),
    LOG_LOSS.by("scikit-learn", "log_loss", _log_loss_sklearn),
    LOG_LOSS.by("model-diagnostics", "LogLoss", _log_loss_model_diagnostics),
    LOG_LOSS.by("briertools", "LogLossScorer.score", _log_loss_briertools),
    Quantity("Brier score, thresholds 0.1 to 0.4", "partial_brier_score", _bounded_brier).by(
        "briertools", "BrierScorer.score", _bounded_brier_briertools
    ),
    Quantity("Log loss, thresholds 0.1 to 0.4", "expected_loss", _bounded_log_loss).by(
        "briertools", "LogLossScorer.score", _bounded_log_loss_briertools
    ),
)

"""Calibration: the isotonic map, what it gains, and bins."""

from typing import Any

import numpy as np

import costspace as cs
from benchmarks.peers.comparison import TENSORS, XARRAYS, Quantity, table_of

BINS = 10
_STEPS = np.arange(1, BINS)
# As scikit-learn has them: 0.6 is 0.6000000000000001 here.
EDGES = np.linspace(0, 1, BINS + 1)[1:-1]
# As torch has them, counted from both ends, and just below, since its bins are [a, b).
BELOW = np.nextafter(np.where(_STEPS < BINS / 2, _STEPS * 0.1, 1 - (BINS - _STEPS) * 0.1), 0)


def _isotonic(*rows: Any) -> np.ndarray:
    """Calibrated probabilities, one for each distinct score, ascending."""
    table = table_of(*rows)
    return cs.pav(table)(table.by_score.breaks)


def _isotonic_sklearn(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression().fit(s, y).predict(np.unique(s))


def _isotonic_scores(forecast: Any, outcome: Any) -> np.ndarray:
    from scores.probability import isotonic_fit

    return isotonic_fit(forecast, outcome)["regression_values"]


def _decomposition(*rows: Any) -> np.ndarray:
    """The Brier score, what miscalibration adds to it, and what is left."""
    table = table_of(*rows)
    return np.array([cs.brier_score(table), cs.miscalibration(table), cs.refinement_loss(table)])


def _decomposition_model_diagnostics(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    from model_diagnostics.scoring import SquaredError, decompose

    found = decompose(y, s, scoring_function=SquaredError())
    refinement = found["uncertainty"] - found["discrimination"]
    return np.array([found["score"][0], found["miscalibration"][0], refinement[0]])


def _bins(*rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Share of positives and mean score."""
    bins = cs.decomposition.partition_scores(table_of(*rows), partition=EDGES)
    return bins.positive_share, bins.mean_score


def _bins_sklearn(y: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.calibration import calibration_curve

    return calibration_curve(y, s, n_bins=BINS)


def _binned_error(*rows: Any) -> float:
    return cs.calibration_loss(*rows, partition=BELOW)


def _binned_error_torchmetrics(scores: Any, labels: Any) -> float:
    from torchmetrics.functional.classification import binary_calibration_error

    return float(binary_calibration_error(scores, labels, n_bins=BINS, norm="l2")) ** 2


ISOTONIC = Quantity("Isotonic calibration", "pav", _isotonic)

COMPARISONS = (
    ISOTONIC.by("scikit-learn", "IsotonicRegression", _isotonic_sklearn),
    ISOTONIC.by("scores", "isotonic_fit", _isotonic_scores, XARRAYS),
    Quantity(
        "Decomposition of the Brier score", "miscalibration, refinement_loss", _decomposition
    ).by("model-diagnostics", "decompose", _decomposition_model_diagnostics),
    Quantity("Reliability diagram, 10 bins", "partition_scores", _bins).by(
        "scikit-learn", "calibration_curve", _bins_sklearn
    ),
    Quantity("Calibration loss, 10 bins", "calibration_loss", _binned_error).by(
        "torchmetrics",
        "binary_calibration_error(norm='l2')²",
        _binned_error_torchmetrics,
        TENSORS,
    ),
)

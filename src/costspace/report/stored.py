"""What a report page computes one model's numbers from."""

from typing import Any

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import ThresholdChoice
from costspace.decision.strategy import parameter_free
from costspace.evaluation.records import ModelEvaluation
from costspace.report.calibrated import calibration_bins
from costspace.report.choices import path_of
from costspace.report.cuts import Cuts
from costspace.report.encoding import base64_of
from costspace.report.integrals import stored_integrals
from costspace.report.outline import outline
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable

# Cuts of each of three models that a page of 2 MB has room for; more models share it.
MOST_CUTS = 20_000
_MOST_OF_WEIGHTS = 14_000
_SHARING = 3
_BINS = 60


def stored_model(
    table: ScoreTable, prevalence: float, models: int, evaluated: ModelEvaluation
) -> dict[str, Any]:
    """By name, plain values for JSON: cuts, hull, histogram, and what no input changes.

    Parameters
    ----------
    table : ScoreTable
        With the prevalence that the scores are calibrated to.
    prevalence : float
        That of the cost axis when the page opens, for which integrals are stored.
    models : int
        How many models share the page.
    evaluated : ModelEvaluation
        The model's numbers.
    """
    most = _MOST_OF_WEIGHTS if table.weighted else MOST_CUTS
    share = min(1.0, _SHARING / models)
    complete = len(table.by_score.breaks) <= MOST_CUTS * share
    cuts = Cuts.of_table(table, int((MOST_CUTS if complete else most) * share))
    low, high = table.score_range
    probabilities = low >= 0 and high <= 1
    corners = table.by_skew.corners
    found = {
        **cuts.to_dict(),
        "probabilities": probabilities,
        "auc": evaluated.metrics["auc"],
        "outline": [base64_of(part.astype(np.float32)) for part in outline(*_curve(cuts))],
        "points": {
            name: _point(choice, table)
            for name, choice in parameter_free(table.prevalence).items()
            if path_of(choice) == "point"
        },
        "hull": {
            "breaks": base64_of(table.by_skew.breaks),
            "thresholds": base64_of(table.hull_thresholds),
            "fpr": base64_of(corners.fpr),
            "fnr": base64_of(corners.fnr),
        },
        "histogram": _histogram(table),
        "calibration": calibration_bins(table),
        "rows": [float(1 / np.sum(side.squared_shares)) for side in _sides(table)],
    }
    if cuts.ramps is not None:
        integrals = stored_integrals(table, prevalence, probabilities=probabilities)
        found["integrals"] = {"prevalence": prevalence, **integrals}
    return found


def _sides(table: ScoreTable) -> tuple[ClassSample, ClassSample]:
    return table.negatives, table.positives


def _curve(cuts: Cuts) -> FloatArray:
    """The ROC curve, from flagging everybody to nobody: (2, m + 1), FPR and TPR."""
    return np.append(np.ones((2, 1)), 1 - cuts.below, axis=1)


def _point(choice: ThresholdChoice, table: ScoreTable) -> list[float]:
    """Where a choice stays, whatever the condition: (FPR, FNR)."""
    point = choice.path(table).at(np.zeros(1))
    return [float(point.fpr[0]), float(point.fnr[0])]


def _histogram(table: ScoreTable) -> dict[str, list[float]]:
    """Weight of each class in bins of equal width, which hold their lower edge, the last both."""
    scores = table.by_score.breaks
    scores = scores[np.isfinite(scores)]
    low, high = (float(scores[0]), float(scores[-1])) if scores.size else (0.0, 1.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _BINS + 1)
    sides = {"negatives": table.negatives, "positives": table.positives}
    found = {"edges": edges.tolist()}
    for name, side in sides.items():
        below = np.append(side.below(edges[:-1], inclusive=True), side.below(edges[-1:]))
        found[name] = np.diff(below).tolist()
    return found

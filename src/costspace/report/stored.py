"""What a report page computes one model's numbers from."""

from typing import Any

import numpy as np

from costspace.arrays import FloatArray
from costspace.evaluation.records import ModelEvaluation
from costspace.report.calibrated import calibration_bins
from costspace.report.cuts import Cuts
from costspace.report.encoding import base64_of
from costspace.report.outline import outline
from costspace.scores.table import ScoreTable

# Cuts of each of three models, which are for pictures: more models share them.
MOST_CUTS, _SHARING = 3_000, 3


def stored_model(table: ScoreTable, models: int, evaluated: ModelEvaluation) -> dict[str, Any]:
    """By name, plain values for JSON: cuts, hull, outline of the ROC curve, and calibration.

    The table is at the prevalence that the scores are calibrated to; so many models share the page.
    """
    cuts = Cuts.of_table(table, int(MOST_CUTS * min(1.0, _SHARING / models)))
    low, high = table.score_range
    probabilities = low >= 0 and high <= 1
    corners = table.by_skew.corners
    return {
        **cuts.to_dict(),
        "probabilities": probabilities,
        "auc": evaluated.metrics["auc"],
        "outline": [base64_of(part.astype(np.float32)) for part in outline(*_curve(cuts))],
        "hull": {
            "breaks": base64_of(table.by_skew.breaks),
            "thresholds": base64_of(table.hull_thresholds),
            "fpr": base64_of(corners.fpr),
            "fnr": base64_of(corners.fnr),
        },
        "calibration": calibration_bins(table),
        "rows": [
            float(1 / np.sum(side.squared_shares)) for side in (table.negatives, table.positives)
        ],
    }


def _curve(cuts: Cuts) -> FloatArray:
    """The ROC curve, from flagging everybody to nobody: (2, m + 1), FPR and TPR."""
    return np.append(np.ones((2, 1)), 1 - cuts.below, axis=1)

"""What depends on the order of the scores alone: AUC, the ROC curve, the H-measure."""

from typing import Any

import numpy as np

import costspace as cs
from benchmarks.peers.comparison import HUNDREDTHS, TENSORS, XARRAYS, Quantity, table_of


def _auc_sklearn(y: np.ndarray, s: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return roc_auc_score(y, s)


def _auc_scores(forecast: Any, outcome: Any) -> float:
    from scores.probability import roc_auc

    return float(roc_auc(forecast, outcome))


def _auc_torchmetrics(scores: Any, labels: Any) -> float:
    from torchmetrics.functional.classification import binary_auroc

    return float(binary_auroc(scores, labels))


def _auc_torchmetrics_on_grid(scores: Any, labels: Any) -> float:
    from torchmetrics.functional.classification import binary_auroc

    return float(binary_auroc(scores, labels, thresholds=200))


def _curve(*rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """FPR and TPR, ascending."""
    points = table_of(*rows).distinct_points.after_flagging_all()
    return points.fpr[::-1], 1 - points.fnr[::-1]


def _curve_sklearn(y: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.metrics import roc_curve

    return roc_curve(y, s, drop_intermediate=False)[:2]


def _curve_torchmetrics(scores: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    from torchmetrics.functional.classification import binary_roc

    fpr, tpr, _ = binary_roc(scores, labels)
    return fpr.numpy(), tpr.numpy()


def _points(*rows: Any) -> tuple[np.ndarray, np.ndarray]:
    points = table_of(*rows).by_score.at(HUNDREDTHS, most=True)
    return points.fpr, 1 - points.fnr


def _points_scores(forecast: Any, outcome: Any) -> tuple[np.ndarray, np.ndarray]:
    from scores.probability import roc_curve_data

    found = roc_curve_data(forecast, outcome, thresholds=HUNDREDTHS).sel(threshold=HUNDREDTHS)
    return found.POFD.to_numpy(), found.POD.to_numpy()


def _h_hmeasure(y: np.ndarray, s: np.ndarray) -> float:
    from hmeasure import h_score

    return h_score(y, s)


def _h_of_ratio(*rows: Any) -> float:
    return cs.h_measure(*rows, costs=cs.Beta(2, 1 + 1 / 0.1))


def _h_of_ratio_hmeasure(y: np.ndarray, s: np.ndarray) -> float:
    from hmeasure import h_score

    return h_score(y, s, severity_ratio=0.1)


AUC = Quantity("AUC", "auc", cs.auc)
CURVE = Quantity("ROC curve, every point", "ScoreTable.distinct_points", _curve)

COMPARISONS = (
    AUC.by("scikit-learn", "roc_auc_score", _auc_sklearn),
    AUC.by("scores", "roc_auc", _auc_scores, XARRAYS),
    AUC.by("torchmetrics", "binary_auroc", _auc_torchmetrics, TENSORS),
    AUC.by("torchmetrics", "binary_auroc(thresholds=200)", _auc_torchmetrics_on_grid, TENSORS),
    CURVE.by("scikit-learn", "roc_curve(drop_intermediate=False)", _curve_sklearn),
    CURVE.by("torchmetrics", "binary_roc", _curve_torchmetrics, TENSORS),
    Quantity("ROC curve at 99 thresholds", "ScoreTable.at_score", _points).by(
        "scores", "roc_curve_data", _points_scores, XARRAYS
    ),
    Quantity("H-measure", "h_measure", cs.h_measure).by("hmeasure", "h_score", _h_hmeasure),
    Quantity("H-measure, severity ratio 0.1", "h_measure", _h_of_ratio).by(
        "hmeasure", "h_score(severity_ratio=0.1)", _h_of_ratio_hmeasure
    ),
)

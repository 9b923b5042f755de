"""Scorers, cost-sensitive classifiers and displays for scikit-learn.

Importing this package loads scikit-learn, so `costspace` does not import it; matplotlib is loaded
only when a display is drawn.
"""

from costspace.errors import MissingExtraError

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtraError(
        "scorers, classifiers and displays need scikit-learn: pip install 'costspace[sklearn]'."
    ) from None

from costspace.sklearn.cost_space_display import CostSpaceDisplay
from costspace.sklearn.decision_costs import cost_scorer
from costspace.sklearn.dual_space_display import DualSpaceDisplay
from costspace.sklearn.gain_display import GainDisplay
from costspace.sklearn.hybrid_classifier import HybridClassifier
from costspace.sklearn.loss_curve_display import LossCurveDisplay
from costspace.sklearn.roc_space_display import RocSpaceDisplay
from costspace.sklearn.scorers import (
    expected_loss_scorer,
    metric_scorer,
    money_scorer,
)
from costspace.sklearn.threshold_choice_classifier import ThresholdChoiceClassifier

__all__ = [
    "CostSpaceDisplay",
    "DualSpaceDisplay",
    "GainDisplay",
    "HybridClassifier",
    "LossCurveDisplay",
    "RocSpaceDisplay",
    "ThresholdChoiceClassifier",
    "cost_scorer",
    "expected_loss_scorer",
    "metric_scorer",
    "money_scorer",
]

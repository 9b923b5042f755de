"""How good a classifier is where it will really be used, and what to do with it.

Two class-conditional score distributions and a threshold choice method give a path of operating
points through ROC space; the path gives a loss curve over operating conditions; a distribution
of operating conditions turns the curve into a number.

>>> import costspace as cs
>>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
>>> curve = cs.loss_curve(table, choice=cs.ScoreDriven())
>>> round(curve.expectation(cs.Uniform()), 12) == round(cs.brier_score(table), 12)
True
"""

from costspace.choices import (
    Optimal,
    RateDriven,
    RateFixed,
    RateUniform,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.condition import (
    cost_from_skew,
    cost_proportion,
    loss_at,
    skew_from_cost,
    trivial_loss,
)
from costspace.costs import (
    Beta,
    CostDistribution,
    Mixture,
    Point,
    Sampled,
    ScipyFrozen,
    Truncated,
    Uniform,
)
from costspace.curve import (
    Envelope,
    LossCurve,
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
    SignIntervals,
    SmoothCurve,
    SmoothPath,
    combine,
    crossings,
    lower_envelope,
    sign_intervals,
)
from costspace.decomposition import Partition, partition_scores
from costspace.errors import (
    ConditionError,
    CostspaceError,
    FileError,
    LabelError,
    MissingExtraError,
    ScoreError,
    SourceError,
    WeightError,
)
from costspace.evaluation import Evaluation, ModelEvaluation, evaluate
from costspace.metrics.expected import expected_loss, loss_curve, loss_shares
from costspace.metrics.named import (
    accuracy,
    auc,
    auc_hull,
    brier_score,
    calibration_loss,
    gini,
    kendall_tau,
    macro_accuracy,
    macro_brier_score,
    macro_mean_absolute_error,
    mean_absolute_error,
    miscalibration,
    refinement_loss,
)
from costspace.metrics.normalised import h_measure
from costspace.metrics.voros import voros
from costspace.scores.base import ScoreSource
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

__version__ = "0.1.0"

__all__ = [
    "Beta",
    "ConditionError",
    "CostDistribution",
    "CostspaceError",
    "Envelope",
    "Evaluation",
    "FileError",
    "LabelError",
    "LossCurve",
    "MissingExtraError",
    "Mixture",
    "ModelEvaluation",
    "OperatingPath",
    "OperatingPoints",
    "Optimal",
    "Partition",
    "PiecewiseQuadratic",
    "Point",
    "RateDriven",
    "RateFixed",
    "RateUniform",
    "Sampled",
    "ScipyFrozen",
    "ScoreDriven",
    "ScoreError",
    "ScoreFixed",
    "ScoreSource",
    "ScoreTable",
    "ScoreUniform",
    "ScoredRows",
    "SignIntervals",
    "SmoothCurve",
    "SmoothPath",
    "SourceError",
    "ThresholdChoice",
    "Truncated",
    "Uniform",
    "WeightError",
    "accuracy",
    "auc",
    "auc_hull",
    "brier_score",
    "calibration_loss",
    "combine",
    "cost_from_skew",
    "cost_proportion",
    "crossings",
    "evaluate",
    "expected_loss",
    "gini",
    "h_measure",
    "kendall_tau",
    "loss_at",
    "loss_curve",
    "loss_shares",
    "lower_envelope",
    "macro_accuracy",
    "macro_brier_score",
    "macro_mean_absolute_error",
    "mean_absolute_error",
    "miscalibration",
    "partition_scores",
    "refinement_loss",
    "sign_intervals",
    "skew_from_cost",
    "trivial_loss",
    "voros",
]

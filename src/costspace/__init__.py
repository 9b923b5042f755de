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
    Fitted,
    NoisyCondition,
    Optimal,
    RateDriven,
    RateFixed,
    RateUniform,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.comparison.dominance import Dominance, LossesAt, dominance, losses_at
from costspace.comparison.hybrid import Hybrid, average_scores, hybrid
from costspace.condition import (
    cost_from_skew,
    cost_proportion,
    loss_at,
    normalised_cost,
    probability_cost,
    skew_from_cost,
    trivial_loss,
)
from costspace.costs import (
    Beta,
    CostDistribution,
    LogitUniform,
    Mixture,
    Point,
    Sampled,
    ScipyFrozen,
    Truncated,
    Uniform,
)
from costspace.curve import (
    ContingencyTable,
    CostLines,
    Envelope,
    LossCurve,
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
    SignIntervals,
    SmoothCurve,
    SmoothPath,
    combine,
    contingency_table,
    cost_lines,
    crossings,
    lower_envelope,
    sign_intervals,
)
from costspace.decision.budget import LossBudget, ValueOfKnowing, value_of_knowing
from costspace.decision.candidates import Candidate
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision, Gap
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, WayMoney
from costspace.decision.holdout import HeldOut, HeldOutScores, Split, hold_out
from costspace.decision.model_decision import ModelDecision, SingleRule
from costspace.decision.money import expected_money
from costspace.decision.recommendation import Recommendation
from costspace.decision.regret import Regrets, regrets
from costspace.decision.table import DecisionTable, RuleInUse
from costspace.decision.table_row import DecisionRange, DecisionRow
from costspace.decomposition import Partition, partition_scores
from costspace.deployment.amounts import Drawn, LogUniform
from costspace.deployment.conditions import Band, JointConditions, Range, Stakes
from costspace.deployment.deployment import Deployment
from costspace.deployment.scenarios import Scenarios
from costspace.errors import (
    ConditionError,
    CostspaceError,
    DataWarning,
    FileError,
    InfeasibleError,
    LabelError,
    MissingExtraError,
    ScoreError,
    SourceError,
    WeightError,
)
from costspace.evaluation import Evaluation, ModelEvaluation, evaluate
from costspace.inference.bands.band import LossBand
from costspace.inference.bands.banding import difference_band, loss_band
from costspace.inference.bands.best_thresholds import ThresholdInterval, threshold_interval
from costspace.inference.bands.crossing_intervals import CrossingIntervals
from costspace.inference.calibration import CalibrationTest, calibration_test
from costspace.inference.changes import Change, Drift
from costspace.inference.comparing import compare
from costspace.inference.differences import ModelComparison, ModelDifference
from costspace.inference.estimates import Estimate
from costspace.inference.estimating import estimate
from costspace.inference.evaluated import Intervals
from costspace.inference.resampling.bootstrapping import bootstrap
from costspace.inference.resampling.replicates import Bootstrap
from costspace.inference.score_shifts import ScoreShift
from costspace.inference.two_samples import drift
from costspace.metrics.bounded import Bounds, ModelBounds, bounds, widest
from costspace.metrics.case_costs import (
    cost_weighted_table,
    expected_cost,
    savings_score,
    trivial_costs,
)
from costspace.metrics.case_rules import TrivialCosts, bayes_thresholds
from costspace.metrics.curves import (
    ClassParts,
    calibration_gap,
    class_parts,
    kendall_curve,
    partial_brier_score,
)
from costspace.metrics.economic_value import EconomicValueCurve, relative_economic_value
from costspace.metrics.equal_cost import EqualCostPoints, equal_cost_points
from costspace.metrics.expected import expected_loss, loss_curve, loss_shares
from costspace.metrics.guide import ChoiceGuide, ReasonableChoice, reasonable_choices
from costspace.metrics.lesser import lesser_area, voros_of_point
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
from costspace.metrics.net_benefit import DecisionCurve, decision_curve
from costspace.metrics.normalised import h_measure
from costspace.metrics.proper import (
    boosting_loss,
    cost_loss_utility,
    log_loss,
    zero_one_loss,
)
from costspace.metrics.rescaled import murphy_curve, normalised_cost_curve
from costspace.metrics.surface import RocSurface, roc_surface
from costspace.metrics.trivial import advantage, operating_range, trivial_curve
from costspace.metrics.voros import relative_voros, voros, voros_baseline
from costspace.pointwise import (
    ScoreIntervals,
    calibration_density,
    optimal_loss_density,
    refinement_density,
    score_intervals,
)
from costspace.ranges import SkewRange, skew_range
from costspace.roc import (
    Isometric,
    loss_isometric,
    precision_isometric,
    rate_isometric,
)
from costspace.rules.constraints import Constraints, Reached
from costspace.rules.costed import CostedScores
from costspace.rules.feasible import constrained_operating_path, constrained_path
from costspace.rules.rule import Rule, ThresholdPath
from costspace.rules.thresholds import threshold_path
from costspace.rules.violations import Violations, violations
from costspace.scores.analytic import AnalyticScores
from costspace.scores.base import ScoreSource
from costspace.scores.binned import BinnedScores
from costspace.scores.binning import Binning, Piece
from costspace.scores.case_costs import CaseCosts, MeanCosts
from costspace.scores.class_bins import ClassBins
from costspace.scores.class_counts import ClassCounts
from costspace.scores.counts import ScoreCounts
from costspace.scores.density import ScoreDensity
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.transform import (
    Concavities,
    ScoreMap,
    calibrate,
    concavities,
    convexify,
    evenly_spaced,
    mid_rates,
    pav,
    repair,
)

__version__ = "0.1.0"

__all__ = [
    "AnalyticScores",
    "Band",
    "Beta",
    "BinnedScores",
    "Binning",
    "Bootstrap",
    "Bounds",
    "CalibrationTest",
    "Candidate",
    "CaseCosts",
    "Change",
    "ChoiceGuide",
    "ClassBins",
    "ClassCounts",
    "ClassParts",
    "Concavities",
    "ConditionError",
    "Constraints",
    "ContingencyTable",
    "CostDistribution",
    "CostLines",
    "CostedScores",
    "CostspaceError",
    "CrossingIntervals",
    "DataWarning",
    "Decision",
    "DecisionCurve",
    "DecisionRange",
    "DecisionRow",
    "DecisionTable",
    "Deployment",
    "Dominance",
    "Drawn",
    "Drift",
    "EconomicValueCurve",
    "Envelope",
    "EqualCostPoints",
    "Estimate",
    "Evaluation",
    "FileError",
    "Fitted",
    "Gap",
    "HeldOut",
    "HeldOutScores",
    "Hybrid",
    "InfeasibleError",
    "Intervals",
    "Isometric",
    "JointConditions",
    "LabelError",
    "LogUniform",
    "LogitUniform",
    "LossBand",
    "LossBudget",
    "LossCurve",
    "LossesAt",
    "MeanCosts",
    "MissingExtraError",
    "Mixture",
    "ModelBounds",
    "ModelComparison",
    "ModelDecision",
    "ModelDifference",
    "ModelEvaluation",
    "MoneyDifference",
    "MoneyEvidence",
    "NoisyCondition",
    "OperatingPath",
    "OperatingPoints",
    "Optimal",
    "Partition",
    "Piece",
    "PiecewiseQuadratic",
    "Point",
    "Range",
    "RateDriven",
    "RateFixed",
    "RateUniform",
    "Reached",
    "ReasonableChoice",
    "Recommendation",
    "Regrets",
    "RocSurface",
    "Rule",
    "RuleInUse",
    "Sampled",
    "Scenarios",
    "ScipyFrozen",
    "ScoreCounts",
    "ScoreDensity",
    "ScoreDriven",
    "ScoreError",
    "ScoreFixed",
    "ScoreIntervals",
    "ScoreMap",
    "ScoreShift",
    "ScoreSource",
    "ScoreTable",
    "ScoreUniform",
    "ScoredRows",
    "SignIntervals",
    "SingleRule",
    "SkewRange",
    "SmoothCurve",
    "SmoothPath",
    "SourceError",
    "Split",
    "Stakes",
    "ThresholdChoice",
    "ThresholdInterval",
    "ThresholdPath",
    "TrivialCosts",
    "Truncated",
    "Uniform",
    "ValueOfKnowing",
    "Violations",
    "WayMoney",
    "WeightError",
    "accuracy",
    "advantage",
    "auc",
    "auc_hull",
    "average_scores",
    "bayes_thresholds",
    "boosting_loss",
    "bootstrap",
    "bounds",
    "brier_score",
    "calibrate",
    "calibration_density",
    "calibration_gap",
    "calibration_loss",
    "calibration_test",
    "class_parts",
    "combine",
    "compare",
    "concavities",
    "constrained_operating_path",
    "constrained_path",
    "contingency_table",
    "convexify",
    "cost_from_skew",
    "cost_lines",
    "cost_loss_utility",
    "cost_proportion",
    "cost_weighted_table",
    "crossings",
    "decide",
    "decision_curve",
    "difference_band",
    "dominance",
    "drift",
    "equal_cost_points",
    "estimate",
    "evaluate",
    "evenly_spaced",
    "expected_cost",
    "expected_loss",
    "expected_money",
    "gini",
    "h_measure",
    "hold_out",
    "hybrid",
    "kendall_curve",
    "kendall_tau",
    "lesser_area",
    "log_loss",
    "loss_at",
    "loss_band",
    "loss_curve",
    "loss_isometric",
    "loss_shares",
    "losses_at",
    "lower_envelope",
    "macro_accuracy",
    "macro_brier_score",
    "macro_mean_absolute_error",
    "mean_absolute_error",
    "mid_rates",
    "miscalibration",
    "murphy_curve",
    "normalised_cost",
    "normalised_cost_curve",
    "operating_range",
    "optimal_loss_density",
    "partial_brier_score",
    "partition_scores",
    "pav",
    "precision_isometric",
    "probability_cost",
    "rate_isometric",
    "reasonable_choices",
    "refinement_density",
    "refinement_loss",
    "regrets",
    "relative_economic_value",
    "relative_voros",
    "repair",
    "roc_surface",
    "savings_score",
    "score_intervals",
    "sign_intervals",
    "skew_from_cost",
    "skew_range",
    "threshold_interval",
    "threshold_path",
    "trivial_costs",
    "trivial_curve",
    "trivial_loss",
    "value_of_knowing",
    "violations",
    "voros",
    "voros_baseline",
    "voros_of_point",
    "widest",
    "zero_one_loss",
]

"""How good a classifier is where it will be used, and what to do with it.

Two class-conditional score distributions and a threshold choice method give a path of operating
points through ROC space; the path gives a loss curve over operating conditions; a distribution
of operating conditions turns the curve into a number.

The names for everyday use are here. The others are in subpackages such as `costspace.metrics`
and `costspace.curve`.

>>> import costspace as cs
>>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
>>> curve = cs.loss_curve(table, choice=cs.ScoreDriven())
>>> round(curve.expectation(cs.Uniform()), 12) == round(cs.brier_score(table), 12)
True
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace import (
        bands,
        choices,
        comparison,
        condition,
        costs,
        curve,
        decision,
        decomposition,
        deployment,
        errors,
        estimates,
        evaluation,
        gate,
        influences,
        metrics,
        pointwise,
        predictions,
        ranges,
        resampling,
        roc,
        samples,
        scores,
        summaries,
        transform,
        watching,
    )
    from costspace.bands.banding import difference_band, loss_band
    from costspace.bands.best_thresholds import threshold_interval
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
        Smoothed,
        ThresholdChoice,
    )
    from costspace.comparison.dominating import dominance
    from costspace.comparison.hybrids import hybrid
    from costspace.condition import cost_from_skew, cost_proportion, skew_from_cost
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
        LossCurve,
        OperatingPath,
        OperatingPoints,
        cost_lines,
        crossings,
        lower_envelope,
    )
    from costspace.decision.applying.saved import load_decision
    from costspace.decision.comparing.comparing_money import compare_money
    from costspace.decision.deciding import decide
    from costspace.decision.decision import Decision
    from costspace.decision.held_out.holding_out import hold_out
    from costspace.decision.limits.constraints import Constraints
    from costspace.decision.limits.thresholds import threshold_path
    from costspace.decision.money.expected import expected_money
    from costspace.decision.rules.rule import Rule
    from costspace.deployment.amounts import Drawn, LogUniform
    from costspace.deployment.conditions import JointConditions
    from costspace.deployment.cost_table import CostTable
    from costspace.deployment.deployment import Deployment
    from costspace.deployment.review import Review
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
    from costspace.estimates.calibration import calibration_test
    from costspace.estimates.comparing import compare
    from costspace.estimates.estimating import estimate
    from costspace.evaluation import Evaluation, evaluate
    from costspace.frames.files import read_rows
    from costspace.gate.checking import check
    from costspace.metrics.bounded import bounds
    from costspace.metrics.calibration import calibration_loss, miscalibration, refinement_loss
    from costspace.metrics.case_costs import expected_cost, savings_score
    from costspace.metrics.classification import accuracy, macro_accuracy
    from costspace.metrics.cost_of_review import review_curve
    from costspace.metrics.curves import partial_brier_score
    from costspace.metrics.economic_value import relative_economic_value
    from costspace.metrics.expected import expected_loss, loss_curve, loss_shares
    from costspace.metrics.guide import reasonable_choices
    from costspace.metrics.net_benefit import decision_curve
    from costspace.metrics.normalised import h_measure
    from costspace.metrics.probabilities import (
        brier_score,
        macro_brier_score,
        macro_mean_absolute_error,
        mean_absolute_error,
    )
    from costspace.metrics.proper import log_loss
    from costspace.metrics.ranking import auc, auc_hull, gini, kendall_tau
    from costspace.metrics.surface import roc_surface
    from costspace.metrics.volume import relative_voros, voros
    from costspace.ranges import skew_range
    from costspace.resampling.bootstrapping import bootstrap
    from costspace.samples.case_costs import CaseCosts
    from costspace.samples.rows import ScoredRows
    from costspace.scores.analytic import AnalyticScores
    from costspace.scores.base import ScoreSource
    from costspace.scores.table import ScoreTable
    from costspace.summaries.binning import Binning
    from costspace.summaries.counts import ScoreCounts
    from costspace.transform import calibrate, convexify, pav
    from costspace.watching.beginning import begin_watch
    from costspace.watching.drifting import drift

__version__ = "0.1.0"

__all__ = [
    "AnalyticScores",
    "Beta",
    "Binning",
    "CaseCosts",
    "ConditionError",
    "Constraints",
    "CostDistribution",
    "CostTable",
    "CostspaceError",
    "DataWarning",
    "Decision",
    "Deployment",
    "Drawn",
    "Evaluation",
    "FileError",
    "Fitted",
    "InfeasibleError",
    "JointConditions",
    "LabelError",
    "LogUniform",
    "LogitUniform",
    "LossCurve",
    "MissingExtraError",
    "Mixture",
    "NoisyCondition",
    "OperatingPath",
    "OperatingPoints",
    "Optimal",
    "Point",
    "RateDriven",
    "RateFixed",
    "RateUniform",
    "Review",
    "Rule",
    "Sampled",
    "Scenarios",
    "ScipyFrozen",
    "ScoreCounts",
    "ScoreDriven",
    "ScoreError",
    "ScoreFixed",
    "ScoreSource",
    "ScoreTable",
    "ScoreUniform",
    "ScoredRows",
    "Smoothed",
    "SourceError",
    "ThresholdChoice",
    "Truncated",
    "Uniform",
    "WeightError",
    "accuracy",
    "auc",
    "auc_hull",
    "bands",
    "begin_watch",
    "bootstrap",
    "bounds",
    "brier_score",
    "calibrate",
    "calibration_loss",
    "calibration_test",
    "check",
    "choices",
    "compare",
    "compare_money",
    "comparison",
    "condition",
    "convexify",
    "cost_from_skew",
    "cost_lines",
    "cost_proportion",
    "costs",
    "crossings",
    "curve",
    "decide",
    "decision",
    "decision_curve",
    "decomposition",
    "deployment",
    "difference_band",
    "dominance",
    "drift",
    "errors",
    "estimate",
    "estimates",
    "evaluate",
    "evaluation",
    "expected_cost",
    "expected_loss",
    "expected_money",
    "gate",
    "gini",
    "h_measure",
    "hold_out",
    "hybrid",
    "influences",
    "kendall_tau",
    "load_decision",
    "log_loss",
    "loss_band",
    "loss_curve",
    "loss_shares",
    "lower_envelope",
    "macro_accuracy",
    "macro_brier_score",
    "macro_mean_absolute_error",
    "mean_absolute_error",
    "metrics",
    "miscalibration",
    "partial_brier_score",
    "pav",
    "pointwise",
    "predictions",
    "ranges",
    "read_rows",
    "reasonable_choices",
    "refinement_loss",
    "relative_economic_value",
    "relative_voros",
    "resampling",
    "review_curve",
    "roc",
    "roc_surface",
    "samples",
    "savings_score",
    "scores",
    "skew_from_cost",
    "skew_range",
    "summaries",
    "threshold_interval",
    "threshold_path",
    "transform",
    "voros",
    "watching",
]


def __dir__() -> list[str]:
    return __all__

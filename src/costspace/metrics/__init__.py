"""Metrics: functionals of a loss curve and a distribution of operating conditions."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.metrics.bounded import Bounds, ModelBounds, bounds
    from costspace.metrics.calibration import calibration_loss, miscalibration, refinement_loss
    from costspace.metrics.case_costs import (
        cost_weighted_table,
        expected_cost,
        savings_score,
        trivial_costs,
    )
    from costspace.metrics.case_rules import TrivialCosts, bayes_thresholds
    from costspace.metrics.classification import accuracy, macro_accuracy
    from costspace.metrics.cost_of_review import ReviewCurve, review_curve
    from costspace.metrics.cumulative_gain import GainCurve, gain_curve
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
    from costspace.metrics.net_benefit import DecisionCurve, decision_curve
    from costspace.metrics.normalised import h_measure
    from costspace.metrics.probabilities import (
        brier_score,
        macro_brier_score,
        macro_mean_absolute_error,
        mean_absolute_error,
    )
    from costspace.metrics.proper import boosting_loss, cost_loss_utility, log_loss, zero_one_loss
    from costspace.metrics.ranking import auc, auc_hull, gini, kendall_tau
    from costspace.metrics.reported import LARGER_IS_BETTER as LARGER_IS_BETTER
    from costspace.metrics.reported import METRICS as METRICS
    from costspace.metrics.rescaled import murphy_curve, normalised_cost_curve
    from costspace.metrics.surface import RocSurface, roc_surface
    from costspace.metrics.trivial import advantage, operating_range, trivial_curve
    from costspace.metrics.volume import relative_voros, voros, voros_baseline

__all__ = [
    "Bounds",
    "ChoiceGuide",
    "ClassParts",
    "DecisionCurve",
    "EconomicValueCurve",
    "EqualCostPoints",
    "GainCurve",
    "ModelBounds",
    "ReasonableChoice",
    "ReviewCurve",
    "RocSurface",
    "TrivialCosts",
    "accuracy",
    "advantage",
    "auc",
    "auc_hull",
    "bayes_thresholds",
    "boosting_loss",
    "bounds",
    "brier_score",
    "calibration_gap",
    "calibration_loss",
    "class_parts",
    "cost_loss_utility",
    "cost_weighted_table",
    "decision_curve",
    "equal_cost_points",
    "expected_cost",
    "expected_loss",
    "gain_curve",
    "gini",
    "h_measure",
    "kendall_curve",
    "kendall_tau",
    "lesser_area",
    "log_loss",
    "loss_curve",
    "loss_shares",
    "macro_accuracy",
    "macro_brier_score",
    "macro_mean_absolute_error",
    "mean_absolute_error",
    "miscalibration",
    "murphy_curve",
    "normalised_cost_curve",
    "operating_range",
    "partial_brier_score",
    "reasonable_choices",
    "refinement_loss",
    "relative_economic_value",
    "relative_voros",
    "review_curve",
    "roc_surface",
    "savings_score",
    "trivial_costs",
    "trivial_curve",
    "voros",
    "voros_baseline",
    "voros_of_point",
    "zero_one_loss",
]

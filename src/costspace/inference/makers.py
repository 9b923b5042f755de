"""Makers of the statistic of each metric from its parameters: value, range and influence."""

from functools import partial
from typing import Any

from costspace.checks import check_axis
from costspace.choices import Optimal, ScoreDriven, ScoreFixed, ScoreUniform, ThresholdChoice
from costspace.choices.base import check_choice
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError, brief
from costspace.inference.normalised import h_bias, h_influence, voros_influence
from costspace.inference.optimism import hull_area_optimism, loss_optimism, voros_optimism
from costspace.inference.statistic import InfluenceOf, Statistic, makes_statistic
from costspace.influences.influence import Influence, combined
from costspace.influences.ranks import auc_influence, hull_area_influence
from costspace.metrics.calibration import miscalibration, refinement_loss
from costspace.metrics.classification import accuracy, macro_accuracy
from costspace.metrics.curves import partial_brier_score
from costspace.metrics.expected import expected_loss
from costspace.metrics.normalised import h_measure
from costspace.metrics.probabilities import (
    brier_score,
    macro_brier_score,
    macro_mean_absolute_error,
    mean_absolute_error,
)
from costspace.metrics.ranking import auc, auc_hull, gini
from costspace.metrics.trivial import trivial_path
from costspace.metrics.volume import relative_voros, voros, voros_baseline
from costspace.scores.table import ScoreTable


@makes_statistic(auc)
def auc_statistic() -> Statistic:
    """The area under the ROC curve."""
    return Statistic("auc", auc, auc_influence)


@makes_statistic(auc_hull)
def _auc_hull() -> Statistic:
    return Statistic(
        "auc_hull", auc_hull, hull_area_influence, (0.5, 1.0), 1.0, bias=hull_area_optimism
    )


@makes_statistic(gini)
def _gini() -> Statistic:
    return Statistic("gini", gini, lambda table: auc_influence(table).times(2), (-1.0, 1.0))


@makes_statistic(accuracy)
def _accuracy(*, threshold: float = 0.5) -> Statistic:
    loss = _influence_on(ScoreFixed(threshold), "cost")
    return Statistic(
        "accuracy", partial(accuracy, threshold=threshold), lambda table: loss(table).times(-1)
    )


@makes_statistic(macro_accuracy)
def _macro_accuracy(*, threshold: float = 0.5) -> Statistic:
    loss = _influence_on(ScoreFixed(threshold), "skew")
    return Statistic(
        "macro_accuracy",
        partial(macro_accuracy, threshold=threshold),
        lambda table: loss(table).times(-1),
        balanced=True,
    )


@makes_statistic(brier_score)
def _brier() -> Statistic:
    return Statistic("brier", brier_score, _influence_on(ScoreDriven(), "cost"))


@makes_statistic(macro_brier_score)
def _macro_brier() -> Statistic:
    influence = _influence_on(ScoreDriven(), "skew")
    return Statistic("macro_brier", macro_brier_score, influence, balanced=True)


@makes_statistic(partial_brier_score)
def _partial_brier(*, low: float = 0.0, high: float = 1.0, axis: str = "cost") -> Statistic:
    loss = _expected_loss(choice=ScoreDriven(), costs=Uniform(low, high), axis=axis)
    value = partial(partial_brier_score, low=low, high=high, axis=axis)
    return Statistic("partial_brier", value, loss.influence, loss.range, balanced=loss.balanced)


@makes_statistic(mean_absolute_error)
def _mae() -> Statistic:
    return Statistic("mae", mean_absolute_error, _influence_on(ScoreUniform(), "cost"))


@makes_statistic(macro_mean_absolute_error)
def _macro_mae() -> Statistic:
    influence = _influence_on(ScoreUniform(), "skew")
    return Statistic("macro_mae", macro_mean_absolute_error, influence, balanced=True)


@makes_statistic(refinement_loss)
def _refinement(*, partition: object = "hull") -> Statistic:
    if not (isinstance(partition, str) and partition == "hull"):
        raise ConditionError(
            f"the refinement loss has a closed-form standard error over the hull, not over "
            f"{brief(partition)}: use the bootstrap."
        )
    loss = _expected_loss(choice=Optimal())
    return Statistic(
        "refinement_loss",
        refinement_loss,
        loss.influence,
        (0.0, 0.25),
        1.0,
        bias=loss.bias,
        ceiling=loss.ceiling,
    )


@makes_statistic(miscalibration)
def _miscalibration() -> Statistic:
    brier, refinement = _influence_on(ScoreDriven(), "cost"), _influence_on(Optimal(), "cost")

    def influence(table: ScoreTable) -> Influence:
        return combined([brier(table), refinement(table)], [1.0, -1.0])

    return Statistic(
        "miscalibration",
        miscalibration,
        influence,
        one_sided=True,
        bias=lambda table, *rows: loss_optimism(table, Uniform(), *rows),
    )


@makes_statistic(h_measure)
def _h_measure(*, costs: CostDistribution | None = None) -> Statistic:
    return Statistic(
        "h_measure",
        partial(h_measure, costs=costs),
        partial(h_influence, costs=costs),
        bias=partial(h_bias, costs=costs),
    )


@makes_statistic(voros)
def _voros(
    *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
) -> Statistic:
    given: dict[str, Any] = {"low": low, "high": high, "costs": costs}
    return Statistic(
        "voros",
        partial(voros, **given),
        partial(voros_influence, **given),
        (0.5, 1.0),
        1.0,
        balanced=True,
        bias=partial(voros_optimism, **given),
    )


@makes_statistic(relative_voros)
def _relative_voros(
    *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
) -> Statistic:
    given: dict[str, Any] = {"low": low, "high": high, "costs": costs}
    room = 1 - voros_baseline(**given)

    def influence(table: ScoreTable) -> Influence:
        return voros_influence(table, **given).times(1 / room)

    return Statistic(
        "relative_voros",
        partial(relative_voros, **given),
        influence,
        span=1 / room,
        balanced=True,
        bias=lambda table, *rows: voros_optimism(table, *rows, **given) / room,
    )


@makes_statistic(expected_loss)
def _expected_loss(
    *, choice: ThresholdChoice, costs: CostDistribution = Uniform(), axis: str = "cost"
) -> Statistic:
    costs, choice = as_costs(costs), check_choice(choice)
    balanced = check_axis(axis) == "skew"
    mean = costs.mean()
    # The largest loss: always wrong on the class whose errors cost more.
    worst = 1.0 if balanced else 2 * max(mean, 1 - mean)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -loss_optimism(_table_on(table, axis), costs, weights, design_effect)

    def ceiling(table: ScoreTable) -> float:
        return trivial_path(_table_on(table, axis).prevalence).expected_loss(costs)

    return Statistic(
        "expected_loss",
        partial(expected_loss, choice=choice, costs=costs, axis=axis),
        _influence_on(choice, axis, costs),
        (0.0, worst),
        worst,
        balanced=balanced,
        bias=bias if choice.least_loss else None,
        ceiling=ceiling if choice.least_loss else None,
    )


def _influence_on(
    choice: ThresholdChoice, axis: str, costs: CostDistribution = Uniform()
) -> InfluenceOf:
    def influence(table: ScoreTable) -> Influence:
        found = choice.influence(_table_on(table, axis), costs)
        return found.sloping(0.0) if axis == "skew" else found

    return influence


def _table_on(table: ScoreTable, axis: str) -> ScoreTable:
    return table.with_prevalence(0.5) if axis == "skew" else table

"""The statistic behind every metric: its value, its range and its influence."""

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import Any, TypeAlias, TypeVar

from costspace.choices import (
    PARAMETER_FREE,
    Optimal,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.condition import AXES, check_axis
from costspace.costs import CostDistribution, Uniform, as_costs
from costspace.errors import ConditionError, brief
from costspace.inference.influence import Influence, combined
from costspace.inference.losses import loss_influence
from costspace.inference.normalised import h_bias, h_influence, voros_influence
from costspace.inference.optimism import hull_area_optimism, loss_optimism, voros_optimism
from costspace.inference.ranks import auc_influence, hull_area_influence
from costspace.inference.statistic import InfluenceOf, Statistic
from costspace.metrics.by_name import METRICS
from costspace.metrics.curves import partial_brier_score, trivial_path
from costspace.metrics.expected import check_choice, expected_loss
from costspace.metrics.named import (
    accuracy,
    auc,
    auc_hull,
    brier_score,
    gini,
    macro_accuracy,
    macro_brier_score,
    macro_mean_absolute_error,
    mean_absolute_error,
    miscalibration,
    refinement_loss,
)
from costspace.metrics.normalised import h_measure
from costspace.metrics.voros import relative_voros, voros, voros_baseline
from costspace.scores.table import ScoreTable

Maker: TypeAlias = Callable[..., Statistic]
AnyMaker = TypeVar("AnyMaker", bound=Maker)

_LOSS = "expected_loss"
_MAKERS: dict[Callable[..., Any], Maker] = {}


def statistic_of(metric: Callable[..., float], /, **parameters: Any) -> Statistic:
    """The statistic that a metric is with its parameters.

    Raises
    ------
    ConditionError
        If it is no metric, has no closed-form standard error, or has other parameters.
    """
    if not callable(metric):
        raise ConditionError(
            f"a metric is a function such as cs.auc, or a name such as 'auc', got {brief(metric)}."
        )
    # Not by its hash: what is no metric may have none.
    maker = next((made for known, made in _MAKERS.items() if known is metric), None)
    if maker is None:
        raise ConditionError(
            f"{brief(getattr(metric, '__name__', metric))} has no closed-form standard error: use "
            "the bootstrap."
        )
    known = _parameters_of(maker)
    needed = [name for name, one in known.items() if one.default is inspect.Parameter.empty]
    _check_parameters(metric.__name__, parameters, known, needed)
    return maker(**parameters)


@cache
def _parameters_of(maker: Maker) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(maker).parameters


def statistic_from(
    metric: str | Callable[..., float] | Statistic, parameters: Mapping[str, Any]
) -> Statistic:
    """The statistic that a metric, a name that `evaluate` gives, or a statistic stands for.

    Raises
    ------
    ConditionError
        If there is none, or not with those parameters.
    """
    if isinstance(metric, Statistic):
        _check_parameters(metric.name, parameters, ())
        return metric
    if not isinstance(metric, str):
        return statistic_of(metric, **parameters)
    if metric in METRICS:
        return statistic_of(METRICS[metric], **parameters)
    statistic = statistic_named(metric, parameters.get("costs", Uniform()))
    _check_parameters(metric, parameters, ("costs",))
    return statistic


def statistic_named(name: str, costs: CostDistribution = Uniform()) -> Statistic:
    """The statistic of a name that `evaluate` gives, "auc" or "expected_loss.cost.optimal".

    Raises
    ------
    ConditionError
        If there is none of that name.
    """
    if name in METRICS:
        return statistic_of(METRICS[name])
    kind, axis, choice = (*str(name).split("."), "", "")[:3]
    known = kind == _LOSS and axis in AXES and choice in PARAMETER_FREE
    if known and name == f"{kind}.{axis}.{choice}":
        return statistic_of(expected_loss, choice=PARAMETER_FREE[choice], costs=costs, axis=axis)
    raise ConditionError(
        f"there is no quantity {brief(name)}: there are {', '.join(METRICS)}, and "
        f"{_LOSS}.AXIS.CHOICE with AXIS one of {', '.join(AXES)} and CHOICE one of "
        f"{', '.join(PARAMETER_FREE)}."
    )


def _check_parameters(
    name: str, given: Mapping[str, Any], known: Collection[str], needed: Collection[str] = ()
) -> None:
    for parameter in given:
        if parameter not in known:
            raise ConditionError(
                f"{name} has no parameter {brief(parameter)}: it has {', '.join(known) or 'none'}."
            )
    missing = [parameter for parameter in needed if parameter not in given]
    if missing:
        raise ConditionError(
            f"{name} needs {' and '.join(missing)}: estimate takes parameters by name, and compare "
            "takes metrics with them by theirs, such as 'expected_loss.cost.optimal', or as a "
            "functools.partial."
        )


def makes_statistic(metric: Callable[..., Any]) -> Callable[[AnyMaker], AnyMaker]:
    """Decorate what makes a metric's statistic of its parameters."""

    def enter(maker: AnyMaker) -> AnyMaker:
        _MAKERS[metric] = maker
        return maker

    return enter


@makes_statistic(auc)
def _auc() -> Statistic:
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
        bias=lambda table, weights, effect: voros_optimism(
            table, low, high, costs, weights=weights, design_effect=effect
        ),
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
        bias=lambda table, weights, effect: (
            voros_optimism(table, low, high, costs, weights=weights, design_effect=effect) / room
        ),
    )


@makes_statistic(expected_loss)
def _expected_loss(
    *, choice: ThresholdChoice, costs: CostDistribution = Uniform(), axis: str = "cost"
) -> Statistic:
    costs, choice = as_costs(costs), check_choice(choice)
    balanced = check_axis(axis) == "skew"
    mean = costs.mean()
    # Every error at every condition, of the class whose errors are dearer.
    worst = 1.0 if balanced else 2 * max(mean, 1 - mean)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -loss_optimism(_table_on(table, axis), costs, weights, design_effect)

    def ceiling(table: ScoreTable) -> float:
        return trivial_path(_table_on(table, axis).prevalence).expected_loss(costs)

    optimal = isinstance(choice, Optimal)
    return Statistic(
        _LOSS,
        partial(expected_loss, choice=choice, costs=costs, axis=axis),
        _influence_on(choice, axis, costs),
        (0.0, worst),
        worst,
        balanced=balanced,
        bias=bias if optimal else None,
        ceiling=ceiling if optimal else None,
    )


def _influence_on(
    choice: ThresholdChoice, axis: str, costs: CostDistribution = Uniform()
) -> InfluenceOf:
    def influence(table: ScoreTable) -> Influence:
        found = loss_influence(choice, _table_on(table, axis), costs)
        return found.sloping(0.0) if axis == "skew" else found

    return influence


def _table_on(table: ScoreTable, axis: str) -> ScoreTable:
    return table.with_prevalence(0.5) if axis == "skew" else table

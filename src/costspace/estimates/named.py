"""The statistic that a metric or a name stands for."""

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from costspace.checks import AXES
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.costs import CostDistribution, Uniform
from costspace.errors import ConditionError, brief
from costspace.influences.statistic import MAKERS, Maker, Statistic
from costspace.metrics.reported import METRICS, quantities
from costspace.metrics.traits import with_parameters

# A metric, its name in `evaluate`, or a ready statistic.
MetricLike: TypeAlias = str | Callable[..., float] | Statistic

# The names of expected losses.
LOSSES = tuple(name for name in quantities(PARAMETER_FREE) if name not in METRICS)


def statistic_of(metric: Callable[..., float], /, **parameters: Any) -> Statistic:
    """The statistic of a metric with its parameters.

    `ConditionError` if it is not a metric, has no closed-form standard error, or other parameters.
    """
    if not callable(metric):
        raise ConditionError(
            f"a metric is a function such as cs.auc, or a name such as 'auc', got {brief(metric)}."
        )
    # Not by hash: the argument may be unhashable.
    maker = next((made for known, made in MAKERS.items() if known is metric), None)
    if maker is None:
        check_of_table(metric)
        raise ConditionError(
            f"{name_of(metric)} has no closed-form standard error: use the bootstrap."
        )
    known = _parameters_of(maker)
    needed = [name for name, one in known.items() if one.default is inspect.Parameter.empty]
    _check_parameters(metric.__name__, parameters, known, needed)
    return maker(**parameters)


def name_of(metric: Callable[..., float]) -> str:
    """A function's name for messages, without its parameters."""
    bare = _bare(metric)
    return brief(getattr(bare, "__name__", type(bare).__name__))


def _bare(metric: Callable[..., float]) -> Callable[..., float]:
    return metric.func if isinstance(metric, partial) else metric


def check_of_table(metric: Callable[..., float]) -> None:
    """Raise `ConditionError` if the signature shows that a function is not a metric of tables."""
    try:
        signature = inspect.signature(metric)
    except (TypeError, ValueError):
        # Functions written in C need not have one.
        return
    if getattr(_bare(metric), "__module__", "").startswith("costspace."):
        _check_own(metric, signature)
    try:
        signature.bind(None)
    except TypeError:
        raise ConditionError(
            f"{name_of(metric)} needs more than a score table: give the rest by name, with "
            "functools.partial, or another metric, such as cs.auc."
        ) from None


def _check_own(metric: Callable[..., float], signature: inspect.Signature) -> None:
    """Raise `ConditionError` if a function of this package is not a metric of score tables."""
    # Annotations that are not evaluated are texts.
    number = signature.return_annotation in (float, "float")
    if not number or "y_true" not in signature.parameters:
        raise ConditionError(
            f"{name_of(metric)} does not compute a number from labels and scores: give a metric "
            "that does, such as cs.auc."
        )
    if {"fp_cost", "fn_cost"} <= signature.parameters.keys():
        raise ConditionError(
            f"{name_of(metric)} needs rows with their own costs, which score tables do not have: "
            "draw rows with replacement, compute it on each draw, and take quantiles."
        )


@cache
def _parameters_of(maker: Maker) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(maker).parameters


def statistic_from(metric: MetricLike, *, costs: CostDistribution = Uniform()) -> Statistic:
    """The statistic of a metric, of its name in `evaluate`, or a statistic itself.

    The costs are those of an expected loss by name. `ConditionError` if there is none.
    """
    if isinstance(metric, Statistic):
        return metric
    if isinstance(metric, str):
        return statistic_named(metric, costs)
    bare, parameters = with_parameters(metric)
    return statistic_of(bare, **parameters)


def statistic_named(name: str, costs: CostDistribution = Uniform()) -> Statistic:
    """The statistic of a name in `evaluate`, such as "auc" or "expected_loss.cost.optimal"."""
    known = quantities(PARAMETER_FREE, costs)
    if name not in known:
        raise ConditionError(
            f"there is no quantity {brief(name)}: there are {', '.join(METRICS)}, and "
            f"expected_loss.AXIS.CHOICE with AXIS one of {', '.join(AXES)} and CHOICE one of "
            f"{', '.join(PARAMETER_FREE)}."
        )
    return statistic_from(known[name])


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
            f"{name} needs {' and '.join(missing)}: give them with functools.partial, or a "
            "name that has them, such as 'expected_loss.cost.optimal'."
        )

"""Metrics by name, and their values on tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from costspace.arrays import BoolArray, FloatArray
from costspace.errors import ConditionError, ScoreError, brief
from costspace.estimates.named import check_of_table, statistic_from
from costspace.influences.influence import Influence
from costspace.influences.statistic import Statistic
from costspace.scores.table import ScoreTable

TableMetric: TypeAlias = Callable[[ScoreTable], float] | Statistic
TableMetrics: TypeAlias = TableMetric | Sequence[TableMetric] | Mapping[str, TableMetric]

# Values that differ by no more than this share of their size differ only by rounding.
_ROUNDING = 1e-13


def metrics_by_name(metrics: TableMetrics) -> dict[str, TableMetric]:
    """One metric or several, each by its own or a given name.

    `ConditionError` if there is none, one is not a function, or two have the same name.
    """
    given: list[TableMetric]
    if isinstance(metrics, Mapping):
        names, given = list(map(str, metrics)), list(metrics.values())
    else:
        several = isinstance(metrics, Sequence) and not isinstance(metrics, str)
        given = [*metrics] if several else [metrics]  # type: ignore[list-item, misc]
        names = [
            m.name if isinstance(m, Statistic) else getattr(m, "__name__", "metric") for m in given
        ]
    if not given or not all(isinstance(m, Statistic) or callable(m) for m in given):
        raise ConditionError(
            f"metrics must be functions of a score table such as cs.auc, got {brief(metrics)}: "
            "give one, several, or a mapping."
        )
    if len(set(names)) < len(names):
        raise ConditionError(
            f"two metrics have the same name among {brief(names)}: give a mapping with new names."
        )
    named = dict(zip(names, given, strict=True))
    for metric in named.values():
        if not isinstance(metric, Statistic):
            check_of_table(metric)
    return named


def statistic_in(metric: TableMetric) -> Statistic | None:
    """The closed-form statistic of a metric, perhaps with parameters by name, or None."""
    try:
        return statistic_from(metric)
    except ConditionError:
        return None


def influence_in(metric: TableMetric, table: ScoreTable) -> Influence | None:
    """The influence in closed form, if there is one."""
    statistic = statistic_in(metric)
    if statistic is None:
        return None
    try:
        return statistic.influence(table)
    except ConditionError:
        return None


def values_of(metrics: Mapping[str, TableMetric], table: ScoreTable, where: str) -> FloatArray:
    """Each metric of a table, or `ScoreError` that says `where` one has no finite value."""
    values = np.array(
        [float(m.value(table) if isinstance(m, Statistic) else m(table)) for m in metrics.values()]
    )
    if not np.isfinite(values).all():
        name = list(metrics)[int(np.argmin(np.isfinite(values)))]
        raise ScoreError(f"{name} has no finite value on {where}: leave it out.")
    return values


def spreads(values: FloatArray) -> BoolArray:
    """Whether each column's values differ by more than rounding."""
    scale = np.maximum(np.abs(values[0]), 1.0)
    return np.asarray(np.ptp(values, axis=0) > _ROUNDING * scale)

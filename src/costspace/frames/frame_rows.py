"""The rows of a dataframe, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.errors import (
    ConditionError,
    CostspaceError,
    LabelError,
    ScoreError,
    WeightError,
)
from costspace.frames.columns import Columns
from costspace.frames.dataframes import opened_by_narwhals, plainly_named
from costspace.frames.formulas import Formula, joined
from costspace.frames.labels import is_missing, positive_label
from costspace.frames.operands import operands_in
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import ScoredRows
from costspace.samples.validation import cost_array, score_array
from costspace.single import doubles


def rows_of_frame(
    frame: Any, columns: Columns, costs: Mapping[str, Any], cost_columns: Mapping[str, str]
) -> ScoredRows:
    """The rows of a dataframe of any engine; costs are numbers, or columns of their own."""
    lazy, known = plainly_named(opened_by_narwhals(frame).lazy())
    columns = columns.chosen_among(known, cost_columns.values(), "the frame")
    errors: dict[str, type[CostspaceError]] = dict.fromkeys(columns.scores, ScoreError)
    errors |= dict.fromkeys(cost_columns.values(), ConditionError)
    if columns.weight is not None:
        errors[columns.weight] = WeightError
    others = [columns.label, *([] if columns.groups is None else [columns.groups])]
    asked = operands_in(lazy, known, errors, others)
    taken = asked.rows.select(*dict.fromkeys(asked.here.values())).collect()
    if not len(taken):
        raise LabelError("the frame has no rows to evaluate.")
    found = {own: taken.get_column(here).to_native() for own, here in asked.here.items()}
    numbers = partial(_numbers, asked.formulas, found)
    own_costs = {name: numbers(column, cost_array) for name, column in cost_columns.items()}
    return ScoredRows.from_predictions(
        _positive(np.asarray(found[columns.label]), columns.label, columns.positive),
        {name: numbers(name) for name in columns.scores},
        pos_label=None,
        sample_weight=None if columns.weight is None else numbers(columns.weight),
        case_costs=CaseCosts(**{**costs, **own_costs}) if costs else None,
        groups=None if columns.groups is None else found[columns.groups],
    )


def _scores(values: Any, name: str) -> Any:
    return score_array(values, name, len(values))


def _numbers(
    formulas: Mapping[str, Formula],
    found: Mapping[str, Any],
    name: str,
    checked: Callable[[Any, str], Any] = _scores,
) -> Any:
    """The numbers that a name speaks of, of the columns that are found."""
    meant = formulas[name]
    if meant.plain:
        return found[meant.columns[0]]

    def operand(own: str) -> Any:
        values = checked(found[own], f"values of {own!r}")
        return values if meant.signed else doubles(values)

    with np.errstate(over="ignore", invalid="ignore"):
        return meant.made(operand, float, joined)


def _positive(labels: NDArray[Any], column: str, positive: str | None) -> NDArray[Any]:
    """Which rows are positive; the labels themselves where one is missing, which is refused."""
    distinct = list(dict.fromkeys(labels.tolist()))
    if any(map(is_missing, distinct)):
        return labels
    chosen, are_positive = positive_label(distinct, column, positive, both=True)
    return np.isin(labels, chosen) == are_positive

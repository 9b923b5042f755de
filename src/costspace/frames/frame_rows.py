"""The rows of a dataframe, in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.errors import ScoreError
from costspace.frames.columns import Columns
from costspace.frames.dataframes import nw
from costspace.frames.formulas import (
    Formula,
    check_element,
    element_of,
    formula_of,
    joined,
    no_lists,
)
from costspace.frames.labels import is_missing, positive_label
from costspace.frames.opened import opened_by_narwhals, plainly_named
from costspace.frames.paths import no_column
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
    names = [*columns.numbers().values(), *cost_columns.values()]
    of_numbers = [own for name in names for own in _formula(name, known).columns]
    others = [columns.label, *([] if columns.groups is None else [columns.groups])]
    for name in others:
        if name not in known:
            raise no_column("the frame", name, known)
    stored = [*others, *(_stored(own, known)[0] for own in of_numbers)]
    wanted = dict.fromkeys(known[name] for name in stored)
    own = {here: name for name, here in known.items()}
    taken = lazy.select(*wanted).collect()
    found = {own[here]: taken.get_column(here) for here in wanted}
    numbers = partial(_numbers, found=found)
    own_costs = {name: numbers(column, cost_array) for name, column in cost_columns.items()}
    labels = np.asarray(found[columns.label].to_native())
    return ScoredRows.from_predictions(
        _positive(labels, columns.label, columns.positive),
        {name: numbers(name) for name in columns.scores},
        pos_label=None,
        sample_weight=None if columns.weight is None else numbers(columns.weight),
        case_costs=CaseCosts(**{**costs, **own_costs}) if costs else None,
        groups=None if columns.groups is None else found[columns.groups].to_native(),
    )


def _formula(name: str, known: Collection[str]) -> Formula:
    return formula_of(name, lambda own: own in known or element_of(own, known) is not None)


def _stored(name: str, known: Collection[str]) -> tuple[str, int | None]:
    """A column, and which element of its lists is meant."""
    own, place = element_of(name, known) or (name, None)
    if own not in known:
        raise no_column("the frame", name, known)
    return own, place


def _scores(values: Any, name: str) -> Any:
    return score_array(values, name, len(values))


def _numbers(
    name: str,
    checked: Callable[[Any, str], Any] = _scores,
    *,
    found: Mapping[str, nw.Series[Any]],
) -> Any:
    """The numbers that a name speaks of, of the columns that are found."""
    meant = _formula(name, found)
    if meant.plain:
        return _column(name, found)

    def operand(own: str) -> Any:
        values = checked(_column(own, found), f"values of {own!r}")
        return values if meant.signed else doubles(values)

    with np.errstate(over="ignore", invalid="ignore"):
        return meant.made(operand, float, joined)


def _column(name: str, found: Mapping[str, nw.Series[Any]]) -> Any:
    own, place = _stored(name, found)
    column = found[own]
    if column.dtype == nw.Object or column.dtype.is_nested():
        element = _element(column.to_list(), own, place)
        # As numbers of Python, they have lost of how many bits they are.
        single = element.dtype.kind == "f" and getattr(column.dtype, "inner", None) == nw.Float32
        return element.astype(np.float32) if single else element
    if place is not None:
        raise no_lists(f"column {own!r}", column.dtype, name)
    return column.to_native()


def _element(values: list[Any], name: str, place: int | None) -> Any:
    """One element of the lists in a column, the only one by default; other objects as they are."""
    sizes = {
        len(value) for value in values if not isinstance(value, str) and hasattr(value, "__len__")
    }
    if not sizes:
        return np.array(values, dtype=object)
    size = max(sizes)
    check_element(f"column {name!r}", size, name, place)
    if len(sizes) > 1 or any(value is None for value in values):
        raise ScoreError(f"column {name!r} holds lists that are not all of {size}: correct them.")
    return np.asarray([value[place or 0] for value in values])


def _positive(labels: NDArray[Any], column: str, positive: str | None) -> NDArray[Any]:
    """Which rows are positive; the labels themselves where one is missing, which is refused."""
    distinct = list(dict.fromkeys(labels.tolist()))
    if any(map(is_missing, distinct)):
        return labels
    chosen, are_positive = positive_label(distinct, column, positive, both=True)
    return np.isin(labels, chosen) == are_positive

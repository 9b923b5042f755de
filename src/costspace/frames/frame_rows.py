"""The rows of a dataframe, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.frames.columns import Columns
from costspace.frames.labels import is_missing, positive_label
from costspace.frames.opened import opened_by_narwhals, plainly_named
from costspace.frames.paths import no_column
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import ScoredRows


def rows_of_frame(
    frame: Any, columns: Columns, costs: Mapping[str, Any], cost_columns: Mapping[str, str]
) -> ScoredRows:
    """The rows of a dataframe of any engine; costs are numbers, or columns of their own."""
    lazy, known = plainly_named(opened_by_narwhals(frame).lazy())

    def found(name: str) -> str:
        """A column, or the one whose sign ``-NAME`` changes."""
        own = name if name in known else name.removeprefix("-")
        if own not in known:
            raise no_column("the frame", name, list(known))
        return own

    numbers = [*columns.numbers().values(), *cost_columns.values()]
    others = [columns.label, *([] if columns.groups is None else [columns.groups])]
    wanted = dict.fromkeys(known[found(name)] for name in (*others, *numbers))
    taken = lazy.select(*wanted).collect()

    def column(name: str) -> Any:
        return taken.get_column(known[found(name)]).to_native()

    def number(name: str) -> Any:
        # 0 is not to become -0.
        return column(name) if name in known else 0.0 - np.asarray(column(name))

    own = {**costs, **{name: number(column) for name, column in cost_columns.items()}}
    return ScoredRows.from_predictions(
        _positive(np.asarray(column(columns.label)), columns.label, columns.positive),
        {name: number(name) for name in columns.scores},
        pos_label=None,
        sample_weight=None if columns.weight is None else number(columns.weight),
        case_costs=CaseCosts(**own) if own else None,
        groups=None if columns.groups is None else column(columns.groups),
    )


def _positive(labels: NDArray[Any], column: str, positive: str | None) -> NDArray[Any]:
    """Which rows are positive; the labels themselves where one is missing, which is refused."""
    distinct = list(dict.fromkeys(labels.tolist()))
    if any(map(is_missing, distinct)):
        return labels
    chosen, are_positive = positive_label(distinct, column, positive, both=True)
    return np.isin(labels, chosen) == are_positive

"""Which rows have which values of some columns."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, IndexArray
from costspace.errors import SourceError, brief
from costspace.samples.vectors import UNLIKE, missing_rows, plain_objects, vector

# What one column without a name is called.
SEGMENT = "segment"


def segments_given(
    segments: ArrayLike | Mapping[str, ArrayLike], rows: int
) -> tuple[tuple[str, ...], dict[tuple[Any, ...], IndexArray]]:
    """The names of columns, and the rows of each combination of their values.

    `SourceError` unless each of so many rows has a value, which may be missing.
    """
    columns = getattr(segments, "column_names", getattr(segments, "columns", None))
    names = list(segments) if isinstance(segments, Mapping) else columns
    frame: Any = segments
    named = {SEGMENT: segments} if names is None else {str(name): frame[name] for name in names}
    if not named:
        raise SourceError("segments have no columns: give at least one.")
    found = {name: _column(values, name, rows) for name, values in named.items()}
    try:
        return tuple(found), rows_by_value(list(found.values()))
    except UNLIKE:
        raise SourceError(
            f"segments must be all numbers or all text in a column, got {brief(segments)}."
        ) from None


def _column(values: Any, name: str, rows: int) -> NDArray[Any]:
    """The values of a column, masked where they are missing."""
    column = plain_objects(vector(values, name, SourceError))
    if len(column) != rows:
        raise SourceError(f"{name} has {len(column)} values for {rows} rows: give one a row.")
    missing = missing_rows(column)
    return np.ma.array(column, mask=missing) if missing.any() else column


def json_value(value: Any) -> Any:
    """A value as JSON has it, or the text of it; times are in UTC and as DuckDB writes them."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if not isinstance(value, datetime):
        return str(value)
    zone = "" if value.tzinfo is None else "+00"
    text = str(value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None))
    return (text.rstrip("0") if "." in text else text) + zone


def rows_by_value(columns: Sequence[NDArray[Any]]) -> dict[tuple[Any, ...], IndexArray]:
    """The rows of each combination of values, in the order of the values.

    Masked values are missing; they count as one value, None, the last.
    """
    if not columns:
        return {}
    numbers, values = zip(*map(_numbered, columns), strict=True)
    order = np.lexsort(numbers[::-1])
    combined = np.stack(numbers)[:, order]
    starts = np.flatnonzero(np.any(combined[:, 1:] != combined[:, :-1], axis=0)) + 1
    return {
        tuple(known[i] for known, i in zip(values, combination, strict=True)): some
        for combination, some in zip(
            combined[:, np.append(0, starts)].T, np.split(order, starts), strict=True
        )
    }


def rows_among(
    segments: Mapping[tuple[Any, ...], IndexArray], kept: BoolArray
) -> dict[tuple[Any, ...], IndexArray]:
    """The same of the rows that are kept, which are numbered anew."""
    number = np.cumsum(kept) - 1
    return {values: number[some[kept[some]]] for values, some in segments.items()}


def _numbered(column: NDArray[Any]) -> tuple[IndexArray, list[Any]]:
    """The values of a column by number, ascending, None at the end; and the number in each row."""
    missing = np.ma.getmaskarray(column) if np.ma.is_masked(column) else np.zeros(len(column), bool)
    values = np.asarray(column)[~missing].tolist()
    # NumPy would sort as many texts as there are rows.
    known = sorted(set(values))
    number = {value: i for i, value in enumerate(known)}
    numbers = np.full(len(column), len(known))
    numbers[~missing] = [number[value] for value in values]
    return numbers, [*known, None]

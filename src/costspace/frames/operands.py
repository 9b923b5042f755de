"""What numbers are made of in a dataframe of any engine: columns, and elements of lists in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np

from costspace.errors import CostspaceError, brief
from costspace.frames.dataframes import as_narwhals, nw
from costspace.frames.formulas import Formula, check_element, element_of, formula_of, no_lists
from costspace.frames.labels import is_missing
from costspace.frames.objects import plain_column
from costspace.frames.paths import no_column


@final
@dataclass(frozen=True, eq=False)
class Operands:
    """Rows, and what numbers are made of in them."""

    rows: nw.LazyFrame[Any]  # with columns of their own for what is in no plain one
    formulas: Mapping[str, Formula]  # of the names of numbers
    here: Mapping[str, str]  # the column of each operand, and of all `others` that were asked for


def operands_in(
    rows: nw.LazyFrame[Any],
    known: Mapping[str, str],
    names: Mapping[str, type[CostspaceError]],
    others: Iterable[str] = (),
) -> Operands:
    """What names of numbers speak of among known columns; the `others` are columns as they are.

    Each name has the error of its kind of numbers. `FileError` if there is no such column, or it
    has no such element.
    """

    def has(own: str) -> bool:
        return own in known or element_of(own, known) is not None

    formulas = {name: formula_of(name, has) for name in names}
    operands = {own: names[name] for name, meant in formulas.items() for own in meant.columns}
    stored: dict[str, tuple[str, int | None]] = {
        own: element_of(own, known) or (own, None) for own in (*others, *operands)
    }
    for column, _ in stored.values():
        if column not in known:
            raise no_column("the frame", column, list(map(str, known)))
    columns = {column: known[column] for column, _ in stored.values()}
    errors = {stored[own][0]: error for own, error in operands.items()}
    rows, plain = _plainly_typed(rows, columns, errors)
    here = {own: plain[column] for own, (column, _) in stored.items()}
    for i, (own, error) in enumerate(operands.items()):
        if isinstance(dtype := rows.collect_schema()[here[own]], nw.List | nw.Array):
            element = _element(rows, here[own], *stored[own], error)
            here[own] = f"element{i}"
            rows = rows.with_columns(element.alias(here[own]))
        elif stored[own][1] is not None:
            raise no_lists(f"column {stored[own][0]!r}", dtype, own)
    return Operands(rows, formulas, here)


def _element(
    rows: nw.LazyFrame[Any],
    here: str,
    name: str,
    place: int | None,
    error: type[CostspaceError],
) -> nw.Expr:
    """An element of the lists in a column, which are all equally long; null where there is none."""
    dtype, lists = rows.collect_schema()[here], nw.col(here)
    if isinstance(dtype, nw.Array):
        lists = lists.cast(nw.List(dtype.inner))
    sizes = rows.select(low=lists.list.len(), high=lists.list.len())
    ((low, high),) = sizes.select(nw.col("low").min(), nw.col("high").max()).collect().rows()
    if not is_missing(low):
        check_element(f"column {name!r}", int(high), name, place)
        if low != high:
            raise error(
                f"column {name!r} holds lists that are not all of {int(high)}: correct them."
            )
    element: nw.Expr = lists.list.get(place or 0)
    return element


def _plainly_typed(
    rows: nw.LazyFrame[Any],
    columns: Mapping[str, str],
    errors: Mapping[str, type[CostspaceError]],
) -> tuple[nw.LazyFrame[Any], dict[str, str]]:
    """The rows, and where columns are in plain types: objects of pandas, and vectors of Spark."""
    engine, native = rows.implementation, rows.to_native()
    plain: dict[str, Any] = {}
    if engine.is_pandas():
        schema = rows.collect_schema()
        untyped = {name: native[own] for name, own in columns.items() if schema[own] == nw.Object}
        plain = {n: plain_column(cells, n, errors.get(n)) for n, cells in untyped.items()}
    elif engine.is_dask():
        untyped = {n: native[columns[n]] for n in errors if native[columns[n]].dtype == object}
        plain = {n: _lists_of_dask(cells, n, errors[n]) for n, cells in untyped.items()}
    elif engine.is_pyspark():
        kinds = {field.name: field.dataType.simpleString() for field in native.schema}
        vectors = [name for name, own in columns.items() if kinds[own] == "vector"]
        if vectors:
            as_array = import_module("pyspark.ml.functions").vector_to_array
            plain = {name: as_array(native[columns[name]]) for name in vectors}
    if not plain:
        return rows, dict(columns)
    here = {name: f"plain_{columns[name]}" for name in plain}
    added = {here[name]: cells for name, cells in plain.items()}
    found = native.withColumns(added) if engine.is_pyspark() else native.assign(**added)
    return as_narwhals(found), {**columns, **here}


def _lists_of_dask(column: Any, name: str, error: type[CostspaceError]) -> Any:
    """A column of lists in the type that Arrow has for them."""
    first = column.dropna().head(1, npartitions=-1).tolist()
    if first and not isinstance(first[0], list | tuple | np.ndarray):
        raise error(
            f"column {name!r} holds objects such as {brief(first[0])}: give it a type of numbers, "
            "as by astype(float)."
        )
    pa, pd = import_module("pyarrow"), import_module("pandas")
    kind = pd.ArrowDtype(pa.list_(pa.float64()))
    return column.map_partitions(
        lambda part: pd.Series(list(part), part.index, kind), meta=(name, kind)
    )

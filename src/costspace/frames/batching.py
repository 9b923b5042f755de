"""Predictions in files as batches, read by the engine that opened them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from costspace.errors import FileError, ScoreError, SourceError
from costspace.frames.batches import (
    Batch,
    Batches,
    BatchesInTurn,
    CheckedBatches,
    DaskBatches,
    FrameColumns,
    SparkBatches,
)
from costspace.frames.complaints import complaining
from costspace.frames.dataframes import nw
from costspace.frames.divided import SegmentValues
from costspace.frames.opened import POSITIVE, open_frame
from costspace.frames.predictions import Predictions
from costspace.frames.relation import Relation, arrays
from costspace.frames.survey import classified

# DuckDB's names of integer types of up to 64 bits.
_WHOLE = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER"),
}
_TOLD_APART = "name a column of unique whole numbers of up to 64 bits"


def batches_of(
    predictions: Predictions, number: str | None, segments: SegmentValues | None = None
) -> Batches:
    """The rows of predictions, in their engine's batches.

    Those that DuckDB has opened `by` columns of segments are divided by their values.

    Parameters
    ----------
    number : str or None
        The column of unique whole numbers that they were opened `by` first; without it, the order
        of the rows numbers them.
    """
    if number is not None:
        _check_numbers(predictions.file, number)
        number = "by0"
    frame, scores = predictions.frame, predictions.scores
    found: Batches
    if predictions.engine == "duckdb":
        sizes = {} if segments is None else segments.sizes
        columns = FrameColumns("label", scores, number, sizes)
        found = _read_by_duckdb(predictions, columns, {} if segments is None else segments.values)
    else:
        positive = predictions.columns.positive
        found = batches_in(frame, "label", scores, number=number, pos_label=positive)
    return CheckedBatches(found, predictions.file.stamps.check)


def batches_in(
    frame: Any,
    label: str,
    scores: Mapping[str, str],
    *,
    number: str | None,
    pos_label: object,
) -> Batches:
    """The rows of a dataframe of any engine, in batches, with the column of each model's scores.

    All else, errors among it, is as in `held_out_counts`.
    """
    by = None if number is None else [number]
    opened = open_frame(frame, label=label, score=list(scores.values()), weight=None, by=by)
    rows = classified(opened, pos_label, both=True).rows
    own = None if number is None else opened.by[number]
    columns = FrameColumns(POSITIVE, {n: opened.scores[s] for n, s in scores.items()}, own)
    # Some engines store booleans as bits, which NumPy cannot read.
    positive = nw.col(POSITIVE).cast(nw.Int8())
    chosen = rows.select(positive, *opened.scores.values(), *opened.by.values())
    if own is not None and not (kind := chosen.collect_schema()[own]).is_integer():
        raise SourceError(f"column {number!r} has type {kind}: {_TOLD_APART}.")
    if own is not None:
        missing = chosen.select(nw.col(own).is_null().cast(nw.Int64()).sum()).collect().item()
        if missing:
            raise SourceError(f"column {number!r} misses {missing} numbers: {_TOLD_APART}.")
    engine, native = chosen.implementation, nw.to_native(chosen)
    if engine.is_dask():
        return DaskBatches(native, columns)
    if engine.is_spark_like():
        if number is None:
            raise SourceError(f"rows of Spark have no order: {_TOLD_APART}.")
        return SparkBatches(native, columns)
    if engine.is_duckdb():
        ((size,),) = native.aggregate("count(*)").fetchall()
        return BatchesInTurn(lambda: columns.batches(arrays(native)), size)
    batch = columns.batch(chosen.collect())
    return BatchesInTurn(lambda: iter([batch]), len(batch.positive))


def _read_by_duckdb(
    predictions: Predictions, columns: FrameColumns, numbered: Mapping[str, Any]
) -> BatchesInTurn:
    """The rows of predictions, read by DuckDB in parts."""
    frame, path = predictions.frame, predictions.file.path
    ((size,),) = frame.aggregate("count(*)").fetchall()

    def read() -> Iterator[Batch]:
        with complaining(path):
            for batch in columns.batches(arrays(frame, numbered)):
                if any(np.isnan(scores).any() for scores in batch.scores.values()):
                    raise ScoreError("a score is missing.")
                yield batch

    return BatchesInTurn(read, size)


def _check_numbers(file: Relation, name: str) -> None:
    """An error unless a column has a whole number in every row."""
    column = file.column(name)
    if column.kind not in _WHOLE:
        raise SourceError(f"column {name!r} has type {column.kind}: {_TOLD_APART}, in Parquet.")
    empty = file.first(f"{column.sql} IS NULL")
    if empty is not None:
        raise FileError(
            f"{empty.place}: column {name!r} is empty, and must have a unique whole number in "
            "every row: fill it in."
        )

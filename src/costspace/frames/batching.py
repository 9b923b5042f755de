"""Predictions in files as batches, of the engine that they were opened by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from costspace.errors import FileError, ScoreError, SourceError
from costspace.frames.batches import (
    Batch,
    Batches,
    BatchesInTurn,
    DaskBatches,
    FrameColumns,
    SparkBatches,
)
from costspace.frames.predictions import Predictions
from costspace.frames.relation import Relation, arrays

# Types of whole numbers of up to 64 bits, in DuckDB's words.
_WHOLE = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER"),
}


def batches_of(predictions: Predictions) -> Batches:
    """The rows of predictions, in batches of their engine.

    What they are opened `by` is a column of whole numbers that tell rows apart; without it their
    order does.

    Raises
    ------
    FileError, SourceError
        If numbers are missing, or not whole.
    """
    numbered = bool(predictions.by)
    for name in predictions.by:
        _check_numbers(predictions.file, name)
    if predictions.engine == "duckdb":
        return _read_by_duckdb(predictions)
    import narwhals as nw

    from costspace.frames.opened import POSITIVE, open_frame
    from costspace.frames.survey import classified

    opened = open_frame(
        predictions.frame,
        label="label",
        score=list(predictions.scores.values()),
        weight=None,
        by=["by0"] if numbered else None,
    )
    rows = classified(opened, predictions.columns.positive, both=True)
    scores = {name: opened.scores[own] for name, own in predictions.scores.items()}
    columns = FrameColumns(POSITIVE, scores, opened.by["by0"] if numbered else None)
    chosen = rows.select(POSITIVE, *scores.values(), *opened.by.values())
    if predictions.engine == "polars":
        frame: Any = chosen.collect()
        batch = columns.batch(frame)
        return BatchesInTurn(lambda: iter([batch]), len(frame))
    native = nw.to_native(chosen)
    kind = DaskBatches if predictions.engine == "dask" else SparkBatches
    return kind(native, columns)


def _read_by_duckdb(predictions: Predictions) -> BatchesInTurn:
    """The rows of predictions that DuckDB reads in parts."""
    frame, file, models = predictions.frame, predictions.file, predictions.scores
    ((size,),) = frame.aggregate("count(*)").fetchall()

    def read() -> Iterator[Batch]:
        first = 0
        for side, *others in arrays(file, frame):
            numbers = others.pop() if predictions.by else np.arange(first, first + len(side))
            # So that -0.0 is 0.0, as in rows in memory.
            found = [column + 0.0 for column in others]
            if any(np.isnan(values).any() for values in found):
                raise ScoreError("a score is missing.")
            yield Batch(numbers, side != 0, dict(zip(models, found, strict=True)))
            first += len(side)

    return BatchesInTurn(read, size)


def _check_numbers(file: Relation, name: str) -> None:
    """An error unless a column has a whole number in every row."""
    column = file.column(name)
    if column.kind not in _WHOLE:
        raise SourceError(
            f"column {name!r} has type {column.kind}: rows are told apart by whole "
            "numbers of up to 64 bits, in Parquet."
        )
    empty = file.first(f"{column.sql} IS NULL")
    if empty is not None:
        raise FileError(
            f"{empty.place}: column {name!r} is empty where a whole number tells rows apart: "
            "fill it in."
        )

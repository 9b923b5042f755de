"""Predictions in files, opened for an engine to count the scores in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final, get_args

from costspace.arrays import Progress
from costspace.errors import ConditionError, CostspaceError, FileError, LabelError, brief
from costspace.frames.cells import is_positive, refuse_cells, segment
from costspace.frames.engines import Asked, Engine, opened_by_engine, running
from costspace.frames.numbers import number, refuse_tied
from costspace.frames.opened import check_once
from costspace.frames.relation import Relation, open_relation


@final
@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions in files, to be counted by an engine.

    Attributes
    ----------
    frame : DuckDBPyRelation, or a lazy frame of Polars, Dask or PySpark
        Its columns have names of their own.
    scores : mapping of str to str
        For each column of scores its name in the frame.
    arguments : mapping of str to value
        What `score_counts` and `binned_scores` are given beside the frame and a score.
    file : Relation
        The files.
    asked : Asked
        What was asked of them.
    """

    frame: Any
    scores: Mapping[str, str]
    arguments: Mapping[str, Any]
    file: Relation
    asked: Asked

    @contextmanager
    def counting(self, progress: Progress = lambda _: None) -> Iterator[None]:
        """Where the engine runs; what it cannot use is told with its file and row."""
        asked, file = self.asked, self.file
        try:
            with running(file, asked, progress):
                yield
        except FileError:
            raise
        except CostspaceError as error:
            if isinstance(error, LabelError):
                is_positive(file, asked.label, asked.positive, lambda _: None, both=asked.both)
            refuse_cells(file, asked.scores, asked.weight)
            message = str(error)
            for here, name in asked.names().items():
                message = message.replace(repr(here), repr(name))
            raise type(error)(f"{file.path}: {message}") from None
        progress(1.0)


@contextmanager
def open_predictions(
    path: str | Path,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    by: Sequence[str] = (),
    positive: str | None = None,
    engine: Engine = "duckdb",
    both: bool = True,
    progress: Progress = lambda _: None,
) -> Iterator[Predictions]:
    """Open CSV or Parquet files for an engine to count the scores in them.

    Parameters
    ----------
    path, label, scores, weight, positive, progress
        As in `read_rows`.
    by : sequence of str
        Columns that name segments.
    engine : {"duckdb", "polars", "dask", "spark"}
        Dask and Spark read Parquet; Spark uses the session there is, or starts a local one.
    both : bool
        Whether both classes must occur.

    Raises
    ------
    FileError, LabelError
        As `read_rows`.
    ConditionError
        If there is no such engine.
    SourceError
        If a column cannot name segments.
    MissingExtraError
        If DuckDB, which looks at files first, or the engine is not installed.
    """
    if engine not in get_args(Engine):
        raise ConditionError(
            f"engine must be one of {', '.join(get_args(Engine))}, got {brief(engine)}."
        )
    check_once(scores, by)
    asked = Asked(label, tuple(scores), weight, tuple(by), positive, engine, both)
    with open_relation(Path(path), list(asked.names().values())) as file:
        for name in asked.names().values():
            file.column(name)
        for name in asked.numbers().values():
            number(file, name)
        for name in by:
            segment(file, name)
        refuse_tied(file, scores)
        with opened_by_engine(file, asked, progress) as frame:
            yield Predictions(
                frame,
                {name: f"score{i}" for i, name in enumerate(scores)},
                {
                    "label": "label",
                    "weight": None if weight is None else "weight",
                    "by": list(asked.segments()) or None,
                    # DuckDB has been told which labels are positive.
                    "pos_label": None if engine == "duckdb" else positive,
                },
                file,
                asked,
            )

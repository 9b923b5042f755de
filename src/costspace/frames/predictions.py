"""Predictions in files, opened for an engine that counts their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final, get_args

from costspace.arrays import Progress
from costspace.errors import ConditionError, CostspaceError, FileError, LabelError, brief
from costspace.frames.cells import is_positive, refuse_cells, segment, with_decisions
from costspace.frames.columns import Columns
from costspace.frames.engine_names import Engine
from costspace.frames.engines import opened_by_engine, running
from costspace.frames.numbers import number, with_clear_numbers
from costspace.frames.opened import check_once
from costspace.frames.relation import Relation, open_relation
from costspace.frames.same_rows import watched_rows


@final
@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions in files, to be counted by an engine."""

    frame: Any  # its columns have internal names
    scores: Mapping[str, str]  # for each column of scores its name in the frame
    arguments: Mapping[str, Any]  # further arguments of `score_counts` and `binned_scores`
    file: Relation  # the files
    columns: Columns  # which of their columns hold what
    by: Sequence[str]  # columns that name segments
    engine: Engine
    both: bool  # whether both classes must occur

    @contextmanager
    def counting(self, progress: Progress = lambda _: None) -> Iterator[None]:
        """A context in which the engine runs; errors name the file, and the row where possible."""
        columns, file = self.columns, self.file
        try:
            with running(self.engine, file, columns, progress), watched_rows():
                yield
        except FileError:
            raise
        except CostspaceError as error:
            if isinstance(error, LabelError):
                is_positive(file, columns.label, columns.positive, lambda _: None, both=self.both)
            refuse_cells(file, columns.scores, columns.weight)
            message = str(error)
            for here, name in columns.names(self.by).items():
                message = message.replace(repr(here), repr(name))
            raise type(error)(f"{file.path}: {message}") from None
        progress(1.0)


@contextmanager
def open_predictions(
    path: str | Path,
    columns: Columns,
    *,
    by: Sequence[str] = (),
    engine: Engine = "duckdb",
    both: bool = True,
    progress: Progress = lambda _: None,
) -> Iterator[Predictions]:
    """Open CSV or Parquet files for an engine to count the scores in them.

    Parameters
    ----------
    path, progress
        As in `read_rows`.
    columns : Columns
        Without `groups`, which counts do not keep.
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
        If DuckDB, which checks the files first, or the engine is not installed.
    """
    if engine not in get_args(Engine):
        raise ConditionError(
            f"engine must be one of {', '.join(get_args(Engine))}, got {brief(engine)}."
        )
    check_once(columns.scores, by)
    names = columns.names(by)
    with open_relation(Path(path), list(names.values())) as opened:
        opened.column(columns.label)
        for name in columns.numbers().values():
            number(opened, name)
        for name in by:
            segment(opened, name)
        file = with_clear_numbers(opened, columns.scores, columns.numbers().values())
        file = with_decisions(file, columns) if engine == "duckdb" else file
        with opened_by_engine(engine, file, columns, by, progress, both=both) as frame:
            yield Predictions(
                frame,
                {name: f"score{i}" for i, name in enumerate(columns.scores)},
                {
                    "label": "label",
                    "weight": None if columns.weight is None else "weight",
                    "by": [f"by{i}" for i in range(len(by))] or None,
                    # DuckDB's frame already says which labels are positive.
                    "pos_label": None if engine == "duckdb" else columns.positive,
                },
                file,
                columns,
                by,
                engine,
                both,
            )

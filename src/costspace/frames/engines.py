"""The requested columns of files, opened by an engine as its own kind of frame."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from glob import escape
from importlib import import_module
from typing import Any

from costspace.arrays import EXACT, Progress
from costspace.errors import (
    CostspaceError,
    FileError,
    MissingExtraError,
    ScoreError,
    WeightError,
    brief,
)
from costspace.frames.cells import parsed_labels, refuse_cells, segment
from costspace.frames.columns import Columns
from costspace.frames.dataframes import as_narwhals, nw
from costspace.frames.engine_names import Engine
from costspace.frames.formulas import element_of
from costspace.frames.numbers import TEXT, number
from costspace.frames.opened import made
from costspace.frames.operands import operands_in
from costspace.frames.paths import fixed_folder, partition_keys, short
from costspace.frames.relation import Relation

# How Spark reads files while it counts: folders name text, column names are case-sensitive, and
# unused columns may hold times in nanoseconds, which pandas writes.
_SPARK_READS = {
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.legacy.parquet.nanosAsLong": "true",
}
_MODULES = {"polars": "polars", "dask": "dask.dataframe", "spark": "pyspark.sql"}
_INSTALLED_BY = {
    "polars": "pip install polars",
    "dask": "pip install 'costspace[dask]'",
    "spark": "pip install 'costspace[spark]'",
}


def opened_by_engine(
    engine: Engine,
    file: Relation,
    columns: Columns,
    by: Sequence[str],
    progress: Progress,
    *,
    both: bool,
) -> AbstractContextManager[Any]:
    """The requested columns, under their names in the engine, as its own kind of frame."""
    opener = _OPENERS.get(engine)
    if opener is None:
        return _by_duckdb(file, columns, by, progress, both=both)
    if file.layout.widened:
        raise FileError(
            f"numbers have other types in some files of {file.path}, which --engine {engine} does "
            "not read: use duckdb, or write them alike."
        )
    _check_decisions(engine, file, columns)
    formulas = [file.formula(name) for name in columns.numbers().values()]
    operands = {own: _stored(file, own) for meant in formulas for own in meant.columns}
    lists = any(file.column(name).kind.endswith("]") for name in operands.values())
    if not lists and all(meant.plain for meant in formulas):
        return opener(file, columns, by)
    stored = list(dict.fromkeys(operands.values()))
    return _made(
        opener(file, replace(columns, scores=stored, weight=None), by), stored, columns, by
    )


def _stored(file: Relation, name: str) -> str:
    """The column that a name speaks of, or of an element of whose lists."""
    own, _ = element_of(name, [column.name for column in file.layout.columns]) or (name, None)
    return own


def _check_decisions(engine: Engine, file: Relation, columns: Columns) -> None:
    """`FileError` if decisions are in words, which only DuckDB reads."""
    name = columns.decisions
    if name is None or not (column := file.column(name)).kind.startswith(TEXT):
        return
    cell = f"trim(CAST({column.sql} AS VARCHAR))"
    worded = file.first(f"{cell} <> '' AND TRY_CAST({cell} AS DOUBLE) IS NULL", cell)
    if worded is not None:
        raise FileError(
            f"{worded.place}: column {name!r} has {brief(worded.cells[0])}, and --engine {engine} "
            "reads decisions as 0 and 1 alone: use duckdb, or write them so."
        )


@contextmanager
def _made(
    opened: AbstractContextManager[Any], stored: Sequence[str], columns: Columns, by: Sequence[str]
) -> Iterator[Any]:
    """The requested columns, of which the engine makes those of numbers from what is stored."""
    numbers = columns.numbers()
    errors: dict[str, type[CostspaceError]] = dict.fromkeys(numbers.values(), ScoreError)
    if columns.weight is not None:
        errors[columns.weight] = WeightError
    with opened as frame:
        known = {name: f"score{i}" for i, name in enumerate(stored)}
        found = operands_in(as_narwhals(frame), known, errors)
        kept = [here for here in columns.names(by) if here not in numbers]
        own = (made(found, n, "numbers", errors[n]).alias(here) for here, n in numbers.items())
        yield found.rows.select(*kept, *own).to_native()


def running(
    engine: Engine, file: Relation, columns: Columns, progress: Progress
) -> AbstractContextManager[None]:
    """A context in which the engine runs and its errors become `FileError`."""
    return file.watched(progress) if engine == "duckdb" else _complaints(engine, file, columns)


@contextmanager
def _by_duckdb(
    file: Relation, columns: Columns, by: Sequence[str], progress: Progress, *, both: bool
) -> Iterator[Any]:
    values = [file.column(columns.label).sql]
    values += [number(file, name).value for name in columns.numbers().values()]
    values += [segment(file, name) for name in by]
    source, is_one = parsed_labels(file, columns, values, progress, both=both)
    others = "".join(f", v{i} AS {here}" for i, here in enumerate(columns.names(by)) if i)
    with file.watched(lambda _: None):
        frame = file.connection.sql(
            f"SELECT CAST({is_one} AS TINYINT) AS label{others} FROM {source}"
        )
    yield frame


@contextmanager
def _by_polars(file: Relation, columns: Columns, by: Sequence[str]) -> Iterator[Any]:
    pl = _library("polars")
    layout = file.layout
    if layout.kind == "Parquet":
        folders = partition_keys(file.files) if layout.partitioned else ()
        frame = pl.scan_parquet(
            file.files,
            glob=False,
            hive_partitioning=layout.partitioned,
            hive_schema=dict.fromkeys(folders, pl.String) or None,
            extra_columns="ignore",
        )
    elif layout.partitioned and set(columns.names(by).values()) & set(partition_keys(file.files)):
        raise FileError(
            f"{file.path} is CSV in folders that name columns, which --engine polars cannot read: "
            "use duckdb."
        )
    else:
        # Polars and DuckDB read some headers differently, such as those with quotes in names.
        named = len(partition_keys(file.files)) if layout.partitioned else 0
        header = layout.columns[: len(layout.columns) - named]
        frame = pl.scan_csv(
            file.files,
            separator=layout.delimiter,
            has_header=False,
            skip_rows=layout.first,
            schema={column.sql: pl.String for column in header},
            glob=False,
        )
    # By name: a plain string could be taken for a pattern.
    by_name = import_module("polars.selectors").by_name
    cells = []
    for here, name in columns.names(by).items():
        column = file.column(name)
        cell = by_name(name if layout.kind == "Parquet" else column.sql)
        if column.kind.startswith(TEXT) and here in columns.numbers():
            text = cell.cast(pl.String).str.strip_chars()
            cell = _written(text.str.replace_all(",", ".", literal=True) if column.comma else text)
        cells.append(cell.alias(here))
    yield _with_filled_text(frame.select(cells), file, columns, by)


def _written(text: Any) -> Any:
    """A Polars column of text as numbers, null where `number` has NULL."""
    pl = import_module("polars")
    parsed = text.cast(pl.Float64, strict=False)
    overflows = parsed.is_infinite() & ~text.str.to_lowercase().str.contains("inf", literal=True)
    whole = text.str.contains("^[-+]?[0-9]+$") & (text.str.strip_chars_start("-+0") != str(EXACT))
    vanishes = (parsed == 0) & text.str.contains("^[-+]?[0.]*[1-9]")
    return pl.when(~overflows & ~vanishes & ~(whole & (parsed.abs() >= EXACT))).then(parsed)


@contextmanager
def _by_dask(file: Relation, columns: Columns, by: Sequence[str]) -> Iterator[Any]:
    dask = _library("dask")
    names = _names_in_parquet("dask", file, columns, by)
    arrow = import_module("pyarrow")
    folders = arrow.schema([(key, arrow.string()) for key in partition_keys(file.files)])
    parts = {"partitioning": {"flavor": "hive", "schema": folders}}
    paths = [escape(str(path)) for path in file.files]
    with _complaints("dask", file, columns):
        frame = dask.read_parquet(paths, dataset=parts if file.layout.partitioned else {})
        found = frame[list(dict.fromkeys(names.values()))]
        found = found.assign(**{here: frame[name] for here, name in names.items()})[list(names)]
        found = _with_filled_text(found, file, columns, by)
    yield found


@contextmanager
def _by_spark(file: Relation, columns: Columns, by: Sequence[str]) -> Iterator[Any]:
    library = _library("spark")
    names = _names_in_parquet("spark", file, columns, by)
    for name in names.values():
        if file.column(name).kind == "TIMESTAMP_NS":
            raise FileError(
                f"column {name!r} of {file.path} has times in nanoseconds, which --engine spark "
                "cannot read: use duckdb or polars."
            )
    session = library.SparkSession.getActiveSession()
    started = None
    if session is None:
        # Workers must run the same Python as this process.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = library.SparkSession.builder.master("local[*]").appName("costspace")
        session = started = builder.config("spark.ui.enabled", "false").getOrCreate()
    # Hadoop takes these characters for patterns.
    paths = [re.sub(r"([\\{}\[\]*?,])", r"\\\1", str(path.absolute())) for path in file.files]
    usual = {key: session.conf.get(key) for key in _SPARK_READS}
    try:
        with _complaints("spark", file, columns):
            for key, value in _SPARK_READS.items():
                session.conf.set(key, value)
            frame = session.read.option("basePath", str(fixed_folder(file.files))).parquet(*paths)
            cells = [
                frame[f"`{name.replace('`', '``')}`"].alias(here) for here, name in names.items()
            ]
            found = _with_filled_text(frame.select(cells), file, columns, by)
        yield found
    finally:
        for key, value in usual.items():
            session.conf.set(key, value)
        if started is not None:
            started.stop()


_OPENERS = {"polars": _by_polars, "dask": _by_dask, "spark": _by_spark}


def _with_filled_text(frame: Any, file: Relation, columns: Columns, by: Sequence[str]) -> Any:
    """A frame whose text has no spaces around it, and is null where it is empty.

    This is how DuckDB reads files.
    """
    filled = []
    for here, name in columns.names(by).items():
        if here not in columns.numbers() and file.column(name).kind.startswith(TEXT):
            text = nw.col(here).cast(nw.String()).str.strip_chars(" ")
            filled.append(nw.when(text != "").then(text).alias(here))
    return as_narwhals(frame).with_columns(*filled).to_native() if filled else frame


def _library(engine: str) -> Any:
    try:
        return import_module(_MODULES[engine])
    except ImportError:
        raise MissingExtraError(
            f"--engine {engine} needs its library: {_INSTALLED_BY[engine]}."
        ) from None


def _names_in_parquet(
    engine: Engine, file: Relation, columns: Columns, by: Sequence[str]
) -> dict[str, str]:
    """The names of the columns, of Parquet where scores and weights are numbers."""
    if file.layout.kind != "Parquet":
        raise FileError(
            f"{file.path} is CSV, and --engine {engine} reads Parquet: use duckdb or polars."
        )
    for name in columns.numbers().values():
        if file.column(name).kind.startswith(TEXT):
            raise FileError(
                f"column {name!r} of {file.path} is text, which --engine {engine} cannot read "
                "as numbers: use duckdb or polars."
            )
    return columns.names(by)


@contextmanager
def _complaints(engine: Engine, file: Relation, columns: Columns) -> Iterator[None]:
    """A context in which another engine's errors become `FileError`, and so do changes of files."""
    try:
        yield
        file.stamps.check()
    except CostspaceError:
        raise
    except Exception as error:  # noqa: BLE001 - engines share no class of errors
        # If a cell is to blame, DuckDB's check names its file and row.
        refuse_cells(file, columns.scores, columns.weight)
        reason = short(" ".join(str(error).split()), 300)
        raise FileError(f"--engine {engine} cannot read {file.path}: {reason}") from None

"""The columns of files that are asked about, opened by an engine as its own kind of frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from glob import escape
from importlib import import_module
from typing import Any, Literal, TypeAlias, final

from costspace.arrays import EXACT, Progress
from costspace.errors import CostspaceError, FileError, MissingExtraError
from costspace.frames.cells import is_positive, refuse_cells, segment
from costspace.frames.numbers import TEXT, number
from costspace.frames.opened import as_narwhals
from costspace.frames.paths import fixed_folder, partition_keys, short
from costspace.frames.relation import Relation

Engine: TypeAlias = Literal["duckdb", "polars", "dask", "spark"]

# How Spark reads files while it counts: folders name text, names that differ in case differ, and
# times in nanoseconds, which pandas writes, may be there if nothing is asked of them.
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


@final
@dataclass(frozen=True)
class Asked:
    """Which columns of files are asked about, and by which engine."""

    label: str
    scores: tuple[str, ...]
    weight: str | None
    by: tuple[str, ...]
    positive: str | None
    engine: Engine
    both: bool

    def names(self) -> dict[str, str]:
        """For each name of a column in the engine that in the files."""
        return {"label": self.label, **self.numbers(), **self.segments()}

    def numbers(self) -> dict[str, str]:
        """The same of scores and weights."""
        numbers = {f"score{i}": name for i, name in enumerate(self.scores)}
        return numbers if self.weight is None else {**numbers, "weight": self.weight}

    def segments(self) -> dict[str, str]:
        """The same of columns that name segments."""
        return {f"by{i}": name for i, name in enumerate(self.by)}


def opened_by_engine(
    file: Relation, asked: Asked, progress: Progress
) -> AbstractContextManager[Any]:
    """The columns asked about, under their names in the engine, as its own kind of frame."""
    opener = _OPENERS.get(asked.engine)
    return opener(file, asked) if opener else _by_duckdb(file, asked, progress)


def running(file: Relation, asked: Asked, progress: Progress) -> AbstractContextManager[None]:
    """Where the engine runs: what it complains about becomes `FileError`."""
    return file.watched(progress) if asked.engine == "duckdb" else _complaints(asked, file)


@contextmanager
def _by_duckdb(file: Relation, asked: Asked, progress: Progress) -> Iterator[Any]:
    values = [file.column(asked.label).sql]
    values += [number(file, name).value for name in asked.numbers().values()]
    values += [segment(file, name) for name in asked.by]
    source = file.parsed(values, lambda done: progress(done / 2))
    is_one = is_positive(
        file,
        asked.label,
        asked.positive,
        lambda done: progress((1 + done) / 2),
        source=source,
        value="v0",
        both=asked.both,
    )
    others = "".join(f", v{i} AS {here}" for i, here in enumerate(asked.names()) if i)
    with file.watched(lambda _: None):
        frame = file.connection.sql(
            f"SELECT CAST({is_one} AS TINYINT) AS label{others} FROM {source}"
        )
    yield frame


@contextmanager
def _by_polars(file: Relation, asked: Asked) -> Iterator[Any]:
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
    elif layout.partitioned and set(asked.names().values()) & set(partition_keys(file.files)):
        raise FileError(
            f"{file.path} is CSV in folders that name columns: --engine duckdb reads them."
        )
    else:
        # Polars and DuckDB read some headers differently, such as those with quotes in names.
        named = len(partition_keys(file.files)) if layout.partitioned else 0
        header = layout.columns[: len(layout.columns) - named]
        frame = pl.scan_csv(
            file.files,
            separator=layout.delimiter,
            has_header=False,
            skip_rows=1,
            schema={column.sql: pl.String for column in header},
            glob=False,
        )
    # By a name and no pattern.
    by_name = import_module("polars.selectors").by_name
    columns = []
    for here, name in asked.names().items():
        column = file.column(name)
        cell = by_name(name if layout.kind == "Parquet" else column.sql)
        if column.kind.startswith(TEXT) and here in asked.numbers():
            cell = _written(cell.cast(pl.String).str.strip_chars())
        columns.append(cell.alias(here))
    yield _with_filled_text(frame.select(columns), file, asked)


def _written(text: Any) -> Any:
    """Text of Polars as numbers, null where `number` has NULL."""
    pl = import_module("polars")
    parsed = text.cast(pl.Float64, strict=False)
    overflows = parsed.is_infinite() & ~text.str.to_lowercase().str.contains("inf", literal=True)
    whole = text.str.contains("^[-+]?[0-9]+$") & (text.str.strip_chars_start("-+0") != str(EXACT))
    vanishes = (parsed == 0) & text.str.contains("^[-+]?[0.]*[1-9]")
    return pl.when(~overflows & ~vanishes & ~(whole & (parsed.abs() >= EXACT))).then(parsed)


@contextmanager
def _by_dask(file: Relation, asked: Asked) -> Iterator[Any]:
    dask = _library("dask")
    names = _names_in_parquet(file, asked)
    arrow = import_module("pyarrow")
    folders = arrow.schema([(key, arrow.string()) for key in partition_keys(file.files)])
    parts = {"partitioning": {"flavor": "hive", "schema": folders}}
    paths = [escape(str(path)) for path in file.files]
    with _complaints(asked, file):
        frame = dask.read_parquet(paths, dataset=parts if file.layout.partitioned else {})
        found = frame[list(dict.fromkeys(names.values()))]
        found = found.assign(**{here: frame[name] for here, name in names.items()})[list(names)]
        found = _with_filled_text(found, file, asked)
    yield found


@contextmanager
def _by_spark(file: Relation, asked: Asked) -> Iterator[Any]:
    library = _library("spark")
    names = _names_in_parquet(file, asked)
    for name in names.values():
        if file.column(name).kind == "TIMESTAMP_NS":
            raise FileError(
                f"column {name!r} of {file.path} has times in nanoseconds, which --engine spark "
                "cannot read: use duckdb or polars."
            )
    session = library.SparkSession.getActiveSession()
    started = None
    if session is None:
        builder = library.SparkSession.builder.master("local[*]").appName("costspace")
        session = started = builder.config("spark.ui.enabled", "false").getOrCreate()
    # Hadoop takes these for patterns.
    paths = [re.sub(r"([\\{}\[\]*?,])", r"\\\1", str(path.absolute())) for path in file.files]
    usual = {key: session.conf.get(key) for key in _SPARK_READS}
    try:
        with _complaints(asked, file):
            for key, value in _SPARK_READS.items():
                session.conf.set(key, value)
            frame = session.read.option("basePath", str(fixed_folder(file.files))).parquet(*paths)
            columns = [
                frame[f"`{name.replace('`', '``')}`"].alias(here) for here, name in names.items()
            ]
            found = _with_filled_text(frame.select(columns), file, asked)
        yield found
    finally:
        for key, value in usual.items():
            session.conf.set(key, value)
        if started is not None:
            started.stop()


_OPENERS = {"polars": _by_polars, "dask": _by_dask, "spark": _by_spark}


def _with_filled_text(frame: Any, file: Relation, asked: Asked) -> Any:
    """A frame whose text has no spaces around it, and is missing where it is empty.

    DuckDB reads files so.
    """
    import narwhals as nw

    columns = []
    for here, name in asked.names().items():
        if here not in asked.numbers() and file.column(name).kind.startswith(TEXT):
            text = nw.col(here).cast(nw.String()).str.strip_chars(" ")
            columns.append(nw.when(text != "").then(text).alias(here))
    return as_narwhals(frame).with_columns(*columns).to_native() if columns else frame


def _library(engine: str) -> Any:
    try:
        return import_module(_MODULES[engine])
    except ImportError:
        raise MissingExtraError(
            f"--engine {engine} needs its library: {_INSTALLED_BY[engine]}."
        ) from None


def _names_in_parquet(file: Relation, asked: Asked) -> dict[str, str]:
    """The names of the columns, of Parquet where scores and weights are numbers."""
    if file.layout.kind != "Parquet":
        raise FileError(
            f"{file.path} is CSV, and --engine {asked.engine} reads Parquet: use duckdb or polars."
        )
    for name in asked.numbers().values():
        if file.column(name).kind.startswith(TEXT):
            raise FileError(
                f"column {name!r} of {file.path} is text, in which --engine {asked.engine} looks "
                "for no numbers: use duckdb or polars."
            )
    return asked.names()


@contextmanager
def _complaints(asked: Asked, file: Relation) -> Iterator[None]:
    """Where what another engine complains about becomes `FileError`."""
    try:
        yield
    except CostspaceError:
        raise
    except Exception as error:  # noqa: BLE001 - engines share no class of errors
        # What DuckDB finds wrong too is told in its words.
        refuse_cells(file, asked.scores, asked.weight)
        reason = short(" ".join(str(error).split()), 300)
        raise FileError(f"--engine {asked.engine} cannot read {file.path}: {reason}") from None

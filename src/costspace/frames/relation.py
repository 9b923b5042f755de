"""CSV or Parquet files as a relation that DuckDB can query, out of core."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import Progress
from costspace.errors import FileError, MissingExtraError
from costspace.frames.columns import Columns
from costspace.frames.complaints import complaining
from costspace.frames.formulas import (
    Formula,
    check_element,
    element_of,
    formula_of,
    no_lists,
    possible_columns,
)
from costspace.frames.layout import (
    SAVED,
    Column,
    Layout,
    identifier,
    layout_of,
    quoted,
    quoted_paths,
)
from costspace.frames.memory import memory_for_rows
from costspace.frames.paths import files_of, no_column
from costspace.frames.patterns import is_pattern
from costspace.frames.scratch import scratch
from costspace.frames.unchanged import Stamps, stamps_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

_POLL_SECONDS = 0.1
# Rows in one batch.
_BATCH = 1 << 18
# A name that no column is likely to have.
_SOURCE = "costspace: read from"
# The most memory that DuckDB may take; it spills the rest to disk. The process itself needs
# memory for the results.
_MOST_MEMORY = 2**31


@final
@dataclass(frozen=True)
class Occurrence:
    """The rows for which some SQL is true."""

    place: str  # the file and the number of the first
    cells: list[Any]  # the values of further SQL in that row
    rows: int  # how many there are in all files


@final
@dataclass(frozen=True, eq=False)
class Relation:
    """Files that DuckDB can query as one table."""

    connection: DuckDBPyConnection
    path: Path  # what was asked for: a file, a glob or a folder
    files: list[Path]  # the files that it means, in the order in which they are read
    layout: Layout  # how they are read, and which columns they have
    folder: Path  # a folder for what does not fit in memory, removed when the relation is closed
    stamps: Stamps  # the files as they were when the relation was opened
    # SQL for what is read as numbers of a column, if it is not the column.
    read_as: Mapping[str, str] = field(default_factory=dict)

    @property
    def sql(self) -> str:
        """The SQL that reads all files."""
        return self.layout.reading(self.files)

    def column(self, name: str) -> Column:
        """The column of a name, or `FileError` with the names that are near."""
        columns = self.layout.columns
        names = [column.name for column in columns]
        own = name if name in names else name.strip()
        found = [column for column in columns if column.name == own]
        if len(found) == 1:
            return found[0]
        if found:
            raise FileError(f"{self.path} has {len(found)} columns {name!r}: rename all but one.")
        if self._is_saved():
            raise FileError(
                f"{self.path} is a saved table, which has counts and no column {name!r}: name "
                "the file of predictions that it was made from, or leave out --label to evaluate "
                "or decide on the table."
            )
        raise no_column(self.path, name, names)

    def formula(self, name: str) -> Formula:
        """What a name of numbers means here, or `FileError` if a column of it is missing."""
        names = {column.name for column in self.layout.columns}
        found = formula_of(name, lambda own: own in names or element_of(own, names) is not None)
        for own in found.columns:
            self.numbers(own)
        return found

    def numbers(self, name: str) -> Column:
        """A column of numbers: of lists an element, of decisions in words 1 and 0."""
        names = [column.name for column in self.layout.columns]
        found = element_of(name, names)
        column = self.column(name if found is None else found[0])
        if column.kind.endswith("]"):
            return self._element(column, name, None if found is None else found[1])
        if found is not None:
            raise no_lists(f"column {column.name!r} of {self.path}", column.kind, name)
        return replace(column, sql=self.read_as.get(name, column.sql))

    def _element(self, column: Column, name: str, place: int | None) -> Column:
        """An element of lists that are all equally long, the only one by default."""
        first = self.rows(
            f"SELECT len({column.sql}) FROM {self.sql} WHERE {column.sql} IS NOT NULL LIMIT 1"
        )
        size = first[0][0] if first else 1
        check_element(f"column {column.name!r} of {self.path}", size, column.name, place)
        chosen = f"list_extract({column.sql}, {(place or 0) + 1})"
        sql = f"CASE WHEN len({column.sql}) = {size} THEN {chosen} END"
        return Column(name, sql, column.kind[: column.kind.rindex("[")])

    def _is_saved(self) -> bool:
        """Whether the first file says of itself that it is a saved table."""
        if self.layout.kind != "Parquet":
            return False
        pairs = f"parquet_kv_metadata({quoted_paths(self.files[:1])})"
        return bool(self.rows(f"SELECT 1 FROM {pairs} WHERE decode(key) = {quoted(SAVED)}"))

    @property
    def numbering(self) -> str:
        """How rows are numbered, to end a message with; empty for Parquet, where it is clear."""
        return " Row 1 follows the header." if self.layout.kind == "CSV" else ""

    def fetch(self, expressions: Sequence[str], progress: Progress) -> list[Any]:
        """The values of SQL expressions (v0, v1, ...) over all rows, in the order of the files."""
        with self.watched(progress):
            found = self.connection.execute(self._select(expressions)).fetchnumpy()
        return [found[f"v{i}"] for i in range(len(expressions))]

    def parsed(self, expressions: Sequence[str], progress: Progress) -> str:
        """SQL that reads the values of SQL expressions (v0, v1, ...), cheap to repeat.

        Cells of CSV are parsed once, into a table on disk.
        """
        query = self._select(expressions)
        if self.layout.kind == "Parquet":
            return f"({query})"
        with self.watched(progress):
            self.connection.execute(f"ATTACH {quoted(str(self.folder / 'parsed'))} AS parsed")
            self.connection.execute(f"CREATE TABLE parsed.cells AS {query}")
        return "parsed.cells"

    def _select(self, expressions: Sequence[str]) -> str:
        named = ", ".join(f"{sql} AS v{i}" for i, sql in enumerate(expressions))
        return f"SELECT {named} FROM {self.sql}"

    def first(self, condition: str, *values: str) -> Occurrence | None:
        """The first row for which some SQL is true, with the values of further SQL there."""
        # Aggregates instead of WHERE: with WHERE, DuckDB would skip rows that a file's statistics
        # rule out, and those ignore NaN.
        source = self.layout.reading(self.files, f", filename = {quoted(_SOURCE)}")
        name = identifier(_SOURCE)
        query = f"SELECT {name}, count_if({condition}) FROM {source} GROUP BY {name}"
        found = {os.path.realpath(name): rows for name, rows in self.rows(query) if rows}
        for file in self.files:
            if os.path.realpath(file) in found:
                source = self.layout.reading([file])
                places = (
                    f"SELECT row_number() OVER () AS place, {condition} AS chosen FROM {source}"
                )
                ((row,),) = self.rows(f"SELECT min(place) FILTER (chosen) FROM ({places})")
                query = f"SELECT {', '.join(['0', *values])} FROM {source} LIMIT 1 OFFSET {row - 1}"
                ((_, *cells),) = self.rows(query)
                return Occurrence(f"{file}, row {row}", cells, sum(found.values()))
        return None

    def scanned(self, values: str) -> tuple[Relation, tuple[Any, ...]]:
        """The values of SQL aggregates over all rows; and the files as they are to be read."""
        try:
            return self, self.rows(f"SELECT {values} FROM {self.sql}")[0]
        except FileError:
            serial = replace(self, layout=self.layout.serial)
            # One thread would leave out a last row whose quote is not closed.
            rows = [self.layout.strict_rows(file) for file in self.files]
            if None in rows:
                raise
            count, *found = serial.rows(f"SELECT count(*), {values} FROM {serial.sql}")[0]
            if count != sum(filter(None, rows)):
                raise
            return serial, tuple(found)

    def rows(self, query: str) -> list[Any]:
        """The rows that a query gives."""
        found = _rows(self.connection, query, self.path)
        self.stamps.check()
        return found

    @contextmanager
    def watched(self, progress: Progress, output: Path | None = None) -> Iterator[None]:
        """Report the progress of queries while they run; DuckDB's errors become `FileError`.

        So does a change of the files. An `output` is what the queries write.
        """
        with complaining(self.path, output=output), _reported(self.connection, progress):
            yield
        self.stamps.check()


@contextmanager
def open_relation(path: Path, wanted: Sequence[str], *, every: bool = False) -> Iterator[Relation]:
    """Open a file, a glob or a folder for queries, or raise `FileError` with the reason.

    All files must have the wanted columns, or those that the names of numbers speak of. None may be
    damaged, as far as it says so, where `every` column is read or else the wanted ones are; none
    may change while it is open.
    """
    files, known = files_of(path), {own for name in wanted for own in possible_columns(name)}
    stamps = stamps_of(files)
    with stamps.blaming(), scratch() as folder, connected(folder) as connection:
        with complaining(path):
            layout = layout_of(
                files, sorted(known), lambda query: _rows(connection, query, path), every=every
            )
        yield Relation(connection, path, files, layout, folder, stamps)


def columns_among(path: Path, columns: Columns, others: Sequence[str]) -> Columns:
    """The columns of files with those that patterns of scores match, none of `others`."""
    if not any(map(is_pattern, columns.scores)):
        return columns
    with open_relation(path, [columns.label, *others]) as file:
        known = [column.name for column in file.layout.columns]
    return columns.chosen_among(known, others, path)


@contextmanager
def connected(folder: Path | None = None) -> Iterator[DuckDBPyConnection]:
    """DuckDB in memory, without network access; data too large for memory go to a folder."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtraError(
            "reading files needs DuckDB: pip install 'costspace[cli]'."
        ) from None
    # No file may make DuckDB fetch anything from elsewhere.
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": f"{min(memory_for_rows(), _MOST_MEMORY) // 2**20}MiB",
    }
    if folder is not None:
        settings["temp_directory"] = str(folder)
    with ExitStack() as opened:
        with complaining(Path("DuckDB"), "start"):
            connection = opened.enter_context(duckdb.connect(config=settings))
            # DuckDB reports progress only with a progress bar, printed or not. In a notebook
            # without ipywidgets it refuses to have one.
            with suppress(duckdb.InvalidInputException):
                connection.execute("SET enable_progress_bar = true")
                connection.execute("SET enable_progress_bar_print = false")
                connection.execute("SET progress_bar_time = 0")
            # It would rule out values by the statistics in Parquet files, which ignore NaN.
            connection.execute("SET disabled_optimizers = 'statistics_propagation'")
        yield connection


def arrays(
    rows: DuckDBPyRelation, numbered: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[dict[str, NDArray[Any]]]:
    """The columns of rows by name, batch by batch.

    Instead of its values a column has the number of each among those of Arrow that it is `numbered`
    by.
    """
    for batch in rows.to_arrow_reader(_BATCH):
        columns = zip(batch.schema.names, batch.columns, strict=True)
        yield {name: _array(column, numbered.get(name)) for name, column in columns}


def _array(column: Any, values: Any = None) -> NDArray[Any]:
    """A column of Arrow as an array, NaN where a number is missing."""
    if values is not None:
        column = import_module("pyarrow.compute").index_in(column, value_set=values)
    if column.null_count:
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype=float)
    return np.from_dlpack(column)


def _rows(connection: DuckDBPyConnection, query: str, path: Path) -> list[Any]:
    """The rows that a query over files gives; DuckDB's errors become `FileError`."""
    with complaining(path):
        return connection.execute(query).fetchall()


@contextmanager
def _reported(connection: DuckDBPyConnection, progress: Progress) -> Iterator[None]:
    """Call `progress` with the share of a query done while it runs."""
    done = threading.Event()

    def poll() -> None:
        while not done.wait(_POLL_SECONDS):
            progress(max(connection.query_progress(), 0.0) / 100)

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    progress(1.0)

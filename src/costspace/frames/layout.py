"""What kind of files are read together, and which columns they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from glob import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, final

from costspace.errors import FileError
from costspace.frames.headers import header_of, lines_of, strict_rows
from costspace.frames.intact import check_intact
from costspace.frames.paths import listed, partition_keys, start_of
from costspace.frames.signatures import Kind, kind_of
from costspace.frames.widened import common_type, in_common, united

# How a CSV file is read: only the delimiter is guessed, from the header. Every cell is read as
# text, so that an error can name the row of a cell that is not a number.
_CSV = "auto_detect = false, header = true, quote = '\"', escape = '\"', comment = ''"
_PARALLEL = "parallel = true"
_PACKED = {"gzip": "gzip", "zstd": "zstd"}
# The key in a Parquet footer for the description of a saved table.
SAVED = "costspace"


Query = Callable[[str], list[Any]]


@final
@dataclass(frozen=True)
class Column:
    """A column: its name in the file, and its name and type in SQL."""

    name: str
    sql: str
    kind: str
    comma: bool = False  # whether a comma may stand for a decimal point


@final
@dataclass(frozen=True)
class Layout:
    """How DuckDB reads files of one kind."""

    kind: Literal["Parquet", "CSV"]
    options: str  # the options of DuckDB's reader, in SQL
    columns: tuple[Column, ...]
    delimiter: str  # between the cells of CSV, empty for Parquet
    partitioned: bool  # whether folders name columns, as ``day=2024-05-01`` does
    first: int = 0  # the lines of CSV before the first row, if names have no line breaks
    packed: Kind = "CSV"  # how files of CSV are packed, if so
    # For files of Parquet with other types of numbers the SQL for columns, by their names in SQL.
    widened: Mapping[Path, Mapping[str, str]] = field(default_factory=dict)

    @property
    def serial(self) -> Layout:
        """The same for one thread: several can take cells with line breaks for rows."""
        return replace(self, options=self.options.replace(_PARALLEL, "parallel = false"))

    def strict_rows(self, file: Path) -> int | None:
        """How many rows a file of CSV has, None if it is none that all programs read alike."""
        width = sum(column.sql == f"c{i}" for i, column in enumerate(self.columns))
        skipped = self.first - 1
        return strict_rows(partial(lines_of, file, self.packed), self.delimiter, skipped, width)

    def reading(self, files: Sequence[Path], more: str = "") -> str:
        """The SQL that reads files, with more options if need be."""
        reader = "read_parquet" if self.kind == "Parquet" else "read_csv"
        parts = [
            (f"{reader}([{quoted_paths(list(some))}], {self.options}{more})", columns)
            for columns, some in groupby(files, key=lambda file: self.widened.get(file, {}))
        ]
        return united(parts) if self.widened else parts[0][0]


def layout_of(
    files: Sequence[Path], wanted: Sequence[str], query: Query, *, every: bool = False
) -> Layout:
    """The layout that all the files have, or `FileError`, also if one of them is damaged.

    Wanted columns must have the same type in all files; other columns of Parquet may differ, and be
    damaged unless `every` column will be read.
    """
    kinds = [kind_of(file, start_of(file)) for file in files]
    for file, kind in zip(files, kinds, strict=True):
        if kind != kinds[0]:
            raise FileError(
                f"{file} is {kind} and {files[0]} is {kinds[0]}: files read together need the same."
            )
    check_intact(files, kinds[0], None if every else wanted)
    if kinds[0] == "Parquet":
        return _parquet_layout(files, wanted, query)
    return _csv_layout(files, wanted, kinds[0])


def _parquet_layout(files: Sequence[Path], wanted: Sequence[str], query: Query) -> Layout:
    schemas = _parquet_schemas(files, query)
    header = [name for name, _ in schemas[0]]
    partitioned = _is_partitioned(files, header)
    options = f"hive_partitioning = {partitioned}, hive_types_autocast = false"
    columns = _described(header, files[0], options, query)
    described = {files[0]: columns}
    for file, schema in zip(files, schemas, strict=True):
        if schema != schemas[0]:
            # The same type can be written in more than one way.
            described[file] = _described([name for name, _ in schema], file, options, query)
            _check_alike(wanted, (files[0], columns), (file, described[file]))
    kinds = {name: _kinds(name, described.values()) for name in wanted}
    common = {name: common_type(of_name) for name, of_name in kinds.items() if len(of_name) > 1}
    if not common:
        return Layout("Parquet", options, columns, "", partitioned)
    # Files that are not described are like the first.
    widened = {
        file: {
            column.sql: in_common(column.sql, column.kind, str(common[column.name]))
            for column in described.get(file, columns)
            if column.kind != common.get(column.name, column.kind)
        }
        for file in files
    }
    columns = tuple(replace(c, kind=str(common.get(c.name, c.kind))) for c in columns)
    return Layout("Parquet", options, columns, "", partitioned, widened=widened)


def _kinds(name: str, of_files: Iterable[Sequence[Column]]) -> set[str]:
    return {column.kind for columns in of_files for column in columns if column.name == name}


def _described(header: list[str], file: Path, options: str, query: Query) -> tuple[Column, ...]:
    """The columns of a Parquet file, and those that its folders name."""
    described = query(f"DESCRIBE SELECT * FROM read_parquet([{quoted_paths([file])}], {options})")
    # DuckDB renames columns that differ only in case, so names come from the file.
    names = [*header, *(name for name, *_ in described[len(header) :])]
    return tuple(
        Column(own, identifier(renamed), kind, kind == "VARCHAR")
        for own, (renamed, kind, *_) in zip(names, described, strict=True)
    )


def _check_alike(wanted: Sequence[str], *sides: tuple[Path, Sequence[Column]]) -> None:
    """`FileError` unless the wanted columns of two files are the same, or numbers in both."""
    (one, first), (other, second) = sides
    for name in wanted:
        kinds, others = ([c.kind for c in columns if c.name == name] for columns in (first, second))
        if bool(kinds) != bool(others):
            lacks, has = (other, one) if kinds else (one, other)
            raise FileError(
                f"{lacks} has no column {name!r}, which {has} has: files read together need the "
                "same columns."
            )
        if kinds != others and common_type([*kinds, *others]) is None:
            raise FileError(
                f"column {name!r} has type {', '.join(others)} in {other} and {', '.join(kinds)} "
                f"in {one}: files read together need the same."
            )


def _parquet_schemas(files: Sequence[Path], query: Query) -> list[list[tuple[str, list[Any]]]]:
    """For each file the names of its top-level columns, and all that determines their types."""
    elements = query(
        "SELECT file_name, name, num_children, type, converted_type, logical_type, scale, "
        f"precision FROM parquet_schema([{quoted_paths(files)}])"
    )
    schemas = []
    for _, of_file in groupby(elements, key=lambda element: element[0]):
        (_, _, count, *_), *inner = of_file
        columns: list[tuple[str, list[Any]]] = []
        inside = 0
        for _, name, children, *kind in inner:
            if inside == 0:
                columns.append((name, []))
            else:
                inside -= 1
            columns[-1][1].append((children, *kind))
            inside += children or 0
        schemas.append(columns[:count])
    return schemas


def _csv_layout(files: Sequence[Path], wanted: Sequence[str], kind: Kind) -> Layout:
    found = [header_of(file, wanted, partial(lines_of, file, kind)) for file in files]
    first, delimiter = found[0], found[0].delimiter
    for file, header in zip(files, found, strict=True):
        if header != first:
            raise FileError(
                f"{file} has the header {listed(header.names)} and {files[0]} has "
                f"{listed(first.names)}: CSV files read together need the same columns in the same "
                "order, divided alike."
            )
    partitioned = _is_partitioned(files, first.names)
    comma = delimiter != ","
    columns = [Column(own, f"c{i}", "VARCHAR", comma) for i, own in enumerate(first.names)]
    types = ", ".join(f"{column.sql}: 'VARCHAR'" for column in columns)
    packed = "none" if kind == "CSV" else kind
    options = (
        f"delim = {quoted(delimiter)}, columns = {{{types}}}, {_CSV}, skip = {first.skipped}, "
        f"{_PARALLEL}, compression = '{packed}', "
        f"hive_partitioning = {partitioned}, hive_types_autocast = false"
    )
    if partitioned:
        columns += [Column(key, identifier(key), "VARCHAR") for key in partition_keys(files)]
    return Layout("CSV", options, tuple(columns), delimiter, partitioned, first.skipped + 1, kind)


def _is_partitioned(files: Sequence[Path], header: Sequence[str]) -> bool:
    """Whether folders name columns that the files do not have themselves."""
    return not {key.casefold() for key in partition_keys(files)} <= {h.casefold() for h in header}


def quoted_paths(files: Sequence[Path]) -> str:
    """Paths as SQL literals."""
    # Absolute, or DuckDB would take a leading ~ for the home directory.
    return ", ".join(quoted(escape(str(file.absolute()))) for file in files)


def identifier(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"

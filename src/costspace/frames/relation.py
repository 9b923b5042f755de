"""A CSV or Parquet file as a relation that DuckDB can query."""

from __future__ import annotations

import csv
import gzip
import re
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from glob import escape
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from costspace.errors import FileError, MissingExtraError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# How a CSV file is read: nothing but the delimiter is guessed, and that from the header. Every
# cell comes as text, so that one that is no number is found wherever it stands.
_CSV = "auto_detect = false, header = true, quote = '\"', escape = '\"', comment = '', skip = 0"
_DELIMITERS = ",;\t|"
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_POLL_SECONDS = 0.1
# Where the cause ends in DuckDB's messages and long advice on its own options begins.
_ADVICE = ("Possible", "LINE ", "The search space")

Progress = Callable[[float], None]


@final
@dataclass(frozen=True)
class Column:
    """A column: its name in the file, and its name and type in SQL."""

    name: str
    sql: str
    kind: str


@final
@dataclass(frozen=True, eq=False)
class Relation:
    """A file that DuckDB can query.

    Attributes
    ----------
    connection : DuckDBPyConnection
    path : Path
    sql : str
        The SQL that reads the file.
    columns : list of Column
    """

    connection: DuckDBPyConnection
    path: Path
    sql: str
    columns: list[Column]

    def column(self, name: str) -> Column:
        """The column of a name, or `FileError` with the names that are near."""
        found = [column for column in self.columns if column.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise FileError(f"{self.path} has {len(found)} columns {name!r}: rename all but one.")
        names = [column.name for column in self.columns]
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"did you mean {listed(near)}?" if near else f"it has {listed(names)}."
        raise FileError(f"{self.path} has no column {name!r}: {hint}")

    def fetch(self, expressions: Sequence[str], progress: Progress, clauses: str = "") -> list[Any]:
        """The values of SQL expressions (v0, v1, ...) over all rows, in the order of the file."""
        named = ", ".join(f"{sql} AS v{i}" for i, sql in enumerate(expressions))
        with _reported(self.connection, progress):
            found = self.run(f"SELECT {named} FROM {self.sql} {clauses}").fetchnumpy()
        return [found[f"v{i}"] for i in range(len(expressions))]

    def run(self, query: str) -> Any:
        """Run SQL over the file; DuckDB's complaints become `FileError`."""
        return _run(self.connection, query, self.path)


@contextmanager
def open_relation(path: Path, wanted: Sequence[str]) -> Iterator[Relation]:
    """Open a file for queries, or raise `FileError` saying why it is none to read."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(
            "reading files needs DuckDB: pip install 'costspace[cli]'."
        ) from None
    start = first_bytes(path)
    # Nothing may be fetched from elsewhere, whatever the file claims to be.
    offline: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    with duckdb.connect(config=offline) as connection:
        # DuckDB tells how far a query is only if it keeps a bar, printed or not.
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")
        connection.execute("SET progress_bar_time = 0")
        # Absolute, or DuckDB would take a leading ~ for a home.
        name = quoted(escape(str(path.absolute())))
        if start.startswith(_PARQUET):
            sql = f"read_parquet({name})"
            described = _run(connection, f"DESCRIBE SELECT * FROM {sql}", path).fetchall()
            # DuckDB renames columns that differ only in case, so names come from the file.
            names = _parquet_header(connection, name, path)
            columns = [
                Column(own, _identifier(renamed), kind)
                for own, (renamed, kind, *_) in zip(names, described, strict=True)
            ]
        else:
            packed = start.startswith(_GZIP)
            header, delimiter = _csv_header(path, wanted, packed=packed)
            columns = [Column(own, f"c{i}", "VARCHAR") for i, own in enumerate(header)]
            types = ", ".join(f"{column.sql}: 'VARCHAR'" for column in columns)
            compression = "gzip" if packed else "none"
            form = f"delim = {quoted(delimiter)}, columns = {{{types}}}, {_CSV}"
            sql = f"read_csv({name}, {form}, compression = '{compression}')"
        yield Relation(connection, path, sql, columns)


def _parquet_header(connection: DuckDBPyConnection, name: str, path: Path) -> list[str]:
    """The names of the top-level columns of a Parquet file, as its schema has them."""
    query = f"SELECT name, num_children FROM parquet_schema({name})"
    (_, count), *elements = _run(connection, query, path).fetchall()
    names: list[str] = []
    inside = 0
    for own, children in elements:
        if inside == 0:
            names.append(own)
        else:
            inside -= 1
        inside += children or 0
    return names[:count]


def _csv_header(path: Path, wanted: Sequence[str], *, packed: bool) -> tuple[list[str], str]:
    """The column names of a CSV file, and the delimiter by which most wanted ones are there."""
    headers = {}
    for delimiter in _DELIMITERS:
        opener: Any = gzip.open if packed else open
        # Only the header must be text here; DuckDB reads the rest.
        with opener(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
            try:
                headers[delimiter] = next(csv.reader(file, delimiter=delimiter), [])
            except (csv.Error, OSError, EOFError) as error:
                raise FileError(f"cannot read the header of {path}: {error}.") from None

    def fit(delimiter: str) -> tuple[int, int]:
        header = headers[delimiter]
        return sum(name in header for name in wanted), len(header)

    best = max(_DELIMITERS, key=fit)
    if not headers[best]:
        raise FileError(f"{path} has an empty first row: it needs a header.")
    return headers[best], best


def first_bytes(path: Path) -> bytes:
    """The bytes that tell the kind of a file, or `FileError` unless there is one with any."""
    try:
        if not path.exists():
            siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
            near = get_close_matches(path.name, siblings, n=3, cutoff=0.5)
            hint = f" Did you mean {listed(near)}?" if near else ""
            raise FileError(f"there is no file {path}.{hint}")
        if not path.is_file():
            raise FileError(f"{path} is not a file.")
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise FileError(f"cannot read {short(str(path))}: {error.strerror}.") from None
    if not start:
        raise FileError(f"{path} is empty: it needs a header and rows.")
    return start


def _run(connection: DuckDBPyConnection, query: str, path: Path) -> Any:
    import duckdb

    try:
        return connection.execute(query)
    except (duckdb.Error, RuntimeError) as error:
        if "interrupted" in str(error).casefold():
            raise KeyboardInterrupt from None
        raise FileError(f"cannot read {path}: {_reason(str(error))}") from None


def _reason(message: str) -> str:
    """What DuckDB found, without the row itself (it can be the whole file) and its advice."""
    cause = takewhile(lambda line: not line.startswith(_ADVICE), message.splitlines())
    lines = [line for line in cause if line.strip()]
    found = re.search(r"CSV Error on Line: (\d+)", message)
    if found is None:
        return short(" ".join(" ".join(lines).split()), 300)
    return f"line {found[1]} (the header is line 1): {short(lines[-1], 200)}"


@contextmanager
def _reported(connection: DuckDBPyConnection, progress: Progress) -> Iterator[None]:
    """Call `progress` with the percentage of a query done while it runs."""
    done = threading.Event()

    def poll() -> None:
        while not done.wait(_POLL_SECONDS):
            progress(max(connection.query_progress(), 0.0))

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    progress(100.0)


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def short(text: str, length: int = 40) -> str:
    """A text as messages show it, its beginning if it is long."""
    return text if len(text) <= length else text[:length] + "..."


def listed(names: Collection[str]) -> str:
    """Names as messages show them, the first eight."""
    shown = [repr(short(name)) for name in list(names)[:8]]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")

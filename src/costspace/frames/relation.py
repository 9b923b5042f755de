"""A CSV or Parquet file as a relation that DuckDB can query."""

from __future__ import annotations

import csv
import gzip
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
        The SQL that reads the file, with one parameter for its path.
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

    def fetch(self, expressions: Sequence[str], progress: Progress | None = None) -> list[Any]:
        """The values of SQL expressions over all rows, in the order of the file."""
        named = ", ".join(f"{sql} AS v{i}" for i, sql in enumerate(expressions))
        with _reported(self.connection, progress):
            found = self.run(f"SELECT {named} FROM {self.sql}").fetchnumpy()
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
    is_parquet = _is_parquet(path)
    # Nothing may be fetched from elsewhere, whatever the file claims to be.
    offline: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    with duckdb.connect(config=offline) as connection:
        name = quoted(escape(str(path)))
        if is_parquet:
            relation = f"read_parquet({name})"
            described = _run(connection, f"DESCRIBE SELECT * FROM {relation}", path).fetchall()
            columns = [Column(own, _identifier(own), kind) for own, kind, *_ in described]
        else:
            header, delimiter = _csv_header(path, wanted)
            columns = [Column(own, f"c{i}", "VARCHAR") for i, own in enumerate(header)]
            types = ", ".join(f"{column.sql}: 'VARCHAR'" for column in columns)
            form = f"delim = {quoted(delimiter)}, columns = {{{types}}}, {_CSV}"
            relation = f"read_csv({name}, {form})"
        yield Relation(connection, path, relation, columns)


def _csv_header(path: Path, wanted: Sequence[str]) -> tuple[list[str], str]:
    """The column names of a CSV file, and the delimiter by which most wanted ones are there."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
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


def _is_parquet(path: Path) -> bool:
    if not path.exists():
        siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        near = get_close_matches(path.name, siblings, n=3, cutoff=0.5)
        hint = f" Did you mean {listed(near)}?" if near else ""
        raise FileError(f"there is no file {path}.{hint}")
    if not path.is_file():
        raise FileError(f"{path} is not a file.")
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    if not start:
        raise FileError(f"{path} is empty: it needs a header and rows.")
    return start == _PARQUET


def _run(connection: DuckDBPyConnection, query: str, path: Path) -> Any:
    import duckdb

    try:
        return connection.execute(query)
    except duckdb.Error as error:
        lines = takewhile(lambda line: not line.startswith(_ADVICE), str(error).splitlines())
        raise FileError(f"cannot read {path}: {' '.join(' '.join(lines).split())}") from None


@contextmanager
def _reported(connection: DuckDBPyConnection, progress: Progress | None) -> Iterator[None]:
    """Call `progress` with the percentage of a query done while it runs."""
    if progress is None:
        yield
        return
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


def short(cell: str) -> str:
    """A cell's text as messages show it."""
    return cell if len(cell) <= 40 else cell[:40] + "..."


def listed(names: Collection[str]) -> str:
    """Names as messages show them, the first eight."""
    shown = [repr(short(name)) for name in list(names)[:8]]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")

"""The file of a saved table: rows of numbers by model, and their description."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from costspace.errors import FileError, SourceError, brief
from costspace.frames.complaints import complaining
from costspace.frames.layout import SAVED, identifier, quoted, quoted_paths
from costspace.frames.relation import connected
from costspace.frames.sealing import seal
from costspace.output import whole_file

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# The version of the layout, which every file states.
SCHEMA = 2

Numbers: TypeAlias = Mapping[str, NDArray[Any]]


def write_table(
    path: Path, about: Mapping[str, Any], parts: Sequence[tuple[str | None, Numbers]]
) -> None:
    """Write columns of numbers, each part with its model's name or None, and their description.

    If the file cannot be written, no part of it remains.
    """
    text = json.dumps({"schema": SCHEMA, **about})
    with connected() as connection, whole_file(path) as part, complaining(path, "write"):
        for i, (_, columns) in enumerate(parts):
            connection.register(f"part{i}", dict(columns))
        rows = " UNION ALL BY NAME ".join(
            f"SELECT {'NULL' if name is None else quoted(name)} AS model, * FROM part{i}"
            for i, (name, _) in enumerate(parts)
        )
        form = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{SAVED}: {quoted(text)}}}"
        # DuckDB would write to a temporary file of its own, which a killed run would leave behind.
        target = f"{quoted(str(part.absolute()))} ({form}, USE_TMP_FILE false)"
        connection.execute(f"COPY ({rows}) TO {target}")
        seal(part)


@contextmanager
def open_table(path: Path) -> Iterator[TableFile]:
    """Open a sealed file; `FileError` if anything in it is invalid."""
    with connected() as connection, complaining(path):
        try:
            yield TableFile(path, connection)
        except FileError:
            raise
        except (RecursionError, TypeError, ValueError) as error:
            reason = str(error).rstrip(".")
            raise FileError(f"{path} is not a valid saved table: {reason}.") from None


@final
@dataclass(frozen=True, eq=False)
class TableFile:
    """A saved table that is open to be read."""

    path: Path
    connection: DuckDBPyConnection

    def about(self) -> Any:
        """The file's description, or an error unless it has this schema."""
        pairs = f"SELECT decode(value) FROM parquet_kv_metadata({self._quoted})"
        found = self.connection.execute(f"{pairs} WHERE decode(key) = {quoted(SAVED)}").fetchall()
        if len(found) != 1:
            raise SourceError("it has no description of its contents, or several")
        about = json.loads(found[0][0])
        schema = about.get("schema") if isinstance(about, dict) else None
        if type(schema) is not int or schema != SCHEMA:
            newer = isinstance(schema, int) and schema > SCHEMA
            advice = "upgrade costspace" if newer else "save its predictions anew"
            raise FileError(
                f"{self.path} was saved by {'a newer' if newer else 'another'} version of "
                f"costspace (schema {brief(schema)}, this one reads {SCHEMA}): {advice}."
            )
        return about

    def types(self) -> dict[str, str]:
        """The columns, and the type of each."""
        found = self.connection.execute(f"DESCRIBE SELECT * FROM read_parquet({self._quoted})")
        return {name: kind for name, kind, *_ in found.fetchall()}

    def sizes(self) -> dict[str | None, int]:
        """How many rows there are of each model, and without a model."""
        query = f"SELECT model, count(*) FROM read_parquet({self._quoted}) GROUP BY model"
        return {name: int(rows) for name, rows in self.connection.execute(query).fetchall()}

    def columns(self, model: str | None, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Columns of the rows of a model, or of none; `SourceError` if a cell is missing."""
        shown = ", ".join(map(identifier, names))
        of_model = "model IS NULL" if model is None else f"model = {quoted(model)}"
        query = f"SELECT {shown} FROM read_parquet({self._quoted}) WHERE {of_model}"
        found = self.connection.execute(query).fetchnumpy()
        for name in names:
            if np.ma.is_masked(found[name]):
                raise SourceError(f"column {brief(name)} has missing cells")
        return {name: np.asarray(found[name]) for name in names}

    @property
    def _quoted(self) -> str:
        return quoted_paths([self.path])


def check_types(types: Mapping[str, str], wanted: Mapping[str, Sequence[str]]) -> None:
    """`SourceError` unless a file has exactly the wanted columns, each in one of its types."""
    if wanted.keys() != types.keys():
        odd = min(wanted.keys() ^ types.keys())
        raise SourceError(f"column {brief(odd)} is {'missing' if odd in wanted else 'unknown'}")
    for name, kind in types.items():
        if kind not in wanted[name]:
            raise SourceError(f"column {brief(name)} has type {kind}")

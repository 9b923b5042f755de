"""Counted and binned scores kept in files: one Parquet file for several models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from costspace.errors import FileError, SourceError, brief
from costspace.frames.complaints import complaining
from costspace.frames.layout import SAVED, identifier, quoted, quoted_paths
from costspace.frames.paths import check_name, first_bytes, suggestion
from costspace.frames.relation import connected
from costspace.frames.saved import check_layout, check_rows, described_models, filled
from costspace.frames.sealing import is_sealed, seal
from costspace.frames.signatures import PARQUET
from costspace.output import whole_file
from costspace.scores.binned import BinnedScores
from costspace.scores.binning import Binning
from costspace.scores.class_counts import CLASSES, ClassCounts
from costspace.scores.counts import ScoreCounts
from costspace.scores.table import ScoreTable, check_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# What a file says it is written after. Another number is another layout.
SCHEMA = 1

Summary: TypeAlias = ScoreCounts | BinnedScores


def save(path: str | Path, models: Mapping[str, ScoreTable | Summary]) -> None:
    """Save the scores of models, counted or binned, in one file.

    Parameters
    ----------
    path : path
        The file to write, in one step: whoever looks sees the old one or the whole new one.
    models : mapping of str to ScoreTable, ScoreCounts or BinnedScores
        By the names of the models. A table is saved as its counts, `ScoreCounts.from_table`.

    Raises
    ------
    SourceError
        If there is no model, a name is no text, or a table has a prevalence of its own: what is
        saved are rows.
    FileError
        If the file cannot be written; nothing is left behind then.
    MissingExtraError
        If DuckDB is not installed.

    Notes
    -----
    The file is Parquet, with a row for each model and distinct score or bin, and its description
    (schema version, models, binnings) as JSON in the footer, under the key "costspace". A checksum
    of the whole file stands in front of the footer, against accidents and not against forgery.

    Examples
    --------
    >>> import tempfile
    >>> import costspace as cs
    >>> from costspace.frames import load, save
    >>> path = Path(tempfile.mkdtemp()) / "monday.parquet"
    >>> save(path, {"model": cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])})
    >>> load(path)
    {'model': ScoreCounts(2 scores of 2 negatives, 1 positives)}
    """
    path, kept = Path(path), _summaries(models)
    check_name(path)
    columns = [_columns(one) for one in kept.values()]
    described = [
        {"name": name, **_described(one), "columns": list(own)}
        for (name, one), own in zip(kept.items(), columns, strict=True)
    ]
    about = json.dumps({"schema": SCHEMA, "models": described})
    with connected() as connection, whole_file(path) as part, complaining(path, "write"):
        for i, own in enumerate(columns):
            connection.register(f"model{i}", own)
        rows = " UNION ALL BY NAME ".join(
            f"SELECT {quoted(name)} AS model, * FROM model{i}" for i, name in enumerate(kept)
        )
        form = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{SAVED}: {quoted(about)}}}"
        # DuckDB would write to a temporary file of its own, which a killed run would leave behind.
        target = f"{quoted(str(part.absolute()))} ({form}, USE_TMP_FILE false)"
        connection.execute(f"COPY ({rows}) TO {target}")
        seal(part)


def load(path: str | Path) -> dict[str, Summary]:
    """Load what `save` has saved.

    Parameters
    ----------
    path : path
        A file that `save` or the command line has written.

    Returns
    -------
    dict of str to ScoreCounts or BinnedScores
        By the names of the models, in the order they were saved, bit for bit what they were.

    Raises
    ------
    FileError
        If there is no such file, it is none of these, it is damaged, what it says fits no rows,
        or a newer version has written it.
    MissingExtraError
        If DuckDB is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import costspace as cs
    >>> from costspace.frames import load, save
    >>> days = [Path(tempfile.mkdtemp()) / f"{day}.parquet" for day in ("monday", "sunday")]
    >>> save(days[0], {"model": cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])})
    >>> save(days[1], {"model": cs.ScoreCounts.from_predictions([0, 0], [0.2, 0.9])})
    >>> (load(days[0])["model"] + load(days[1])["model"]).table().auc
    0.75
    """
    path = Path(path)
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a saved table.")
    is_parquet = first_bytes(path).startswith(PARQUET)
    kind = "Parquet that another program wrote" if is_parquet else "not Parquet"
    if not path.is_file():
        raise FileError(f"{path} is a pattern of names, not a saved table: name one file.")
    found = load_if_saved(path)
    if found is None:
        raise FileError(
            f"{path} is no saved table: it is {kind}. Make one of a file of predictions with "
            "costspace tally."
        )
    return found


def load_if_saved(path: str | Path) -> dict[str, Summary] | None:
    """Load what `save` has saved; None if the path is that of anything else, or of nothing.

    Raises
    ------
    FileError
        If the file is empty or damaged, or another version has written it.
    """
    path = Path(path)
    if not path.is_file() or not first_bytes(path).startswith(PARQUET) or not is_sealed(path):
        return None
    with connected() as connection, complaining(path):
        try:
            about = _about(path, connection)
            models = described_models(about)
            check_layout(models, _types(path, connection))
            found = {one["name"]: _loaded(path, one, connection) for one in models}
            check_rows(found, _count(path, connection))
        except FileError:
            raise
        except (RecursionError, TypeError, ValueError) as error:
            reason = str(error).rstrip(".")
            raise FileError(f"{path} holds nothing that costspace saves: {reason}.") from None
    return found


def chosen(models: Mapping[str, Summary], names: Iterable[str], path: Path) -> dict[str, Summary]:
    """Some of the models of a saved table, or `FileError` with the names that are near."""
    found = {}
    for name in names:
        if name not in models:
            raise FileError(f"{path} has no model {name!r}: {suggestion(name, models)}")
        found[name] = models[name]
    return found


def _summaries(models: Any) -> dict[str, Summary]:
    if not isinstance(models, Mapping) or not models:
        raise SourceError(
            f'what is saved has names, as in {{"model": counts}}: got {brief(models)}.'
        )
    kept: dict[str, Summary] = {}
    for name, one in models.items():
        if not isinstance(name, str) or not _is_unicode(name):
            raise SourceError(f"the name of a model must be text, got {brief(name)}.")
        if isinstance(one, ScoreCounts | BinnedScores):
            kept[name] = one
        else:
            needs = "a ScoreTable, ScoreCounts or BinnedScores"
            kept[name] = ScoreCounts.from_table(check_table(f"saving {name!r}", one, needs=needs))
    return kept


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _about(path: Path, connection: DuckDBPyConnection) -> Any:
    """The description of a saved table, if it is of this schema."""
    pairs = f"SELECT decode(value) FROM parquet_kv_metadata({quoted_paths([path])})"
    found = connection.execute(f"{pairs} WHERE decode(key) = {quoted(SAVED)}").fetchall()
    if len(found) != 1:
        raise SourceError("it has no description of what is in it, or several")
    about = json.loads(found[0][0])
    schema = about.get("schema") if isinstance(about, dict) else None
    if type(schema) is not int or schema != SCHEMA:
        newer = isinstance(schema, int) and schema > SCHEMA
        advice = "upgrade costspace" if newer else "save its predictions anew"
        raise FileError(
            f"{path} was saved by {'a newer' if newer else 'another'} version of costspace "
            f"(schema {brief(schema)}, this one reads {SCHEMA}): {advice}."
        )
    return about


def _types(path: Path, connection: DuckDBPyConnection) -> dict[str, str]:
    """The columns of a file, and the type of each."""
    found = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({quoted_paths([path])})")
    return {name: kind for name, kind, *_ in found.fetchall()}


def _count(path: Path, connection: DuckDBPyConnection) -> int:
    """How many rows a file has."""
    found = connection.execute(f"SELECT count(*) FROM read_parquet({quoted_paths([path])})")
    return int(found.fetchall()[0][0])


def _columns(summary: Summary) -> dict[str, NDArray[Any]]:
    return {name: np.asarray(column) for name, column in summary.columns().items()}


def _described(summary: Summary) -> dict[str, Any]:
    """What the columns do not say."""
    if isinstance(summary, ScoreCounts):
        return {"kind": "counts", "scores": str(summary.scores.dtype)}
    return {"kind": "bins", "binning": summary.binning.to_dict()}


def _loaded(path: Path, described: Mapping[str, Any], connection: DuckDBPyConnection) -> Summary:
    names = described["columns"]
    shown = ", ".join(map(identifier, names))
    of_model = f"WHERE model = {quoted(described['name'])}"
    query = f"SELECT {shown} FROM read_parquet({quoted_paths([path])}) {of_model}"
    columns = filled(connection.execute(query).fetchnumpy(), names)
    if described["kind"] == "bins":
        return BinnedScores.from_columns(Binning.from_dict(described["binning"]), columns)
    sides = [
        ClassCounts(*(columns[name] for name in names if name.startswith(side))) for side in CLASSES
    ]
    return ScoreCounts(columns["score"].astype(described["scores"], copy=False), *sides)

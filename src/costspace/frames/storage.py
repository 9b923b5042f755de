"""Saved tables: scores counted, binned or in folds, one Parquet file for several models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import HeldOut
from costspace.errors import FileError, SourceError
from costspace.frames.paths import check_name, first_bytes, suggestion
from costspace.frames.patterns import scores_among
from costspace.frames.saved import check_layout, described_models
from costspace.frames.saved_counts import counts_of, described, read_counts
from costspace.frames.saved_folds import by_score, folds_parts, read_folds
from costspace.frames.sealing import is_sealed
from costspace.frames.signatures import PARQUET
from costspace.frames.table_file import Numbers, TableFile, open_table, write_table
from costspace.frames.unchanged import stamps_of
from costspace.frames.watch_file import WATCH, described_watch, read_watch
from costspace.scores.table import ScoreTable
from costspace.summaries.counts import ScoreCounts
from costspace.watching.watch import Watch

Saved: TypeAlias = dict[str, ScoreCounts] | HeldOutCounts
T = TypeVar("T")
Loaded = TypeVar("Loaded")


def save(
    path: str | Path, models: Mapping[str, ScoreTable | ScoreCounts] | HeldOutCounts | Watch
) -> None:
    """Save the scores of models, counted, binned or in folds, in one file; or a watch.

    Parameters
    ----------
    path : path
        The file to write, in one step: readers see the old file or the whole new one.
    models : mapping of str to ScoreTable or ScoreCounts; or HeldOutCounts, or Watch
        By the names of the models. A table is saved as its counts, `ScoreCounts.from_table`. Of
        `HeldOutCounts` are saved some 30,000 cells a model, and the cells of a sample of some
        50,000 rows of each class, which tell how the models' scores are related.

    Raises
    ------
    SourceError
        If there is no model, a name is not text, or a table has a prevalence that its rows do not
        have; if there are more than 100 folds, or too many models for one file; or if rows in
        folds are not counted.
    FileError
        If the file cannot be written; no partial file remains.
    MissingExtraError
        If DuckDB is not installed.

    Notes
    -----
    The file is Parquet, with a row for each model and distinct score, bin or cell, and its
    description (schema version, models, binnings) as JSON in the footer, under the key "costspace".
    A checksum of the whole file, in front of the footer, guards against accidents, not against
    forgery.

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
    path = Path(path)
    about, parts = _parts_of(models)
    check_name(path)
    write_table(path, about, parts)


def load(path: str | Path) -> Saved | Watch:
    """Load what `save` has saved.

    Parameters
    ----------
    path : path
        A file that `save` or the command line has written.

    Returns
    -------
    dict of str to ScoreCounts, or HeldOutCounts, or Watch
        By the names of the models, in the order in which they were saved, equal bit for bit.
        `decide` and `compare_money` take `HeldOutCounts`.

    Raises
    ------
    FileError
        If there is no such file, or it is not a saved table, is damaged or inconsistent, or was
        written by a newer version.
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

    A decision on many rows in folds, after loading them:

    >>> import numpy as np
    >>> generator = np.random.default_rng(0)
    >>> y = generator.integers(0, 2, 100_000)
    >>> rows = cs.ScoredRows.from_predictions(y, {"model": generator.normal(y).round(2)})
    >>> path = Path(tempfile.mkdtemp()) / "folds.parquet"
    >>> save(path, cs.hold_out(rows))
    >>> cs.decide(load(path), conditions=cs.Deployment(1, 5, prevalence=0.1)).rules.rule
    Rule(flag scores above 1.085)
    """
    return _loaded(Path(path), _read_any)


def load_table(path: str | Path) -> Saved:
    """Load what `save` has saved of models, with errors as `load`; a watch is none."""
    return _loaded(Path(path), _read)


def load_watch(path: str | Path) -> Watch:
    """Load a watch that `save` has saved, with errors as `load`."""
    found = watch_if_saved(Path(path))
    if not isinstance(found, Watch):
        first_bytes(Path(path))
        raise FileError(f"{path} is no watch: begin one with costspace watch begin.")
    return found


def watch_if_saved(path: Path) -> Watch | None:
    """A watch that `save` has saved; None if the path leads to anything else, or to nothing."""
    found = _opened(Path(path), _read_any)
    return found if isinstance(found, Watch) else None


def _loaded(path: Path, read: Callable[[TableFile], Loaded]) -> Loaded:
    """What a saved file has, or `FileError` if it is none."""
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a saved table.")
    is_parquet = first_bytes(path).startswith(PARQUET)
    kind = "Parquet that another program wrote" if is_parquet else "not Parquet"
    if not path.is_file():
        raise FileError(f"{path} is a pattern of names, not a saved table: name one file.")
    found = _opened(path, read)
    if found is None:
        raise FileError(
            f"{path} is not a saved table: it is {kind}. Make one from a file of predictions with "
            "costspace tally."
        )
    return found


def load_if_saved(path: str | Path) -> Saved | None:
    """Load what `save` has saved; None if the path leads to anything else, or to nothing.

    Raises
    ------
    FileError
        If the file is empty or damaged, another version has written it, or it is a watch.
    """
    return _opened(Path(path), _read)


def _opened(path: Path, read: Callable[[TableFile], Loaded]) -> Loaded | None:
    """What a saved file has, None if it is none."""
    if not path.is_file():
        return None
    stamps = stamps_of([path])
    with stamps.blaming():
        if not first_bytes(path).startswith(PARQUET) or not is_sealed(path):
            return None
        with open_table(path) as file:
            found = read(file)
    stamps.check()
    return found


def _read_any(file: TableFile) -> Saved | Watch:
    """What a saved table or a watch has, or `SourceError`."""
    about = file.about()
    return read_watch(file, about) if WATCH in about else _read(file)


def _read(file: TableFile) -> Saved:
    """What a saved table has, or `SourceError`."""
    about = file.about()
    if WATCH in about:
        raise FileError(
            f"{file.path} is a watch, which keeps no scores: costspace watch show says what it has."
        )
    folds, models = described_models(about)
    if folds:
        return read_folds(file, models, folds)
    check_layout(models, 0, file.types(), {})
    found = read_counts(file, models, 0)
    if sum(map(len, found.values())) != sum(file.sizes().values()):
        raise SourceError("some of its rows belong to no model")
    return found


def chosen(models: Mapping[str, T], names: Iterable[str], path: Path) -> dict[str, T]:
    """Some of the models of a saved table, or `FileError` with the names that are near."""
    found = {}
    for name in scores_among(list(names), models, (), path):
        if name not in models:
            raise FileError(f"{path} has no model {name!r}: {suggestion(name, models)}")
        found[name] = models[name]
    return found


def counted_of(found: Saved, path: Path) -> dict[str, ScoreCounts]:
    """Models of a saved table counted by score or by bin, `FileError` if folds do not allow it."""
    if not isinstance(found, HeldOutCounts):
        return found
    try:
        return by_score(found)
    except SourceError as error:
        raise FileError(f"{path}: {error}") from None


def _parts_of(
    models: Mapping[str, ScoreTable | ScoreCounts] | HeldOutCounts | Watch,
) -> tuple[dict[str, Any], Sequence[tuple[str | None, Numbers]]]:
    """The description of a file, and its columns."""
    if isinstance(models, HeldOutCounts):
        return folds_parts(models)
    if isinstance(models, Watch):
        return described_watch(models)
    if isinstance(models, HeldOut):
        raise SourceError(
            f"{type(models).__name__} cannot be saved, since they are not counted: count rows in "
            "folds with held_out_counts."
        )
    return described(counts_of(models))

"""Scores counted by score, run or bin, as a saved table has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.errors import SourceError, brief
from costspace.frames.saved import RUNS, check_numbers, first_columns
from costspace.frames.table_file import Numbers, TableFile
from costspace.scores.table import check_table
from costspace.summaries.binning import Binning
from costspace.summaries.counts import ScoreCounts


def counts_of(models: Any, folds: int = 0) -> dict[str, ScoreCounts]:
    """Models as they are saved in so many folds, or `SourceError`."""
    if not isinstance(models, Mapping) or not models:
        raise SourceError(
            f'save needs models by name, as in {{"model": counts}}, got {brief(models)}.'
        )
    kept: dict[str, ScoreCounts] = {}
    for name, one in models.items():
        if not isinstance(name, str) or not _is_unicode(name):
            raise SourceError(f"the name of a model must be text, got {brief(name)}.")
        if isinstance(one, ScoreCounts):
            kept[name] = one
        else:
            needs = "a ScoreTable or ScoreCounts"
            kept[name] = ScoreCounts.from_table(check_table(f"saving {name!r}", one, needs=needs))
        if kept[name].folds != folds:
            raise SourceError(f"{name!r} is counted in folds: save the HeldOutCounts of its rows.")
    return kept


def described(
    models: Mapping[str, ScoreCounts],
) -> tuple[dict[str, Any], list[tuple[str, Numbers]]]:
    """The descriptions of models of the same folds, and the columns of each."""
    parts: list[tuple[str, Numbers]] = []
    about = []
    for name, one in models.items():
        columns = {key: np.asarray(column) for key, column in one.columns().items()}
        parts.append((name, columns))
        about.append({"name": name, "cells": _cells(one), "columns": list(columns)})
    return {"folds": next(iter(models.values())).folds, "models": about}, parts


def read_counts(
    file: TableFile, models: Sequence[Mapping[str, Any]], folds: int
) -> dict[str, ScoreCounts]:
    """The models that a file describes, or `SourceError` if no rows have their numbers."""
    found = {}
    for one in models:
        counts = _read(file, one, folds)
        check_numbers(one["name"], counts)
        found[one["name"]] = counts
    return found


def _cells(counts: ScoreCounts) -> Any:
    """What the columns leave out: the type of scores, or which bin a score falls into."""
    if counts.binning is not None:
        return counts.binning.to_dict()
    return str(counts.cells.dtype) if counts.lowest is None else RUNS


def _read(file: TableFile, described: Mapping[str, Any], folds: int) -> ScoreCounts:
    cells = described["cells"]
    columns: dict[str, NDArray[Any]] = file.columns(described["name"], described["columns"])
    first = first_columns(cells)[-1]
    binning = Binning.from_dict(cells) if isinstance(cells, dict) else None
    if first == "score":
        columns[first] = columns[first].astype(cells, copy=False)
    found = ScoreCounts.from_columns(columns, binning=binning, folds=folds)
    if not np.array_equal(found.cells, columns[first]):
        raise SourceError(f"column {first!r} is not distinct and ascending")
    return found


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True

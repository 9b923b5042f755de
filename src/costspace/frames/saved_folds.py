"""Rows counted in folds, as a saved table has them: by cell, and some of the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import read_only
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.errors import SourceError
from costspace.frames.saved import MOST_FOLDS, check_layout
from costspace.frames.saved_counts import counts_of, described, read_counts
from costspace.frames.table_file import Numbers, TableFile
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.folded_rows import FoldedSource
from costspace.summaries.joint import JointRows
from costspace.summaries.raked import RakedRows
from costspace.summaries.raking import raked
from costspace.summaries.runs import CELLS

# 100,000 rows in all: if two models treat 1 % of the rows differently, the standard error of their
# difference is exact to about 2 %. They take no more space than the cells of one model.
_OF_EACH_CLASS = 50_000
# Largest sizes that `raked` returns for these, and that a file may take memory for.
_MOST_CELLS, _MOST_SAMPLED, _MOST_NUMBERS = 2 * CELLS, 5 * _OF_EACH_CLASS, 1 << 27
# Up to so many rows are raked exactly.
_MOST_ROWS = 1 << 39
_FOLD, _POSITIVE = "fold", "positive"
_SMALL = "USMALLINT"


def kept(source: FoldedSource) -> RakedRows:
    """Rows as a saved table has them: counts in at most `CELLS` cells, and a sample."""
    return raked(source, cells=CELLS, of_each_class=_OF_EACH_CLASS)


def some_models(held_out: HeldOutCounts, names: Sequence[str]) -> HeldOutCounts:
    """The same rows with the scores of some models."""
    rows = kept(held_out.source)
    by_model = {name: rows.sampled.by_model[name] for name in names}
    counts = {name: rows.counts[name] for name in names}
    return HeldOutCounts(RakedRows(counts, replace(rows.sampled, by_model=by_model)))


def by_score(held_out: HeldOutCounts) -> dict[str, ScoreCounts]:
    """The rows counted by score, `SourceError` where a cell has several."""
    found: dict[str, ScoreCounts] = {}
    for name in held_out.models:
        counts = held_out.source.counted(name)
        if counts.lowest is not None:
            raise SourceError(
                f"scores of {name!r} are counted in cells of neighbouring scores, only for decide, "
                "compare by cost, and report: for this, tally its predictions without --folds."
            )
        found[name] = counts.of_folds(range(counts.folds))
    return found


def folds_parts(held_out: HeldOutCounts) -> tuple[dict[str, Any], list[tuple[str | None, Numbers]]]:
    """The description of rows in folds, and the columns of each model and of the sampled rows."""
    rows = kept(held_out.source)
    _check_room({name: len(counts) for name, counts in rows.counts.items()}, rows.folds)
    about, parts = described(counts_of(rows.counts, folds=rows.folds))
    some = rows.sampled
    cells = {_cell(i): _small(of_model) for i, of_model in enumerate(some.by_model.values())}
    return about, [*parts, (None, {_FOLD: _small(some.fold), _POSITIVE: some.positive, **cells})]


def read_folds(file: TableFile, models: Sequence[Mapping[str, Any]], folds: int) -> HeldOutCounts:
    """The rows that a file describes, or `SourceError` if no such rows can exist."""
    of_rows = {_FOLD: (_SMALL,), _POSITIVE: ("BOOLEAN",)}
    of_rows |= {_cell(i): (_SMALL,) for i in range(len(models))}
    check_layout(models, folds, file.types(), of_rows)
    sizes = file.sizes()
    sampled = sizes.pop(None, 0)
    if sizes.keys() != {one["name"] for one in models}:
        raise SourceError("the models that it lists are not those in its rows")
    # Before any memory is taken.
    _check_room(sizes, folds)
    if not 0 < sampled <= _MOST_SAMPLED:
        raise SourceError(f"it has {sampled} rows of no model, not up to {_MOST_SAMPLED}")
    counts = read_counts(file, models, folds)
    for one in counts.values():
        _check_counts(one)
    _check_same_rows(counts)
    columns = file.columns(None, [*of_rows])
    cells = {name: _index(columns[_cell(i)]) for i, name in enumerate(counts)}
    some = JointRows(_index(columns[_FOLD]), read_only(columns[_POSITIVE].astype(bool)), cells)
    _check_some(some, counts)
    return HeldOutCounts(RakedRows(counts, some))


def _cell(model: int) -> str:
    """The column of the cells of a model's scores."""
    return f"cell{model + 1}"


def _check_room(cells: Mapping[Any, int], folds: int) -> None:
    """`SourceError` if counts of cells, by model, would take too much memory."""
    if not 2 <= folds <= MOST_FOLDS:
        raise SourceError(f"rows can be saved in 2 to {MOST_FOLDS} folds, got {folds}.")
    most = max(cells.values())
    if most > _MOST_CELLS:
        raise SourceError(f"a model has {most} cells, above {_MOST_CELLS}")
    numbers = sum(cells.values()) * 2 * (folds + 1) + _MOST_SAMPLED * len(cells)
    if numbers > _MOST_NUMBERS:
        raise SourceError(
            f"{len(cells)} models in {folds} folds are too many for one table: save fewer models "
            "in each."
        )


def _check_counts(counts: ScoreCounts) -> None:
    """`SourceError` unless each cell has rows, which count 1, and each fold has both classes."""
    rows = counts.sums.rows
    if counts.weighted or counts.binning is not None:
        raise SourceError("rows in folds have weights, or are in bins")
    # A sum of floats does not overflow.
    if rows.sum(dtype=float) > _MOST_ROWS:
        raise SourceError("there are too many rows")
    if not np.all(rows.any(axis=(0, 1))) or not np.all(rows.any(axis=2)):
        raise SourceError("a cell has no rows, or a fold has no row of a class")


def _check_same_rows(models: Mapping[str, ScoreCounts]) -> None:
    totals = [counts.sums.rows.sum(axis=2) for counts in models.values()]
    if any(np.any(one != totals[0]) for one in totals):
        raise SourceError("its models differ in the rows of a fold")


def _check_some(some: JointRows, models: Mapping[str, ScoreCounts]) -> None:
    """`SourceError` unless sampled rows can be among those that are counted."""
    for name, counts in models.items():
        folds, _, size = counts.sums.rows.shape
        if np.any(some.fold >= folds) or np.any(some.by_model[name] >= size):
            raise SourceError("a row is in a fold or a cell that does not exist")
        place = (2 * some.fold + some.positive) * size + some.by_model[name]
        if np.any(np.bincount(place, minlength=counts.sums.rows.size) > counts.sums.rows.ravel()):
            raise SourceError("a cell has more sampled rows than rows")


def _small(values: NDArray[Any]) -> NDArray[np.uint16]:
    return values.astype(np.uint16)


def _index(values: NDArray[Any]) -> NDArray[np.intp]:
    return read_only(values.astype(np.intp))

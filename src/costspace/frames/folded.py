"""Predictions in files of any size, in folds: read in parts, as often as something is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, Progress, ScoreArray, read_only
from costspace.errors import CostspaceError, LabelError
from costspace.frames.cells import parsed_labels, refuse_cells
from costspace.frames.columns import Columns
from costspace.frames.numbers import number, refuse_tied
from costspace.frames.opened import check_once
from costspace.frames.relation import open_relation
from costspace.scores.folded import CELLS, FoldedCounts
from costspace.scores.folded_rows import KindCounts, fold_by_number, kinds_of
from costspace.scores.rows import ScoredRows

# About so many rows, spread over the file, tell where to cut cells.
_LOOKED_AT = 1 << 20
# Kinds of rows are put together when there are so many.
_MANY_KINDS = 1 << 20


@final
@dataclass(frozen=True, eq=False)
class Batch:
    """Rows that were read together.

    Attributes
    ----------
    first : int
        How many rows there are before them.
    positive : array of bool of shape (n,)
    scores : mapping of str to array of shape (n,)
    """

    first: int
    positive: BoolArray
    scores: Mapping[str, ScoreArray]


@final
@dataclass(frozen=True, eq=False)
class FoldedBatches:
    """Rows that are read in batches, the same ones in the same order each time.

    Attributes
    ----------
    read : callable
        Gives the batches.
    size : int
        How many rows there are.
    models : tuple of str
    folds : int
    counting : callable
        Told how many readings, of two, are done while cells are counted.
    """

    read: Callable[[], Iterator[Batch]]
    size: int
    models: Sequence[str]
    folds: int
    counting: Progress = lambda _: None

    @property
    def fold(self) -> None:
        return None

    @cached_property
    def rows(self) -> ScoredRows:
        """A row of each class that weighs as many as there are."""
        counts = self._counts[self.models[0]].of_all.sum(axis=1)
        return ScoredRows(read_only(np.array([False, True])), {}, read_only(counts.astype(float)))

    def counted(self, model: str) -> FoldedCounts:
        return self._counts[model]

    def kinds(self, cuts: Mapping[str, FloatArray]) -> KindCounts:
        found: list[KindCounts] = []
        for batch in self.read():
            fold = fold_by_number(len(batch.positive), self.folds, batch.first)
            kinds = kinds_of(batch.positive, fold, batch.scores, cuts)
            found += [] if kinds is None else [kinds]
            if sum(len(part.counts) for part in found) > _MANY_KINDS:
                found = [KindCounts.joined(found)]
        return KindCounts.joined(found)

    @cached_property
    def _counts(self) -> dict[str, FoldedCounts]:
        """The cells of every model, all counted in one reading."""
        ends, found = self._ends(), dict[str, FoldedCounts]()
        for batch in self.read():
            self.counting(1 + batch.first / self.size)
            fold = fold_by_number(len(batch.positive), self.folds, batch.first)
            for model, scores in batch.scores.items():
                rows = scores, batch.positive, fold, self.folds
                counts = FoldedCounts.up_to(ends[model], *rows)
                found[model] = found[model] + counts if model in found else counts
        self.counting(2)
        filled = {model: counts.filled for model, counts in found.items()}
        _check_folds(next(iter(filled.values())))
        return filled

    def _ends(self) -> dict[str, ScoreArray]:
        """The highest score of each cell of some of the rows."""
        every = max(self.size // _LOOKED_AT, 1)
        positive: list[BoolArray] = []
        scores: dict[str, list[ScoreArray]] = {model: [] for model in self.models}
        for batch in self.read():
            self.counting(batch.first / self.size)
            # What tells a fold spreads rows over more of them as evenly.
            some = fold_by_number(len(batch.positive), every, batch.first) == 0
            positive.append(batch.positive[some])
            for model, values in batch.scores.items():
                scores[model].append(values[some])
        side = np.concatenate(positive)
        none = np.zeros(len(side), dtype=np.uint8)
        return {
            model: FoldedCounts.of(np.concatenate(parts), side, none, 1, CELLS).highest[:-1]
            for model, parts in scores.items()
        }


def _check_folds(counts: FoldedCounts) -> None:
    """`LabelError` if a fold has no row of a class."""
    for fold, side in np.argwhere(counts.counts.sum(axis=2) == 0):
        name = ("negative", "positive")[side]
        raise LabelError(
            f"fold {fold + 1} of {len(counts.counts)} has no {name} row, since there are so few: "
            "give fewer folds."
        )


@contextmanager
def open_folded(
    path: str | Path,
    columns: Columns,
    *,
    folds: int,
    progress: Progress = lambda _: None,
    counting: Progress = lambda _: None,
) -> Iterator[FoldedBatches]:
    """Open CSV or Parquet files that are too large for memory, to decide on.

    Parameters
    ----------
    path, progress
        As in `read_rows`.
    columns : Columns
        Without weights and groups.
    folds : int
        How many folds, at least 2. The number of a row, in the order of the files, tells its fold.
    counting : callable, optional
        As of `FoldedBatches`.

    Raises
    ------
    FileError, LabelError, ScoreError, MissingExtraError
        As `read_rows`.
    """
    scores = columns.scores
    check_once(scores)
    with open_relation(Path(path), [columns.label, *scores]) as file:
        values = [file.column(columns.label).sql, *(number(file, name).value for name in scores)]
        source, positive = parsed_labels(file, columns, values, progress)
        refuse_tied(file, scores)
        named = "".join(f", v{i} AS score{i - 1}" for i in range(1, len(values)))
        query = f"SELECT CAST({positive} AS TINYINT) AS positive{named} FROM {source}"

        def read() -> Iterator[Batch]:
            first = 0
            for side, *read_too in file.batches(query):
                found = [column + 0.0 for column in read_too]
                named = dict(zip(scores, found, strict=True))
                if any(np.isnan(values).any() for values in found):
                    refuse_cells(file, scores, None)
                yield Batch(first, side != 0, named)
                first += len(side)

        ((size,),) = file.rows(f"SELECT count(*) FROM {source}")
        batches = FoldedBatches(read, size, tuple(scores), folds, counting)
        try:
            batches.counted(scores[0])
        except CostspaceError as error:
            refuse_cells(file, scores, None)
            raise type(error)(f"{file.path}: {error}") from None
        yield batches

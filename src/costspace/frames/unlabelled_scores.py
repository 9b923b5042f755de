"""Scores in files without labels, counted between thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Progress
from costspace.errors import ScoreError
from costspace.frames.cells import refuse_cells
from costspace.frames.numbers import double, with_clear_numbers
from costspace.frames.relation import Relation, arrays, open_relation
from costspace.watching.mixture_cells import Counted


@final
@dataclass(frozen=True, eq=False)
class UnlabelledScores:
    """A column of scores, read a batch at a time whenever it is counted."""

    file: Relation
    name: str
    sql: str  # what has the scores as v0, cheap to repeat
    rows: int
    progress: Progress = field(default=lambda _: None)

    def __call__(self, edges: FloatArray) -> Counted:
        """How many are above one edge, and not above the next."""
        counts, passed = np.zeros(len(edges) + 1, dtype=np.int64), 0
        with self.file.watched(lambda _: None):
            for batch in arrays(self.file.connection.sql(f"SELECT v0 FROM {self.sql}")):
                scores = batch["v0"]
                if np.isnan(scores).any():
                    refuse_cells(self.file, [self.name])
                counts += np.bincount(np.searchsorted(edges, scores), minlength=len(counts))
                passed += len(scores)
                self.progress(passed / self.rows)
        found = counts.astype(float)
        return Counted(found, found)


@contextmanager
def open_unlabelled(
    path: str | Path, score: str, progress: Progress = lambda _: None
) -> Iterator[UnlabelledScores]:
    """Open CSV or Parquet files for their scores to be counted, in bounded memory.

    Raises
    ------
    FileError
        As `read_rows`; and when counted if a cell cannot be read.
    ScoreError
        If there are no rows, or, when counted, a score is missing.
    MissingExtraError
        If DuckDB is not installed.
    """
    with open_relation(Path(path), [score]) as opened:
        file = with_clear_numbers(opened, [score])
        sql = file.parsed([double(file, score)], lambda _: None)
        ((rows,),) = file.rows(f"SELECT count(*) FROM {sql}")
        if rows == 0:
            raise ScoreError(f"{path} has no rows: give a file with new scores.")
        yield UnlabelledScores(file, score, sql, rows, progress)

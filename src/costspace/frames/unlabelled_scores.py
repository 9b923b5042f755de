"""Scores in files without labels, counted between thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Progress
from costspace.errors import ScoreError
from costspace.frames.cells import refuse_cells
from costspace.frames.numbers import double, with_clear_numbers
from costspace.frames.relation import Relation, open_relation
from costspace.watching.mixture_cells import Counted

# As many thresholds are compared with each score faster than its place among them is found.
_FEW = 8


@final
@dataclass(frozen=True, eq=False)
class UnlabelledScores:
    """A column of scores, passed through by the engine for thresholds that are new."""

    file: Relation
    sql: str  # what has the scores as v0, cheap to repeat
    rows: int
    progress: Progress
    below: dict[float, int] = field(default_factory=dict)  # how many are not above a threshold

    def __call__(self, edges: FloatArray) -> Counted:
        """How many are above one edge, and not above the next."""
        new = [edge for edge in edges.tolist() if edge not in self.below]
        if new:
            self.below.update(zip(new, self._counted(new), strict=True))
        up_to = [0, *(self.below[edge] for edge in edges.tolist()), self.rows]
        found = np.diff(up_to).astype(float)
        return Counted(found, found)

    def _counted(self, edges: Sequence[float]) -> list[int]:
        """How many are not above each edge."""
        # DuckDB would take a number for a decimal.
        numbers = [f"CAST('{edge!r}' AS DOUBLE)" for edge in edges]
        few = len(edges) <= _FEW
        terms = [f"count_if(v0 <= {number})" for number in numbers]
        asked = terms if few else [f"map_values(histogram(v0, [{', '.join(numbers)}]))"]
        query = f"SELECT {', '.join(asked)} FROM {self.sql}"
        with self.file.watched(self.progress):
            found = self.file.connection.execute(query).fetchall()[0]
        return list(found) if few else np.cumsum(found[0])[: len(edges)].tolist()


@contextmanager
def open_unlabelled(
    path: str | Path, score: str, progress: Progress = lambda _: None
) -> Iterator[UnlabelledScores]:
    """Open CSV or Parquet files for their scores to be counted, in bounded memory.

    Raises
    ------
    FileError
        As `read_rows`.
    ScoreError
        If there are no rows, or a score is missing.
    MissingExtraError
        If DuckDB is not installed.
    """
    with open_relation(Path(path), [score]) as opened:
        file = with_clear_numbers(opened, [score])
        sql = file.parsed([double(file, score)], lambda _: None)
        odd = "count_if(v0 IS NULL OR isnan(v0))"
        ((rows, missing),) = file.rows(f"SELECT count(*), {odd} FROM {sql}")
        if rows == 0:
            raise ScoreError(f"{path} has no rows: give a file with new scores.")
        if missing:
            refuse_cells(file, [score])
        yield UnlabelledScores(file, sql, rows, progress)

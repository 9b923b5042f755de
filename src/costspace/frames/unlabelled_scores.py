"""Scores in files without labels, counted between thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, final

import numpy as np

from costspace.arrays import FloatArray, Progress
from costspace.errors import ScoreError
from costspace.frames.cells import refuse_cells
from costspace.frames.numbers import double, with_clear_numbers
from costspace.frames.relation import Relation, open_relation
from costspace.samples.class_sample import ClassSample
from costspace.watching.mixture_cells import CellCounts, CountedSample, Counting

# So many distinct scores among the first rows, or fewer, are those of rounded scores: then there
# are few in all, and grouping by them is the fastest.
_FIRST, _DISTINCT = 1 << 18, 0.4
# As many thresholds are compared with each score faster than its place among them is found.
_FEW = 8


class NewScores(NamedTuple):
    """What counts scores between thresholds, and how many there are."""

    counting: Counting
    rows: int


@final
@dataclass(frozen=True, eq=False)
class _Passed:
    """A column of scores, passed through by the engine for thresholds that are new."""

    file: Relation
    sql: str  # what has the scores as v0, cheap to repeat
    rows: int
    progress: Progress
    below: dict[float, int] = field(default_factory=dict)  # how many are not above a threshold

    def __call__(self, edges: FloatArray) -> CellCounts:
        """How many are above one edge, and not above the next."""
        new = [edge for edge in edges.tolist() if edge not in self.below]
        if new:
            self.below.update(zip(new, self._counted(new), strict=True))
        up_to = [0, *(self.below[edge] for edge in edges.tolist()), self.rows]
        found = np.diff(up_to).astype(float)
        return CellCounts(found, found)

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
) -> Iterator[NewScores]:
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
        rows, distinct = _first(file, sql)
        if rows == 0:
            raise ScoreError(f"{path} has no rows: give a file with new scores.")
        found: NewScores
        if distinct <= _DISTINCT * min(rows, _FIRST):
            found = _in_memory(file, sql, progress)
        else:
            found = _by_passes(file, sql, progress)
        if found.rows < rows:
            refuse_cells(file, [score])
        yield found


def _first(file: Relation, sql: str) -> tuple[int, int]:
    """How many rows there are, and how many distinct scores the first of them have."""
    few = f"(SELECT count(DISTINCT v0) FROM (SELECT v0 FROM {sql} LIMIT {_FIRST}))"
    ((rows, distinct),) = file.rows(f"SELECT count(*), {few} FROM {sql}")
    return rows, distinct


def _in_memory(file: Relation, sql: str, progress: Progress) -> NewScores:
    """Each distinct score with its number of rows."""
    query = (
        f"SELECT v0, count(*) AS n FROM {sql} WHERE v0 IS NOT NULL AND NOT isnan(v0) GROUP BY v0"
    )
    with file.watched(progress):
        columns = file.connection.execute(query).fetchnumpy()
    order = np.argsort(columns["v0"])
    values, counts = (np.asarray(columns[name])[order].astype(float) for name in ("v0", "n"))
    rows = int(counts.sum())
    return NewScores(CountedSample(ClassSample(values, counts, rows, counts, counts)), rows)


def _by_passes(file: Relation, sql: str, progress: Progress) -> NewScores:
    """All that are there, counted when thresholds are known."""
    ((rows,),) = file.rows(f"SELECT count_if(v0 IS NOT NULL AND NOT isnan(v0)) FROM {sql}")
    return NewScores(_Passed(file, sql, rows, progress), rows)

"""That a frame which is computed anew for each pass has the same rows each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import Progress
from costspace.errors import SourceError
from costspace.frames.batches import Batch, Batches, Join, OfEach, untold
from costspace.frames.dataframes import nw

T = TypeVar("T")
MARK = "mark"
# A number of single precision near the largest; and how many marks scores above 0 have. Sums of
# marks are whole numbers that doubles hold for 2^33 rows.
_LARGE, _STEPS = 2.0**127, 2.0**20
# Odd numbers by which what a row has is spread over 64 bits.
_SPREAD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)


_watched: ContextVar[bool] = ContextVar("watched", default=False)


@contextmanager
def watched_rows() -> Iterator[None]:
    """A context in which rows are of files, whose changes are seen without marks."""
    token = _watched.set(True)
    try:
        yield
    finally:
        _watched.reset(token)


def are_watched() -> bool:
    """Whether changes of rows are seen without marks."""
    return _watched.get()


@final
@dataclass(frozen=True)
class SeenRows:
    """How many rows a pass has seen, and the sum of their marks."""

    rows: int
    marks: float = 0.0

    @classmethod
    def of(cls, rows: NDArray[Any], marks: NDArray[Any]) -> SeenRows:
        """What some cells have together."""
        return cls(int(rows.sum()), float(marks.sum()))

    def check(self, again: SeenRows) -> None:
        """`SourceError` if another pass has seen something else."""
        if self != again:
            raise changed()


def mark_of(score: nw.Expr, *, single: bool = False) -> nw.Expr:
    """A whole number for each score, the sum of which is exact in any order of the rows.

    Scores may stand for numbers of `single` precision.
    """
    plain = score.clip(-_LARGE, _LARGE)
    plain = (plain.cast(nw.Float32()) if single else plain).cast(nw.Float64())
    return (plain / (plain.abs() + 1.0) * _STEPS).ceil()


def marks_of(scores: NDArray[Any]) -> NDArray[Any]:
    """The same of scores in memory."""
    plain = np.clip(np.asarray(scores, dtype=float), -_LARGE, _LARGE)
    marks: NDArray[Any] = np.ceil(plain / (np.abs(plain) + 1.0) * _STEPS)
    return marks


def changed() -> SourceError:
    """The error of a frame whose rows are others at each pass."""
    return SourceError(
        "the frame has other rows or scores each time that it is computed, as where it draws at "
        "random: compute it once, with collect(), persist() or cache(), and give what comes of it."
    )


@final
@dataclass(frozen=True, eq=False)
class SameBatches:
    """Batches that must hold the same rows at each reading."""

    batches: Batches
    _marks: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.batches.size

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        marked: tuple[T, int] = self.batches.joined(_Marking(of_each), _Joining(join), progress)
        found, mark = marked
        self._marks.append(mark)
        if mark != self._marks[0]:
            raise changed()
        return found


@final
@dataclass(frozen=True)
class _Marking(Generic[T]):
    """A function's result for a batch, and a number that other rows would change."""

    of_each: OfEach[T]

    def __call__(self, batch: Batch) -> tuple[T, int]:
        found = batch.numbers.astype(np.uint64) * _SPREAD[0] ^ batch.positive * _SPREAD[1]
        for scores in batch.scores.values():
            bits = np.asarray(scores, dtype=float).view(np.uint64)
            found = (found ^ bits ^ bits >> np.uint64(32)) * _SPREAD[2]
        return self.of_each(batch), int(found.sum())


@final
@dataclass(frozen=True)
class _Joining(Generic[T]):
    """The joined results, and the sum of the numbers beside them."""

    join: Callable[[Iterable[T]], T]

    def __call__(self, parts: Iterable[tuple[T, int]]) -> tuple[T, int]:
        marks: list[int] = []

        def results() -> Iterator[T]:
            for result, mark in parts:
                marks.append(mark)
                yield result

        return self.join(results()), sum(marks) % 2**64

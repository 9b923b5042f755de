"""Predictions in batches: read one after the other, or in parallel by the engine's workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import accumulate
from typing import Any, Protocol, TypeAlias, TypeVar, final

import numpy as np

from costspace.arrays import BoolArray, IndexArray, Progress, ScoreArray

T = TypeVar("T")
# How many batches' results are joined at a time.
_TOGETHER = 8


@final
@dataclass(frozen=True, eq=False)
class Batch:
    """Rows that are in memory together."""

    numbers: IndexArray  # shape (n,): a number for each row that tells it from all others
    positive: BoolArray  # shape (n,)
    scores: Mapping[str, ScoreArray]  # shape (n,)
    segment: IndexArray | None = None  # shape (n,): its number, if columns divide the rows


OfEach: TypeAlias = Callable[[Batch], T]
Join: TypeAlias = Callable[[Iterable[T]], T]


def untold(_: float) -> None:
    """Nobody asks how far it is."""


class Batches(Protocol):
    """Rows in batches, the same ones each time."""

    @property
    def size(self) -> int:
        """How many rows there are."""

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        """The results of a function for every batch, joined to its result for all rows.

        Both functions can be pickled. `progress` is called with the share of the rows done.
        """


@final
@dataclass(frozen=True, eq=False)
class BatchesInTurn:
    """Batches that are read one after the other."""

    read: Callable[[], Iterator[Batch]]
    size: int

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        def found() -> Iterator[T]:
            passed = 0
            for batch in self.read():
                progress(passed / self.size)
                passed += len(batch.positive)
                yield of_each(batch)

        return join(found())


@final
@dataclass(frozen=True, eq=False)
class CheckedBatches:
    """Batches that a function checks after each reading."""

    batches: Batches
    check: Callable[[], None]

    @property
    def size(self) -> int:
        return self.batches.size

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        found = self.batches.joined(of_each, join, progress)
        self.check()
        return found


@final
@dataclass(frozen=True, eq=False)
class FrameColumns:
    """Which columns of a frame in memory hold what."""

    positive: str  # whether a row belongs to the positive class
    scores: Mapping[str, str]  # the column of each model
    # The column of whole numbers that tell rows apart; without it their order does.
    number: str | None
    # Columns of the numbers of values that name segments, and how many values each has.
    segments: Mapping[str, int] = field(default_factory=dict)

    def batch(self, frame: Any, first: int = 0) -> Batch:
        """The rows of a frame, numbered from the first where no column numbers them."""
        positive = np.asarray(frame[self.positive], dtype=bool)
        if self.number is None:
            numbers = np.arange(first, first + len(positive))
        else:
            numbers = np.asarray(frame[self.number], dtype=np.int64)
        # So that -0.0 is 0.0, as in rows in memory.
        scores = {name: np.asarray(frame[own]) + 0.0 for name, own in self.scores.items()}
        segment = None
        if self.segments:
            own = tuple(frame[name] for name in self.segments)
            segment = np.ravel_multi_index(own, tuple(self.segments.values()))
        return Batch(numbers, positive, scores, segment)

    def batches(self, frames: Iterable[Any]) -> Iterator[Batch]:
        """The rows of consecutive frames."""
        first = 0
        for frame in frames:
            yield (batch := self.batch(frame, first))
            first += len(batch.positive)


@final
@dataclass(frozen=True, eq=False)
class DaskBatches:
    """The partitions of a frame of Dask. Its workers count in them."""

    frame: Any
    columns: FrameColumns

    @cached_property
    def size(self) -> int:
        return sum(self._sizes)

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        dask: Any = import_module("dask")
        progress(0)
        firsts = [0, *accumulate(self._sizes)]
        task, together = dask.delayed(_of_part), dask.delayed(join)
        found = [
            task(of_each, self.columns, part, first)
            for part, first, size in zip(self._parts, firsts, self._sizes, strict=False)
            if size
        ]
        while len(found) > 1:
            found = [together(found[i : i + _TOGETHER]) for i in range(0, len(found), _TOGETHER)]
        (joined,) = dask.compute(together(found))
        progress(1)
        whole: T = joined
        return whole

    @cached_property
    def _parts(self) -> Sequence[Any]:
        parts: Sequence[Any] = self.frame.to_delayed()
        return parts

    @cached_property
    def _sizes(self) -> Sequence[int]:
        dask: Any = import_module("dask")
        sizes: Sequence[int] = dask.compute(*map(dask.delayed(len), self._parts))
        return sizes


def _of_part(of_each: OfEach[T], columns: FrameColumns, part: Any, first: int) -> T:
    return of_each(columns.batch(part, first))


@final
@dataclass(frozen=True, eq=False)
class SparkBatches:
    """The rows of a frame of Spark, in the batches that its executors pass to Python.

    Its columns number the rows, which have no order.
    """

    frame: Any
    columns: FrameColumns

    @cached_property
    def size(self) -> int:
        return int(self.frame.count())

    def joined(self, of_each: OfEach[T], join: Join[T], progress: Progress = untold) -> T:
        columns = self.columns

        def found_in(parts: Iterator[Any]) -> Iterator[Any]:
            pd: Any = import_module("pandas")
            found = [of_each(columns.batch(part)) for part in parts if len(part)]
            if found:
                yield pd.DataFrame({"found": [pickle.dumps(join(found))]})

        progress(0)
        rows = self.frame.mapInPandas(found_in, "found binary").collect()
        progress(1)
        # Safe to unpickle: only executors of this run have written it.
        return join(pickle.loads(row.found) for row in rows)  # noqa: S301

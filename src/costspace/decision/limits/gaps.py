"""What lies between neighbouring stretches that keep to limits, and where to go from there."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.decision.limits.lifetimes import Kept
from costspace.decision.limits.places import GapPlaces
from costspace.deployment.bounds import Range

# A cut, and -1 or which limit is met between it and the next.
_Place: TypeAlias = tuple[int, int]
# Where a stretch begins and ends.
_KeptEnds: TypeAlias = tuple[_Place, _Place]
# The index of a stretch, and where it is now if it is kept.
_Changed: TypeAlias = tuple[int, _KeptEnds | None]


@final
@dataclass(frozen=True, eq=False)
class Gaps(FrozenValue):
    """Gaps between stretches that keep to limits, each while the prevalence is in a range.

    Attributes
    ----------
    first, last : GapPlaces of shape (m,)
        Where the stretch before ends and the next begins, or an end of the chain.
    below, above : GapPlaces of shape (m,)
        The nearest places to go to that flag more and that flag fewer.
    only : array of shape (m,)
        -1 if only the first of these is there, 1 if only the second is, else 0.
    low, high : array of shape (m,)
        The ends of the range.
    """

    first: GapPlaces
    last: GapPlaces
    below: GapPlaces
    above: GapPlaces
    only: IndexArray
    low: FloatArray
    high: FloatArray


class _Between(NamedTuple):
    """One gap; None stands for no place to go to."""

    first: _Place
    last: _Place
    below: _Place | None
    above: _Place | None


def gaps_between(
    kept: Kept, end: int, span: Range, check: Callable[[float], object], *, mixes: bool
) -> Gaps:
    """The gaps between stretches of a chain, of which the last cut is given.

    Parameters
    ----------
    kept : Kept
    end : int
    span : Range
        Of the prevalence.
    check : callable
        Raises an error where nothing keeps to the limits at a prevalence, unless only rounding
        has it so.
    mixes : bool
        Whether to go to the ends of stretches, else to the nearest cuts on them.
    """
    sweep = _Sweep(end, span.low, mixes=mixes)
    index = kept.index.tolist()
    stretches = list(zip(kept.first.each(), kept.last.each(), strict=True))
    for p, changes in kept.changes():
        sweep.pass_to(p, [(index[i], stretches[i] if begins else None) for i, begins in changes])
    sweep.finish(span.high)
    rows = []
    for gap, low, high in sweep.found:
        if gap.below is None and gap.above is None:
            check((low + high) / 2)
            continue
        only = int(gap.below is None) - int(gap.above is None)
        to = gap.below or gap.first, gap.above or gap.last
        rows.append((*gap.first, *gap.last, *to[0], *to[1], only, low, high))
    columns = np.array(rows, dtype=float).reshape(-1, 11).T
    whole, (low, high) = columns[:9].astype(np.intp), columns[9:]
    first, last, below, above = (GapPlaces(*whole[i : i + 2]) for i in (0, 2, 4, 6))
    return Gaps(first, last, below, above, whole[8], low, high)


class _Sweep:
    """The gaps there are as the prevalence grows, and those there were.

    Stretches are linked, from the start of the chain to its end, so that each change costs as much
    as there are gaps, whatever the number of stretches.
    """

    def __init__(self, end: int, p: float, *, mixes: bool) -> None:
        self.found: list[tuple[_Between, float, float]] = []
        self._mixes = mixes
        self._start, self._end = -1, end + 1
        self._ends: dict[int, _KeptEnds] = {
            self._start: ((0, -1), (0, -1)),
            self._end: ((end, -1), (end, -1)),
        }
        self._next, self._before = {self._start: self._end}, {self._end: self._start}
        # Those after which the next in number is none.
        self._wide = [self._start]
        self._open: dict[int, tuple[_Between, float]] = {}
        self._renew(self._start, p)

    def pass_to(self, p: float, changes: Sequence[_Changed]) -> None:
        """Let stretches begin and cease to be kept at a prevalence."""
        for index, stretch in changes:
            if stretch is None:
                self._remove(index)
            else:
                self._insert(index, stretch)
        for key in {key for index, _ in changes for key in self._around(index)}:
            self._renew(key, p)

    def finish(self, p: float) -> None:
        """Let the gaps that there are end at a prevalence."""
        for key in list(self._open):
            self._close(key, p)

    def _insert(self, index: int, stretch: _KeptEnds) -> None:
        before = self._wide_before(index)
        after = self._next[before]
        self._ends[index] = stretch
        self._link(before, index)
        self._link(index, after)

    def _remove(self, index: int) -> None:
        before, after = self._before.pop(index), self._next.pop(index)
        del self._ends[index]
        self._unmark(index)
        self._link(before, after)

    def _link(self, before: int, after: int) -> None:
        self._next[before], self._before[after] = after, before
        self._unmark(before)
        if after > before + 1:
            insort(self._wide, before)

    def _unmark(self, index: int) -> None:
        at = bisect_left(self._wide, index)
        if self._wide[at : at + 1] == [index]:
            del self._wide[at]

    def _wide_before(self, index: int) -> int:
        """The stretch before the gap that a segment, or a cut, is in."""
        return self._wide[bisect_left(self._wide, index) - 1]

    def _around(self, index: int) -> Iterator[int]:
        """The stretches before each gap that one that has changed may be an end of.

        If where to go is a cut, that may be beyond stretches without one.
        """
        there = index in self._ends
        before = self._before[index] if there else self._wide_before(index)
        yield from (before, index)
        after = self._next[index if there else before]
        while before != self._start and self._to(before, -1) is None:
            before = self._before[before]
            yield before
        while after != self._end and self._to(after, 0) is None:
            yield after
            after = self._next[after]

    def _renew(self, key: int, p: float) -> None:
        gap, old = self._gap(key) if key in self._ends else None, self._open.get(key)
        if old is not None and old[0] == gap:
            return
        self._close(key, p)
        if gap is not None:
            self._open[key] = gap, p

    def _close(self, key: int, p: float) -> None:
        gap, since = self._open.pop(key, (None, p))
        if gap is not None and since < p:
            self.found.append((gap, since, p))

    def _gap(self, key: int) -> _Between | None:
        """The gap after a stretch, unless the next begins where it ends."""
        first, last = self._ends[key][1], self._ends[self._next[key]][0]
        if first == last:
            return None
        below, above = key, self._next[key]
        while below != self._start and self._to(below, -1) is None:
            below = self._before[below]
        while above != self._end and self._to(above, 0) is None:
            above = self._next[above]
        return _Between(first, last, self._to(below, -1), self._to(above, 0))

    def _to(self, key: int, side: int) -> _Place | None:
        """The first place of a stretch that one may go to, or with -1 the last."""
        if key in (self._start, self._end):
            return None
        ends = self._ends[key]
        if self._mixes:
            return ends[side]
        return next((end for end in (ends[side], ends[-1 - side]) if end[1] < 0), None)

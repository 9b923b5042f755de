"""Sorting scores with their order, and searching thresholds, faster than NumPy."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, IndexArray, ScoreArray
from costspace.samples.selection import fill
from costspace.single import doubles
from costspace.threads import halves, mapped, worthwhile

# Thresholds searched together.
_STRETCH = 1 << 11

# To find about the middle of many scores, so many are looked at.
_LOOKED_AT = 1 << 13

Signed = TypeVar("Signed", np.int32, np.int64)
Side: TypeAlias = Literal["left", "right"]
# Which of some scores belong to a part of them.
ScorePart: TypeAlias = Callable[[ScoreArray], BoolArray]


def sort_by_class(scores: ScoreArray, positive: BoolArray) -> tuple[ScoreArray, ScoreArray]:
    """The scores of negatives and of positives, each ascending.

    The two are sorted beside each other. Of many scores a class of more than two thirds is cut in
    two about its middle, so that no thread waits long for another.
    """
    positives = int(np.count_nonzero(positive))
    counts = len(scores) - positives, positives
    found = [np.empty(count, dtype=scores.dtype) for count in counts]
    larger = int(counts[1] > counts[0])

    def sort(side: int, part: ScorePart | None = None, *, from_end: bool = False) -> None:
        def rows(block: slice) -> BoolArray:
            own = positive[block] if side else ~positive[block]
            return own if part is None else own & part(scores[block])

        fill(found[side], scores, rows, from_end=from_end).sort()

    tasks: list[Callable[[], None]] = [partial(sort, 1 - larger)]
    if counts[larger] > 2 * counts[1 - larger] and worthwhile(len(scores)):
        some = np.sort(scores[:: len(scores) // _LOOKED_AT + 1])
        middle = some[len(some) // 2]
        tasks.append(partial(sort, larger, lambda scores: scores <= middle))
        tasks.append(partial(sort, larger, lambda scores: scores > middle, from_end=True))
    else:
        tasks.append(partial(sort, larger))
    mapped(lambda task: task(), tasks, len(scores))
    return found[0], found[1]


def sort_with_order(scores: ScoreArray) -> tuple[ScoreArray, IndexArray]:
    """The scores ascending and their order, by `np.sort`: `np.argsort` is much slower.

    Each score's leading bits, as an integer of the same order, and its position are packed into
    one integer. Half of it holds all bits of a float32. Scores of float64 that differ only in the
    omitted bits (only as many as positions need) are sorted afterwards.
    """
    if scores.dtype == np.float32 and len(scores) < 2**32:
        return sort_beside(scores, np.arange(len(scores)))
    bits = _ascending(scores.astype(float).view(np.int64))
    position = np.int64(2 ** len(scores).bit_length() - 1)
    bits &= ~position
    bits |= np.arange(len(scores))
    bits.sort()
    order = bits & position
    ascending = np.take(scores, order)
    if np.any(ascending[1:] < ascending[:-1]):
        alike = (bits[1:] & ~position) == (bits[:-1] & ~position)
        unsure = np.flatnonzero(np.append(alike, False) | np.append(False, alike))
        subset = order[unsure]
        order[unsure] = subset[np.argsort(scores[subset])]
        ascending = np.take(scores, order)
    return ascending, order


def sort_beside(scores: ScoreArray, numbers: IndexArray) -> tuple[ScoreArray, IndexArray]:
    """Scores of float32 ascending, with each score's number from 0 to 2^32 - 1."""
    packed = _ascending(scores.view(np.int32)).astype(np.int64)
    packed <<= 32
    packed |= numbers
    packed.sort()
    beside = packed & np.int64(2**32 - 1)
    packed >>= 32
    return _ascending(packed.astype(np.int32)).view(np.float32), beside


def _ascending(bits: NDArray[Signed]) -> NDArray[Signed]:
    """The bits of floats as integers of the same order; its own inverse."""
    if not len(bits) or bits.min() >= 0:
        return bits
    ends = np.iinfo(bits.dtype)
    return bits ^ ((bits >> (ends.bits - 1)) & bits.dtype.type(ends.max))


def search(scores: FloatArray, thresholds: ArrayLike, side: Side) -> Any:
    """`np.searchsorted` of thresholds in any precision; many ascending ones are searched in blocks.

    A block is searched only between the positions of its ends. These scores stay in the
    processor's cache, and the search takes half the steps.
    """
    t = doubles(np.asarray(thresholds))
    if t.ndim != 1 or len(t) < _STRETCH or np.any(t[1:] < t[:-1]):
        return np.searchsorted(scores, t, side=side)
    found = np.empty(len(t), dtype=np.intp)
    ends = np.append(np.searchsorted(scores, t[::_STRETCH], side=side), len(scores))

    def fill(stretches: range) -> None:
        for i in stretches:
            low, high = ends[i : i + 2]
            stretch = slice(i * _STRETCH, (i + 1) * _STRETCH)
            inside = np.searchsorted(scores[low:high], t[stretch], side=side)
            np.add(inside, low, out=found[stretch])

    mapped(fill, halves(len(ends) - 1), len(t))
    return found

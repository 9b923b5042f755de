"""How often each of n units is drawn in n draws, without drawing them one by one."""

from functools import lru_cache
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.special import pdtr

# With fewer units each draw is made by itself.
_FEW = 1000
# How many standard deviations the expected sum of the Poisson counts is below n.
_SHORT = 6
# The number of values of 16 random bits, and the mark of those that do not determine the count.
_WORDS, _UNSETTLED = 1 << 16, 255


def drawn_counts(rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    """How often each unit is drawn, as many times as there are units, with replacement.

    Multinomial, with equal probabilities. A count above 255 has a probability below 1/255! and is
    ignored. So small an array stays in the processor's cache during random access.

    Notes
    -----
    Given their sum, independent Poisson counts are multinomial. So Poisson counts with a sum below
    n, plus the missing draws made one by one, are multinomial with sum n. Sixteen random bits
    determine nearly every Poisson count by a look-up, and one more random number the others.
    """
    if size < _FEW:
        return np.bincount(rng.integers(0, size, size), minlength=size).astype(np.uint8)
    counts = _poisson(rng, size)
    while (missing := size - _sum(counts)) < 0:
        counts = _poisson(rng, size)
    np.add.at(counts, rng.integers(0, size, missing), 1)
    return counts


class _LookUp(NamedTuple):
    """Poisson counts by 16 random bits, and the distribution function at 0, 1, ..."""

    counts: NDArray[np.uint8]
    below: FloatArray


@lru_cache(maxsize=8)
def _look_up(size: int) -> _LookUp:
    below = np.asarray(pdtr(np.arange(30), 1 - _SHORT / sqrt(size)), dtype=float)
    edges = np.arange(_WORDS + 1) / _WORDS
    first = np.searchsorted(below, edges[:-1], side="right")
    last = np.searchsorted(below, edges[1:], side="left")
    return _LookUp(np.where(first == last, first, _UNSETTLED).astype(np.uint8), below)


def _poisson(rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    look_up = _look_up(size)
    bits = rng.integers(0, 2**64 - 1, ceil(size / 4), dtype=np.uint64, endpoint=True)
    words = bits.view(np.uint16)[:size]
    counts = look_up.counts.take(words)
    unsettled = np.flatnonzero(counts == _UNSETTLED)
    at = (words[unsettled] + rng.random(len(unsettled))) / _WORDS
    counts[unsettled] = np.searchsorted(look_up.below, at, side="right")
    return counts


def _sum(counts: NDArray[np.uint8]) -> int:
    # Twice as fast as in NumPy's default of 64 bits.
    return int(counts.sum(dtype=np.uint32))

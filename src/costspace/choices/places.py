"""Room for some of the cases of each batch, and how likely one finds a place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, inf, sqrt
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_whole
from costspace.costs import Beta, CostDistribution, Mixture, Point
from costspace.errors import ConditionError, brief

Batch = int | Sequence[int] | None

# How far a share times a size may be below the whole number that it is.
ROUNDING = 1e-12
# Over blocks of ties that are narrower than a part of the spread of the share flagged, a rule of
# four nodes is exact to rounding, and a difference of integrals would not be.
_NARROW = 1 / 8
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)


@final
@dataclass(frozen=True)
class Places(FrozenValue):
    """The top share of the cases of each batch.

    Of B cases the share that is above the last one with a place varies from batch to batch: with
    k places it has the distribution Beta(k, B - k).

    Attributes
    ----------
    share : float in [0, 1]
        k is this share of B, rounded down.
    batches : tuple of int
        The size of each batch; of none if all cases are one.

    Notes
    -----
    David and Nagaraja (2003), Order Statistics, Section 2.3.

    Examples
    --------
    Of 20 cases there is room for 2. One with 5 % of the cases above it mostly finds a place:

    >>> at = np.array([0.05, 0.1, 0.2])
    >>> Places(0.1, (20,)).chance(at, at).round(4)
    array([0.7547, 0.4203, 0.0829])
    """

    share: float
    batches: tuple[int, ...] = ()

    def of(self, size: int) -> int:
        """How many places a batch of some size has."""
        return min(floor(self.share * size * (1 + ROUNDING)), size)

    @property
    def mean_share(self) -> float:
        """The share of all cases that find one."""
        if not self.batches:
            return self.share
        return sum(map(self.of, self.batches)) / sum(self.batches)

    @cached_property
    def flagged(self) -> CostDistribution:
        """Of the share of all cases that are above the last one with a place."""
        if not self.batches:
            return Point(self.share)
        sizes = Counter(self.batches)
        laws = [self._in(size) for size in sizes]
        return Mixture(laws, [size * times for size, times in sizes.items()])

    def _in(self, size: int) -> CostDistribution:
        places = self.of(size)
        return Beta(places, size - places) if 0 < places < size else Point(places / size)

    def chance(self, above: FloatArray, down_to: FloatArray) -> FloatArray:
        """How likely a case finds a place if those tied with it are taken in random order.

        Parameters
        ----------
        above, down_to : arrays of shape (k,), in [0, 1]
            Share of all cases that are above those tied, and with those.
        """
        width = down_to - above
        narrow = width < _NARROW * self._spread
        wide = np.where(narrow, 1.0, width)
        passed = (self._passed(down_to) - self._passed(above)) / wide
        low, half = above[narrow], width[narrow] / 2
        passed[narrow] = sum(
            weight / 2 * self.flagged.below(low + half * (1 + node), 0)
            for node, weight in zip(_NODES, _WEIGHTS, strict=True)
        )
        return np.clip(1 - passed, 0, 1)

    def _passed(self, x: FloatArray) -> FloatArray:
        """The integral up to each share of the chance that fewer are flagged."""
        return np.asarray(x * self.flagged.below(x, 0) - self.flagged.below(x, 1))

    @cached_property
    def _spread(self) -> float:
        """The least standard deviation of the share flagged in a batch of some size."""
        each = ((self.of(size), size) for size in set(self.batches))
        spreads = (sqrt(k * (b - k) / (b + 1)) / b for k, b in each if 0 < k < b)
        return min(spreads, default=inf if self.batches else 0.0)


def checked_batches(batch: Batch) -> tuple[int, ...]:
    """The sizes of batches as given, or `ConditionError` unless each is a whole number from 1."""
    if batch is None:
        return ()
    sizes = batch if isinstance(batch, Sequence) and not isinstance(batch, str) else [batch]
    if not len(sizes):
        raise ConditionError(
            f"batch must be the size of a batch, or of several, got {brief(batch)}."
        )
    return tuple(sorted(check_whole("batch", size, least=1) for size in sizes))

"""Room for some of the cases of each batch, and how likely one finds a place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.checks import check_whole
from costspace.costs import Beta, CostDistribution, Mixture, Point
from costspace.errors import ConditionError, brief
from costspace.special import betainc, betaln, xlog1py, xlogy

Batch = int | Sequence[int] | None

# How far a share times a size may be below the whole number that it is.
ROUNDING = 1e-12
# In how many batches a threshold may flag more than there are places, and how often the share that
# does so is halved to find it.
_FEW_BATCHES, _HALVINGS = 0.05, 60
# Over blocks of ties that are narrower than a part of the spread of the share flagged, a rule of
# four nodes is exact to rounding, and a difference of integrals would not be.
_NARROW = 1 / 8
# The logarithm of a density that is lost beside 1.
_NOTHING = -46.0
_TINY = np.finfo(float).tiny
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)


@final
@dataclass(frozen=True)
class Places(FrozenValue):
    """The top share of the cases of each batch.

    Of B cases the share that is above the last one with a place varies from batch to batch: with
    k places it has the distribution Beta(k, B - k).

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

    share: float  # in [0, 1]: k is this share of B, rounded down
    batches: tuple[int, ...] = ()  # the size of each batch; of none if all cases are one
    more: int = 0  # how many places each has beside that share

    def of(self, size: int) -> int:
        """How many places a batch of some size has."""
        return min(int(self.share * size * (1 + ROUNDING)) + self.more, size)

    @property
    def rounded_down(self) -> str:
        """How many places batches have, in words, if the share of some is more; else empty."""
        places = [self.of(size) for size in self.batches]
        if all(
            self.share * size <= of * (1 + ROUNDING)
            for size, of in zip(self.batches, places, strict=True)
        ):
            return ""
        unit = "place" if places[-1] == 1 else "places"
        return f"{sizes_in_words(places)} {unit}, rounded down"

    @property
    def in_each(self) -> str:
        """How many of each batch have a place, if all have one size and no short share says it."""
        size = self.batches[0] if len(set(self.batches)) == 1 else 0
        places = self.of(size)
        if abs(float(f"{self.share:.3g}") * size - places) <= ROUNDING * size:
            return ""
        return f"{places:,} of {size:,}"

    def with_one_more(self) -> "Places":
        """One more place in each batch."""
        return replace(self, more=self.more + 1)

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
        laws = [self._in(size) for size, _ in self._sizes]
        return Mixture(laws, [size * times for size, times in self._sizes])

    @cached_property
    def _sizes(self) -> list[tuple[int, int]]:
        """The sizes of batches, and how many have each."""
        sizes, times = np.unique(np.array(self.batches, dtype=int), return_counts=True)
        return list(zip(sizes.tolist(), times.tolist(), strict=True))

    def _in(self, size: int) -> CostDistribution:
        places = self.of(size)
        return Beta(places, size - places) if 0 < places < size else Point(places / size)

    def chance(self, above: FloatArray, down_to: FloatArray) -> FloatArray:
        """How likely a case finds a place if those tied with it are taken in random order.

        By the shares of all cases that are above those tied, and with those.
        """
        width, (none, every) = down_to - above, self._certain(above, down_to)
        near = ~(none | every)
        narrow = near & (width < _NARROW * self._spread)
        wide = near & ~narrow
        passed = none.astype(float)
        passed[wide] = (self._passed(down_to[wide]) - self._passed(above[wide])) / width[wide]
        low, half = above[narrow], width[narrow] / 2
        passed[narrow] = sum(
            weight / 2 * self.flagged.below(low + half * (1 + node), 0)
            for node, weight in zip(_NODES, _WEIGHTS, strict=True)
        )
        return np.clip(1 - passed, 0, 1)

    def _certain(self, above: FloatArray, down_to: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Where no case finds a place, and where every one does, but for a chance lost beside 1.

        By the bounds of Chernoff (1952), Annals of Mathematical Statistics 23, on how many of the
        other cases of a batch are above.
        """
        none, every = (np.full(above.shape, len(self._sizes) > 0) for _ in range(2))
        for size, _ in self._sizes:
            k, others = self.of(size), size - 1
            if not 0 < k < size:
                return np.zeros_like(none), np.zeros_like(every)
            fewer, most = (k - 1) / others, k / others
            none &= (above > fewer) & (others * _apart(fewer, above) > -_NOTHING)
            every &= (down_to < most) & (others * _apart(most, down_to) > -_NOTHING)
        return none, every

    def chance_with_ties(self, down_to: FloatArray) -> FloatArray:
        """How likely all those tied with a case find places, and it with them.

        By the share of all cases that score as it does, or higher.
        """
        return np.asarray(1 - self.flagged.below(np.minimum(down_to, 1), 0))

    def exceeded(self, share: float) -> float:
        """In how large a part of batches a share of all cases is more than have places."""
        beyond = 0.0
        for size, times in self._sizes:
            k = self.of(size)
            if k < size:
                beyond += times * float(betainc(k + 1, size - k, min(share, 1.0)))
        return beyond / len(self.batches)

    @cached_property
    def most_by_threshold(self) -> float:
        """The largest share of all cases that goes beyond the places of few batches, 1 in 20.

        None at all where no batch has a place.
        """
        if not any(self.of(size) for size, _ in self._sizes):
            return 0.0
        low, high = 0.0, 1.0
        if self.exceeded(high) <= _FEW_BATCHES:
            return high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.exceeded(middle) > _FEW_BATCHES else (middle, high)
        return low

    def in_sample(self, down_to: FloatArray, rows: float) -> tuple[FloatArray, FloatArray]:
        """How likely all down to a case find places, and the density of the share that does.

        They are those in batches of cases that are drawn from so many rows, themselves drawn; or in
        all these rows, if all cases are one. `down_to` is as in `chance_with_ties`.
        """
        share = np.minimum(down_to, 1.0)
        chance, density = np.zeros_like(share), np.zeros_like(share)
        cases = sum(self.batches)
        for part, n, weight in (
            [
                (self.of(size) / size, 1 / (1 / size + 1 / rows), size * times / cases)
                for size, times in self._sizes
            ]
            if self.batches
            else [(self.share, rows, 1.0)]
        ):
            if not 0 < part < 1:
                chance += weight * part
                continue
            a, b = max(part * n, 1.0), max((1 - part) * n, 1.0)
            log = xlogy(a - 1, share) + xlog1py(b - 1, -share) - betaln(a, b)
            # What is left beyond is less than the density: where that is nothing, all or none pass.
            near = log > _NOTHING
            passed = (share > part).astype(float)
            passed[near] = betainc(a, b, share[near])
            chance += weight * (1 - passed)
            density += weight * np.exp(log)
        return chance, density

    def _passed(self, x: FloatArray) -> FloatArray:
        """The integral up to each share of the chance that fewer are flagged."""
        return np.asarray(x * self.flagged.below(x, 0) - self.flagged.below(x, 1))

    @cached_property
    def _spread(self) -> float:
        """The least standard deviation of the share flagged in a batch of some size."""
        each = ((self.of(size), size) for size, _ in self._sizes)
        spreads = (sqrt(k * (b - k) / (b + 1)) / b for k, b in each if 0 < k < b)
        return min(spreads, default=inf if self.batches else 0.0)


def _apart(share: float, shares: FloatArray) -> FloatArray:
    """How far a share of cases is from others, as relative entropy."""
    x = np.clip(shares, _TINY, 1 - ROUNDING)
    return np.asarray(xlogy(share, share / x) + xlogy(1 - share, (1 - share) / (1 - x)))


def sizes_in_words(sizes: Sequence[int]) -> str:
    """The sizes of batches, "120 to 340"; empty if there are none."""
    ends = (sizes[0], sizes[-1]) if sizes else ()
    return " to ".join(f"{size:,}" for size in dict.fromkeys(ends))


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

"""Adaptive binning: narrower bins where it matters, for the next pass over the data."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.errors import ConditionError
from costspace.summaries.binning import SCALES, Binning, Piece
from costspace.summaries.cell_sums import CellSums

_PIECES = 64
# Neighbouring bins are combined until they have the weight of so many ideal bins and so many rows:
# a few scores that happen to be close do not show the density.
_TOGETHER, _ROWS = 8, 16
# The factor for that weight where there is no room for as many bins as needed.
_COARSER = 4
# Pieces are merged further as long as the bins become no wider than by this factor.
_WIDER = 1.1
# The least distance from 0 on a logarithmic scale, the score next to 1, and the largest score
# whose differences are finite.
_LEAST = float(np.finfo(float).tiny)
_BELOW_ONE = float(np.nextafter(1, 0))
_LARGEST = 4e307
_DENSEST = 1e300
_CLOSE = 1 / 8
_HALVINGS = 64


def adapted_binning(sums: CellSums, bins: int) -> Binning:
    """Bins of about equal weight, with equal weight of the classes, for scores known by bin."""
    known, most = _Known.of(sums, bins), max(1, min(_PIECES, bins // 8))
    # The gaps between pieces are one bin each.
    room = max(bins - 2 * most - 1, most)
    heavy = float(_TOGETHER)
    while True:
        runs = _merged(known.runs(heavy), most)
        if heavy >= bins or np.sum(runs.shares(1 / heavy)) <= room:
            return Binning(runs.pieces(room) or Binning.uniform(bins=bins).pieces)
        heavy *= _COARSER


def _merged(runs: "_Runs", most: int) -> "_Runs":
    """The runs, with neighbours merged where that needs few more bins, until few are left."""
    target = np.inf
    while len(runs) > 1:
        surplus = len(runs) - most
        costs = runs.merged_needs - runs.needs[:-1] - runs.needs[1:]
        if surplus <= 0:
            target = min(target, _WIDER * float(np.sum(runs.needs)))
            if np.sum(runs.needs) + costs.min() > target:
                break
        count = max(1, min(surplus, len(costs) // 8))
        runs = runs.merged(_apart(np.sort(np.argpartition(costs, count - 1)[:count])))
    return runs


def _apart(pairs: IndexArray) -> IndexArray:
    """Ascending numbers of neighbouring pairs, without those that share a member."""
    starts = np.append(True, np.diff(pairs) > 1)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(pairs)), 0))
    return pairs[(np.arange(len(pairs)) - first) % 2 == 0]


@final
@dataclass(frozen=True, eq=False)
class _Known(FrozenValue):
    """Bins with weight, ascending: their ranges, masses and rows, and the mean score of each.

    A bin of mass 1 has its ideal weight.
    """

    low: FloatArray
    high: FloatArray
    mass: FloatArray
    rows: FloatArray
    sums: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, sums: CellSums, bins: int) -> "_Known":
        low, high = sums.ends[0].min(axis=0), sums.ends[1].max(axis=0)
        of_class = np.maximum(sums.mass.sum(axis=1, keepdims=True), _LEAST)
        mass = (sums.mass / of_class).sum(axis=0)
        kept = np.flatnonzero(mass)
        kept = kept[np.argsort(low[kept], kind="stable")]
        low, high = (np.clip(end[kept], -_LARGEST, _LARGEST) for end in (low, high))
        rows = sums.rows.sum(axis=0, dtype=float)[kept]
        # Infinite scores of both signs have no mean, and the mean of huge ones can be infinite.
        with np.errstate(invalid="ignore", over="ignore"):
            score_sum = sums.moments[0].sum(axis=0)[kept]
        weights = sums.mass.sum(axis=0)[kept]
        # Engines can differ on the bin of a score at an edge, so ranges can overlap by one score.
        high = np.minimum(high, np.append(low[1:], _LARGEST))
        return cls(low, high, mass[kept] * (bins / 2), rows, score_sum, weights)

    def runs(self, heavy: float) -> "_Runs":
        """The bins, with light ones merged, and the density of bins that gives each the mass 1."""
        single = self.low == self.high
        alone = (self.mass >= heavy) & (single | (self.rows >= _ROWS))
        size = np.minimum(self.mass / heavy, self.rows / _ROWS)
        block = np.floor(np.cumsum(size) - size)
        new = alone[1:] | alone[:-1] | (block[1:] > block[:-1])
        starts = np.append(0, np.flatnonzero(new) + 1)
        low, high = self.low[starts], self.high[np.append(starts[1:], len(new) + 1) - 1]
        ends, single = _on_scales(low, high), low == high
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mass, sums, weights = (
                np.add.reduceat(column, starts) for column in (self.mass, self.sums, self.weights)
            )
            density = mass / (ends[1] - ends[0])
            density[_misleading(low, high, sums / weights)] = np.inf
            apart = np.where(single & (mass >= heavy), 2 / _gaps(ends), 0)
        density[:, single] = 0
        # The first scale is possible for every run, at least with one bin.
        density[0] = np.fmin(density[0], _DENSEST)
        density[~(density < np.inf)] = np.inf
        return _Runs(low, high, density, np.fmin(apart, _DENSEST))


@final
@dataclass(frozen=True, eq=False)
class _Runs(FrozenValue):
    """Intervals of scores that may become pieces."""

    # Shape (k,): ascending, ``low <= high``.
    low: FloatArray
    high: FloatArray
    # Shape (3, k): bins per unit of each scale that the run needs at its densest, inf where the
    # scale is not possible.
    density: FloatArray
    # Shape (3, k): bins per unit of each scale that keep heavy single scores of the run from their
    # neighbours.
    apart: FloatArray

    def __len__(self) -> int:
        return len(self.low)

    @property
    def needs(self) -> FloatArray:
        """How many bins each run needs on its best scale."""
        return np.min(self._needs_by_scale, axis=0)

    @property
    def merged_needs(self) -> FloatArray:
        """How many bins each run and the next one need as one piece."""
        density, apart = (np.maximum(a[:, :-1], a[:, 1:]) for a in (self.density, self.apart))
        return _Runs(self.low[:-1], self.high[1:], density, apart).needs

    @property
    def _needs_by_scale(self) -> FloatArray:
        """The needs on each scale."""
        return np.maximum(self._times(np.maximum(self.density, self.apart)), 1)

    def _times(self, density: FloatArray) -> FloatArray:
        """The bins of each run on each scale, by bins per unit; inf where it is not possible."""
        low, high = _on_scales(self.low, self.high)
        with np.errstate(invalid="ignore", over="ignore"):
            bins = (high - low) * density
        bins[0] = np.fmin(bins[0], _DENSEST)
        bins[~(bins < np.inf)] = np.inf
        bins[:, self.low == self.high] = 0
        return bins

    def merged(self, pairs: IndexArray) -> "_Runs":
        """Some runs, each merged with the next."""
        kept: BoolArray = np.ones(len(self), dtype=bool)
        kept[pairs + 1] = False
        high, density, apart = self.high.copy(), self.density.copy(), self.apart.copy()
        high[pairs] = self.high[pairs + 1]
        for column in (density, apart):
            column[:, pairs] = np.maximum(column[:, pairs], column[:, pairs + 1])
        return _Runs(self.low[kept], high[kept], density[:, kept], apart[:, kept])

    def shares(self, factor: float) -> FloatArray:
        """The bins of each run on its scale, at a multiple of the density that it needs."""
        scale = np.argmin(self._needs_by_scale, axis=0), np.arange(len(self))
        dense, apart = self._times(self.density)[scale], self._times(self.apart)[scale]
        return np.floor(np.maximum(np.maximum(dense * factor, apart), 1))

    def pieces(self, room: int) -> tuple[Piece, ...]:
        """A piece for each run, with its part of the available bins.

        Heavy scores are separated first; the remaining bins are divided by weight.
        """
        low, high = -float(_HALVINGS), float(_HALVINGS)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            fits = np.sum(self.shares(2.0**middle)) <= room
            low, high = (middle, high) if fits else (low, middle)
        shares = self.shares(2.0**low)
        shares = np.maximum(np.floor(shares * min(1.0, room / np.sum(shares))), 1)
        found: list[Piece] = []
        for i, scale in enumerate(np.argmin(self._needs_by_scale, axis=0)):
            # The lowest score belongs to the piece too.
            start = float(np.nextafter(self.low[i], -np.inf))
            start = max(start, found[-1].high) if found else start
            found += _piece(start, float(self.high[i]), int(shares[i]), SCALES[scale])
        return tuple(found)


def _piece(low: float, high: float, bins: int, scale: str) -> list[Piece]:
    if scale == "log":
        low, high = (max(low, _LEAST), high) if high > 0 else (low, min(high, -_LEAST))
    elif scale == "log from one":
        high = min(high, _BELOW_ONE)
    try:
        return [Piece(low, high, bins, scale)]
    except ConditionError:
        # Too narrow to be cut: the gap between the neighbouring pieces is a bin.
        return []


def _on_scales(low: FloatArray, high: FloatArray) -> FloatArray:
    """Both ends on each of `SCALES`, NaN where a scale is not possible for an interval.

    Of shape (2, 3, k).
    """
    above, below, under_one = low >= 0, high <= 0, (low < 1) & (high <= 1)
    found = np.full((2, 3, len(low)), np.nan)
    for i, score in enumerate((low, high)):
        found[i, 0] = score
        np.log(np.maximum(score, _LEAST), out=found[i, 1], where=above)
        logs = np.log(np.maximum(-score, _LEAST), out=np.zeros_like(score), where=below & ~above)
        found[i, 1][below & ~above] = -logs[below & ~above]
        from_one = 1 - np.minimum(score, _BELOW_ONE)
        found[i, 2][under_one] = -np.log(from_one[under_one])
    return found


def _misleading(low: FloatArray, high: FloatArray, mean: FloatArray) -> BoolArray:
    """The scales on which scores would wrongly be taken as evenly spread.

    If most scores of an interval are much closer to 0, or to 1, than its farther end, only the
    logarithm of that distance separates them.
    """
    near_0 = np.abs(mean) < _CLOSE * np.maximum(np.abs(low), np.abs(high))
    near_0 &= (low >= 0) | (high <= 0)
    # For scores far below 0 both distances are nearly equal.
    near_1 = (high > 0) & (high <= 1) & (1 - mean < _CLOSE * (1 - low))
    return np.stack([near_0 | near_1, near_1, near_0])


def _gaps(ends: FloatArray) -> FloatArray:
    """The distance of each interval from its neighbours on either side, on each scale."""
    between = np.full((3, ends.shape[2] + 1), np.inf)
    between[:, 1:-1] = ends[0][:, 1:] - ends[1][:, :-1]
    return np.fmin(between[:, :-1], between[:, 1:])

"""The convex hull of the ROC curve of two score densities, with its thresholds."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.roc.hull import lower_hull
from costspace.scores.density import ScoreDistribution
from costspace.scores.roots import narrowed

# Skews on a straight part agree to this relative difference.
_STRAIGHT = 1e-12
# Points in a cell of the grid at which the skew is evaluated.
_INSIDE = np.array([0.25, 0.5, 0.75])
# The distance of both sides from a threshold, as a share of the cell.
_BESIDE = 1e-9
# Relative tolerance of a skew.
_SKEW = 1e-14
# A chord of the ROC curve that leaves it by more than this bridges a concavity.
_DEPTH = 1e-11
# A bridge ends within this share of a cell from the longest chord's end.
_SETTLED = 1e-2
_ZOOMS = 6
_ZOOM = 33


@final
@dataclass(frozen=True, eq=False)
class DensityHull(FrozenValue):
    """Corners on a grid of thresholds, and the edges between them.

    An edge is straight if the ROC curve is, a bridge if it spans a concavity, and else represents
    a part of the curve on which each skew has its own threshold.
    """

    negatives: ScoreDistribution
    positives: ScoreDistribution
    grid: FloatArray
    kinks: FloatArray
    at_grid: tuple[FloatArray, FloatArray]

    def skew_of(self, t: FloatArray) -> FloatArray:
        """f1 / (f0 + f1): the skew at which a threshold can be optimal; NaN without scores."""
        f0, f1 = self.negatives.pdf(t), self.positives.pdf(t)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return 1 / (1 + np.divide(f0, f1))

    @cached_property
    def skew_breaks(self) -> FloatArray:
        """Skews at which the best threshold may bend or jump."""
        place = np.searchsorted(self.grid, self.kinks)
        beside = _BESIDE * np.pad(np.diff(self.grid), 1, constant_values=np.nan)
        # The density can jump at a kink, so both sides are needed.
        sides = self.skew_of(np.stack([self.kinks - beside[place], self.kinks + beside[place + 1]]))
        found = np.append(sides.ravel(), self._edge_skews[~self._curved])
        return np.unique(found[~np.isnan(found)])

    def best_threshold(self, z: FloatArray, side: Literal["left", "right"] = "right") -> FloatArray:
        """The threshold of least loss at each skew, or its limit from the left."""
        # Rounding can move a skew off that of a straight edge or a bridge.
        near = _SKEW * np.minimum(z, 1 - z) * (1 if side == "right" else -1)
        m = np.searchsorted(self._breaks, z + near, side=side)
        low, first, last, high = (place[m] for place in self._places)
        at_low, at_first, at_last, at_high = (skew[m] - z for skew in self._skews_beside)
        before = (low < first) & (at_first > 0)
        after = ~before & (last < high) & (at_last < 0)
        (start, end), (at_start, at_end) = narrowed(
            lambda t, i: self.skew_of(t) - z[i],
            (np.where(before, low, last), np.where(before, first, high)),
            (np.where(before, at_low, at_last), np.where(before, at_first, at_high)),
            np.maximum(_SKEW * np.minimum(z, 1 - z), np.finfo(float).eps * z),
        )
        found = np.where(-at_start < at_end, start, end)
        return np.where(before | after, found, last)

    def skew_at_score(self, s: FloatArray) -> FloatArray:
        """The skew below which the best threshold flags a score."""
        # The first and the last threshold of the grid represent those beyond.
        last, start, end = map(self._reach, (self._places[2], *self._bridge_ends))
        m = np.searchsorted(last, s, side="left")
        edge = np.clip(m - 1, 0, len(self._edge_skews) - 1)
        start, end = start[edge], end[edge]
        own = self.skew_of(s)
        on_edge = np.where(np.isnan(start), ~self._curved[edge], (s > start) & (s <= end))
        found = np.where(on_edge, self._edge_skews[edge], own)
        # Without scores there, it is the skew of the last scores before.
        beside = self._skews_beside[1][np.clip(m, 0, len(last) - 1)]
        before = np.where(self._curved[edge], beside, self._edge_skews[edge])
        found = np.where(np.isnan(found), before, found)
        return np.where(m == 0, 0.0, np.where(m == len(last), 1.0, found))

    def _reach(self, t: FloatArray) -> FloatArray:
        low, high = zip(self.negatives.support, self.positives.support, strict=True)
        t = np.where(t == self.grid[0], min(low), t)
        return np.where(t == self.grid[-1], max(high), t)

    @cached_property
    def bridges(self) -> tuple[FloatArray, FloatArray]:
        """The intervals of thresholds whose ROC points are below a chord of the hull."""
        start, end = self._bridge_ends
        # A bridge inside another has length 0.
        return start[start < end], end[start < end]

    @cached_property
    def _runs(self) -> tuple[IndexArray, IndexArray]:
        """The first and the last threshold of the grid at each distinct ROC point."""
        x, y = self.at_grid
        last = np.flatnonzero(np.append((np.diff(x) > 0) | (np.diff(y) > 0), True))
        return np.append(0, last[:-1] + 1), last

    @cached_property
    def _corners(self) -> IndexArray:
        """The corners of the hull of the points on the grid, none inside straight parts."""
        x, y = (share[self._runs[1]] for share in self.at_grid)
        found = np.searchsorted(x + y, np.sum(lower_hull(x, y), axis=0))
        low, high = self._skew_range(found)
        straight = _agree(low, high)
        inside = (
            straight[:-1] & straight[1:] & _agree(low[:-1], high[1:]) & _agree(low[1:], high[:-1])
        )
        return found[np.concatenate([[True], ~inside, [True]])]

    @property
    def _ends(self) -> tuple[IndexArray, IndexArray]:
        """The first and the last threshold of each corner, as positions in the grid."""
        first, last = self._runs
        return first[self._corners], last[self._corners]

    def _skew_range(self, corners: IndexArray) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest skew between neighbouring corners."""
        first, last = (ends[corners] for ends in self._runs)
        cells = np.stack([last[:-1], first[1:]], axis=1).ravel()
        low, high = (np.append(skew, np.nan) for skew in self._skews_of_cells)
        return np.fmin.reduceat(low, cells)[::2], np.fmax.reduceat(high, cells)[::2]

    @cached_property
    def _skews_of_cells(self) -> tuple[FloatArray, FloatArray]:
        skew = self.skew_of(self.grid[:-1] + _INSIDE[:, None] * np.diff(self.grid))
        return np.fmin.reduce(skew), np.fmax.reduce(skew)

    @cached_property
    def _straight(self) -> BoolArray:
        return _agree(*self._skew_range(self._corners))

    @cached_property
    def _curved(self) -> BoolArray:
        return ~self._straight & np.isnan(self._bridge_ends[0])

    @cached_property
    def _edge_skews(self) -> FloatArray:
        """The skew at which the best threshold passes each edge of the hull."""
        x, y = (share[self._ends[1]] for share in self.at_grid)
        skew = _slope(np.diff(x), np.diff(y))
        low, high = self._skew_range(self._corners)
        skew = np.where(self._straight, (low + high) / 2, skew)
        is_bridge = ~np.isnan(self._bridge_ends[0])
        (x0, y0), (x1, y1) = (self._below(end[is_bridge]) for end in self._bridge_ends)
        skew[is_bridge] = _slope(x1 - x0, y1 - y0)
        return skew

    @cached_property
    def _breaks(self) -> FloatArray:
        return np.maximum.accumulate(self._edge_skews)

    @cached_property
    def _places(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The lowest threshold of the interval around each corner, its own two, and the highest."""
        first, last = (self.grid[end] for end in self._ends)
        start, end = self._bridge_ends
        low = np.where(self._curved, last[:-1], np.where(self._straight, first[1:], end))
        high = np.where(self._curved, first[1:], np.where(self._straight, last[:-1], start))
        low, high = np.append(first[0], low), np.append(high, last[-1])
        return low, np.clip(first, low, high), np.clip(last, low, high), high

    @cached_property
    def _skews_beside(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The skews at these four thresholds, from inside the interval."""
        low, first, last, high = self._places
        before, after = (
            np.where(width > 0, _BESIDE * width, np.nan) for width in (first - low, high - last)
        )
        sides = np.stack([low + before, first - before, last + after, high - after])
        at_low, at_first, at_last, at_high = self.skew_of(sides)
        return at_low, at_first, at_last, at_high

    @cached_property
    def _bridge_ends(self) -> FloatArray:
        """The thresholds at which each edge leaves and meets the ROC curve, NaN if no bridge."""
        found = np.full((2, len(self._corners) - 1), np.nan)
        first, last = self._ends
        for edge in np.flatnonzero(~self._straight & (first[1:] > last[:-1] + 1)):
            i, j = int(last[edge]), int(first[edge + 1])
            if self._depth(i, j) > _DEPTH:
                found[:, edge] = self._zoom(i, j)
        # Two bridges may meet at a corner.
        start, end = found
        start[1:] = np.where(start[1:] < end[:-1], end[:-1], start[1:])
        return found

    def _depth(self, i: int, j: int) -> float:
        """How far the ROC points between two corners are from their chord."""
        x, y = (share[i : j + 1] - share[i] for share in self.at_grid)
        return float(np.max(y * x[-1] - x * y[-1], initial=0.0))

    def _zoom(self, i: int, j: int) -> tuple[float, float]:
        """The ends of a bridge between two corners, more exactly than on the grid."""
        last = len(self.grid) - 1
        left = self.grid[[max(i - 1, 0), min(i + 1, last)]]
        right = self.grid[[max(j - 1, 0), min(j + 1, last)]]
        start, end = float(self.grid[i]), float(self.grid[j])
        for _ in range(_ZOOMS):
            # The ends found so far stay among the candidates: they may be kinks.
            a = np.union1d(np.linspace(left[0], left[1], _ZOOM), start)
            b = np.union1d(np.linspace(right[0], right[1], _ZOOM), end)
            start, end = self._longest_chord(a, b, start, end)
            left = np.clip(start + np.array([-1, 1]) * np.ptp(left) / (_ZOOM - 1), *left)
            right = np.clip(end + np.array([-1, 1]) * np.ptp(right) / (_ZOOM - 1), *right)
        return self._to_the_ends(*self._settled(np.array([start, end])))

    def _settled(self, ends: FloatArray) -> FloatArray:
        """The exact ends of a bridge, where the skew passes that of the chord."""
        x, y = self._below(ends)
        z = _slope(np.diff(x), np.diff(y))
        cell = np.clip(np.searchsorted(self.grid, ends), 1, len(self.grid) - 1)
        near = _SETTLED * (self.grid[cell] - self.grid[cell - 1])
        before, after = self.skew_of(np.stack([ends - near, ends + near])) - z
        (low, high), (at_low, at_high) = narrowed(
            lambda t, _: self.skew_of(t) - z,
            (ends - near, ends + near),
            (before, after),
            np.zeros(2),
        )
        nearest = np.where(-at_low < at_high, low, high)
        found = np.where((before < 0) & (after > 0), nearest, ends)
        # If the skew jumps, it is next to a kink.
        kinks = np.append(self.kinks, np.inf)
        kink = kinks[np.argmin(np.abs(kinks[:, None] - found), axis=0)]
        return np.where(np.abs(found - kink) <= _BESIDE * near, kink, found)

    def _to_the_ends(self, start: float, end: float) -> tuple[float, float]:
        """A bridge, extended to the ends of the grid where only rounding ends it before."""
        first, last = (float(t) for t in self.grid[[0, -1]])
        ends = np.array([[start, end], [first, end], [start, last]])
        (x0, y0), (x1, y1) = self._below(ends[:, 0]), self._below(ends[:, 1])
        found, from_first, to_last = _slope(x1 - x0, y1 - y0)
        return (
            first if _agree(found, from_first) else start,
            last if _agree(found, to_last) else end,
        )

    def _longest_chord(
        self, a: FloatArray, b: FloatArray, start: float, end: float
    ) -> tuple[float, float]:
        """The chord from `a` to `b` that has all points of both on one side."""
        t = np.concatenate([a, b])
        x, y = self._below(t)
        for _ in range(_ZOOM):
            # Alternate: the tangent from one end, then from the other.
            x0, y0 = self._below(np.array([start]))
            end_next = float(b[np.argmin(_slope(x[len(a) :] - x0, y[len(a) :] - y0))])
            x1, y1 = self._below(np.array([end_next]))
            start_next = float(a[np.argmax(_slope(x1 - x[: len(a)], y1 - y[: len(a)]))])
            if (start_next, end_next) == (start, end):
                break
            start, end = start_next, end_next
        return start, end

    def _below(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The shares at or below t; 0 or 1 beyond the ends of the grid."""
        first, last = self.grid[[0, -1]]
        x, y = self.negatives.cdf(t), self.positives.cdf(t)
        inside = np.where(t <= first, 0.0, np.where(t >= last, 1.0, np.nan))
        return np.where(np.isnan(inside), x, inside), np.where(np.isnan(inside), y, inside)


def _agree(a: FloatArray, b: FloatArray) -> BoolArray:
    """Whether skews are the same up to rounding."""
    return np.abs(a - b) <= _STRAIGHT * np.minimum(np.maximum(a, b), 1 - np.minimum(a, b))


def _slope(dx: FloatArray, dy: FloatArray) -> FloatArray:
    """The skew of chords; chords of length 0 are neither lowest nor highest."""
    with np.errstate(invalid="ignore"):
        skew = dy / (dx + dy)
    return np.where(np.isnan(skew), 0.5, skew)

"""Two class-conditional score densities against each other, whatever the class shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.roc import lower_hull
from costspace.scores.density import ScoreDistribution

# Halvings that find a threshold inside a cell of the grid.
_HALVINGS = 32
# Newton's steps that find a threshold of a given rate inside a cell.
_STEPS = 12
# Thresholds closer than this share of the usual distance are one.
_CLOSE = 1e-6
# A chord of the ROC curve that leaves it by more than this bridges a concavity.
_DEPTH = 1e-11
_ZOOMS = 6
_ZOOM = 33


@final
@dataclass(frozen=True, eq=False)
class DensityPair:
    """The scores of two classes; what follows is computed once, when asked."""

    negatives: ScoreDistribution
    positives: ScoreDistribution

    @cached_property
    def grid(self) -> FloatArray:
        """Thresholds, ascending, the first of which flags all and the last none."""
        return _apart(np.union1d(self.negatives.grid, self.positives.grid), self.kinks)

    @cached_property
    def kinks(self) -> FloatArray:
        return _apart(np.union1d(self.negatives.breaks, self.positives.breaks), np.zeros(0))

    @cached_property
    def at_grid(self) -> tuple[FloatArray, FloatArray]:
        """Share of each class at or below each threshold of the grid."""
        below = self.negatives.cdf(self.grid), self.positives.cdf(self.grid)
        for share in below:
            share[0], share[-1] = 0.0, 1.0
        return below

    @cached_property
    def auc(self) -> float:
        return self.positives.mean(self.negatives.cdf, self.grid)

    @cached_property
    def corners(self) -> IndexArray:
        """The corners of the hull of the ROC points on the grid, as positions in it."""
        below = np.stack(self.at_grid)
        # Where a stretch has no scores many thresholds give one point: the last stands for them.
        last = np.append(np.any(below[:, 1:] > below[:, :-1], axis=0), True)
        places = np.flatnonzero(last)
        x, y = lower_hull(*below[:, places])
        return places[np.searchsorted(below.sum(axis=0)[places], x + y)]

    @cached_property
    def corner_breaks(self) -> FloatArray:
        """The skews at which the best corner on the grid changes to the next."""
        fp, fn = (np.diff(share[self.corners]) for share in self.at_grid)
        return np.maximum.accumulate(fn / (fp + fn))

    def skew_of(self, t: FloatArray) -> FloatArray:
        """f1 / (f0 + f1): the skew at which a threshold can be optimal; NaN without scores."""
        f0, f1 = self.negatives.pdf(t), self.positives.pdf(t)
        with np.errstate(invalid="ignore"):
            return f1 / (f0 + f1)

    @cached_property
    def skew_breaks(self) -> FloatArray:
        """Skews at which the best threshold may bend or jump."""
        # The density may jump at a kink, so both its sides count.
        beside = _CLOSE * float(np.median(np.diff(self.grid)))
        sides = np.concatenate([self.kinks - beside, self.kinks + beside])
        around = np.append(self.skew_of(sides), self._skew_of_bridges)
        return np.unique(around[~np.isnan(around)])

    @cached_property
    def _skew_of_bridges(self) -> FloatArray:
        start, end = self.bridges
        (x0, y0), (x1, y1) = self._below(start), self._below(end)
        return _slope(x1 - x0, y1 - y0)

    def skew_at_score(self, s: FloatArray) -> FloatArray:
        """The skew below which the best threshold flags a score."""
        # Without scores there, and in bridges, it is that of the hull's edge.
        edge = np.searchsorted(self.grid[self.corners], s, side="left") - 1
        found = self.corner_breaks[np.clip(edge, 0, len(self.corner_breaks) - 1)]
        own = self.skew_of(s)
        found = np.where(np.isnan(own), found, own)
        start, end = self.bridges
        for a, b, z in zip(start, end, self._skew_of_bridges, strict=True):
            found = np.where((s > a) & (s <= b), z, found)
        return found

    def best_threshold(self, z: FloatArray) -> FloatArray:
        """The threshold of least loss at each skew."""
        corner = self.corners[np.searchsorted(self.corner_breaks, z, side="right")]
        grid = self.grid
        low = grid[np.maximum(corner - 1, 0)]
        high = grid[np.minimum(corner + 1, len(grid) - 1)]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            falling = (1 - z) * self.positives.pdf(middle) < z * self.negatives.pdf(middle)
            low, high = np.where(falling, middle, low), np.where(falling, high, middle)
        at_corner = grid[corner]
        better = self._loss(z, high) < self._loss(z, at_corner)
        return np.where(better, high, at_corner)

    def _loss(self, z: FloatArray, t: FloatArray) -> FloatArray:
        return z * self.negatives.sf(t) + (1 - z) * self.positives.cdf(t)

    def threshold_of_share(self, share: FloatArray, weights: tuple[float, float]) -> FloatArray:
        """The threshold with a share of both classes, weighted, at or below it."""
        w0, w1 = weights
        below = w0 * self.at_grid[0] + w1 * self.at_grid[1]
        cell = np.clip(np.searchsorted(below, share, side="left"), 1, len(below) - 1)
        low, high = self.grid[cell - 1], self.grid[cell]
        t = best = (low + high) / 2
        closest = np.full(np.shape(share), np.inf)
        # Newton's steps, halving where they would leave what is left of the cell.
        for _ in range(_STEPS):
            excess = w0 * self.negatives.cdf(t) + w1 * self.positives.cdf(t) - share
            best = np.where(np.abs(excess) < closest, t, best)
            closest = np.minimum(np.abs(excess), closest)
            low, high = np.where(excess < 0, t, low), np.where(excess < 0, high, t)
            density = w0 * self.negatives.pdf(t) + w1 * self.positives.pdf(t)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = t - excess / density
            t = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        return best

    @cached_property
    def bridges(self) -> tuple[FloatArray, FloatArray]:
        """The stretches of thresholds whose ROC points lie below a chord of the hull."""
        found = [
            self._zoom(int(i), int(j))
            for i, j in zip(self.corners[:-1], self.corners[1:], strict=True)
            if j > i + 1 and self._depth(int(i), int(j)) > _DEPTH
        ]
        start, end = np.array(found).reshape(-1, 2).T
        # Two bridges may meet at a corner.
        return np.maximum(start, np.append(-np.inf, end[:-1])), end

    def _depth(self, i: int, j: int) -> float:
        """How far the ROC points between two corners lie from their chord."""
        x, y = (share[i : j + 1] - share[i] for share in self.at_grid)
        return float(np.max(y * x[-1] - x * y[-1], initial=0.0))

    def _zoom(self, i: int, j: int) -> tuple[float, float]:
        """The ends of a bridge between two corners, to more digits than the grid has."""
        last = len(self.grid) - 1
        left = self.grid[[max(i - 1, 0), min(i + 1, last)]]
        right = self.grid[[max(j - 1, 0), min(j + 1, last)]]
        start, end = float(self.grid[i]), float(self.grid[j])
        for _ in range(_ZOOMS):
            a, b = (np.linspace(w[0], w[1], _ZOOM) for w in (left, right))
            start, end = self._longest_chord(a, b, start, end)
            left = np.clip(start + np.array([-1, 1]) * (a[1] - a[0]), a[0], a[-1])
            right = np.clip(end + np.array([-1, 1]) * (b[1] - b[0]), b[0], b[-1])
        return start, end

    def _longest_chord(
        self, a: FloatArray, b: FloatArray, start: float, end: float
    ) -> tuple[float, float]:
        """Of all chords from `a` to `b`, the one below which no other point of both lies."""
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
        """The shares at or below, all of both classes beyond the ends of the grid."""
        first, last = self.grid[[0, -1]]
        x, y = self.negatives.cdf(t), self.positives.cdf(t)
        inside = np.where(t <= first, 0.0, np.where(t >= last, 1.0, np.nan))
        return np.where(np.isnan(inside), x, inside), np.where(np.isnan(inside), y, inside)


def _slope(dx: FloatArray, dy: FloatArray) -> FloatArray:
    """The skew of chords; those of no length are neither lowest nor highest."""
    with np.errstate(invalid="ignore"):
        skew = dy / (dx + dy)
    return np.where(np.isnan(skew), 0.5, skew)


def _apart(thresholds: FloatArray, kept: FloatArray) -> FloatArray:
    """Ascending thresholds without those that are all but equal to another, or to one `kept`."""
    if thresholds.size < 2:
        return thresholds
    gaps = np.diff(thresholds)
    near = _CLOSE * float(np.median(gaps))
    ends = np.concatenate([[-np.inf], kept, [np.inf]])
    place = np.searchsorted(ends, thresholds)
    to_kept = np.minimum(thresholds - ends[place - 1], ends[place] - thresholds)
    return np.union1d(thresholds[np.append(True, gaps > near) & (to_kept > near)], kept)

"""What the best cuts within limits pass, while the prevalence is in a range."""

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from costspace.arrays import IndexArray
from costspace.curve import OperatingPoints
from costspace.decision.limits.lifetimes import Kept
from costspace.decision.limits.places import GapPlaces, LimitedChain
from costspace.decision.limits.stepped_parts import Stepped
from costspace.deployment.bounds import Range
from costspace.roc.hull import lowest_lines

# What rounding may be of a turn, relative to the sides.
_ROUNDING = 1e-15
# Two cuts of which the second takes over from the first; one beyond the ends stands for none.
_Edge: TypeAlias = tuple[int, int]


def best_parts(
    limited: LimitedChain, kept: Kept, span: Range, check: Callable[[float], object]
) -> Stepped:
    """What is passed from each cut that costs least somewhere to the next.

    Parameters
    ----------
    limited : LimitedChain
    kept : Kept
        The cuts that keep to the limits.
    span : Range
        Of the prevalence.
    check : callable
        Raises an error where no cut keeps to the limits at a prevalence, unless only rounding has
        it so.
    """
    costs, index, count = limited.costs, kept.index.tolist(), limited.last + 1
    hull = _Hull(costs, span.low)
    for p, changes in kept.changes():
        hull.pass_to(p, {index[which]: begins for which, begins in changes})
    hull.finish(span.high)
    rows = []
    for edge, since, until in hull.found:
        if edge == (-1, count):
            check((since + until) / 2)
        else:
            rows.append((*edge, since, until))
    before, after, low, high = np.array(rows, dtype=float).reshape(-1, 4).T
    first, last = (np.clip(cut, 0, limited.last).astype(np.intp) for cut in (before, after))
    fp, fn = costs.fpr[first] - costs.fpr[last], costs.fnr[last] - costs.fnr[first]
    at = np.divide(fn, fp + fn, out=np.zeros_like(fn), where=fp + fn > 0)
    at = np.where(before < 0, 0.0, np.where(after == count, 1.0, at))
    return Stepped(GapPlaces.at_cuts(first), GapPlaces.at_cuts(last), low, high, at, by_skew=True)


class _Hull:
    """The cuts that cost least somewhere, as the prevalence grows, and what they were."""

    def __init__(self, points: OperatingPoints, p: float) -> None:
        self.found: list[tuple[_Edge, float, float]] = []
        self._points = points
        self._fpr: list[float] = points.fpr.tolist()
        self._fnr: list[float] = points.fnr.tolist()
        self._held = np.zeros(len(points.fpr), dtype=bool)
        self._corners: list[int] = []
        self._since = {(-1, len(self._held)): p}

    def pass_to(self, p: float, changes: dict[int, bool]) -> None:
        """Let cuts begin (True) and cease to be kept at a prevalence."""
        for cut, begins in changes.items():
            self._held[cut] = begins
        if len(changes) > 1:
            self._replace(p, 0, len(self._corners), self._lowest(np.flatnonzero(self._held)))
        elif any(changes.values()):
            self._add(p, *changes)
        else:
            self._remove(p, *changes)

    def finish(self, p: float) -> None:
        """Let everything end at a prevalence."""
        self.found += [(edge, since, p) for edge, since in self._since.items() if since < p]

    def _replace(self, p: float, first: int, last: int, corners: list[int]) -> None:
        """Let some corners take the place of those from the first up to the last."""
        start = self._corners[first - 1] if first else -1
        end = self._corners[last] if last < len(self._corners) else len(self._held)
        before = set(pairwise([start, *self._corners[first:last], end]))
        now = set(pairwise([start, *corners, end]))
        for edge in before - now:
            since = self._since.pop(edge)
            if since < p:
                self.found.append((edge, since, p))
        self._since.update((edge, p) for edge in now - before)
        self._corners[first:last] = corners

    def _add(self, p: float, cut: int) -> None:
        """A cut below the hull takes the place of the corners that it leaves above it."""
        corners, count = self._corners, len(self._corners)
        last = bisect_left(corners, cut)
        first = last
        if count and (first == 0 and self._fnr[cut] >= self._fnr[corners[0]]):
            return
        if count and (last == count and self._fpr[cut] >= self._fpr[corners[-1]]):
            return
        if first > 0 and last < count and not self._bends(corners[first - 1], cut, corners[last]):
            return
        while first > 1 and not self._bends(corners[first - 2], corners[first - 1], cut):
            first -= 1
        if first == 1 and self._fnr[corners[0]] >= self._fnr[cut]:
            first = 0
        while last < count - 1 and not self._bends(cut, corners[last], corners[last + 1]):
            last += 1
        if last == count - 1 and self._fpr[corners[-1]] >= self._fpr[cut]:
            last = count
        self._replace(p, first, last, [cut])

    def _bends(self, before: int, cut: int, after: int) -> bool:
        """Whether a cut is below the line between two others by more than rounding."""
        x, y = self._fpr, self._fnr
        left, right = x[before] - x[cut], x[cut] - x[after]
        rise, more = y[cut] - y[before], y[after] - y[cut]
        return left * more - right * rise > _ROUNDING * (left + right + rise + more)

    def _remove(self, p: float, cut: int) -> None:
        """Without a corner nothing changes beyond its neighbours."""
        corners, at = self._corners, bisect_left(self._corners, cut)
        if corners[at : at + 1] == [cut]:
            low = corners[at - 1] if at else 0
            high = corners[at + 1] if at + 1 < len(corners) else len(self._held) - 1
            between = np.flatnonzero(self._held[low : high + 1]) + low
            first, last = max(at - 1, 0), min(at + 2, len(corners))
            self._replace(p, first, last, self._lowest(between))

    def _lowest(self, cuts: IndexArray) -> list[int]:
        if not len(cuts):
            return []
        # Of cuts that cost the same the one that flags fewer is to come first.
        cuts = cuts[::-1]
        points = self._points.take(cuts)
        found: list[int] = cuts[lowest_lines(points.fnr, points.fpr)].tolist()
        return found

"""Which stretches of a chain keep to limits while the prevalence is where."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, groupby
from operator import itemgetter
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.decision.limits.places import GapPlaces, LimitedChain
from costspace.decision.limits.splits import Pieces, roots, split
from costspace.deployment.bounds import Range


@final
@dataclass(frozen=True, eq=False)
class Kept(FrozenValue):
    """Stretches of a chain that keep to limits, each while the prevalence is in a range.

    Attributes
    ----------
    index : array of shape (m,)
        The segment that each is a part of, or the cut if they are cuts.
    first, last : GapPlaces of shape (m,)
        Where each begins and ends.
    low, high : array of shape (m,)
        The ends of the range; those of one index do not overlap.
    """

    index: IndexArray
    first: GapPlaces
    last: GapPlaces
    low: FloatArray
    high: FloatArray

    def changes(self) -> Iterator[tuple[float, list[tuple[int, bool]]]]:
        """The prevalences, ascending, at which stretches begin and cease to be kept.

        With each which they are, those that cease first, and whether they begin.
        """
        n = len(self.low)
        at = np.concatenate([self.high, self.low])
        begins = np.repeat([False, True], n)
        order = np.lexsort((begins, at))
        each = zip(at[order].tolist(), (order % n).tolist(), begins[order].tolist(), strict=True)
        for p, group in groupby(each, itemgetter(0)):
            yield p, [(which, begin) for _, which, begin in group]


def kept_cuts(limited: LimitedChain, span: Range) -> Kept:
    """The cuts that keep to the limits, and while the prevalence is where in a range."""
    pieces = _pieces(limited.last + 1, span, *_met(limited))
    points = limited.chain.points.take(pieces.of)
    cuts = GapPlaces.at_cuts(pieces.of)
    return _kept(pieces, cuts, cuts, limited.constraints.holds(points, pieces.middle))


def kept_stretches(limited: LimitedChain, span: Range) -> Kept:
    """The part of each segment that keeps to the limits, while the prevalence is where."""
    cut, met = _met(limited)
    both, meeting = _meetings(limited, span)
    segment, at = np.concatenate([cut - 1, cut, both]), np.concatenate([met, met, meeting])
    inside = (segment >= 0) & (segment < limited.last)
    pieces = _pieces(limited.last, span, segment[inside], at[inside])
    return _kept(pieces, *_stretches_at(limited, pieces.of, pieces.middle))


def _met(limited: LimitedChain) -> tuple[IndexArray, FloatArray]:
    """The cuts that a limit passes, and at which prevalence."""
    none, all_of = limited.excess
    limit, cut = np.nonzero(np.sign(none) * np.sign(all_of) < 0)
    return cut, none[limit, cut] / (none[limit, cut] - all_of[limit, cut])


def _meetings(limited: LimitedChain, span: Range) -> tuple[IndexArray, FloatArray]:
    """The segments on which two limits meet, and at which prevalence."""
    none, all_of = limited.excess
    ends = np.stack([(1 - p) * none + p * all_of for p in (span.low, span.high)])
    beyond: BoolArray = np.any(ends > 0, axis=0)
    within: BoolArray = np.any(ends <= 0, axis=0)
    met: BoolArray = (beyond[:, 1:] | beyond[:, :-1]) & (within[:, 1:] | within[:, :-1])
    segments, at = [np.zeros(0, dtype=np.intp)], [np.zeros(0)]
    for one, other in combinations(range(len(met)), 2):
        segment = np.flatnonzero(met[one] & met[other])

        limits = np.array([[[one]], [[other]]])
        sides = (part[limits, [segment, segment + 1]] for part in limited.excess)
        low, high = (np.full(len(segment), end) for end in (span.low, span.high))
        found = roots(partial(_turn, *sides), low, high)
        which, root = np.nonzero(np.isfinite(found))
        segments.append(segment[which])
        at.append(found[which, root])
    return np.concatenate(segments), np.concatenate(at)


def _turn(none: FloatArray, all_of: FloatArray, p: FloatArray) -> FloatArray:
    """Which of two limits is met first on segments, by its sign.

    Of each, how far it is exceeded at either end of the segments, at the prevalences 0 and 1.
    """
    one, other = (1 - p) * none + p * all_of
    return np.asarray(one[0] * other[1] - other[0] * one[1])


def _pieces(count: int, span: Range, of: IndexArray, at: FloatArray) -> Pieces:
    low, high = (np.full(count, end) for end in (span.low, span.high))
    return split(low, high, of, at)


def _stretches_at(
    limited: LimitedChain, segment: IndexArray, p: FloatArray
) -> tuple[GapPlaces, GapPlaces, BoolArray]:
    """Where each segment begins and ceases to keep to the limits at a prevalence, and whether."""
    low, high = np.zeros(len(p)), np.ones(len(p))
    entered, left = np.full(len(p), -1), np.full(len(p), -1)
    bounds = (
        limited.constraints.bounds(limited.chain.points.take(cut)).values()
        for cut in (segment, segment + 1)
    )
    for limit, ends in enumerate(zip(*bounds, strict=True)):
        before, after = (bound.excess(p) for bound in ends)
        fall = before - after
        crosses = (before <= 0) != (after <= 0)
        # Along a segment the excess is linear.
        root = np.divide(before, fall, out=np.zeros_like(fall), where=crosses)
        enters = np.where(before <= 0, 0.0, np.where(crosses, root, 2.0))
        leaves = np.where(after <= 0, 1.0, np.where(crosses, root, -1.0))
        entered, low = np.where(enters > low, limit, entered), np.maximum(low, enters)
        left, high = np.where(leaves < high, limit, left), np.minimum(high, leaves)
    # Two limits that meet in a point of the segment may have passed each other by rounding.
    unsure = np.flatnonzero((low > high) & (low <= 1) & (high >= 0))
    middle = limited.chain.between(segment[unsure], (low[unsure] + high[unsure]) / 2)
    meets = unsure[limited.constraints.holds(middle, p[unsure])]
    high[meets], left[meets] = low[meets], entered[meets]
    first, last = (
        GapPlaces(segment + (along == 1), np.where((along == 0) | (along == 1), -1, limit))
        for along, limit in ((low, entered), (high, left))
    )
    return first, last, low <= high


def _kept(pieces: Pieces, first: GapPlaces, last: GapPlaces, some: BoolArray) -> Kept:
    """What is kept, neighbouring pieces put together on which it begins and ends alike."""
    columns = np.stack([pieces.of, first.cut, first.limit, last.cut, last.limit])[:, some]
    low, high = pieces.low[some], pieces.high[some]
    new = np.ones(len(low), dtype=bool)
    new[1:] = np.any(columns[:, 1:] != columns[:, :-1], axis=0) | (low[1:] > high[:-1])
    begins = np.flatnonzero(new)
    ends = np.append(begins[1:], len(low)) - 1 if len(low) else begins
    of, *places = columns[:, begins]
    return Kept(of, GapPlaces(*places[:2]), GapPlaces(*places[2:]), low[begins], high[ends])

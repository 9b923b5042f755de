"""A method's thresholds, moved no further than constraints make them."""

from dataclasses import dataclass, fields
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.condition import negative_share
from costspace.decision.limits.stretches import Chain, Stretches
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.errors import ConditionError
from costspace.scores.table import ScoreTable

# Two ways whose lengths, in share flagged, differ by less are equally long.
TIED = 1e-14


def moved(
    own: ThresholdPath,
    holds: BoolArray,
    table: ScoreTable,
    chain: Chain,
    found: Stretches,
    *,
    randomise: bool,
) -> ThresholdPath:
    """The path with each infeasible rule replaced by the nearest feasible one.

    Parameters
    ----------
    own : ThresholdPath
        The method's.
    holds : array of bool, of shape (m,)
        Whether the rule that each piece of it begins with is feasible.
    table : ScoreTable
        Nearness is measured in the share of its rows that are flagged; at equal distance the
        rule that flags fewer is taken.
    chain : Chain
        Of all its cuts.
    found : Stretches
        The feasible parts of it; there are some, or with `randomise` off feasible cuts.
    randomise : bool
        Whether a moved rule may be a mix of two neighbouring thresholds.

    Raises
    ------
    ConditionError
        If the method splits more than one block of tied scores at a time.
    """
    rates = np.asarray(negative_share(table.prevalence, chain.points.fpr, chain.points.fnr))
    ways = _Ways(found, _gaps(found, rates, randomise=randomise), rates)
    at, is_ramp = _positions(own, table)
    flat, ramp = np.flatnonzero(~is_ramp), np.flatnonzero(is_ramp)
    parts = [
        _moved_points(flat, at.take(flat), holds[flat], ways),
        _split_ramps(ramp, at.segment[ramp], ways),
    ]
    columns = ([getattr(part, field.name) for part in parts] for field in fields(_Parts))
    both = _Parts(*map(np.concatenate, columns))
    # The parts of each piece are in order already.
    return _path(own, both.take(np.argsort(both.piece, kind="stable")), chain.thresholds)


@final
@dataclass(frozen=True, eq=False)
class _Positions(FrozenValue):
    """Positions along a chain: how far, in [0, 1], from one of its points to the next."""

    segment: IndexArray
    along: FloatArray

    def take(self, index: IndexArray) -> "_Positions":
        return _Positions(self.segment[index], self.along[index])

    def rate(self, rates: FloatArray) -> FloatArray:
        """Share not flagged, given that of the points."""
        low, high = rates[self.segment], rates[self.segment + 1]
        return (1 - self.along) * low + self.along * high


@final
@dataclass(frozen=True, eq=False)
class _Gap(FrozenValue):
    """Where to go from the infeasible part of each segment, before or after its feasible one.

    Attributes
    ----------
    below, above : _Positions of shape (k,)
        The nearest feasible positions that flag more and that flag fewer.
    middle : array of shape (k,)
        The share not flagged from which on the second is taken.
    """

    below: _Positions
    above: _Positions
    middle: FloatArray

    @classmethod
    def between(cls, below: _Positions, above: _Positions, rates: FloatArray) -> "_Gap":
        """The gaps between such positions; a segment of -1 or k stands for none."""
        k = len(rates) - 1
        is_below, is_above = below.segment >= 0, above.segment < k
        below = _Positions(np.maximum(below.segment, 0), below.along)
        above = _Positions(np.minimum(above.segment, k - 1), above.along)
        middle = (below.rate(rates) + above.rate(rates)) / 2
        only_way = np.where(is_below, np.inf, -np.inf)
        return cls(below, above, np.where(is_below & is_above, middle, only_way))


@final
@dataclass(frozen=True, eq=False)
class _Ways(FrozenValue):
    """Where a chain is feasible, where to go from elsewhere, and the share not flagged there."""

    found: Stretches
    gaps: tuple[_Gap, _Gap]
    rates: FloatArray


@final
@dataclass(frozen=True, eq=False)
class _Parts(FrozenValue):
    """Parts of the pieces of a path: each moves along one segment of a chain, or stays.

    Attributes
    ----------
    piece : array of shape (s,)
        Which piece it is a part of.
    share : array of shape (s,)
        How much of the piece is before it.
    segment, start, end : array of shape (s,)
        From where to where on which segment it moves.
    untouched : array of bool, of shape (s,)
        Whether the rule is the method's own, whose threshold need not be in the middle of a gap.
    """

    piece: IndexArray
    share: FloatArray
    segment: IndexArray
    start: FloatArray
    end: FloatArray
    untouched: BoolArray

    def take(self, index: IndexArray) -> "_Parts":
        return _Parts(*(getattr(self, field.name)[index] for field in fields(self)))


def _gaps(found: Stretches, rates: FloatArray, *, randomise: bool) -> tuple[_Gap, _Gap]:
    """The gaps before and after the feasible part of each segment; before all if it has none."""
    k = len(found.low)
    if not randomise:
        last, following = _neighbours(found.held)
        gap = _Gap.between(_at_cuts(last[:-1], k), _at_cuts(following[1:], k), rates)
        return gap, gap
    last, following = _neighbours(found.some)
    nearest, last, following = following, np.append(-1, last[:-1]), np.append(following[1:], k)
    low, high = np.append(found.low, 0.0), found.high
    before = _Gap.between(_Positions(last, high[last]), _Positions(nearest, low[nearest]), rates)
    after = _Gap.between(
        _Positions(np.arange(k), high), _Positions(following, low[following]), rates
    )
    return before, after


def _neighbours(held: BoolArray) -> tuple[IndexArray, IndexArray]:
    """The last index held up to each, -1 if none, and the first from each on, n if none."""
    n = len(held)
    index = np.arange(n)
    last = np.maximum.accumulate(np.where(held, index, -1))
    first = np.minimum.accumulate(np.where(held, index, n)[::-1])[::-1]
    return last, first


def _at_cuts(cuts: IndexArray, k: int) -> _Positions:
    """The positions of some of k + 1 cuts; -1 and k + 1 stand for none."""
    segment = np.where(cuts > k, k, np.minimum(cuts, k - 1))
    return _Positions(segment, (cuts == k).astype(float))


def _positions(own: ThresholdPath, table: ScoreTable) -> tuple[_Positions, BoolArray]:
    """Where each piece begins, and whether it moves from there to the end of the segment."""
    scores = table.by_score.breaks
    first = np.searchsorted(scores, own.threshold, side="right")
    second = np.searchsorted(scores, own.threshold_2, side="right")
    if np.any(second > first + 1):
        raise ConditionError(
            "constraints need a choice that splits one block of tied scores at a time: give the "
            "choice itself, not one fitted on another sample."
        )
    segment = np.minimum(first, len(scores) - 1)
    along = np.where(second > first, 1 - own.mix_start, first - segment)
    return _Positions(segment, along), (second > first) & (own.mix_start != own.mix_end)


def _moved_points(
    piece: IndexArray,
    at: _Positions,
    holds: BoolArray,
    ways: _Ways,
) -> _Parts:
    """The pieces that stay at one point."""
    found, gaps, rates = ways.found, ways.gaps, ways.rates
    low, high = found.low[at.segment], found.high[at.segment]
    stays = holds | ((low <= at.along) & (at.along <= high))
    segment, along, rate = at.segment.copy(), at.along.copy(), at.rate(rates)
    is_before = ~(low <= high) | (at.along < low)
    for gap, inside in zip(gaps, (is_before & ~stays, ~is_before & ~stays), strict=True):
        up = rate > gap.middle[at.segment] - TIED
        for target, index in ((gap.below, inside & ~up), (gap.above, inside & up)):
            to = target.take(at.segment[index])
            segment[index], along[index] = to.segment, to.along
    return _Parts(piece, np.zeros(len(piece)), segment, along, along, stays)


def _split_ramps(piece: IndexArray, segment: IndexArray, ways: _Ways) -> _Parts:
    """The pieces that move along a whole segment: each feasible part stays as it is."""
    found, gaps, rates = ways.found, ways.gaps, ways.rates
    some = found.some[segment]
    low, high = (np.where(some, end[segment], 1.0) for end in (found.low, found.high))
    width = rates[segment + 1] - rates[segment]
    first, second = (
        np.divide(gap.middle[segment] - rates[segment], width, out=0 * width, where=width > 0)
        for gap in gaps
    )
    first, second = np.clip(first, 0, low), np.clip(second, high, 1)
    edges = np.stack([np.zeros_like(low), first, low, high, second, np.ones_like(low)], axis=1)
    places = [
        *(position.take(segment) for position in (gaps[0].below, gaps[0].above)),
        _Positions(segment, low),
        *(position.take(segment) for position in (gaps[1].below, gaps[1].above)),
    ]
    ends = np.stack([place.along for place in places], axis=1)
    starts = ends.copy()
    ends[:, 2] = high
    used = edges[:, 1:] > edges[:, :-1]
    count = np.count_nonzero(used, axis=1)
    return _Parts(
        np.repeat(piece, count),
        edges[:, :-1][used],
        np.stack([place.segment for place in places], axis=1)[used],
        starts[used],
        ends[used],
        np.zeros(int(count.sum()), dtype=bool),
    )


def _path(own: ThresholdPath, parts: _Parts, thresholds: FloatArray) -> ThresholdPath:
    """The path of such parts, neighbours of one rule put together."""
    low, high = own.breaks[parts.piece], own.breaks[parts.piece + 1]
    start = np.minimum(low + parts.share * (high - low), high)
    at_end = parts.start == 1
    first = thresholds[parts.segment + at_end]
    second = np.where(parts.end > 0, thresholds[parts.segment + 1], first)
    one = first == second
    columns = [
        first,
        second,
        np.where(one, 1.0, 1 - parts.start),
        np.where(one, 1.0, 1 - parts.end),
    ]
    of_own = (own.threshold, own.threshold_2, own.mix_start, own.mix_end)
    rows = np.stack(
        [
            np.where(parts.untouched, mine[parts.piece], column)
            for mine, column in zip(of_own, columns, strict=True)
        ]
    )
    moves = rows[2] != rows[3]
    repeated = np.all(rows[:, 1:] == rows[:, :-1], axis=0) & ~moves[1:]
    new = np.append(True, ~repeated)
    return ThresholdPath(np.append(start[new], 1.0), *rows[:, new])

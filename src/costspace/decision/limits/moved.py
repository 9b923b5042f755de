"""A method's thresholds, moved no further than constraints make them."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.condition import negative_share
from costspace.decision.limits.stretches import Chain, Stretches
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.errors import ConditionError
from costspace.scores.table import ScoreTable

# Two ways whose lengths, in share flagged, differ by less are equally long.
_TIED = 1e-14


@final
@dataclass(frozen=True, eq=False)
class Positions(FrozenValue):
    """Positions along a chain: how far, in [0, 1], from one of its points to the next."""

    segment: IndexArray
    along: FloatArray

    @classmethod
    def of_points(cls, points: IndexArray, segments: int) -> "Positions":
        """Those of some points of a chain of so many segments."""
        segment = np.minimum(points, segments - 1)
        return cls(segment, (points - segment).astype(float))

    def take(self, index: IndexArray) -> "Positions":
        """Some of them."""
        return Positions(self.segment[index], self.along[index])

    def rate(self, rates: FloatArray) -> FloatArray:
        """Share not flagged, given that of the points."""
        low, high = rates[self.segment], rates[self.segment + 1]
        return (1 - self.along) * low + self.along * high

    def are_in(self, found: Stretches) -> BoolArray:
        """Whether they are on the stretches of their segments."""
        low, high = found.low[self.segment], found.high[self.segment]
        return np.asarray((low <= self.along) & (self.along <= high))


def positions_of(rules: ThresholdPath, table: ScoreTable) -> Positions:
    """Where the rules of a path are along all cuts of a table, as each piece begins.

    It raises `ConditionError` if one splits more than one block of tied scores at a time.
    """
    first, second = _passed(rules, table)
    if np.any(second > first + 1):
        raise ConditionError(
            "constraints need a choice that splits one block of tied scores at a time: give the "
            "choice itself, not one fitted on another sample."
        )
    at = Positions.of_points(first, len(table.by_score.breaks))
    return Positions(at.segment, np.where(second > first, 1 - rules.mix_start, at.along))


def moved(
    own: ThresholdPath,
    table: ScoreTable,
    chain: Chain,
    found: Stretches,
    *,
    at: Positions,
    holds: BoolArray,
    randomise: bool,
) -> ThresholdPath:
    """The path with each infeasible rule replaced by the nearest feasible one.

    Parameters
    ----------
    own : ThresholdPath
        The method's.
    table : ScoreTable
        Nearness is measured in the share of its rows that are flagged; at equal distance the
        rule that flags fewer is taken.
    chain : Chain
    found : Stretches
        The feasible parts of it; there are some, or with `randomise` off feasible cuts.
    at : Positions of shape (m,)
        Where on the chain each piece of it begins.
    holds : array of bool, of shape (m,)
        Whether the rule there is feasible.
    randomise : bool
        Whether a moved rule may be a mix of two neighbouring thresholds.
    """
    rates = np.asarray(negative_share(table.prevalence, chain.points.fpr, chain.points.fnr))
    ways = _Ways.of(found, rates, randomise=randomise)
    first, second = _passed(own, table)
    is_ramp = (second > first) & (own.mix_start != own.mix_end)
    flat, ramps = np.flatnonzero(~is_ramp), np.flatnonzero(is_ramp)
    both = _kept_or_moved(flat, at.take(flat), holds[flat], found, ways)
    if len(ramps):
        split = _split(ramps, at.segment[ramps], found, ways)
        pairs = ((getattr(one, field.name) for one in (both, split)) for field in fields(_Parts))
        both = _Parts(*(np.concatenate(list(pair)) for pair in pairs))
    # The parts of each piece are in order already.
    return _path(own, both.take(np.argsort(both.piece, kind="stable")), chain.thresholds)


def _passed(rules: ThresholdPath, table: ScoreTable) -> tuple[IndexArray, IndexArray]:
    """How many scores of a table either threshold of each piece is not below."""
    first, second = (
        np.searchsorted(table.by_score.breaks, thresholds, side="right")
        for thresholds in (rules.threshold, rules.threshold_2)
    )
    return first, second


@final
@dataclass(frozen=True, eq=False)
class _Parts(FrozenValue):
    """Parts of the pieces of a path: each moves along one segment of a chain, or stays."""

    piece: IndexArray  # shape (s,): which piece it is a part of
    share: FloatArray  # shape (s,): how much of the piece is before it
    # Shape (s,): from where to where on which segment it moves.
    segment: IndexArray
    start: FloatArray
    end: FloatArray
    # Shape (s,): whether the rule is the method's own, whose threshold need not be in the middle of
    # a gap.
    untouched: BoolArray

    def take(self, index: IndexArray) -> "_Parts":
        return _Parts(*(getattr(self, field.name)[index] for field in fields(self)))


@final
@dataclass(frozen=True, eq=False)
class _Ways(FrozenValue):
    """Where to go along a chain: from where to where each feasible stretch of it is."""

    low: Positions
    high: Positions
    rates: FloatArray

    @classmethod
    def of(cls, found: Stretches, rates: FloatArray, *, randomise: bool) -> "_Ways":
        """The ways to feasible mixes, or to feasible cuts alone."""
        if randomise:
            some = np.flatnonzero(found.some)
            low, high = (Positions(some, ends[some]) for ends in (found.low, found.high))
            return cls(low, high, rates)
        cuts = Positions.of_points(np.flatnonzero(found.held), len(found.low))
        return cls(cuts, cuts, rates)

    @cached_property
    def middles(self) -> FloatArray:
        """The shares not flagged from which on the next stretch is nearer."""
        return (self.high.rate(self.rates)[:-1] + self.low.rate(self.rates)[1:]) / 2

    @property
    def turns(self) -> Positions:
        """The positions of those shares."""
        of = np.minimum(np.searchsorted(self.rates, self.middles, "right"), len(self.rates) - 1) - 1
        width = self.rates[of + 1] - self.rates[of]
        beyond = self.middles - self.rates[of]
        return Positions(of, np.divide(beyond, width, out=np.zeros_like(width), where=width > 0))

    def nearest_to(self, at: Positions, stays: BoolArray) -> Positions:
        """Where to go from each of some positions, but from those that stay."""
        which = np.searchsorted(self.middles, at.rate(self.rates) + _TIED)
        low, high = self.low.take(which), self.high.take(which)
        up = at.segment + at.along <= low.segment + low.along
        return Positions(
            np.where(stays, at.segment, np.where(up, low.segment, high.segment)),
            np.where(stays, at.along, np.where(up, low.along, high.along)),
        )


def _kept_or_moved(
    piece: IndexArray, at: Positions, holds: BoolArray, found: Stretches, ways: _Ways
) -> _Parts:
    """The pieces that stay at one point."""
    stays = holds | at.are_in(found)
    to = ways.nearest_to(at, stays)
    return _Parts(piece, np.zeros(len(piece)), to.segment, to.along, to.along, stays)


def _split(piece: IndexArray, segment: IndexArray, found: Stretches, ways: _Ways) -> _Parts:
    """The pieces that move along a whole segment each: each feasible part stays as it is."""
    some, turns = np.flatnonzero(found.some), ways.turns
    turns = turns.take(np.flatnonzero(~turns.are_in(found)))
    cut = np.concatenate([segment, some, some, turns.segment])
    start = np.concatenate([np.zeros(len(segment)), found.low[some], found.high[some], turns.along])
    order = np.lexsort((start, cut))
    cut, start = cut[order], start[order]
    end = np.append(np.where(cut[1:] == cut[:-1], start[1:], 1.0), 1.0)
    moves = np.zeros(len(found.low), dtype=bool)
    moves[segment] = True
    used = np.flatnonzero(moves[cut] & (end > start))
    cut, start, end = cut[used], start[used], end[used]
    inside = Positions(cut, (start + end) / 2)
    stays = inside.are_in(found)
    to = ways.nearest_to(inside, stays)
    first, last = (np.where(stays, side, to.along) for side in (start, end))
    place = np.searchsorted(segment, cut)
    return _Parts(piece[place], start, to.segment, first, last, np.zeros(len(cut), dtype=bool))


def _path(own: ThresholdPath, parts: _Parts, thresholds: FloatArray) -> ThresholdPath:
    """The path of such parts, neighbours of one rule put together."""
    low, high = own.breaks[parts.piece], own.breaks[parts.piece + 1]
    begin = np.minimum(low + parts.share * (high - low), high)
    first = thresholds[parts.segment + (parts.start == 1)]
    second = np.where(parts.end > 0, thresholds[parts.segment + 1], first)
    one = first == second
    columns = first, second, np.where(one, 1.0, 1 - parts.start), np.where(one, 1.0, 1 - parts.end)
    of_own = own.threshold, own.threshold_2, own.mix_start, own.mix_end
    rows = np.stack(
        [
            np.where(parts.untouched, mine[parts.piece], column)
            for mine, column in zip(of_own, columns, strict=True)
        ]
    )
    moves = rows[2] != rows[3]
    repeated = np.all(rows[:, 1:] == rows[:, :-1], axis=0) & ~moves[1:]
    new = np.append(True, ~repeated)
    return ThresholdPath(np.append(begin[new], 1.0), *rows[:, new])

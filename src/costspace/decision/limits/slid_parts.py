"""The parts of a chain that a rule within limits passes whose choice goes by the share flagged."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.choices.flagging import Exposure, SlidingFlagging
from costspace.costs import CostDistribution
from costspace.decision.limits.gaps import Gaps
from costspace.decision.limits.lifetimes import Kept
from costspace.decision.limits.moved import TIED
from costspace.decision.limits.places import GapPlaces, LimitedChain
from costspace.decision.limits.splits import Pieces, roots, split, split_where_passed


@final
@dataclass(frozen=True, eq=False)
class _Unflagged(FrozenValue):
    """Shares of the rows that are not flagged: the mean of those at two places, and a bit more."""

    one: GapPlaces
    other: GapPlaces
    more: FloatArray

    @classmethod
    def at(cls, places: GapPlaces, more: float = 0.0) -> "_Unflagged":
        return cls(places, places, np.full(len(places.cut), more))

    @classmethod
    def joined(cls, *parts: "_Unflagged") -> "_Unflagged":
        return cls(
            GapPlaces.joined(*(part.one for part in parts)),
            GapPlaces.joined(*(part.other for part in parts)),
            np.concatenate([part.more for part in parts]),
        )

    def take(self, index: IndexArray) -> "_Unflagged":
        return _Unflagged(self.one.take(index), self.other.take(index), self.more[index])

    def on(self, limited: LimitedChain, p: FloatArray) -> FloatArray:
        return (limited.rate(self.one, p) + limited.rate(self.other, p)) / 2 + self.more

    def fall(self, limited: LimitedChain, p: FloatArray) -> FloatArray:
        """What makes it a polynomial of the prevalence."""
        return limited.fall(self.one, p) * limited.fall(self.other, p)


@final
@dataclass(frozen=True, eq=False)
class Slid(FrozenValue):
    """Parts that are passed while the share that is not flagged grows from one to another.

    Attributes
    ----------
    limited : LimitedChain
    first, last : GapPlaces of shape (m,)
        From where to where.
    low, high : array of shape (m,)
        The range of the prevalence of each.
    start, end : _Unflagged of shape (m,)
        The shares.
    drawn : CostDistribution, optional
        Where the share lies, if the costs have no say in it; else it is the cost proportion.
    """

    limited: LimitedChain
    first: GapPlaces
    last: GapPlaces
    low: FloatArray
    high: FloatArray
    start: _Unflagged
    end: _Unflagged
    drawn: CostDistribution | None

    @classmethod
    def of(
        cls, limited: LimitedChain, kept: Kept, gaps: Gaps, drawn: CostDistribution | None
    ) -> "Slid":
        """The parts of a chain of which stretches are kept, and of the gaps between them."""
        pieces = _halfway(limited, gaps)
        first, last, below, above = (
            places.take(pieces.of) for places in (gaps.first, gaps.last, gaps.below, gaps.above)
        )
        before, after = _Unflagged.at(first, TIED), _Unflagged.at(last, -TIED)
        jump = _jump(limited, gaps, pieces)
        found = cls(
            limited,
            GapPlaces.joined(kept.first, first, below, above),
            GapPlaces.joined(kept.last, below, above, last),
            np.concatenate([kept.low, *[pieces.low] * 3]),
            np.concatenate([kept.high, *[pieces.high] * 3]),
            _Unflagged.joined(_Unflagged.at(kept.first), before, jump, after),
            _Unflagged.joined(_Unflagged.at(kept.last), before, jump, after),
            drawn,
        )
        return found.take(np.flatnonzero(found.first.differ(found.last)))

    def take(self, index: IndexArray) -> "Slid":
        """Those at an array of positions."""
        return Slid(
            self.limited,
            self.first.take(index),
            self.last.take(index),
            self.low[index],
            self.high[index],
            self.start.take(index),
            self.end.take(index),
            self.drawn,
        )

    def split_at(self, edges: FloatArray) -> Pieces:
        """The ranges, cut where either share passes one of some, ascending."""
        whole = Pieces(np.arange(len(self.low)), self.low, self.high)
        if self.drawn is not None:
            edges = self.drawn.atoms[0]
        return self._split(self.end, self._split(self.start, whole, edges), edges)

    def _split(self, rates: _Unflagged, pieces: Pieces, edges: FloatArray) -> Pieces:
        rates = rates.take(pieces.of)

        def difference(of: IndexArray, edge: IndexArray, p: FloatArray) -> FloatArray:
            at = rates.take(of)
            return (at.on(self.limited, p) - edges[edge]) * at.fall(self.limited, p)

        none = np.zeros(len(pieces.of), dtype=np.intp)
        found = split_where_passed(
            pieces.low,
            pieces.high,
            (none, none + len(edges)),
            lambda p: np.searchsorted(edges, rates.on(self.limited, p)),
            difference,
        )
        return Pieces(pieces.of[found.of], found.low, found.high)

    def exposure(self, of: IndexArray, p: FloatArray, costs: CostDistribution) -> Exposure:
        """What a row that each part flags or not risks at a prevalence."""
        start = self.start.take(of).on(self.limited, p)
        end = np.maximum(self.end.take(of).on(self.limited, p), start)
        if self.drawn is None:
            return SlidingFlagging(start, end).exposure(costs)
        flagged, mean = _share_below(self.drawn, start, end), costs.mean()
        return Exposure(flagged * mean, (1 - flagged) * (1 - mean))


def _halfway(limited: LimitedChain, gaps: Gaps) -> Pieces:
    """The ranges of gaps, cut where an end of one is halfway between the places to go to."""
    middle = _Unflagged(gaps.below, gaps.above, np.zeros(len(gaps.low)))
    of, at = [], []
    for end in (gaps.first, gaps.last):
        # Where the end is a place to go to it is halfway nowhere.
        other = np.flatnonzero(end.differ(gaps.below) & end.differ(gaps.above) & (gaps.only == 0))
        half, away = middle.take(other), _Unflagged.at(end.take(other))

        def difference(
            p: FloatArray, half: _Unflagged = half, away: _Unflagged = away
        ) -> FloatArray:
            apart = half.on(limited, p) - away.on(limited, p)
            return apart * limited.fall(away.one, p)

        found = roots(difference, gaps.low[other], gaps.high[other])
        which, root = np.nonzero(np.isfinite(found))
        of.append(other[which])
        at.append(found[which, root])
    return split(gaps.low, gaps.high, np.concatenate(of), np.concatenate(at))


def _jump(limited: LimitedChain, gaps: Gaps, pieces: Pieces) -> _Unflagged:
    """The share from which on the place above a gap is taken, and not the one below."""
    of, p = pieces.of, pieces.middle
    only, first, last = gaps.only[of], gaps.first.take(of), gaps.last.take(of)
    half = _Unflagged(gaps.below.take(of), gaps.above.take(of), np.full(len(of), -TIED))
    middle = half.on(limited, p)
    up = (only > 0) | ((only == 0) & (middle <= limited.rate(first, p)))
    down = (only < 0) | ((only == 0) & (middle >= limited.rate(last, p)))
    one = first.where(up, last.where(down, half.one))
    other = first.where(up, last.where(down, half.other))
    # An end of the chain that is not kept is left by all, whatever they flag.
    beyond = np.where((only > 0) & (first.cut == 0) & (first.limit < 0), -1.0, TIED)
    short = np.where((only < 0) & (last.cut == limited.last), 1.0, -TIED)
    return _Unflagged(one, other, np.where(up, beyond, short))


def _share_below(drawn: CostDistribution, start: FloatArray, end: FloatArray) -> FloatArray:
    """How likely what is drawn is below an end that is itself uniform from one to another."""
    width = end - start
    mean = [x * drawn.below(x, 0) - drawn.below(x, 1) for x in (end, start)]
    return np.divide(mean[0] - mean[1], width, out=drawn.below(start, 0), where=width > 0)

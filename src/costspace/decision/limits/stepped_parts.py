"""The parts of a chain that a rule within limits passes whose choice steps from cut to cut."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.choices.flagging import Exposure, SwitchedFlagging
from costspace.condition import cost_from_skew
from costspace.costs import CostDistribution
from costspace.decision.limits.gaps import Gaps
from costspace.decision.limits.lifetimes import Kept
from costspace.decision.limits.moved import TIED
from costspace.decision.limits.places import GapPlaces, LimitedChain
from costspace.decision.limits.splits import Pieces, split_where_passed


@final
@dataclass(frozen=True, eq=False)
class Stepped(FrozenValue):
    """Parts that are passed at one condition, each in a range of the prevalence.

    Attributes
    ----------
    first, last : GapPlaces of shape (m,)
        From where to where.
    low, high : array of shape (m,)
        The ends of the range.
    at : array of shape (m,), in [0, 1]
        The condition.
    by_skew : bool
        Whether it is a skew, else a cost proportion.
    """

    first: GapPlaces
    last: GapPlaces
    low: FloatArray
    high: FloatArray
    at: FloatArray
    by_skew: bool

    @classmethod
    def of_gaps(
        cls, limited: LimitedChain, gaps: Gaps, switches: FloatArray, *, by_skew: bool
    ) -> "Stepped":
        """The gaps of a choice that steps from cut to cut at some conditions."""
        pieces, cut = _halfway(limited, gaps)
        only = gaps.only[pieces.of]
        inner = switches[np.clip(cut, 0, len(switches) - 1)]
        at = np.where(only > 0, 0.0, np.where(only < 0, 1.0, inner))
        first, last = gaps.first.take(pieces.of), gaps.last.take(pieces.of)
        return cls(first, last, pieces.low, pieces.high, at, by_skew)

    @classmethod
    def of_stretches(cls, kept: Kept, switches: FloatArray, *, by_skew: bool) -> "Stepped":
        """The stretches of segments, each of which is passed at a condition."""
        at = switches[kept.index]
        return cls(kept.first, kept.last, kept.low, kept.high, at, by_skew)

    def and_those(self, other: "Stepped") -> "Stepped":
        """These parts, and others by the same axis."""
        return Stepped(
            GapPlaces.joined(self.first, other.first),
            GapPlaces.joined(self.last, other.last),
            np.concatenate([self.low, other.low]),
            np.concatenate([self.high, other.high]),
            np.concatenate([self.at, other.at]),
            self.by_skew,
        )

    def split_at(self, edges: FloatArray) -> Pieces:
        """The ranges, cut where the cost proportion passes one of some, ascending."""

        def passed(p: FloatArray) -> IndexArray:
            return np.searchsorted(edges, self._condition(slice(None), p))

        def difference(of: IndexArray, edge: IndexArray, p: FloatArray) -> FloatArray:
            at, c = self.at[of], edges[edge]
            return at * p * (1 - c) - c * (1 - at) * (1 - p)

        count = len(edges) if self.by_skew else 0
        none = np.zeros(len(self.at), dtype=np.intp)
        return split_where_passed(self.low, self.high, (none, none + count), passed, difference)

    def exposure(self, of: IndexArray, p: FloatArray, costs: CostDistribution) -> Exposure:
        """What a row that each part flags or not risks at a prevalence."""
        return SwitchedFlagging(self._condition(of, p)).exposure(costs)

    def _condition(self, of: IndexArray | slice, p: FloatArray) -> FloatArray:
        at = self.at[of]
        return np.asarray(cost_from_skew(at, p)) if self.by_skew else at


def _halfway(limited: LimitedChain, gaps: Gaps) -> tuple[Pieces, IndexArray]:
    """The ranges of gaps, cut where a cut is halfway, and the last cut that is less than that."""
    two_ways = gaps.only == 0
    first = gaps.below.cut + 1
    after = np.where(two_ways, np.maximum(gaps.above.cut + (gaps.above.limit >= 0), first), first)

    def middle(of: IndexArray, p: FloatArray) -> FloatArray:
        below, above = (limited.rate(to.take(of), p) for to in (gaps.below, gaps.above))
        return (below + above) / 2 - TIED

    def passed_in(of: IndexArray, p: FloatArray) -> IndexArray:
        least, most, half = first[of], after[of], middle(of, p)
        while np.any(least < most):
            cut = (least + most) // 2
            up = limited.rate(GapPlaces.at_cuts(np.minimum(cut, limited.last)), p) > half
            going = least < most
            least, most = np.where(going & ~up, cut + 1, least), np.where(going & up, cut, most)
        return least - first[of]

    def difference(of: IndexArray, cut: IndexArray, p: FloatArray) -> FloatArray:
        falls = (limited.fall(to.take(of), p) for to in (gaps.below, gaps.above))
        away = limited.rate(GapPlaces.at_cuts(cut), p) - middle(of, p)
        return away * np.prod(list(falls), axis=0)

    every = np.arange(len(first))
    pieces = split_where_passed(
        gaps.low, gaps.high, (first, after), lambda p: passed_in(every, p), difference
    )
    return pieces, gaps.below.cut[pieces.of] + passed_in(pieces.of, pieces.middle)

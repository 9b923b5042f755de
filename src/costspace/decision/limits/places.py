"""Places along a chain of cuts: at one of them, or where a limit is met between two."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.curve import OperatingPoints
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.stretches import Chain


@final
@dataclass(frozen=True, eq=False)
class GapPlaces(FrozenValue):
    """Places along a chain.

    Attributes
    ----------
    cut : array of shape (m,)
        The cut that is there, or the one before.
    limit : array of shape (m,)
        Which limit is met there, between that cut and the next; -1 for a place at a cut.
    """

    cut: IndexArray
    limit: IndexArray

    @classmethod
    def at_cuts(cls, cuts: IndexArray) -> "GapPlaces":
        """The places of some cuts."""
        return cls(cuts, np.full(len(cuts), -1))

    @classmethod
    def joined(cls, *parts: "GapPlaces") -> "GapPlaces":
        """Some places, and then others."""
        cuts, limits = zip(*((part.cut, part.limit) for part in parts), strict=True)
        return cls(np.concatenate(cuts), np.concatenate(limits))

    def each(self) -> list[tuple[int, int]]:
        """The cut and the limit of each."""
        return list(zip(self.cut.tolist(), self.limit.tolist(), strict=True))

    def take(self, index: IndexArray) -> "GapPlaces":
        """Those at an array of positions."""
        return GapPlaces(self.cut[index], self.limit[index])

    def where(self, these: BoolArray, others: "GapPlaces") -> "GapPlaces":
        """These places where that is said, else others."""
        return GapPlaces(
            np.where(these, self.cut, others.cut), np.where(these, self.limit, others.limit)
        )

    def differ(self, others: "GapPlaces") -> BoolArray:
        """Whether each is another place."""
        return (self.cut != others.cut) | (self.limit != others.limit)


@final
@dataclass(frozen=True, eq=False)
class LimitedChain(FrozenValue):
    """A chain of cuts and what limits it, as the prevalence varies.

    Attributes
    ----------
    chain : Chain
        By rows, which is what is limited.
    costs : OperatingPoints
        Where its cuts work in rates of cost.
    constraints : Constraints
        Without a margin for chance: how far a point is beyond a limit is linear in the prevalence.
    excess : array of shape (2, k, n)
        How far each of k limits is exceeded at each of n cuts at the prevalences 0 and 1.
    """

    chain: Chain
    costs: OperatingPoints
    constraints: Constraints
    excess: FloatArray

    @classmethod
    def of(cls, chain: Chain, costs: OperatingPoints, constraints: Constraints) -> "LimitedChain":
        """The chain with the constraints on it."""
        bounds = constraints.bounds(chain.points).values()
        excess = [[bound.negatives for bound in bounds], [bound.positives for bound in bounds]]
        return cls(chain, costs, constraints, np.array(excess))

    @property
    def last(self) -> int:
        """The last cut, which flags nobody."""
        return len(self.chain.thresholds) - 1

    def fall(self, at: GapPlaces, p: FloatArray) -> FloatArray:
        """How far the limit that is met at each place falls from the cut before to the next.

        Rates there are quotients of quadratics of the prevalence by it; at a cut it is 1.
        """
        before, after = self._beyond(at, p)
        return np.where(at.limit < 0, 1.0, before - after)

    def rate(self, at: GapPlaces, p: FloatArray) -> FloatArray:
        """The share of the rows that is not flagged at each place."""
        points = self.chain.points
        fpr, fnr = self._between(at, p, points.fpr), self._between(at, p, points.fnr)
        return (1 - p) * (1 - fpr) + p * fnr

    def rates_of_cost(self, at: GapPlaces, p: FloatArray) -> OperatingPoints:
        """Where each place works, in rates of cost."""
        return OperatingPoints(
            self._between(at, p, self.costs.fpr), self._between(at, p, self.costs.fnr)
        )

    def _beyond(self, at: GapPlaces, p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How far the cut before each place and the next are beyond the limit met there."""
        limit, after = np.maximum(at.limit, 0), np.minimum(at.cut + 1, self.last)
        none, all_of = self.excess
        first, second = (
            (1 - p) * none[limit, cut] + p * all_of[limit, cut] for cut in (at.cut, after)
        )
        return first, second

    def _between(self, at: GapPlaces, p: FloatArray, of_cuts: FloatArray) -> FloatArray:
        """What is linear between cuts, at each place."""
        before, after = self._beyond(at, p)
        fall = before - after
        met = (at.limit >= 0) & (fall != 0)
        along = np.clip(np.divide(before, fall, out=np.zeros_like(fall), where=met), 0, 1)
        following = of_cuts[np.minimum(at.cut + 1, self.last)]
        return (1 - along) * of_cuts[at.cut] + along * following

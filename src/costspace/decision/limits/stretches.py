"""Which parts of a chain of operating points keep to constraints, and what to say if none does."""

from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.curve import OperatingPoints
from costspace.decision.limits.constraints import Constraints
from costspace.decision.rules.above import above
from costspace.errors import InfeasibleError
from costspace.scores.table import ScoreTable

# What these limit conflicts with every other constraint: nobody flagged keeps to all others.
_DEMANDS = {"min_recall": "recall", "min_npv": "negative predictive value"}


@final
@dataclass(frozen=True, eq=False)
class Chain(FrozenValue):
    """Thresholds, ascending from flagging everybody to nobody, and where they work.

    The operating points between two neighbours are those of rules that draw one of them.
    """

    thresholds: FloatArray  # shape (n,)
    points: OperatingPoints  # shape (n,)

    @classmethod
    def of_cuts(cls, table: ScoreTable) -> "Chain":
        """Every threshold that tells the rows of a table apart in another way."""
        thresholds = np.concatenate([[-np.inf], table.cut_points, [np.inf]])
        return cls(thresholds, table.distinct_points.after_flagging_all())

    @classmethod
    def of_hull(cls, table: ScoreTable) -> "Chain":
        """The corners of the ROC hull of a table."""
        return cls(table.hull_thresholds, above(table, table.hull_thresholds))

    def between(self, index: IndexArray, along: FloatArray) -> OperatingPoints:
        """The points `along` the way from each point of an index to the next, in [0, 1]."""
        first, second = self.points.take(index), self.points.take(index + 1)
        return OperatingPoints(
            (1 - along) * first.fpr + along * second.fpr,
            (1 - along) * first.fnr + along * second.fnr,
        )


@final
@dataclass(frozen=True, eq=False)
class Stretches(FrozenValue):
    """The parts of a chain that keep to constraints: of each segment at most one."""

    held: BoolArray  # shape (n,): whether each point of the chain does
    # Shape (n - 1,): from and to where each segment does, as shares of its length; the low above
    # the high where it does nowhere.
    low: FloatArray
    high: FloatArray

    @property
    def some(self) -> BoolArray:
        """Which segments have a part that does."""
        return self.low <= self.high


def feasible_stretches(
    chain: Chain, constraints: Constraints, prevalences: FloatArray
) -> Stretches:
    """The parts of a chain that keep to constraints at each of some prevalences."""
    n = len(chain.thresholds)
    held, low, high = np.ones(n, dtype=bool), np.zeros(n - 1), np.ones(n - 1)
    for bound in constraints.bounds(chain.points).values():
        for prevalence in prevalences:
            excess = bound.excess(prevalence)
            inside = excess <= 0
            held &= inside
            before, after = inside[:-1], inside[1:]
            # Along a segment the excess is linear.
            fall = excess[:-1] - excess[1:]
            root = np.divide(excess[:-1], fall, out=np.zeros_like(fall), where=before != after)
            np.maximum(low, np.where(before, 0.0, np.where(after, root, 2.0)), out=low)
            np.minimum(high, np.where(after, 1.0, np.where(before, root, -1.0)), out=high)
    # Two limits that meet in a point of the segment may have passed each other by rounding.
    unsure = np.flatnonzero((low > high) & (low <= 1) & (high >= 0))
    middle = (low[unsure] + high[unsure]) / 2
    meets = constraints.holds(chain.between(unsure, middle), prevalences[:, None]).all(axis=0)
    low[unsure[meets]] = high[unsure[meets]] = middle[meets]
    return Stretches(held, low, high)


def infeasible(
    chain: Chain, constraints: Constraints, prevalences: FloatArray, *, randomise: bool
) -> InfeasibleError:
    """The error that names the fewest constraints in conflict, and how near one comes."""
    for size in range(1, len(constraints.names) + 1):
        for names in combinations(constraints.names, size):
            some = constraints.only(names)
            if not len(_points_within(chain, some, prevalences, randomise=randomise).fpr):
                return _conflict(chain, some, prevalences, randomise=randomise)
    raise AssertionError("the constraints can be kept to")


def _conflict(
    chain: Chain, constraints: Constraints, prevalences: FloatArray, *, randomise: bool
) -> InfeasibleError:
    asked = next(name for name in _DEMANDS if name in constraints)
    rest = constraints.without(asked)
    points = _points_within(chain, rest, prevalences, randomise=randomise)
    reached = constraints.reached(points, prevalences[:, None]).of(asked)
    best = float(np.broadcast_to(reached, (len(prevalences), len(points.fpr))).min(axis=0).max())
    which = "no threshold, nor a mix of two," if randomise else "no threshold"
    under = f" under the constraints {rest}" if rest else ""
    if constraints.room is not None:
        under = f"{under}, with a margin for chance"
    at = " and ".join(f"{prevalence:g}" for prevalence in np.unique(prevalences))
    near = ", which leaves too small a margin" if best >= constraints.limits[asked] else ""
    error = InfeasibleError(
        f"{which} has {constraints.sentence(asked)}{under}, at prevalence {at}: the highest "
        f"{_DEMANDS[asked]} there is {100 * best:.4g} %{near}."
    )
    error.shortfall = constraints.limits[asked] - best
    return error


def _points_within(
    chain: Chain, constraints: Constraints, prevalences: FloatArray, *, randomise: bool
) -> OperatingPoints:
    """The points of a chain that keep to constraints: with mixes, the ends of every stretch."""
    found = feasible_stretches(chain, constraints, prevalences)
    if not randomise:
        return chain.points.take(np.flatnonzero(found.held))
    segments = np.flatnonzero(found.some)
    ends = np.concatenate([found.low[segments], found.high[segments]])
    return chain.between(np.tile(segments, 2), ends)

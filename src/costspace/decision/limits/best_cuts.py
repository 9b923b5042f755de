"""The cuts that cost least within constraints."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.choices import Optimal
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPath, OperatingPoints
from costspace.decision.limits.constraints import Bound, Constraints
from costspace.decision.limits.stretches import Chain, infeasible
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.roc.hull import lowest_lines


@final
@dataclass(frozen=True, eq=False)
class BestCuts(FrozenValue):
    """The cuts of some scores that cost least at each skew, of those that keep to constraints.

    They depend on the prevalence only by which cuts are feasible there, so that of each set of
    those they are found once, however many prevalences are asked for.
    """

    scores: CostedScores
    constraints: Constraints

    def path(self, prevalences: FloatArray) -> ThresholdPath:
        """The path of rules that keep to the constraints at each of some prevalences."""
        held = self._held(prevalences)
        if held.all():
            return thresholds_of(Optimal(), self.scores.costs)
        best = self._best(held.tobytes())
        return ThresholdPath.stepping(best.conditions(self.scores.prevalence), best.thresholds)

    def operating_path(self, prevalence: float) -> OperatingPath:
        """Where the rules work that keep to the constraints at one prevalence, at that."""
        held = self._held(np.array([prevalence]))
        if held.all():
            costs = self.scores.costs.with_prevalence(prevalence)
            return thresholds_of(Optimal(), costs).on(costs)
        best = self._best(held.tobytes())
        return OperatingPath.stepping(best.conditions(prevalence), best.points, prevalence)

    def _held(self, prevalences: FloatArray) -> BoolArray:
        """Which cuts keep to the constraints at all of some prevalences; some do."""
        held = np.ones(len(self._chain.thresholds), dtype=bool)
        for bound in self._bounds:
            for prevalence in prevalences:
                held &= bound.excess(prevalence) <= 0
        if not held.any():
            raise infeasible(self._chain, self.constraints, prevalences, randomise=False)
        return held

    @cached_property
    def _chain(self) -> Chain:
        return Chain.of_cuts(self.scores.rows)

    @cached_property
    def _bounds(self) -> tuple[Bound, ...]:
        return tuple(self.constraints.bounds(self._chain.points).values())

    @cached_property
    def _best(self) -> Callable[[bytes], "_Best"]:
        cuts, by_score = self._chain.thresholds, self.scores.costs.by_score

        @lru_cache(maxsize=1000)
        def best(held: bytes) -> _Best:
            # Of cuts that cost the same the one that flags fewer is to come first.
            thresholds = cuts[np.frombuffer(held, dtype=bool)][::-1]
            points = by_score.at(thresholds)
            lowest = lowest_lines(points.fnr, points.fpr)
            return _Best(thresholds[lowest], points.take(lowest))

        return best


@final
@dataclass(frozen=True, eq=False)
class _Best(FrozenValue):
    """The corners of the lower hull of some cuts, from flagging most to fewest."""

    thresholds: FloatArray
    points: OperatingPoints

    def conditions(self, prevalence: float) -> FloatArray:
        """The cost proportions at which one cut takes over from another."""
        return np.asarray(cost_from_skew(self._skews, prevalence=prevalence))

    @cached_property
    def _skews(self) -> FloatArray:
        fp, fn = -np.diff(self.points.fpr), np.diff(self.points.fnr)
        # Slopes that differ by less than rounding may have lost their order.
        return np.maximum.accumulate(fn / (fp + fn))

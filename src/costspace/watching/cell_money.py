"""What a rule costs on new rows without labels, under each of two assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.deployment.conditions import CASES, JointConditions
from costspace.estimates.interval import Ends
from costspace.watching.calibrated_mean import calibrated_mean
from costspace.watching.cell_estimates import CellEstimate, joined
from costspace.watching.mixture_cells import MixtureCells

if TYPE_CHECKING:
    from costspace.decision.rules.rule import Rule


def costs_of_actions(conditions: JointConditions) -> FloatArray:
    """What passing and flagging cost on a negative and on a positive, on average.

    Of shape (2, 2): a row for each class, a column for each action.
    """
    classes = np.array([1 - conditions.mean_prevalence, conditions.mean_prevalence])
    right = np.array(conditions.of_right)
    found: FloatArray = (conditions.stakes + right[:, None]) / classes[:, None]
    return found


@final
@dataclass(frozen=True, eq=False)
class CellMoney(FrozenValue):
    """What a rule costs by class and cell, per 1,000 cases; or more than another."""

    cells: MixtureCells
    within: IndexArray  # shape (k,): which of the wider cells that have shares each is in
    of_each: FloatArray  # shape (2, k)

    @classmethod
    def of(
        cls, cells: MixtureCells, within: IndexArray, rule: Rule, costs: FloatArray
    ) -> CellMoney:
        """The cells have an edge at each of the rule's cuts."""
        flagged = rule.flagged(np.append(cells.edges, np.inf))
        return cls(cells, within, CASES * (costs[:, :1] + (costs[:, 1:] - costs[:, :1]) * flagged))

    def minus(self, other: CellMoney) -> CellMoney:
        return CellMoney(self.cells, self.within, self.of_each - other.of_each)

    def calibrated(self, quantile: float) -> tuple[CellEstimate, Ends]:
        """On the new rows as they are, at the probability that each score had."""
        found = calibrated_mean(self.cells, self.within, *self.of_each)
        below, above = found.reaches(quantile)
        return found, (found.value - below, found.value + above)

    def shifted(
        self, prevalence: CellEstimate, quantile: float, span: Ends
    ) -> tuple[CellEstimate, Ends]:
        """At the rates of the classes, in the mixture that the new rows are.

        The prevalence is that of label shift, in the wider cells, and `span` its interval.

        The interval joins those of the rates and of the prevalence, whose errors go together.
        """
        shares, totals = self.cells.shares[:2], self.cells.totals
        shift = prevalence.in_cells(self.cells, self.within)
        p = shift.value
        classes = np.array([1 - p, p])
        means = np.sum(shares * self.of_each, axis=1)
        own = (classes / totals[:2])[:, None] * (self.of_each - means[:, None])
        influence = np.vstack([own, np.zeros(len(self.cells))])
        rates = CellEstimate(float(classes @ means), influence, self.cells)
        slope = float(means[1] - means[0])
        moved = CellEstimate(0.0, slope * shift.influence, self.cells)
        together = rates.correlation(moved)
        reach = [abs(slope) * (p - span[0]), abs(slope) * (span[1] - p)]
        ends = [
            joined(one, other, together)
            for one, other in zip(
                rates.reaches(quantile), reach if slope >= 0 else reach[::-1], strict=True
            )
        ]
        found = rates.plus(moved)
        return found, (found.value - ends[0], found.value + ends[1])

"""Labelled and new scores in cells, and what both assumptions make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.estimates.interval import Ends, normal_quantile
from costspace.scores.table import ScoreTable
from costspace.watching.calibrated_mean import calibrated_mean
from costspace.watching.cell_estimates import CellEstimate, joined
from costspace.watching.cell_money import CellMoney
from costspace.watching.label_shift import LabelShift, moment_estimate, moment_interval
from costspace.watching.mixture_cells import Counting, MixtureCells, edges_of
from costspace.watching.unlabelled_prevalence import (
    CALIBRATION,
    LABEL_SHIFT,
    MOMENTS,
    UnlabelledPrevalence,
)

if TYPE_CHECKING:
    from costspace.decision.rules.rule import Rule


@final
@dataclass(frozen=True, eq=False)
class UnlabelledCells(FrozenValue):
    """The counts, and what is estimated from them."""

    cells: MixtureCells
    shift: LabelShift
    # The same in finer cells, with edges at the cuts of rules and around all labelled scores too,
    # and which of the cells each is in.
    finer: MixtureCells
    within: IndexArray
    rule: Rule | None = None  # the rule in use
    costs: FloatArray | None = None  # shape (2, 2): of each action on each class

    @classmethod
    def of(cls, table: ScoreTable, new: Counting) -> UnlabelledCells:
        edges = edges_of(table)
        finer, within = _counted(table, new, edges, [])
        cells = finer.joined(edges, within)
        return cls(cells, LabelShift.of(cells), finer, within)

    def cut_at(self, table: ScoreTable, new: Counting, cuts: Sequence[float]) -> UnlabelledCells:
        """The same, counted with edges at some cuts too."""
        finer, within = _counted(table, new, self.cells.edges, cuts)
        return replace(self, finer=finer, within=within)

    @property
    def outside(self) -> float:
        """The share of new scores that are beyond all labelled ones."""
        labelled = self.finer.mass[:2].sum(axis=0) > 0
        first, last = np.flatnonzero(labelled)[[0, -1]]
        return float(1 - self.finer.shares[2, first : last + 1].sum())

    def priced(self, costs: FloatArray, rule: Rule) -> UnlabelledCells:
        return replace(self, costs=costs, rule=rule)

    def prevalence(self, method: str, level: float) -> UnlabelledPrevalence:
        """The prevalence under an assumption, with its interval."""
        quantile, found = normal_quantile(level), self.estimate(method)
        if method == LABEL_SHIFT:
            return _within(method, found, self.shift.interval(quantile), level)
        below, above = found.reaches(quantile)
        return _within(method, found, (found.value - below, found.value + above), level)

    def moments(self, level: float) -> UnlabelledPrevalence | None:
        """The prevalence by the mean rank, unless both classes have the same."""
        found = moment_estimate(self.cells)
        if found is None:
            return None
        return _within(MOMENTS, found, moment_interval(self.cells, normal_quantile(level)), level)

    def estimate(self, assumption: str) -> CellEstimate:
        """The prevalence under an assumption, in the wider cells."""
        if assumption == LABEL_SHIFT:
            return self.shift.estimate
        return calibrated_mean(self.cells, np.arange(len(self.cells)))

    def gap(self, level: float) -> tuple[CellEstimate, Ends]:
        """The prevalence under label shift minus that under calibration."""
        one, other = self.estimate(LABEL_SHIFT), self.estimate(CALIBRATION)
        own, others = (self.prevalence(name, level) for name in (LABEL_SHIFT, CALIBRATION))
        together = -one.correlation(other)
        below = joined(own.estimate - own.low, others.high - others.estimate, together)
        above = joined(own.high - own.estimate, others.estimate - others.low, together)
        found = one.plus(other, -1.0)
        return found, (found.value - below, found.value + above)

    def money_of(self, rule: Rule) -> CellMoney:
        """What a rule costs by class and cell, which have edges at its cuts."""
        costs = np.zeros((2, 2)) if self.costs is None else self.costs
        return CellMoney.of(self.finer, self.within, rule, costs)

    def under(self, assumption: str, money: CellMoney, level: float) -> tuple[CellEstimate, Ends]:
        """What money comes to on the new rows, with its interval."""
        quantile = normal_quantile(level)
        if assumption == CALIBRATION:
            return money.calibrated(quantile)
        return money.shifted(self.shift.estimate, quantile, self.shift.interval(quantile))


def _within(method: str, found: CellEstimate, ends: Ends, level: float) -> UnlabelledPrevalence:
    """An estimate and its interval as far as they are in [0, 1], where a prevalence is."""
    value, low, high = (min(max(one, 0.0), 1.0) for one in (found.value, *ends))
    return UnlabelledPrevalence(
        method, value, found.error, min(low, value), max(high, value), level
    )


def _counted(
    table: ScoreTable, new: Counting, edges: FloatArray, cuts: Sequence[float]
) -> tuple[MixtureCells, IndexArray]:
    """Cells with more edges than some, and which of the wider ones each is in."""
    low, high = table.score_range
    ends = [np.nextafter(low, -np.inf), high, *cuts]
    every = np.union1d(edges, [end for end in ends if np.isfinite(end)])
    within = np.searchsorted(edges, np.append(every, np.inf))
    return MixtureCells.of(table, new, every), within

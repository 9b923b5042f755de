"""Estimates whose errors are sums over rows of what each adds, by its cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.estimates.class_means import score_reaches
from costspace.estimates.interval import Ends
from costspace.watching.mixture_cells import MixtureCells


@final
@dataclass(frozen=True, eq=False)
class CellEstimate(FrozenValue):
    """An estimate, and what a row of each kind in each cell adds to its error."""

    value: float
    influence: FloatArray  # shape (3, k): of a unit of weight of negatives, positives and new rows
    cells: MixtureCells

    def plus(self, other: CellEstimate, factor: float = 1.0) -> CellEstimate:
        """The sum with a multiple of another estimate in the same cells."""
        influence = self.influence + factor * other.influence
        return CellEstimate(self.value + factor * other.value, influence, self.cells)

    def in_cells(self, cells: MixtureCells, within: IndexArray) -> CellEstimate:
        """The same in finer cells; `within` has which of its own each is in."""
        return CellEstimate(self.value, self.influence[:, within], cells)

    @cached_property
    def variance(self) -> float:
        return float(np.sum(self.cells.squares * self.influence**2))

    @property
    def error(self) -> float:
        """The standard error."""
        return float(np.sqrt(self.variance))

    def covariance(self, other: CellEstimate) -> float:
        return float(np.sum(self.cells.squares * self.influence * other.influence))

    def correlation(self, other: CellEstimate) -> float:
        scale = self.error * other.error
        return self.covariance(other) / scale if scale > 0 else 0.0

    def reaches(self, quantile: float) -> Ends:
        """How far an interval reaches below and above, with the skewness of each kind of rows."""
        cells, own = self.cells, self.influence
        rows = np.divide(
            cells.squares, cells.mass, out=np.zeros_like(cells.mass), where=cells.mass > 0
        )
        second = np.sum(cells.squares * own**2, axis=1)
        third = np.sum(cells.squares * rows * own**3, axis=1)
        # One row more at the end of what rows of its kind add.
        ends = np.stack([(rows * own).min(axis=1), (rows * own).max(axis=1)], axis=1)
        below, above = score_reaches(second, third, np.clip(ends, *_SIGNS), quantile)
        return float(np.sqrt(np.sum(below**2))), float(np.sqrt(np.sum(above**2)))


# Rows at the lower end add at most 0, and those at the upper end at least 0.
_SIGNS = np.array([[-np.inf, 0.0]]), np.array([[0.0, np.inf]])


def joined(one: float, other: float, correlation: float) -> float:
    """How far a sum reaches whose parts reach so far.

    Zou (2007), Psychological Methods 12: limits of a sum of correlated estimates from their own.
    """
    return float(np.sqrt(max(one * one + other * other + 2 * correlation * one * other, 0.0)))

"""Rows as counts by stratum and cell: they add, and answer as score sources."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.summaries.binning import Binning, Piece
    from costspace.summaries.cell_sums import CellSums
    from costspace.summaries.counts import ScoreCounts

__all__ = [
    "Binning",
    "CellSums",
    "Piece",
    "ScoreCounts",
]

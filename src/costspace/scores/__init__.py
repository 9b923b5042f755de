"""Score sources: the score distributions that threshold choice methods work on."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.scores.analytic import AnalyticScores
    from costspace.scores.base import ScoreSource
    from costspace.scores.binning import Binning, Piece
    from costspace.scores.case_costs import CaseCosts, MeanCosts
    from costspace.scores.cell_sums import CellSums
    from costspace.scores.counts import ScoreCounts
    from costspace.scores.density import ScoreDensity
    from costspace.scores.look_ups import SmoothLookUp, SteppedLookUp, Straight
    from costspace.scores.predictions import source_of
    from costspace.scores.rows import ScoredRows
    from costspace.scores.table import ScoreTable

__all__ = [
    "AnalyticScores",
    "Binning",
    "CaseCosts",
    "CellSums",
    "MeanCosts",
    "Piece",
    "ScoreCounts",
    "ScoreDensity",
    "ScoreSource",
    "ScoreTable",
    "ScoredRows",
    "SmoothLookUp",
    "SteppedLookUp",
    "Straight",
    "source_of",
]

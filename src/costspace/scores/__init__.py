"""Score sources: the score distributions that threshold choice methods work on."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.scores.analytic import AnalyticScores
    from costspace.scores.base import ScoreSource
    from costspace.scores.density import ScoreDensity
    from costspace.scores.look_ups import SmoothLookUp, SteppedLookUp, Straight
    from costspace.scores.table import ScoreTable

__all__ = [
    "AnalyticScores",
    "ScoreDensity",
    "ScoreSource",
    "ScoreTable",
    "SmoothLookUp",
    "SteppedLookUp",
    "Straight",
]

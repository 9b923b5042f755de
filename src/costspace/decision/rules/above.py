"""What flagging scores above thresholds does."""

import numpy as np

from costspace.arrays import BoolArray, FloatArray
from costspace.curve import OperatingPoints
from costspace.scores.table import ScoreTable


def above(table: ScoreTable, thresholds: FloatArray) -> OperatingPoints:
    """Where flagging scores above thresholds works; above -inf is everybody."""
    points = table.by_score.at(thresholds)
    everybody = np.isneginf(thresholds)
    return OperatingPoints(
        np.where(everybody, 1.0, points.fpr), np.where(everybody, 0.0, points.fnr)
    )


def is_above(scores: FloatArray, thresholds: FloatArray) -> BoolArray:
    """Whether scores are above thresholds; any is above -inf, which flags everybody."""
    found: BoolArray = (scores > thresholds) | np.isneginf(thresholds)
    return found


def mixed(mix: FloatArray, first: OperatingPoints, second: OperatingPoints) -> OperatingPoints:
    """The points of drawing the first with probability `mix`, and else the second."""
    return OperatingPoints(
        mix * first.fpr + (1 - mix) * second.fpr, mix * first.fnr + (1 - mix) * second.fnr
    )

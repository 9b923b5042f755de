"""Cuts in as few digits as tell scores apart, so that a rule is what is written of it."""

import math

import numpy as np

from costspace.condition import without_rounding
from costspace.decision.rules.rule import Rule
from costspace.decision.words import ALL_DIGITS
from costspace.scores.table import ScoreTable

# A cut by formula has so many digits, or more where scores lie between.
_DIGITS = 6
# The spacing of numbers in single precision, relative to them.
_SINGLE = 2.0**-23


def written(rule: Rule, table: ScoreTable) -> Rule:
    """A rule by score whose cuts have as few digits as treat the scores of a table alike.

    A cut in the middle of the gap between two scores is the shortest number in the gap; another,
    which a formula tells, is its own value in six digits, or as many more as it takes.
    """
    if rule.by != "score" or (not rule.cuts and rule.otherwise is None):
        return rule
    cuts = [_written(cut, table) for cut in rule.cuts]
    other = None if rule.otherwise is None else written(rule.otherwise, table)
    return Rule(cuts, rule.actions, otherwise=other, chance=rule.chance)


def _written(cut: float, table: ScoreTable) -> float:
    """One cut between the scores that it separates, the lower one of which it may equal."""
    scores, middles = table.by_score.breaks, table.cut_points
    place = int(np.searchsorted(scores, cut, "right"))
    learnt = 0 < place < len(scores) and float(middles[place - 1]) == cut
    if not learnt:
        cut = float(without_rounding(np.array(cut)))
        place = int(np.searchsorted(scores, cut, "right"))
    lower = float(scores[place - 1]) if place > 0 else -math.inf
    upper = float(scores[place]) if place < len(scores) else math.inf
    if learnt:
        # Scores that are counted in cells have ends of their own, as far from the middle.
        upper = min(upper, 2 * cut - lower)
        # In single precision either end may be what is written, if there is room for more.
        near = _SINGLE * max(abs(lower), abs(upper))
        if upper - lower > 4 * near:
            lower, upper = lower + near, upper - near
    for digits in range(1 if learnt else _DIGITS, ALL_DIGITS):
        short = float(f"{cut:.{digits}g}")
        if lower < short < upper or short == lower == cut:
            return short
    return cut

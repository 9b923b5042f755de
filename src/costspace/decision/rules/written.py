"""Cuts in as few digits as tell scores apart, so that a rule is what is written of it."""

import math
from dataclasses import replace

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import ThresholdChoice
from costspace.condition import without_rounding
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.conditions import BALANCED
from costspace.digits import ALL_DIGITS
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
    cuts = _written(np.array(rule.cuts, dtype=float), table).tolist()
    other = None if rule.otherwise is None else written(rule.otherwise, table)
    return Rule(cuts, rule.actions, otherwise=other, chance=rule.chance)


def written_path(path: ThresholdPath, choice: ThresholdChoice, table: ScoreTable) -> ThresholdPath:
    """The same of the rule of a choice at each condition; a threshold that is given stays."""
    given = None if choice.sees else choice.threshold_at(BALANCED, BALANCED)
    if given is not None and (path.threshold == given).all():
        return path
    first = second = _written(path.threshold, table)
    if path.draws:
        second = _written(path.threshold_2, table)
    return replace(path, threshold=first, threshold_2=second)


def _written(cuts: FloatArray, table: ScoreTable) -> FloatArray:
    """Cuts between the scores that they separate, the lower one of which each may equal."""
    scores, middles = table.by_score.breaks, table.cut_points
    cuts, place = cuts.astype(float), np.searchsorted(scores, cuts, "right")
    inner = np.flatnonzero((place > 0) & (place < len(scores)))
    learnt = np.zeros(len(cuts), dtype=bool)
    learnt[inner] = middles[place[inner] - 1] == cuts[inner]
    by_formula = ~learnt & np.isfinite(cuts)
    cuts[by_formula] = without_rounding(cuts[by_formula])
    place = np.searchsorted(scores, cuts, "right")
    ends = np.concatenate([[-math.inf], scores, [math.inf]])
    columns = (cuts, ends[place], ends[place + 1], learnt)
    each = zip(*(column.tolist() for column in columns), strict=True)
    found = [_shortest(cut, low, high, learnt=inside) for cut, low, high, inside in each]
    return np.array(found, dtype=float)


def _shortest(cut: float, lower: float, upper: float, *, learnt: bool) -> float:
    """The shortest number for a cut between the score below it and the one above."""
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

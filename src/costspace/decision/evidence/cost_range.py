"""What a rule costs between the best and the worst of the conditions that may occur."""

from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.row_money import rates_of
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES


class CostRange(NamedTuple):
    """The least and the most that a rule costs or saves per 1,000 cases, at held-out rates.

    Attributes
    ----------
    low, high : float

    Examples
    --------
    >>> CostRange(353.0, 1360.0).high
    1360.0
    """

    low: float
    high: float


def cost_range(choosing: Choosing) -> CostRange | None:
    """What is chosen costs where conditions suit it best, and where they suit it least.

    With the margin, as wherever its cost is said.
    None if there is one condition, the rule follows the conditions, costs have no upper bound, or
    each case has costs of its own.
    """
    if not _has_range(choosing):
        return None
    task, best = choosing.task, choosing.best
    _, fn, _, tn, p = task.conditions.corners
    costs = CASES * ((1 - p) * tn + p * fn) + _at_corners(task, best.flagged, best.reviewed)
    costs += choosing.priced(choosing.best).margin
    return CostRange(float(costs.min()), float(costs.max()))


def saving_range(choosing: Choosing, in_use: FittedStrategy) -> CostRange | None:
    """What it saves against the rule in use, between the least and the most."""
    if not _has_range(choosing):
        return None
    best = choosing.best
    more = in_use.flagged - best.flagged, in_use.reviewed - best.reviewed
    saved = _at_corners(choosing.task, *more)
    saved -= choosing.priced(choosing.best).margin
    return CostRange(float(saved.min()), float(saved.max()))


def _at_corners(task: Task, flagged: FloatArray, reviewed: FloatArray) -> FloatArray:
    """What flagging and reviewing the held-out rows so often costs more than flagging nobody."""
    fpr, recall = rates_of(task.judged.rows, flagged)
    fp, fn, tp, tn, p = task.conditions.corners
    wrong, missed = (1 - p) * (fp - tn), p * (fn - tp)
    costs = wrong * fpr - missed * recall
    review = task.conditions.review
    if review is not None:
        looked_at = rates_of(task.judged.rows, reviewed)
        cost, found, kept = review.corners[:, :, None]
        negatives = (1 - p) * cost + (1 - kept) * wrong
        positives = p * cost - found * missed
        costs = costs + negatives * looked_at[0] + positives * looked_at[1]
    return np.asarray(CASES * costs)


def _has_range(choosing: Choosing) -> bool:
    """Whether one rule serves several conditions, whose costs have bounds."""
    conditions = choosing.task.conditions
    span, review = conditions.skew_range, conditions.review
    varies = span.low < span.high or (review is not None and review.varies)
    one_rule = choosing.best.rule is not None and choosing.task.rows.costs is None
    ends = [conditions.corners, *([] if review is None else [review.corners])]
    return one_rule and varies and all(bool(np.all(np.isfinite(each))) for each in ends)

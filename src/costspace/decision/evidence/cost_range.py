"""What a rule costs between the best and the worst of the conditions that may occur."""

from typing import NamedTuple

import numpy as np

from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.row_money import rates_of
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
    fp, fn, tp, tn, p = choosing.task.conditions.corners
    fpr, recall = rates_of(choosing.task.judged.rows, choosing.best.flagged)
    costs = (1 - p) * (fp * fpr + tn * (1 - fpr)) + p * (fn * (1 - recall) + tp * recall)
    margin = choosing.priced(choosing.best).margin
    return CostRange(float(CASES * costs.min() + margin), float(CASES * costs.max() + margin))


def saving_range(choosing: Choosing, in_use: FittedStrategy) -> CostRange | None:
    """What it saves against the rule in use, between the least and the most."""
    if not _has_range(choosing):
        return None
    best = choosing.best
    fpr, recall = rates_of(choosing.task.judged.rows, in_use.flagged - best.flagged)
    fp, fn, tp, tn, p = choosing.task.conditions.corners
    saved = CASES * ((1 - p) * (fp - tn) * fpr - p * (fn - tp) * recall)
    saved -= choosing.priced(best).margin
    return CostRange(float(saved.min()), float(saved.max()))


def _has_range(choosing: Choosing) -> bool:
    """Whether one rule serves several conditions, whose costs have bounds."""
    conditions = choosing.task.conditions
    span = conditions.skew_range
    one_rule = choosing.best.rule is not None and choosing.task.rows.costs is None
    return one_rule and span.low < span.high and bool(np.all(np.isfinite(conditions.corners)))

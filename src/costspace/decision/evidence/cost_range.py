"""What a rule costs between the best and the worst of the conditions that may occur."""

from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.row_money import rates_of
from costspace.deployment.conditions import CASES, JointConditions
from costspace.deployment.deployment import Deployment
from costspace.deployment.scenarios import Scenarios
from costspace.errors import ConditionError


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
    points = _points(choosing.task.conditions) if _has_range(choosing) else None
    if points is None or not np.all(np.isfinite(points)):
        return None
    fp, fn, tp, tn, p = points
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
    try:
        stakes = choosing.task.conditions.extremes([])
    except ConditionError:
        return None
    # What correct decisions cost is the same for both.
    saved = CASES * (stakes.negative * fpr - stakes.positive * recall)
    saved -= choosing.priced(best).margin
    return CostRange(float(saved.min()), float(saved.max()))


def _has_range(choosing: Choosing) -> bool:
    """Whether one rule serves several conditions."""
    span = choosing.task.conditions.skew_range
    one_rule = choosing.best.rule is not None and choosing.task.rows.costs is None
    return one_rule and span.low < span.high


def _points(conditions: JointConditions) -> FloatArray | None:
    """Costs of false and true positives and negatives, and prevalences, at their ends."""
    if isinstance(conditions, Scenarios):
        costs = conditions.fp_cost, conditions.fn_cost, conditions.tp_cost, conditions.tn_cost
        occurs = np.asarray(conditions.weights) > 0
        return np.array([*costs, conditions.prevalence], dtype=float)[:, occurs]
    if not isinstance(conditions, Deployment):
        return None
    # What a rule costs grows with each of the costs, and is linear in the prevalence.
    amounts = conditions.fp_cost, conditions.fn_cost, conditions.tp_cost, conditions.tn_cost
    ends = [[amount.bounds.low, amount.bounds.high] * 2 for amount in amounts]
    span = conditions.prevalence_range
    return np.array([*ends, [span.low, span.low, span.high, span.high]])

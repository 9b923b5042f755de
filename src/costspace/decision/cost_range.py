"""What a rule costs between the best and the worst of the conditions that may occur."""

from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.choosing import Choosing
from costspace.decision.outcomes import Outcomes
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


def cost_range(choosing: Choosing, outcomes: Outcomes) -> CostRange | None:
    """What the chosen rule costs where conditions suit it best, and where they suit it least.

    None if there is one condition, the rule follows the conditions, costs have no upper bound, or
    each case has costs of its own.
    """
    conditions = choosing.task.conditions
    if not _has_range(choosing):
        return None
    fpr, fnr = outcomes.rates
    points = None if conditions.constant == 0 else _points(conditions)
    if points is None:
        return _between(conditions, fpr, fnr) if conditions.constant == 0 else None
    fp, fn, tp, tn, p = points
    costs = (1 - p) * (fp * fpr + tn * (1 - fpr)) + p * (fn * fnr + tp * (1 - fnr))
    if not np.all(np.isfinite(costs)):
        return None
    return CostRange(float(CASES * costs.min()), float(CASES * costs.max()))


def _points(conditions: JointConditions) -> tuple[FloatArray, ...] | None:
    """Costs of false and true positives and negatives and prevalences, at their ends."""
    if isinstance(conditions, Scenarios):
        known = conditions
        costs = known.fp_cost, known.fn_cost, known.tp_cost, known.tn_cost
        return tuple(np.asarray(values, dtype=float) for values in (*costs, known.prevalence))
    if not isinstance(conditions, Deployment):
        return None
    stated, span = conditions, conditions.prevalence_range
    # What a rule costs grows with each of the costs, and is linear in the prevalence.
    ends = [
        [amount.bounds.low, amount.bounds.high] * 2
        for amount in (stated.fp_cost, stated.fn_cost, stated.tp_cost, stated.tn_cost)
    ]
    fp, fn, tp, tn = (np.array(values) for values in ends)
    return fp, fn, tp, tn, np.array([span.low, span.low, span.high, span.high])


def saving_range(choosing: Choosing, outcomes: Outcomes, in_use: Outcomes) -> CostRange | None:
    """What the chosen rule saves against the rule in use, between the least and the most."""
    if not _has_range(choosing):
        return None
    (fpr, fnr), (own_fpr, own_fnr) = in_use.rates, outcomes.rates
    # What correct decisions cost is the same for both.
    return _between(choosing.task.conditions, fpr - own_fpr, fnr - own_fnr)


def _has_range(choosing: Choosing) -> bool:
    """Whether one rule serves several conditions."""
    span = choosing.task.conditions.skew_range
    one_rule = choosing.best.rule is not None and choosing.task.rows.costs is None
    return one_rule and span.low < span.high


def _between(conditions: JointConditions, fpr: float, fnr: float) -> CostRange | None:
    """The least and the most that such rates, or differences of rates, come to."""
    try:
        stakes = conditions.extremes([])
    except ConditionError:
        return None
    costs = CASES * (stakes.negative * fpr + stakes.positive * fnr)
    return CostRange(float(costs.min()), float(costs.max()))

"""What a rule costs between the best and the worst of the conditions that may occur."""

from typing import NamedTuple

from costspace.decision.choosing import Choosing
from costspace.decision.outcomes import Outcomes
from costspace.deployment.conditions import CASES
from costspace.errors import ConditionError


class CostRange(NamedTuple):
    """The least and the most that a rule costs per 1,000 cases, at its held-out rates.

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

    None if there is one condition, the rule follows the conditions, costs have no upper bound, each
    case has costs of its own, or correct decisions cost or gain something.
    """
    task, conditions = choosing.task, choosing.task.conditions
    span = conditions.skew_range
    known = choosing.best.rule is not None and task.rows.costs is None
    if not known or span.low == span.high or conditions.constant != 0:
        return None
    try:
        stakes = conditions.extremes([])
    except ConditionError:
        return None
    fpr, fnr = outcomes.rates
    costs = CASES * (stakes.negative * fpr + stakes.positive * fnr)
    return CostRange(float(costs.min()), float(costs.max()))

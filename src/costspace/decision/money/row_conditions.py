"""What rows with costs of their own say of the conditions at deployment."""

from costspace.deployment.amounts import Uncertain
from costspace.deployment.deployment import Deployment
from costspace.deployment.review import Review
from costspace.errors import ConditionError
from costspace.samples.rows import ScoredRows


def conditions_of(
    rows: ScoredRows, prevalence: Uncertain = None, review: Review | None = None
) -> Deployment:
    """What rows with costs of their own say of deployment: the mean costs of each class.

    Rows that are never worth flagging do not count, since they are decided already.
    Their prevalence is estimated from the rows unless it is given.
    """
    rows = rows.worth_flagging
    if rows.costs is None:
        raise ConditionError(
            "what decisions cost is needed: give fp_cost and fn_cost, conditions, such as a "
            "Deployment, or case_costs."
        )
    means = rows.mean_costs
    return Deployment(
        means.fp_cost,
        means.fn_cost,
        prevalence,
        tp_cost=means.tp_cost,
        tn_cost=means.tn_cost,
        review=review,
    )

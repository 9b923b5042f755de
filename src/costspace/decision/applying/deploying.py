"""From a fitted strategy to the rules that are applied to other cases."""

import numpy as np

from costspace.arrays import FrozenDict
from costspace.decision.applying.decided_on import DecidedOn
from costspace.decision.applying.deployed import CORRECT_COSTS, DeployedRules
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.fitted_review import FittedReview
from costspace.decision.fitting.fitted_review_queue import FittedReviewQueue
from costspace.decision.sentences.terms import named
from costspace.decision.task import Task
from costspace.deployment.bounds import Range
from costspace.deployment.review import Review
from costspace.errors import ConditionError
from costspace.estimates.effective_sizes import sizes_of_rows


def deployed_rules(fit: FittedStrategy) -> DeployedRules:
    """The rules of a strategy that keeps to the constraints, chosen on all rows."""
    use, task = fit.strategy, fit.task
    if fit.rule is not None:
        return DeployedRules(
            *(use.model, use.name, fit.rule),
            one_by_one=fit.one_by_one,
            names=task.names,
            decided_on=_decided_on(fit),
        )
    if isinstance(fit, FittedReviewQueue):
        return DeployedRules(
            *(use.model, use.name, None),
            queue=fit.queue,
            one_by_one=fit.one_by_one,
            names=task.names,
            decided_on=_decided_on(fit),
        )
    steps = _steps_of(fit)
    if not (steps or fit.bands):
        raise ConditionError(
            f"{use} are decisions that were made, and no rule for other cases: take another "
            "strategy."
        )
    span = task.conditions.prevalence_range
    known = "prevalence" in task.known or span.low == span.high
    if not known:
        _check_one_prevalence(fit)
    return DeployedRules(
        use.model,
        use.name,
        None,
        FrozenDict(fit.bands),
        skews=None if use.by_case else task.seen.skew_range,
        costs=None if "costs" in task.known else task.mean_cost_proportion,
        correct_costs=_correct_costs(task),
        prevalence_known=known,
        decided_on=_decided_on(fit),
        names=task.names,
        review=_review_of(fit),
        steps=steps,
    )


def _steps_of(fit: FittedStrategy) -> tuple[DeployedRules, ...]:
    """The rules of each decision that a review makes of one, unless they are of decisions."""
    if not isinstance(fit, FittedReview) or not all(step.bands for step in fit.steps):
        return ()
    return tuple(
        DeployedRules(
            *(fit.strategy.model, fit.strategy.name, None, FrozenDict(step.bands)),
            skews=None if fit.strategy.by_case else step.task.seen.skew_range,
            costs=None if "costs" in step.task.known else step.task.mean_cost_proportion,
        )
        for step in fit.steps
    )


def _review_of(fit: FittedStrategy) -> Review | None:
    """What a review costs in a strategy that has any, with the price of its place."""
    review = fit.task.conditions.review
    if not isinstance(fit, FittedReview) or review is None:
        return None
    return review.priced(fit.price) if fit.price else review


def _decided_on(fit: FittedStrategy) -> DecidedOn | None:
    """The scores that a strategy reads, of validation rows if there are any."""
    task, model, rule = fit.task, fit.strategy.model, fit.rule
    if model is None or (rule is not None and rule.trivial):
        return None
    held_out, conditions = task.held_out, task.conditions
    rows = held_out.rows if held_out.validation is None else held_out.validation
    return DecidedOn.of(
        task.tables_of(model)[-1],
        sizes_of_rows(rows, task.weights),
        conditions.prevalence_range,
        conditions.mean_prevalence,
        None if rule is None or rule.queued else rule,
    )


def _check_one_prevalence(fit: FittedStrategy) -> None:
    """`ConditionError` if the prevalence, which is not known, is another at other costs."""
    span = fit.task.seen.prevalence_range
    if span.low < span.high:
        raise ConditionError(
            f"{named(fit.strategy)} follows the costs, and the prevalence goes with them, from "
            f"{span.low:g} to {span.high:g}, so that nobody can tell it at costs that are in no "
            "scenario: decide with known='costs,prevalence' (--known), and give both with each "
            "case, or with known='' for one threshold."
        )


def _correct_costs(task: Task) -> FrozenDict[str, float | None]:
    """What correct decisions cost, None where that is not one number."""
    own = task.rows.costs
    found: dict[str, float | None] = {}
    for name in CORRECT_COSTS:
        if own is None:
            bounds = task.conditions.bounds_of(name)
        else:
            costs = np.asarray(getattr(own, name), dtype=float)
            bounds = Range(float(costs.min()), float(costs.max()))
        found[name] = bounds.low if bounds.low == bounds.high else None
    return FrozenDict(found)

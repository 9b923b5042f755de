"""The strategies of a task, and how each is fitted."""

from collections.abc import Iterator

import numpy as np

from costspace.choices import ThresholdChoice
from costspace.decision.fitting.fit_rules import has_rules
from costspace.decision.fitting.fitted import FittedStrategy, fit_by_condition
from costspace.decision.fitting.fitted_by_case import FittedByCase, goes_by_case, tells_until
from costspace.decision.fitting.fitted_decisions import FittedDecisions
from costspace.decision.fitting.fitted_queue import FittedQueue
from costspace.decision.fitting.fitted_review import FittedReview, in_order
from costspace.decision.fitting.fitted_review_queue import in_queue
from costspace.decision.fitting.review_places import within_places
from costspace.decision.fitting.reviews_everybody import ReviewsEverybody
from costspace.decision.strategy import (
    CASE,
    NOTHING,
    REVIEW_EVERYBODY,
    REVIEW_QUEUE,
    TRIVIAL,
    UNREVIEWED,
    Known,
    Strategy,
)
from costspace.decision.task import Task
from costspace.digits import in_full
from costspace.errors import ConditionError, ScoreError


def strategies_of(task: Task) -> Iterator[Strategy]:
    """The strategies to compare, the simplest first: it wins a tie.

    A choice that cannot be deployed for a model is left out.
    """
    yield from TRIVIAL
    if task.reviews:
        yield REVIEW_EVERYBODY
    if task.baseline is not None:
        yield task.baseline
    for model in task.models:
        for name, choice in task.choices.items():
            if choice.places is not None:
                yield Strategy(model, choice, name, NOTHING)
            elif _unusable(name, choice, model, task) is None:
                known = _known(choice, model, task)
                # Who decides alike at all conditions has nothing between its thresholds.
                reviews = task.reviews and bool(choice.sees)
                yield Strategy(model, choice, f"{name}{UNREVIEWED * reviews}", known)
                if reviews:
                    yield Strategy(model, choice, name, known, choice)
                if reviews and task.review_places and tells_until(choice, task.models[model]):
                    own = f"{name}{REVIEW_QUEUE}"
                    yield Strategy(model, choice, own, known, choice, task.review_places)


def check_choices(task: Task) -> tuple[str, ...]:
    """Which choices are left out for which models, and why, if they were asked for.

    Raises
    ------
    ConditionError, ScoreError
        If a choice cannot be deployed for any model.
    """
    found: list[str] = []
    for name, choice in task.choices.items():
        if choice.places is not None:
            continue
        reasons = {model: _unusable(name, choice, model, task) for model in task.models}
        errors = [error for error in reasons.values() if error is not None]
        if len(errors) == len(reasons):
            raise errors[0]
        found += [f"{model} without {name}: {why}" for model, why in reasons.items() if why]
    return tuple(found)


def fit(strategy: Strategy, task: Task) -> FittedStrategy:
    """Fit a strategy on all rows, and on each part that leaves some out."""
    if strategy == REVIEW_EVERYBODY:
        return ReviewsEverybody(strategy, task)
    if strategy.reviews:
        passing, flagging = map(fit, strategy.steps, task.steps)
        found = FittedReview(strategy, task, (in_order(passing, flagging), flagging))
        if strategy == task.baseline:
            return found
        within = within_places(found)
        return in_queue(strategy, strategy.places, within) if strategy.places else within
    if strategy == task.decided_before:
        return FittedDecisions(strategy, task)
    places = strategy.choice.places
    if places is not None and strategy.model is not None:
        return FittedQueue(strategy, task, places)
    return FittedByCase(strategy, task) if strategy.by_case else fit_by_condition(strategy, task)


def _known(choice: ThresholdChoice, model: str, task: Task) -> Known:
    """What a strategy goes by when it decides."""
    if CASE in task.known and not task.limits and goes_by_case(choice, task.models[model]):
        return task.known
    return task.known - {CASE}


def _unusable(name: str, choice: ThresholdChoice, model: str, task: Task) -> Exception | None:
    """Why a choice has no threshold to deploy for a model."""
    table = task.models[model].rows
    low, high = task.score_range(model)
    if choice.drawn(table, np.zeros(0)) is not None:
        return ConditionError(
            f"{choice} draws its threshold at random, and has none to deploy: use another choice."
        )
    if not any(has_rules(choice, band) for band in task.bands):
        span = task.conditions.prevalence_range
        return ConditionError(
            f"{choice} looks at more than the skew (`through_skew`), and cannot follow a "
            f"prevalence of {span.low:g} to {span.high:g}: say that it is not known at each "
            "decision (known='costs'), give one prevalence, or use another choice."
        )
    costs = task.conditions.averaging(prevalence=True).skew_range
    if costs.low < costs.high and not choice.through_skew and "costs" in choice.sees - task.known:
        return ConditionError(
            f"{choice} follows the costs, and they are not known at each decision: say that they "
            "are (known='costs'), or use another choice."
        )
    if choice.on_probabilities and (low < 0 or high > 1):
        return ScoreError(
            f"{name} needs scores in [0, 1], got scores of {model!r} from {in_full(low)} to "
            f"{in_full(high)}: calibrate them, or use a rate-based or optimal choice."
        )
    return None

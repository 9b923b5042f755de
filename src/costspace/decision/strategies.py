"""The strategies of a task."""

from collections.abc import Iterator

import numpy as np

from costspace.choices import ThresholdChoice
from costspace.decision.fitting import has_rules
from costspace.decision.strategy import (
    TRIVIAL,
    Strategy,
    one_threshold,
    per_case,
)
from costspace.decision.task import Task
from costspace.errors import ConditionError, ScoreError


def strategies_of(task: Task, *, asked: bool) -> Iterator[Strategy]:
    """The strategies to compare, the simplest first: it wins a tie.

    Choices that cannot be deployed are left out, or raise `ConditionError` or `ScoreError` if they
    were `asked` for.
    """
    yield from TRIVIAL
    for model in task.models:
        if any(choice.least_loss for choice in task.choices.values()):
            yield one_threshold(model)
        for name, choice in task.choices.items():
            why = _unusable(choice, model, task)
            if why and asked:
                raise why
            if not why and not _said_twice(choice, task):
                yield Strategy(model, choice, name)
        if task.rows.costs is not None and not task.limits and not asked:
            low, high = task.models[model].rows.score_range
            if low >= 0 and high <= 1:
                yield per_case(model, task.calibrated_to)


def _unusable(choice: ThresholdChoice, model: str, task: Task) -> Exception | None:
    """Why a choice has no threshold to deploy for a model."""
    table = task.models[model].rows
    span = task.conditions.prevalence_range
    low, high = table.score_range
    if choice.drawn(table, np.zeros(0)) is not None:
        return ConditionError(
            f"{choice} draws its threshold at random, and has none to deploy: use another choice."
        )
    if not any(has_rules(choice, band) for band in task.bands):
        return ConditionError(
            f"{choice} looks at more than the skew (`through_skew`), and the prevalence is "
            f"{span.low:g} to {span.high:g}: give one prevalence, or use another choice."
        )
    if choice.on_probabilities and (low < 0 or high > 1):
        return ScoreError(
            f"{choice} needs scores in [0, 1], got scores of {model!r} from {low:g} to {high:g}: "
            "use a rate-based or optimal choice, or calibrate first."
        )
    return None


def _said_twice(choice: ThresholdChoice, task: Task) -> bool:
    """Whether there is nothing to correct, and the corrected choice is there too."""
    span = task.conditions.prevalence_range
    if not span.low == span.high == task.calibrated_to:
        return False
    corrected = choice.calibrated(task.calibrated_to)
    return corrected != choice and corrected in task.choices.values()

"""Fitting a strategy: the rule at each condition that it will see, within limits."""

import numpy as np

from costspace.choices import ThresholdChoice
from costspace.decision.limits.feasible import feasible_path, feasible_rule
from costspace.decision.limits.thresholds import rule_of, thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.rules.written import written_path
from costspace.decision.strategy import TRIVIAL, Strategy, point_of_trivial
from costspace.decision.task import Task
from costspace.deployment.conditions import Band
from costspace.errors import InfeasibleError
from costspace.scores.table import ScoreTable


def rules_of(
    strategy: Strategy, scores: CostedScores | None, task: Task, band: Band, at: float | None
) -> RulesByCondition:
    """The rules of a strategy for a band of conditions, chosen on the scores of its model.

    If they are to be used `at` one condition, the rule there is taken for all. It raises
    `InfeasibleError` if none is within the constraints. A strategy without a model needs no scores.
    """
    if scores is None:
        return _trivial(strategy, task, band)
    if not has_rules(strategy.choice, band):
        low, high = band.ends
        raise InfeasibleError(
            f"{strategy} looks at more than the skew, and the prevalence is {low:g} to {high:g}."
        )
    table = scores.with_prevalence(band.axis)
    # The rule in use is what it is, whatever the limits.
    if task.limits and strategy != task.baseline:
        return _within_limits(strategy.choice, table, task, band, at)
    if strategy.choice.threshold_at(0.5, band.axis) is not None:
        found = ByFormula(strategy.choice, band.axis)
        if at is None:
            return found
        return _constant(found.rules_at(at).one, strategy.choice, table.rows)
    looked_at = table.looked_at(strategy.choice)
    if at is not None:
        return _constant(rule_of(strategy.choice, looked_at, at), strategy.choice, looked_at)
    return written_path(thresholds_of(strategy.choice, looked_at), strategy.choice, looked_at)


def _constant(rule: Rule, choice: ThresholdChoice, table: ScoreTable) -> ThresholdPath:
    """One rule for all conditions."""
    return written_path(ThresholdPath.constant(rule), choice, table)


def has_rules(choice: ThresholdChoice, band: Band) -> bool:
    """Whether a choice has one rule at each skew, or cost proportion, that a band is for."""
    low, high = band.ends
    return choice.through_skew or low == high


def _trivial(strategy: Strategy, task: Task, band: Band) -> ThresholdPath:
    at = point_of_trivial(strategy)
    if not all(task.limits.holds(at, end).all() for end in task.kept_at(band)):
        raise InfeasibleError(f"{strategy} breaks a constraint: {task.limits}.")
    return ThresholdPath.constant(TRIVIAL[strategy])


def _within_limits(
    choice: ThresholdChoice, scores: CostedScores, task: Task, band: Band, at: float | None
) -> ThresholdPath:
    ends = task.kept_at(band)
    if not choice.sees:
        # One rule serves all conditions, and so keeps to the limits in every band.
        ends = task.whole.ends
        scores = scores.with_prevalence(task.conditions.mean_prevalence)
    limits, randomise = task.limits_with_room, task.randomise
    if at is None:
        path = feasible_path(choice, scores, limits, ends, randomise=randomise)
        return written_path(path, choice, scores.rows)
    found = feasible_rule(choice, scores, limits, ends, at, randomise=randomise)
    if choice.threshold_at(0.5, band.axis) is not None:
        # Where limits change nothing, what decides between the scores is the formula's own value.
        plain, cells = ByFormula(choice, band.axis).rules_at(at), scores.rows.by_score.breaks
        own = ThresholdPath.constant(found).rules_at(at)
        if np.array_equal(own.flagged(cells), plain.flagged(cells)):
            found = plain.one
    return _constant(found, choice, scores.rows)

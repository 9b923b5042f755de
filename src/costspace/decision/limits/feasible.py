"""What a choice becomes under constraints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray
from costspace.choices import Optimal, ThresholdChoice
from costspace.choices.base import choice_for
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPath
from costspace.decision.limits.constraints import Constraints, check_prevalences
from costspace.decision.limits.moved import Positions, moved, positions_of
from costspace.decision.limits.stretches import Chain, feasible_stretches, infeasible
from costspace.decision.limits.thresholds import drawn_thresholds_of, rule_of, thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.errors import SourceError, check_kind
from costspace.roc.hull import lowest_lines
from costspace.scores.table import ScoreTable


def constrained_path(
    source: ScoreTable | CostedScores,
    *,
    choice: ThresholdChoice,
    constraints: Constraints,
    prevalence: ArrayLike,
    randomise: bool = True,
) -> ThresholdPath:
    """The thresholds of a method under constraints, at each operating condition.

    The optimal choice takes the best feasible rule. That of another is its own threshold, or, if
    that is not feasible, the nearest one that is, in share flagged at the prevalence of the
    scores; at equal distance the one that flags fewer.

    Parameters
    ----------
    source : ScoreTable or CostedScores
        Conditions are cost proportions at its prevalence. Where each case has costs of its own,
        constraints are kept on the rows and losses are of the costs.
    choice : ThresholdChoice
        One that `threshold_path` takes.
    constraints : Constraints
    prevalence : float or array of shape (k,), in [0, 1]
        Where every rule of the path keeps to the constraints: the ends of a range for one rule
        that is committed to, the prevalence itself for one that reacts to it.
    randomise : bool, default True
        Whether the rule may draw one of two thresholds for each case. With costs of their own
        for each case the optimal choice never does.

    Returns
    -------
    ThresholdPath

    Raises
    ------
    ConditionError
        If the choice has no threshold of its own at each condition, or splits more than one block
        of tied scores at a time, as one fitted on another sample may; or a prevalence is not in
        [0, 1].
    ScoreError
        If the choice needs scores in [0, 1] and they are not.
    InfeasibleError
        If no rule keeps to the constraints.

    Warns
    -----
    DataWarning
        If the choice is for probabilities and the scores do not look like any.

    Notes
    -----
    Less FPR at the same FNR breaks no constraint, so with randomisation the best feasible rules
    are on the ROC hull; where it is feasible is one stretch, and the optimal path is that of the
    hull clipped to it: Provost and Fawcett (2001), Machine Learning 42. With costs
    for each case the limits are lines in the ROC space of the rows and not of the costs, and the
    best mix need not be of neighbours.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> known = {"constraints": cs.Constraints(capacity=0.6), "prevalence": 0.5}
    >>> constrained_path(table, choice=cs.Optimal(), **known).rule_at(0.3)
    Rule(flag scores above 0.75, and those above 0.25 with probability 0.7)
    >>> constrained_path(table, choice=cs.Optimal(), **known, randomise=False).rule_at(0.3)
    Rule(flag scores above 0.75)
    """
    known = _checked(source, constraints)
    return feasible_path(
        choice_for(known.rows, choice), known, constraints, prevalence, randomise=randomise
    )


def feasible_path(
    choice: ThresholdChoice,
    scores: CostedScores,
    constraints: Constraints,
    prevalences: ArrayLike,
    *,
    randomise: bool = True,
) -> ThresholdPath:
    """`constrained_path` for what has looked already whether the scores go with the choice."""
    prevalences = check_prevalences(prevalences)
    randomise = randomise and scores.costs is scores.rows
    if not choice.least_loss:
        own = thresholds_of(choice, scores.rows)
        return _moved(own, scores.rows, constraints, prevalences, randomise=randomise)
    if randomise:
        return _clipped(scores.rows, constraints, prevalences)
    return _best_cuts(scores, constraints, prevalences)


def feasible_rule(
    choice: ThresholdChoice,
    scores: CostedScores,
    constraints: Constraints,
    prevalences: ArrayLike,
    condition: float,
    *,
    randomise: bool,
) -> Rule:
    """The rule of `feasible_path` at one condition, without those at the others."""
    randomise = randomise and scores.costs is scores.rows
    if choice.least_loss:
        path = feasible_path(choice, scores, constraints, prevalences, randomise=randomise)
        return path.rules_at(condition).one
    own = ThresholdPath.constant(rule_of(choice, scores.rows, condition))
    at = check_prevalences(prevalences)
    path = _moved(own, scores.rows, constraints, at, randomise=randomise)
    return path.rules_at(condition).one


def constrained_operating_path(
    source: ScoreTable | CostedScores,
    *,
    choice: ThresholdChoice,
    constraints: Constraints,
    prevalence: ArrayLike,
    randomise: bool = True,
) -> OperatingPath:
    """Operating points of a method under constraints, at each condition, in rates of cost.

    For a choice that draws its threshold it is the mean over the thresholds drawn, each replaced
    by the nearest feasible one.

    Parameters
    ----------
    source, choice, constraints, prevalence, randomise
        As of `constrained_path`; also `ScoreUniform` and `RateUniform`.

    Returns
    -------
    OperatingPath
        On the scores; that of the choice itself if everything is feasible.

    Raises
    ------
    ConditionError
        If the choice has neither a threshold of its own at each condition nor draws one; or as of
        `constrained_path`.
    ScoreError
        If the choice needs scores in [0, 1] and they are not.
    InfeasibleError
        If no rule keeps to the constraints.

    Warns
    -----
    DataWarning
        If the choice is for probabilities and the scores do not look like any.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> known = {"constraints": cs.Constraints(capacity=0.5), "prevalence": 0.5}
    >>> path = constrained_operating_path(table, choice=cs.RateUniform(), **known)
    >>> path.start.fpr, path.start.fnr
    (array([0.3125]), array([0.5625]))
    """
    known = _checked(source, constraints)
    return feasible_operating_path(
        choice_for(known.rows, choice), known, constraints, prevalence, randomise=randomise
    )


def feasible_operating_path(
    choice: ThresholdChoice,
    scores: CostedScores,
    constraints: Constraints,
    prevalences: ArrayLike,
    *,
    randomise: bool = True,
) -> OperatingPath:
    """`constrained_operating_path` for what has looked whether the scores go with the choice."""
    prevalences = check_prevalences(prevalences)
    randomise = randomise and scores.costs is scores.rows
    if choice.least_loss:
        rules = feasible_path(choice, scores, constraints, prevalences, randomise=randomise)
        return rules.on(scores.costs)
    chain = Chain.of_cuts(scores.rows)
    if np.all(constraints.holds(chain.points, prevalences[:, None])):
        path = scores.path(choice)
        # A smooth path has no thresholds, and is refused below.
        if isinstance(path, OperatingPath):
            return path
    own = drawn_thresholds_of(choice, scores.rows)
    if own is None:
        rules = feasible_path(choice, scores, constraints, prevalences, randomise=randomise)
        return rules.on(scores.costs)
    rules = _moved(own, scores.rows, constraints, prevalences, randomise=randomise)
    return _mean(rules.on(scores.costs))


def _checked(source: ScoreTable | CostedScores, constraints: Constraints) -> CostedScores:
    check_kind("source", source, ScoreTable, CostedScores, error=SourceError)
    check_kind("constraints", constraints, Constraints)
    return source if isinstance(source, CostedScores) else CostedScores.same(source)


def _clipped(table: ScoreTable, constraints: Constraints, prevalences: FloatArray) -> ThresholdPath:
    """The hull's path, clipped to the one stretch of it that is feasible."""
    hull = Chain.of_hull(table)
    found = feasible_stretches(hull, constraints, prevalences)
    if not found.some.any():
        raise infeasible(Chain.of_cuts(table), constraints, prevalences, randomise=True)
    conditions = np.asarray(cost_from_skew(table.by_skew.breaks, prevalence=table.prevalence))
    own = ThresholdPath.stepping(conditions, hull.thresholds)
    at = Positions.of_points(np.arange(len(hull.thresholds)), len(found.low))
    return moved(own, table, hull, found, at=at, holds=found.held, randomise=True)


def _best_cuts(
    scores: CostedScores, constraints: Constraints, prevalences: FloatArray
) -> ThresholdPath:
    """The cuts that cost least at each skew, of those that keep to constraints.

    They do at each of some prevalences.
    """
    chain = Chain.of_cuts(scores.rows)
    held = np.all(constraints.holds(chain.points, prevalences[:, None]), axis=0)
    if held.all():
        return thresholds_of(Optimal(), scores.costs)
    if not held.any():
        raise infeasible(chain, constraints, prevalences, randomise=False)
    # Of cuts that cost the same the one that flags fewer is to come first.
    thresholds = chain.thresholds[held][::-1]
    points = scores.costs.by_score.at(thresholds)
    lowest = lowest_lines(points.fnr, points.fpr)
    corners = points.take(lowest)
    fp, fn = -np.diff(corners.fpr), np.diff(corners.fnr)
    # Slopes that differ by less than rounding may have lost their order.
    skews = np.maximum.accumulate(fn / (fp + fn))
    conditions = np.asarray(cost_from_skew(skews, prevalence=scores.prevalence))
    return ThresholdPath.stepping(conditions, thresholds[lowest])


def _moved(
    own: ThresholdPath,
    table: ScoreTable,
    constraints: Constraints,
    prevalences: FloatArray,
    *,
    randomise: bool,
) -> ThresholdPath:
    """A method's path with each infeasible rule moved to the nearest feasible one."""
    chain = Chain.of_cuts(table)
    found = feasible_stretches(chain, constraints, prevalences)
    if found.held.all():
        return own
    if not (found.some if randomise else found.held).any():
        raise infeasible(chain, constraints, prevalences, randomise=randomise)
    holds: BoolArray = np.all(constraints.holds(own.on(table).start, prevalences[:, None]), axis=0)
    at = positions_of(own, table)
    return moved(own, table, chain, found, at=at, holds=holds, randomise=randomise)


def _mean(path: OperatingPath) -> OperatingPath:
    """The mean of a path over its conditions, as one point."""
    width = np.diff(path.breaks)
    fpr = np.sum(width * (path.start.fpr + path.end.fpr)) / 2
    fnr = np.sum(width * (path.start.fnr + path.end.fnr)) / 2
    return OperatingPath.constant(fpr, fnr, path.prevalence)

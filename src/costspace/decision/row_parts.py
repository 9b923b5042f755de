"""What each held-out row says of what a way of deciding costs, by the rule for its own part."""

from collections.abc import Mapping, Sequence

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import Fitted
from costspace.choices.flagging import Exposure
from costspace.costs import CostDistribution
from costspace.decision.candidates import TRIVIAL, Candidate
from costspace.decision.contest import Contest
from costspace.decision.holdout import Carried
from costspace.decision.model_decision import ModelDecision, SingleRule
from costspace.decision.per_case import bayes_risks
from costspace.decision.problem import Problem
from costspace.decision.ways import Way
from costspace.deployment.conditions import CASES
from costspace.scores.table import ScoreTable


def row_parts(
    way: Way, problem: Problem, models: Mapping[str, ModelDecision], contests: Sequence[Contest]
) -> FloatArray:
    """The part of each held-out row in the money of a way, as `RowMoney` takes them.

    Returns
    -------
    array of shape (n,)
        Per 1,000 cases, for the rows in their order: what the way would cost, over all conditions
        and beside the constant, if it did on the row's class what it does on the row.
    """
    rows, conditions = problem.held_out.judged, problem.conditions
    if way.model is None:
        fpr, _ = TRIVIAL[way.method]
        return _at_one_point(problem, np.full(len(rows), fpr))
    if way.method == "per_case":
        risks = bayes_risks(rows, way.model, conditions, problem.calibrated_to)
        return CASES * conditions.stake * risks
    single = models[way.model].single
    if way.method == "single" and single is not None:
        return _at_one_point(problem, _flagged(problem, way.model, single))
    parts = np.zeros(len(rows))
    for each in contests:
        parts += each.band.share * _in_band(problem, way.model, way.method, each)
    return parts


def _at_one_point(problem: Problem, flagged: FloatArray) -> FloatArray:
    """The parts of rows that are flagged with some probability, whatever the condition."""
    positive = problem.held_out.judged.positive
    conditions = problem.conditions
    return CASES * np.where(
        positive, conditions.positive_stake * (1 - flagged), conditions.negative_stake * flagged
    )


def _flagged(problem: Problem, model: str, single: SingleRule) -> FloatArray:
    scores = _scores(problem, model)
    flagged = np.empty(len(scores))
    for part, rule in zip(problem.held_out.parts, single.carried, strict=True):
        flagged[part] = rule.flagged(scores[part])
    return flagged


def _in_band(problem: Problem, model: str, method: str, contest: Contest) -> FloatArray:
    """The parts under the conditions of one band, as in `Band.money`."""
    axis = contest.band.axis
    costs, size = contest.band.conditions.as_one_loss(axis)
    scores, positive = _scores(problem, model), problem.held_out.judged.positive
    parts = np.empty(len(scores))
    carried = contest.carried[Candidate(model, method)]
    splits = problem.held_out_scores[model].splits
    for part, rule, split in zip(problem.held_out.parts, carried, splits, strict=True):
        found = _exposure(rule, split.test.costs.with_prevalence(axis), scores[part], costs)
        parts[part] = np.where(
            positive[part], axis * found.as_positive, (1 - axis) * found.as_negative
        )
    return 2 * CASES * size * parts


def _scores(problem: Problem, model: str) -> FloatArray:
    return np.asarray(problem.held_out.judged.scores[model], dtype=float)


def _exposure(
    rule: Carried, table: ScoreTable, scores: FloatArray, costs: CostDistribution
) -> Exposure:
    """What a row of each score risks under a rule for every condition."""
    if isinstance(rule, Fitted):
        return rule.flagging(table, scores).exposure(costs)
    moments = costs.partial_moments(rule.breaks)
    rest = -np.diff(costs.complement_from(np.append(rule.breaks[:-1], np.inf)))
    width = np.diff(rule.breaks)
    rise = rule.mix_end - rule.mix_start
    slope = np.divide(rise, width, out=np.zeros_like(width), where=width > 0)
    mix = rule.mix_start - slope * rule.breaks[:-1]
    # Over each piece the mean of c, and of 1 - c, where the first threshold is drawn.
    first = mix * moments[1] + slope * moments[2], mix * rest + slope * (moments[1] - moments[2])
    thresholds = np.concatenate([rule.threshold, rule.threshold_2])
    order = np.argsort(thresholds)
    passed = np.searchsorted(thresholds[order], scores, side="left")
    flagged, missed = (
        np.append(0.0, np.cumsum(np.concatenate([drawn, whole - drawn])[order]))
        for drawn, whole in zip(first, (moments[1], rest), strict=True)
    )
    return Exposure(flagged[passed], missed[-1] - missed[passed])

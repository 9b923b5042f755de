"""The Bayes rule of cases that have costs of their own, in money, over a range of prevalence."""

import numpy as np
from scipy.special import expit, logit

from costspace.arrays import BoolArray, FloatArray
from costspace.condition import cost_proportion
from costspace.deployment.conditions import JointConditions
from costspace.metrics.case_rules import bayes_scores
from costspace.scores.rows import ScoredRows


def bayes_money(
    rows: ScoredRows, model: str, conditions: JointConditions, calibrated_to: float
) -> float:
    """Money per 1,000 cases of flagging each case where that costs less, by its own costs.

    The rule knows the prevalence, and corrects the scores from the one they are calibrated to:
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI, Theorem 2. So a case is
    flagged from some prevalence on. The costs of `conditions` are known, the mean ones of each
    class, so that this prevalence is a skew of theirs, and what the case costs in the mean is a
    partial moment of their skews. Rows may be others than those means are of: they are taken in
    shares of what is at stake in each class.
    """
    risks = bayes_risks(rows, model, conditions, calibrated_to)
    costs = rows.known_costs
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight

    def share(of: BoolArray, effective: FloatArray) -> float:
        """What a class loses, as a share of what always being wrong on it costs."""
        at_stake = np.broadcast_to(effective, weight.shape)[of] * weight[of]
        return float(np.sum(at_stake * risks[of]) / np.sum(at_stake))

    loss = share(~rows.positive, costs.false_alarm) + share(rows.positive, costs.miss)
    return float(conditions.money(conditions.stake * loss))


def bayes_risks(
    rows: ScoredRows, model: str, conditions: JointConditions, calibrated_to: float
) -> FloatArray:
    """What each row loses so, as a share of E[S], if its whole class were as it is."""
    until = flagged_below(rows, model, conditions, calibrated_to)
    skews = conditions.skews()
    risks = np.empty(len(rows))
    risks[~rows.positive] = skews.below(until[~rows.positive], 1)
    risks[rows.positive] = skews.complement_from(until[rows.positive])
    return risks


def flagged_below(
    rows: ScoredRows, model: str, conditions: JointConditions, calibrated_to: float
) -> FloatArray:
    """The skew of the mean costs below which each row is flagged so."""
    scores = bayes_scores(rows, model)
    costs, p = rows.known_costs, conditions.mean_prevalence
    mean = cost_proportion(conditions.negative_stake / (1 - p), conditions.positive_stake / p)
    own = np.asarray(cost_proportion(costs.false_alarm, costs.miss))
    return expit(logit(scores) - logit(calibrated_to) + logit(mean) - logit(own))

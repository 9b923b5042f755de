"""Costs and savings of rules when every case has its own costs."""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.checks import check_number, check_prevalence
from costspace.condition import probability_cost
from costspace.errors import ConditionError, warn_of
from costspace.metrics.case_rules import TrivialCosts, bayes_flags, cost_of_flags, cost_of_trivial
from costspace.predictions import called, rows_of
from costspace.samples.case_costs import CaseCosts
from costspace.samples.labels import positive_rows
from costspace.samples.order import check_order
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.samples.scale import threshold_off_scale
from costspace.samples.validation import weight_array
from costspace.scores.table import ScoreTable
from costspace.single import doubles

_MODEL = "y_score"


@underflow_to_zero
def expected_cost(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    fp_cost: ArrayLike,
    fn_cost: ArrayLike,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    threshold: float | None = None,
    prevalence: float | None = None,
    calibrated_to: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of a case under a rule, when each case has its own costs.

    The rule is one threshold for all, or the per-case Bayes rule: a case is flagged if its score
    is above its `bayes_thresholds`.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels of two classes.
    y_score : array of shape (n,)
        Scores, higher meaning more positive, or decisions: 0 and 1 (or truth values) are kept
        by the Bayes rule as they are.
    fp_cost, fn_cost : float or array of shape (n,)
        Cost of flagging the case if it is negative, and of not flagging it if it is positive.
    tp_cost, tn_cost : float or array of shape (n,)
        Cost of the correct decisions, negative for a gain.
    threshold : float, optional
        Flags scores above it, on any scale. By default the per-case Bayes rule decides, which
        takes scores as probabilities.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default. The cases of each class count as
        they do in the data.
    calibrated_to : float in (0, 1), optional
        The prevalence that the scores are calibrated to, from which the Bayes rule corrects them
        for the one at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float
        Cost per case; smaller is better. It is negative where gains outweigh costs.

    Raises
    ------
    LabelError, ScoreError, WeightError
        If labels, scores or weights are unusable, or the Bayes rule meets scores outside [0, 1].
    ConditionError
        If a cost, threshold or prevalence is out of range, or `calibrated_to` is given with a
        threshold.

    Notes
    -----
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI, Section 1, for the rule.
    pi0 E[tn_cost + flagged (fp_cost - tn_cost) | 0] + pi1 E[fn_cost - flagged (fn_cost - tp_cost)
    | 1]; times the number of cases it is the total cost of Correa Bahnsen et al. (2014). A case is
    flagged or not; flagging it with its score as the probability is another rule, which costs more.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.9]
    >>> costs = {"fp_cost": [1, 4, 1, 2], "fn_cost": [5, 5, 3, 9]}
    >>> cs.expected_cost(y, s, threshold=0.5, **costs), cs.expected_cost(y, s, **costs)
    (0.75, 0.0)
    """
    rows = _rows(
        y_true, y_score, CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost), pos_label, sample_weight
    )
    return _rule_cost(rows, threshold, prevalence, calibrated_to)


@underflow_to_zero
def savings_score(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    fp_cost: ArrayLike,
    fn_cost: ArrayLike,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    threshold: float | None = None,
    prevalence: float | None = None,
    calibrated_to: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of the better trivial rule's cost that a rule saves, with costs of each case.

    Parameters
    ----------
    y_true, y_score, fp_cost, fn_cost, tp_cost, tn_cost, threshold, prevalence, calibrated_to
        As in `expected_cost`.
    pos_label, sample_weight
        As in `expected_cost`.

    Returns
    -------
    float, at most 1 where nothing gains
        1 - cost / cost of flagging nobody or everybody, the smaller one. Larger is better: 0 is
        no better than that rule, less than 0 is worse, and 1 costs nothing.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError
        As in `expected_cost`, or if the better trivial rule costs nothing or gains: then there is
        no share.

    Notes
    -----
    Correa Bahnsen, Aouada, Ottersten (2014), Example-dependent cost-sensitive logistic regression,
    ICMLA; (2015), Example-dependent cost-sensitive decision trees, Expert Systems with
    Applications 42. A constant added to all costs of a case changes no decision, but it changes
    this share.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.9]
    >>> costs = {"fp_cost": [1, 4, 1, 2], "fn_cost": [5, 5, 3, 9]}
    >>> cs.savings_score(y, s, threshold=0.5, **costs), cs.savings_score(y, s, **costs)
    (0.4, 1.0)
    """
    rows = _rows(
        y_true, y_score, CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost), pos_label, sample_weight
    )
    trivial = cost_of_trivial(rows, prevalence)
    if not trivial.least > 0:
        raise ConditionError(
            "savings are a share of what the better trivial rule costs, and flagging nobody costs "
            f"{trivial.flag_nobody:g}, everybody {trivial.flag_everybody:g}: compare expected_cost."
        )
    return 1 - _rule_cost(rows, threshold, prevalence, calibrated_to) / trivial.least


def trivial_costs(
    y_true: ArrayLike,
    *,
    fp_cost: ArrayLike,
    fn_cost: ArrayLike,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> TrivialCosts:
    """Mean cost of a case when nobody is flagged, and when everybody is.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels of two classes.
    fp_cost, fn_cost, tp_cost, tn_cost, prevalence, pos_label, sample_weight
        As in `expected_cost`.

    Returns
    -------
    TrivialCosts
        Cost per case; smaller is better.

    Raises
    ------
    LabelError, WeightError, ConditionError
        For labels not of two classes, negative weights or options out of range, in this order.

    Notes
    -----
    Flagging nobody costs pi0 E[tn_cost | 0] + pi1 E[fn_cost | 1], flagging everybody
    pi0 E[fp_cost | 0] + pi1 E[tp_cost | 1].

    Examples
    --------
    >>> import costspace as cs
    >>> cs.metrics.trivial_costs([0, 0, 0, 1], fp_cost=1, fn_cost=10, prevalence=0.01)
    TrivialCosts(flag_nobody=0.1, flag_everybody=0.99)
    """
    costs = CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost)
    positive = positive_rows(y_true, pos_label)
    costs.check_rows(len(positive))
    weight = None if sample_weight is None else weight_array(sample_weight, positive)
    rows = ScoredRows(positive, {}, weight, costs)
    return cost_of_trivial(rows, prevalence)


def cost_weighted_table(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    fp_cost: ArrayLike,
    fn_cost: ArrayLike,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ScoreTable:
    """Score table in which each case is weighted by the cost of a mistake on it.

    Its rates are shares of each class's cost, so its ROC curve is the cost-weighted one. Its losses
    are shares of the stake, the cost of being wrong on every case. At cost proportion 1/2 false
    positives and false negatives cost what they are said to; at c all costs of false positives are
    multiplied by 2c, those of false negatives by 2 (1 - c).

    Parameters
    ----------
    y_true, y_score, fp_cost, fn_cost, tp_cost, tn_cost, pos_label, sample_weight
        As in `expected_cost`.
    prevalence : float in (0, 1), optional
        Share of positives among the cases at deployment; the data's by default.

    Returns
    -------
    ScoreTable
        Its `prevalence` is the positives' share of the stake. Rate-driven choices on it flag
        shares of the stake, not of the cases.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError
        For labels not of two classes, unusable scores, negative weights or options out of range, in
        this order.

    Notes
    -----
    Fawcett (2006), ROC graphs with instance-varying costs, Pattern Recognition Letters 27. A
    negative of weight w weighs w (fp_cost - tn_cost), a positive w (fn_cost - tp_cost).

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> table = cs.metrics.cost_weighted_table(y, s, fp_cost=[1, 3, 1, 1], fn_cost=[4, 4, 2, 6])
    >>> table.auc, round(table.prevalence, 12)
    (0.8125, 0.666666666667)
    >>> round(cs.loss_curve(table, choice=cs.Optimal())(0.5), 12)
    0.166666666667
    """
    rows = _rows(
        y_true, y_score, CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost), pos_label, sample_weight
    )
    table = ScoreTable.from_rows(rows.weighed_by_cost(), _MODEL)
    if prevalence is None:
        return table
    means = rows.mean_costs
    p = check_prevalence(prevalence)
    return table.with_prevalence(
        float(probability_cost(prevalence=p, fp_cost=means.net_fp_cost, fn_cost=means.net_fn_cost))
    )


def _rows(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None,
    costs: CaseCosts,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> ScoredRows:
    given = rows_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    costs.check_rows(len(given))
    check_order([("y_true", y_true), ("y_score", y_score), ("costs", costs.order)])
    return replace(called(given, _MODEL), costs=costs)


def _rule_cost(
    rows: ScoredRows,
    threshold: float | None,
    prevalence: float | None,
    calibrated_to: float | None,
) -> float:
    if threshold is None:
        return cost_of_flags(rows, bayes_flags(rows, _MODEL, prevalence, calibrated_to), prevalence)
    if calibrated_to is not None:
        raise ConditionError(
            "calibrated_to corrects scores for the per-case Bayes rule, not for a threshold: give "
            "only one of them."
        )
    scores = doubles(rows.scores[_MODEL])
    threshold = check_number("threshold", threshold)
    if text := threshold_off_scale(threshold, float(scores.min()), float(scores.max())):
        warn_of(text)
    flagged = scores > threshold
    return cost_of_flags(rows, flagged, prevalence)

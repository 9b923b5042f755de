"""Loss curves and expected losses of predictions."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, underflow_to_zero
from costspace.checks import check_axis
from costspace.choices import ThresholdChoice
from costspace.choices.base import check_choice, choice_for
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.curve import LossCurve
from costspace.influences.influence import Influence
from costspace.influences.optimism import loss_optimism
from costspace.influences.statistic import InfluenceOf, Statistic, makes_statistic
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.predictions import Labels, on_axis, rows_of, sole_model, source_of
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles


@underflow_to_zero
def loss_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice,
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> LossCurve:
    """Loss as a function of the operating condition, under a threshold choice method.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    choice : ThresholdChoice
        How the threshold follows the condition: `ScoreDriven()` gives the Brier curve,
        `RateDriven()` the rate-driven curve, `Optimal()` the cost curve.
    axis : {"cost", "skew"}
        What the condition is: the cost proportion c, or the skew z, on which classes have equal
        weight.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default. The skew axis ignores it.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    LossCurve
        Call it at any condition in [0, 1]. It is exact, its pieces to a tolerance if it bends, as
        the curve of an analytic model does. Losses are in [0, 2] on the cost axis and [0, 1] on
        the skew axis; smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equations 1 to 3.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> curve(0.25), curve.expectation(cs.Uniform(0, 0.5))
    (0.125, 0.125)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return choice_for(source, choice).path(on_axis(source, axis)).loss()


@metric(reads="choice")
@underflow_to_zero
def expected_loss(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Expected loss of a threshold choice method over a distribution of operating conditions.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    choice : ThresholdChoice
        How the threshold follows the condition.
    costs : CostDistribution, default Uniform()
        Distribution of the condition on the asked axis, or a frozen scipy one on [0, 1].
    axis : {"cost", "skew"}
        What the condition is: cost proportion or skew.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default. The skew axis ignores it.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float
        In [0, 2] on the cost axis, [0, 1] on the skew axis; smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4 and Table 4.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> cs.expected_loss(y, s, choice=cs.Optimal(), costs=cs.Beta(2, 2))
    0.15625
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return choice_for(source, choice).expected_loss(on_axis(source, axis), as_costs(costs))


@underflow_to_zero
def loss_shares(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> FloatArray:
    """Each row's share of an expected loss.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or ScoredRows alone
        Labels of two classes and scores of one model, higher meaning more positive.
    choice, costs, axis, prevalence, pos_label, sample_weight
        As in `expected_loss`.

    Returns
    -------
    array of shape (n,)
        Non-negative, in the order of the rows; the shares sum to the expected loss.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: this decomposition of the Brier curve.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> cs.loss_shares(y, s, choice=cs.ScoreDriven()).round(12)
    array([0.0025, 0.09  , 0.09  , 0.0025])
    """
    rows = rows_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    source = on_axis(source_of(rows, prevalence=prevalence), axis)
    scores = doubles(rows.scores[sole_model(rows)])
    exposure = choice_for(source, choice).exposure(source, scores, as_costs(costs))
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    negatives, positives = rows.class_weights
    p = source.prevalence
    return weight * np.where(
        rows.positive,
        2 * p / positives * exposure.as_positive,
        2 * (1 - p) / negatives * exposure.as_negative,
    )


@makes_statistic(expected_loss)
def loss_statistic(
    *, choice: ThresholdChoice, costs: CostDistribution = Uniform(), axis: str = "cost"
) -> Statistic:
    """The expected loss of a choice over a distribution of conditions."""
    costs, choice = as_costs(costs), check_choice(choice)
    balanced = check_axis(axis) == "skew"
    mean = costs.mean()
    # The largest loss: always wrong on the class whose errors cost more.
    worst = 1.0 if balanced else 2 * max(mean, 1 - mean)

    def bias(table: ScoreTable, weights: str, design_effect: float) -> float:
        return -loss_optimism(_on(table, axis), costs, weights, design_effect)

    def ceiling(table: ScoreTable) -> float:
        return trivial_path(_on(table, axis).prevalence).expected_loss(costs)

    return Statistic(
        "expected_loss",
        partial(expected_loss, choice=choice, costs=costs, axis=axis),
        loss_influence(choice, axis, costs),
        (0.0, worst),
        worst,
        balanced=balanced,
        bias=bias if choice.least_loss else None,
        ceiling=ceiling if choice.least_loss else None,
    )


def loss_influence(
    choice: ThresholdChoice, axis: str, costs: CostDistribution = Uniform()
) -> InfluenceOf:
    """The influence of each row on the expected loss of a choice on an axis."""

    def influence(table: ScoreTable) -> Influence:
        found = choice.influence(_on(table, axis), costs)
        return found.sloping(0.0) if axis == "skew" else found

    return influence


def _on(table: ScoreTable, axis: str) -> ScoreTable:
    return table.with_prevalence(0.5) if axis == "skew" else table

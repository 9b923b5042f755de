"""Ranking metrics: the area under the ROC curve and its relatives."""

from __future__ import annotations

from math import inf

import numpy as np

from costspace.errors import ScoreError
from costspace.influences.optimism import hull_area_optimism
from costspace.influences.ranks import auc_influence, hull_area_influence
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.of_predictions import of_predictions
from costspace.metrics.traits import metric
from costspace.scores.base import ScoreSource


@metric(reads="ranks", larger_is_better=True, ends=(0.0, 1.0), name="auc", words="AUC")
@of_predictions
def auc(source: ScoreSource) -> float:
    """Area under the ROC curve: the probability that a positive scores above a negative.

    Ties count half. It does not depend on the class shares.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float in [0, 1]
        Larger is better; 1/2 is random ranking.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError
        For labels not of two classes, unusable scores, negative weights or options out of range, in
        this order.
    SourceError
        If there are no scores, or scores, weights or `pos_label` are given with a table.

    Notes
    -----
    Linear in the expected loss of the rate-uniform and rate-driven choices: Hernandez-Orallo,
    Flach, Ferri (2012), arXiv:1112.2640, Theorems 8 and 10.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.75
    """
    return source.auc


@metric(
    reads="ranks",
    larger_is_better=True,
    ends=(0.0, 1.0),
    name="auc_hull",
    words="AUC of the convex hull",
)
@of_predictions
def auc_hull(source: ScoreSource) -> float:
    """Area under the convex hull of the ROC curve.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [1/2, 1]
        Larger is better; at least the AUC.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42.

    Examples
    --------
    >>> auc_hull([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.875
    """
    return source.auc_hull


@metric(reads="ranks", larger_is_better=True, ends=(-inf, 1.0))
@of_predictions
def gini(source: ScoreSource) -> float:
    """Gini coefficient of the ranking, 2 AUC - 1.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [-1, 1]
        Larger is better; 0 is random ranking.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Table 4.

    Examples
    --------
    >>> gini([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.5
    """
    return 2 * source.auc - 1


@metric(
    reads="ranks",
    larger_is_better=True,
    unbounded="ties inside bins are not known: use gini, the same without the ties",
)
@of_predictions
def kendall_tau(source: ScoreSource) -> float:
    """Kendall's rank correlation (tau-b) of labels and scores, linear in AUC without ties.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [-1, 1]
        Larger is better; 0 is random ranking. With binary labels 1 needs scores that are
        constant within each class.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If every score is the same, or one has all the weight.

    Notes
    -----
    Kendall (1945), Biometrika 33: concordant minus discordant pairs over the geometric mean of
    the pairs untied in label and untied in score.

    Examples
    --------
    >>> round(kendall_tau([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.408248290464
    """
    untied = source.untied_pairs
    if untied <= 0:
        raise ScoreError("Kendall's tau has no meaning when one score has all the weight.")
    p = source.prevalence
    return float(np.sqrt(p * (1 - p) / untied)) * (2 * source.auc - 1)


@makes_statistic(auc)
def auc_statistic() -> Statistic:
    """The area under the ROC curve."""
    return Statistic("auc", auc, auc_influence)


@makes_statistic(auc_hull)
def _auc_hull() -> Statistic:
    return Statistic(
        "auc_hull", auc_hull, hull_area_influence, (0.5, 1.0), 1.0, bias=hull_area_optimism
    )


@makes_statistic(gini)
def _gini() -> Statistic:
    return Statistic("gini", gini, lambda table: auc_influence(table).times(2), (-1.0, 1.0))

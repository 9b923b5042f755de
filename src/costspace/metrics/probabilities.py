"""Mean errors of scores taken as probabilities: score-driven and score-uniform losses."""

from __future__ import annotations

from costspace.choices import ScoreDriven, ScoreUniform
from costspace.costs import Uniform
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.expected import loss_influence
from costspace.metrics.of_predictions import of_predictions
from costspace.metrics.traits import metric
from costspace.predictions import on_axis
from costspace.scores.base import ScoreSource


@metric(reads="probabilities", name="brier", words="Brier score")
@of_predictions
def brier_score(source: ScoreSource) -> float:
    """Mean squared error of scores taken as probabilities.

    The expected loss of the score-driven choice under uniform cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Brier (1950); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 6.

    Examples
    --------
    >>> round(brier_score([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.185
    """
    source.check_probabilities("the Brier score")
    return ScoreDriven().expected_loss(source, Uniform())


@metric(reads="probabilities", name="macro_brier", words="Brier score, classes balanced")
@of_predictions
def macro_brier_score(source: ScoreSource) -> float:
    """Mean over the two classes of the mean squared error of scores as probabilities.

    The expected loss of the score-driven choice under uniform skews.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 4.

    Examples
    --------
    >>> round(macro_brier_score([0, 1, 1, 1], [0.6, 0.4, 0.7, 0.9]), 12)
    0.256666666667
    """
    source.check_probabilities("the macro Brier score")
    return ScoreDriven().expected_loss(on_axis(source, "skew"), Uniform())


@metric(reads="probabilities", name="mae", words="Mean absolute error")
@of_predictions
def mean_absolute_error(source: ScoreSource) -> float:
    """Mean absolute error of scores taken as probabilities.

    The expected loss of the score-uniform choice on [0, 1] under uniform cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 4.

    Examples
    --------
    >>> round(mean_absolute_error([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.35
    """
    source.check_probabilities("the mean absolute error")
    return ScoreUniform().expected_loss(source, Uniform())


@metric(reads="probabilities", name="macro_mae", words="Mean absolute error, classes balanced")
@of_predictions
def macro_mean_absolute_error(source: ScoreSource) -> float:
    """Mean over the two classes of the mean absolute error of scores as probabilities.

    The expected loss of the score-uniform choice on [0, 1] under uniform skews.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 4.

    Examples
    --------
    >>> round(macro_mean_absolute_error([0, 1, 1, 1], [0.6, 0.4, 0.7, 0.9]), 12)
    0.466666666667
    """
    source.check_probabilities("the macro mean absolute error")
    return ScoreUniform().expected_loss(on_axis(source, "skew"), Uniform())


@makes_statistic(brier_score)
def _brier() -> Statistic:
    return Statistic("brier", brier_score, loss_influence(ScoreDriven(), "cost"))


@makes_statistic(macro_brier_score)
def _macro_brier() -> Statistic:
    influence = loss_influence(ScoreDriven(), "skew")
    return Statistic("macro_brier", macro_brier_score, influence, balanced=True)


@makes_statistic(mean_absolute_error)
def _mae() -> Statistic:
    return Statistic("mae", mean_absolute_error, loss_influence(ScoreUniform(), "cost"))


@makes_statistic(macro_mean_absolute_error)
def _macro_mae() -> Statistic:
    influence = loss_influence(ScoreUniform(), "skew")
    return Statistic("macro_mae", macro_mean_absolute_error, influence, balanced=True)

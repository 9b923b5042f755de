"""The metrics that have a name: most are an expected loss under one assumption, or follow from it.

Every function takes predictions or a score table: `of_predictions` gives it those parameters,
unless it has others of its own.
"""

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import Optimal, ScoreDriven, ScoreFixed, ScoreUniform
from costspace.choices.base import choice_for
from costspace.costs import Uniform
from costspace.decomposition import partition_scores
from costspace.errors import ScoreError
from costspace.metrics.of_predictions import of_predictions
from costspace.pointwise import calibration_of, refinement_of
from costspace.scores.analytic import densities_of
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import on_axis, source_of


@of_predictions
def auc(source: ScoreSource) -> float:
    """Area under the ROC curve: the chance that a positive scores above a negative.

    Ties count half. It does not depend on the class shares.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
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
        If the input is not so.
    SourceError
        If there are no scores, or scores, weights or `pos_label` stand beside a table.

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
    Kendall (1945), Biometrika 33: concordant less discordant pairs over the geometric mean of
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


@underflow_to_zero
def accuracy(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    threshold: float = 0.5,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of examples classified correctly at a threshold.

    One minus the expected loss of the score-fixed choice under uniform cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    threshold : float, default 0.5
        On the scale of the scores; an example is predicted positive if its score is above it.

    Returns
    -------
    float in [0, 1]
        Larger is better.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the threshold is not a number.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 3.

    Examples
    --------
    >>> accuracy([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], threshold=0.3)
    0.75
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    choice = choice_for(source, ScoreFixed(threshold))
    return 1 - choice.expected_loss(source, Uniform())


@underflow_to_zero
def macro_accuracy(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    threshold: float = 0.5,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean over the two classes of the share classified correctly at a threshold.

    Accuracy with the classes reweighted to 1/2 each.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    threshold : float, default 0.5
        On the scale of the scores; an example is predicted positive if its score is above it.

    Returns
    -------
    float in [0, 1]
        Larger is better; a constant decision has 1/2.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the threshold is not a number.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 3.

    Examples
    --------
    >>> round(macro_accuracy([0, 1, 1, 1], [0.6, 0.4, 0.7, 0.9]), 12)
    0.333333333333
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    choice = choice_for(source, ScoreFixed(threshold))
    return 1 - choice.expected_loss(on_axis(source, "skew"), Uniform())


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


@underflow_to_zero
def refinement_loss(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    partition: str | ArrayLike = "hull",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Refinement loss: mean of p (1 - p) over bins of scores, p a bin's share of positives.

    Over the segments of the ROC convex hull it is the expected loss of the optimal choice under
    uniform cost proportions. Over any other partition an analytic model has one, an integral.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    partition : {"hull", "roc"}, int or array, default "hull"
        Bins of scores, as in `partition_scores`: the segments of the ROC convex hull, the
        distinct scores, a number of bins or their edges.

    Returns
    -------
    float in [0, 1/4]
        Smaller is better; 0 separates the classes.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the partition is another.
    SourceError
        If bins other than the hull's are asked of a source that is neither a ScoreTable nor an
        AnalyticScores.

    Notes
    -----
    Murphy (1973); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Corollary 15.

    Examples
    --------
    >>> refinement_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.125
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    if isinstance(partition, str) and partition == "hull":
        return Optimal().expected_loss(source, Uniform())
    if (model := densities_of(source)) is not None:
        return refinement_of(model)
    return partition_scores(source, partition).refinement_loss


@underflow_to_zero
def calibration_loss(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    partition: str | ArrayLike = "hull",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Murphy's calibration loss: mean squared gap of mean score and share of positives in bins.

    Over the distinct scores it and the refinement loss sum to the Brier score. Over wider bins
    they do not, and over the hull it is not continuous in the data: `miscalibration` is what
    bad calibration costs. Of an analytic model it is an integral, whatever the partition.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    partition : {"hull", "roc"}, int or array, default "hull"
        Bins of scores, as in `partition_scores`: the segments of the ROC convex hull, the
        distinct scores, a number of bins or their edges.

    Returns
    -------
    float in [0, 1]
        Smaller is better; 0 is calibrated.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the partition is another.
    ScoreError
        If a score is outside [0, 1].
    SourceError
        If the source is neither a ScoreTable nor an AnalyticScores.

    Notes
    -----
    Murphy (1973); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 6.

    Examples
    --------
    >>> round(calibration_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.005
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    source.check_probabilities("the calibration loss")
    if (model := densities_of(source)) is not None:
        return calibration_of(model)
    return partition_scores(source, partition).calibration_loss


@of_predictions
def miscalibration(source: ScoreSource) -> float:
    """What miscalibration costs: the Brier score less the refinement loss over the hull.

    The expected loss of the score-driven choice less that of the optimal one, under uniform
    cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better; 0 if and only if every score is the share of positives in its
        segment of the hull.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 6: the area between the Brier curve and
    the optimal cost curve.

    Examples
    --------
    >>> round(miscalibration([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.06
    """
    source.check_probabilities("the miscalibration")
    brier = ScoreDriven().expected_loss(source, Uniform())
    return brier - Optimal().expected_loss(source, Uniform())

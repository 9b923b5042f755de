"""How many rows a threshold classifies correctly: losses of the score-fixed choice."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import ScoreFixed
from costspace.choices.base import choice_for
from costspace.costs import Uniform
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.expected import loss_influence
from costspace.metrics.traits import metric
from costspace.predictions import Labels, on_axis, source_of
from costspace.samples.rows import NamedScores


@metric(reads="probabilities", larger_is_better=True, ends=(0.0, 1.0))
@underflow_to_zero
def accuracy(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    threshold: float = 0.5,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of rows classified correctly at a threshold.

    One minus the expected loss of the score-fixed choice under uniform cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    threshold : float, default 0.5
        On the scale of the scores; a row is predicted positive if its score is above it.

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


@metric(reads="probabilities", larger_is_better=True, ends=(0.0, 1.0))
@underflow_to_zero
def macro_accuracy(
    y_true: Labels,
    y_score: NamedScores | None = None,
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
        On the scale of the scores; a row is predicted positive if its score is above it.

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


@makes_statistic(accuracy)
def _accuracy(*, threshold: float = 0.5) -> Statistic:
    loss = loss_influence(ScoreFixed(threshold), "cost")
    return Statistic(
        "accuracy", partial(accuracy, threshold=threshold), lambda table: loss(table).times(-1)
    )


@makes_statistic(macro_accuracy)
def _macro_accuracy(*, threshold: float = 0.5) -> Statistic:
    loss = loss_influence(ScoreFixed(threshold), "skew")
    return Statistic(
        "macro_accuracy",
        partial(macro_accuracy, threshold=threshold),
        lambda table: loss(table).times(-1),
        balanced=True,
    )

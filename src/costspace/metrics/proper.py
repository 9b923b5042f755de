"""Proper scoring rules: the score-driven loss under a weight over operating conditions.

With Q the loss curve of the score-driven choice, a weight w over cost proportions makes the
integral of Q(c) w(c) / 2 a proper scoring rule. A negative of score s adds the integral of
c w(c) over c < s to its class's mean, a positive that of (1 - c) w(c) over c >= s. The constant
weight 2 is the Brier score. The weights of the log loss and of the boosting loss have no finite
mass, so they are no distributions, and what a row adds is a closed form. Nothing is clipped:
a score of 0 or 1 on the wrong side costs an infinite loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.choices import ScoreDriven
from costspace.costs import Point
from costspace.metrics.of_predictions import of_predictions
from costspace.metrics.probabilities import brier_score
from costspace.metrics.traits import metric
from costspace.scores.base import ScoreSource


@final
@dataclass(frozen=True)
class ScoringRule(FrozenValue):
    """A proper scoring rule: a weight over operating conditions, and its loss at each score.

    Attributes
    ----------
    name : str
        Its name in errors.
    weight : function of an array in (0, 1)
        Weight w(c) >= 0 of each cost proportion.
    on_negatives : function of an array in [0, 1]
        What a negative costs at each score s: the integral of c w(c) from 0 to s.
    on_positives : function of an array in [0, 1]
        What a positive costs: the integral of (1 - c) w(c) from s to 1.

    Notes
    -----
    Buja, Stuetzle, Shen (2005), Loss functions for binary class probability estimation.
    """

    name: str
    weight: Callable[[FloatArray], FloatArray]
    on_negatives: Callable[[FloatArray], FloatArray]
    on_positives: Callable[[FloatArray], FloatArray]

    def loss(self, source: ScoreSource) -> float:
        """Mean over the rows of their losses; at least 0, smaller is better."""
        source.check_probabilities(f"the {self.name}")
        as_negative, as_positive = source.class_means(self.on_negatives, self.on_positives)
        p = source.prevalence
        return (1 - p) * as_negative + p * as_positive


def _log_weight(c: FloatArray) -> FloatArray:
    return 1 / (c * (1 - c))


def _log_on_negatives(scores: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return -np.log1p(-scores)


def _log_on_positives(scores: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return -np.log(scores)


def _boosting_weight(c: FloatArray) -> FloatArray:
    return (c * (1 - c)) ** -1.5 / 2


def _boosting_on_negatives(scores: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.sqrt(scores) / np.sqrt(1 - scores)


def _boosting_on_positives(scores: FloatArray) -> FloatArray:
    # The odds themselves would overflow at the smallest scores, and -0.0 is 0.
    with np.errstate(divide="ignore"):
        return np.sqrt(1 - scores) / np.sqrt(np.abs(scores))


LOG = ScoringRule("log loss", _log_weight, _log_on_negatives, _log_on_positives)
BOOSTING = ScoringRule(
    "boosting loss", _boosting_weight, _boosting_on_negatives, _boosting_on_positives
)


@metric(reads="probabilities")
@of_predictions
def log_loss(source: ScoreSource) -> float:
    """Log loss, or cross-entropy: mean of -ln(score) on positives, -ln(1 - score) on negatives.

    The score-driven loss under the weight 1 / (c (1 - c)) over cost proportions, which gives more
    weight than the Brier score to conditions near 0 and 1.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, inf]
        Smaller is better, in nats; infinite if a positive scores 0 or a negative 1. Scores are
        not clipped.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Buja, Stuetzle, Shen (2005); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section
    8.1. The integral of Q(c) w(c) / 2 with Q the loss curve of the score-driven choice and w the
    weight.

    Examples
    --------
    >>> round(log_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.510825623766
    """
    return LOG.loss(source)


@metric(reads="probabilities")
@of_predictions
def boosting_loss(source: ScoreSource) -> float:
    """Boosting loss: mean of the root of the odds against each row's class.

    It is ((1 - s) / s)^(1/2) for a positive of score s and (s / (1 - s))^(1/2) for a negative:
    the exponential loss that AdaBoost minimises, with s the logistic function of twice its
    score. The score-driven loss under the weight (c (1 - c))^(-3/2) / 2 over cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, inf]
        Smaller is better; infinite if a positive scores 0 or a negative 1. Scores are not
        clipped.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Buja, Stuetzle, Shen (2005); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section
    8.1. The integral of Q(c) w(c) / 2 with Q the loss curve of the score-driven choice and w the
    weight.

    Examples
    --------
    >>> round(boosting_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.779039102362
    """
    return BOOSTING.loss(source)


@metric(reads="probabilities")
@of_predictions
def zero_one_loss(source: ScoreSource) -> float:
    """Zero-one loss of scores taken as probabilities: the error rate at threshold 1/2.

    The score-driven loss where all weight is on equal costs, c = 1/2. `accuracy` is one minus
    it, at any threshold and on any scale.

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
    Buja, Stuetzle, Shen (2005); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section
    8.1. Of a positive and a negative scoring 1/2, which is not flagged, the positive is wrong.

    Examples
    --------
    >>> zero_one_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.5
    """
    source.check_probabilities("the zero-one loss")
    return ScoreDriven().expected_loss(source, Point(0.5))


@metric(reads="probabilities", larger_is_better=True, ends=(-inf, inf))
@of_predictions
def cost_loss_utility(source: ScoreSource) -> float:
    """Murphy's expected utility of forecasts in the cost-loss decision with unknown ratio.

    A user protects, at a cost, if the forecast of adverse weather (the positive class, and the
    score its probability) is above the ratio of that cost to the loss that adverse weather
    means without protection. The utility is 1 minus the expense, in units of the loss, and its
    mean is over ratios uniform on [0, 1].

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in (0, 1)
        Larger is better; from pi0 / 2 if every forecast is certain and wrong to
        (1 + pi0) / 2 if it is certain and right, pi0 the share of negatives.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Murphy (1966), Journal of Applied Meteorology 5: -PS / 4 + (1 + pi0) / 2, with PS, the
    probability score, twice the Brier score. The constant arises because protection is paid for in
    adverse and in good weather.

    Examples
    --------
    >>> round(cost_loss_utility([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.6575
    """
    source.check_probabilities("the cost-loss utility")
    return (2 - source.prevalence - brier_score(source)) / 2

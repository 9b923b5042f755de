"""Named parts and differences of loss curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, underflow_to_zero
from costspace.choices import Optimal, RateDriven, ScoreDriven, ThresholdChoice
from costspace.choices.base import choice_for
from costspace.costs import Uniform
from costspace.curve import (
    LossCurve,
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
)
from costspace.curve.loss import common_breaks
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.expected import loss_statistic
from costspace.metrics.traits import metric
from costspace.predictions import Labels, on_axis, source_of
from costspace.samples.rows import NamedScores


@final
@dataclass(frozen=True, eq=False)
class ClassParts:
    """What each class contributes to a loss curve; the two parts sum to it.

    Attributes
    ----------
    negatives : LossCurve
        2 c pi0 FPR(c): the false positives' part.
    positives : LossCurve
        2 (1 - c) pi1 FNR(c): the false negatives' part.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 3: BC0 and BC1 of the Brier curve.

    Examples
    --------
    >>> import costspace as cs
    >>> parts = cs.metrics.class_parts([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> parts.negatives(0.5), parts.positives(0.5)
    (0.25, 0.25)
    """

    negatives: LossCurve
    positives: LossCurve

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends, each part at its start and its limit at its end."""
        parts = self.negatives.piecewise(), self.positives.piecewise()
        breaks = common_breaks(parts)
        refined = [PiecewiseQuadratic(breaks, p.coefficients_on(breaks)).columns() for p in parts]
        return {
            "from": breaks[:-1],
            "to": breaks[1:],
            **{
                f"{name}_{end}": columns[f"loss_{end}"]
                for name, columns in zip(("negatives", "positives"), refined, strict=True)
                for end in ("start", "end")
            },
        }


@underflow_to_zero
def class_parts(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice = ScoreDriven(),
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ClassParts:
    """Split a loss curve by class: by default the Brier curve, into BC0 and BC1.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    choice : ThresholdChoice, default ScoreDriven()
        How the threshold follows the condition.
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    ClassParts
        Two loss curves, not negative, whose sum is `loss_curve`.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 3 and Figure 2.

    Examples
    --------
    >>> parts = class_parts([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> round(parts.negatives.expectation(Uniform()), 4)
    0.0925
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    path = choice_for(source, choice).path(on_axis(source, axis))
    only_fpr, only_fnr = (partial(_scaled, factors) for factors in ((1.0, 0.0), (0.0, 1.0)))
    return ClassParts(path.mapped(only_fpr).loss(), path.mapped(only_fnr).loss())


def _scaled(factors: tuple[float, float], points: OperatingPoints) -> OperatingPoints:
    return OperatingPoints(points.fpr * factors[0], points.fnr * factors[1])


@metric(reads="probabilities")
@underflow_to_zero
def partial_brier_score(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Brier score over a range of conditions: the mean height of the Brier curve there.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    low, high : float
        Range of the condition, 0 <= low < high <= 1.
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    float, not negative
        Smaller is better. Times ``high - low`` it is the range's part of the Brier score.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 4: the expected loss over a more
    restricted range of operating conditions.

    Examples
    --------
    >>> partial_brier_score([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], low=0.4, high=0.6)
    0.5
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return ScoreDriven().expected_loss(on_axis(source, axis), Uniform(low, high))


@underflow_to_zero
def calibration_gap(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> PiecewiseQuadratic:
    """Calibration gap at each condition: score-driven minus optimal loss.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    PiecewiseQuadratic
        Not negative; its area is the `miscalibration`.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 3: the Brier curve quantifies by how
    much the cost curve is optimistic, and over what range.

    Examples
    --------
    >>> calibration_gap([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])(0.5)
    0.25
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    source = on_axis(source, axis)
    return ScoreDriven().path(source).loss() - Optimal().path(source).loss()


@underflow_to_zero
def kendall_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> PiecewiseQuadratic:
    """Kendall curve: rate-driven loss minus a perfect ranker's at each condition.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    PiecewiseQuadratic
        Not negative, 0 at both ends; its area is 2 pi0 pi1 (1 - AUC).

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2013), Machine Learning 93: ROC curves in cost space.

    Examples
    --------
    >>> curve = kendall_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> curve(0.5), round(curve.expectation(Uniform()), 12)
    (0.5, 0.125)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    source = on_axis(source, axis)
    return RateDriven().path(source).loss() - _perfect_ranking(source.prevalence).loss()


def _perfect_ranking(prevalence: float) -> OperatingPath:
    """The rate-driven path of a perfect ranker: it unflags all negatives first, then positives."""
    start = OperatingPoints(np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    end = OperatingPoints(np.array([0.0, 0.0]), np.array([0.0, 1.0]))
    return OperatingPath(np.array([0.0, 1 - prevalence, 1.0]), start, end, prevalence)


@makes_statistic(partial_brier_score)
def _partial_brier(*, low: float = 0.0, high: float = 1.0, axis: str = "cost") -> Statistic:
    loss = loss_statistic(choice=ScoreDriven(), costs=Uniform(low, high), axis=axis)
    value = partial(partial_brier_score, low=low, high=high, axis=axis)
    return Statistic("partial_brier", value, loss.influence, loss.range, balanced=loss.balanced)

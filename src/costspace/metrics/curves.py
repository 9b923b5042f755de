"""Loss curves, and differences of them, that have a name of their own."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import Optimal, RateDriven, ScoreDriven, ThresholdChoice
from costspace.condition import check_prevalence
from costspace.costs import Uniform
from costspace.curve import (
    LossCurve,
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
    SignIntervals,
    SmoothPath,
    sign_intervals,
)
from costspace.curve.loss import check_curve, common_breaks
from costspace.metrics.expected import check_choice
from costspace.metrics.of_predictions import of_predictions
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import on_axis


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
    >>> parts = cs.class_parts([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
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


@of_predictions
def class_parts(
    source: ScoreSource, *, choice: ThresholdChoice = ScoreDriven(), axis: str = "cost"
) -> ClassParts:
    """Split a loss curve by class: by default the Brier curve, into BC0 and BC1.

    Parameters
    ----------
    choice : ThresholdChoice, default ScoreDriven()
        How the threshold follows the condition.
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    ClassParts
        Two loss curves, not negative, whose sum is `loss_curve`.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 3 and Figure 2.

    Examples
    --------
    >>> parts = class_parts([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> round(parts.negatives.expectation(Uniform()), 4)
    0.0925
    """
    path = check_choice(choice).path(on_axis(source, axis))
    return ClassParts(_only(path, fpr=1.0).loss(), _only(path, fnr=1.0).loss())


def _only(
    path: OperatingPath | SmoothPath, *, fpr: float = 0.0, fnr: float = 0.0
) -> OperatingPath | SmoothPath:
    """The path with each rate times a factor."""

    def scaled(points: OperatingPoints) -> OperatingPoints:
        return OperatingPoints(points.fpr * fpr, points.fnr * fnr)

    if isinstance(path, OperatingPath):
        start = scaled(path.start)
        end = start if path.end is path.start else scaled(path.end)
        return OperatingPath(path.breaks, start, end, path.prevalence)
    at, left = path.at, path.left
    return SmoothPath(
        path.breaks,
        lambda c: scaled(at(c)),
        path.prevalence,
        None if left is None else lambda c: scaled(left(c)),
        path.tolerance,
    )


@of_predictions
def partial_brier_score(
    source: ScoreSource, *, low: float = 0.0, high: float = 1.0, axis: str = "cost"
) -> float:
    """Brier score over a range of conditions: the mean height of the Brier curve there.

    Parameters
    ----------
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
    return ScoreDriven().expected_loss(on_axis(source, axis), Uniform(low, high))


@of_predictions
def calibration_gap(source: ScoreSource, *, axis: str = "cost") -> PiecewiseQuadratic:
    """What trusting the scores costs at each condition: score-driven minus optimal loss.

    Parameters
    ----------
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    PiecewiseQuadratic
        Not negative; its area is the `miscalibration`.

    Raises
    ------
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
    source = on_axis(source, axis)
    return ScoreDriven().path(source).loss() - Optimal().path(source).loss()


@of_predictions
def kendall_curve(source: ScoreSource, *, axis: str = "cost") -> PiecewiseQuadratic:
    """What misranking costs at each condition: rate-driven loss minus a perfect ranker's.

    Parameters
    ----------
    axis : {"cost", "skew"}
        What the condition is.

    Returns
    -------
    PiecewiseQuadratic
        Not negative, 0 at both ends; its area is 2 pi0 pi1 (1 - AUC).

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2013), Machine Learning 93: ROC curves in cost space.

    Examples
    --------
    >>> curve = kendall_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> curve(0.5), round(curve.expectation(Uniform()), 12)
    (0.5, 0.125)
    """
    source = on_axis(source, axis)
    return RateDriven().path(source).loss() - _perfect_ranking(source.prevalence).loss()


def _perfect_ranking(prevalence: float) -> OperatingPath:
    """The rate-driven path of a perfect ranker: first all negatives are let go, then positives."""
    start = OperatingPoints(np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    end = OperatingPoints(np.array([0.0, 0.0]), np.array([0.0, 1.0]))
    return OperatingPath(np.array([0.0, 1 - prevalence, 1.0]), start, end, prevalence)


def trivial_curve(prevalence: float) -> PiecewiseQuadratic:
    """Loss of the better trivial rule: flag everybody, or nobody.

    Parameters
    ----------
    prevalence : float in (0, 1)
        Share of positives; 1/2 on the skew axis.

    Returns
    -------
    PiecewiseQuadratic
        2 min(c pi0, (1 - c) pi1): no classifier is worth more trouble than this.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1).

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the trivial classifiers of cost space.

    Examples
    --------
    >>> trivial_curve(0.2)(np.array([0.1, 0.2, 0.6])).round(12)
    array([0.16, 0.32, 0.16])
    """
    return trivial_path(prevalence).loss()


def trivial_path(prevalence: float) -> OperatingPath:
    """Flag everybody while c < pi1, then nobody: the better trivial rule at each condition."""
    points = OperatingPoints(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    return OperatingPath.stepping(np.array([check_prevalence(prevalence)]), points, prevalence)


def advantage(curve: LossCurve, prevalence: float) -> PiecewiseQuadratic:
    """How much less a loss curve is than the better trivial rule's, at each condition.

    Parameters
    ----------
    curve : LossCurve
    prevalence : float in (0, 1)
        Share of positives that the curve is for; 1/2 for a curve on the skew axis.

    Returns
    -------
    PiecewiseQuadratic
        Larger is better; negative where a trivial rule is better.

    Raises
    ------
    ConditionError
        If it is not a loss curve, or the prevalence not inside (0, 1).

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the vertical distance from the trivial
    classifiers' lines down to a cost curve.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreFixed())
    >>> advantage(curve, 0.5)(0.5), advantage(curve, 0.5)(0.1)
    (0.0, -0.4)
    """
    return trivial_curve(prevalence) - check_curve(curve)


def operating_range(curve: LossCurve, prevalence: float) -> SignIntervals:
    """Where a loss curve beats both trivial rules (sign 1), and where one of them beats it (-1).

    Parameters
    ----------
    curve : LossCurve
    prevalence : float in (0, 1)
        Share of positives that the curve is for; 1/2 for a curve on the skew axis.

    Returns
    -------
    SignIntervals
        Of the `advantage`.

    Raises
    ------
    ConditionError
        If it is not a loss curve, or the prevalence not inside (0, 1).

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the operating range of a classifier.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> operating_range(cs.loss_curve(y, s, choice=cs.ScoreFixed(0.7)), 0.5).where(1)
    [(0.333, 1.0)]
    """
    return sign_intervals(advantage(curve, prevalence))

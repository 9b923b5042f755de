"""Loss curves on other fields' scales and axes: Murphy curves, normalised expected cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import Optimal, ScoreDriven, ThresholdChoice
from costspace.choices.base import choice_for
from costspace.curve import PiecewiseQuadratic, weighted_sum
from costspace.predictions import Labels, on_axis, source_of
from costspace.samples.rows import NamedScores


@underflow_to_zero
def murphy_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice = ScoreDriven(),
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> PiecewiseQuadratic:
    """Murphy curve: the mean elementary score of forecasts at every threshold theta.

    The elementary score of a forecast x of an outcome y, 0 or 1, is half the distance of y from
    theta if theta lies between them, min(x, y) <= theta < max(x, y), else 0. Its mean is Q / 4,
    Q the loss at cost proportion theta.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    choice : ThresholdChoice, default ScoreDriven()
        How the threshold follows theta; by default it is theta, which is what makes the score
        elementary. Another choice gives its loss on the same scale.

    Returns
    -------
    PiecewiseQuadratic
        In [0, 1/2], smaller is better; exact, of scores above theta, and its `left` of those at
        it too. Curves that bend are within the tolerance of their pieces.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Ehm, Gneiting, Jordan, Krueger (2016), Journal of the Royal Statistical Society B 78, Theorem
    1: the elementary score of the mean, that is the expectile of level 1/2. Conventions differ by
    a factor. Costs theta and 1 - theta without the half give Q / 2; Dimitriadis, Gneiting, Jordan,
    Vogel (2024), International Journal of Forecasting 40, draw curves whose area is the Brier
    score and whose value at 1/2 is the error rate: Q itself, the `loss_curve` of `ScoreDriven`.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> curve = murphy_curve(y, s)
    >>> curve(0.5), 4 * curve.expectation(cs.Uniform()), cs.brier_score(y, s)
    (0.125, 0.185, 0.185)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return weighted_sum([choice_for(source, choice).path(source).loss()], weights=[0.25])


@underflow_to_zero
def normalised_cost_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice = Optimal(),
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> PiecewiseQuadratic:
    """Normalised expected cost over PC(+) = 1 - skew.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    choice : ThresholdChoice, default Optimal()
        How the threshold follows the condition; by default the cost curve, the lower envelope of
        all cost lines.

    Returns
    -------
    PiecewiseQuadratic
        The condition is PC(+), the false negatives' share of the worst total cost; values are
        in [0, 1], 1 where every case is wrong, smaller is better. It does not depend on the
        prevalence. Curves that bend are within the tolerance of their pieces.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: PC(+) FNR + (1 - PC(+)) FPR, which is Q at skew
    1 - PC(+); on that axis the 2 of Q cancels against the balanced classes. The axis is turned
    round, and so are the sides: at a jump the value is that of flagging scores *at* the threshold
    too, and the `left` limit that of flagging only those above it. `cost_lines` draws single
    operating points over PC(+), and `normalised_cost` computes one.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> curve, skews = normalised_cost_curve(y, s), cs.loss_curve(y, s, choice=cs.Optimal())
    >>> curve(0.75), skews(0.25), curve.breaks
    (0.125, 0.125, array([0. , 0. , 0.5, 1. , 1. ]))
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    pieces = choice_for(source, choice).path(on_axis(source, "skew")).loss().piecewise()
    a0, a1, a2 = pieces.coefficients
    turned = np.stack([a0 + a1 + a2, -(a1 + 2 * a2), a2])
    return PiecewiseQuadratic(1 - pieces.breaks[::-1], turned[:, ::-1])

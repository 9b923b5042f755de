"""The trivial rules, which use no score, and the advantage of a loss curve over them."""

import numpy as np

from costspace.checks import check_prevalence
from costspace.curve import (
    LossCurve,
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
    SignIntervals,
    sign_intervals,
)
from costspace.curve.loss import check_curve


def trivial_curve(*, prevalence: float) -> PiecewiseQuadratic:
    """Loss of the better trivial rule: flag everybody, or nobody.

    Parameters
    ----------
    prevalence : float in (0, 1)
        Share of positives; 1/2 on the skew axis.

    Returns
    -------
    PiecewiseQuadratic
        2 min(c pi0, (1 - c) pi1), which a useful classifier must beat.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1).

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the trivial classifiers of cost space.

    Examples
    --------
    >>> trivial_curve(prevalence=0.2)(np.array([0.1, 0.2, 0.6])).round(12)
    array([0.16, 0.32, 0.16])
    """
    return trivial_path(prevalence).loss()


def trivial_path(prevalence: float) -> OperatingPath:
    """Flag everybody while c < pi1, then nobody: the better trivial rule at each condition."""
    points = OperatingPoints(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    return OperatingPath.stepping(np.array([check_prevalence(prevalence)]), points, prevalence)


def advantage(curve: LossCurve, *, prevalence: float) -> PiecewiseQuadratic:
    """The better trivial rule's loss minus a loss curve, at each condition.

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
    >>> advantage(curve, prevalence=0.5)(0.5), advantage(curve, prevalence=0.5)(0.1)
    (0.0, -0.4)
    """
    return trivial_curve(prevalence=prevalence) - check_curve(curve)


def operating_range(curve: LossCurve, *, prevalence: float) -> SignIntervals:
    """Where a loss curve is below both trivial rules (sign 1), and where it is above one (-1).

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
    >>> operating_range(cs.loss_curve(y, s, choice=cs.ScoreFixed(0.7)), prevalence=0.5).where(1)
    [(0.333, 1.0)]
    """
    return sign_intervals(advantage(curve, prevalence=prevalence))

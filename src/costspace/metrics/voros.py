"""The volume over the ROC surface: how many classifiers the best operating point beats."""

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.condition import check_range
from costspace.costs import CostDistribution, Truncated, Uniform, as_costs
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import source_of


def voros(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    low: float = 0.0,
    high: float = 1.0,
    costs: CostDistribution | None = None,
    *,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Volume over the ROC surface: mean area of lesser classifiers over a range of skew.

    At skew z the area of lesser classifiers is the share of the ROC square that costs no less
    than the best operating point.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
        Labels of two classes and scores, higher meaning more positive.
    low, high : float
        Range of skew, 0 <= low < high <= 1.
    costs : CostDistribution, optional
        Distribution of the skew, conditioned on the range; uniform by default.
    prevalence : float in (0, 1), optional
        Taken as by every metric, and without effect.
    pos_label : label, optional
        The label of the positive class.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float in [0.5, 1]
        Larger is better; 1 separates the classes. It does not depend on the class shares.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS. The points that beat loss L at skew z fill a triangle
    with legs L / z and L / (1 - z), so the area is 1 - L^2 / (2 z (1 - z)); the optimal loss is
    never above either trivial rule's, so the legs stay inside the square. With L linear between
    breaks, its square needs only the mean odds z / (1 - z), their inverse, and the mass.

    Examples
    --------
    >>> round(voros([0, 1], [0.2, 0.7]), 12), round(voros([0, 1], [0.5, 0.5]), 12)
    (1.0, 0.80685281944)
    """
    low, high = check_range(low, high, inside=(0, 1))
    if costs is None:
        distribution: CostDistribution = Uniform(low, high)
    elif (low, high) == (0, 1):
        distribution = as_costs(costs)
    else:
        distribution = Truncated(as_costs(costs), low, high)
    source = source_of(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, prevalence=prevalence
    )
    points = source.hull_points
    edges = np.concatenate([[0.0], source.skew_breaks, [1.0]])
    odds, inverse_odds = distribution.odds_moments(edges)
    mass = distribution.partial_moments(edges)[0]
    lost = (
        _times(points.fpr**2, odds)
        + 2 * points.fpr * points.fnr * mass
        + _times(points.fnr**2, inverse_odds)
    )
    return 1 - float(np.sum(lost)) / 2


def _times(rate: FloatArray, moment: FloatArray) -> FloatArray:
    """The product, zero where the rate is: next to 0 and 1 the moment may be infinite."""
    return np.multiply(rate, moment, out=np.zeros_like(rate), where=rate > 0)

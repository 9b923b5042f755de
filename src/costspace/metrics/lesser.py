"""The area of lesser classifiers, the share of ROC space that a point beats, and its mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain
from costspace.checks import check_conditions, check_number, check_range, check_rates
from costspace.costs import CostDistribution, Truncated, Uniform
from costspace.costs.scipy_frozen import as_costs


def lesser_area(fpr: ArrayLike, fnr: ArrayLike, *, z: ArrayLike) -> Floats:
    """Area of lesser classifiers: the share of ROC space that costs more than an operating point.

    Parameters
    ----------
    fpr, fnr : float or array in [0, 1]
        Any operating point; arrays broadcast with each other and with `z`.
    z : float or array in [0, 1]
        Skew.

    Returns
    -------
    float or array in [0, 1]
        The probability that a point drawn uniformly from the ROC square loses more at that skew;
        larger is better.

    Raises
    ------
    ConditionError
        If a skew or a rate is not in [0, 1].

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 16. With L the loss, a the smaller and b the
    larger of z and 1 - z, the area is

    - 1 - L^2 / (2 a b) if L <= a: the point beats both trivial rules (Lemma 22);
    - 1 - (2 L - a) / (2 b) if a < L <= b: it beats the worse one;
    - (1 - L)^2 / (2 a b) if L > b: it beats neither.

    Examples
    --------
    >>> lesser_area(0.2, 0.2, z=0.5), lesser_area([0, 1], [1, 0], z=0.2)
    (0.92, array([0.125, 0.875]))
    """
    x, y, z = check_rates(fpr, fnr, check_conditions("a skew", z))
    loss, gain = z * x + (1 - z) * y, z * (1 - x) + (1 - z) * (1 - y)
    a, b = np.minimum(z, 1 - z), np.maximum(z, 1 - z)
    # 1 - L as a loss of its own keeps its digits near L = 1. Where a is 0, only the middle counts.
    beaten, beating = (
        np.divide(np.minimum(part, a), a, out=np.zeros_like(part), where=a > 0) * part / (2 * b)
        for part in (loss, gain)
    )
    area = np.where(loss <= a, 1 - beaten, np.where(gain < a, beating, (2 * gain - a) / (2 * b)))
    return plain(area)


def voros_of_point(
    fpr: float,
    fnr: float,
    *,
    low: float = 0.0,
    high: float = 1.0,
    costs: CostDistribution | None = None,
) -> float:
    """Volume over the surface of one operating point: its mean area of lesser classifiers.

    Parameters
    ----------
    fpr, fnr : float in [0, 1]
        The operating point, the same at every skew.
    low, high : float
        Range of skew, 0 <= low < high <= 1.
    costs : CostDistribution, optional
        Distribution of the skew, conditioned on the range; uniform by default.

    Returns
    -------
    float in [0, 1]
        Larger is better; 1/2 on average over all points.

    Raises
    ------
    ConditionError
        If a rate is not in [0, 1], or the range or the distribution is invalid.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 17 and Lemma 23, in all regimes: as the skew
    grows, a point stops losing to flagging everybody at FNR / (1 - FPR + FNR) and starts losing to
    flagging nobody at (1 - FNR) / (1 + FPR - FNR). Between the two it beats both or neither.

    Examples
    --------
    >>> round(voros_of_point(0.1, 0.2), 6), round(voros_of_point(0.1, 0.2, low=0.4, high=0.6), 6)
    (0.923881, 0.954317)
    """
    x = check_number("fpr", fpr, low=0, high=1)
    y = check_number("fnr", fnr, low=0, high=1)
    distribution = skews_between(low, high, costs)
    # The loss equals z at one of these, and 1 - z at the other, on both sides of 1/2. In the corner
    # of a trivial rule they are arbitrary: its loss is always z, or 1 - z. Added up from the
    # differences, so that a small rate is not lost to rounding.
    to_all, to_none = y + (1 - x), x + (1 - y)
    of_all = y / to_all if to_all > 0 else 0.0
    of_none = (1 - y) / to_none if to_none > 0 else 1.0
    edges = np.array([0.0, min(of_all, of_none), max(of_all, of_none), 1.0])
    odds, inverse_odds = distribution.odds_moments(edges)
    mass = distribution.masses(edges)
    if y <= 1 - x and x <= 1 - y:
        between = mass[1] - mean_triangle(x, y, odds[1], mass[1], inverse_odds[1])
    else:
        between = mean_triangle(1 - x, 1 - y, odds[1], mass[1], inverse_odds[1])
    below = (1 - y) * mass[0] + (0.5 - x) * odds[0]
    above = (1 - x) * mass[2] + (0.5 - y) * inverse_odds[2]
    return float(below + between + above)


def skews_between(low: float, high: float, costs: CostDistribution | None) -> CostDistribution:
    """The distribution of skews that are known to lie in a range."""
    low, high = check_range(low, high, inside=(0, 1))
    if costs is None:
        return Uniform(low, high)
    return as_costs(costs) if (low, high) == (0, 1) else Truncated(as_costs(costs), low, high)


def mean_triangle(
    x: Floats, y: Floats, odds: Floats, mass: Floats, inverse_odds: Floats
) -> FloatArray:
    """Mean of L^2 / (2 z (1 - z)), L = z x + (1 - z) y, from moments over a piece of skews."""
    return (times_moment(x**2, odds) + 2 * x * y * mass + times_moment(y**2, inverse_odds)) / 2


def times_moment(factor: Floats, moment: Floats) -> FloatArray:
    """The product, 0 where a moment is infinite: next to the ends the rate is 0.

    Rounding may leave a small rate there; the loss stays below the range of skews, so the rate's
    contribution is no larger than the rate.
    """
    return np.multiply(factor, moment, out=np.zeros(np.shape(factor)), where=np.isfinite(moment))

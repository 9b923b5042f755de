"""Operating conditions and the loss at one: the only module that fixes the orientation.

Label 1 is the positive class, a higher score means more positive, and a row is predicted
positive (*flagged*) if and only if its score is above the threshold. False positives cost
`fp_cost`, false negatives `fn_cost`; a decision depends only on their proportion.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain
from costspace.checks import (
    check_conditions,
    check_numbers,
    check_positive,
    check_prevalence,
    check_prevalences,
)

# Twelve decimal places; what makes a number whole by being added and taken away, since floats of
# that size are whole; and the rounding error, relative to a number, of a few operations.
PLACES, WHOLE, ERROR = 1e12, 2.0**52, 2e-15

__all__ = [
    "cost_from_skew",
    "cost_proportion",
    "loss_at",
    "normalised_cost",
    "probability_cost",
    "skew_from_cost",
    "trivial_loss",
]


def cost_proportion(*, fp_cost: ArrayLike, fn_cost: ArrayLike) -> Floats:
    """Cost proportion c = fp_cost / (fp_cost + fn_cost).

    Parameters
    ----------
    fp_cost, fn_cost : float or array, positive
        Cost of one false positive and of one false negative, in any common unit.

    Returns
    -------
    float or array in (0, 1)
        The false positives' share of the two costs: 0.5 when both mistakes cost the same,
        near 0 when a false negative costs far more than a false positive.

    Raises
    ------
    ConditionError
        If a cost is not positive and finite.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: c = c0 / (c0 + c1).

    Examples
    --------
    >>> cost_proportion(fp_cost=1, fn_cost=4)
    0.2
    """
    fp, fn = check_positive("fp_cost", fp_cost), check_positive("fn_cost", fn_cost)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        both = fp + fn
        # Of whole costs the quotient is the float next to it.
        return plain(np.where(np.isfinite(both), fp / both, 1 / (1 + fn / fp)))


def skew_from_cost(c: ArrayLike, *, prevalence: ArrayLike) -> Floats:
    """Skew z = c pi0 / (c pi0 + (1 - c) pi1) of a cost proportion at a prevalence.

    Parameters
    ----------
    c : float or array in [0, 1]
        Cost proportion.
    prevalence : float or array in (0, 1)
        Share of positives, pi1.

    Returns
    -------
    float or array in [0, 1]
        The false positives' share of the worst total cost; equal to `c` when the classes are
        balanced, and monotone in it.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1) or the condition not in [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2; 1 - z is Drummond and Holte's
    probability cost PC(+).

    Examples
    --------
    >>> skew_from_cost(0.5, prevalence=0.1)
    0.9
    """
    p, c = check_prevalences(prevalence), check_conditions("a cost proportion", c)
    return _share(c * (1 - p), (1 - c) * p)


def cost_from_skew(z: ArrayLike, *, prevalence: ArrayLike) -> Floats:
    """Cost proportion that has skew z at a prevalence: the inverse of `skew_from_cost`.

    Parameters
    ----------
    z : float or array in [0, 1]
        Skew.
    prevalence : float or array in (0, 1)
        Share of positives.

    Returns
    -------
    float or array in [0, 1]
        Cost proportion, monotone in `z`.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1) or the condition not in [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: the definition of z solved
    for c, c = z pi1 / (z pi1 + (1 - z) pi0).

    Examples
    --------
    >>> round(cost_from_skew(0.9, prevalence=0.1), 12)
    0.5
    """
    p, z = check_prevalences(prevalence), check_conditions("a skew", z)
    return _share(z * p, (1 - z) * (1 - p))


def probability_cost(
    *, prevalence: ArrayLike, fp_cost: ArrayLike = 1.0, fn_cost: ArrayLike = 1.0
) -> Floats:
    """Probability cost PC(+): the share of false negatives in the worst total cost.

    Parameters
    ----------
    prevalence : float or array in [0, 1]
        Share of positives, pi1.
    fp_cost, fn_cost : float or array, positive
        Cost of one false positive and of one false negative, in any common unit; equal by
        default, when PC(+) is the prevalence.

    Returns
    -------
    float or array in [0, 1]
        pi1 fn_cost / (pi0 fp_cost + pi1 fn_cost), which is 1 minus the skew.

    Raises
    ------
    ConditionError
        If a prevalence is not in [0, 1] or a cost not positive and finite.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65.

    Examples
    --------
    >>> probability_cost(prevalence=0.1, fp_cost=1, fn_cost=9)
    0.5
    >>> round(1 - skew_from_cost(cost_proportion(fp_cost=1, fn_cost=9), prevalence=0.1), 12)
    0.5
    """
    return plain(1 / (1 + _worst_odds(prevalence, fp_cost, fn_cost)))


def normalised_cost(
    fpr: ArrayLike,
    fnr: ArrayLike,
    *,
    prevalence: ArrayLike,
    fp_cost: ArrayLike = 1.0,
    fn_cost: ArrayLike = 1.0,
) -> Floats:
    """Normalised expected cost of an operating point: its expected cost over the worst.

    Parameters
    ----------
    fpr, fnr : float or array in [0, 1]
        False positive and false negative rate.
    prevalence : float or array in [0, 1]
        Share of positives, pi1.
    fp_cost, fn_cost : float or array, positive
        Cost of one false positive and of one false negative, in any common unit.

    Returns
    -------
    float or array in [0, 1]
        (pi0 FPR fp_cost + pi1 FNR fn_cost) / (pi0 fp_cost + pi1 fn_cost); smaller is better. It
        is the loss at the skew of these costs and this prevalence: a straight line over PC(+), and
        over the prevalence only if the costs are equal.

    Raises
    ------
    ConditionError
        If a prevalence or a rate is not in [0, 1], or a cost not positive and finite.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65; Ratigan and Cowen (2024), The VOROS,
    Definition 10.

    Examples
    --------
    >>> round(normalised_cost(0.2, 0.4, prevalence=0.1, fp_cost=1, fn_cost=9), 12)
    0.3
    """
    fpr, fnr = check_conditions("fpr", fpr), check_conditions("fnr", fnr)
    odds = _worst_odds(prevalence, fp_cost, fn_cost)
    with np.errstate(divide="ignore", over="ignore"):
        return plain(fpr / (1 + 1 / odds) + fnr / (1 + odds))


def loss_at(fpr: ArrayLike, fnr: ArrayLike, *, c: ArrayLike, prevalence: float) -> Floats:
    """Loss Q = 2 (c pi0 FPR + (1 - c) pi1 FNR) of an operating point at a cost proportion.

    Parameters
    ----------
    fpr, fnr : float or array in [0, 1]
        False positive and false negative rate.
    c : float or array in [0, 1]
        Cost proportion; at prevalence 1/2 it is the skew, and the loss z FPR + (1 - z) FNR.
    prevalence : float in (0, 1)
        Share of positives.

    Returns
    -------
    float or array in [0, 2]
        The loss; smaller is better. The factor 2 makes the loss at c = 1/2 the error rate.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1), or the condition or a rate not in [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equations 1 and 3.

    Examples
    --------
    >>> round(loss_at(0.2, 0.3, c=0.5, prevalence=0.1), 12)
    0.21
    """
    p, c = check_prevalence(prevalence), check_conditions("a cost proportion", c)
    fpr, fnr = _rates("fpr", fpr), _rates("fnr", fnr)
    return plain(loss_of_rates(c, p, fpr, fnr))


def _rates(name: str, values: ArrayLike) -> FloatArray:
    """Rates in [0, 1], where rounding may have taken means of them a little beyond."""
    rates = check_numbers(name, values)
    inside = np.clip(rates, 0, 1)
    return check_conditions(name, np.where(np.abs(rates - inside) <= ERROR, inside, rates))


def loss_of_rates(c: FloatArray, prevalence: float, fpr: FloatArray, fnr: FloatArray) -> FloatArray:
    """`loss_at` of rates that were computed: rounding may have taken them beyond [0, 1]."""
    return 2 * (c * (1 - prevalence) * fpr + (1 - c) * prevalence * fnr)


def trivial_loss(c: ArrayLike, *, prevalence: float) -> Floats:
    """Loss of the better trivial rule, 2 min(c pi0, (1 - c) pi1).

    Parameters
    ----------
    c : float or array in [0, 1]
        Cost proportion.
    prevalence : float in (0, 1)
        Share of positives.

    Returns
    -------
    float or array in [0, 1/2]
        The smaller of the losses of flagging everybody (2 c pi0) and nobody (2 (1 - c) pi1).

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1) or the condition not in [0, 1].

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the trivial classifiers of cost space.

    Examples
    --------
    >>> trivial_loss(0.5, prevalence=0.1)
    0.1
    """
    everybody, nobody = (
        loss_at(1, 0, c=c, prevalence=prevalence),
        loss_at(0, 1, c=c, prevalence=prevalence),
    )
    return plain(np.minimum(everybody, nobody))


def negative_share(prevalence: float, fpr: ArrayLike, fnr: ArrayLike) -> Floats:
    """Share of rows predicted negative, R = pi0 (1 - FPR) + pi1 FNR.

    It is the papers' *rate*. Users of costspace see the share flagged, 1 - R.
    """
    fpr, fnr = np.asarray(fpr, dtype=float), np.asarray(fnr, dtype=float)
    return plain((1 - prevalence) * (1 - fpr) + prevalence * fnr)


def _worst_odds(prevalence: ArrayLike, fp_cost: ArrayLike, fn_cost: ArrayLike) -> FloatArray:
    """The cost of flagging all negatives, divided by the cost of flagging no positive.

    Powers of two are kept apart, so that nothing overflows or underflows.
    """
    p = check_conditions("prevalence", prevalence)
    fp, fn = check_positive("fp_cost", fp_cost), check_positive("fn_cost", fn_cost)
    (a, i), (b, j), (c, k), (d, m) = map(np.frexp, (fp, 1 - p, fn, p))
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.asarray(np.ldexp(a * b / (c * d), i + j - k - m))


def without_rounding(values: FloatArray) -> FloatArray:
    """Numbers without what rounding errors made of them: decimals, where they are next to one.

    Of 0.2 that came as 0.19999999999999996 a score of 0.2 would be on the wrong side. The decimals
    have 12 places, and a number that they would move by more than its rounding error stays.
    """
    within = np.abs(values) < 1
    nearest = (np.where(within, values, 0.0) * PLACES + WHOLE - WHOLE) / PLACES
    close = np.abs(nearest - values) <= ERROR * np.abs(values)
    return np.where(close & within, nearest, values)


def _share(part: Floats, rest: Floats) -> Floats:
    # In this form it is monotone in spite of rounding: where `part` rises, `rest` falls.
    with np.errstate(divide="ignore", over="ignore"):
        return plain(1 / (1 + np.divide(rest, part)))

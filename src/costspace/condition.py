"""Operating conditions and the loss at one: the only module that knows orientation.

Label 1 is the positive class, a higher score means more positive, and an example is predicted
positive (*flagged*) if and only if its score is above the threshold. False positives cost
`fp_cost`, false negatives `fn_cost`; only their proportion steers a decision.
"""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats
from costspace.errors import ConditionError, brief

__all__ = [
    "cost_from_skew",
    "cost_proportion",
    "loss_at",
    "normalised_cost",
    "probability_cost",
    "skew_from_cost",
    "trivial_loss",
]

AXES = ("cost", "skew")
# The least and the most that a mistake may cost, in any unit of money: products and ratios of two
# costs and a share of positives are finite then, and not 0.
MONEY = (1e-50, 1e50)


def cost_proportion(fp_cost: ArrayLike, fn_cost: ArrayLike) -> Floats:
    """Cost proportion c = fp_cost / (fp_cost + fn_cost).

    Parameters
    ----------
    fp_cost, fn_cost : float or array, positive
        Cost of one false positive and of one false negative, in any common unit.

    Returns
    -------
    float or array in (0, 1)
        The false positives' share of the two costs: 0.5 when both mistakes cost the same,
        near 0 when a missed positive is far dearer than a false alarm.

    Raises
    ------
    ConditionError
        If a cost is not positive and finite.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: c = c0 / (c0 + c1).

    Examples
    --------
    >>> cost_proportion(1, 4)
    0.2
    """
    fp, fn = check_positive("fp_cost", fp_cost), check_positive("fn_cost", fn_cost)
    with np.errstate(over="ignore", under="ignore"):
        return plain(1 / (1 + fn / fp))


def skew_from_cost(c: ArrayLike, prevalence: ArrayLike) -> Floats:
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
    p, c = _prevalences(prevalence), check_conditions("a cost proportion", c)
    return _share(c * (1 - p), (1 - c) * p)


def cost_from_skew(z: ArrayLike, prevalence: ArrayLike) -> Floats:
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
    p, z = _prevalences(prevalence), check_conditions("a skew", z)
    return _share(z * p, (1 - z) * (1 - p))


def probability_cost(
    prevalence: ArrayLike, fp_cost: ArrayLike = 1.0, fn_cost: ArrayLike = 1.0
) -> Floats:
    """Probability cost PC(+): the false negatives' share of the worst total cost.

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
        pi1 fn_cost / (pi0 fp_cost + pi1 fn_cost), which is 1 less the skew.

    Raises
    ------
    ConditionError
        If a prevalence is not in [0, 1] or a cost not positive and finite.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65.

    Examples
    --------
    >>> probability_cost(0.1, fp_cost=1, fn_cost=9)
    0.5
    >>> round(1 - skew_from_cost(cost_proportion(1, 9), prevalence=0.1), 12)
    0.5
    """
    return plain(1 / (1 + _worst_odds(prevalence, fp_cost, fn_cost)))


def normalised_cost(
    prevalence: ArrayLike,
    fpr: ArrayLike,
    fnr: ArrayLike,
    fp_cost: ArrayLike = 1.0,
    fn_cost: ArrayLike = 1.0,
) -> Floats:
    """Normalised expected cost of an operating point: its expected cost over the worst.

    Parameters
    ----------
    prevalence : float or array in [0, 1]
        Share of positives, pi1.
    fpr, fnr : float or array in [0, 1]
        False positive and false negative rate.
    fp_cost, fn_cost : float or array, positive
        Cost of one false positive and of one false negative, in any common unit.

    Returns
    -------
    float or array in [0, 1]
        (pi0 FPR fp_cost + pi1 FNR fn_cost) / (pi0 fp_cost + pi1 fn_cost); smaller is better. It
        is the loss at the skew of these costs and this prevalence, a straight line over PC(+),
        and over the prevalence one only if the costs are equal.

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
    >>> round(normalised_cost(0.1, fpr=0.2, fnr=0.4, fp_cost=1, fn_cost=9), 12)
    0.3
    """
    fpr, fnr = check_conditions("fpr", fpr), check_conditions("fnr", fnr)
    odds = _worst_odds(prevalence, fp_cost, fn_cost)
    with np.errstate(divide="ignore", over="ignore"):
        return plain(fpr / (1 + 1 / odds) + fnr / (1 + odds))


def loss_at(c: ArrayLike, prevalence: float, fpr: ArrayLike, fnr: ArrayLike) -> Floats:
    """Loss Q = 2 (c pi0 FPR + (1 - c) pi1 FNR) of an operating point at a cost proportion.

    Parameters
    ----------
    c : float or array in [0, 1]
        Cost proportion; at prevalence 1/2 it is the skew, and the loss z FPR + (1 - z) FNR.
    prevalence : float in (0, 1)
        Share of positives.
    fpr, fnr : float or array in [0, 1]
        False positive and false negative rate.

    Returns
    -------
    float or array in [0, 2]
        The loss; smaller is better. The factor 2 makes the loss at c = 1/2 the error rate.

    Raises
    ------
    ConditionError
        If the prevalence is not inside (0, 1) or the condition not in [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equations 1 and 3.

    Examples
    --------
    >>> round(loss_at(0.5, prevalence=0.1, fpr=0.2, fnr=0.3), 12)
    0.21
    """
    p, c = check_prevalence(prevalence), check_conditions("a cost proportion", c)
    return plain(2 * (c * (1 - p) * np.asarray(fpr) + (1 - c) * p * np.asarray(fnr)))


def trivial_loss(c: ArrayLike, prevalence: float) -> Floats:
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
    everybody, nobody = loss_at(c, prevalence, 1, 0), loss_at(c, prevalence, 0, 1)
    return plain(np.minimum(everybody, nobody))


def negative_share(prevalence: float, fpr: ArrayLike, fnr: ArrayLike) -> Floats:
    """Share of examples predicted negative, R = pi0 (1 - FPR) + pi1 FNR.

    It is the papers' *rate*; users of costspace speak of the share flagged, 1 - R.
    """
    fpr, fnr = np.asarray(fpr, dtype=float), np.asarray(fnr, dtype=float)
    return plain((1 - prevalence) * (1 - fpr) + prevalence * fnr)


def check_prevalence(prevalence: float, name: str = "prevalence") -> float:
    """Return a prevalence as a float, or raise `ConditionError` unless it is inside (0, 1)."""
    return check_number(name, prevalence, low=0, high=1, open_ends=True)


def _prevalences(values: ArrayLike) -> Floats:
    """Return prevalences, or raise `ConditionError` unless all are inside (0, 1)."""
    if np.ndim(values) == 0:
        return check_prevalence(values)  # type: ignore[arg-type]
    p = check_conditions("prevalence", values)
    if np.any((p == 0) | (p == 1)):
        raise ConditionError("prevalence must be in (0, 1), got 0 or 1 among several.")
    return p


def by_how_much(gap: float) -> str:
    """Between what a mistake may cost more than the right decision, where it is more at all."""
    return f" by {MONEY[0]:g} to {MONEY[1]:g}" if gap > 0 else ""


def check_axis(axis: object) -> str:
    """Return `axis`, or raise `ConditionError` unless it is "cost" or "skew"."""
    if not isinstance(axis, str) or axis not in AXES:
        raise ConditionError(f"axis must be 'cost' or 'skew', got {brief(axis)}.")
    return axis


def check_number(
    name: str,
    value: float,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    open_ends: bool = False,
) -> float:
    """Return `value` as a float, or raise `ConditionError` unless it lies between the bounds."""
    none = f"{name} must be a number, got {brief(value)}."
    given: Any = value
    # Even where float() would read it as one.
    if isinstance(given, (str, bytes)) or np.ndim(given) != 0:
        raise ConditionError(none)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ConditionError(none) from None
    inside = low < number < high if open_ends else low <= number <= high
    if not inside:
        if np.isinf(low) and np.isinf(high):
            raise ConditionError(f"{name} must be a number, got {number:g}.")
        brackets = "()" if open_ends else "[]"
        span = f"{brackets[0]}{low:g}, {high:g}{brackets[1]}"
        is_percentage = 0 <= low < number / 100 <= high <= 1 < number
        hint = f": {number:g} % is {number / 100:g}" if is_percentage else ""
        raise ConditionError(f"{name} must be in {span}, got {number:g}{hint}.")
    return number


def check_whole(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return a whole number as an int, or raise `ConditionError` unless it is one in the range."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        span = f", at least {least}" if most is None else f" from {least} to {most}"
        raise ConditionError(f"{name} must be a whole number{span}, got {brief(value)}.")
    return int(value)


def check_range(low: float, high: float, *, inside: tuple[float, float]) -> tuple[float, float]:
    """Return (low, high) as floats, or raise `ConditionError` unless low < high, both inside."""
    low = check_number("low", low, low=inside[0], high=inside[1])
    high = check_number("high", high, low=inside[0], high=inside[1])
    if not low < high:
        raise ConditionError(f"low must be below high, got low={low:g} and high={high:g}.")
    return low, high


def check_numbers(name: str, values: ArrayLike) -> FloatArray:
    """Return numbers as an array of floats of its own, or raise `ConditionError`."""
    try:
        given = np.asarray(values)
        # Text is none, even where NumPy would read it as one.
        if given.dtype.kind in "biufO" and not _holds_text(given):
            return given.astype(float)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ConditionError(f"{name} must be a number, got {brief(values)}.")


def _holds_text(array: np.ndarray) -> bool:
    return array.dtype.kind == "O" and any(isinstance(one, (str, bytes)) for one in array.flat)


def check_costs(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, or raise `ConditionError` unless all can be costs."""
    costs = check_positive(name, values)
    if not np.all((costs >= MONEY[0]) & (costs <= MONEY[1])):
        raise ConditionError(
            f"{name} must be from {MONEY[0]:g} to {MONEY[1]:g}, got {brief(values)}."
        )
    return costs


def check_positive(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, or raise `ConditionError` unless all are positive, finite."""
    numbers = check_numbers(name, values)
    if not np.all((numbers > 0) & np.isfinite(numbers)):
        raise ConditionError(f"{name} must be positive and finite, got {brief(values)}.")
    return numbers


def check_conditions(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, or raise `ConditionError` unless all are in [0, 1]."""
    conditions = check_numbers(name, values)
    if not np.all((conditions >= 0) & (conditions <= 1)):
        raise ConditionError(f"{name} must be in [0, 1], got {brief(values)}.")
    return conditions


def check_rates(fpr: ArrayLike, fnr: ArrayLike, *others: FloatArray) -> tuple[FloatArray, ...]:
    """Return both rates and the others of one shape, or raise `ConditionError`."""
    rates = check_conditions("fpr", fpr), check_conditions("fnr", fnr), *others
    try:
        return tuple(np.broadcast_arrays(*rates))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in rates)
        raise ConditionError(
            f"rates and conditions must be of one shape, or single numbers, got shapes {shapes}."
        ) from None


def _worst_odds(prevalence: ArrayLike, fp_cost: ArrayLike, fn_cost: ArrayLike) -> FloatArray:
    """What flagging all negatives would cost, over what missing all positives would.

    Powers of two stand aside, so that nothing overflows or vanishes on the way.
    """
    p = check_conditions("prevalence", prevalence)
    fp, fn = check_positive("fp_cost", fp_cost), check_positive("fn_cost", fn_cost)
    (a, i), (b, j), (c, k), (d, m) = map(np.frexp, (fp, 1 - p, fn, p))
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.asarray(np.ldexp(a * b / (c * d), i + j - k - m))


def _share(part: Floats, rest: Floats) -> Floats:
    # In this form it is monotone in spite of rounding: where `part` rises, `rest` falls.
    with np.errstate(divide="ignore", over="ignore"):
        return plain(1 / (1 + np.divide(rest, part)))


def plain(value: Floats) -> Floats:
    """Turn a NumPy scalar into a Python float and leave arrays alone."""
    return float(value) if np.ndim(value) == 0 else value

"""Checks of arguments: each returns the argument in a known type, or raises an error."""

from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats
from costspace.errors import ConditionError, brief
from costspace.single import doubles

AXES = ("cost", "skew")
# The least and the most that a mistake may cost, in any unit: within them, products and ratios of
# two costs and a prevalence are finite and not 0.
MONEY = (1e-50, 1e50)


def check_prevalence(prevalence: float, name: str = "prevalence") -> float:
    """Return a prevalence as a float, or raise `ConditionError` unless it is inside (0, 1)."""
    return check_number(name, prevalence, low=0, high=1, open_ends=True)


def check_prevalences(values: ArrayLike) -> Floats:
    """Return prevalences, or raise `ConditionError` unless all are inside (0, 1)."""
    if np.ndim(values) == 0:
        return check_prevalence(values)  # type: ignore[arg-type]
    p = check_conditions("prevalence", values)
    if np.any((p == 0) | (p == 1)):
        raise ConditionError("every prevalence must be in (0, 1), got a 0 or 1.")
    return p


def undecided(mistake: str) -> str:
    """What to do with cases on which a mistake costs no more than the correct decision."""
    action = "passed" if mistake == "fn_cost" else "flagged"
    return f"Leave out cases that are always to be {action}."


def by_how_much(gap: float) -> str:
    """By how much a mistake may cost more than the correct decision; empty if it costs less."""
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
    number = value if type(value) is float else _number(name, value)
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


def _number(name: str, value: Any) -> float:
    # Text is not a number, even where float() would read it.
    if not isinstance(value, (str, bytes)) and np.ndim(value) == 0:
        given = np.asarray(value)
        if given.dtype.kind == "f":
            return float(doubles(given).item())
        with suppress(TypeError, ValueError, OverflowError):
            return float(value)
    raise ConditionError(f"{name} must be a number, got {brief(value)}.")


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
    """Return numbers as a new array of floats, or raise `ConditionError`."""
    try:
        given = np.asarray(values)
        # Text is not a number, even where NumPy would read it.
        if given.dtype.kind in "biufO" and not _holds_text(given):
            return np.array(doubles(given))
    except (TypeError, ValueError, OverflowError):
        pass
    raise ConditionError(f"{name} must be a number, got {brief(values)}.")


def _holds_text(array: np.ndarray) -> bool:
    return array.dtype.kind == "O" and any(isinstance(one, (str, bytes)) for one in array.flat)


def check_positive(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, or raise `ConditionError` unless all are positive, finite."""
    numbers = check_numbers(name, values)
    if not np.all((numbers > 0) & np.isfinite(numbers)):
        raise ConditionError(f"{name} must be positive and finite, got {brief(values)}.")
    return numbers


def check_conditions(name: str, values: ArrayLike) -> FloatArray:
    """Return the values as floats, or raise `ConditionError` unless all are in [0, 1]."""
    conditions = check_numbers(name, values)
    if not ((conditions >= 0) & (conditions <= 1)).all():
        raise ConditionError(f"{name} must be in [0, 1], got {brief(values)}.")
    return conditions


def check_rates(fpr: ArrayLike, fnr: ArrayLike, *others: FloatArray) -> tuple[FloatArray, ...]:
    """Return both rates and the others in one shape, or raise `ConditionError`."""
    rates = check_conditions("fpr", fpr), check_conditions("fnr", fnr), *others
    try:
        return tuple(np.broadcast_arrays(*rates))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in rates)
        raise ConditionError(
            f"rates and conditions must have the same shape, or be single numbers, got {shapes}."
        ) from None

"""What may be given for an uncertain cost or prevalence: numbers, bounds and distributions."""

from collections.abc import Callable
from typing import TypeAlias

from costspace.condition import check_number
from costspace.deployment.amounts import (
    LARGEST,
    Between,
    Cost,
    Drawn,
    Frozen,
    LogUniform,
    Uncertain,
    is_frozen,
)
from costspace.errors import ConditionError, brief

NumberOrBounds: TypeAlias = float | tuple[float, float]


def as_cost(name: str, value: Uncertain, between: Callable[[str, float, float], Cost]) -> Cost:
    """Return the amount of money that `value` stands for, or raise `ConditionError`."""
    if isinstance(value, (Drawn, LogUniform, Between, Frozen)):
        return value
    if is_frozen(value):
        return Frozen(value)
    bounds = number_or_bounds(name, value, "Drawn, LogUniform or a frozen scipy distribution")
    low, high = (check_number(name, bound, low=-LARGEST, high=LARGEST) for bound in bounds)
    return Drawn([low]) if low == high else between(name, low, high)


def number_or_bounds(name: str, value: Uncertain, otherwise: str) -> tuple[float, float]:
    """Return (low, high), both the same for a number, or raise `ConditionError`.

    In the message `otherwise` says what else might have been given.
    """
    bounds = value if isinstance(value, (tuple, list)) and len(value) == 2 else (value, value)
    try:
        low, high = (check_number(name, bound) for bound in bounds)
    except ConditionError:
        raise ConditionError(
            f"{name} must be a number, (low, high), {otherwise}, got {brief(value)}."
        ) from None
    if low > high:
        raise ConditionError(f"{name} must have its low not above its high, got {brief(value)}.")
    return low, high


def by_factors(name: str, low: float, high: float) -> LogUniform:
    """How the cost of a mistake varies between bounds."""
    if low <= 0:
        raise ConditionError(
            f"{name} must have positive bounds, being taken as log-uniform between them, got "
            f"({low:g}, {high:g}): give a lower bound above 0, or Drawn values or a scipy "
            "distribution, which may reach it."
        )
    return LogUniform(low, high)


def evenly(_: str, low: float, high: float) -> Between:
    """How the cost of a right decision varies between bounds: it may be a gain."""
    return Between(low, high)

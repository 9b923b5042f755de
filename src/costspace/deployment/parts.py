"""What may be given for a cost or a prevalence: numbers, bounds and distributions."""

from typing import Any, TypeAlias

from costspace.checks import MONEY, by_how_much, check_number, check_prevalence
from costspace.costs import CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.deployment.amounts import (
    LARGEST,
    Affine,
    Between,
    Cost,
    Drawn,
    Frozen,
    LogUniform,
    Uncertain,
    is_frozen,
)
from costspace.deployment.prevalence import Prevalence, Spread, Unknown, between
from costspace.errors import ConditionError, brief

NumberOrBounds: TypeAlias = float | tuple[float, float]

# What a prevalence may be, besides a number and bounds.
_OTHERWISE = "Drawn, a frozen scipy distribution or a distribution of conditions"
# Atoms with all of the mass but this share count as the whole distribution.
_ROUNDING = 1e-12


def as_cost(name: str, value: Uncertain) -> Cost:
    """Return the cost that `value` stands for, or raise `ConditionError`.

    Between bounds the cost of a mistake is log-uniform. That of a correct decision is uniform,
    since it may be a gain.
    """
    if isinstance(value, (Drawn, LogUniform, Between, Frozen, Affine)):
        return value
    if is_frozen(value):
        return Frozen(value)
    bounds = number_or_bounds(name, value, "Drawn, LogUniform or a frozen scipy distribution")
    low, high = (check_number(name, bound, low=-LARGEST, high=LARGEST) for bound in bounds)
    if low == high:
        return Drawn([low])
    if name in ("tp_cost", "tn_cost"):
        return Between(low, high)
    if low <= 0:
        raise ConditionError(
            f"{name} is log-uniform between its bounds, which must be positive, got "
            f"({low:g}, {high:g}): give a lower bound above 0, or Drawn values or a scipy "
            "distribution, which can reach 0."
        )
    return LogUniform(low, high)


def number_or_bounds(name: str, value: Uncertain, otherwise: str) -> tuple[float, float]:
    """Return (low, high), equal for a number, or raise `ConditionError`.

    `otherwise` names the other valid types in the message.
    """
    bounds = value if isinstance(value, (tuple, list)) and len(value) == 2 else (value, value)
    try:
        low, high = (check_number(name, bound) for bound in bounds)
    except ConditionError:
        raise ConditionError(
            f"{name} must be a number, (low, high), {otherwise}, got {brief(value)}."
        ) from None
    if low > high:
        raise ConditionError(f"{name} must have low at most high, got {brief(value)}.")
    return low, high


def as_prevalence(value: Any) -> Prevalence:
    """Return the prevalence that `value` stands for, or raise `ConditionError`."""
    if value is None or isinstance(value, Unknown):
        return Unknown()
    found = _distributed(value)
    if found is None:
        low, high = map(check_prevalence, number_or_bounds("prevalence", value, _OTHERWISE))
        found = Drawn([low]) if low == high else between(low, high)
    atoms = found.measure.values if isinstance(found, Drawn) else found.costs.atoms[0]
    for prevalence in atoms:
        check_prevalence(prevalence)
    return found


def _distributed(value: Any) -> Prevalence | None:
    """The prevalence that a distribution stands for, or None for a value that is not one."""
    if isinstance(value, (Drawn, Spread)):
        return value
    if not (isinstance(value, CostDistribution) or is_frozen(value)):
        return None
    costs = as_costs(value)
    values, masses = costs.atoms
    return Drawn(values, masses) if masses.sum() >= 1 - _ROUNDING else Spread(costs)


def check_gap(wrong: str, cost: Cost, right: str, other: Cost) -> None:
    """Raise `ConditionError` unless `cost` is always above `other`."""
    low, high = cost.bounds.low, other.bounds.high
    # A density that reaches down to 0 has no mass at 0.
    if isinstance(cost, Frozen) and low == high == 0:
        return
    if not low - high >= MONEY[0]:
        raise ConditionError(
            f"{wrong} must be above {right}{by_how_much(low - high)}, got {wrong} down to {low:g} "
            f"and {right} up to {high:g}: a mistake must cost more than the correct decision. Of "
            f"costs that grow together give the difference as {wrong}, without {right}."
        )

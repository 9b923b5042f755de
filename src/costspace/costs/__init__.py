"""Distributions of operating conditions: one file each, all answering `CostDistribution`."""

from typing import Any

from costspace.costs.base import CostDistribution
from costspace.costs.beta import Beta
from costspace.costs.mixture import Mixture
from costspace.costs.point import Point
from costspace.costs.sampled import Sampled
from costspace.costs.scipy_frozen import ScipyFrozen
from costspace.costs.truncated import Truncated
from costspace.costs.uniform import Uniform
from costspace.errors import ConditionError

__all__ = [
    "Beta",
    "CostDistribution",
    "Mixture",
    "Point",
    "Sampled",
    "ScipyFrozen",
    "Truncated",
    "Uniform",
    "as_costs",
]


def as_costs(costs: Any) -> CostDistribution:
    """Return `costs` as a distribution of conditions, adapting a frozen scipy distribution."""
    if isinstance(costs, CostDistribution):
        return costs
    if hasattr(costs, "cdf") and hasattr(costs, "support"):
        return ScipyFrozen(costs)
    raise ConditionError(
        f"costs must be a distribution of conditions such as Uniform(), Beta(2, 2) or Point(0.2), "
        f"or a frozen scipy distribution on [0, 1]; got {costs!r}."
    )

"""Distributions of operating conditions: one file each, all implementing `CostDistribution`."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.costs.base import CostDistribution
    from costspace.costs.beta import Beta
    from costspace.costs.log_odds import LogOddsDensity
    from costspace.costs.logit_uniform import LogitUniform
    from costspace.costs.mixture import Mixture
    from costspace.costs.point import Point
    from costspace.costs.sampled import Sampled
    from costspace.costs.scipy_frozen import ScipyFrozen
    from costspace.costs.truncated import Truncated
    from costspace.costs.uniform import Uniform

__all__ = [
    "Beta",
    "CostDistribution",
    "LogOddsDensity",
    "LogitUniform",
    "Mixture",
    "Point",
    "Sampled",
    "ScipyFrozen",
    "Truncated",
    "Uniform",
]

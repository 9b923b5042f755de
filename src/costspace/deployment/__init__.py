"""What is known about costs and prevalence where a classifier will be used."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.deployment.amounts import Drawn, LogUniform
    from costspace.deployment.bounds import Range, Stakes
    from costspace.deployment.conditions import Band, JointConditions
    from costspace.deployment.cost_table import ActionSteps, CostTable
    from costspace.deployment.deployment import Deployment
    from costspace.deployment.review import Review
    from costspace.deployment.scenarios import Scenarios

__all__ = [
    "ActionSteps",
    "Band",
    "CostTable",
    "Deployment",
    "Drawn",
    "JointConditions",
    "LogUniform",
    "Range",
    "Review",
    "Scenarios",
    "Stakes",
]

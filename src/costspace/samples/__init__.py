"""Labels, scores, weights, costs and groups of rows: validated once, sorted and ranked."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.samples.case_costs import CaseCosts, MeanCosts
    from costspace.samples.rows import ScoredRows

__all__ = [
    "CaseCosts",
    "MeanCosts",
    "ScoredRows",
]

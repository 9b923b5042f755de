"""Several models beside each other, and models made of several."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.comparison.dominating import Dominance, LossesAt, dominance, losses_at
    from costspace.comparison.hybrids import Hybrid, average_scores, hybrid

__all__ = [
    "Dominance",
    "Hybrid",
    "LossesAt",
    "average_scores",
    "dominance",
    "hybrid",
    "losses_at",
]

"""Comparisons of several models by their loss curves, and hybrids of several models."""

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

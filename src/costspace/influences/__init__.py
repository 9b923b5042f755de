"""Influence functions: the first-order effect of each row of a table on a statistic."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.influences.influence import Deviation, Influence

__all__ = ["Deviation", "Influence"]

"""How numbers of a table move with each of its rows, to first order."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.influences.influence import Deviation, Influence

__all__ = ["Deviation", "Influence"]

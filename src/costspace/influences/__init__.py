"""How numbers of a table move with each of its rows, to first order."""

from costspace.influences.influence import Deviation, Influence

__all__ = ["Deviation", "Influence"]

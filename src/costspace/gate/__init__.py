"""Whether what was found passes conditions, so that a pipeline can stop where it does not."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.gate.checking import Gate, GateVerdict, check

__all__ = ["Gate", "GateVerdict", "check"]

"""ROC geometry on arrays: areas, hulls, and the lines along which something is constant."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.roc.isometrics import (
        Isometric,
        loss_isometric,
        precision_isometric,
        rate_isometric,
    )

__all__ = [
    "Isometric",
    "loss_isometric",
    "precision_isometric",
    "rate_isometric",
]

"""ROC geometry on arrays: areas, hulls, and the lines along which something is constant."""

from costspace.roc.hull import area_below, lower_hull, lowest_lines
from costspace.roc.isometrics import (
    Isometric,
    loss_isometric,
    precision_isometric,
    rate_isometric,
)

__all__ = [
    "Isometric",
    "area_below",
    "loss_isometric",
    "lower_hull",
    "lowest_lines",
    "precision_isometric",
    "rate_isometric",
]

"""Random calls of every public name."""

from fuzz.calls import (
    conditions,
    costs,
    curves,
    deciding,
    geometry,
    inference,
    losses,
    metrics,
    money,
    records,
    shapes,
    sources,
    transforms,
    writing,
)

__all__ = [
    "conditions",
    "costs",
    "curves",
    "deciding",
    "geometry",
    "inference",
    "losses",
    "metrics",
    "money",
    "records",
    "shapes",
    "sources",
    "transforms",
    "writing",
]

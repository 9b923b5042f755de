"""Random calls of every public name."""

from fuzz.calls import (
    applying,
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
    reviews,
    shapes,
    sources,
    transforms,
    writing,
)

__all__ = [
    "applying",
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
    "reviews",
    "shapes",
    "sources",
    "transforms",
    "writing",
]

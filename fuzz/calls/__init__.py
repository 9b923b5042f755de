"""Random calls of every public name."""

from fuzz.calls import (
    conditions,
    costs,
    curves,
    deciding,
    inference,
    losses,
    metrics,
    money,
    shapes,
    sources,
    transforms,
)

__all__ = [
    "conditions",
    "costs",
    "curves",
    "deciding",
    "inference",
    "losses",
    "metrics",
    "money",
    "shapes",
    "sources",
    "transforms",
]

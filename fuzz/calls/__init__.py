"""Random calls of every public name."""

from fuzz.calls import conditions, losses, metrics

__all__ = ["conditions", "losses", "metrics"]

"""Random calls of every public name."""

from fuzz.calls import conditions, costs, curves, losses, metrics, money

__all__ = ["conditions", "costs", "curves", "losses", "metrics", "money"]

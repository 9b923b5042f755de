"""Scores that rounding took beyond [0, 1]: they count as its ends."""

import numpy as np

from costspace.arrays import Array
from costspace.digits import in_full

# Sums of shares of float32 scores err by less. Of small scores, no more than this part of the
# largest is rounding.
ROUNDING, _OF_LARGEST = 1e-6, 1e-2


def only_rounding(low: float, high: float) -> bool:
    """Whether scores from `low` to `high` are beyond [0, 1], and by no more than rounding.

    It is told of all scores of a model: part of those on another scale may be so by chance, and
    scores that are all next to 1 are on another.
    """
    least = -min(ROUNDING, _OF_LARGEST * high)
    within = least <= low < 1 - ROUNDING and high <= 1 + ROUNDING
    return (low < 0 or high > 1) and within


def in_unit(scores: Array) -> Array:
    """The scores, those beyond [0, 1] at its ends."""
    found: Array = np.clip(scores, 0, 1)
    return found


def rounding_told(low: float, high: float) -> str:
    """That scores from `low` to `high` count as at the ends of [0, 1]; empty if they do not."""
    if not only_rounding(low, high):
        return ""
    beyond = [f"{in_full(high)} counts as 1"] if high > 1 else []
    beyond += [f"{in_full(low)} counts as 0"] if low < 0 else []
    return f"rounding took scores beyond [0, 1]: {' and '.join(beyond)}."


def furthest(low: float, high: float) -> str:
    """Of scores from `low` to `high`, the one that is furthest outside [0, 1]."""
    return in_full(high if high - 1 > -low else low)

"""Columns of scores that are the same but for what single precision loses of them."""

import numpy as np

from costspace.arrays import ScoreArray
from costspace.single import doubles

# The spacing of numbers of 32 bits, and the least of them with all their digits.
_SPACING, _LEAST = 2.0**-23, 2.0**-126
# Most columns are told apart by so many scores.
_FIRST = 64


def are_copies(a: ScoreArray, b: ScoreArray) -> bool:
    """Whether scores of the same rows are one model's, perhaps stored in numbers of 32 bits.

    Examples
    --------
    >>> scores = np.array([0.1, 0.25, 0.7])
    >>> are_copies(scores, scores.astype(np.float32)), are_copies(scores, scores / 2)
    (True, False)
    """
    if len(a) != len(b) or _differ(float(a[0]), float(b[0])):
        return False
    return _are_close(a[:_FIRST], b[:_FIRST]) and _are_close(a, b)


def _differ(one: float, other: float) -> bool:
    """Whether two scores differ by more than single precision loses, told without arrays."""
    return one != other and not abs(one - other) <= 4 * _SPACING * abs(other) + _LEAST


def _are_close(a: ScoreArray, b: ScoreArray) -> bool:
    one, other = doubles(a), doubles(b)
    return bool(np.allclose(one, other, rtol=_SPACING, atol=_LEAST))

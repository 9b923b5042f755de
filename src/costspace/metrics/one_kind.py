"""A loss in units of false negatives or of false positives, exact even at the ends of the axis.

At cost proportion c a false positive costs as much as c / (1 - c) false negatives. So the loss
Q = 2 (c pi0 FPR + (1 - c) pi1 FNR) equals Q / (2 (1 - c)) false negatives a case and no false
positive, or Q / (2 c) false positives a case and no false negative. At c = 1 and c = 0 the count is
infinite, or the limit if there are no errors of the other kind.
"""

import numpy as np

from costspace.arrays import FloatArray, Floats
from costspace.curve import LossCurve

# In the pieces of a curve that bends, a loss of 0 can have this error.
_NO_LOSS = 1e-11


def coefficients_at(curve: LossCurve, c: FloatArray, *, left: bool) -> FloatArray:
    """Coefficients of 1, c and c^2 of the loss at each condition, of shape (3, ...)."""
    pieces = curve.piecewise()
    coefficients = pieces.coefficients_at(c, left=left)
    if curve is pieces:
        return coefficients
    # Between the ends its values are more exact than its pieces: take each as a constant.
    loss = np.asarray(curve.left(c) if left else curve(c))
    constant = np.stack([loss, np.zeros_like(loss), np.zeros_like(loss)])
    return np.where((c > 0) & (c < 1), constant, coefficients)


def in_false_negatives(coefficients: FloatArray, c: FloatArray) -> FloatArray:
    """Equivalent false negatives per case: Q / (2 (1 - c)), or pi1 FNR + pi0 FPR c / (1 - c)."""
    a0, a1, a2 = coefficients
    return _exchanged((a0 - a2 * c) / 2, (a0 + a1 + a2) / 2, c, 1 - c)


def in_false_positives(coefficients: FloatArray, c: FloatArray) -> FloatArray:
    """Equivalent false positives per case: Q / (2 c), or pi0 FPR + pi1 FNR (1 - c) / c."""
    a0, a1, a2 = coefficients
    return _exchanged((a0 + a1 + a2 - a2 * (1 - c)) / 2, a0 / 2, 1 - c, c)


def _exchanged(own: FloatArray, other: FloatArray, other_cost: Floats, cost: Floats) -> FloatArray:
    """Errors of one kind plus those of the other, in units of the first, by the cost of each."""
    none = (cost == 0) & (np.abs(other) <= _NO_LOSS)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return own + np.where(none, 0.0, other * other_cost / cost)

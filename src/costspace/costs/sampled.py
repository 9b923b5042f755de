"""Operating conditions seen, drawn or elicited one by one."""

from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, read_only
from costspace.costs.base import POWERS, CostDistribution
from costspace.errors import ConditionError


@final
class Sampled(CostDistribution):
    """Distribution on finitely many operating conditions.

    Parameters
    ----------
    values : array of shape (m,), in [0, 1]
        Operating conditions, in any order.
    weights : array of shape (m,), optional
        Non-negative, not all zero; equal by default. They are scaled to sum to 1.

    Raises
    ------
    ConditionError
        If there are no values, one is outside [0, 1], or the weights are not weights.

    Examples
    --------
    >>> round(Sampled([0.1, 0.2, 0.9], weights=[2, 1, 1]).mean(), 12)
    0.325
    """

    __slots__ = ("_cumulative_moments", "_tail", "values", "weights")
    values: FloatArray
    weights: FloatArray
    _cumulative_moments: tuple[FloatArray, ...]
    _tail: FloatArray

    def __init__(self, values: ArrayLike, weights: ArrayLike | None = None) -> None:
        v = np.atleast_1d(np.asarray(values, dtype=float))
        if v.ndim != 1 or v.size == 0 or not np.all((v >= 0) & (v <= 1)):
            raise ConditionError("Sampled needs a list of conditions in [0, 1], at least one.")
        w = np.ones(len(v)) if weights is None else np.asarray(weights, dtype=float)
        if w.shape != v.shape or not np.all((w >= 0) & np.isfinite(w)) or not np.any(w > 0):
            raise ConditionError(
                f"Sampled needs one weight for each of its {len(v)} conditions, "
                "none negative and not all zero."
            )
        order = np.argsort(v, kind="stable")
        v, w = v[order], w[order] / w.sum()
        object.__setattr__(self, "values", read_only(v))
        object.__setattr__(self, "weights", read_only(w))
        moments = tuple(np.append(0.0, np.cumsum(w * v**k)) for k in POWERS)
        object.__setattr__(self, "_cumulative_moments", moments)
        tail = np.append(np.cumsum((w * (1 - v))[::-1])[::-1], 0.0)
        object.__setattr__(self, "_tail", tail)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Sampled is frozen: {name} cannot be set.")

    def __repr__(self) -> str:
        return f"Sampled({len(self.values)} conditions, mean {self.mean():g})"

    def __str__(self) -> str:
        return f"sampled({len(self.values)})"

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return self._cumulative_moments[power][np.searchsorted(self.values, c)]

    def complement_from(self, c: FloatArray) -> FloatArray:
        return self._tail[np.searchsorted(self.values, c)]

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        piece = np.searchsorted(edges, self.values, side="right") - 1
        piece = np.minimum(piece, len(edges) - 2)
        with np.errstate(divide="ignore"):
            odds = self.weights * (self.values / (1 - self.values))
            inverse = self.weights * ((1 - self.values) / self.values)
        m = len(edges) - 1
        seen = self.weights > 0
        return (
            np.bincount(piece[seen], odds[seen], minlength=m).astype(float),
            np.bincount(piece[seen], inverse[seen], minlength=m).astype(float),
        )

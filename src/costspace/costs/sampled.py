"""Finitely many operating conditions: observed, drawn or elicited."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue, read_only
from costspace.costs.base import POWERS, CostDistribution, check_weights
from costspace.errors import ConditionError, brief


@final
@dataclass(frozen=True, eq=False, repr=False)
class Sampled(FrozenValue, CostDistribution):
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
        If there are no values, one is outside [0, 1], or the weights are invalid.

    Notes
    -----
    An expectation over it is the weighted mean of the losses at its values.

    Examples
    --------
    >>> round(Sampled([0.1, 0.2, 0.9], weights=[2, 1, 1]).mean(), 12)
    0.325
    """

    values: ArrayLike
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        try:
            v = np.atleast_1d(np.asarray(self.values, dtype=float))
        except (TypeError, ValueError):
            v = np.zeros(0)
        if v.ndim != 1 or v.size == 0 or not np.all((v >= 0) & (v <= 1)):
            raise ConditionError(
                f"Sampled needs a list of conditions in [0, 1], got {brief(self.values)}."
            )
        w = np.ones(len(v))
        if self.weights is not None:
            w = check_weights("Sampled", self.weights, len(v))
        order = np.argsort(v, kind="stable")
        v, w = v[order], w[order] / w.max()
        object.__setattr__(self, "values", read_only(v))
        object.__setattr__(self, "weights", read_only(w / w.sum()))

    def __repr__(self) -> str:
        return f"Sampled({len(self._values)} conditions, mean {self.mean():g})"

    def __str__(self) -> str:
        return f"sampled({len(self._values)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sampled) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[bytes, bytes]:
        return self._values.tobytes(), self._weights.tobytes()

    @property
    def _values(self) -> FloatArray:
        return np.asarray(self.values)

    @property
    def _weights(self) -> FloatArray:
        return np.asarray(self.weights)

    @cached_property
    def _moments_before(self) -> list[FloatArray]:
        """The moments over the values before each, and over all, by power."""
        return [np.append(0.0, np.cumsum(self._weights * self._values**k)) for k in POWERS]

    @cached_property
    def _tail(self) -> FloatArray:
        """The mean of 1 - X over each value and those after it."""
        terms = self._weights * (1 - self._values)
        return np.append(np.cumsum(terms[::-1])[::-1], 0.0)

    @property
    def support(self) -> tuple[float, float]:
        values, _ = self.atoms
        return float(values[0]), float(values[-1])

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        seen = self._weights > 0
        values, which = np.unique(self._values[seen], return_inverse=True)
        return values, np.bincount(which, self._weights[seen]).astype(float)

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return self._moments_before[power][np.searchsorted(self._values, c)]

    def complement_from(self, c: FloatArray) -> FloatArray:
        return self._tail[np.searchsorted(self._values, c)]

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        seen = (self._weights > 0) & (self._values >= edges[0]) & (self._values <= edges[-1])
        v, w = self._values[seen], self._weights[seen]
        m = len(edges) - 1
        piece = np.minimum(np.searchsorted(edges, v, side="right") - 1, m - 1)
        with np.errstate(divide="ignore", over="ignore"):
            odds, inverse = w * (v / (1 - v)), w * ((1 - v) / v)
        return (
            np.bincount(piece, odds, minlength=m).astype(float),
            np.bincount(piece, inverse, minlength=m).astype(float),
        )

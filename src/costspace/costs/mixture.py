"""Several distributions of operating conditions at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.costs.base import CostDistribution, written
from costspace.errors import ConditionError


@final
@dataclass(frozen=True)
class Mixture(CostDistribution):
    """Weighted mixture of distributions.

    Parameters
    ----------
    components : sequence of CostDistribution
        At least one.
    weights : sequence of float, optional
        One positive weight a component; equal by default. They are scaled to sum to 1.

    Raises
    ------
    ConditionError
        If there is no component, one is not a distribution, or the weights do not fit.

    Examples
    --------
    >>> from costspace import Beta, Point
    >>> round(Mixture([Beta(2, 6), Point(0.5)], weights=[3, 1]).mean(), 12)
    0.3125
    """

    components: Sequence[CostDistribution]
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        components = tuple(self.components)
        if not components or not all(isinstance(d, CostDistribution) for d in components):
            raise ConditionError("Mixture needs at least one component, each a distribution.")
        equal = [1.0] * len(components)
        weights = np.asarray(equal if self.weights is None else self.weights, dtype=float)
        if weights.shape != (len(components),) or not np.all((weights > 0) & np.isfinite(weights)):
            raise ConditionError(
                f"Mixture needs one positive weight for each of its {len(components)} components."
            )
        object.__setattr__(self, "components", components)
        object.__setattr__(self, "weights", tuple((weights / weights.sum()).tolist()))

    def __str__(self) -> str:
        terms = (f"{written(w)}*{d}" for w, d in self._terms())
        return f"mixture({','.join(terms)})"

    def _terms(self) -> list[tuple[float, CostDistribution]]:
        return list(zip(self.weights or (), self.components, strict=True))

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return np.sum([w * d.below(c, power) for w, d in self._terms()], axis=0)

    def complement_from(self, c: FloatArray) -> FloatArray:
        return np.sum([w * d.complement_from(c) for w, d in self._terms()], axis=0)

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        both = np.sum([w * np.stack(d.odds_moments(edges)) for w, d in self._terms()], axis=0)
        return both[0], both[1]

"""The distribution of the cost proportion at a known prevalence, from that of the skew."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.condition import skew_from_cost
from costspace.costs import CostDistribution
from costspace.quadrature import RunningIntegral


@final
@dataclass(frozen=True, eq=False)
class Proportions(FrozenValue, CostDistribution):
    """The cost proportion whose skew at a prevalence has a distribution.

    Its mass is that of the skews. Its moments are found from it by integration by parts.

    Parameters
    ----------
    skews : CostDistribution
    prevalence : float in (0, 1)

    Examples
    --------
    >>> import costspace as cs
    >>> costs = Proportions(cs.Point(0.8), 0.2)
    >>> round(costs.mean(), 12)
    0.5
    """

    skews: CostDistribution
    prevalence: float

    def __str__(self) -> str:
        return f"{self.skews} as skews at prevalence {self.prevalence:g}"

    def below(self, c: FloatArray, power: int) -> FloatArray:
        x, share = np.clip(c, 0, 1), self._share(c)
        if power == 0:
            return share
        integral = self._first if power == 1 else self._second
        return np.asarray(x**power * share - power * integral.below(x))

    def complement_from(self, c: FloatArray) -> FloatArray:
        x = np.clip(c, 0, 1)
        return np.asarray(self._first.above(x) - (1 - x) * self._share(x))

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        odds, inverse = self.skews.odds_moments(self._skew(edges))
        ratio = self.prevalence / (1 - self.prevalence)
        return ratio * odds, inverse / ratio

    def _skew(self, c: FloatArray) -> FloatArray:
        return np.asarray(skew_from_cost(np.clip(c, 0, 1), prevalence=self.prevalence))

    def _share(self, c: FloatArray) -> FloatArray:
        """The mass below each of some numbers."""
        return self.skews.below(np.where(np.asarray(c) > 1, np.inf, self._skew(c)), 0)

    @cached_property
    def _first(self) -> RunningIntegral:
        return RunningIntegral(self._share, np.array([0.0, 1.0]))

    @cached_property
    def _second(self) -> RunningIntegral:
        return RunningIntegral(lambda c: c * self._share(c), np.array([0.0, 1.0]))

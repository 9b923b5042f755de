"""The beta family: conditions concentrated anywhere on [0, 1]."""

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import betainc, betaincc, betaln, xlog1py, xlogy

from costspace.arrays import FloatArray
from costspace.condition import check_number
from costspace.costs.base import CostDistribution, written
from costspace.costs.quadrature import integrate_odds


@final
@dataclass(frozen=True)
class Beta(CostDistribution):
    """Beta distribution of the operating condition.

    Parameters
    ----------
    a, b : float, positive
        Shapes; the mean is a / (a + b). ``Beta(1, 1)`` is uniform.

    Raises
    ------
    ConditionError
        If a shape is not positive and finite.

    Notes
    -----
    Hand (2009), Machine Learning 77, proposes ``Beta(2, 2)`` for the H-measure.

    Examples
    --------
    >>> Beta(2, 6).mean()
    0.25
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            shape = check_number(name, getattr(self, name), low=0, high=np.inf, open_ends=True)
            object.__setattr__(self, name, shape)

    def __str__(self) -> str:
        return f"beta({written(self.a)},{written(self.b)})"

    def below(self, c: FloatArray, power: int) -> FloatArray:
        a, n = self.a, self.a + self.b
        moment = (1.0, a / n, a * (a + 1) / (n * (n + 1)))[power]
        return moment * betainc(a + power, self.b, np.clip(c, 0, 1))

    def complement_from(self, c: FloatArray) -> FloatArray:
        share = self.b / (self.a + self.b)
        return share * betaincc(self.a, self.b + 1, np.clip(c, 0, 1))

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        a, b = self.a, self.b
        # Times the odds or their inverse the density is another beta's, if its shapes allow it.
        odds = (
            a / (b - 1) * np.diff(betainc(a + 1, b - 1, edges))
            if b > 1
            else integrate_odds(self.density, edges)[0]
        )
        inverse = (
            b / (a - 1) * np.diff(betainc(a - 1, b + 1, edges))
            if a > 1
            else integrate_odds(self.density, edges)[1]
        )
        return odds, inverse

    def density(self, c: FloatArray) -> FloatArray:
        """Probability density at each `c` inside (0, 1)."""
        return np.exp(xlogy(self.a - 1, c) + xlog1py(self.b - 1, -c) - betaln(self.a, self.b))

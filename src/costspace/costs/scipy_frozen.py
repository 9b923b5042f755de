"""Any continuous distribution frozen by `scipy.stats`, as a distribution of conditions."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.costs.base import CostDistribution
from costspace.costs.quadrature import integrate, integrate_odds
from costspace.errors import ConditionError


@final
@dataclass(frozen=True)
class ScipyFrozen(CostDistribution):
    """A frozen continuous scipy distribution on [0, 1].

    Its partial moments are integrals of its distribution function by parts,
    E[X^k; X < c] = c^k F(c) - k int_0^c x^(k-1) F(x) dx, each computed to about 1e-12 by adaptive
    quadrature; costspace's own distributions are closed forms and faster.

    Parameters
    ----------
    frozen : frozen ``scipy.stats`` distribution
        Continuous, with support inside [0, 1].

    Raises
    ------
    ConditionError
        If it is discrete or its support leaves [0, 1].

    Examples
    --------
    >>> from scipy.stats import triang
    >>> round(ScipyFrozen(triang(0.5)).mean(), 12)
    0.5
    """

    frozen: Any

    def __post_init__(self) -> None:
        if hasattr(getattr(self.frozen, "dist", None), "pmf"):
            raise ConditionError(
                "a discrete scipy distribution cannot be used: give its points to Sampled."
            )
        low, high = self.frozen.support()
        if not 0 <= low < high <= 1:
            raise ConditionError(
                f"a distribution of conditions must live on [0, 1], got support "
                f"[{low:g}, {high:g}]: truncate or rescale it."
            )

    def __str__(self) -> str:
        name = getattr(getattr(self.frozen, "dist", None), "name", type(self.frozen).__name__)
        return f"scipy({name})"

    def below(self, c: FloatArray, power: int) -> FloatArray:
        low, high = self.frozen.support()
        x, where = np.unique(np.clip(c, low, high), return_inverse=True)
        cdf = self.frozen.cdf(x)
        if power > 0:
            grid = np.concatenate([[low], x])
            pieces = integrate(lambda u: power * u ** (power - 1) * self.frozen.cdf(u), grid)
            cdf = x**power * cdf - np.cumsum(pieces)
        return cdf[where].reshape(np.shape(c))

    def complement_from(self, c: FloatArray) -> FloatArray:
        low, high = self.frozen.support()
        x, where = np.unique(np.clip(c, low, high), return_inverse=True)
        grid = np.concatenate([x, [high]])
        tail = np.cumsum(integrate(self.frozen.sf, grid)[::-1])[::-1]
        # By parts: E[1 - X; X >= x] = (1 - x) S(x) - int_x^1 S(u) du.
        return ((1 - x) * self.frozen.sf(x) - tail)[where].reshape(np.shape(c))

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        low, high = self.frozen.support()
        return integrate_odds(self.frozen.pdf, np.clip(edges, low, high))

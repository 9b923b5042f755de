"""One operating condition, known exactly."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.costs.base import CostDistribution, written


@final
@dataclass(frozen=True)
class Point(CostDistribution):
    """All mass on one operating condition.

    Parameters
    ----------
    c : float in [0, 1]
        The condition.

    Raises
    ------
    ConditionError
        If it is outside [0, 1].

    Notes
    -----
    Under it the expected loss (Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4)
    is the loss curve's value at `c`.

    Examples
    --------
    >>> Point(0.2).mean()
    0.2
    """

    c: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", check_number("c", self.c, low=0, high=1))

    def __str__(self) -> str:
        return f"point({written(self.c)})"

    @property
    def support(self) -> tuple[float, float]:
        return self.c, self.c

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        return np.array([self.c]), np.ones(1)

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return np.where(self.c < c, self.c**power, 0.0)

    def complement_from(self, c: FloatArray) -> FloatArray:
        return np.where(self.c >= c, 1 - self.c, 0.0)

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        m = len(edges) - 1
        piece = min(int(np.searchsorted(edges, self.c, side="right")) - 1, m - 1)
        odds, inverse = np.zeros(m), np.zeros(m)
        if not edges[0] <= self.c <= edges[-1]:
            return odds, inverse
        odds[piece] = self.c / (1 - self.c) if self.c < 1 else np.inf
        inverse[piece] = (1 - self.c) / self.c if self.c > 0 else np.inf
        return odds, inverse

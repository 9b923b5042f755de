"""Densities of operating conditions in log-odds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue


@final
@dataclass(frozen=True, eq=False)
class LogOddsDensity(FrozenValue):
    """The density of the log-odds of a condition, without atoms.

    Attributes
    ----------
    kinks : array
        Log-odds at which it may jump or bend, with the two ends.
    seeds : array
        Further log-odds, close enough that no narrow peak is missed between them.
    at : callable
        The density at an array of log-odds between the ends.

    Examples
    --------
    >>> from costspace import Uniform
    >>> Uniform().log_odds_density().at(np.zeros(1))
    array([0.25])
    """

    kinks: FloatArray
    seeds: FloatArray
    at: Callable[[FloatArray], FloatArray]

    def inside(self, w: FloatArray) -> FloatArray:
        """The density at any log-odds, 0 beyond the ends."""
        low, high = self.kinks.min(), self.kinks.max()
        return np.where((w >= low) & (w <= high), self.at(np.clip(w, low, high)), 0.0)

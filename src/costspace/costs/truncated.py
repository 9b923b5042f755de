"""A distribution of operating conditions, given that they lie in a range."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_range
from costspace.costs.base import CostDistribution, written
from costspace.costs.log_odds import LogOddsDensity
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError
from costspace.special import logit

# With less, rounding of the mass outside the range would cost more than six digits.
_LEAST_MASS = 1e-6


@final
@dataclass(frozen=True)
class Truncated(FrozenValue, CostDistribution):
    """The conditional distribution of `costs` on [low, high].

    Parameters
    ----------
    costs : CostDistribution
        The distribution to condition, or a frozen scipy one on [0, 1].
    low, high : float
        0 <= low < high <= 1; both ends belong to the range.

    Raises
    ------
    ConditionError
        If not 0 <= low < high <= 1, or the distribution has hardly any mass between them.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS: a range of conditions known from bounds on costs.

    Examples
    --------
    >>> from costspace import Uniform
    >>> round(Truncated(Uniform(), 0.1, 0.4).mean(), 12)
    0.25
    """

    costs: CostDistribution
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "costs", as_costs(self.costs))
        low, high = check_range(self.low, self.high, inside=(0, 1))
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        if not self._mass >= _LEAST_MASS:
            raise ConditionError(
                f"{self.costs} has a mass of {max(self._mass, 0):.3g} on [{low:g}, {high:g}], and "
                f"at least {_LEAST_MASS:g} is needed: choose a range that it covers."
            )

    def __str__(self) -> str:
        return f"truncated({self.costs},{written(self.low)},{written(self.high)})"

    @property
    def _end(self) -> float:
        # The first number above `high`, so that "below the end" includes an atom at `high`.
        return float(np.nextafter(self.high, 2))

    @cached_property
    def _mass(self) -> float:
        below = self.costs.below(np.array([self.low, self._end]), 0)
        return float(below[1] - below[0])

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.costs.support
        return max(low, self.low), min(high, self.high)

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        values, masses = self.costs.atoms
        seen = (values >= self.low) & (values <= self.high)
        return values[seen], masses[seen] / self._mass

    def log_odds_density(self) -> LogOddsDensity | None:
        whole = self.costs.log_odds_density()
        if whole is None:
            return None
        low, high = np.clip(logit([self.low, self.high]), whole.kinks.min(), whole.kinks.max())
        kinks, seeds = (np.clip(part, low, high) for part in (whole.kinks, whole.seeds))
        part = partial(_of_part, whole, self._mass)
        return LogOddsDensity(np.append(kinks, [low, high]), seeds, part)

    def below(self, c: FloatArray, power: int) -> FloatArray:
        x = np.clip(c, self.low, self._end)
        start = self.costs.below(np.array([self.low]), power)
        return (self.costs.below(x, power) - start) / self._mass

    def complement_from(self, c: FloatArray) -> FloatArray:
        x = np.clip(c, self.low, self._end)
        rest = self.costs.complement_from(np.array([self._end]))
        return (self.costs.complement_from(x) - rest) / self._mass

    def flat_on(self, low: FloatArray, high: FloatArray) -> FloatArray:
        within = (low >= self.low) & (high <= self.high)
        inside = self.costs.flat_on(low, high) / self._mass
        return np.where(within, inside, super().flat_on(low, high))

    def within(self, low: float, high: float) -> CostDistribution | None:
        inside = self.low <= low < high <= self.high
        return restricted(self.costs, low, high) if inside else None

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        x = np.clip(edges, self.low, min(self._end, 1.0))
        # A further piece above the range keeps its last one half-open.
        further = [] if self.high == 1 else [1.0]
        pieces = self.costs.odds_moments(np.append(x, further))
        odds, inverse = (moments[: len(edges) - 1] for moments in pieces)
        return odds / self._mass, inverse / self._mass


def _of_part(whole: LogOddsDensity, mass: float, w: FloatArray) -> FloatArray:
    return whole.inside(w) / mass


def restricted(costs: CostDistribution, low: float, high: float) -> CostDistribution:
    """The conditional distribution of conditions on [low, high], in its simplest form."""
    found = costs.within(low, high)
    return Truncated(costs, low, high) if found is None else found

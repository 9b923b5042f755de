"""Several distributions of operating conditions at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.costs.base import CostDistribution, check_weights, written
from costspace.costs.log_odds import LogOddsDensity
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError, brief


@final
@dataclass(frozen=True)
class Mixture(CostDistribution):
    """Weighted mixture of distributions.

    Parameters
    ----------
    components : sequence of CostDistribution
        At least one; frozen scipy distributions on [0, 1] will do.
    weights : sequence of float, optional
        One positive weight a component; equal by default. They are scaled to sum to 1.

    Raises
    ------
    ConditionError
        If there is no component, one is not a distribution, or the weights do not fit.

    Notes
    -----
    Expected loss is linear in the distribution (Hernandez-Orallo, Flach, Ferri (2012),
    arXiv:1112.2640, Equation 4), so under a mixture it is the weighted mean over the components.

    Examples
    --------
    >>> from costspace import Beta, Point
    >>> round(Mixture([Beta(2, 6), Point(0.5)], weights=[3, 1]).mean(), 12)
    0.3125
    """

    components: Sequence[CostDistribution]
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        try:
            components = tuple(as_costs(component) for component in self.components)
        except TypeError:
            components = ()
        if not components:
            raise ConditionError(
                f"Mixture needs a list of distributions, got {brief(self.components)}."
            )
        weights = np.ones(len(components))
        if self.weights is not None:
            weights = check_weights("Mixture", self.weights, len(components))
        if not np.all(weights > 0):
            raise ConditionError(f"Mixture needs positive weights, got {brief(self.weights)}.")
        object.__setattr__(self, "components", components)
        object.__setattr__(self, "weights", tuple((weights / weights.sum()).tolist()))

    def __str__(self) -> str:
        terms = (f"{written(w)}*{d}" for w, d in self._terms())
        return f"mixture({','.join(terms)})"

    def _terms(self) -> list[tuple[float, CostDistribution]]:
        return list(zip(self.weights or (), self.components, strict=True))

    @property
    def support(self) -> tuple[float, float]:
        lows, highs = zip(*(d.support for _, d in self._terms()), strict=True)
        return min(lows), max(highs)

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        values, masses = zip(*(d.atoms for _, d in self._terms()), strict=True)
        distinct, which = np.unique(np.concatenate(values), return_inverse=True)
        weights = np.concatenate([w * m for (w, _), m in zip(self._terms(), masses, strict=True)])
        return distinct, np.bincount(which, weights, minlength=len(distinct)).astype(float)

    def log_odds_density(self) -> LogOddsDensity | None:
        spread = [(w, d.log_odds_density()) for w, d in self._terms() if d.atoms[1].sum() < 1]
        known = [(w, density) for w, density in spread if density is not None]
        if len(known) < len(spread) or not known:
            return None

        kinks, seeds = (
            np.concatenate([getattr(density, part) for _, density in known])
            for part in ("kinks", "seeds")
        )
        return LogOddsDensity(kinks, seeds, partial(_mixed, known))

    def below(self, c: FloatArray, power: int) -> FloatArray:
        return np.sum([w * d.below(c, power) for w, d in self._terms()], axis=0)

    def complement_from(self, c: FloatArray) -> FloatArray:
        return np.sum([w * d.complement_from(c) for w, d in self._terms()], axis=0)

    def flat_on(self, low: FloatArray, high: FloatArray) -> FloatArray:
        return np.sum([w * d.flat_on(low, high) for w, d in self._terms()], axis=0)

    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        both = np.sum([w * np.stack(d.odds_moments(edges)) for w, d in self._terms()], axis=0)
        return both[0], both[1]


def _mixed(parts: list[tuple[float, LogOddsDensity]], x: FloatArray) -> FloatArray:
    return np.sum([w * density.inside(x) for w, density in parts], axis=0)

"""The score distribution of one class, given by a density or by a frozen scipy distribution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, IndexArray, read_only
from costspace.condition import check_range
from costspace.errors import ConditionError, ScoreError, brief
from costspace.quadrature import gauss_kronrod, integrate

# A density whose integral is further from 1 than this is refused.
_MASS_TOLERANCE = 1e-9
_CELLS = 1024
# Quantiles that a grid of thresholds has: what lies beyond the first is lost to rounding.
_TAIL = np.logspace(-16, -2, 57)
_MIDDLE = np.array([1e-6])
_LEVELS = np.concatenate([_TAIL, np.linspace(0.01, 0.99, 295)])


ScoreFunction: TypeAlias = Callable[[FloatArray], FloatArray]


class ScoreDistribution(Protocol):
    """What an analytic score model asks of each class."""

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest score."""

    @property
    def breaks(self) -> FloatArray:
        """Finite scores, ascending, at which the density or its slope may jump."""

    @property
    def grid(self) -> FloatArray:
        """Finite thresholds, ascending, dense where the scores are; the breaks among them."""

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        """Mean of a bounded function of the score, smooth between thresholds of a grid."""

    def pdf(self, t: FloatArray) -> FloatArray:
        """The density at each score."""

    def cdf(self, t: FloatArray) -> FloatArray:
        """Share of the class at or below each score."""

    def sf(self, t: FloatArray) -> FloatArray:
        """Share of the class above each score."""


@final
@dataclass(frozen=True, eq=False)
class ScoreDensity:
    """Scores of a class with a density of one's own.

    Parameters
    ----------
    density : callable
        Vectorised: the density at each score of an array in [low, high]. Not negative, bounded,
        smooth between kinks, of integral 1.
    low, high : float
        The scores' range, finite.
    kinks : sequence of float
        Scores inside the range at which the density or its slope jumps.

    Raises
    ------
    ConditionError
        If the range or a kink is not so, or the density cannot be integrated.
    ScoreError
        If the density is negative somewhere or its integral is not 1.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Appendix A draws models by their densities.
    The distribution function is its integral by Gauss-Kronrod quadrature, to about 1e-13.

    Examples
    --------
    >>> falling = ScoreDensity(lambda x: 2 * (1 - x))
    >>> falling.cdf(np.array([0.5])).round(12)
    array([0.75])
    """

    density: Callable[[FloatArray], FloatArray]
    low: float = 0.0
    high: float = 1.0
    kinks: Sequence[float] | FloatArray = ()

    def __post_init__(self) -> None:
        if not callable(self.density):
            raise ScoreError(f"a density must be a function of scores, got {brief(self.density)}.")
        finite = np.finfo(float).max
        low, high = check_range(self.low, self.high, inside=(-finite, finite))
        kinks = np.unique(np.asarray(self.kinks, dtype=float))
        if not np.all((kinks >= low) & (kinks <= high)):
            raise ConditionError(f"kinks must be in [{low:g}, {high:g}], got {brief(self.kinks)}.")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "kinks", read_only(kinks))
        lowest = float(np.min(self.pdf(self.grid)))
        if not lowest >= 0:
            raise ScoreError(f"a density must not be negative, got {lowest:g}.")
        mass = float(self._below[-1])
        if not abs(mass - 1) <= _MASS_TOLERANCE:
            raise ScoreError(f"a density must integrate to 1, got {mass:.12g}: scale it.")

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def breaks(self) -> FloatArray:
        return np.union1d(np.asarray(self.kinks), [self.low, self.high])

    @cached_property
    def grid(self) -> FloatArray:
        return np.union1d(np.linspace(self.low, self.high, _CELLS + 1), self.breaks)

    @cached_property
    def _parts(self) -> FloatArray:
        return integrate(self.pdf, self.grid)

    @cached_property
    def _below(self) -> FloatArray:
        """The share of the class below each threshold of the grid."""
        return np.append(0.0, np.cumsum(self._parts))

    @cached_property
    def _above(self) -> FloatArray:
        return np.append(np.cumsum(self._parts[::-1])[::-1], 0.0)

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        def integrand(t: FloatArray) -> FloatArray:
            density = self.pdf(t)
            # Where there are no scores the function may have no value.
            return np.multiply(density, f(t), out=np.zeros_like(density), where=density > 0)

        return float(np.sum(integrate(integrand, grid)))

    def pdf(self, t: FloatArray) -> FloatArray:
        inside = (t >= self.low) & (t <= self.high)
        values = np.asarray(self.density(np.clip(t, self.low, self.high)), dtype=float)
        return np.where(inside, values, 0.0)

    def cdf(self, t: FloatArray) -> FloatArray:
        x = np.clip(t, self.low, self.high)
        cell = self._cell(x)
        return self._below[cell] + gauss_kronrod(self.pdf, self.grid[cell], x)

    def sf(self, t: FloatArray) -> FloatArray:
        x = np.clip(t, self.low, self.high)
        cell = self._cell(x)
        return self._above[cell + 1] + gauss_kronrod(self.pdf, x, self.grid[cell + 1])

    def _cell(self, x: FloatArray) -> IndexArray:
        return np.clip(np.searchsorted(self.grid, x, side="right") - 1, 0, len(self.grid) - 2)


@final
@dataclass(frozen=True, eq=False)
class FrozenScores:
    """Scores of a class that follow a frozen continuous scipy distribution."""

    frozen: Any

    def __post_init__(self) -> None:
        usable = all(hasattr(self.frozen, name) for name in ("pdf", "cdf", "support"))
        if not usable or np.size(self.frozen.support()) != 2:
            raise ScoreError(
                "the scores of a class need one frozen continuous scipy distribution, a "
                f"ScoreDensity or a density on [0, 1], got {brief(self.frozen)}."
            )

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.frozen.support()
        return float(low), float(high)

    @property
    def breaks(self) -> FloatArray:
        ends = np.array(self.support)
        return ends[np.isfinite(ends)]

    @cached_property
    def grid(self) -> FloatArray:
        lower, upper = self._quantile, self._upper_quantile
        found = np.concatenate([lower(_LEVELS), upper(_TAIL), self.breaks])
        ends = lower(_MIDDLE), upper(_MIDDLE)
        middle = np.linspace(ends[0][0], ends[1][0], _CELLS + 1)
        return np.union1d(found[np.isfinite(found)], middle)

    # The distributions that SciPy 1.15 introduced call quantiles and the tail by other names.

    @property
    def _quantile(self) -> ScoreFunction:
        return self.frozen.icdf if hasattr(self.frozen, "icdf") else self.frozen.ppf

    @property
    def _upper_quantile(self) -> ScoreFunction:
        return self.frozen.iccdf if hasattr(self.frozen, "iccdf") else self.frozen.isf

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        # Over shares of the class, not over scores: a density may have poles.
        shares = np.unique(np.concatenate([[0.0], self.cdf(grid), [1.0]]))
        return float(np.sum(integrate(lambda u: f(self._quantile(u)), shares)))

    def pdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.frozen.pdf(t), dtype=float)

    def cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.frozen.cdf(t), dtype=float)

    def sf(self, t: FloatArray) -> FloatArray:
        tail = self.frozen.sf if hasattr(self.frozen, "sf") else self.frozen.ccdf
        return np.asarray(tail(t), dtype=float)


@final
@dataclass(frozen=True, eq=False)
class SpreadScores:
    """A distribution of which each stretch between `start` and `end` is spread out evenly."""

    given: ScoreDistribution
    start: FloatArray
    end: FloatArray

    @property
    def support(self) -> tuple[float, float]:
        return self.given.support

    @cached_property
    def breaks(self) -> FloatArray:
        return np.unique(np.concatenate([self.given.breaks, self.start, self.end]))

    @cached_property
    def grid(self) -> FloatArray:
        return np.union1d(self.given.grid, self.breaks)

    @cached_property
    def _at_ends(self) -> tuple[FloatArray, FloatArray]:
        return self.given.cdf(self.start), self.given.cdf(self.end)

    def pdf(self, t: FloatArray) -> FloatArray:
        stretch, inside = self._stretch(t)
        below, up_to = self._at_ends
        even = (up_to - below) / (self.end - self.start)
        return np.where(inside, even[stretch], self.given.pdf(t))

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        def elsewhere(t: FloatArray) -> FloatArray:
            return np.where(self._stretch(t)[1], 0.0, f(t))

        below, up_to = self._at_ends
        edges = np.union1d(grid, np.concatenate([self.start, self.end]))
        cells = integrate(f, edges)
        stretch, inside = self._stretch((edges[:-1] + edges[1:]) / 2)
        even = ((up_to - below) / (self.end - self.start))[stretch]
        return self.given.mean(elsewhere, edges) + float(np.sum(np.where(inside, cells * even, 0)))

    def cdf(self, t: FloatArray) -> FloatArray:
        return self._moved(t, self.given.cdf)

    def sf(self, t: FloatArray) -> FloatArray:
        return self._moved(t, self.given.sf)

    def _moved(self, t: FloatArray, share: Callable[[FloatArray], FloatArray]) -> FloatArray:
        stretch, inside = self._stretch(t)
        a, b = self.start[stretch], self.end[stretch]
        along = np.clip((t - a) / (b - a), 0, 1)
        return np.where(inside, share(a) * (1 - along) + share(b) * along, share(t))

    def _stretch(self, t: FloatArray) -> tuple[IndexArray, BoolArray]:
        stretch = np.clip(np.searchsorted(self.start, t) - 1, 0, None)
        return stretch, (self.start[stretch] < t) & (t < self.end[stretch])


def as_scores(scores: Any) -> ScoreDistribution:
    """Return the score distribution that a density or a frozen scipy distribution stands for."""
    if isinstance(scores, ScoreDensity):
        return scores
    if callable(scores) and not hasattr(scores, "cdf"):
        return ScoreDensity(scores)
    return FrozenScores(scores)

"""The score distribution of one class, given by a density or by a frozen scipy distribution."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, ScoreFunction, read_only
from costspace.checks import check_range
from costspace.costs.scipy_frozen import scipy_method
from costspace.errors import ConditionError, ScoreError, brief
from costspace.quadrature import RunningIntegral, integrate

# A density whose integral is further from 1 than this is refused.
_MASS_TOLERANCE = 1e-9
_CELLS = 1024
# Thresholds nearer to 0 are left out: some densities of SciPy fail there.
_LEAST = 1e-290
# Thresholds closer than this share of the distance to the next count as one.
_CLOSE = 1e-3
# Quantiles in a grid of thresholds: shares beyond the first are lost to rounding.
_TAIL = np.logspace(-16, -2, 57)
_LEVELS = np.concatenate([_TAIL, np.linspace(0.01, 0.99, 295)])
# Between these quantiles thresholds are evenly spaced, too.
_MIDDLE = np.array(1e-6)
# The error that the share below the median of a continuous distribution may have.
_HALF = 1e-6


class ScoreDistribution(Protocol):
    """What an analytic score model needs of each class."""

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
class ScoreDensity(FrozenValue):
    """The density of the scores of one class.

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
        If the range is empty, a kink is outside it, or the density cannot be integrated.
    ScoreError
        If the density is negative somewhere or its integral is not 1.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Appendix A draws models by their
    densities. The distribution function is its integral by Gauss-Kronrod quadrature, to about
    1e-13.

    Examples
    --------
    >>> falling = ScoreDensity(lambda x: 2 * (1 - x))
    >>> falling.cdf(np.array([0.5])).round(12)
    array([0.75])
    """

    density: ScoreFunction
    low: float = 0.0
    high: float = 1.0
    kinks: Sequence[float] | FloatArray = ()

    def __post_init__(self) -> None:
        if not callable(self.density):
            raise ScoreError(f"a density must be a function of scores, got {brief(self.density)}.")
        finite = np.finfo(float).max
        low, high = check_range(self.low, self.high, inside=(-finite, finite))
        try:
            kinks = np.unique(np.asarray(self.kinks, dtype=float))
        except (TypeError, ValueError):
            kinks = np.array([np.nan])
        if not np.all((kinks >= low) & (kinks <= high)):
            raise ConditionError(f"kinks must be in [{low:g}, {high:g}], got {brief(self.kinks)}.")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "kinks", read_only(kinks))
        heights = self.pdf(np.union1d(np.linspace(low, high, _CELLS + 1), kinks))
        lowest, highest = float(np.min(heights)), float(np.max(heights))
        if not lowest >= 0:
            raise ScoreError(f"a density must not be negative, got {lowest:g}.")
        if not np.isfinite(highest):
            raise ScoreError(f"a density must be bounded, got {highest:g}.")
        mass = self._running.whole
        if not abs(mass - 1) <= _MASS_TOLERANCE:
            raise ScoreError(f"a density must integrate to 1, got {mass:.12g}: scale it.")

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def breaks(self) -> FloatArray:
        return np.union1d(np.asarray(self.kinks), [self.low, self.high])

    @property
    def grid(self) -> FloatArray:
        return self._running.cells

    @cached_property
    def _running(self) -> RunningIntegral:
        return RunningIntegral(self.pdf, self.breaks)

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        return _mean_under(self.pdf, f, np.union1d(grid, self.grid))

    def pdf(self, t: FloatArray) -> FloatArray:
        inside = (t >= self.low) & (t <= self.high)
        found = self.density(np.where(inside, t, self.low).ravel())
        try:
            values = np.asarray(found, dtype=float).reshape(np.shape(t))
        except (TypeError, ValueError):
            raise ScoreError(
                f"a density must give one number for each score of an array, got {brief(found)}."
            ) from None
        return np.where(inside, values, 0.0)

    def cdf(self, t: FloatArray) -> FloatArray:
        return self._running.below(np.clip(t, self.low, self.high))

    def sf(self, t: FloatArray) -> FloatArray:
        return self._running.above(np.clip(t, self.low, self.high))


@final
@dataclass(frozen=True, eq=False)
class FrozenScores(FrozenValue):
    """Scores of a class that follow a frozen continuous scipy distribution."""

    frozen: Any

    def __post_init__(self) -> None:
        if not is_frozen(self.frozen):
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
        lower, upper = self._quantile(_LEVELS), self._quantile(_TAIL, upper=True)
        found = np.concatenate([lower, upper, self.breaks])
        ends = self._quantile(_MIDDLE), self._quantile(_MIDDLE, upper=True)
        middle = np.linspace(*ends, _CELLS + 1)
        usable = np.isfinite(found) & ((np.abs(found) > _LEAST) | np.isin(found, self.breaks))
        return apart(np.union1d(found[usable], middle), kept=self.breaks)

    def _quantile(self, share: FloatArray, *, upper: bool = False) -> FloatArray:
        """The score with a share of the class below it, or above."""
        quantile = scipy_method(self.frozen, "isf" if upper else "ppf")
        with warnings.catch_warnings():
            # SciPy's warnings about its root finding do not help the caller.
            warnings.simplefilter("ignore")
            return np.asarray(quantile(share), dtype=float)

    @cached_property
    def _has_pole(self) -> bool:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return not np.all(np.isfinite(self.pdf(self.breaks)))

    def mean(self, f: ScoreFunction, grid: FloatArray) -> float:
        if not self._has_pole:
            return _mean_under(self.pdf, f, grid)
        # Over shares of the class: over scores, rounding would matter near a pole.
        shares = np.unique(np.concatenate([[0.0], self.cdf(grid), [1.0]]))
        inner = self.grid[[1, -2]]
        cells = integrate(lambda u: f(np.clip(self._quantile(u), *inner)), shares)
        return float(np.sum(cells))

    def pdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.frozen.pdf(t), dtype=float)

    def cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.frozen.cdf(t), dtype=float)

    def sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(scipy_method(self.frozen, "sf")(t), dtype=float)


def _mean_under(pdf: ScoreFunction, f: ScoreFunction, grid: FloatArray) -> float:
    """The integral of a function of the score times the density."""

    def integrand(t: FloatArray) -> FloatArray:
        density = pdf(t)
        # Where there are no scores the function may be undefined.
        return np.multiply(density, f(t), out=np.zeros_like(density), where=density > 0)

    return float(np.sum(integrate(integrand, grid)))


def is_frozen(distribution: Any) -> bool:
    """Whether it is one frozen continuous scipy distribution."""
    if isinstance(distribution, type) or hasattr(distribution, "freeze"):
        return False
    try:
        low, high = distribution.support()
        at_middle = distribution.cdf(distribution.median())
    except (AttributeError, TypeError, ValueError):
        return False
    if np.ndim(low) or np.ndim(high) or np.ndim(at_middle) or not hasattr(distribution, "pdf"):
        return False
    # A discrete distribution, or impossible parameters, fails this check of the median.
    return bool(low < high) and abs(float(at_middle) - 0.5) < _HALF


def apart(
    thresholds: FloatArray, kept: FloatArray | None = None, share: float = _CLOSE
) -> FloatArray:
    """Ascending thresholds without those much closer to another than that is to the next."""
    gaps = np.pad(np.diff(thresholds), 1)
    tiny = gaps[1:-1] < share * np.maximum(gaps[:-2], gaps[2:])
    fixed = np.zeros(len(thresholds), bool) if kept is None else np.isin(thresholds, kept)
    dropped = np.append(False, tiny) & ~fixed
    dropped[:-1] |= tiny & fixed[1:] & ~fixed[:-1]
    return thresholds[~dropped]


def as_scores(scores: Any) -> ScoreDistribution:
    """Return the score distribution of a density or a frozen scipy distribution."""
    if isinstance(scores, ScoreDensity):
        return scores
    if callable(scores) and not hasattr(scores, "cdf"):
        return ScoreDensity(scores)
    return FrozenScores(scores)

"""The interface of distributions of operating conditions: partial moments."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray
from costspace.costs.log_odds import LogOddsDensity
from costspace.errors import ConditionError, brief
from costspace.special import expit

# Every loss curve of a finite sample has degree at most 2.
POWERS = (0, 1, 2)
# The smallest float above 0.
NEXT_TO_0 = float(np.finfo(float).smallest_subnormal)
# Quantiles are found between these log-odds, by as many halvings.
FARTHEST, _BISECTIONS = 300.0, 64
# Quantiles at which a density is searched for narrow peaks; beyond the first it is taken to end.
QUANTILES = np.array([1e-18, 1e-12, 1e-7, 1e-4, 0.01, 0.1, 0.3, 0.5])
# Atoms of at least this mass are found if `atoms` is not overridden.
_LEAST_ATOM = 1e-4
# Conditions below this count as 0, where rounding hides the mass.
_LOWEST = 1e-30


class CostDistribution(ABC):
    """A probability distribution of operating conditions X on [0, 1].

    X is a cost proportion or a skew, depending on the axis. Distributions are frozen values;
    equal distributions compare equal where that is cheap to decide.

    A new distribution implements the four abstract methods. The others follow from those, but
    slower. For small atoms, or for speed, override `support`, `atoms` and `log_odds_density` too.
    `tests/laws` tests it once it is in the registry there.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4: the weights of conditions
    in an expected loss. Loss curves are piecewise quadratic, so partial moments suffice.

    Examples
    --------
    The density 6 x (1 - x), which is `Beta(2, 2)`:

    >>> import costspace as cs
    >>> class Parabola(cs.CostDistribution):
    ...     def below(self, c, power):
    ...         x = np.clip(c, 0, 1)
    ...         return 6 * (x ** (power + 2) / (power + 2) - x ** (power + 3) / (power + 3))
    ...     def complement_from(self, c):
    ...         rest = 1 - np.clip(c, 0, 1)
    ...         return 2 * rest**3 - 1.5 * rest**4
    ...     def odds_moments(self, edges):
    ...         x = np.clip(edges, 0, 1)
    ...         return np.diff(2 * x**3), np.diff(-2 * (1 - x) ** 3)
    ...     def __str__(self):
    ...         return "parabola"
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> cs.expected_loss(y, s, choice=cs.Optimal(), costs=Parabola())
    0.15625
    """

    @abstractmethod
    def below(self, c: FloatArray, power: int) -> FloatArray:
        """Partial moment E[X^power; X < c] for each `c` (any real), `power` in 0, 1, 2."""

    @abstractmethod
    def complement_from(self, c: FloatArray) -> FloatArray:
        """E[1 - X; X >= c] for each `c`, without the cancellation of a difference of moments."""

    @abstractmethod
    def odds_moments(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """E[X / (1 - X)] and E[(1 - X) / X] over the pieces [a, b) between ascending `edges`.

        The last piece is closed, and mass outside the edges does not count. Over a piece that
        touches the end where the odds are infinite the moment may be `inf`.
        """

    @abstractmethod
    def __str__(self) -> str:
        """The distribution in the command line's notation, e.g. ``beta(2,2)``."""

    def partial_moments(self, edges: FloatArray) -> FloatArray:
        """Moments of order 0, 1, 2 over the pieces [a, b) between `edges`, the last one closed.

        Parameters
        ----------
        edges : array of shape (m + 1,)
            Ascending, the first 0 and the last 1. A piece may have length 0.

        Returns
        -------
        array of shape (3, m)
            ``E[X^k; X in piece]`` for k = 0, 1, 2; each row sums to the whole moment.

        Examples
        --------
        >>> from costspace import Uniform
        >>> Uniform().partial_moments(np.array([0.0, 0.5, 1.0]))[1]
        array([0.125, 0.375])
        """
        return np.stack([np.diff(self._cumulative(edges, power)) for power in POWERS])

    def masses(self, edges: FloatArray) -> FloatArray:
        """The moments of order 0 alone: the mass of each piece."""
        return np.diff(self._cumulative(edges, 0))

    def _cumulative(self, edges: FloatArray, power: int) -> FloatArray:
        # The last edge is moved to infinity so that the last piece holds an atom at 1.
        return self.below(np.append(edges[:-1], np.inf), power)

    def flat_on(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """The density over each interval [low, high), where it is known to be constant.

        Parameters
        ----------
        low, high : array of shape (k,)
            ``low <= high``.

        Returns
        -------
        array of shape (k,)
            Not negative: 0 where there is no mass, and NaN where the density varies, where there
            are atoms, or where it is not known. NaN everywhere is always valid, but gives wider
            bounds on binned scores.

        Examples
        --------
        >>> from costspace import Uniform
        >>> Uniform(0, 0.5).flat_on(np.array([0.1, 0.4, 0.6]), np.array([0.2, 0.6, 0.8]))
        array([ 2., nan,  0.])
        """
        return np.where(self.below(low, 0) == self.below(high, 0), 0.0, np.nan)

    @property
    def is_uniform(self) -> bool:
        """Whether all conditions from 0 to 1 are equally likely, as far as `flat_on` knows.

        Examples
        --------
        >>> from costspace import Beta, Uniform
        >>> Uniform().is_uniform, Uniform(0, 0.5).is_uniform, Beta(2, 2).is_uniform
        (True, False, False)
        """
        return float(self.flat_on(np.zeros(1), np.ones(1))[0]) == 1

    @property
    def support(self) -> tuple[float, float]:
        """A range outside which there is no mass, as narrow as known.

        By default found by bisection of the moments, up to where they round to 0; a lower end below
        1e-30 is taken as 0.

        Examples
        --------
        >>> from costspace import Uniform
        >>> Uniform(0.2, 0.6).support
        (0.2, 0.6)
        """
        low = _before(_first(lambda c: self.below(c, 0) > 0))
        high = _first(lambda c: self.complement_from(c) <= 0)
        last, whole = self.below(np.array([_before(high), np.inf]), 0)
        if self.below(np.ones(1), 0) < whole:
            high = 1.0
        elif whole - last >= _LEAST_ATOM:
            high = _before(high)
        return (0.0 if low < _LOWEST else low), min(high, 1.0)

    @property
    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """The conditions that have a probability, ascending, and their masses.

        By default found by bisection, where `below` jumps by 1e-4 or more. A distribution with
        smaller atoms must override this: the rest is taken to have a density.

        Examples
        --------
        >>> from costspace import Mixture, Point, Uniform
        >>> Mixture([Point(0.5), Uniform()], weights=[1, 3]).atoms
        (array([0.5]), array([0.25]))
        """
        # The bits of floats from 0 to 1, as integers, are consecutive in the same order.
        low, high = _bits(np.array([0.0])), _bits(np.array([np.nextafter(1, 2)]))
        while np.any(high - low > 1):
            middle = (low + high) // 2
            low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
            mass = self.below(high.view(float), 0) - self.below(low.view(float), 0)
            some = (mass >= _LEAST_ATOM) & (low < high)
            low, high = low[some], high[some]
        c = np.sort(low.view(float))
        return c, self.below(np.nextafter(c, 2), 0) - self.below(c, 0)

    @property
    def words(self) -> str:
        """The distribution in words that follow the name of a quantity."""
        return f"distributed as {self}"

    def within(self, low: float, high: float) -> "CostDistribution | None":
        """Its conditional distribution on [low, high], if that has a simpler form.

        None, the default, stands for `Truncated`.

        Examples
        --------
        >>> from costspace import Beta, LogitUniform
        >>> LogitUniform(0.01, 0.5).within(0.1, 0.2)
        LogitUniform(low=0.1, high=0.2)
        >>> Beta(2, 2).within(0.1, 0.2) is None
        True
        """
        return None

    def log_odds_density(self) -> LogOddsDensity | None:
        """The density of ln(X / (1 - X)) without atoms; None, the default, derives it from `below`.

        An override is faster and more exact, mainly for conditions close to 1.
        """
        return None

    def quantile(self, share: ArrayLike) -> FloatArray:
        """The least condition with at least some share of the mass below it.

        Parameters
        ----------
        share : float or array, in [0, 1]

        Returns
        -------
        array
            In [0, 1], found by bisection of the log-odds.

        Examples
        --------
        >>> from costspace import Uniform
        >>> Uniform(0.2, 0.6).quantile([0.25, 0.5]).round(12)
        array([0.3, 0.4])
        """
        wanted = np.ravel(np.asarray(share, dtype=float))
        low, high = np.full(wanted.shape, -FARTHEST), np.full(wanted.shape, FARTHEST)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            enough = self.below(expit(middle), 0) >= wanted
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        at_zero = self.below(np.full(wanted.shape, NEXT_TO_0), 0) >= wanted
        return np.where(at_zero, 0.0, expit(high)).reshape(np.shape(share))

    def mean(self) -> float:
        """Mean operating condition E[X], in [0, 1]."""
        # Moments near 1 may round beyond it.
        return min(float(self.below(np.array([np.inf]), 1)[0]), 1.0)


def _bits(c: FloatArray) -> NDArray[np.int64]:
    return c.view(np.int64)


def _first(holds: Callable[[FloatArray], BoolArray]) -> float:
    """The least number above 0 from which on a predicate holds, or 2."""
    ends = _bits(np.array([0.0, 2.0]))
    while ends[1] - ends[0] > 1:
        middle = ends.sum() // 2
        ends[int(holds(np.array([middle]).view(float))[0])] = middle
    return float(ends.view(float)[1])


def _before(c: float) -> float:
    return float(np.nextafter(c, 0))


def check_weights(owner: str, weights: ArrayLike, size: int) -> FloatArray:
    """Return weights as floats, or raise `ConditionError` unless there are `size` valid ones."""
    try:
        array = np.asarray(weights, dtype=float)
    except (TypeError, ValueError):
        array = np.full(1, np.nan)
    if array.shape != (size,) or not np.all((array >= 0) & np.isfinite(array)) or not array.any():
        raise ConditionError(
            f"{owner} needs {size} weights, none negative and not all zero, got {brief(weights)}."
        )
    return array


def written(number: float) -> str:
    """A number in full precision, a whole one without a decimal point."""
    return repr(int(number)) if number.is_integer() else repr(number)

"""The influence of each row on a statistic of a table, from which all inference is derived."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, ScoreFunction
from costspace.samples.class_sample import ClassSample

# Fewer scores are looked up among the edges, instead of the edges among the scores.
_FEW = 64
# Scores in a block, few enough for a function of them to stay in the processor's cache.
_BLOCK = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class Influence:
    """The first-order effect of every row on a statistic, by class, and of the class shares.

    For a table of class-conditional distributions F0 and F1 and a share of positives pi1, it is
    the derivative of T(F0, F1, pi1) as a point mass at a score is mixed into one class, and as the
    share of positives changes.

    Attributes
    ----------
    of_negatives, of_positives : callable
        Effect of a point mass at each of some scores of the table's rows, vectorised; its
        weighted mean over the class is 0.
    slope : float
        dT / d pi1 with both class-conditional distributions fixed; 0 if T does not depend on the
        class shares.

    Notes
    -----
    Hampel (1974), JASA 69. A row's influence is 1{y = 0} phi0(s) / pi0 + 1{y = 1} phi1(s) / pi1 +
    slope (y - pi1), and the variance of the statistic is that of their mean.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> found = cs.ScoreFixed(0.5).influence(table, cs.Uniform())
    >>> found.of_negatives(np.array([0.1, 0.6])), found.slope
    (array([-0.25,  0.25]), 0.0)
    """

    of_negatives: ScoreFunction
    of_positives: ScoreFunction
    slope: float = 0.0

    def times(self, factor: float) -> "Influence":
        """The influence of the statistic times a number."""
        return combined([self], [factor])

    def sloping(self, slope: float) -> "Influence":
        """The influence with another slope."""
        return replace(self, slope=slope)


def combined(influences: Sequence[Influence], factors: Sequence[float]) -> Influence:
    """The influence of a linear combination of statistics of one table."""
    return Influence(
        Combination(tuple(i.of_negatives for i in influences), tuple(factors)),
        Combination(tuple(i.of_positives for i in influences), tuple(factors)),
        float(sum(f * i.slope for i, f in zip(influences, factors, strict=True))),
    )


@final
@dataclass(frozen=True, eq=False)
class Deviation:
    """A function of the score minus its mean over a class, times a factor.

    Attributes
    ----------
    function : callable
    mean : float
        Of the function, over the class.
    factor : float
    mean_square, mean_cube : float, optional
        Of the function minus its mean, if already known.
    weighted_sums : callable, optional
        The sums over the class of w^2 d and w^2 d^2, w the weights and d the function minus its
        mean, if they are cached.
    kept : bool
        Whether the function is a hashable value, whose mean a sample caches for the next
        statistic.
    ends : tuple of two floats, optional
        The range of the function, if its mean is a mean of independent values, which the rows'
        thresholds may move to first order.

    Examples
    --------
    >>> Deviation(np.square, mean=0.5, factor=2.0)(np.array([0.5, 1.0]))
    array([-0.5,  1. ])
    """

    function: ScoreFunction
    mean: float
    factor: float = 1.0
    mean_square: float | None = None
    mean_cube: float | None = None
    weighted_sums: Callable[[], tuple[float, float]] | None = None
    kept: bool = False
    ends: tuple[float, float] | None = None

    def __call__(self, scores: FloatArray) -> FloatArray:
        return self.factor * (self.function(scores) - self.mean)

    def times(self, factor: float) -> "Deviation":
        """The deviation times another factor."""
        return replace(self, factor=self.factor * factor)

    def moment(self, sample: ClassSample, power: int) -> float:
        """Mean over a class of a power of it, 2 or 3, with the weights as counts."""
        known = self.mean_square if power == 2 else self.mean_cube
        if known is None and self.kept:
            known = sample.central_moments(self.function)[power - 2]
        elif known is None:
            known = mean_over(sample, partial(self._power, power))
        return self.factor**power * known

    def _power(self, power: int, scores: FloatArray) -> FloatArray:
        deviation = self.function(scores) - self.mean
        # Products take a tenth of the time of general powers.
        square = deviation * deviation
        return square if power == 2 else square * deviation


@final
@dataclass(frozen=True, eq=False)
class Combination:
    """A linear combination of functions of the score."""

    functions: tuple[ScoreFunction, ...]
    factors: tuple[float, ...]

    @property
    def single(self) -> Deviation | None:
        """The deviation that it is, if it is one."""
        if len(self.functions) != 1:
            return None
        function = self.functions[0]
        found = function.single if isinstance(function, Combination) else function
        return found.times(self.factors[0]) if isinstance(found, Deviation) else None

    def __call__(self, scores: FloatArray) -> FloatArray:
        # All means are subtracted at once: passes over the scores are the cost.
        total, constant = np.zeros(np.shape(scores)), 0.0
        for function, factor in zip(self.functions, self.factors, strict=True):
            known = deviation_in(function)
            if known is None:
                total += factor * function(scores)
            else:
                total += factor * known.factor * known.function(scores)
                constant += factor * known.factor * known.mean
        total -= constant
        return total


@final
@dataclass(frozen=True, eq=False)
class Steps(FrozenValue):
    """A function of the score that is constant between edges."""

    edges: FloatArray  # shape (k,): ascending
    # Shape (k + 1,): value at the scores up to the first edge, above it and up to the second, and
    # so on.
    values: FloatArray

    def __call__(self, scores: FloatArray) -> FloatArray:
        if scores.ndim != 1 or len(scores) < _FEW or np.any(scores[1:] < scores[:-1]):
            return np.take(self.values, np.searchsorted(self.edges, scores, side="left"))
        first, last = np.searchsorted(self.edges, scores[[0, -1]], side="left")
        if last - first >= len(scores):
            found = np.searchsorted(self.edges[first:last], scores, side="left")
            return np.take(self.values, found + first)
        # Ascending scores: it is faster to find each edge among them.
        ends = np.searchsorted(scores, self.edges[first:last], side="right")
        counts = np.diff(ends, prepend=0, append=len(scores))
        return np.repeat(self.values[first : last + 1], counts)


def deviation_in(function: ScoreFunction) -> Deviation | None:
    """The deviation that a function of the score is, if it is one."""
    single = function.single if isinstance(function, Combination) else function
    return single if isinstance(single, Deviation) else None


def mean_over(sample: ClassSample, function: ScoreFunction) -> float:
    """Mean over a class of f(score); unlike `sample.mean` it caches nothing."""
    return sum_over(sample, function, sample.weights) / sample.total


def sum_over(
    sample: ClassSample, function: ScoreFunction, factors: FloatArray | None = None
) -> float:
    """Sum over a class of f(score), each times its factor.

    Unlike `sample.mean` it caches nothing.
    """
    total = 0.0
    for start in range(0, len(sample), _BLOCK):
        block = slice(start, start + _BLOCK)
        image = function(sample.values[block])
        # Not a dot product: BLAS would start its threads for every block.
        total += float(np.sum(image if factors is None else image * factors[block]))
    return total

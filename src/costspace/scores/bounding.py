"""How binned scores rank at their best or worst, and class means as sharp as the bins allow."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, final, runtime_checkable

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, ScoreFunction
from costspace.scores.class_bins import ClassBins
from costspace.scores.ranking import Ranking

# Of terms of a quadratic that are larger, which cancel, rounding would leave too little.
_LARGEST = 1e3


@runtime_checkable
class Quadratic(Protocol):
    """A monotone function of the score that is a quadratic over some stretches of scores."""

    def __call__(self, scores: FloatArray) -> FloatArray:
        """The function at each score."""

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it is no such function.

        Of shape (3, k).
        """


class EndMeans(NamedTuple):
    """Means over a class: with what is not known of its bins taken at their low or high ends."""

    low: float
    high: float


@final
@dataclass(frozen=True, eq=False)
class BoundedMeans(FrozenValue):
    """Means over a class, as sharp as its bins allow, of monotone functions of the score.

    Over a bin in which the function is a quadratic, the sum of the scores and that of their squares
    give its mean exactly; in any other bin it is taken at an end.

    Attributes
    ----------
    bins : ClassBins
        With weight in one bin at least.
    """

    bins: ClassBins

    def of(self, f: ScoreFunction) -> EndMeans:
        """Means of f(score), computed once and kept."""
        if f not in self._means:
            weight, low, high, *_ = self._filled
            at_low, at_high = f(low), f(high)
            if isinstance(f, Quadratic):
                mean = self._known(f)
                known = (low < high) & np.isfinite(mean)
                mean = np.clip(mean, np.minimum(at_low, at_high), np.maximum(at_low, at_high))
                at_low, at_high = (np.where(known, mean, end) for end in (at_low, at_high))
            total = float(np.sum(weight))
            means = (float(np.sum(weight * end)) / total for end in (at_low, at_high))
            self._means[f] = EndMeans(*means)
        return self._means[f]

    @cached_property
    def _means(self) -> dict[ScoreFunction, EndMeans]:
        return {}

    @cached_property
    def _filled(self) -> tuple[FloatArray, ...]:
        """Of each bin with weight that, both ends, and the mean score and squared score."""
        bins, filled = self.bins, self.bins.filled
        columns = (bins.weight, bins.low, bins.high, bins.score_sum, bins.score_squares)
        weight, low, high, *sums = (np.compress(filled, column) for column in columns)
        with np.errstate(over="ignore"):
            return weight, low, high, *(column / weight for column in sums)

    def _known(self, f: Quadratic) -> FloatArray:
        """The mean of f over each bin with weight, NaN where moments do not tell it."""
        _, low, high, mean, mean_square = self._filled
        c0, c1, c2 = f.coefficients(low, high)
        # Moments may be infinite, or none, where they do not count.
        with np.errstate(invalid="ignore", over="ignore"):
            terms = (c0, np.where(c1 == 0, 0, c1 * mean), np.where(c2 == 0, 0, c2 * mean_square))
            lost = ~(np.maximum.reduce(np.abs(terms)) < _LARGEST)
            known = terms[0] + terms[1] + terms[2]
        known[lost] = np.nan
        return known


@final
@dataclass(frozen=True, eq=False)
class BoundingMeans:
    """Class means of binned scores at their best or worst, for a ranking of them.

    Class means that are asked for are of functions that rise with the score for negatives and
    fall with it for positives, as what a row risks does. So a mean is a bound on the side that
    the ranking is on, and nothing is lost where the bins know better.

    Attributes
    ----------
    of_negatives, of_positives : BoundedMeans
        The classes by bin, the same for the best and the worst.
    best : bool
        Whether negatives stand at the low ends and positives at the high ones, or the reverse.
    """

    of_negatives: BoundedMeans
    of_positives: BoundedMeans
    best: bool

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score of the data, wherever a ranking puts them."""
        sides = (self.of_negatives.bins, self.of_positives.bins)
        return float(min(s.low.min() for s in sides)), float(max(s.high.max() for s in sides))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean over each class of a function that rises, for positives one that falls."""
        of_negatives, of_positives = (
            self.of_negatives.of(on_negatives),
            self.of_positives.of(on_positives),
        )
        if self.best:
            return of_negatives.low, of_positives.high
        return of_negatives.high, of_positives.low

    def ranking(self) -> Ranking:
        """The scores at their ends, with these means."""
        low, high = ("low", "high") if self.best else ("high", "low")
        samples = self.of_negatives.bins.sample(low), self.of_positives.bins.sample(high)
        return Ranking(*samples, known=self)

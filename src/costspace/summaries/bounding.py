"""The ranking of binned scores at their best or worst, and the sharpest bounds on class means."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, final, runtime_checkable

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, ScoreFunction
from costspace.samples.ranking import Ranking
from costspace.summaries.cell_sums import CellSums

# Larger terms of a quadratic would cancel, with too much rounding.
_LARGEST = 1e3


@runtime_checkable
class Quadratic(Protocol):
    """A monotone function of the score that is a quadratic over some intervals of scores."""

    def __call__(self, scores: FloatArray) -> FloatArray:
        """The function at each score."""

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it is not a quadratic.

        Of shape (3, k).
        """


class EndMeans(NamedTuple):
    """Means over a class, with unknown scores at the low or the high ends of their bins."""

    low: float
    high: float


@final
@dataclass(frozen=True, eq=False)
class BoundedMeans(FrozenValue):
    """The sharpest bounds on means over a class of monotone functions of the score.

    In a bin where the function is a quadratic, the sums of the scores and of their squares give its
    mean exactly; in any other bin it is evaluated at an end.

    Attributes
    ----------
    bins : CellSums
        Those of one class, with weight in at least one bin.
    """

    bins: CellSums

    def of(self, f: ScoreFunction) -> EndMeans:
        """Means of f(score), computed once and cached."""
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
        """Weight, both ends, mean score and mean squared score of each bin with weight."""
        bins, filled = self.bins, self.bins.filled
        columns = (bins.mass, *bins.ends, *bins.moments)
        weight, low, high, *sums = (np.compress(filled, column) for column in columns)
        with np.errstate(over="ignore"):
            return weight, low, high, *(column / weight for column in sums)

    def _known(self, f: Quadratic) -> FloatArray:
        """The mean of f over each bin with weight, NaN where moments do not determine it."""
        _, low, high, mean, mean_square = self._filled
        c0, c1, c2 = f.coefficients(low, high)
        # Moments may be infinite or NaN where they are not used.
        with np.errstate(invalid="ignore", over="ignore"):
            terms = (c0, np.where(c1 == 0, 0, c1 * mean), np.where(c2 == 0, 0, c2 * mean_square))
            lost = ~(np.maximum.reduce(np.abs(terms)) < _LARGEST)
            known = terms[0] + terms[1] + terms[2]
        known[lost] = np.nan
        return known


@final
@dataclass(frozen=True, eq=False)
class BoundingMeans:
    """Class means of binned scores for their best or worst ranking.

    They are needed only for functions that rise with the score for negatives and fall with it for
    positives, such as risks. So each mean is a bound on the same side as the ranking, and exact
    where the bins determine it.

    Attributes
    ----------
    of_negatives, of_positives : BoundedMeans
        The classes by bin, the same for the best and the worst.
    best : bool
        Whether negatives are at the low ends and positives at the high ones, or the reverse.
    """

    of_negatives: BoundedMeans
    of_positives: BoundedMeans
    best: bool

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score of the data, for any ranking."""
        ends = [side.bins.ends for side in (self.of_negatives, self.of_positives)]
        return float(min(low.min() for low, _ in ends)), float(max(high.max() for _, high in ends))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean over each class of a function that rises, and for positives of one that falls."""
        of_negatives, of_positives = (
            self.of_negatives.of(on_negatives),
            self.of_positives.of(on_positives),
        )
        if self.best:
            return of_negatives.low, of_positives.high
        return of_negatives.high, of_positives.low

    def ranking(self) -> Ranking:
        """The scores at their ends, with these means."""
        negatives = self.of_negatives.bins.at_end(high=not self.best)
        return Ranking(negatives, self.of_positives.bins.at_end(high=self.best), known=self)

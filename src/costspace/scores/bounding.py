"""How binned scores rank at their best or worst, and class means as sharp as the bins allow."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final, runtime_checkable

import numpy as np

from costspace.arrays import FloatArray, ScoreArray
from costspace.scores.class_bins import ClassBins
from costspace.scores.ranking import Hull, Ranking
from costspace.scores.sample import ClassSample, ScoreFunction


@runtime_checkable
class Quadratic(Protocol):
    """A monotone function of the score that is a quadratic over some stretches of scores."""

    def __call__(self, scores: FloatArray) -> FloatArray:
        """The function at each score."""

    def coefficients(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Coefficients of 1, s and s^2 over each [low, high], NaN where it is no such function.

        Of shape (3, k).
        """


@final
@dataclass(frozen=True, eq=False)
class BoundingRanking:
    """Binned scores with each class at one end of its bins: a `Ranking`, but for class means.

    Class means that are asked for are of functions that rise with the score for negatives and
    fall with it for positives, as what an example risks does. Over a bin in which the function is
    a quadratic, the sum of the scores and that of their squares give its mean exactly; in any
    other bin it is taken at the end. So a mean is a bound on the side that the ranking is on,
    and nothing is lost where the bins know better.

    Attributes
    ----------
    bins_of_negatives, bins_of_positives : ClassBins
        Both classes have weight.
    best : bool
        Whether negatives stand at the low ends and positives at the high ones, or the reverse.
    """

    bins_of_negatives: ClassBins
    bins_of_positives: ClassBins
    best: bool

    @property
    def negatives(self) -> ClassSample:
        return self._ranking.negatives

    @property
    def positives(self) -> ClassSample:
        return self._ranking.positives

    @property
    def distinct(self) -> ScoreArray:
        return self._ranking.distinct

    @property
    def at_distinct(self) -> tuple[FloatArray, FloatArray]:
        return self._ranking.at_distinct

    @property
    def hull_thresholds(self) -> FloatArray:
        return self._ranking.hull_thresholds

    @property
    def placement_squares(self) -> tuple[float, float]:
        return self._ranking.placement_squares

    @property
    def weighted_placements(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return self._ranking.weighted_placements

    @property
    def totals(self) -> tuple[float, float]:
        return self._ranking.totals

    @property
    def auc(self) -> float:
        return self._ranking.auc

    @property
    def hull(self) -> Hull:
        return self._ranking.hull

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score of the data, wherever this ranking puts them."""
        sides = (self.bins_of_negatives, self.bins_of_positives)
        return float(min(s.low.min() for s in sides)), float(max(s.high.max() for s in sides))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean over each class of a function that rises, for positives one that falls."""
        low, high = ("low", "high") if self.best else ("high", "low")
        return (
            _mean(self.bins_of_negatives, on_negatives, low),
            _mean(self.bins_of_positives, on_positives, high),
        )

    @cached_property
    def _ranking(self) -> Ranking:
        low, high = ("low", "high") if self.best else ("high", "low")
        return Ranking(self.bins_of_negatives.sample(low), self.bins_of_positives.sample(high))


def _mean(bins: ClassBins, f: ScoreFunction, end: str) -> float:
    """The mean of f, exact where f is a quadratic, at an end of the bins where it is not."""
    filled = bins.filled
    weight, low, high = (a[filled] for a in (bins.weight, bins.low, bins.high))
    at_end = f(low if end == "low" else high)
    if isinstance(f, Quadratic):
        at_end = np.where(low < high, _exact(bins, f, at_end), at_end)
    return float(np.sum(weight * at_end)) / float(np.sum(weight))


def _exact(bins: ClassBins, f: Quadratic, at_end: FloatArray) -> FloatArray:
    """The mean of f over each filled bin, `at_end` where moments do not tell it."""
    filled = bins.filled
    weight, low, high = (a[filled] for a in (bins.weight, bins.low, bins.high))
    c0, c1, c2 = f.coefficients(low, high)
    # Sums may be infinite, or none, where they do not count.
    with np.errstate(invalid="ignore", over="ignore"):
        linear = np.where(c1 == 0, 0, c1 * (bins.score_sum[filled] / weight))
        square = np.where(c2 == 0, 0, c2 * (bins.score_squares[filled] / weight))
        mean = c0 + linear + square
    ends = np.sort([f(low), f(high)], axis=0)
    return np.where(np.isfinite(mean), np.clip(mean, *ends), at_end)

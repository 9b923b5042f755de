"""How far the scores of a class have moved between two samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.estimates.interval import Ends
from costspace.metrics.bounded import outward
from costspace.samples.class_sample import ClassSample
from costspace.special import kolmogorov


@final
@dataclass(frozen=True)
class ScoreShift:
    """How far the distribution of the scores of one class has moved.

    Attributes
    ----------
    rows : {"negatives", "positives"}
        The class.
    distance : float in [0, 1]
        The largest difference of the shares of the class at or below any score, the two-sample
        Kolmogorov-Smirnov statistic; for binned scores the middle of its bounds.
    bounds : tuple of two floats
        Bounds that certainly contain it.
    p : float in [0, 1]
        P-value of both samples having the same distribution.
    p_adjusted : float in [0, 1]
        The same, adjusted for all comparisons together.

    Examples
    --------
    >>> import costspace as cs
    >>> before = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> after = cs.ScoreTable.from_predictions([0, 0, 0, 1, 1], [0.1, 0.6, 0.7, 0.4, 0.9])
    >>> [(one.rows, round(one.distance, 4)) for one in cs.drift(before, after).shifts]
    [('negatives', 0.3333), ('positives', 0.0)]
    """

    rows: str
    distance: float
    bounds: tuple[float, float]
    p: float
    p_adjusted: float


def score_shift(
    name: str, before: Sequence[ClassSample], after: Sequence[ClassSample], sizes: Sequence[float]
) -> ScoreShift:
    """The distance of a class's scores in two samples, with a p-value that is not adjusted.

    Each sample is given with its scores as low and as high as they can be; once if they are known.
    The effective size of the class in each is given beside them.
    """
    bounds = _distance(before, after)
    p = _same_distribution_p(bounds[0], *sizes)
    return ScoreShift(name, sum(bounds) / 2, bounds, p, p)


def _distance(first: Sequence[ClassSample], second: Sequence[ClassSample]) -> Ends:
    """Least and largest difference of the shares at or below a score that two samples can have."""
    scores = np.unique(np.concatenate([one.values for one in (*first, *second)]))
    sides = []
    for samples in (first, second):
        shares = np.stack([one.below(scores) / one.total for one in samples])
        sides.append((shares.min(axis=0), shares.max(axis=0)))
    (low, high), (other_low, other_high) = sides
    least = np.maximum(low - other_high, other_low - high).max()
    largest = np.maximum(high - other_low, other_high - low).max()
    if len(first) == len(second) == 1:
        return float(largest), float(largest)
    low, high = outward(float(least), float(largest))
    return max(0.0, low), min(high, 1.0)


def _same_distribution_p(distance: float, first: float, second: float) -> float:
    """P-value of this distance between two samples of such sizes of the same distribution.

    Smirnov (1939): the limit for large samples, of their effective sizes if rows have weights.
    """
    return float(kolmogorov(distance * np.sqrt(first * second / (first + second))))

"""How far the scores of a class have moved, as far as two samples tell."""

from collections.abc import Sequence

import numpy as np
from scipy.special import kolmogorov

from costspace.inference.interval import Ends
from costspace.inference.trials import trials_of_sample
from costspace.metrics.bounded import outward
from costspace.scores.sample import ClassSample


def distance(first: Sequence[ClassSample], second: Sequence[ClassSample]) -> Ends:
    """Least and largest difference of the shares at or below a score that two samples can have.

    Parameters
    ----------
    first, second : sequences of ClassSample
        Each one sample, with its scores as low and as high as they may be; once if they are known.

    Returns
    -------
    tuple of two floats in [0, 1]
        The two-sample Kolmogorov-Smirnov statistic twice, if all scores are known.
    """
    scores = np.unique(np.concatenate([one.values.astype(float) for one in (*first, *second)]))
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


def same_distribution_p(distance: float, first: ClassSample, second: ClassSample) -> float:
    """P-value of two samples of one distribution being so far apart.

    Notes
    -----
    Smirnov (1939): the limit for large samples, of their effective sizes if rows have weights.
    """
    sizes = trials_of_sample(first), trials_of_sample(second)
    return float(kolmogorov(distance * np.sqrt(sizes[0] * sizes[1] / sum(sizes))))

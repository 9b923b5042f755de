"""Values that change with the score at many places, in few steps."""

import numpy as np

from costspace.arrays import FloatArray

# Between neighbouring cuts values change by at most so small a part of all their changes. What rows
# differ by within a step is left out of standard errors: some 1e-4 of them, and up to some 2 % of
# those of a difference between strategies that are nearly alike.
_STEPS = 32


def graded(scores: FloatArray, *values: FloatArray) -> FloatArray:
    """Scores to cut after, so that between two cuts each of the values changes little.

    Parameters
    ----------
    scores : array of shape (k,)
        Ascending.
    values : arrays of shape (k,)
        Of each of them. Where they change at few places only it is those.

    Returns
    -------
    array of shape (m,)
        Some of the scores.
    """
    changes = [np.abs(np.diff(of_each)) for of_each in values]
    changing = [change for change in changes if np.any(change)]
    some = np.flatnonzero(np.any(changing, axis=0)) if changing else np.zeros(0, dtype=np.intp)
    if len(some) > 2 * _STEPS:
        way = np.sum([np.cumsum(change) / np.sum(change) for change in changing], axis=0)
        step = np.ceil(way * (_STEPS / len(changing)))
        # What comes before the first change and after the last is as it is.
        some = np.union1d(np.flatnonzero(np.diff(step, prepend=0.0)), some[-1])
    return scores[:-1][some]


def means_between(
    cuts: FloatArray, scores: FloatArray, weights: FloatArray, values: FloatArray
) -> FloatArray:
    """The mean of values over the scores up to each cut from the one before, and above the last.

    Parameters
    ----------
    cuts : array of shape (m,)
        Ascending.
    scores, weights, values : arrays of shape (k,)
        Ascending scores, and the weight and the value of each.

    Returns
    -------
    array of shape (m + 1,)
        0 where there is no score.
    """
    place = np.searchsorted(cuts, scores)
    weight = np.bincount(place, weights, minlength=len(cuts) + 1)
    total = np.bincount(place, weights * values, minlength=len(cuts) + 1)
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)

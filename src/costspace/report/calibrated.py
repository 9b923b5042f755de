"""How often cases of like scores are positive, as a report page draws it beside the scores."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.money.class_intervals import score_ends
from costspace.estimates.interval import normal_quantile
from costspace.samples.class_sample import ClassSample, sums_between
from costspace.scores.table import ScoreTable

_BINS = 12
_LEVEL = 0.95
# Of each class, scores that a bin may begin with.
_CANDIDATES = 500


def calibration_bins(table: ScoreTable) -> dict[str, list[float]] | None:
    """Bins of scores, ascending, or None of scores that are no probabilities.

    Parameters
    ----------
    table : ScoreTable
        With the prevalence of its rows.

    Returns
    -------
    mapping of str to list of float, or None
        "from" and "to" are the least and the greatest score of each bin, "mean" that of its
        scores, "share" that of its positives, "low" and "high" the ends of its 95 % interval, and
        "cases" its share of all.

    Notes
    -----
    Bins hold about as much of both classes together, each counting half, so that where positives
    are rare they are not all in one. Equal scores are in one bin. Intervals are those of Wilson
    (1927), JASA 22, for as many rows of equal weight as say as much: rows are taken as independent.
    """
    low, high = table.score_range
    if low < 0 or high > 1:
        return None
    sides = table.negatives, table.positives
    edges = _edges(table)
    weights, squares, sums = (
        np.stack(found) for found in zip(*(_by_bin(side, edges) for side in sides), strict=True)
    )
    all_of = weights.sum(axis=0)
    share = weights[1] / all_of
    rows = all_of**2 / squares.sum(axis=0)
    z = normal_quantile(_LEVEL)
    ends = [score_ends(*one, z) for one in zip(share.tolist(), rows.tolist(), strict=True)]
    lows, highs = np.clip(np.transpose(ends), 0, 1)
    return {
        "from": edges[:-1].tolist(),
        "to": np.max([_greatest(side, edges) for side in sides], axis=0).tolist(),
        "mean": (sums.sum(axis=0) / all_of).tolist(),
        "share": share.tolist(),
        "low": lows.tolist(),
        "high": highs.tolist(),
        "cases": (all_of / all_of.sum()).tolist(),
    }


def _edges(table: ScoreTable) -> FloatArray:
    """The least score of each bin, and what is above all scores."""
    sides = table.negatives, table.positives
    scores = np.unique(np.concatenate([_some(side) for side in sides]))
    below = np.mean([side.below(scores, inclusive=True) / side.total for side in sides], axis=0)
    starts = np.searchsorted(below, np.arange(_BINS) / _BINS)
    return np.append(scores[np.unique(np.minimum(starts, len(scores) - 1))], np.inf)


def _some(side: ClassSample) -> FloatArray:
    """The least score of a class and others, evenly in its order: all, of few."""
    places = np.linspace(0, len(side) - 1, _CANDIDATES).astype(int)
    return side.values[places]


def _by_bin(side: ClassSample, edges: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of one class: sums of the weights, of their squares, and of scores by weight."""
    ends = side.position(edges, inclusive=True)
    weights = side.weight_of_each
    columns = weights, side.squares_of_each, weights * side.values
    first, second, third = (sums_between(column, ends) for column in columns)
    return first, second, third


def _greatest(side: ClassSample, edges: FloatArray) -> FloatArray:
    """The greatest score of a class in each bin or below it."""
    return side.last_of_first(side.position(edges[1:], inclusive=True))

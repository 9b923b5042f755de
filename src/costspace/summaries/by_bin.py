"""Rows added up by bin of the score, from each class's sorted scores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, ScoreArray
from costspace.samples.class_sample import ClassSample
from costspace.summaries.binning import Binning
from costspace.summaries.cell_sums import CellSums

# Runs with a mean length below this are short.
_SHORT = 64


def added_by_bin(
    positive: BoolArray, scores: ScoreArray, weight: FloatArray | None, binning: Binning
) -> tuple[FloatArray, CellSums]:
    """The keys of bins and the sums of both classes; a key may occur more than once."""
    found = []
    for rows in (~positive, positive):
        own = None if weight is None else np.compress(rows, weight)
        found.append(_of_class(np.compress(rows, scores), own, binning))
    (keys0, negatives), (keys1, positives) = found
    rest = [CellSums.none(len(keys), weighted=weight is not None) for keys in (keys0, keys1)]
    sums = CellSums.stacked([negatives.then(rest[1]), rest[0].then(positives)])
    return np.concatenate([keys0, keys1]), sums


def _of_class(
    scores: ScoreArray, weight: FloatArray | None, binning: Binning
) -> tuple[FloatArray, CellSums]:
    """The bins of the rows of one class; a key may occur more than once."""
    if weight is None:
        return _of_sample(ClassSample.sort(scores), binning)
    counts = weight > 0
    weightless = binning.keys(np.compress(~counts, scores))
    rest = CellSums.none(len(weightless), weighted=True, rows=1)
    if not counts.any():
        return weightless, rest
    keys, sums = _of_sample(
        ClassSample.sort(np.compress(counts, scores), np.compress(counts, weight)), binning
    )
    return np.concatenate([keys, weightless]), sums.then(rest)


def _of_sample(sample: ClassSample, binning: Binning) -> tuple[FloatArray, CellSums]:
    """The keys of runs of sorted scores, and the sums of the runs; a key may repeat."""
    runs = [_runs(binning.keys(values), values, weights) for values, weights in sample.blocks()]
    if not runs:
        return np.zeros(0), CellSums.none(0, weighted=sample.weights is not None)
    columns = {name: np.concatenate([run[name] for run in runs]) for name in runs[0]}
    return columns.pop("keys"), CellSums(**columns)


def _runs(
    keys: FloatArray, scores: FloatArray, weights: FloatArray | None
) -> dict[str, NDArray[Any]]:
    """The keys of ascending scores, one for each run, and the sums of the runs."""
    new = np.append(False, keys[1:] != keys[:-1])
    starts = np.append(0, np.flatnonzero(new))
    ends = np.append(starts[1:], len(keys))

    # Short runs are summed faster by index, and long ones more exactly pairwise.
    run = np.cumsum(new) if len(starts) * _SHORT > len(keys) else None

    def total(column: FloatArray) -> FloatArray:
        if run is not None:
            return np.asarray(np.bincount(run, column), dtype=float)
        return np.asarray(np.add.reduceat(column, starts))

    # Squares of scores beyond the root of the largest float overflow.
    with np.errstate(invalid="ignore", over="ignore"):
        weighted = scores if weights is None else scores * weights
        sums = {"score_sum": total(weighted), "score_squares": total(weighted * scores)}
    if weights is not None:
        sums |= {"weight": total(weights), "squares": total(weights**2)}
    ranges = {"low": scores[starts], "high": scores[ends - 1]}
    return {"keys": keys[starts], "rows": ends - starts, **sums, **ranges}

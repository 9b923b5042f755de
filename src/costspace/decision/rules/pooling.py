"""The path of several samples together, each decided on by thresholds of its own."""

from collections.abc import Sequence

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.curve import OperatingPath, OperatingPoints
from costspace.curve.loss import common_breaks


def pooled(
    paths: Sequence[OperatingPath], negatives: Sequence[float], positives: Sequence[float]
) -> OperatingPath:
    """The path of several samples together: their mean rates, by what each class weighs in each."""
    curves = [path.loss() for path in paths]
    breaks = common_breaks(curves)
    pieces = [curve.pieces_of(breaks) for curve in curves]
    cut = [_cut(path, piece, breaks) for path, piece in zip(paths, pieces, strict=True)]
    start = _mean([path.start for path in cut], negatives, positives)
    if all(path.steps for path in cut):
        return OperatingPath(breaks, start, start, paths[0].prevalence, steps=True)
    end = _mean([path.end for path in cut], negatives, positives)
    return OperatingPath(breaks, start, end, paths[0].prevalence)


def _cut(path: OperatingPath, piece: IndexArray, breaks: FloatArray) -> OperatingPath:
    """The same path with its pieces cut at finer breaks."""
    start = path.along(piece, breaks[:-1])
    end = start if path.steps else path.along(piece, breaks[1:])
    return OperatingPath(breaks, start, end, path.prevalence, path.steps)


def _mean(
    points: Sequence[OperatingPoints], negatives: Sequence[float], positives: Sequence[float]
) -> OperatingPoints:
    return OperatingPoints(
        np.average([p.fpr for p in points], axis=0, weights=negatives),
        np.average([p.fnr for p in points], axis=0, weights=positives),
    )

"""Effective sizes: how many independent rows of equal weight each class is equivalent to."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.estimates.interval import Ends
from costspace.samples.class_sample import ClassSample
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable


def sizes_of_rows(rows: ScoredRows, weights: str = "sampling") -> Ends:
    """Effective sizes of both classes, (sum w)^2 / sum w^2; with groups each is one trial.

    Notes
    -----
    Kish (1965), Survey Sampling, Section 11.7.
    """
    if rows.groups is None and (weights == "counts" or rows.weight is None):
        return rows.class_weights
    sizes = []
    for side in (~rows.positive, rows.positive):
        weight: FloatArray = (
            np.ones(np.count_nonzero(side)) if rows.weight is None else rows.weight[side]
        )
        if rows.groups is not None:
            weight = np.bincount(rows.groups[side], weights=weight).astype(float, copy=False)
        # Scaled, so that squares of the weights do not overflow.
        scaled = weight / weight.max()
        sizes.append(float(np.sum(scaled) ** 2 / np.sum(scaled**2)))
    return sizes[0], sizes[1]


def sizes_of_table(table: ScoreTable, weights: str = "sampling") -> Ends:
    """Effective sizes of the classes of a table, whose rows are independent."""
    return size_of_class(table.negatives, weights), size_of_class(table.positives, weights)


def size_of_class(sample: ClassSample, weights: str = "sampling") -> float:
    """Effective size of one class of independent rows."""
    if weights == "counts" or sample.weights is None:
        return sample.total
    return float(1 / np.sum(sample.squared_shares))

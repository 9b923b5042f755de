"""Standard errors from the influences of rows, with weights or in clusters."""

import numpy as np

from costspace.arrays import BoolArray, FloatArray, IndexArray
from costspace.errors import LabelError
from costspace.estimates.interval import Ends, varies
from costspace.estimates.standard_error import class_size, sides_of
from costspace.influences.influence import Influence
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles


def row_influences(
    influence: Influence,
    rows: ScoredRows,
    table: ScoreTable,
    model: str,
    *,
    design: str = "independent",
) -> FloatArray:
    """Each row's influence on a statistic of one model, in the order of the rows.

    The table has the model's scores of the rows, perhaps with a prevalence override. Influences
    have the weighted mean 0. To first order the error of the statistic is their weighted mean, and
    that of a difference of two statistics on the same rows is the mean of the differences.
    """
    scores = doubles(rows.scores[model])
    found = np.empty(len(rows))
    of_class = (~rows.positive, rows.positive)
    for which, side in zip(of_class, sides_of(influence, table, design), strict=True):
        found[which] = side.function(scores[which]) / side.share + side.shift
    return found


def row_error(influences: FloatArray, rows: ScoredRows, *, weights: str = "sampling") -> float:
    """Standard error of a statistic with these influences, clustered if the rows have groups.

    No row has weight 0. Rows of one group may depend on each other in any way; groups are
    independent. Errors are those of `row_corrections`.

    Notes
    -----
    Obuchowski (1997), Biometrics 53, for clusters: influences are summed over each.
    """
    corrected = influences * row_corrections(rows, weights)
    errors = unit_errors(corrected, rows)
    return float(np.sqrt(np.sum(errors * errors)))


def row_corrections(rows: ScoredRows, weights: str) -> FloatArray:
    """The factor of each row in an error, relative to its share of all weight, of shape (n,).

    It divides by m - 1 instead of m rows or groups, and counts equal rows as independent.
    `ConditionError` if there is no such kind of weights, or counts are not whole numbers;
    `LabelError` if a class has only one row or group.
    """
    sides = ~rows.positive, rows.positive
    sizes = [_size(rows, side, weights) for side in sides]
    if rows.groups is not None:
        check_groups(rows.groups, rows.positive)
        count = int(rows.groups.max()) + 1
        return np.full(len(rows), np.sqrt(count / (count - 1)))
    negatives, positives = (np.sqrt(size / (size - 1)) for size in sizes)
    found = np.where(rows.positive, positives, negatives)
    if weights == "counts" and rows.weight is not None:
        found /= np.sqrt(np.maximum(rows.weight, 1))
    return found


def _size(rows: ScoredRows, side: BoolArray, weights: str) -> float:
    """How many rows a class has."""
    weight = None if rows.weight is None else rows.weight[side]
    counted = np.count_nonzero(side if weight is None else weight)
    return class_size(float(counted), weight, weights)


def unit_errors(influences: FloatArray, rows: ScoredRows) -> FloatArray:
    """The part of each independent unit, a cluster or else a row, in the error of a statistic."""
    weighted = influences if rows.weight is None else influences * rows.weight
    if rows.groups is not None:
        weighted = np.bincount(rows.groups, weighted).astype(float, copy=False)
    return weighted / _total(rows)


def _total(rows: ScoredRows) -> float:
    return float(len(rows)) if rows.weight is None else float(np.sum(rows.weight))


def design_effect(estimate: float, clustered: float, independent: float, inside: Ends) -> float:
    """How many dependent rows are worth one independent row, for a bias that depends on the number.

    From the standard errors of an estimate with rows in clusters, and if they were independent. At
    least 1, since dependence can help the statistic but not its optimal thresholds; 1 if either
    error is 0 up to rounding.

    Notes
    -----
    Kish (1965), Survey Sampling, Section 8.2.
    """
    if not (varies(estimate, clustered, inside) and varies(estimate, independent, inside)):
        return 1.0
    return max(1.0, (clustered / independent) ** 2)


def check_groups(groups: IndexArray, positive: BoolArray) -> None:
    """Raise `LabelError` if a class occurs in one group only."""
    for side, name in ((~positive, "negative"), (positive, "positive")):
        found = groups[side]
        if np.all(found == found[0]):
            raise LabelError(
                f"every {name} row is in the same group: a standard error needs at least two "
                "groups, to show how they vary."
            )

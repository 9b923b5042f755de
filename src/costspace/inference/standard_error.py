"""Standard errors from influences: independent rows or fixed classes, weights, clusters."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, IndexArray
from costspace.errors import ConditionError, LabelError, brief
from costspace.inference.influence import (
    Influence,
    deviation_in,
    mean_over,
    sum_over,
)
from costspace.inference.interval import Ends, varies
from costspace.scores.rows import ScoredRows
from costspace.scores.sample import ClassSample, ScoreFunction
from costspace.scores.table import ScoreTable

DESIGNS = ("independent", "stratified")
WEIGHTS = ("sampling", "counts")


def standard_error(
    influence: Influence,
    table: ScoreTable,
    *,
    design: str = "independent",
    weights: str = "sampling",
) -> float:
    """Standard error of a statistic of a table whose rows are independent.

    Parameters
    ----------
    influence : Influence
        Of the statistic, on this table.
    table : ScoreTable
        Its prevalence override, if there is one, is taken as known.
    design : {"independent", "stratified"}
        Whether the class sizes vary from sample to sample, and the share of positives with them,
        or are fixed.
    weights : {"sampling", "counts"}
        What a weight w stands for: the inverse of the chance of being sampled, or w equal rows.

    Returns
    -------
    float
        Not negative.

    Raises
    ------
    ConditionError
        If there is no such design or kind of weights, or counts are not whole numbers.
    LabelError
        If a class has one row: it does not show how the class varies.

    Notes
    -----
    The influences' mean square over each class, over its size less 1 as in pROC.
    """
    return float(np.sqrt(sum(class_variances(influence, table, design=design, weights=weights))))


def class_variances(
    influence: Influence, table: ScoreTable, *, design: str, weights: str
) -> tuple[float, float]:
    """What negatives and positives add to the variance; parameters as in `standard_error`."""
    found = []
    for side in sides_of(influence, table, design):
        size = class_size(side.sample.counted, side.sample.weights, weights)
        found.append(_mean_square(side, weights) * size / (size - 1))
    return found[0], found[1]


@final
@dataclass(frozen=True, eq=False)
class Side:
    """A class in a statistic: a row's influence is phi(score) / share + shift.

    Attributes
    ----------
    sample : ClassSample
    function : ScoreFunction
        phi.
    share, shift : float
        The class's share of all weight, and what its being of that class does.
    """

    sample: ClassSample
    function: ScoreFunction
    share: float
    shift: float


def sides_of(influence: Influence, table: ScoreTable, design: str) -> tuple[Side, Side]:
    """Both classes in a statistic of a table, negatives first."""
    share = table.positives.total / (table.negatives.total + table.positives.total)
    slope = slope_in(influence, table, design)
    return (
        Side(table.negatives, influence.of_negatives, 1 - share, -slope * share),
        Side(table.positives, influence.of_positives, share, slope * (1 - share)),
    )


def slope_in(influence: Influence, table: ScoreTable, design: str) -> float:
    """The slope that counts: none where the share of positives does not vary."""
    fixed = check_design(design) == "stratified" or table.override is not None
    return 0.0 if fixed else influence.slope


def _mean_square(side: Side, weights: str) -> float:
    """Sum over the class of (w psi)^2, psi = phi / share + shift, over the square of all weight."""
    sample, function, share, shift = side.sample, side.function, side.share, side.shift
    total = sample.total / share
    known = deviation_in(function)
    if weights == "counts" or not sample.weighted:
        # Without weights other than counts the mean of phi is 0.
        if known is None:
            square = mean_over(sample, lambda scores: np.square(function(scores)))
        else:
            square = known.moment(sample, 2)
        return (square / share**2 + shift**2) * sample.total / total**2
    scaled = sample.squared_shares * share**2
    if known is not None and known.weighted_sums is not None:
        off, squared = known.weighted_sums()
        factor = known.factor / share
        found = factor * (factor * squared + 2 * shift * off)
        return found / total**2 + shift**2 * float(np.sum(scaled))

    def squared_influences(scores: FloatArray) -> FloatArray:
        influences = function(scores) / share + shift
        influences *= influences
        return influences

    return sum_over(sample, squared_influences, scaled)


def design_effect(estimate: float, clustered: float, independent: float, inside: Ends) -> float:
    """How many dependent rows are worth one independent row, for what is biased by their number.

    Parameters
    ----------
    estimate : float
        A statistic.
    clustered, independent : float
        Its standard errors with rows in clusters, and if they were independent.
    inside : tuple of two floats
        The range of the statistic.

    Returns
    -------
    float
        At least 1, as the dependence may be good for the statistic and not for the thresholds it
        is optimal at; 1 where either error is none but for rounding.

    Notes
    -----
    Kish (1965), Survey Sampling, Section 8.2.
    """
    if not (varies(estimate, clustered, inside) and varies(estimate, independent, inside)):
        return 1.0
    return max(1.0, (clustered / independent) ** 2)


def row_influences(
    influence: Influence,
    rows: ScoredRows,
    table: ScoreTable,
    model: str,
    *,
    design: str = "independent",
) -> FloatArray:
    """Each row's influence on a statistic of one model, in the order of the rows.

    Parameters
    ----------
    influence : Influence
        Of the statistic, on the table.
    rows : ScoredRows
    table : ScoreTable
        Of their scores of the model, perhaps with a prevalence override.
    model : str
    design : {"independent", "stratified"}
        As in `standard_error`.

    Returns
    -------
    array of shape (n,)
        Of weighted mean 0. The error of the statistic is to first order their weighted mean, and
        that of a difference of two statistics of the same rows is that of the differences.
    """
    scores = np.asarray(rows.scores[model], dtype=float)
    found = np.empty(len(rows))
    of_class = (~rows.positive, rows.positive)
    for which, side in zip(of_class, sides_of(influence, table, design), strict=True):
        found[which] = side.function(scores[which]) / side.share + side.shift
    return found


def covariance(
    influences: FloatArray, rows: ScoredRows, *, weights: str = "sampling"
) -> FloatArray:
    """Covariance matrix of statistics of the same rows, by cluster if the rows have groups.

    Parameters
    ----------
    influences : array of shape (k, n)
        From `row_influences`, one row a statistic.
    rows : ScoredRows
        None of weight 0. With groups, rows of one group may depend on each other in any way, and
        groups are independent.
    weights : {"sampling", "counts"}
        As in `standard_error`.

    Returns
    -------
    array of shape (k, k)

    Raises
    ------
    ConditionError
        If there is no such kind of weights, or counts are not whole numbers.
    LabelError
        If a class has one row, or occurs in one group only.

    Notes
    -----
    Obuchowski (1997), Biometrics 53, for clusters: influences are summed over each.
    """
    check_weights_are(weights)
    total = float(len(rows)) if rows.weight is None else float(np.sum(rows.weight))
    if rows.groups is not None:
        weighted = influences if rows.weight is None else influences * rows.weight
        sums = np.stack([np.bincount(rows.groups, one) for one in weighted]) / total
        check_groups(rows.groups, rows.positive)
        count = sums.shape[1]
        return np.asarray(sums @ sums.T * (count / (count - 1)))
    found = np.zeros((len(influences), len(influences)))
    for side in (~rows.positive, rows.positive):
        weight = None if rows.weight is None else rows.weight[side]
        counted = np.count_nonzero(side if weight is None else weight)
        size = class_size(float(counted), weight, weights)
        part = influences[:, side]
        if weight is not None:
            part = part * (np.sqrt(weight) if weights == "counts" else weight)
        part = part / total
        found += np.einsum("in,jn->ij", part, part) * size / (size - 1)
    return found


def counting(rows: ScoredRows) -> ScoredRows:
    """The rows whose weight is not 0: others say nothing, and their clusters are none."""
    if rows.weight is None or np.all(rows.weight > 0):
        return rows
    return rows.take(rows.weight > 0)


def check_design(design: object) -> str:
    """Return the design, or raise `ConditionError` unless there is one of that name."""
    return _one_of("design", design, DESIGNS)


def check_weights_are(weights: object) -> str:
    """Return what weights are, or raise `ConditionError` unless it is known."""
    return _one_of("weights", weights, WEIGHTS)


def _one_of(name: str, value: object, names: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in names:
        raise ConditionError(f"{name} must be {' or '.join(map(repr, names))}, got {brief(value)}.")
    return value


def class_size(rows: float, weight: FloatArray | None, weights: str) -> float:
    """How many rows a class is, or an error if it is too few to show how they vary."""
    size = rows
    if check_weights_are(weights) == "counts" and weight is not None:
        if not np.array_equal(weight, np.floor(weight)):
            raise ConditionError(
                "weights declared counts must be whole numbers: declare them sampling weights."
            )
        size = float(np.sum(weight))
    if size < 2:
        raise LabelError(
            "a standard error needs at least two rows of each class, as one does not show how "
            f"they vary, got {size:g}."
        )
    return size


def check_groups(groups: IndexArray, positive: BoolArray) -> None:
    """Raise `LabelError` if a class occurs in one group only."""
    for side, name in ((~positive, "negative"), (positive, "positive")):
        found = groups[side]
        if np.all(found == found[0]):
            raise LabelError(
                f"every {name} row is of one group, which does not show how groups vary: a "
                "standard error needs at least two."
            )

"""Standard errors of tables from influences: independent rows or fixed classes, weights."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, ScoreFunction
from costspace.errors import ConditionError, LabelError
from costspace.estimates.sampling_design import check_design, check_weights_are
from costspace.influences.influence import Influence, deviation_in, mean_over, sum_over
from costspace.samples.class_sample import ClassSample
from costspace.scores.table import ScoreTable


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
        Of the statistic, on this table; a prevalence override is taken as known.
    design : {"independent", "stratified"}
        Whether the class sizes vary from sample to sample, and the share of positives with them,
        or are fixed.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a sampling probability, or w equal rows.

    Raises
    ------
    ConditionError
        If there is no such design or kind of weights, or counts are not whole numbers.
    LabelError
        If a class has one row, which does not show how the class varies.

    Notes
    -----
    The influences' mean square over each class, over its size minus 1 as in pROC.
    """
    return float(np.sqrt(sum(class_variances(influence, table, design=design, weights=weights))))


def class_variances(
    influence: Influence, table: ScoreTable, *, design: str, weights: str
) -> tuple[float, float]:
    """The parts of negatives and positives in the variance; parameters as in `standard_error`."""
    found = []
    for side in sides_of(influence, table, design):
        size = class_size(side.sample.counted, side.sample.weights, weights)
        found.append(_mean_square(side, weights) * size / (size - 1))
    return found[0], found[1]


@final
@dataclass(frozen=True, eq=False)
class ClassInfluence:
    """A class in a statistic: a row's influence is phi(score) / share + shift."""

    sample: ClassSample
    function: ScoreFunction  # phi
    # The class's share of all weight, and the effect of the class itself.
    share: float
    shift: float


def sides_of(
    influence: Influence, table: ScoreTable, design: str
) -> tuple[ClassInfluence, ClassInfluence]:
    """Both classes in a statistic of a table, negatives first."""
    share = table.positives.total / (table.negatives.total + table.positives.total)
    fixed = check_design(design) == "stratified" or table.override is not None
    slope = 0.0 if fixed else influence.slope
    return (
        ClassInfluence(table.negatives, influence.of_negatives, 1 - share, -slope * share),
        ClassInfluence(table.positives, influence.of_positives, share, slope * (1 - share)),
    )


def _mean_square(side: ClassInfluence, weights: str) -> float:
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


def class_size(rows: float, weight: FloatArray | None, weights: str) -> float:
    """How many rows a class has, or an error if they are too few to show how they vary."""
    size = rows
    if check_weights_are(weights) == "counts" and weight is not None:
        if not np.array_equal(weight, np.floor(weight)):
            raise ConditionError(
                "weights='counts' needs whole numbers as weights: use weights='sampling'."
            )
        size = float(np.sum(weight))
    if size < 2:
        raise LabelError(
            "a standard error needs at least two rows of each class, to show how they vary, got "
            f"{size:g}."
        )
    return size

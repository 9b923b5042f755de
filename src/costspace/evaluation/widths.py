"""The largest width of the bounds in an evaluation."""

from collections.abc import Callable

from costspace.arrays import underflow_to_zero
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.costs import CostDistribution, Uniform
from costspace.errors import ScoreError
from costspace.metrics.bounded import bounds
from costspace.metrics.reported import quantities
from costspace.summaries.counts import ScoreCounts


@underflow_to_zero
def widest_bounds(binned: ScoreCounts, *, costs: CostDistribution = Uniform()) -> float:
    """The largest width of the bounds of all numbers of `evaluate`.

    Parameters
    ----------
    binned : ScoreCounts
        The data by bin.
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.

    Returns
    -------
    float
        Over the metrics and the expected losses of all parameter-free choices on both axes, without
        those that have no meaning for the scores. Not negative, smaller is better; more bins, or
        `adapted` bins, make it smaller.

    Raises
    ------
    ConditionError, SourceError, LabelError, WeightError
        For options out of range, a table that does not fit, labels not of two classes or negative
        weights, in this order.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 1, 0, 1], [0.1, 0.3, 0.4, 0.9]
    >>> binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform())
    >>> cs.evaluation.widest_bounds(binned)
    0.0
    """
    return max(_width(binned, metric) for metric in quantities(PARAMETER_FREE, costs).values())


def _width(binned: ScoreCounts, metric: Callable[..., float]) -> float:
    try:
        return bounds(binned, metric=metric).width
    except ScoreError:
        return 0.0

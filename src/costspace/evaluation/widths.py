"""The largest width of the bounds in an evaluation."""

from collections.abc import Callable
from functools import partial

from costspace.arrays import underflow_to_zero
from costspace.checks import AXES
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.costs import CostDistribution, Uniform
from costspace.errors import ScoreError
from costspace.metrics import METRICS
from costspace.metrics.bounded import Bounds, bounds
from costspace.metrics.expected import expected_loss
from costspace.scores.counts import ScoreCounts


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
    asked = [*METRICS.values()]
    asked += [
        partial(expected_loss, choice=choice, costs=costs, axis=axis)
        for choice in PARAMETER_FREE.values()
        for axis in AXES
    ]
    return max(_width(partial(bounds, binned, metric=metric)) for metric in asked)


def _width(found: Callable[[], Bounds]) -> float:
    try:
        return found().width
    except ScoreError:
        return 0.0

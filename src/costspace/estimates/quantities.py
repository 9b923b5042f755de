"""The quantities that compare two samples: metrics, losses, prevalence and mean calibration."""

import numpy as np

from costspace.choices.score_functions import ShareOfRangeBelow
from costspace.costs import CostDistribution
from costspace.errors import ConditionError, brief
from costspace.estimates.named import LOSSES, statistic_named
from costspace.influences.influence import Influence
from costspace.influences.statistic import Statistic
from costspace.metrics import METRICS
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable

PREVALENCE = "prevalence"
LARGE = "calibration_in_the_large"
# The default of drift: the two above, every metric, and every expected loss.
QUANTITIES = (PREVALENCE, LARGE, *METRICS, *LOSSES)


# The score itself, if it is a probability; its mean over a bin is known.
_SCORE = ShareOfRangeBelow(0.0, 1.0)


def statistic_of_quantity(name: str, costs: CostDistribution) -> Statistic:
    """The statistic of a quantity by name, with expected losses under these costs."""
    if name == PREVALENCE:
        return Statistic(PREVALENCE, lambda source: source.prevalence, _of_prevalence)
    if name == LARGE:
        return Statistic(LARGE, _excess, _of_excess, (-1.0, 1.0))
    try:
        return statistic_named(name, costs)
    except ConditionError:
        raise ConditionError(
            f"there is no quantity {brief(name)}: name {PREVALENCE}, {LARGE}, a metric that "
            "evaluate gives, such as brier, or an expected loss such as expected_loss.cost.optimal."
        ) from None


def _of_prevalence(_: ScoreTable) -> Influence:
    return Influence(np.zeros_like, np.zeros_like, 1.0)


def _excess(source: ScoreSource) -> float:
    """The mean score minus the prevalence."""
    source.check_probabilities("calibration in the large")
    negatives, positives = source.class_means(_SCORE, _SCORE)
    p = source.prevalence
    return (1 - p) * negatives + p * (positives - 1)


def _of_excess(table: ScoreTable) -> Influence:
    negatives, positives = table.class_means(_SCORE, _SCORE)
    p = table.prevalence
    return Influence(
        lambda scores: (1 - p) * (scores - negatives),
        lambda scores: p * (scores - positives),
        positives - negatives - 1,
    )

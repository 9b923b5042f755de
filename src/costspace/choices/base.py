"""What a threshold choice method is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath
from costspace.scores.base import ScoreSource


@final
@dataclass(frozen=True, eq=False)
class Exposure:
    """What one example risks under a choice, over a distribution of conditions C.

    Attributes
    ----------
    as_negative : array, in [0, 1]
        E[C; flagged]: half its loss, per class share, if it is a negative.
    as_positive : array, in [0, 1]
        E[1 - C; not flagged]: the same if it is a positive.
    """

    as_negative: FloatArray
    as_positive: FloatArray


class ThresholdChoice(ABC):
    """A rule that picks the threshold for an operating condition.

    Applied to a score source it is a path through ROC space parameterised by the condition.
    The same rule seen from an example is the share of conditions at which it is flagged. A
    choice says both, `path` and `exposure`; `tests/laws` holds them together.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 2.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> for choice in (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()):
    ...     print(round(choice.expected_loss(table, cs.Uniform()), 4))
    0.185
    0.2083
    0.125
    """

    @abstractmethod
    def path(self, source: ScoreSource) -> OperatingPath:
        """The operating point at every condition, on the cost axis of the source.

        With classes balanced, ``source.with_prevalence(0.5)``, that is the skew axis.
        """

    @abstractmethod
    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        """What an example of each of `scores` risks when the source's examples set the path."""

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions, on the cost axis of the source.

        A choice that knows a shorter way than integrating its curve takes it.
        """
        return self.path(source).expected_loss(costs)


def exposure_at_share(flagged: FloatArray, costs: CostDistribution) -> Exposure:
    """Exposure of examples flagged with a probability that no condition changes."""
    mean = costs.mean()
    return Exposure(flagged * mean, (1 - flagged) * (1 - mean))


def exposure_up_to(condition: FloatArray, costs: CostDistribution) -> Exposure:
    """Exposure of examples flagged at every condition below `condition`, and at no other."""
    return Exposure(costs.below(condition, 1), costs.complement_from(condition))


def exposure_between(low: FloatArray, high: FloatArray, costs: CostDistribution) -> Exposure:
    """Exposure of examples flagged below `low`, not from `high`, and by chance in between.

    In between the probability falls linearly from 1 to 0.
    """
    m0, m1, m2 = (costs.below(high, k) - costs.below(low, k) for k in (0, 1, 2))
    width = high - low
    per_width = np.divide(1, width, out=np.zeros_like(width), where=width > 0)
    flagged = (high * m1 - m2) * per_width
    missed = ((1 + low) * m1 - m2 - low * m0) * per_width
    # What rounding leaves of a difference of moments may be below zero.
    return Exposure(
        costs.below(low, 1) + np.maximum(flagged, 0),
        costs.complement_from(high) + np.maximum(missed, 0),
    )

"""The best threshold for each condition, chosen on the sample it is applied to."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.base import ThresholdChoice
from costspace.choices.flagging import SwitchedFlagging
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.curve import OperatingPath, SmoothPath
from costspace.scores.base import ScoreSource
from costspace.scores.look_ups import Switch


@final
@dataclass(frozen=True)
class Optimal(ThresholdChoice):
    """The threshold of least loss at each condition; at a tie the one that flags fewer.

    The path jumps from corner to corner of the ROC convex hull, and the loss curve is the lower
    envelope of all cost lines. Its expected loss under uniform costs is the refinement loss over
    the hull. It is optimistic: on another sample the same thresholds lose more.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65; Hernandez-Orallo, Flach, Ferri (2012),
    arXiv:1112.2640, Corollary 15.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=Optimal())
    0.125
    """

    name = "optimal"
    meaning = "is learnt from labelled rows"
    sees = frozenset({"costs", "prevalence"})
    through_skew = True
    least_loss = True
    by_rank = True
    monotone = "loss"

    def path(self, source: ScoreSource) -> OperatingPath | SmoothPath:
        return source.by_skew.path(source.prevalence, _SkewOfCost(source.prevalence))

    def flagging(self, source: ScoreSource, scores: FloatArray) -> SwitchedFlagging:
        switch = np.asarray(
            cost_from_skew(source.skew_at_score(scores), prevalence=source.prevalence)
        )
        return SwitchedFlagging(switch)


@final
@dataclass(frozen=True)
class _SkewOfCost(Switch):
    """The skew of a cost proportion at a prevalence."""

    prevalence: float

    def __call__(self, x: FloatArray) -> FloatArray:
        return np.asarray(cost_from_skew(x, prevalence=self.prevalence))

    def inverse(self, c: FloatArray) -> FloatArray:
        return np.asarray(skew_from_cost(c, prevalence=self.prevalence))

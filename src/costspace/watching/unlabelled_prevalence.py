"""A prevalence that was estimated without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.deployment.amounts import Drawn
from costspace.estimates.interval import normal_quantile
from costspace.notebook import OneRow
from costspace.special import ndtri

# What an estimate assumes, by the name of its method.
LABEL_SHIFT, MOMENTS, CALIBRATION = "label_shift", "moments", "calibration"
ASSUMED = {
    LABEL_SHIFT: "scores within a class are as they were",
    MOMENTS: "scores within a class are as they were",
    CALIBRATION: "the probability at a score is as it was",
}
# As many values of the same probability stand for a prevalence that is not known exactly.
_VALUES = 10


@final
@dataclass(frozen=True)
class UnlabelledPrevalence(OneRow):
    """The prevalence of rows without labels, under an assumption.

    Attributes
    ----------
    method : {"label_shift", "moments", "calibration"}
        How it was estimated: the largest likelihood if scores within a class have not moved; the
        mean rank of the scores, if so; the mean of calibrated scores, if the probability at a score
        has not moved.
    estimate : float in [0, 1]
    standard_error : float
        With the errors of both samples.
    low, high : float in [0, 1]
        The ends of its interval.
    level : float in (0, 1)
        Confidence level of the interval.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> found = cs.watching.drift_unlabelled(before, s[s > 0.3]).label_shift
    >>> round(found.estimate, 2), cs.Deployment(1, 5, found.prevalence).mean_prevalence < 1
    (0.5, True)
    """

    method: str
    estimate: float
    standard_error: float
    low: float
    high: float
    level: float

    @property
    def prevalence(self) -> Drawn:
        """Ten values of the same probability, for wherever a prevalence may stand.

        They lie as an error does that is normal on either side of the estimate. `ConditionError`
        where that says so little, or the estimate is so near 0 or 1, that a value is no prevalence.
        """
        z = np.asarray(ndtri((np.arange(_VALUES) + 0.5) / _VALUES)) / normal_quantile(self.level)
        sides = np.where(z < 0, self.estimate - self.low, self.high - self.estimate)
        return Drawn(self.estimate + z * sides)

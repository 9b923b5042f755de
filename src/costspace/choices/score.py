"""Thresholds set on the score: fixed, spread over a range, or driven by the condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Floats
from costspace.checks import check_number, check_prevalence, check_range
from costspace.choices.base import NOTHING, Follows, Seen, ThresholdChoice
from costspace.choices.flagging import ConstantFlagging, SwitchedFlagging
from costspace.choices.score_functions import (
    ExposureAsNegative,
    ExposureAsPositive,
    PriorShift,
    ShareOfRangeBelow,
    ShareOfRangeFrom,
)
from costspace.condition import cost_from_skew, skew_from_cost, without_rounding
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, SmoothPath
from costspace.influences.influence import Deviation, Steps
from costspace.influences.losses import kept_risk, most_at_risk, risk_of_share
from costspace.samples.scale import off_scale, threshold_off_scale
from costspace.scores.base import ScoreSource, as_probabilities
from costspace.scores.table import ScoreTable

# A range twice as wide is still finite.
_LARGEST_BOUND = 8e307


@final
@dataclass(frozen=True)
class ScoreFixed(ThresholdChoice):
    """Use one threshold at every condition.

    Its expected loss under uniform costs is the error rate at the threshold.

    Parameters
    ----------
    threshold : float
        On the scale of the scores, which may be any; -inf and inf are thresholds too.

    Raises
    ------
    ConditionError
        If the threshold is not a number.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 3.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=ScoreFixed(0.5))
    0.5
    """

    threshold: float = 0.5
    through_skew = True
    sees = NOTHING
    follows = "nothing"
    monotone = "rates"

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", check_number("threshold", self.threshold))

    @property
    def meaning(self) -> str:
        return f"is {self.threshold:g} unless limits move it"

    def misfit(self, source: ScoreSource) -> str:
        return threshold_off_scale(self.threshold, *source.score_range)

    def path(self, source: ScoreSource) -> OperatingPath:
        point = source.by_score.at(self.threshold)
        return OperatingPath.constant(point.fpr, point.fnr, source.prevalence)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> ConstantFlagging:
        return ConstantFlagging((scores > self.threshold).astype(float))

    def threshold_at(self, cost_proportion: Floats, prevalence: Floats) -> FloatArray:
        return np.full(np.shape(cost_proportion), self.threshold)

    def risks(self, table: ScoreTable, costs: CostDistribution) -> tuple[Deviation, Deviation]:
        flagged, missed = most_at_risk(costs)
        point, at = table.by_score.at(self.threshold), np.array([self.threshold])
        return (
            risk_of_share(Steps(at, np.array([0.0, 1.0])), float(point.fpr)).times(flagged),
            risk_of_share(Steps(at, np.array([1.0, 0.0])), float(point.fnr)).times(missed),
        )


@final
@dataclass(frozen=True)
class ScoreUniform(ThresholdChoice):
    """Use a threshold drawn uniformly from [low, high].

    Its expected loss under uniform costs and thresholds on [0, 1] is the mean absolute error.

    Parameters
    ----------
    low, high : float
        On the scale of the scores, low < high; from -8e307 to 8e307, so that the width of the
        range is a float.

    Raises
    ------
    ConditionError
        If not low < high, or one is beyond 8e307.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 4.

    Examples
    --------
    >>> import costspace as cs
    >>> round(cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=ScoreUniform()), 12)
    0.35
    """

    low: float = 0.0
    high: float = 1.0
    through_skew = True
    sees = NOTHING
    follows = "nothing"
    monotone = "rates"

    def __post_init__(self) -> None:
        # First, so that NaN is refused as not a number, not as out of bounds.
        bounds = check_number("low", self.low), check_number("high", self.high)
        low, high = check_range(*bounds, inside=(-_LARGEST_BOUND, _LARGEST_BOUND))
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def misfit(self, source: ScoreSource) -> str:
        if not 0 <= self.low < self.high <= 1:
            return ""
        range_ = f"a threshold from {self.low:g} to {self.high:g}"
        return off_scale(range_, *source.score_range)

    def path(self, source: ScoreSource) -> OperatingPath:
        flagged = ShareOfRangeBelow(self.low, self.high)
        missed = ShareOfRangeFrom(self.low, self.high)
        fpr, fnr = source.class_means(flagged, missed)
        return OperatingPath.constant(fpr, fnr, source.prevalence)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> ConstantFlagging:
        return ConstantFlagging(ShareOfRangeBelow(self.low, self.high)(scores))

    def drawn(self, source: ScoreSource, scores: FloatArray) -> SwitchedFlagging:
        # A score is flagged up to the share of the range of thresholds below it.
        return SwitchedFlagging(ShareOfRangeBelow(self.low, self.high)(scores))

    def risks(self, table: ScoreTable, costs: CostDistribution) -> tuple[Deviation, Deviation]:
        flagged, missed = most_at_risk(costs)
        below, above = ShareOfRangeBelow(self.low, self.high), ShareOfRangeFrom(self.low, self.high)
        return (
            kept_risk(table.negatives, below, 1.0).times(flagged),
            kept_risk(table.positives, above, 1.0).times(missed),
        )


@final
@dataclass(frozen=True)
class ScoreDriven(ThresholdChoice):
    """Use the condition as the threshold, T(c) = c: takes scores as probabilities.

    Its expected loss under uniform costs is the Brier score.

    Parameters
    ----------
    calibrated_to : float in (0, 1), optional
        The prevalence that the scores are calibrated to. None is the papers' rule, T(c) = c on
        the cost axis and T(z) = z on the skew axis. A prevalence corrects the threshold for the
        one at deployment: T = z pi1 / (z pi1 + (1 - z) pi0) with z the skew of the condition,
        and pi1 = `calibrated_to`.

    Raises
    ------
    ConditionError
        If `calibrated_to` is not inside (0, 1).
    ScoreError
        When applied, if a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, and (2012), arXiv:1112.2640, Theorem 6.

    Examples
    --------
    >>> import costspace as cs
    >>> round(cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=ScoreDriven()), 12)
    0.185
    """

    calibrated_to: float | None = None
    on_probabilities = True
    monotone = "rates"

    def __post_init__(self) -> None:
        if self.calibrated_to is not None:
            prevalence = check_prevalence(self.calibrated_to, "calibrated_to")
            object.__setattr__(self, "calibrated_to", prevalence)

    @property
    def name(self) -> str:
        return "score-driven" if self.calibrated_to is None else str(self)

    @property
    def meaning(self) -> str:
        as_they_are = " as they are" if self.calibrated_to is None else ""
        return f"takes scores as probabilities{as_they_are}"

    @property
    def through_skew(self) -> bool:
        return self.calibrated_to is not None

    @property
    def sees(self) -> Seen:
        corrected = self.calibrated_to is not None
        return frozenset({"costs", "prevalence"} if corrected else {"costs"})

    @property
    def follows(self) -> Follows:
        return "nothing" if self.calibrated_to is None else "prevalence"

    def path(self, source: ScoreSource) -> OperatingPath | SmoothPath:
        source.check_probabilities("the score-driven choice")
        return source.by_score.path(source.prevalence, self.switch(source))

    def flagging(self, source: ScoreSource, scores: FloatArray) -> SwitchedFlagging:
        source.check_probabilities("the score-driven choice")
        scores = as_probabilities("the score-driven choice", scores)
        switch = self.switch(source)(scores)
        return SwitchedFlagging(switch)

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        source.check_probabilities("the score-driven choice")
        switch = self.switch(source)
        as_negative, as_positive = source.class_means(
            ExposureAsNegative(switch, costs), ExposureAsPositive(switch, costs)
        )
        p = source.prevalence
        return 2 * ((1 - p) * as_negative + p * as_positive)

    def risks(self, table: ScoreTable, costs: CostDistribution) -> tuple[Deviation, Deviation]:
        table.check_probabilities("the score-driven choice")
        flagged, missed = most_at_risk(costs)
        switch = self.switch(table)
        return (
            kept_risk(table.negatives, ExposureAsNegative(switch, costs), flagged),
            kept_risk(table.positives, ExposureAsPositive(switch, costs), missed),
        )

    def calibrated(self, prevalence: float) -> "ScoreDriven":
        return ScoreDriven(prevalence) if self.calibrated_to is None else self

    def threshold_at(self, cost_proportion: Floats, prevalence: Floats) -> FloatArray:
        own = self.calibrated_to
        if own is None:
            return np.asarray(cost_proportion, dtype=float)
        # If the prevalences are equal, keep the condition.
        moved = np.asarray(
            cost_from_skew(skew_from_cost(cost_proportion, prevalence=prevalence), prevalence=own)
        )
        return np.where(np.equal(prevalence, own), cost_proportion, without_rounding(moved))

    @property
    def formula(self) -> Mapping[str, float | str | None]:
        return {"name": "score_driven", "calibrated_to": self.calibrated_to}

    def switch(self, source: ScoreSource) -> PriorShift:
        """The condition up to which each score is flagged."""
        if self.calibrated_to is None:
            return PriorShift(None)
        smooth = source.by_score.between == "smooth"
        return PriorShift((self.calibrated_to, source.prevalence), smooth)

"""What a decision is about: rows, what is known of deployment, and what rules must keep to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.choices import ThresholdChoice
from costspace.choices.doubts import doubts_of
from costspace.condition import cost_from_skew
from costspace.decision.constrained import binds
from costspace.decision.constraints import Constraints
from costspace.decision.costed import CostedScores
from costspace.decision.holdout import HeldOut, HeldOutScores
from costspace.deployment.conditions import Band, JointConditions
from costspace.scores.rows import ScoredRows

# Where constraints bind a rule keeps to them throughout its band of prevalence, so that narrower
# bands cost less and are more to read.
BANDS = 5


@final
@dataclass(frozen=True, eq=False)
class Task(FrozenValue):
    """Models on labelled rows, what is known of deployment, and what rules must keep to.

    Attributes
    ----------
    rows : ScoredRows
    models : mapping of str to CostedScores
    held_out : HeldOut
        Which rows choose thresholds, and which those are applied to.
    choices : mapping of str to ThresholdChoice
        The choices to compare, by name.
    calibrated_to : float
        The prevalence that scores are taken to be calibrated to.
    conditions : JointConditions
    constraints : Constraints
    randomise : bool
        Whether a rule may draw between two thresholds.
    most_bands : int
        How many bands of prevalence rules may be chosen for where constraints bind.
    """

    rows: ScoredRows
    models: Mapping[str, CostedScores]
    held_out: HeldOut
    choices: Mapping[str, ThresholdChoice]
    calibrated_to: float
    conditions: JointConditions
    constraints: Constraints
    randomise: bool
    most_bands: int = BANDS

    @cached_property
    def limits(self) -> Constraints:
        """The constraints, if they leave out anything."""
        span = self.conditions.prevalence_range
        if any(binds(self.constraints, scores, span) for scores in self.models.values()):
            return self.constraints
        return Constraints()

    @cached_property
    def doubts(self) -> dict[str, dict[str, str]]:
        """What scores look like if not like a model's, by model and by what that concerns."""
        return {name: doubts_of(scores.rows) for name, scores in self.models.items()}

    @property
    def whole(self) -> Band:
        """All conditions."""
        return Band(self.conditions, 1.0)

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """The whole range of prevalence; cut into bands where constraints bind."""
        span = self.conditions.prevalence_range
        if not self.limits or span.low == span.high:
            return (self.whole,)
        return tuple(self.conditions.bands(self.most_bands))

    @property
    def sole_condition(self) -> float | None:
        """The one condition, on the axis of the one band, if there is but one."""
        skews = self.conditions.skew_range
        if len(self.bands) > 1 or skews.low != skews.high:
            return None
        return float(cost_from_skew(skews.low, self.bands[0].axis))

    @cached_property
    def held_out_scores(self) -> dict[str, HeldOutScores]:
        """The scores of each model in their splits."""
        return {name: self.held_out.of(name) for name in self.models}

"""Everything that a decision rests on, and the rules that choices make of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.choices import Fitted, ScoreDriven, ScoreFixed, ThresholdChoice
from costspace.decision.candidates import method_choices
from costspace.decision.constrained import binds
from costspace.decision.constraints import Constraints
from costspace.decision.costed import CostedScores
from costspace.decision.feasible import feasible_path
from costspace.decision.holdout import Carried, HeldOut, HeldOutScores
from costspace.decision.rule import ThresholdPath
from costspace.decision.thresholds import thresholds_of
from costspace.deployment.conditions import Band, JointConditions
from costspace.scores.rows import ScoredRows

# How many bands of prevalence a table has where constraints bind: each row's rule keeps them
# throughout its band, so narrower bands cost less and are more to read.
BANDS = 5


@final
@dataclass(frozen=True, eq=False)
class Problem(FrozenValue):
    """Models, what is known of deployment, and what rules must keep to.

    Attributes
    ----------
    rows : ScoredRows
        The predictions.
    models : mapping of str to CostedScores
    held_out : HeldOut
        Which rows choose thresholds, and which those are applied to.
    calibrated_to : float
        The prevalence that scores are taken to be calibrated to.
    conditions : JointConditions
    constraints : Constraints
    randomise : bool
        Whether a rule may draw between two thresholds.
    """

    rows: ScoredRows
    models: Mapping[str, CostedScores]
    held_out: HeldOut
    calibrated_to: float
    conditions: JointConditions
    constraints: Constraints
    randomise: bool

    @property
    def choices(self) -> dict[str, ThresholdChoice]:
        """Every method by its name."""
        return method_choices(self.calibrated_to)

    @cached_property
    def limits(self) -> Constraints:
        """The constraints, if they leave out anything."""
        span = self.conditions.prevalence_range
        if any(binds(self.constraints, scores, span) for scores in self.models.values()):
            return self.constraints
        return Constraints()

    @property
    def whole(self) -> Band:
        """All conditions."""
        return Band(self.conditions, 1.0)

    def bands(self) -> list[Band]:
        """The whole range of prevalence; cut into bands where constraints bind."""
        span = self.conditions.prevalence_range
        if not self.limits or span.low == span.high:
            return [self.whole]
        return self.conditions.bands(BANDS)

    def rules(self, model: str, choice: ThresholdChoice, band: Band) -> ThresholdPath | ScoreDriven:
        """The rule at each condition that a choice makes of a model, within the constraints.

        It raises `InfeasibleError` if there is none.
        """
        if isinstance(choice, ScoreDriven) and not self.limits:
            # Its threshold follows the condition between the scores too.
            return choice
        at = self.models[model].with_prevalence(band.axis)
        if self.limits:
            return self._constrained(choice, at, band)
        return thresholds_of(choice, at.looked_at(choice))

    @cached_property
    def held_out_scores(self) -> dict[str, HeldOutScores]:
        """The scores of each model in their splits."""
        return {name: self.held_out.of(name) for name in self.models}

    def carried_rules(self, model: str, choice: ThresholdChoice, band: Band) -> tuple[Carried, ...]:
        """A model's rules for the rows held out in each split, chosen on its other rows.

        It raises `InfeasibleError` if in one split no rule is within the constraints.
        """
        trains = [
            split.train.with_prevalence(band.axis) for split in self.held_out_scores[model].splits
        ]
        if self.limits:
            return tuple(self._constrained(choice, train, band) for train in trains)
        return tuple(Fitted(choice, train.looked_at(choice)) for train in trains)

    def _constrained(
        self, choice: ThresholdChoice, scores: CostedScores, band: Band
    ) -> ThresholdPath:
        ends = band.ends
        if isinstance(choice, ScoreFixed):
            # Committed to, and so the same in every band.
            ends = self.whole.ends
            scores = scores.with_prevalence(self.conditions.mean_prevalence)
        return feasible_path(choice, scores, self.limits, ends, randomise=self.randomise)

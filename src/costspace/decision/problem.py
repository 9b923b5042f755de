"""Everything that a decision rests on, and the rules that are in question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.choices import Fitted, ScoreDriven, ScoreFixed, ThresholdChoice
from costspace.curve import OperatingPath, PiecewiseQuadratic, lower_envelope
from costspace.decision.candidates import Candidate, candidates, method_choices, trivial_path
from costspace.decision.holdout import Carried, HeldOut, HeldOutScores
from costspace.decision.money import binds, money_on_axis
from costspace.deployment.conditions import BALANCED, Band, JointConditions
from costspace.errors import InfeasibleError
from costspace.rules.constraints import Constraints
from costspace.rules.costed import CostedScores
from costspace.rules.feasible import constrained_path, threshold_path
from costspace.rules.rule import ThresholdPath
from costspace.scores.rows import ScoredRows

# How many bands of prevalence a table has where constraints bind: each row's rule keeps them
# throughout its band, so narrower bands cost less and are more to read.
BANDS = 5


@final
@dataclass(frozen=True, eq=False)
class Problem:
    """Models, what is known of deployment, and what rules must keep to.

    Attributes
    ----------
    rows : ScoredRows
        The predictions.
    models : mapping of str to CostedScores
    held_out : HeldOut
        The same rows, in parts that choose thresholds and parts they are applied to.
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
        return threshold_path(choice, at.looked_at(choice))

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
        return constrained_path(choice, scores, self.limits, ends, randomise=self.randomise)


@final
@dataclass(frozen=True, eq=False)
class Contest:
    """The candidates in a band of prevalence, on one axis.

    Attributes
    ----------
    band : Band
    rules : mapping of Candidate to ThresholdPath or ScoreDriven
        What each does at each condition, chosen on all rows.
    carried : mapping of Candidate to tuple of Fitted or ThresholdPath
        The same chosen in each split, on rows other than those held out there.
    paths : mapping of Candidate to OperatingPath
        How those do where it matters: on the rows held out.
    infeasible : mapping of Candidate to str
        Why others cannot keep to the constraints.
    """

    band: Band
    rules: Mapping[Candidate, ThresholdPath | ScoreDriven]
    carried: Mapping[Candidate, tuple[Carried, ...]]
    paths: Mapping[Candidate, OperatingPath]
    infeasible: Mapping[Candidate, str]

    @cached_property
    def losses(self) -> Mapping[Candidate, PiecewiseQuadratic]:
        """The loss of each along its path."""
        return {candidate: path.loss() for candidate, path in self.paths.items()}

    @property
    def reason(self) -> str:
        """How near the best thresholds of the first model come to the constraints."""
        model, why = next(
            (candidate.model, why)
            for candidate, why in self.infeasible.items()
            if candidate.method == "optimal"
        )
        return f"with {model}, {why}"


def contest(problem: Problem, band: Band) -> Contest:
    """Let the candidates of a problem choose their rules in a band of prevalence."""
    rules: dict[Candidate, ThresholdPath | ScoreDriven] = {}
    carried: dict[Candidate, tuple[Carried, ...]] = {}
    paths: dict[Candidate, OperatingPath] = {}
    infeasible: dict[Candidate, str] = {}
    by_skew = band.axis == BALANCED and band.ends[0] != band.ends[1]
    choices = problem.choices
    if band.ends == (problem.calibrated_to, problem.calibrated_to):
        # There is nothing to correct.
        del choices["score_driven_uncorrected"]
    for candidate, choice in candidates(problem.models, choices, by_skew=by_skew).items():
        try:
            if candidate.model is None or choice is None:
                paths[candidate] = _trivial(candidate, problem.limits, band)
            else:
                rules[candidate] = problem.rules(candidate.model, choice, band)
                carried[candidate] = problem.carried_rules(candidate.model, choice, band)
                held_out = problem.held_out_scores[candidate.model]
                paths[candidate] = held_out.carried_path(carried[candidate], band.axis)
        except InfeasibleError as error:
            rules.pop(candidate, None)
            infeasible[candidate] = str(error)
    return Contest(band, rules, carried, paths, infeasible)


def _trivial(candidate: Candidate, constraints: Constraints, band: Band) -> OperatingPath:
    path = trivial_path(candidate, band.axis)
    if not all(constraints.holds(path.start, end).all() for end in band.ends):
        raise InfeasibleError(f"{candidate} breaks a constraint: {constraints}.")
    return path


def hybrid_money(contests: Sequence[Contest]) -> float | None:
    """Money per 1,000 cases of the best candidate at each condition; None if there is none."""
    total = 0.0
    for each in contests:
        if not each.paths:
            return None
        curve = lower_envelope(list(each.losses.values())).curve
        total += each.band.share * money_on_axis(curve.expectation, each.band.conditions)
    return total

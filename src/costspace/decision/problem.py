"""Everything that a decision rests on, and the rules that are in question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from costspace.choices import Optimal, ScoreDriven, ThresholdChoice
from costspace.curve import OperatingPath
from costspace.decision.candidates import Candidate, candidates, method_choices, trivial_path
from costspace.decision.conditions import BALANCED, Band, JointConditions
from costspace.decision.constraints import Constraints
from costspace.decision.costed import CostedScores
from costspace.decision.feasible import constrained_path, threshold_path
from costspace.decision.holdout import Chosen, HeldOutScores, fitted
from costspace.decision.rules import ThresholdPath
from costspace.errors import InfeasibleError
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
    held_out : mapping of str to HeldOutScores
        The same models, in parts that choose thresholds and parts they are applied to.
    calibrated_to : float
        The prevalence that scores are taken to be calibrated to.
    conditions : JointConditions
    constraints : Constraints
    randomise : bool
        Whether a rule may draw between two thresholds.
    """

    rows: ScoredRows
    models: Mapping[str, CostedScores]
    held_out: Mapping[str, HeldOutScores]
    calibrated_to: float
    conditions: JointConditions
    constraints: Constraints
    randomise: bool

    @property
    def choices(self) -> dict[str, ThresholdChoice]:
        """Every method by its name."""
        return method_choices(self.calibrated_to)

    def bands(self) -> list[Band]:
        """The whole range of prevalence; cut into bands where constraints may bind."""
        span = self.conditions.prevalence_range
        if not self.constraints or span.low == span.high:
            return [Band(self.conditions, 1.0)]
        return self.conditions.bands(BANDS)

    def rules(self, model: str, choice: ThresholdChoice, band: Band) -> ThresholdPath | ScoreDriven:
        """The rule at each condition that a choice makes of a model, within the constraints.

        It raises `InfeasibleError` if there is none.
        """
        if isinstance(choice, ScoreDriven) and not self.constraints:
            # Its threshold follows the condition between the scores too.
            return choice
        at = self.models[model].with_prevalence(band.axis)
        if self.constraints:
            return self._constrained(choice, at, band)
        return threshold_path(choice, at.costs if isinstance(choice, Optimal) else at.rows)

    def held_out_path(self, model: str, choice: ThresholdChoice, band: Band) -> OperatingPath:
        """The path, on held-out rows, of a model's thresholds chosen on other rows.

        It raises `InfeasibleError` if in one part no rule is within the constraints.
        """
        return self.held_out[model].path(self._chosen(choice, band), band.axis)

    def _chosen(self, choice: ThresholdChoice, band: Band) -> Chosen:
        if not self.constraints:
            return fitted(choice)
        return lambda train, test: self._constrained(choice, train, band).on(test.costs)

    def _constrained(
        self, choice: ThresholdChoice, scores: CostedScores, band: Band
    ) -> ThresholdPath:
        return constrained_path(
            choice, scores, self.constraints, band.ends, randomise=self.randomise
        )


@final
@dataclass(frozen=True, eq=False)
class Contest:
    """The candidates in a band of prevalence, on one axis.

    Attributes
    ----------
    band : Band
    rules : mapping of Candidate to ThresholdPath or ScoreDriven
        What each does at each condition, chosen on all rows.
    paths : mapping of Candidate to OperatingPath
        How each does where it matters: on rows that its thresholds were not chosen on.
    infeasible : mapping of Candidate to str
        Why others cannot keep to the constraints.
    """

    band: Band
    rules: Mapping[Candidate, ThresholdPath | ScoreDriven]
    paths: Mapping[Candidate, OperatingPath]
    infeasible: Mapping[Candidate, str]


def contest(problem: Problem, band: Band) -> Contest:
    """Let the candidates of a problem choose their rules in a band of prevalence."""
    rules: dict[Candidate, ThresholdPath | ScoreDriven] = {}
    paths: dict[Candidate, OperatingPath] = {}
    infeasible: dict[Candidate, str] = {}
    by_skew = band.axis == BALANCED and band.ends[0] != band.ends[1]
    for candidate, choice in candidates(problem.models, problem.choices, by_skew=by_skew).items():
        try:
            if candidate.model is None or choice is None:
                paths[candidate] = _trivial(candidate, problem.constraints, band)
            else:
                rules[candidate] = problem.rules(candidate.model, choice, band)
                paths[candidate] = problem.held_out_path(candidate.model, choice, band)
        except InfeasibleError as error:
            rules.pop(candidate, None)
            infeasible[candidate] = str(error)
    return Contest(band, rules, paths, infeasible)


def _trivial(candidate: Candidate, constraints: Constraints, band: Band) -> OperatingPath:
    path = trivial_path(candidate, band.axis)
    if not all(constraints.holds(path.start, end).all() for end in band.ends):
        raise InfeasibleError(f"{candidate} breaks a constraint: {constraints}.")
    return path

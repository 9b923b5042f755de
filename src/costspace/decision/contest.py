"""Who loses least in each band of prevalence, on rows held out, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FrozenValue
from costspace.choices import ScoreDriven
from costspace.comparison.dominating import Dominance, dominance
from costspace.condition import skew_from_cost
from costspace.curve import OperatingPath, OperatingPoints, PiecewiseQuadratic, lower_envelope
from costspace.decision.candidates import Candidate, candidates, path_of_trivial
from costspace.decision.holdout import Carried
from costspace.decision.losses import Losses
from costspace.decision.problem import Problem
from costspace.decision.regret import Regrets, regrets_in_bands, regrets_of
from costspace.decision.table import DecisionTable, table_along
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import Band
from costspace.errors import InfeasibleError
from costspace.rules.constraints import Constraints
from costspace.rules.rule import ThresholdPath

# The short table keeps to a model while its loss is within this share of the least.
_NEARLY_BEST = 0.01


@final
@dataclass(frozen=True, eq=False)
class Contest(FrozenValue):
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
    def losses(self) -> Losses[Candidate]:
        """The losses along the paths; there must be some."""
        return Losses.along(self.paths)

    @property
    def reason(self) -> str:
        """How near the best thresholds of the first model come to the constraints."""
        model, why = next(
            (candidate.model, why)
            for candidate, why in self.infeasible.items()
            if candidate.method == "optimal"
        )
        return f"with {model}, {why}"

    def table(self, *, within: float = 0.0) -> DecisionTable:
        """Which candidate to use where in the band."""
        return table_along(
            self.losses,
            self.rules,
            self.band.conditions.skew_range,
            prevalences=None if self.band.share == 1 else Range(*self.band.ends),
            within=within,
        )


def contest(problem: Problem, band: Band) -> Contest:
    """Let the candidates of a problem choose their rules in a band of prevalence."""
    rules: dict[Candidate, ThresholdPath | ScoreDriven] = {}
    carried: dict[Candidate, tuple[Carried, ...]] = {}
    paths: dict[Candidate, OperatingPath] = {}
    infeasible: dict[Candidate, str] = {}
    low, high = band.ends
    choices = problem.choices
    if low == high == problem.calibrated_to:
        # There is nothing to correct.
        del choices["score_driven_uncorrected"]
    for candidate, choice in candidates(problem.models, choices, by_skew=low != high).items():
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
    path = path_of_trivial(candidate, band.axis)
    if not all(constraints.holds(path.start, end).all() for end in band.ends):
        raise InfeasibleError(f"{candidate} breaks a constraint: {constraints}.")
    return path


def hybrid_money(contests: Sequence[Contest]) -> float | None:
    """Money per 1,000 cases of the best candidate at each condition; None if there is none."""
    total = 0.0
    for each in contests:
        if not each.paths:
            return None
        lowest = each.losses.lowest.curve
        total += each.band.share * each.band.money(lowest.expectation)
    return total


def joined_table(contests: Sequence[Contest], *, within: float = 0.0) -> DecisionTable | None:
    """The tables of the bands in which something is feasible, as one."""
    tables = [each.table(within=within) for each in contests if each.paths]
    return DecisionTable.joined(tables) if tables else None


def short_table(problem: Problem, contests: Sequence[Contest]) -> DecisionTable | None:
    """The same with fewer rows, and without bands if they save next to nothing."""
    if len(contests) > 1:
        whole = [contest(problem, problem.whole)]
        one, many = hybrid_money(whole), hybrid_money(contests)
        if one is not None and many is not None and one - many <= _NEARLY_BEST * abs(many):
            contests = whole
    return joined_table(contests, within=_NEARLY_BEST)


def dominance_of(contests: Sequence[Contest]) -> Dominance | None:
    """The dominance of models on the skew axis, each by its best method at each condition."""
    first, *others = contests
    models = dict.fromkeys(c.model for c in first.paths if c.model is not None)
    if others or not models:
        return None
    losses = first.losses.curves.items()
    curves = {
        model: lower_envelope([curve for c, curve in losses if c.model == model]).curve
        for model in models
    }
    found = dominance(curves)
    skews = np.asarray(skew_from_cost(found.breaks, first.band.axis))
    return Dominance(skews, found.best, found.names)


def losses_of(contests: Sequence[Contest]) -> Mapping[Candidate, PiecewiseQuadratic] | None:
    """The loss of each candidate at every condition, if it does not depend on the prevalence."""
    first, *others = contests
    return None if others or not first.paths else first.losses.curves


def regrets_throughout(
    contests: Sequence[Contest], singles: Mapping[str, OperatingPoints]
) -> Regrets | None:
    """Regrets of what is feasible in every band, and of what stays at one point throughout."""
    found = []
    for each in contests:
        axis = each.band.axis
        curves: dict[Candidate | str, PiecewiseQuadratic] = {}
        if each.paths:
            curves.update(each.losses.curves.items())
        for name, at in singles.items():
            curves[name] = OperatingPath.constant(at.fpr, at.fnr, axis).loss()
        if not curves:
            return None
        found.append(regrets_of(Losses(curves, axis), each.band.conditions))
    return regrets_in_bands(found, [each.band.share for each in contests])

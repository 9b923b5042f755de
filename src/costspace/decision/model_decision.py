"""What one model costs, where its money goes, and how it does on rows held out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.choices import Optimal
from costspace.choices.doubts import doubts_of
from costspace.curve import OperatingPoints
from costspace.decision.budget import (
    LossBudget,
    ValueOfKnowing,
    committing_budget,
    reacting_budget,
    worth_of_knowing,
)
from costspace.decision.candidates import Candidate
from costspace.decision.constrained import committed_money, committed_rule, constrained_money
from costspace.decision.contest import Contest
from costspace.decision.money import point_money
from costspace.decision.per_case import bayes_money
from costspace.decision.problem import Problem
from costspace.deployment.conditions import BALANCED, JointConditions
from costspace.errors import InfeasibleError, ScoreError
from costspace.notebook import Tabulated
from costspace.rules.broken import Violations, violations
from costspace.rules.constraints import Constraints
from costspace.rules.costed import CostedScores
from costspace.rules.rule import Rule, ThresholdPath
from costspace.scores.rows import ScoredRows

_Result = TypeVar("_Result")


@final
@dataclass(frozen=True, eq=False)
class SingleRule(Tabulated):
    """The best rule for those who use one for all conditions.

    Attributes
    ----------
    rule : Rule
        Chosen on all rows.
    money : float
        What it costs per 1,000 cases on the rows that it was chosen on.
    point : OperatingPoints
        Where rules chosen so work on rows held out, in rates of cost.
    held_out : float
        What that costs per 1,000 cases.
    carried : tuple of Rule
        Those rules, one for each part held out.
    violations : Violations
        How those rules keep to the constraints on rows held out.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=0.1)
    >>> single = cs.decide(y, {"model": s}, conditions=known).models["model"].single
    >>> single.rule, single.money, single.held_out
    (Rule(flag scores above 0.65), 0.0, 766.0...)
    """

    rule: Rule
    money: float
    point: OperatingPoints
    held_out: float
    carried: tuple[Rule, ...]
    violations: Violations

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        money = {"money": np.array([self.money]), "held_out": np.array([self.held_out])}
        return {**self.rule.columns(), **money}


@final
@dataclass(frozen=True)
class ModelDecision(FrozenValue):
    """What one model costs, and where the money goes.

    Attributes
    ----------
    auc : float
        For comparison: the model's rank among models by AUC can differ from that by money.
    cost_per_1000 : mapping of str to float or None
        Expected money per 1,000 cases by method, on the rows that thresholds were chosen on;
        within the constraints, if there are any. None where a method has no meaning for the
        scores, or cannot keep to the constraints.
    cost_per_1000_unconstrained : mapping of str to float or None
        The same without constraints.
    held_out : mapping of str to float or None
        The same by method, on rows that thresholds were not chosen on, for methods that have a
        threshold to use, and "per_case" where that is known. Where the table has bands of
        prevalence, rules are those of the bands.
    single : SingleRule or None
        The best single rule; None if none keeps to the constraints.
    reacting, committing : LossBudget or None
        Where the money of setting the threshold to each condition by the scores goes, and that of
        the threshold 0.5; None where that has no meaning or is not feasible.
    per_case : float or None
        What the Bayes rule costs per 1,000 cases that sets a threshold for each case by its own
        costs; None without such costs, and under constraints, which it does not see.
    knowing : ValueOfKnowing or None
        What it is worth to know the costs and the prevalence; None if no rule is feasible.
    prices : mapping of str to float or None
        By how much each constraint raises the cost of the optimal choice; None if all together
        leave no rule.
    notes : mapping of str to str
        Why a number is None, by the name of what is missing; by "scores" and "thresholds", what the
        scores look like and why thresholds among probabilities do not go with them.

    Examples
    --------
    >>> import costspace as cs
    >>> y, margins = [0, 0, 0, 0, 1, 1], [-2.1, -0.3, 0.2, -1.4, 0.1, 1.7]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1)
    >>> model = cs.decide(y, {"margin": margins}, conditions=known).models["margin"]
    >>> model.cost_per_1000["score_driven"], model.cost_per_1000["optimal"]
    (None, 225.0)
    >>> model.notes["cost_per_1000.score_driven"].partition(":")[0]
    'the score-driven choice needs scores in [0, 1], got scores from -2.1 to 1.7'
    """

    auc: float
    cost_per_1000: Mapping[str, float | None]
    cost_per_1000_unconstrained: Mapping[str, float | None]
    held_out: Mapping[str, float | None]
    single: SingleRule | None
    reacting: LossBudget | None
    committing: LossBudget | None
    per_case: float | None
    knowing: ValueOfKnowing | None
    prices: Mapping[str, float | None]
    notes: Mapping[str, str]

    @property
    def ways(self) -> dict[str, float]:
        """Held-out money of everything that can be done with the model, what is simpler first."""
        single = None if self.single is None else self.single.held_out
        ways = {"single": single, **self.held_out}
        return {way: money for way, money in ways.items() if money is not None}


def decide_model(problem: Problem, name: str, contests: Sequence[Contest]) -> ModelDecision:
    """Everything about one model of a problem."""
    scores, conditions, limits = problem.models[name], problem.conditions, problem.constraints
    notes = doubts_of(scores.rows)

    def known(what: str, compute: Callable[[], _Result]) -> _Result | None:
        try:
            return compute()
        except (ScoreError, InfeasibleError) as error:
            notes[what] = str(error)
            return None

    def money(label: str, constraints: Constraints) -> dict[str, float | None]:
        return {
            method: known(
                f"{label}.{method}",
                partial(
                    constrained_money,
                    scores,
                    choice,
                    conditions,
                    constraints,
                    randomise=problem.randomise,
                ),
            )
            for method, choice in problem.choices.items()
        }

    constrained = money("cost_per_1000", limits)
    free = money("cost_per_1000_unconstrained", Constraints()) if limits else constrained
    single = known("single_rule", lambda: _single_rule(problem, name))
    held_out = _held_out(name, contests)
    per_case = known("per_case", lambda: _per_case(problem, name, problem.rows))
    if per_case is not None:
        # It chooses nothing on rows, so that any are held out.
        held_out["per_case"] = known(
            "cost_per_1000_held_out.per_case",
            lambda: _per_case(problem, name, problem.held_out.judged),
        )
    return ModelDecision(
        auc=scores.rows.auc,
        cost_per_1000=constrained,
        cost_per_1000_unconstrained=free,
        held_out=held_out,
        single=single,
        reacting=_reacting(conditions, free, constrained),
        committing=_committing(problem, scores, free, constrained, single),
        per_case=per_case,
        knowing=known(
            "value_of_knowing",
            lambda: worth_of_knowing(scores, conditions, limits, randomise=problem.randomise),
        ),
        prices=_prices(problem, scores, constrained["optimal"]),
        notes=notes,
    )


def _reacting(
    conditions: JointConditions, free: Mapping[str, float | None], held: Mapping[str, float | None]
) -> LossBudget | None:
    optimal, feasible, trusting = free["optimal"], held["optimal"], held["score_driven"]
    if optimal is None or feasible is None or trusting is None:
        return None
    return reacting_budget(conditions, optimal=optimal, feasible=feasible, trusting=trusting)


def _committing(
    problem: Problem,
    scores: CostedScores,
    free: Mapping[str, float | None],
    held: Mapping[str, float | None],
    single: SingleRule | None,
) -> LossBudget | None:
    optimal, in_use = free["optimal"], held["score_fixed"]
    if optimal is None or in_use is None or single is None:
        return None
    return committing_budget(
        problem.conditions,
        optimal=optimal,
        single=committed_money(scores, problem.conditions, Constraints()),
        feasible=single.money,
        in_use=in_use,
    )


def _held_out(name: str, contests: Sequence[Contest]) -> dict[str, float | None]:
    """Held-out money by method: the mean over the bands, none if a band is not feasible."""
    methods = dict.fromkeys(
        candidate.method
        for each in contests
        for candidate in (*each.paths, *each.infeasible)
        if candidate.model == name
    )
    return {method: held_out_money(Candidate(name, method), contests) for method in methods}


def held_out_money(candidate: Candidate, contests: Sequence[Contest]) -> float | None:
    """Expected money of a candidate per 1,000 cases, None if it is not feasible in some band."""
    if any(candidate not in each.paths for each in contests):
        return None
    return sum(
        each.band.share * each.band.money(each.paths[candidate].expected_loss) for each in contests
    )


def _single_rule(problem: Problem, name: str) -> SingleRule:
    scores, conditions = problem.models[name], problem.conditions

    def chosen(train: CostedScores) -> Rule:
        return committed_rule(train, conditions, problem.constraints, randomise=problem.randomise)

    held_out = problem.held_out_scores[name]
    rule = chosen(scores)
    carried = tuple(chosen(split.train) for split in held_out.splits)
    paths = [ThresholdPath.constant(one) for one in carried]
    costs = held_out.carried_path(paths, BALANCED).start
    counts = held_out.carried_path(paths, BALANCED, counted=True).start
    return SingleRule(
        rule=rule,
        money=point_money(rule.on(scores.costs), conditions),
        point=costs,
        held_out=point_money(costs, conditions),
        carried=carried,
        violations=violations(counts, problem.constraints, problem.whole.ends),
    )


def _per_case(problem: Problem, name: str, rows: ScoredRows) -> float | None:
    if rows.costs is None or problem.limits:
        return None
    return bayes_money(rows, name, problem.conditions, problem.calibrated_to)


def _prices(
    problem: Problem, scores: CostedScores, feasible: float | None
) -> dict[str, float | None]:
    """What the optimal choice would save without each constraint."""
    if feasible is None:
        return dict.fromkeys(problem.constraints)
    return {
        name: feasible
        - constrained_money(
            scores,
            Optimal(),
            problem.conditions,
            problem.constraints.without(name),
            randomise=problem.randomise,
        )
        for name in problem.constraints
    }

"""What one model costs, where that comes from, and how it does on held-out rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenDict, FrozenValue
from costspace.choices import Optimal, ScoreDriven, ScoreFixed, ThresholdChoice
from costspace.decision.budget import (
    LossBudget,
    ValueOfKnowing,
    committing_budget,
    reacting_budget,
    worth_of_knowing,
)
from costspace.decision.fitting.choosing import Priced
from costspace.decision.fitting.fitted import FittedByCondition, fit_by_condition
from costspace.decision.fitting.together import together
from costspace.decision.limits.broken import Violations, violations
from costspace.decision.limits.constrained import committed_money, constrained_money
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.at_stake import ranks_by_stake
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.expected import point_money
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import NOTHING, Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED
from costspace.errors import InfeasibleError, ScoreError
from costspace.notebook import Tabulated

_Result = TypeVar("_Result")
_Asked: TypeAlias = tuple[ThresholdChoice, Constraints]


@final
@dataclass(frozen=True, eq=False)
class SingleRule(Tabulated):
    """The best single rule for all conditions.

    Attributes
    ----------
    rule : Rule
        Chosen on all rows.
    money : float
        What it costs per 1,000 cases on the rows that it was chosen on.
    held_out : float
        What rules chosen so cost per 1,000 cases on held-out rows.
    violations : Violations
        How those rules keep to the constraints on held-out rows.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=0.1)
    >>> single = cs.decide(y, {"model": s}, conditions=known).models["model"].single
    >>> single.rule, single.money, single.held_out
    (Rule(flag scores above 0.65), 0.0, 536.2...)
    """

    rule: Rule
    money: float
    held_out: float
    violations: Violations

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        money = {"money": np.array([self.money]), "held_out": np.array([self.held_out])}
        return {"rule": np.array([str(self.rule)]), **money}


@final
@dataclass(frozen=True, eq=False)
class ModelDecision(FrozenValue):
    """The cost of one model and its parts, computed when asked for.

    Attributes
    ----------
    name : str
    task : object
        What the decision is about.
    fits : tuple
        The strategies of the model, fitted, with their margins.

    Examples
    --------
    >>> import costspace as cs
    >>> y, margins = [0, 0, 0, 0, 1, 1], [-2.1, -0.3, 0.2, -1.4, 0.1, 1.7]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1)
    >>> model = cs.decide(y, {"margin": margins}, conditions=known).models["margin"]
    >>> model.cost_per_1000["score_driven"], model.cost_per_1000["smoothed"]
    (None, 250.0...)
    >>> model.notes["cost_per_1000.score_driven"].partition(":")[0]
    'the score-driven choice needs scores in [0, 1], got scores from -2.1 to 1.7'
    """

    name: str
    task: Task
    fits: Sequence[Priced]

    @property
    def auc(self) -> float:
        """For comparison: the model's rank among models by AUC can differ from that by money."""
        return self._scores.rows.auc

    @property
    def cost_per_1000(self) -> Mapping[str, float | None]:
        """Expected money per 1,000 cases by choice, on the rows that thresholds were chosen on.

        Within the constraints, if there are any. None where a choice has no meaning for the
        scores, or cannot keep to the constraints. With costs of each case they set its threshold,
        if the choice can go by them.
        """
        return self._by_name(self._limits)

    @property
    def cost_per_1000_unconstrained(self) -> Mapping[str, float | None]:
        """The same without constraints."""
        return self._by_name(Constraints())

    @cached_property
    def held_out(self) -> Mapping[str, float | None]:
        """What each strategy costs, as far as the condition is known at each decision.

        Where the table has bands of prevalence, rules are those of the bands.
        """
        return FrozenDict(
            {one.strategy.name: one.money if one.fit.feasible else None for one in self.fits}
        )

    @cached_property
    def single(self) -> SingleRule | None:
        """The best single rule; None if none keeps to the constraints."""
        fit = self._one_threshold
        (judged,) = together([fit])
        if judged.money is None or fit.rule is None:
            return None
        task = fit.task
        counts = task.held_out_scores[self.name].path_of(fit.parts[0], BALANCED, counted=True)
        at = fit.rule.on(self._scores.costs)
        return SingleRule(
            rule=fit.rule,
            money=point_money(at, task.conditions),
            held_out=judged.money,
            violations=violations(
                counts.start, constraints=self._limits, prevalence=task.whole.ends
            ),
        )

    @property
    def reacting(self) -> LossBudget | None:
        """Where the money of thresholds set to each condition by the scores goes.

        None where that has no meaning, is not feasible, or goes by the costs of each case, as
        scores that have them in do.
        """
        if self._by_case or ranks_by_stake(self.task.rows, self.name):
            return None
        optimal, feasible = self._of(Optimal(), Constraints()), self._of(Optimal(), self._limits)
        trusting = self._of(ScoreDriven(self.task.calibrated_to), self._limits)
        if optimal is None or feasible is None or trusting is None:
            return None
        return reacting_budget(
            self.task.conditions, optimal=optimal, feasible=feasible, trusting=trusting
        )

    @property
    def committing(self) -> LossBudget | None:
        """Where the money of the threshold 0.5 goes; None as of `reacting`."""
        if self._by_case:
            return None
        optimal, in_use = self._of(Optimal(), Constraints()), self._of(ScoreFixed(), self._limits)
        feasible = _known(partial(self._committed, self._limits))[0]
        if optimal is None or in_use is None or feasible is None:
            return None
        return committing_budget(
            self.task.conditions,
            optimal=optimal,
            single=self._committed(Constraints()),
            feasible=feasible,
            in_use=in_use,
        )

    @property
    def knowing(self) -> ValueOfKnowing | None:
        """What knowing the costs and the prevalence saves.

        None if no rule is feasible, and with costs of each case, which rules go by already.
        """
        return None if self._by_case else self._knowing[0]

    @cached_property
    def prices(self) -> Mapping[str, float | None]:
        """By how much each constraint raises the cost of the optimal choice.

        None if all together leave no rule.
        """
        optimal = Optimal()
        feasible = self._of(optimal, self._limits)
        if feasible is None:
            return FrozenDict(dict.fromkeys(self._limits))
        return FrozenDict(
            {
                name: feasible
                - constrained_money(
                    self._scores,
                    optimal,
                    self.task.conditions,
                    self._limits.without(name),
                    randomise=self.task.randomise,
                )
                for name in self._limits
            }
        )

    @cached_property
    def notes(self) -> Mapping[str, str]:
        """Why a number is None, by the name of what is missing.

        By "scores" and "thresholds", what the scores look like and why thresholds among
        probabilities do not go with them.
        """
        found: dict[str, str | None] = dict(self.task.doubts[self.name])
        for name, choice in self.task.choices.items():
            found[f"cost_per_1000.{name}"] = self._money(choice, self._limits)[1]
            if self._limits:
                why = self._money(choice, Constraints())[1]
                found[f"cost_per_1000_unconstrained.{name}"] = why
        found["single_rule"] = self._one_threshold.reason or None
        found["value_of_knowing"] = None if self._by_case else self._knowing[1]
        return FrozenDict({name: why for name, why in found.items() if why is not None})

    @property
    def _scores(self) -> CostedScores:
        return self.task.models[self.name]

    @property
    def _limits(self) -> Constraints:
        return self.task.constraints

    def _by_name(self, constraints: Constraints) -> Mapping[str, float | None]:
        choices = self.task.choices.items()
        found = {name: self._money(one, constraints)[0] for name, one in choices}
        return FrozenDict(
            found | {one.strategy.name: one.fit.apparent_of(None) for one in self._by_case}
        )

    @cached_property
    def _by_case(self) -> Sequence[Priced]:
        """The strategies that set the threshold of each case by its own costs."""
        return tuple(one for one in self.fits if one.strategy.by_case)

    def _committed(self, constraints: Constraints) -> float:
        """The money of the best single rule within constraints, on the rows it is chosen on."""
        task = self.task
        return committed_money(self._scores, task.conditions, constraints, randomise=task.randomise)

    @cached_property
    def _one_threshold(self) -> FittedByCondition:
        strategy = Strategy(self.name, Optimal(), "one_threshold", NOTHING)
        return fit_by_condition(strategy, replace(self.task, known=NOTHING))

    def _of(self, choice: ThresholdChoice, constraints: Constraints) -> float | None:
        """The money of a choice within constraints; None if it has no meaning or no rule."""
        return self._money(choice, constraints)[0]

    @cached_property
    def _memory(self) -> dict[_Asked, tuple[float | None, str | None]]:
        return {}

    def _money(
        self, choice: ThresholdChoice, constraints: Constraints
    ) -> tuple[float | None, str | None]:
        """The money of a choice on the rows that it is fitted on, or why there is none."""
        memory = self._memory
        if (choice, constraints) not in memory:
            memory[choice, constraints] = _known(
                partial(
                    constrained_money,
                    self._scores,
                    choice,
                    self.task.conditions,
                    constraints,
                    randomise=self.task.randomise,
                )
            )
        return memory[choice, constraints]

    @cached_property
    def _knowing(self) -> tuple[ValueOfKnowing | None, str | None]:
        task = self.task
        return _known(
            partial(
                worth_of_knowing,
                self._scores,
                task.conditions,
                self._limits,
                randomise=task.randomise,
            )
        )


def _known(compute: Callable[[], _Result]) -> tuple[_Result | None, str | None]:
    """What is computed, or why it cannot be."""
    try:
        return compute(), None
    except (ScoreError, InfeasibleError) as error:
        return None, str(error)

"""Where a model's cost comes from: parts that add up, each with the remedy it points to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FrozenValue, underflow_to_zero
from costspace.choices import Optimal
from costspace.decision.limits.constrained import by_costs_money, committed_money, constrained_money
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.expected import completed
from costspace.deployment.conditions import JointConditions
from costspace.notebook import Tabulated
from costspace.scores.predictions import Labels, source_of
from costspace.scores.rows import NamedScores
from costspace.scores.table import check_table

# The parts in words, as reports and figures show them.
PARTS = MappingProxyType(
    {
        "correct_decisions": "correct decisions",
        "ranking": "ranking",
        "constraints": "limits",
        "miscalibration": "miscalibration",
        "committing": "one threshold for all",
        "mis-set threshold": "threshold off its best",
    }
)
REMEDIES = MappingProxyType(
    {
        "correct_decisions": "nothing to mend: what decisions cost even when all are correct",
        "ranking": "a model that ranks better",
        "constraints": "more capacity, or looser limits",
        "miscalibration": "calibrate the scores",
        "committing": "find out the costs and the prevalence, and set the threshold to them",
        "mis-set threshold": "move the threshold",
    }
)


@final
@dataclass(frozen=True)
class LossBudget(FrozenValue, Tabulated):
    """A model's expected money, split into parts that add up to it.

    Attributes
    ----------
    parts : mapping of str to float
        Money per 1,000 cases by what it is lost to, in the order in which they add up; none is
        negative on the rows that thresholds are chosen on, but that of correct decisions, which
        may be a gain.
    total : float
        What the way of working costs per 1,000 cases: the sum of the parts.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Sections 4.2 and 6.2: the loss of
    score-driven thresholds as refinement and calibration loss; here in money, under constraints,
    and for a single threshold too.

    Examples
    --------
    >>> budget = LossBudget({"ranking": 20.0, "miscalibration": 5.0}, 25.0)
    >>> for part, money, remedy in budget.rows():
    ...     print(part, money, remedy)
    ranking 20.0 a model that ranks better
    miscalibration 5.0 calibrate the scores
    """

    parts: Mapping[str, float]
    total: float

    def rows(self) -> list[tuple[str, float, str]]:
        """Each part, its money, and the remedy that it points to."""
        return [(part, money, REMEDIES[part]) for part, money in self.parts.items()]

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a part."""
        parts, money, remedies = zip(*self.rows(), strict=True)
        return {
            "part": np.array(parts),
            "money": np.array(money),
            "remedy": np.array(remedies),
        }


def reacting_budget(
    conditions: JointConditions, *, optimal: float, feasible: float, trusting: float
) -> LossBudget:
    """The budget of setting the threshold to each condition by trusting the scores.

    What the optimal choice costs, a perfect threshold on this ranking; then what constraints add
    to it; then what trusting the scores adds to that. Constraints come before miscalibration: a
    limit can stop miscalibrated scores from flagging too many, so that after it they could add
    less than nothing.
    """
    steps = {"ranking": optimal, "constraints": feasible, "miscalibration": trusting}
    return _budget(conditions, steps)


def committing_budget(
    conditions: JointConditions,
    *,
    optimal: float,
    single: float,
    feasible: float,
    in_use: float,
) -> LossBudget:
    """The budget of one threshold for all conditions.

    What the optimal choice costs, a perfect threshold at each condition; then what the best
    single one adds; then what constraints add to that; then what the one in use adds.
    """
    steps = {
        "ranking": optimal,
        "committing": single,
        "constraints": feasible,
        "mis-set threshold": in_use,
    }
    return _budget(conditions, steps)


def _budget(conditions: JointConditions, steps: Mapping[str, float]) -> LossBudget:
    """The budget whose parts are what each step adds to the one before."""
    parts, reached = {}, 0.0
    correct = float(conditions.money(0.0))
    if correct != 0:
        parts["correct_decisions"], reached = correct, correct
    for part, money in steps.items():
        parts[part] = money - reached
        reached = money
    return LossBudget(parts, reached)


@final
@dataclass(frozen=True)
class ValueOfKnowing(Tabulated):
    """The value of knowing the condition, not only its range, per 1,000 cases.

    Attributes
    ----------
    costs, prevalence, both : float
        By how much less the best thresholds cost if the costs, the prevalence or both were known
        each time, against one threshold for the whole range; not negative.

    Notes
    -----
    The expected value of perfect information of decision analysis: Raiffa and Schlaifer (1961),
    Applied Statistical Decision Theory.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> known = cs.Scenarios(fp_cost=1, fn_cost=[0.5, 4], prevalence=0.5)
    >>> cs.value_of_knowing(y, s, conditions=known)
    ValueOfKnowing(costs=62.5, prevalence=0.0, both=62.5)
    """

    costs: float
    prevalence: float
    both: float

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """One row."""
        return {
            "costs": np.array([self.costs]),
            "prevalence": np.array([self.prevalence]),
            "both": np.array([self.both]),
        }


@underflow_to_zero
def value_of_knowing(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    conditions: JointConditions,
    constraints: Constraints = Constraints(),
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ValueOfKnowing:
    """The value of knowing the costs and the prevalence, not only their range.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    constraints : Constraints, optional
        What every rule has to keep to: one that knows the prevalence at that prevalence, another
        at every one.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    ValueOfKnowing
        Money per 1,000 cases; larger means that it is worth more to find out.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    The expected value of perfect information of decision analysis: Raiffa and Schlaifer (1961),
    Applied Statistical Decision Theory. Against one threshold, best for the whole range.

    Examples
    --------
    >>> import costspace as cs
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(0.2, 5), prevalence=0.5)
    >>> worth = value_of_knowing([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], conditions=known)
    >>> round(worth.both, 2), worth.prevalence
    (62.87, 0.0)
    """
    source = source_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    scores = CostedScores.same(check_table("the value of knowing", source))
    return worth_of_knowing(scores, completed(conditions, source), constraints)


def worth_of_knowing(
    scores: CostedScores,
    conditions: JointConditions,
    constraints: Constraints,
    *,
    randomise: bool = True,
) -> ValueOfKnowing:
    """`value_of_knowing` of scores with or without costs of their own for each case."""

    def money(known: JointConditions) -> float:
        return constrained_money(scores, Optimal(), known, constraints, randomise=randomise)

    unknown = committed_money(scores, conditions, constraints, randomise=randomise)
    of_costs = by_costs_money(scores, conditions, constraints, randomise=randomise)
    return ValueOfKnowing(
        costs=unknown - of_costs,
        prevalence=unknown - money(conditions.averaging(costs=True)),
        both=unknown - money(conditions),
    )

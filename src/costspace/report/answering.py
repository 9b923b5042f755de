"""What a page answers to what is typed in: a decision on the rows that it holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from costspace.arrays import BoolArray, FloatArray, IndexArray
from costspace.decision.constraints import Constraints
from costspace.decision.deciding import decide_rows
from costspace.decision.held_out_rows import HeldOutRows
from costspace.decision.holdout import HeldOut
from costspace.deployment.deployment import Deployment
from costspace.report.decided import decision_dict
from costspace.scores.rows import ScoredRows

_AMOUNTS = ("fp_cost", "fn_cost", "tp_cost", "tn_cost", "prevalence")


def held_out_of(
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    folds: Sequence[IndexArray],
    weight: FloatArray | None,
    groups: IndexArray | None,
) -> HeldOutRows:
    """The rows that a page holds, in the folds that they were cut into."""
    return HeldOutRows(ScoredRows(positive, scores, weight, groups=groups), None, folds)


def answer(held_out: HeldOut, question: Mapping[str, Any], level: float) -> dict[str, Any]:
    """The record of the decision that a question asks for.

    Parameters
    ----------
    held_out : HeldOut
        The rows, and how they are divided.
    question : mapping
        Costs and prevalence as [low, high], equal for a value; what is `known` at each decision;
        `limits` by name; and the rule in use as `baseline`, of which `model` and `threshold`.
    level : float in (0, 1)
        Confidence level of the intervals.

    Raises
    ------
    ConditionError
        If what is asked is not so; the message says what to do.
    """
    amounts = {name: _amount(question[name]) for name in _AMOUNTS}
    use = question["baseline"]
    decision = decide_rows(
        held_out,
        Deployment(**amounts),
        constraints=Constraints(**question["limits"]),
        known=question["known"],
        baseline=None if use is None else (use["model"], use["threshold"]),
        level=level,
    )
    return decision_dict(decision)


def _amount(ends: tuple[float, float]) -> float | tuple[float, float]:
    low, high = ends
    return low if low == high else (low, high)

"""What speaks against a recommendation: no model is needed, or one ranks the wrong way round."""

from dataclasses import replace

import numpy as np

from costspace.choices import Optimal
from costspace.decision.constrained import constrained_money
from costspace.decision.costed import CostedScores
from costspace.decision.evidence import StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.task import Task
from costspace.decision.words import known_within
from costspace.errors import InfeasibleError

# Rounding, relative to what is at stake.
EQUAL = 1e-12


def without_model(
    best: FittedStrategy, own: StrategyMoney | None, rival: FittedStrategy | None
) -> str:
    """That it may be done without a model, unless the data show that one saves money.

    If the next best needs none and costs as much, what is said of that is enough.
    """
    if best.strategy.model is None or best.money is None:
        return ""
    unaided = _unaided_money(best.task)
    if unaided is None or (rival is not None and (rival.money or 0) <= unaided):
        return ""
    at_most, width = (best.money, 0.0) if own is None else (own.high, own.high - own.low)
    if at_most < unaided - EQUAL * abs(unaided):
        return ""
    return (
        "The data do not show that it needs a model: flagging nobody, everybody or some at "
        f"random, whichever is best at each condition, costs {known_within(unaided, width)}."
    )


def _unaided_money(task: Task) -> float | None:
    """What the best costs that can be done without a model, where that keeps to the constraints.

    Scores that are all equal can be flagged all, not at all, or at random.
    """
    rows = replace(task.rows, scores={"none": np.zeros(len(task.rows))})
    scores = CostedScores.from_rows(rows, "none")
    try:
        return constrained_money(
            scores, Optimal(), task.conditions, task.constraints, randomise=task.randomise
        )
    except InfeasibleError:
        return None


def doubted(task: Task) -> tuple[str, ...]:
    """What scores look like if not like a model's, model by model."""
    return tuple(
        f"{name}: {text}" for name, found in task.doubts.items() for text in found.values()
    )


def turned_round(task: Task) -> str:
    """Which models rank positives below negatives."""
    aucs = {name: scores.rows.auc for name, scores in task.models.items()}
    found = [f"{name} (AUC {auc:.4g})" for name, auc in aucs.items() if auc < 0.5]
    if not found:
        return ""
    ranks = "ranks" if len(found) == 1 else "rank"
    return f"{', '.join(found)} {ranks} positives below negatives: is the right class positive?"

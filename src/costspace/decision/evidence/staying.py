"""How far costs may move until another model, or none, would be the best."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import final

import numpy as np

from costspace.condition import cost_from_skew, skew_from_cost
from costspace.curve import PiecewiseQuadratic, lower_envelope
from costspace.decision.strategy import CONDITION, Strategy
from costspace.decision.task import Task


@final
@dataclass(frozen=True)
class Staying:
    """Where one model loses least, by how many times a false positive a false negative costs.

    Costs are those of a wrong decision less that of a right one, at the mean prevalence.

    Attributes
    ----------
    best : Strategy
        What loses least at the mean condition: a strategy of that model, or one that needs none.
    mean : float
        How many times it costs there.
    least, most : float
        Between which that model loses least, from 0 to infinity.
    below, above : Strategy or None
        What loses least beyond; None where nothing is beyond.
    """

    best: Strategy
    mean: float
    least: float
    most: float
    below: Strategy | None
    above: Strategy | None


def staying(task: Task, losses: Mapping[Strategy, PiecewiseQuadratic], use: Strategy) -> Staying:
    """Where what loses least at the mean condition does, each threshold set to the condition.

    Of what loses the same, that of `use`.
    """
    ordered = sorted(losses, key=lambda one: one.model != use.model)
    found = lower_envelope([losses[one] for one in ordered])
    axis = replace(task, known=CONDITION).bands[0].axis
    skews = np.asarray(skew_from_cost(found.breaks, prevalence=axis))
    prevalence = task.conditions.mean_prevalence
    # From 0 up, as the skew falls.
    winners = [ordered[k] for k in found.winner.tolist()][::-1]
    ends = [_times(skew, prevalence) for skew in skews.tolist()][::-1]
    mean = _times(task.conditions.skews().mean(), prevalence)
    at = next(k for k, end in enumerate(ends[1:]) if mean <= end)
    first = last = at
    while first > 0 and _same(winners[first - 1], winners[at]):
        first -= 1
    while last + 1 < len(winners) and _same(winners[last + 1], winners[at]):
        last += 1
    return Staying(
        winners[at],
        mean,
        ends[first],
        ends[last + 1],
        winners[first - 1] if first > 0 else None,
        winners[last + 1] if last + 1 < len(winners) else None,
    )


def _times(skew: float, prevalence: float) -> float:
    """How many times a false positive a false negative costs at a skew."""
    cost = float(cost_from_skew(skew, prevalence=prevalence))
    return (1 - cost) / cost if cost > 0 else inf


def _same(one: Strategy, other: Strategy) -> bool:
    """Whether strategies are of the same model, or the same without one."""
    return one.model == other.model and (one.model is not None or one == other)

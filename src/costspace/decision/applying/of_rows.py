"""The conditions of rows from their costs and prevalence: numbers, columns or terms of SQL."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from costspace.checks import MONEY, by_how_much, undecided
from costspace.deployment.review import Review
from costspace.errors import ConditionError

# Each mistake, and the correct decision that it is compared with.
PAIRS = (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost"))


def is_fair(gap: Any) -> Any:
    """Whether a mistake costs more than the correct decision, by an amount within `MONEY`."""
    return (gap >= MONEY[0]) & (gap <= MONEY[1])


def costs_too_little(mistake: str, correct: str) -> Callable[[float, str], ConditionError]:
    """The error for a gap that is not fair, and where it is."""

    def told(gap: float, place: str) -> ConditionError:
        return ConditionError(
            f"{mistake} must be above {correct}{by_how_much(1)}, got a difference of {gap:g}"
            f"{place}: a mistake must cost more than the correct decision. {undecided(mistake)}"
        )

    return told


def proportion(net_fp_cost: Any, net_fn_cost: Any) -> Any:
    """`cost_proportion` of numbers or columns."""
    return net_fp_cost / (net_fp_cost + net_fn_cost)


def skew(cost_proportion: Any, prevalence: Any) -> Any:
    """`skew_from_cost` of numbers or columns."""
    part = cost_proportion * (1.0 - prevalence)
    return 1.0 / (1.0 + (1.0 - cost_proportion) * prevalence / part)


def gaps_in_steps(
    review: Review,
    costs: Sequence[Any],
    gaps: Sequence[Any],
    chosen: Callable[[Any, Any, Any], Any],
) -> Iterator[tuple[Any, Any]]:
    """How much more a mistake costs in each step than the correct decision, as `Review.split`.

    `costs` are four, and `gaps` two; `chosen` is the first of two where a column holds.
    """
    fp, fn, tp, tn = costs
    pays = review.cost.mean < review.most(*gaps)
    for step in review.steps:
        (own_fp, own_fn), (own_tp, own_tn) = step.of_mistakes(fp, fn), step.of_right(tp, tn)
        both = (own_fp - own_tn, fp / 2 - tn / 2), (own_fn - own_tp, fn / 2 - tp / 2)
        if isinstance(pays, bool | np.bool):
            yield tuple(one if pays else half for one, half in both)
        else:
            yield tuple(chosen(pays, one, half) for one, half in both)

"""The conditions at which a decision is applied, asked for by name and checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray
from costspace.checks import check_prevalence
from costspace.condition import cost_proportion, skew_from_cost
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, brief
from costspace.samples.case_costs import CaseCosts

# Rounding, relatively, of a condition on an end of the range that a decision is for.
NEAR = 1e-9
# How what is said of the decisions begins that a review makes of one.
STEPS = (f"between {PASS} and {REVIEW}, ", f"between {REVIEW} and {FLAG}, ")


@final
@dataclass(frozen=True, eq=False)
class SeenConditions:
    """Conditions, one for all cases or one for each."""

    costs: FloatArray  # shape (n,): cost proportions
    prevalences: FloatArray  # shape (n,)
    skews: FloatArray  # shape (n,)

    @property
    def same(self) -> bool:
        """Whether they are one for all cases."""
        return self.skews.ndim == 0


def seen_conditions(
    proportions: FloatArray,
    prevalence: ArrayLike | None,
    known: Range,
    skews: Range | None,
    what: str = "",
) -> SeenConditions:
    """Conditions inside those that a decision is for, by cost proportions, or `ConditionError`.

    Ends of the ranges have room for rounding; the prevalence may be left out if it is one. An error
    about costs begins with `what` they decide.
    """
    p = prevalences_in(prevalence, known)
    z = np.asarray(skew_from_cost(proportions, prevalence=p))
    if skews is not None:
        _refuse_outside(z, skews, lambda *told: f"{what}{skew_outside(*told)}")
        z = np.clip(z, skews.low, skews.high)
    return SeenConditions(proportions, p, z)


def check_needs(
    given: dict[str, object],
    *,
    correct_costs: Mapping[str, float | None] | None,
    prevalence: Range | None,
    what: str,
) -> None:
    """`ConditionError` unless what is given is what a rule looks at.

    Of a rule that looks at costs, `correct_costs` are those that it knows of correct decisions;
    None if it does not look. `prevalence` is the range that a rule looks at the prevalence in.
    """
    costs = correct_costs is not None
    here = {name for name, value in given.items() if value is not None}
    looked_at = {*(COSTS if costs else ()), *(() if prevalence is None else ("prevalence",))}
    if here - looked_at:
        kinds = {"costs": costs, "prevalence": prevalence is not None}
        nothing = " and ".join(f"no {kind}" for kind, looked in kinds.items() if not looked)
        raise ConditionError(
            f"{what} looks at {nothing}: leave out {', '.join(sorted(here - looked_at))}."
        )
    own = {} if correct_costs is None else correct_costs
    needed = ["fp_cost", "fn_cost", *(name for name, cost in own.items() if cost is None)]
    missing = [name for name in needed if costs and name not in here]
    if missing:
        known = {name: cost for name, cost in own.items() if cost is not None and name not in here}
        told = f" The decision has {correct_costs_shown(known)}, unless given." if known else ""
        options = [f"--{name.replace('_', '-')}" for name in missing]
        raise ConditionError(
            f"{what} follows the costs: give {' and '.join(missing)} ({', '.join(options)}), one "
            f"number for all cases, or one for each ({', '.join(f'{o}-column' for o in options)})."
            f"{told}"
        )
    if prevalence is not None and prevalence.low < prevalence.high and "prevalence" not in here:
        raise ConditionError(
            f"{what} follows the prevalence: give prevalence (--prevalence), from "
            f"{prevalence.low:g} to {prevalence.high:g}, one number for all cases, or one for each "
            "(--prevalence-column)."
        )


def correct_costs_shown(costs: Mapping[str, float]) -> str:
    """Costs of correct decisions, in words."""
    return " and ".join(f"{name} {cost:g}" for name, cost in costs.items())


def outside(values: FloatArray, known: Range) -> BoolArray:
    """Whether values are outside a range by more than rounding, near 0 and near 1."""
    low, high = room(known)
    return np.asarray((values < low) | (values > high))


def room(known: Range) -> tuple[float, float]:
    """The ends of a range with room for rounding."""
    low, high = (NEAR * min(end, 1 - end) for end in (known.low, known.high))
    return known.low - low, known.high + high


def _refuse_outside(
    values: FloatArray, known: Range, said: Callable[[float, str, Range], str]
) -> None:
    """`ConditionError` if one of some values is outside a range."""
    beyond = outside(values, known)
    if beyond.any():
        row = int(np.argmax(beyond))
        place = f" in row {row + 1}" if values.ndim else ""
        raise ConditionError(said(float(values.flat[row]), place, known))


def prevalence_outside(prevalence: float, place: str, known: Range) -> str:
    """What is said of a prevalence outside the range that a decision is for."""
    return (
        f"the prevalence is {prevalence:g}{place}, and the decision is for {_span(known)}: decide "
        "again for a range that has it."
    )


def skew_outside(skew: float, place: str, known: Range) -> str:
    """What is said of costs whose skew, at their prevalence, is outside that range."""
    other, mistake = ("positive", "negative") if skew < known.low else ("negative", "positive")
    return (
        f"relative to a false {other}, a false {mistake} costs more{place} than the decision is "
        f"for: the skew is {skew:g}, not {_span(known)}. Decide again for a range with these costs."
    )


def _span(known: Range) -> str:
    return f"{known.low:g}" if known.low == known.high else f"{known.low:g} to {known.high:g}"


def prevalences_in(prevalence: ArrayLike | None, known: Range) -> FloatArray:
    """Prevalences inside a range, or `ConditionError`; the one that there is, if none is given."""
    if prevalence is None:
        return np.asarray(known.low)
    if np.ndim(prevalence) == 0:
        p = np.asarray(check_prevalence(prevalence))  # type: ignore[arg-type]
    else:
        p = np.asarray(prevalence, dtype=float)
        if not ((p > 0) & (p < 1)).all():
            raise ConditionError(f"prevalence must be in (0, 1), got {brief(prevalence)}.")
    _refuse_outside(p, known, prevalence_outside)
    return np.clip(p, known.low, known.high)


def costs_given(given: Mapping[str, ArrayLike | None]) -> CaseCosts:
    """The costs among what is given, or `ConditionError`."""
    return CaseCosts(**{name: given[name] for name in COSTS if given[name] is not None})  # type: ignore[arg-type]


def proportions_given(given: Mapping[str, ArrayLike | None]) -> FloatArray:
    """The cost proportions of the costs among what is given."""
    costs = costs_given(given).all_worth
    return np.asarray(cost_proportion(fp_cost=costs.net_fp_cost, fn_cost=costs.net_fn_cost))

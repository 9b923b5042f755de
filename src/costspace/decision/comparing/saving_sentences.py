"""What models save against each other, sentence by sentence."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.words import estimate_shown, p_shown, sides_shown, thresholds_shown
from costspace.deployment.conditions import BALANCED

_USE = "the rule in use"


class _Saved(NamedTuple):
    """What a model saves, which is what the other costs more."""

    model: str
    against: str
    more: MoneyDifference


def sentences_of(
    pairs: Mapping[tuple[str, str], MoneyDifference],
    shown: Mapping[tuple[str, str], MoneyDifference],
    in_use: StrategyMoney | None,
    most: int | None = None,
    named: Callable[[str], str] = str,
) -> tuple[str, ...]:
    """The sentences of a comparison, of so many pairs that are `shown` to differ, all if None.

    Models are called as `named` has them.
    """
    use = "" if in_use is None else _in_use(in_use, named)
    found = [_Saved(*pair, more) for pair, more in (shown or pairs).items()]
    if len(pairs) == 1 and not shown:
        return (_not_shown(found[0], use, named),)
    if not shown:
        return (f"No model is shown to save money against {use or 'another'}.",)
    # What saves money against the rule in use is told before what costs more.
    ordered = sorted(found, key=lambda one: (bool(use) and _lost(one), -abs(one.more.difference)))
    told = []
    for some in _sides(ordered[:most], against_use=bool(use)):
        told.append(_together(some, use, named))
        # Its threshold is told once.
        use = use and _USE
    left = len(ordered) - len(ordered[:most])
    if left:
        what = "model" if use else "pair"
        more = f"One more {what} is" if left == 1 else f"{left} more {what}s are"
        told.append(f"{more} shown to differ.")
    return tuple(told)


def _in_use(one: StrategyMoney, named: Callable[[str], str]) -> str:
    """The rule in use in a sentence."""
    if one.rule is None:
        # Decisions that were made have no threshold.
        return _USE
    steps = (step.choice.threshold_at(BALANCED, BALANCED) for step in one.strategy.steps)
    at = [np.asarray(threshold).item() for threshold in steps]
    model, side = str(one.strategy.model), "above"
    if model.startswith("-"):
        # The column whose sign was changed is read as it is.
        at, model, side = [0.0 - threshold for threshold in at], model[1:], "below"
    shown = " for a review and ".join(thresholds_shown(*at))
    return f"{_USE}, {named(model)} {side} {shown}"


def _not_shown(one: _Saved, use: str, named: Callable[[str], str]) -> str:
    """A pair in a sentence that says that the data do not tell."""
    model, against, more = named(one.model), use or named(one.against), one.more
    if more.none:
        return f"{model} does the same as {against} on all rows."
    amount, ends = sides_shown(more.difference, more.low, more.high, "less", "more")
    told = f"{model} is not shown to save money against {against}"
    if not use:
        told = f"{told}, nor {against} against {model}"
    within = f" ({ends}{_p(more)})" if ends else ""
    return f"{told}: {model} costs {amount} per 1,000 cases{within}."


def _lost(one: _Saved) -> bool:
    return one.more.difference < 0


def _sides(pairs: Sequence[_Saved], *, against_use: bool) -> Iterator[list[_Saved]]:
    """Pairs that a sentence tells together: one side is the same, the better one if both are."""
    left = list(pairs)
    if not against_use:
        left = [
            _Saved(one.against, one.model, one.more.turned) if _lost(one) else one for one in left
        ]
    while left:
        first = left[0]
        if against_use:
            same = [one for one in left if _lost(one) == _lost(first)]
        else:
            same = [one for one in left if one.model == first.model]
            if len(same) == 1:
                same = [one for one in left if one.against == first.against]
        yield same
        left = [one for one in left if one not in same]


def _together(pairs: Sequence[_Saved], use: str, named: Callable[[str], str]) -> str:
    """Pairs that share a side in a sentence that names it once."""
    models = [named(pair.model) for pair in pairs]
    others = [use or named(pair.against) for pair in pairs]
    amounts, ends = zip(*(_estimated(pair.more) for pair in pairs), strict=True)
    rest = zip(models[1:], amounts[1:], ends[1:], strict=True)
    items = [f"{model} {amount} {within}" for model, amount, within in rest]
    if _lost(pairs[0]):
        told = f"{models[0]} costs {amounts[0]} more per 1,000 cases than {others[0]} {ends[0]}"
    elif items and pairs[0].against == pairs[1].against:
        told = f"Against {others[0]}, {models[0]} saves {amounts[0]} per 1,000 cases {ends[0]}"
    else:
        told = f"{models[0]} saves {amounts[0]} per 1,000 cases against {others[0]} {ends[0]}"
        rest = zip(amounts[1:], others[1:], ends[1:], strict=True)
        items = [f"{amount} against {other} {within}" for amount, other, within in rest]
    return f"{', '.join([told, *items])}."


def _estimated(more: MoneyDifference) -> tuple[str, str]:
    """How much a pair differs, and what stands behind that in a sentence."""
    better = more.turned if more.difference < 0 else more
    amount, ends = estimate_shown(better.difference, better.low, better.high)
    return amount, f"({ends}{_p(more)})"


def _p(more: MoneyDifference) -> str:
    return "" if np.isnan(more.p_adjusted) else f"; p {p_shown(more.p_adjusted)}"

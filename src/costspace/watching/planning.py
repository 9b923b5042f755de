"""What is told of a watch before its first look: the rule, the tolerance, what looks can show."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from costspace.arrays import BoolArray, FloatArray
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.words import alone_shown, exact_shown
from costspace.deployment.actions import FLAG, PASS
from costspace.deployment.conditions import CASES
from costspace.watching.look import other_told
from costspace.watching.restarts import LOOKS_BETWEEN, OF_CHANGES
from costspace.watching.sequences import log_wealth
from costspace.watching.terms import WatchTerms

# More than so many times the mistakes that were expected are not looked at.
_MOST_TIMES = 64.0


def plan_of(terms: WatchTerms, decision: SavedDecision) -> Iterator[str]:
    """What has been fixed, sentence by sentence."""
    tolerated = exact_shown(terms.tolerance)
    others = ", ".join(other_told(one) for one in list(terms.rules)[1:])
    compared = f", and it is compared with {others}" if others else ""
    yield f"{decision.text}."
    yield f"Up to {tolerated} per {CASES:,} cases is tolerated{compared}."
    chance = f"{100 * (1 - terms.level):g} %"
    if terms.looks is None:
        yield (
            "The chance that all rows so far call it worse at any look, while it is not, is "
            f"{chance} at most."
        )
        yield (
            "A change that comes later is told by rows since then, too, with a false alarm once in "
            f"{LOOKS_BETWEEN:,} looks, a day each, at most."
        )
        return
    yield (
        f"The chance that any of {terms.looks:,} looks, a day each, calls it worse, while it is "
        f"not, is {chance} at most."
    )
    if terms.rows is None:
        return
    shown = _least_shown(terms, decision, terms.looks * terms.rows)
    if shown is not None:
        more = alone_shown(shown - terms.tolerance)
        yield (
            f"{terms.looks:,} looks of {terms.rows:,} rows show a cost of {alone_shown(shown)}, "
            f"{more} more than is tolerated, in every second run."
        )


def _least_shown(terms: WatchTerms, decision: SavedDecision, rows: int) -> float | None:
    """The least cost per 1,000 cases that so many rows show, if they come as is expected.

    There are then so many more mistakes of both kinds than the decision expects; None if it does
    not say what it expects.
    """
    found = _expected(terms, decision)
    if found is None:
        return None
    shares, costs, wrong = found
    low, high = terms.cost_range(0)
    certain = -np.log((1 - OF_CHANGES) * (1 - terms.level))

    def of(times: float) -> tuple[FloatArray, float]:
        mistakes = np.minimum(shares * wrong * times, 1.0)
        rest = max(1 - float(mistakes.sum()), 0.0)
        right = shares * ~wrong
        own = mistakes + right * (rest / float(right.sum()))
        return own / own.sum(), float(CASES * (own @ costs) / own.sum())

    def tells(times: float) -> bool:
        own, cost = of(times)
        wealth = log_wealth([rows * own], costs, terms.tolerance / CASES, low=low, high=high)
        return cost > terms.tolerance and bool(wealth[0] >= certain)

    least, most = 0.0, _MOST_TIMES
    if not tells(most):
        return None
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (least, middle) if tells(middle) else (middle, most)
    return of(most)[1]


def _expected(
    terms: WatchTerms, decision: SavedDecision
) -> tuple[FloatArray, FloatArray, BoolArray] | None:
    """The share of each class and action that is expected, what it costs, and which are wrong."""
    own: Any = decision.record.get("recommendation")
    strategies: Any = decision.record.get("strategies", [])
    names = ("model", "choice")
    outcomes = next(
        (
            one.get("outcomes")
            for one in strategies
            if own is not None and all(one.get(name) == own.get(name) for name in names)
        ),
        None,
    )
    if not isinstance(outcomes, dict) or not terms.costs:
        return None
    cells = [
        (outcomes[action][side]["value"], terms.costs[action][positive], action == mistaken)
        for action in terms.costs
        if action in outcomes
        for positive, side, mistaken in ((0, "negative", FLAG), (1, "positive", PASS))
    ]
    shares, costs, wrong = (np.array(one) for one in zip(*cells, strict=True))
    return shares / shares.sum(), costs.astype(float), wrong

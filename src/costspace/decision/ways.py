"""Everything that could be done at deployment, and what it is expected to cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from costspace.condition import cost_from_skew
from costspace.decision.candidates import TRIVIAL_RULES, Candidate
from costspace.decision.contest import Contest
from costspace.decision.model_decision import ModelDecision
from costspace.decision.rule import Rule, ThresholdPath
from costspace.decision.table_row import table_rows_of

# Rounding, relative to what is at stake.
EQUAL = 1e-12


@final
@dataclass(frozen=True)
class Way:
    """Something that could be done, and what it is expected to cost on rows held out.

    It has a rule if one serves all conditions.
    """

    model: str | None
    method: str
    money: float
    rule: Rule | None = None


def ways_of(
    models: Mapping[str, ModelDecision],
    trivial: Mapping[str, float],
    contests: Sequence[Contest],
) -> list[Way]:
    """Everything that could be done, what is simpler first."""
    ways = [
        Way(None, name, money, TRIVIAL_RULES[name])
        for name, money in trivial.items()
        if all(Candidate(None, name) in each.paths for each in contests)
    ]
    for name, model in models.items():
        for method, money in model.ways.items():
            if method == "single":
                rule = model.single and model.single.rule
            else:
                rule = _sole_rule(name, method, contests)
            ways.append(Way(name, method, money, rule))
    return ways


def ranked(money: float) -> float:
    """Money by which ways are put in order, without the digits that processors round otherwise."""
    return float(f"{money:.12g}")


def cheapest(ways: Sequence[Way], trivial: Mapping[str, float]) -> Way:
    """What costs least; of equals, up to rounding, the first."""
    least = min(way.money for way in ways) + EQUAL * max(map(abs, trivial.values()))
    return next(way for way in ways if way.money <= least)


def one_condition(contests: Sequence[Contest]) -> bool:
    """Whether there is but one condition, as far as rules look at it."""
    skews = contests[0].band.conditions.skew_range
    return len(contests) == 1 and skews.low == skews.high


def _sole_rule(model: str, method: str, contests: Sequence[Contest]) -> Rule | None:
    """The one rule of a method that has one: the condition is known, or it ignores the condition.

    Constraints may move the threshold of a method in some bands of prevalence.
    """
    if method == "per_case":
        return None
    candidate = Candidate(model, method)
    rules = [each.rules[candidate] for each in contests]
    if one_condition(contests):
        band = contests[0].band
        skew = band.conditions.skew_range.low
        at = float(cost_from_skew(skew, band.axis))
        (row,) = table_rows_of(candidate, rules[0], at, at, band.axis)
        return row.rule_at(skew)
    fixed = {rule.rule_at(0) for rule in rules if isinstance(rule, ThresholdPath)}
    return fixed.pop() if method == "score_fixed" and len(fixed) == 1 else None

"""What to do, in two sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

from costspace.choices import ScoreDriven
from costspace.condition import cost_from_skew
from costspace.decision.candidates import TRIVIAL_RULES, Candidate
from costspace.decision.model_decision import ModelDecision
from costspace.decision.problem import Contest
from costspace.decision.words import money_shown
from costspace.deployment.conditions import Band
from costspace.rules.rule import Rule, ThresholdPath

_METHODS = MappingProxyType(
    {
        "optimal": "the best threshold for each condition",
        "score_driven": "thresholds that trust its scores, corrected for the prevalence",
        "score_driven_uncorrected": "thresholds that trust its scores as they are",
        "rate_driven": "the share flagged set by the condition",
        "score_fixed": "the threshold 0.5",
        "single": "one threshold for all conditions",
        "per_case": "a threshold for each case, set by its own costs",
    }
)


_FLAGGING = MappingProxyType(
    {"flag_nobody": "flagging nobody", "flag_everybody": "flagging everybody"}
)
# Rounding, relative to what is at stake.
_EQUAL = 1e-12
_LOOSEN = "Loosen one of them, or find a model that ranks better."


@final
@dataclass(frozen=True)
class Recommendation:
    """What to do.

    Attributes
    ----------
    text : str
        In two sentences.
    model : str or None
        None if the rule is trivial, or nothing is feasible.
    method : str or None
        How to set its threshold; "flag_nobody" or "flag_everybody" if no model is worth using,
        None if nothing is feasible.
    money : float or None
        What that is expected to cost per 1,000 cases, on rows held out.
    rule : Rule or None
        The rule itself, if one serves all conditions: the condition is known, or no other is
        better.

    Examples
    --------
    >>> Recommendation("Flag nobody.", None, "flag_nobody", 50.0, None).method
    'flag_nobody'
    """

    text: str
    model: str | None
    method: str | None
    money: float | None
    rule: Rule | None

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        found = {
            "text": self.text,
            "model": self.model,
            "method": self.method,
            "cost_per_1000": self.money,
        }
        return found if self.rule is None else {**found, **self.rule.to_dict()}


@final
@dataclass(frozen=True)
class _Way:
    """Something that could be done, and what it is expected to cost on rows held out.

    It has a rule if one serves all conditions.
    """

    model: str | None
    method: str
    money: float
    rule: Rule | None = None


def recommend(
    models: Mapping[str, ModelDecision],
    trivial: Mapping[str, float],
    contests: Sequence[Contest],
    basis: str,
) -> Recommendation:
    """What costs least on rows held out; of equals the simplest."""
    allowed = [
        rule for rule in trivial if all(Candidate(None, rule) in each.paths for each in contests)
    ]
    ways = _ways(models, {rule: trivial[rule] for rule in allowed}, contests)
    if not ways:
        text = f"Nothing keeps to the constraints: {_reason(contests)} {_LOOSEN}"
        return Recommendation(text, None, None, None, None)
    # Of equals, up to rounding, the first.
    least = min(way.money for way in ways) + _EQUAL * max(map(abs, trivial.values()))
    best = next(way for way in ways if way.money <= least)
    others = sorted((way for way in ways if way is not best), key=lambda way: way.money)
    against = " and ".join(
        f"{money_shown(money)} for {_FLAGGING[name]}"
        f"{'' if name in allowed else ' (which the constraints rule out)'}"
        for name, money in trivial.items()
        if name != best.method
    )
    first = (
        f"{_action(best)}: {money_shown(best.money)} per 1,000 cases ({basis}), against {against}."
    )
    second = _alternative(best, others, models, known=_known(contests))
    return Recommendation(f"{first} {second}", best.model, best.method, best.money, best.rule)


def _reason(contests: Sequence[Contest]) -> str:
    """Why no one thing can be done throughout: what a model says where all models fail."""
    for each in contests:
        if not each.paths:
            return each.reason
    return "each band of prevalence has rules that do, but nothing does so in all of them."


def _ways(
    models: Mapping[str, ModelDecision],
    trivial: Mapping[str, float],
    contests: Sequence[Contest],
) -> list[_Way]:
    """Everything that could be done, what is simpler first."""
    ways = [_Way(None, name, money, TRIVIAL_RULES[name]) for name, money in trivial.items()]
    for name, model in models.items():
        for method, money in model.ways.items():
            if method == "single":
                rule = model.single and model.single.rule
            else:
                rule = _sole_rule(name, method, contests)
            ways.append(_Way(name, method, money, rule))
    return ways


def _sole_rule(model: str, method: str, contests: Sequence[Contest]) -> Rule | None:
    """The one rule of a method that has one: the condition is known, or it ignores the condition.

    Constraints may move the threshold of a method in some bands of prevalence.
    """
    if method == "per_case":
        return None
    rules = [each.rules[Candidate(model, method)] for each in contests]
    if _known(contests):
        return _at_condition(rules[0], contests[0].band)
    fixed = {rule.rule_at(0) for rule in rules if isinstance(rule, ThresholdPath)}
    return fixed.pop() if method == "score_fixed" and len(fixed) == 1 else None


def _known(contests: Sequence[Contest]) -> bool:
    """Whether there is but one condition, as far as rules look at it."""
    skews = contests[0].band.conditions.skew_range
    return len(contests) == 1 and skews.low == skews.high


def _at_condition(rule: ThresholdPath | ScoreDriven, band: Band) -> Rule:
    """The rule at the one condition of a band."""
    skew = band.conditions.skew_range.low
    if isinstance(rule, ScoreDriven):
        trusted = band.axis if rule.calibrated_to is None else rule.calibrated_to
        return Rule(float(cost_from_skew(skew, trusted)))
    return rule.rule_at(float(cost_from_skew(skew, band.axis)))


def _action(way: _Way) -> str:
    if way.rule is not None:
        return (
            f"{way.rule}".capitalize() if way.model is None else f"Use {way.model} and {way.rule}"
        )
    return f"Use {way.model} with {_METHODS[way.method]}"


def _alternative(
    best: _Way, others: Sequence[_Way], models: Mapping[str, ModelDecision], *, known: bool
) -> str:
    if best.model is None:
        with_model = [way for way in others if way.model is not None]
        if not with_model:
            return "No model keeps to the constraints."
        way = with_model[0]
        return (
            f"No model saves money: the best, {way.model} with {_METHODS[way.method]}, costs "
            f"{money_shown(way.money)}."
        )
    fixed = [(way, way.rule) for way in others if way.rule is not None]
    if best.rule is None and fixed:
        way, rule = fixed[0]
        action = f"{rule}" if rule.trivial else f"use {way.model} and {rule}"
        return (
            f"If one threshold must do for all conditions, {action}, at {money_shown(way.money)}."
        )
    rivals = [way for way in others if way.model not in (None, best.model)]
    if rivals:
        return (
            f"The best of the other models, {rivals[0].model} with "
            f"{_METHODS[rivals[0].method]}, costs {money_shown(rivals[0].money)}."
        )
    if known:
        or_limits = " or looser constraints" if models[best.model].prices else ""
        return f"Costs and prevalence are known: only a better model{or_limits} would lower that."
    knowing = models[best.model].knowing
    saved = 0.0 if knowing is None else knowing.both
    return f"Knowing costs and prevalence each time would save up to {money_shown(saved)}."

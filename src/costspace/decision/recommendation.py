"""What to do, in two sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

from costspace.decision.candidates import Candidate
from costspace.decision.model_decision import ModelDecision, SingleRule
from costspace.decision.problem import Contest
from costspace.decision.rules import Rule
from costspace.decision.words import money_shown

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


_TRIVIAL = MappingProxyType({"flag_nobody": "Flag nobody", "flag_everybody": "Flag everybody"})
_FLAGGING = MappingProxyType(
    {"flag_nobody": "flagging nobody", "flag_everybody": "flagging everybody"}
)
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
    """Something that could be done, and what it is expected to cost on rows held out."""

    model: str | None
    method: str
    money: float


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
    ways = _ways(models, {rule: trivial[rule] for rule in allowed})
    if not ways:
        reason = next(iter(contests[0].infeasible.values()))
        text = f"Nothing keeps to the constraints: {reason} {_LOOSEN}"
        return Recommendation(text, None, None, None, None)
    best, *others = sorted(ways, key=lambda way: way.money)
    rule = None
    if best.model is not None and best.method == "single":
        rule = _single(models, best.model).rule
    against = " and ".join(
        f"{money_shown(money)} for {_FLAGGING[name]}"
        f"{'' if name in allowed else ', which the constraints rule out'}"
        for name, money in trivial.items()
        if name != best.method
    )
    first = (
        f"{_action(best, rule)}: {money_shown(best.money)} per 1,000 cases ({basis}), against "
        f"{against}."
    )
    second = _alternative(best, others, models)
    return Recommendation(f"{first} {second}", best.model, best.method, best.money, rule)


def _ways(models: Mapping[str, ModelDecision], trivial: Mapping[str, float]) -> list[_Way]:
    """Everything that could be done, what is simpler first."""
    ways = [_Way(None, rule, money) for rule, money in trivial.items()]
    for name, model in models.items():
        by_method = dict(model.held_out)
        if model.single is not None:
            by_method = {"single": model.single.held_out, **by_method}
        if model.per_case is not None:
            by_method["per_case"] = model.per_case
        ways += [
            _Way(name, method, money) for method, money in by_method.items() if money is not None
        ]
    return ways


def _single(models: Mapping[str, ModelDecision], name: str) -> SingleRule:
    single = models[name].single
    if single is None:
        raise AssertionError(f"{name} is recommended with a single rule and has none")
    return single


def _action(way: _Way, rule: Rule | None) -> str:
    if way.model is None:
        return _TRIVIAL[way.method]
    if rule is not None:
        return f"Use {way.model} and {rule}"
    return f"Use {way.model} with {_METHODS[way.method]}"


def _alternative(best: _Way, others: Sequence[_Way], models: Mapping[str, ModelDecision]) -> str:
    if best.model is None:
        with_model = [way for way in others if way.model is not None]
        if not with_model:
            return "No model keeps to the constraints."
        way = with_model[0]
        return (
            f"No model saves money: the best, {way.model} with {_METHODS[way.method]}, costs "
            f"{money_shown(way.money)}."
        )
    singles = [way for way in others if way.method == "single"]
    if best.method != "single" and singles:
        rule = _single(models, str(singles[0].model)).rule
        action = f"{rule}" if rule.trivial else f"use {singles[0].model} and {rule}"
        return (
            f"If one threshold must do for all conditions, {action}, at "
            f"{money_shown(singles[0].money)}."
        )
    rivals = [way for way in others if way.model not in (None, best.model)]
    if rivals:
        return (
            f"The best of the other models, {rivals[0].model} with "
            f"{_METHODS[rivals[0].method]}, costs {money_shown(rivals[0].money)}."
        )
    return (
        f"Knowing costs and prevalence exactly would save up to "
        f"{money_shown(models[best.model].knowing.both)}."
    )

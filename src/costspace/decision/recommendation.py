"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

from costspace.decision.contest import Contest
from costspace.decision.evidence import MoneyEvidence, WayMoney
from costspace.decision.model_decision import ModelDecision
from costspace.decision.rule import Rule
from costspace.decision.ways import EQUAL, Way, cheapest, one_condition, ranked
from costspace.decision.words import amount_within, money_shown, p_shown

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
_LOOSEN = "Loosen one of them, or find a model that ranks better."


@final
@dataclass(frozen=True)
class Recommendation:
    """What to do.

    Attributes
    ----------
    text : str
        In a few sentences.
    model : str or None
        None if the rule is trivial, or nothing is feasible.
    method : str or None
        How to set its threshold; "flag_nobody" or "flag_everybody" if no model is worth using,
        None if nothing is feasible.
    money : float or None
        What that is expected to cost per 1,000 cases, on rows held out.
    interval : WayMoney or None
        The same with its standard error and interval; None if there is none.
    rule : Rule or None
        The rule itself, if one serves all conditions: the condition is known, or no other is
        better.

    Examples
    --------
    >>> Recommendation("Flag nobody.", None, "flag_nobody", 50.0, None, None).method
    'flag_nobody'
    """

    text: str
    model: str | None
    method: str | None
    money: float | None
    interval: WayMoney | None
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
        if self.interval is not None:
            one = self.interval
            found |= {"se": one.standard_error, "low": one.low, "high": one.high}
        return found if self.rule is None else {**found, **self.rule.to_dict()}


def recommend(
    ways: Sequence[Way],
    models: Mapping[str, ModelDecision],
    trivial: Mapping[str, float],
    contests: Sequence[Contest],
    *,
    evidence: MoneyEvidence | None,
    unaided: float | None,
    basis: str,
) -> Recommendation:
    """What costs least on rows held out; of equals the simplest.

    `unaided` is what the best costs that can be done without a model.
    """
    if not ways or evidence is None:
        text = f"Nothing keeps to the constraints: {_reason(contests)} {_LOOSEN}"
        return Recommendation(text, None, None, None, None, None)
    best = cheapest(ways, trivial)
    others = sorted((way for way in ways if way is not best), key=lambda way: ranked(way.money))
    against = " and ".join(
        f"{money_shown(money)} for {_FLAGGING[name]}"
        f"{'' if _among(name, ways) else ' (which the constraints rule out)'}"
        for name, money in trivial.items()
        if name != best.method
    )
    own = evidence.of(best.model, best.method)
    if own is not None and own.method != "known":
        basis = f"{evidence.said(own)}, {basis}"
    first = (
        f"{_action(best)}: {money_shown(best.money)} per 1,000 cases ({basis}), against {against}."
    )
    rival = _next_best(others, evidence)
    sentences = (
        first,
        _without_model(best, own, rival, unaided),
        _separation(rival, others, evidence),
        _alternative(best, rival, others, models, evidence, known=one_condition(contests)),
        _turned_round(models),
        evidence.note,
    )
    text = " ".join(filter(None, sentences))
    return Recommendation(text, best.model, best.method, best.money, own, best.rule)


def _among(rule: str, ways: Sequence[Way]) -> bool:
    return any(way.model is None and way.method == rule for way in ways)


def _without_model(
    best: Way, own: WayMoney | None, rival: Way | None, unaided: float | None
) -> str:
    """That it may be done without a model, unless the data show that one saves money.

    If the next best needs none and costs as much, what is said of that is enough.
    """
    if best.model is None or unaided is None or (rival is not None and rival.money <= unaided):
        return ""
    at_most = best.money if own is None else own.high
    if at_most < unaided - EQUAL * abs(unaided):
        return ""
    return (
        "The data do not show that it needs a model: flagging nobody, everybody or some at "
        f"random, whichever is best at each condition, costs {money_shown(unaided)}."
    )


def _turned_round(models: Mapping[str, ModelDecision]) -> str:
    """Which models rank positives below negatives."""
    found = [f"{name} (AUC {model.auc:.4g})" for name, model in models.items() if model.auc < 0.5]
    if not found:
        return ""
    ranks = "ranks" if len(found) == 1 else "rank"
    return f"{', '.join(found)} {ranks} positives below negatives: is the right class positive?"


def _next_best(others: Sequence[Way], evidence: MoneyEvidence) -> Way | None:
    """The cheapest of others that does not make the same decisions on all rows."""
    for way in others:
        more = evidence.more(way.model, way.method)
        if more is not None and not more.none:
            return way
    return None


def _separation(rival: Way | None, others: Sequence[Way], evidence: MoneyEvidence) -> str:
    """Whether the data tell the recommended way from the next best."""
    if evidence.reason is not None:
        return f"There are no intervals: {evidence.reason}"
    more = None if rival is None else evidence.more(rival.model, rival.method)
    if rival is None or more is None:
        return ""
    unclear = []
    for way in others:
        one = evidence.more(way.model, way.method)
        if way is not rival and one is not None and not one.none and not evidence.settles(one):
            unclear.append(way)
    by = f"{amount_within(more.difference, more.high - more.low)} per 1,000 cases"
    known = more.method == "known"
    p = f"p {p_shown(more.p_adjusted)}, adjusted for {len(others)} comparisons"
    basis = "" if known else f" ({evidence.said(more)}; {p})"
    if not evidence.settles(more):
        nor = f", nor from {_listed(unclear)}" if unclear else ""
        return (
            f"The data do not separate it from the next best, {_named(rival)}, which costs {by} "
            f"more{basis}{nor}."
        )
    saved = f"It saves {by} over the next best, {_named(rival)}{basis}"
    return (
        f"{saved}. The data do not separate it from {_listed(unclear)}." if unclear else f"{saved}."
    )


def _listed(ways: Sequence[Way]) -> str:
    """Rules that need no model by name, and how many others."""
    named = [_named(way) for way in ways if way.model is None]
    others = len(ways) - len(named)
    if others:
        named.append("one other way" if others == 1 else f"{others} other ways")
    return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _named(way: Way) -> str:
    return (
        _FLAGGING[way.method] if way.model is None else f"{way.model} with {_METHODS[way.method]}"
    )


def _reason(contests: Sequence[Contest]) -> str:
    """Why no one thing can be done throughout: what a model says where all models fail."""
    for each in contests:
        if not each.paths:
            return each.reason
    return "each band of prevalence has rules that do, but nothing does so in all of them."


def _action(way: Way) -> str:
    if way.rule is not None:
        return (
            f"{way.rule}".capitalize() if way.model is None else f"Use {way.model} and {way.rule}"
        )
    return f"Use {way.model} with {_METHODS[way.method]}"


def _alternative(
    best: Way,
    rival: Way | None,
    others: Sequence[Way],
    models: Mapping[str, ModelDecision],
    evidence: MoneyEvidence,
    *,
    known: bool,
) -> str:
    def cost(way: Way) -> str:
        """What a way costs, and what more than the best if that is not said yet."""
        more = "" if way is rival else evidence.more_in_words(way.model, way.method)
        return ", ".join(filter(None, (money_shown(way.money), more)))

    if best.model is None:
        with_model = [
            f"No model saves money: the best, {_named(way)}, costs {cost(way)}."
            for way in others
            if way.model is not None
        ]
        return with_model[0] if with_model else "No model keeps to the constraints."
    fixed = [(way, way.rule) for way in others if way.rule is not None]
    if best.rule is None and fixed:
        way, rule = fixed[0]
        action = f"{rule}" if rule.trivial else f"use {way.model} and {rule}"
        return f"If one threshold must do for all conditions, {action}, at {cost(way)}."
    rivals = [way for way in others if way.model not in (None, best.model)]
    if rivals:
        told = f"The best of the other models, {_named(rivals[0])}, costs {cost(rivals[0])}."
        return "" if rivals[0] is rival else told
    if known:
        or_limits = " or looser constraints" if models[best.model].prices else ""
        return f"Costs and prevalence are known: only a better model{or_limits} would lower that."
    knowing = models[best.model].knowing
    saved = 0.0 if knowing is None else knowing.both
    return f"Knowing costs and prevalence each time would save up to {money_shown(saved)}."

"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, final

import numpy as np

from costspace.choices import Optimal
from costspace.decision.constrained import constrained_money
from costspace.decision.costed import CostedScores
from costspace.decision.evidence import MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedByCondition, FittedStrategy
from costspace.decision.model_decision import ModelDecision
from costspace.decision.rule import Rule
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.decision.words import amount_within, money_shown, p_shown
from costspace.errors import InfeasibleError

# Rounding, relative to what is at stake.
EQUAL = 1e-12
_CHOICES = MappingProxyType(
    {
        "optimal": "the best threshold for each condition",
        "score_driven": "thresholds that trust its scores, corrected for the prevalence",
        "score_driven_uncorrected": "thresholds that trust its scores as they are",
        "rate_driven": "the share flagged set by the condition",
        "score_fixed": "the threshold 0.5",
        "one_threshold": "one threshold for all conditions",
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
    choice : str or None
        The name of the choice that sets its threshold; "flag_nobody" or "flag_everybody" if no
        model is worth using, None if nothing is feasible.
    money : float or None
        What that is expected to cost per 1,000 cases, on rows held out.
    interval : StrategyMoney or None
        The same with its standard error and interval; None if there is none.
    rule : Rule or None
        The rule itself, if one serves all conditions: the condition is known, or no other is
        better.

    Examples
    --------
    >>> Recommendation("Flag nobody.", None, "flag_nobody", 50.0, None, None).choice
    'flag_nobody'
    """

    text: str
    model: str | None
    choice: str | None
    money: float | None
    interval: StrategyMoney | None
    rule: Rule | None

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        one = self.interval
        return {
            "text": self.text,
            "model": self.model,
            "choice": self.choice,
            "rule": None if self.rule is None else self.rule.to_dict(),
            "cost_per_1000": self.money,
            "low": None if one is None else one.low,
            "high": None if one is None else one.high,
        }


def recommend(
    fits: Sequence[FittedStrategy],
    best: FittedStrategy | None,
    evidence: MoneyEvidence | None,
    models: Mapping[str, ModelDecision],
    *,
    trivial: Mapping[str, float],
    basis: str,
) -> Recommendation:
    """What costs least on rows held out; of equals the simplest.

    `fits` are all, feasible or not, and `best` is the cheapest of those that are.
    """
    if best is None or evidence is None or best.money is None:
        text = f"Nothing keeps to the constraints: {_reason(fits)} {_LOOSEN}"
        return Recommendation(text, None, None, None, None, None)
    task, use = best.task, best.strategy
    feasible = [fit for fit in fits if fit.money is not None]
    others = sorted((fit for fit in feasible if fit is not best), key=ranked)
    allowed = {fit.strategy.name for fit in feasible if fit.strategy.model is None}
    against = " and ".join(
        f"{money_shown(money)} for {_FLAGGING[name]}"
        f"{'' if name in allowed else ' (which the constraints rule out)'}"
        for name, money in trivial.items()
        if name != use.name
    )
    own = evidence.of(use)
    if own is not None and own.method != "known":
        basis = f"{evidence.said(own)}, {basis}"
    first = (
        f"{_action(best)}: {money_shown(best.money)} per 1,000 cases ({basis}), against {against}."
    )
    rival = _next_best(others, evidence)
    sentences = (
        first,
        _without_model(best, own, rival),
        _separation(rival, others, evidence),
        _alternative(best, rival, others, models, evidence),
        _turned_round(task),
        evidence.note,
    )
    text = " ".join(filter(None, sentences))
    return Recommendation(text, use.model, use.name, best.money, own, best.rule)


def ranked(fit: FittedStrategy) -> float:
    """Money that puts strategies in order, without the digits that processors round otherwise."""
    return float(f"{fit.money:.12g}")


def cheapest(fits: Sequence[FittedStrategy], trivial: Mapping[str, float]) -> FittedStrategy | None:
    """What costs least; of equals, up to rounding, the first. None if nothing is feasible."""
    costs = [(fit, fit.money) for fit in fits if fit.money is not None]
    if not costs:
        return None
    least = min(money for _, money in costs) + EQUAL * max(map(abs, trivial.values()))
    return next(fit for fit, money in costs if money <= least)


def _without_model(
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
    at_most = best.money if own is None else own.high
    if at_most < unaided - EQUAL * abs(unaided):
        return ""
    return (
        "The data do not show that it needs a model: flagging nobody, everybody or some at "
        f"random, whichever is best at each condition, costs {money_shown(unaided)}."
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


def _turned_round(task: Task) -> str:
    """Which models rank positives below negatives."""
    aucs = {name: scores.rows.auc for name, scores in task.models.items()}
    found = [f"{name} (AUC {auc:.4g})" for name, auc in aucs.items() if auc < 0.5]
    if not found:
        return ""
    ranks = "ranks" if len(found) == 1 else "rank"
    return f"{', '.join(found)} {ranks} positives below negatives: is the right class positive?"


def _next_best(others: Sequence[FittedStrategy], evidence: MoneyEvidence) -> FittedStrategy | None:
    """The cheapest of others that does not make the same decisions on all rows."""
    for fit in others:
        more = evidence.more(fit.strategy)
        if more is not None and not more.none:
            return fit
    return None


def _separation(
    rival: FittedStrategy | None, others: Sequence[FittedStrategy], evidence: MoneyEvidence
) -> str:
    """Whether the data tell the recommended strategy from the next best."""
    if evidence.reason is not None:
        return f"There are no intervals: {evidence.reason}"
    more = None if rival is None else evidence.more(rival.strategy)
    if rival is None or more is None:
        return ""
    unclear = []
    for fit in others:
        one = evidence.more(fit.strategy)
        if fit is not rival and one is not None and not one.none and not evidence.settles(one):
            unclear.append(fit.strategy)
    by = f"{amount_within(more.difference, more.high - more.low)} per 1,000 cases"
    known = more.method == "known"
    p = f"p {p_shown(more.p_adjusted)}, adjusted for {len(others)} comparisons"
    basis = "" if known else f" ({evidence.said(more)}; {p})"
    if not evidence.settles(more):
        nor = f", nor from {_listed(unclear)}" if unclear else ""
        return (
            f"The data do not separate it from the next best, {named(rival.strategy)}, which costs "
            f"{by} more{basis}{nor}."
        )
    saved = f"It saves {by} over the next best, {named(rival.strategy)}{basis}"
    return (
        f"{saved}. The data do not separate it from {_listed(unclear)}." if unclear else f"{saved}."
    )


def _listed(strategies: Sequence[Strategy]) -> str:
    """Rules that need no model by name, and how many others."""
    told = [named(strategy) for strategy in strategies if strategy.model is None]
    others = len(strategies) - len(told)
    if others:
        told.append("one other strategy" if others == 1 else f"{others} other strategies")
    return " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))


def named(strategy: Strategy) -> str:
    """A strategy in words."""
    if strategy.model is None:
        return _FLAGGING[strategy.name]
    return f"{strategy.model} with {_CHOICES.get(strategy.name, strategy.choice.name)}"


def _reason(fits: Sequence[FittedStrategy]) -> str:
    """Why no one thing can be done throughout: what a model says where all models fail."""
    by_condition = [fit for fit in fits if isinstance(fit, FittedByCondition)]
    for i, _ in enumerate(fits[0].task.bands):
        why = gap_in(by_condition, i)
        if why:
            return why
    return "each band of prevalence has rules that do, but nothing does so in all of them."


def gap_in(fits: Sequence[FittedByCondition], place: int) -> str:
    """Why nothing is feasible in a band of prevalence; nothing if something is."""
    if any(place in fit.rules for fit in fits):
        return ""
    with_model = [
        fit for fit in fits if fit.strategy.model is not None and not fit.strategy.committed
    ]
    first = max(with_model, key=lambda fit: fit.strategy.choice.least_loss)
    return f"with {first.strategy.model}, {first.reasons[place]}"


def _action(fit: FittedStrategy) -> str:
    model, rule = fit.strategy.model, fit.rule
    if rule is not None:
        return f"{rule}".capitalize() if model is None else f"Use {model} and {rule}"
    return f"Use {named(fit.strategy)}"


def _alternative(
    best: FittedStrategy,
    rival: FittedStrategy | None,
    others: Sequence[FittedStrategy],
    models: Mapping[str, ModelDecision],
    evidence: MoneyEvidence,
) -> str:
    def cost(fit: FittedStrategy) -> str:
        """What one costs, and what more than the best if that is not said yet."""
        more = "" if fit is rival else evidence.more_in_words(fit.strategy)
        return ", ".join(filter(None, (money_shown(fit.money), more)))

    model = best.strategy.model
    if model is None:
        with_model = [
            f"No model saves money: the best, {named(fit.strategy)}, costs {cost(fit)}."
            for fit in others
            if fit.strategy.model is not None
        ]
        return with_model[0] if with_model else "No model keeps to the constraints."
    fixed = [(fit, fit.rule) for fit in others if fit.rule is not None]
    if best.rule is None and fixed:
        fit, rule = fixed[0]
        action = f"{rule}" if rule.trivial else f"use {fit.strategy.model} and {rule}"
        return f"If one threshold must do for all conditions, {action}, at {cost(fit)}."
    rivals = [fit for fit in others if fit.strategy.model not in (None, model)]
    if rivals:
        first = rivals[0]
        told = f"The best of the other models, {named(first.strategy)}, costs {cost(first)}."
        return "" if first is rival else told
    if best.task.sole_condition is not None:
        or_limits = " or looser constraints" if best.task.constraints else ""
        return f"Costs and prevalence are known: only a better model{or_limits} would lower that."
    knowing = models[model].knowing
    saved = 0.0 if knowing is None else knowing.both
    return f"Knowing costs and prevalence each time would save up to {money_shown(saved)}."

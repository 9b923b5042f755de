"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from costspace.decision.cautions import EQUAL, doubted, turned_round, without_model
from costspace.decision.evidence import MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedByCondition, FittedStrategy
from costspace.decision.rule import Rule
from costspace.decision.strategy import Strategy
from costspace.decision.terms import flagging, named
from costspace.decision.words import (
    amount_within,
    known_within,
    listed,
    money_shown,
    p_shown,
    thresholds_shown,
)

_LOOSEN = "Loosen one of them, or find a model that ranks better."
_FEW_ROWS = "Few rows decide, so that these intervals may be too narrow."


@final
@dataclass(frozen=True)
class Recommendation:
    """What to do.

    Attributes
    ----------
    sentences : tuple of str
        The instruction; then what it costs, and how sure that is.
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
    warnings : tuple of str
        What speaks against it.

    Examples
    --------
    >>> Recommendation(("Flag nobody.",), None, "flag_nobody", 50.0, None, None).text
    'Flag nobody.'
    """

    sentences: Sequence[str]
    model: str | None
    choice: str | None
    money: float | None
    interval: StrategyMoney | None
    rule: Rule | None
    warnings: Sequence[str] = ()

    @property
    def text(self) -> str:
        """All of it in a few sentences."""
        return " ".join(self.sentences)

    def __str__(self) -> str:
        return self.text


def recommend(
    fits: Sequence[FittedStrategy],
    best: FittedStrategy | None,
    evidence: MoneyEvidence | None,
    *,
    trivial: Mapping[str, float],
) -> Recommendation:
    """What costs least on rows held out; of equals the simplest.

    `fits` are all, feasible or not, and `best` is the cheapest of those that are.
    """
    doubts = doubted(fits[0].task)
    if best is None or evidence is None or best.money is None:
        nothing = f"Nothing keeps to the constraints: {_reason(fits)}"
        sentences = nothing, _LOOSEN, *doubts
        return Recommendation(sentences, None, None, None, None, None, warnings=doubts)
    use, own = best.strategy, evidence.of(best.strategy)
    feasible = [fit for fit in fits if fit.money is not None]
    others = sorted((fit for fit in feasible if fit is not best), key=ranked)
    rival = _next_best(others, evidence)
    against = (without_model(best, own, rival), turned_round(best.task), *doubts)
    sentences = (
        _instruction(best),
        _cost(best, own, feasible, evidence, trivial=trivial),
        _separation(rival, others, evidence),
        _alternative(best, rival, others, evidence),
        *against,
        "" if evidence.note is None else _FEW_ROWS,
    )
    return Recommendation(
        *(tuple(filter(None, sentences)), use.model, use.name, best.money, own, best.rule),
        warnings=tuple(filter(None, (*against, evidence.note))),
    )


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


def by_auc(
    fits: Sequence[FittedStrategy],
    best: FittedStrategy | None,
    evidence: MoneyEvidence | None,
    *,
    trivial: Mapping[str, float],
) -> str | None:
    """What choosing by AUC would come to, if that is another model than recommended."""
    if best is None or best.strategy.model is None or evidence is None or best.money is None:
        return None
    chosen = best.strategy.model
    aucs = {name: scores.rows.auc for name, scores in best.task.models.items()}
    first = max(aucs, key=lambda name: aucs[name])
    if first == chosen or aucs[first] == aucs[chosen]:
        return None
    rival = cheapest([fit for fit in fits if fit.strategy.model == first], trivial)
    if rival is None or rival.money is None:
        return None
    known = evidence.more(rival.strategy)
    interval = "" if known is None else f" ({evidence.said(known)})"
    return (
        f"By AUC, {first} ({aucs[first]:.4f}) would be chosen and not {chosen} "
        f"({aucs[chosen]:.4f}): at its best that costs {money_shown(rival.money - best.money)} "
        f"more per 1,000 cases{interval}."
    )


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
    by = amount_within(more.difference, more.high - more.low)
    known = more.method == "known"
    p = f"p {p_shown(more.p_adjusted)}, adjusted for {len(others)} comparisons"
    basis = "" if known else f" ({evidence.said(more)}; {p})"
    if not evidence.settles(more):
        nor = f", nor from {_listed(unclear)}" if unclear else ""
        return (
            f"The data do not separate it from the next best, {named(rival.strategy)}, which costs "
            f"{by} more{basis}{nor}."
        )
    saved = f"It saves {by}{basis} over the next best, {named(rival.strategy)}"
    return (
        f"{saved}. The data do not separate it from {_listed(unclear)}." if unclear else f"{saved}."
    )


def _listed(strategies: Sequence[Strategy]) -> str:
    """Rules that need no model by name, and how many others."""
    told = [named(strategy) for strategy in strategies if strategy.model is None]
    others = len(strategies) - len(told)
    if others:
        told.append("one other strategy" if others == 1 else f"{others} other strategies")
    return listed(told)


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


def _instruction(fit: FittedStrategy) -> str:
    """What to do, with its number."""
    model, rule = fit.strategy.model, fit.rule
    if model is None:
        return f"{rule}.".capitalize()
    if rule is not None:
        return f"Use {model}: {rule}."
    if not isinstance(fit, FittedByCondition):
        return f"Use {model}: flag scores above a threshold that each case's own costs set."
    low, middle, high = fit.rules_across()
    # What rounding tells apart looks the same.
    if f"{low}" == f"{middle}" == f"{high}":
        what = f"{middle}"
    elif _by_one_threshold(low) and _by_one_threshold(high) and low != high:
        first, last = thresholds_shown(*low.cuts, *high.cuts, digits=3)
        direction = "lower" if low.cuts[0] < high.cuts[0] else "higher"
        what = f"flag scores above {first} to {last}, {direction} where misses weigh more"
    else:
        what = (
            f"{low} where misses weigh most, {middle} in between, {high} where false alarms "
            "weigh most"
        )
    return f"Use {named(fit.strategy)}: {what}."


def _by_one_threshold(rule: Rule) -> bool:
    return rule.by == "score" and len(rule.cuts) == 1 and not rule.randomised


def _cost(
    best: FittedStrategy,
    own: StrategyMoney | None,
    feasible: Sequence[FittedStrategy],
    evidence: MoneyEvidence,
    *,
    trivial: Mapping[str, float],
) -> str:
    """What it costs, and what flagging nobody and everybody would."""
    allowed = {fit.strategy.name for fit in feasible if fit.strategy.model is None}
    width = 0.0 if own is None else own.high - own.low
    interval = "" if own is None or own.method == "known" else f" ({evidence.said(own)})"
    against = [
        f"{flagging(name)} {known_within(money, width)}"
        f"{'' if name in allowed else ' (not allowed)'}"
        for name, money in trivial.items()
        if name != best.strategy.name
    ]
    return (
        f"It costs {amount_within(best.money or 0.0, width)} per 1,000 cases{interval}, "
        f"{listed(against)}."
    )


def _alternative(
    best: FittedStrategy,
    rival: FittedStrategy | None,
    others: Sequence[FittedStrategy],
    evidence: MoneyEvidence,
) -> str:
    def cost(fit: FittedStrategy) -> str:
        """What one costs, and what more than the best if that is not said yet."""
        one = evidence.of(fit.strategy)
        more = "" if fit is rival else evidence.more_in_words(fit.strategy)
        amount = amount_within(fit.money or 0.0, 0.0 if one is None else one.high - one.low)
        return ", ".join(filter(None, (amount, more)))

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
        return f"If one threshold must do for all, {action}, at {cost(fit)}."
    rivals = [fit for fit in others if fit.strategy.model not in (None, model)]
    if not rivals or rivals[0] is rival:
        return ""
    return f"The best of the other models, {named(rivals[0].strategy)}, costs {cost(rivals[0])}."

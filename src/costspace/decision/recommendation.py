"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from costspace.decision.cautions import beyond_limits, doubted, few_told, turned_round
from costspace.decision.choosing import EQUAL, Choosing
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedByCondition, FittedStrategy
from costspace.decision.knowing import knowing_more
from costspace.decision.rule import Rule
from costspace.decision.terms import flagging, named
from costspace.decision.words import (
    amount_within,
    interval_shown,
    known_within,
    listed,
    money_shown,
    thresholds_shown,
)

_LOOSEN = "Loosen one of them, or find a model that ranks better."
# Of money, this share may be luck.
_MOST_LUCK = 0.1


@final
@dataclass(frozen=True)
class Recommendation:
    """What to do.

    Attributes
    ----------
    sentences : tuple of str
        How far the data can tell, if that is not far; the instruction; what it costs, and how sure
        that is.
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
    shown : bool
        Whether the data show that it saves money against what needs no model.
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
    shown: bool = False
    warnings: Sequence[str] = ()

    @property
    def text(self) -> str:
        """All of it in a few sentences."""
        return " ".join(self.sentences)

    def __str__(self) -> str:
        return self.text


def recommend(
    fits: Sequence[FittedStrategy],
    choosing: Choosing | None,
    evidence: MoneyEvidence | None,
    *,
    trivial: Mapping[str, float],
    weights: str,
) -> Recommendation:
    """What is chosen among fitted strategies, feasible or not, in words."""
    doubts = doubted(fits[0].task)
    if choosing is None or evidence is None:
        nothing = f"Nothing keeps to the constraints: {_reason(fits)}"
        sentences = nothing, _LOOSEN, *doubts
        return Recommendation(sentences, None, None, None, None, None, warnings=doubts)
    best, use, own = choosing.best, choosing.strategy, evidence.of(choosing.strategy)
    against = turned_round(choosing.task), *doubts
    plain = [fit for fit in choosing.fits if fit.strategy.model is None]
    allowed = {fit.strategy.name for fit in plain}
    least = min(plain, key=ranked, default=None)
    saved = None if least is None else evidence.more(least.strategy)
    shown = use.model is not None and _saves(own, saved)
    sentences = (
        _untold(choosing, own, evidence),
        "" if shown or not allowed else "No model is shown to save money.",
        _instruction(best),
        _cost(choosing, own, evidence, trivial=trivial, allowed=allowed),
        _saving(least, saved) if shown else "",
        _in_use(choosing, evidence),
        *(beyond_limits(fit) for fit in choosing.fits if fit.strategy == choosing.task.baseline),
        _next_best(choosing, evidence),
        _luck(choosing),
        "" if own is None else knowing_more(choosing, level=evidence.level, weights=weights),
        *against,
    )
    return Recommendation(
        *(tuple(filter(None, sentences)), use.model, use.name, choosing.money, own, best.rule),
        shown=shown,
        warnings=tuple(filter(None, against)),
    )


def ranked(fit: FittedStrategy) -> float:
    """Money that puts strategies in order, without the digits that processors round otherwise."""
    return float(f"{fit.money:.12g}")


def by_auc(choosing: Choosing | None, evidence: MoneyEvidence | None) -> str | None:
    """What choosing by AUC would come to, if that is another model than recommended."""
    if choosing is None or evidence is None or choosing.strategy.model is None:
        return None
    chosen, models = choosing.strategy.model, choosing.task.models
    aucs = {name: scores.rows.auc for name, scores in models.items()}
    first = max(aucs, key=lambda name: aucs[name])
    rivals = [fit for fit in choosing.fits if fit.strategy.model == first]
    if first == chosen or aucs[first] == aucs[chosen] or not rivals:
        return None
    rival = Choosing(rivals).best
    known = evidence.more(rival.strategy)
    interval = "" if known is None else f" ({evidence.said(known)})"
    more = (rival.money or 0.0) - choosing.money
    return (
        f"By AUC, {first} ({aucs[first]:.4f}) would be chosen and not {chosen} "
        f"({aucs[chosen]:.4f}): that costs {money_shown(more)} more per 1,000 cases{interval}."
    )


def _saves(own: StrategyMoney | None, saved: MoneyDifference | None) -> bool:
    """Whether the data show that it costs less than what needs no model and is allowed."""
    if own is None or saved is None:
        return own is not None
    return saved.low > EQUAL * own.money


def _untold(choosing: Choosing, own: StrategyMoney | None, evidence: MoneyEvidence) -> str:
    """That the data cannot tell, where few rows decide or the interval is wider than the money."""
    if evidence.reason is not None:
        return f"There is no interval: {evidence.reason}"
    clustered = choosing.task.held_out.judged.groups is not None
    few = few_told(evidence.units, clustered=clustered)
    if few:
        return few
    if own is not None and own.high - own.low > abs(own.money) > 0:
        return "The data cannot tell what it costs: the interval is wider than the money."
    return ""


def _saving(least: FittedStrategy | None, saved: MoneyDifference | None) -> str:
    """What is saved against the best of what needs no model."""
    if least is None or saved is None:
        return ""
    amount = amount_within(saved.difference, saved.high - saved.low)
    ends = interval_shown(saved.low, saved.high)
    return f"It saves {amount} ({ends}) over {flagging(least.strategy.name)}."


def _in_use(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What is saved against the rule in use."""
    baseline = choosing.task.baseline
    more = None if baseline is None else evidence.more(baseline)
    if more is None:
        return ""
    if more.none:
        return "The rule in use does the same."
    saved = amount_within(more.difference, more.high - more.low)
    told = "" if more.low > 0 else "It is not shown to save money over the rule in use: "
    what = f"{saved} ({evidence.said(more)})"
    return f"{told}{what}." if told else f"It saves {what} over the rule in use."


def _next_best(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What the cheapest of another model costs more, and whether the data tell the two apart."""
    use = choosing.strategy.model
    others = [fit for fit in choosing.fits if fit.strategy.model not in (None, use)]
    others = [fit for fit in others if fit.strategy != choosing.task.baseline]
    for fit in sorted(others, key=ranked):
        more = evidence.more(fit.strategy)
        if more is None or more.none:
            continue
        width = more.high - more.low
        what = f"{amount_within(more.difference, width)} more ({evidence.said(more)})"
        if use is None:
            return f"The best with a model, {named(fit.strategy)}, costs {what}."
        told = "" if evidence.settles(more) else "; the data do not separate the two"
        return f"The best of the other models, {named(fit.strategy)}, costs {what}{told}."
    return ""


def _luck(choosing: Choosing) -> str:
    """How much of what seems to be saved may be luck, if that is much."""
    luck = choosing.selection
    if luck <= _MOST_LUCK * abs(choosing.money):
        return ""
    return (
        f"On the rows that it was chosen on it seems to cost {luck:.2g} less: that much of what "
        "is saved there is luck."
    )


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
    with_model = [fit for fit in fits if fit.strategy.model is not None]
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
        return f"Use {named(fit.strategy)}: each case's own costs set its threshold."
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
    choosing: Choosing,
    own: StrategyMoney | None,
    evidence: MoneyEvidence,
    *,
    trivial: Mapping[str, float],
    allowed: set[str],
) -> str:
    """What it costs, and what flagging nobody and everybody would."""
    width = 0.0 if own is None else own.high - own.low
    interval = "" if own is None or own.method == "known" else f" ({evidence.said(own)})"
    against = [
        f"{flagging(name)} {known_within(money, width)}"
        f"{'' if name in allowed else ' (not allowed)'}"
        for name, money in trivial.items()
        if name != choosing.strategy.name
    ]
    return (
        f"It costs {amount_within(choosing.money, width)} per 1,000 cases{interval}, "
        f"{listed(against)}."
    )

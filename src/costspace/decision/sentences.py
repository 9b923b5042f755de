"""What is recommended, sentence by sentence."""

from collections.abc import Mapping, Sequence

from costspace.decision.cautions import few_told
from costspace.decision.choosing import Choosing
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedByCondition, FittedStrategy
from costspace.decision.rule import Rule
from costspace.decision.terms import flagging, named
from costspace.decision.words import (
    amount_within,
    interval_shown,
    known_within,
    listed,
    sides_shown,
    thresholds_shown,
)

# Of money, this share may be luck.
_MOST_LUCK = 0.1
# If this share of all parts of the rows choose otherwise, it is said.
_OFTEN_OTHERWISE = 0.2


def instruction(fit: FittedStrategy) -> str:
    """What to do, with its number."""
    model, rule = fit.strategy.model, fit.rule
    if model is None:
        return f"{rule}.".capitalize()
    if fit.strategy == fit.task.baseline:
        return f"Keep the rule in use, {model}: {rule}."
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


def untold(
    choosing: Choosing, own: StrategyMoney | None, evidence: MoneyEvidence, *, shown: bool
) -> str:
    """That the data cannot tell, where few rows decide or the interval is wider than the money."""
    if evidence.reason is not None:
        return f"There is no interval: {evidence.reason}"
    clustered = choosing.task.judged.rows.groups is not None
    few = few_told(evidence.units, clustered=clustered)
    if few:
        return few
    if own is not None and own.high - own.low > abs(own.money) > 0:
        if shown:
            return "The data cannot tell what it costs, only that it saves money."
        return "The data cannot tell what it costs: the interval is wider than the cost."
    return ""


def not_shown(choosing: Choosing, least: FittedStrategy | None) -> str:
    """That no model is shown to save money, and whether any seems to on rows held out."""
    told = "No model is shown to save money"
    if least is None:
        return f"{told}."
    without = flagging(least.strategy.name)
    if choosing.strategy.model is None or choosing.money < (least.money or 0.0):
        return f"{told} over {without}."
    return f"{told}: on rows held out, {without} costs no more."


def cost(
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


def saving(least: FittedStrategy | None, saved: MoneyDifference | None) -> str:
    """What is saved against the best of what needs no model."""
    if least is None or saved is None:
        return ""
    amount = amount_within(saved.difference, saved.high - saved.low)
    ends = interval_shown(saved.low, saved.high)
    return f"It saves {amount} ({ends}) over {flagging(least.strategy.name)}."


def in_use(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What is saved against the rule in use."""
    baseline = choosing.task.baseline
    more = None if baseline is None else evidence.more(baseline)
    if more is None:
        return ""
    if more.none:
        return "The rule in use does the same."
    amount, side, within = _beside(more, evidence, "less", "more")
    if more.low > 0:
        return f"It saves {amount} {within} over the rule in use."
    told = "" if more.high < 0 else "It is not shown to save money over the rule in use: "
    return f"{told or 'Against the rule in use '}it costs {amount} {side} {within}."


def next_best(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What the cheapest of another model costs more, and whether the data tell the two apart."""
    use = choosing.strategy.model
    others = [fit for fit in choosing.fits if fit.strategy.model not in (None, use)]
    others = [fit for fit in others if fit.strategy != choosing.task.baseline]
    for fit in sorted(others, key=ranked):
        more = evidence.more(fit.strategy)
        if more is None or more.none or (use is None and _flags_nobody(fit.rule)):
            continue
        what = " ".join(_beside(more, evidence, "more", "less"))
        if use is None:
            return f"The best with a model, {named(fit.strategy)}, costs {what}."
        told = "" if evidence.settles(more) else "; the data do not separate the two"
        if told and not more.low <= 0 <= more.high:
            told = "; all comparisons allowed for, the data do not separate the two"
        return f"The best of the other models, {named(fit.strategy)}, costs {what}{told}."
    return ""


def _beside(
    more: MoneyDifference, evidence: MoneyEvidence, above: str, below: str
) -> tuple[str, str, str]:
    """A difference without its sign, the word for that, and the interval on the same side."""
    low, high = more.low, more.high
    side = above
    if more.difference < 0:
        low, high, side = -high, -low, below
    amount = amount_within(abs(more.difference), high - low)
    other = below if side == above else above
    within = sides_shown(low, high, side, other)
    return amount, side, f"({100 * evidence.level:g} % interval {within})"


def unsettled(choosing: Choosing, own: StrategyMoney | None) -> str:
    """How often other rows would choose otherwise, if that is often, and what that adds."""
    use, parts = choosing.strategy, choosing.in_parts
    others = sum(fit.strategy != use for fit in parts)
    if use.model is None or others < _OFTEN_OTHERWISE * len(parts):
        return ""
    told = f"In {others} of {len(parts)} parts of the rows another model or choice costs least"
    width = 0.0 if own is None else own.high - own.low
    alone = choosing.best.money
    by_itself = choosing.money if alone is None else alone
    said = amount_within(by_itself, width)
    if by_itself >= choosing.money or said == amount_within(choosing.money, width):
        return f"{told}, and the cost allows for that."
    return f"{told}. The cost allows for that: by itself this rule costs {said}."


def luck(choosing: Choosing) -> str:
    """How much of what seems to be saved may be luck, if that is much."""
    less = choosing.selection
    if less <= _MOST_LUCK * abs(choosing.money):
        return ""
    return (
        f"On the rows that it was chosen on it seems to cost {less:.2g} less: that much of what "
        "is saved there is luck."
    )


def no_model(fits: Sequence[FittedStrategy]) -> str:
    """Why no model keeps to the limits, if none does."""
    task = fits[0].task
    own = [fit for fit in fits if fit.strategy.model and fit.strategy != task.baseline]
    if not own or any(fit.feasible and not _flags_nobody(fit.rule) for fit in own):
        return ""
    if any(fit.feasible for fit in own):
        return "No model that flags anybody keeps to the limits." if task.limits else ""
    return f"No model keeps to the limits: with {own[0].strategy.model}, {own[0].reason}"


def why_nothing(fits: Sequence[FittedStrategy]) -> str:
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


def _flags_nobody(rule: Rule | None) -> bool:
    return rule is not None and rule.trivial and not rule.flagged([0.0])[0]


def ranked(fit: FittedStrategy) -> float:
    """Money that puts strategies in order, without the digits that processors round otherwise."""
    return float(f"{fit.money:.12g}")

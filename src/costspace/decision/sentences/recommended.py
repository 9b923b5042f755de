"""What is recommended, sentence by sentence."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from costspace.arrays import BoolArray
from costspace.decision.evidence.money_evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitting.choosing import EQUAL, Choosing, Priced
from costspace.decision.fitting.fitted import FittedByCondition, FittedStrategy
from costspace.decision.fitting.fitted_by_case import FittedByCase
from costspace.decision.fitting.fitted_review_queue import FittedReviewQueue
from costspace.decision.limits.stretches import Chain, feasible_stretches
from costspace.decision.money.at_stake import ranks_by_stake
from costspace.decision.rules.rule import Rule
from costspace.decision.sentences.cautions import few_told
from costspace.decision.sentences.terms import (
    by_one_threshold,
    flagging,
    named,
    of_column,
    places_told,
)
from costspace.decision.sentences.varying import where_flagged
from costspace.decision.strategy import CASE, CONDITION, REVIEW_EVERYBODY, TRIVIAL, Strategy
from costspace.decision.task import Task
from costspace.decision.words import (
    alone_shown,
    amount_shown,
    decimals_for,
    estimate_shown,
    exact_shown,
    listed,
    roughly_shown,
    sides_shown,
    thresholds_shown,
)
from costspace.deployment.actions import ACTIONS, FLAG
from costspace.scores.table import ScoreTable

# Of money, this share may be luck.
_MOST_LUCK = 0.1
# So many models that do the same are named.
_FEW = 3
_ALL = "everybody", "nobody"
_CORRECTED = " after correction"


def stated_of(choosing: Choosing, *, turned: str) -> FittedStrategy:
    """The strategy that the answer is of: what is recommended, or the best model.

    Where a rule without a model is recommended the best one is stated nevertheless, unless all of
    them flag everybody or nobody, or models are `turned` round, which has to be mended first.
    """
    best = choosing.best
    if turned or best.strategy.model is not None:
        return best
    models = [one for one in choosing.candidates if one.strategy.model and not one.same_for_all]
    return choosing.cheapest(models) if models else best


def instruction(fit: FittedStrategy, *, shown: bool) -> str:
    """What to do, with its number; what to do with a model, if none is `shown` to save money."""
    model, rule, names = fit.strategy.model, fit.rule, fit.task.names
    if model is None:
        return f"{rule and rule.called(names)}.".capitalize()
    kept = fit.strategy == fit.task.baseline
    use = "keep the rule in use," if kept else "use"
    use = use.capitalize() if shown else f"If you use a model, {use}"
    if rule is not None:
        places = fit.strategy.choice.places if rule.by == "share" else None
        each = "" if places is None or not places.in_each else f", {places.in_each} in each batch"
        return f"{use} {model}: {rule.called(names)}{of_column(model, rule)}{each}."
    if isinstance(fit, FittedReviewQueue):
        return f"{use} {model}: {fit.queue.said(names, places_told(fit.places))}."
    return f"{use} {named(fit.strategy)}: {_by_what_is_known(fit)}."


def _by_what_is_known(fit: FittedStrategy) -> str:
    """What a strategy does that sets its thresholds by what is known of each case."""
    passes, reviews, flags = (fit.task.names.get(action, action) for action in ACTIONS)
    if not fit.strategy.reviews:
        return _by_costs(fit, flags) if isinstance(fit, FittedByCase) else _across(fit, flags)
    flag, rest = fit.flagging, fit.passing
    if isinstance(flag, FittedByCase) and isinstance(rest, FittedByCase):
        above = [f"{what} above {_mostly(one)}" for what, one in ((flags, flag), (reviews, rest))]
        return f"each case's costs set its thresholds, {', '.join(above)}, {passes} the rest"
    return f"{_across(flag, flags)}; {_across(rest, reviews, 'those')}; {passes} the rest"


def _told(rule: Rule, act: str, whose: str = "scores") -> str:
    """A rule that flags, with the word for what it does, and for what it does that to."""
    told = f"{rule}".removeprefix(f"{FLAG} ")
    above = told.removeprefix("scores ")
    return f"{act} {told}" if told == above else f"{act} {whose} {above}"


def _by_costs(fit: FittedByCase, act: str) -> str:
    """The same where each case's costs set its threshold."""
    told, mostly = "each case's costs set its threshold", _mostly(fit)
    if not mostly:
        return told
    return _told(fit.usual[0], act) if fit.same_for_all_costs else f"{told}, {mostly}"


def _mostly(fit: FittedByCase) -> str:
    """Between what most thresholds are; "" if these are not of one score each."""
    low, high = fit.usual
    if not (by_one_threshold(low) and by_one_threshold(high)):
        return ""
    first, last = thresholds_shown(*sorted((*low.cuts, *high.cuts)), digits=3)
    return f"mostly {first}" if first == last else f"mostly {first} to {last}"


def _across(fit: FittedStrategy, act: str, whose: str = "scores") -> str:
    """The same where the condition does."""
    where = where_flagged(fit.task.seen, fit.task.known)
    return _by_condition(*cast(FittedByCondition, fit).rules_across(), where, (act, whose))


def _by_condition(
    low: Rule,
    middle: Rule,
    high: Rule,
    where: tuple[str, str, str],
    words: tuple[str, str] = (FLAG, "scores"),
) -> str:
    """Rules at the end of the conditions where they flag most, in between, and where least.

    These are named by `where` more is flagged, where most is, and where least.
    """
    more, most, least = where
    at_low, between, at_high = (_told(rule, *words) for rule in (low, middle, high))
    # What rounding tells apart looks the same.
    if at_low == between == at_high:
        return between
    if by_one_threshold(low) and by_one_threshold(high) and low != high:
        first, last = thresholds_shown(*low.cuts, *high.cuts, digits=3)
        direction = "lower" if low.cuts[0] < high.cuts[0] else "higher"
        return f"{' '.join(words)} above {first} to {last}, {direction} where {more}"
    first, last = f"{at_low} where {most}", f"{at_high} where {least}"
    if between == at_high:
        return f"{first}, else {between}"
    if between == at_low:
        return f"{last}, else {between}"
    return f"{first}, {between} in between, {last}"


def untold(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """That the data cannot tell, where few rows decide."""
    if evidence.reason is not None:
        return f"There is no interval: {evidence.reason}"
    return few_told(choosing.task, evidence)


def not_shown(least: FittedStrategy) -> str:
    """That no model is shown to save money against the best of what needs none."""
    return f"No model is shown to save money over {flagging(least.strategy.name)}."


def cost(priced: Priced, own: StrategyMoney | None, evidence: MoneyEvidence) -> str:
    """What a strategy costs."""
    amount = alone_shown(priced.money)
    if own is not None:
        known = own.method == "known"
        amount = exact_shown(priced.money) if known else evidence.said(priced.money, own)
    return f"It costs {amount} per 1,000 cases."


def without_model(
    stated: Strategy,
    evidence: MoneyEvidence,
    *,
    trivial: Mapping[str, float],
    allowed: set[str],
) -> str:
    """What flagging nobody and everybody costs, and reviewing them, but for what is stated.

    These are called so whatever the actions are called.
    """
    told = []
    for strategy in (*TRIVIAL, REVIEW_EVERYBODY):
        if strategy != stated and strategy.name in trivial:
            one = evidence.of(strategy)
            amount = exact_shown(trivial[strategy.name]) if one is None else one.shown[0]
            ruled_out = "" if strategy.name in allowed else " (not allowed)"
            told.append(f"{flagging(strategy.name)} costs {amount}{ruled_out}")
    return f"{', '.join(told)}.".capitalize()


def saving(
    least: FittedStrategy | None, saved: MoneyDifference | None, evidence: MoneyEvidence
) -> str:
    """What is saved against the best of what needs no model."""
    if least is None or saved is None:
        return ""
    return _saves(saved, flagging(least.strategy.name), evidence)


def _saves(more: MoneyDifference, against: str, evidence: MoneyEvidence, *, use: str = "it") -> str:
    """What is saved, and whether that is clear."""
    amount, ends = estimate_shown(more.difference, more.low, more.high)
    unclear = "" if evidence.is_clear(more) else f"; not clear{_CORRECTED}"
    return f"{use.capitalize()} saves {amount} ({ends}) against {against}{unclear}."


def in_use(choosing: Choosing, evidence: MoneyEvidence, *, stated: bool) -> str:
    """What is saved against the rule in use by what is recommended, which is `stated` or named."""
    baseline = choosing.task.baseline
    more = None if baseline is None else evidence.more(baseline)
    if more is None or more.none:
        return "" if more is None else "The rule in use does the same."
    use = "it" if stated else flagging(choosing.strategy.name)
    if more.high < 0:
        amount, ends = sides_shown(more.difference, more.low, more.high, "less", "more")
        return f"Against the rule in use {use} costs {amount} ({ends})."
    if more.low > 0:
        return _saves(more, "the rule in use", evidence, use=use)
    amount, ends = sides_shown(more.difference, more.low, more.high, "saved", "lost")
    use = use.capitalize()
    return f"{use} is not shown to save money against the rule in use: {amount} ({ends})."


def next_best(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What the cheapest of another model costs more, and whether the data tell the two apart."""
    use = choosing.strategy.model
    if use is None:
        return ""
    own = None, *choosing.own_models
    # Also what does the same as a rule of what is recommended: it is theirs as well.
    others = [fit for fit in choosing.fits if fit.strategy.model not in own]
    others = [fit for fit in others if fit.strategy != choosing.task.baseline]
    for fit in sorted(others, key=lambda one: choosing.priced(one).ranked):
        more = evidence.more(fit.strategy)
        if more is None or more.none or fit.same_for_all:
            continue
        amount, ends = sides_shown(more.difference, more.low, more.high, "more", "less")
        name, costs = fit.strategy.model, f"costs {amount} ({ends})"
        if evidence.settles(more):
            return f"The next best model, {name}, {costs}."
        # One of many comparisons may look clear by chance.
        several = "" if more.low <= 0 <= more.high else _CORRECTED
        return f"No clear winner{several}: {name} {costs}."
    return ""


def same(choosing: Choosing) -> str:
    """Which other models would do the same on all rows, if any."""
    best = choosing.best
    if best.strategy.model is None:
        return ""
    alike = {str(fit.strategy.model) for fit in choosing.alike(best)}
    models = sorted(alike - {best.strategy.model})
    told = (
        models if len(models) <= _FEW else [*models[: _FEW - 1], f"{len(models) - _FEW + 1} more"]
    )
    return (
        f"{listed(told)} {'does' if len(models) == 1 else 'do'} the same on all rows."
        if told
        else ""
    )


def needless(fit: FittedStrategy) -> str:
    """That a rule of a model looks at nothing that is known at each decision, if so."""
    known, strategy = fit.task.known & CONDITION, fit.strategy
    if strategy.model is None or strategy == fit.task.baseline or strategy.known or not known:
        return ""
    if CASE in fit.task.known:
        # Whoever has such a column needs no advice to have one.
        if any(ranks_by_stake(fit.task.rows, model) for model in fit.task.models):
            return ""
        return (
            "It ranks by score, whatever a case costs: a column of score times cost, as another "
            "model, ranks by what is at stake."
        )
    return f"Knowing the {' and the '.join(sorted(known))} changes nothing."


def margin_told(margin: float, own: StrategyMoney | None, *, others: bool = False) -> str:
    """That costs include a margin, where the digits of such a cost show it.

    Of `others` alone, if that of what is stated has none.
    """
    shown, told = margin, alone_shown(margin)
    if own is not None and own.low < own.high:
        decimals = decimals_for((own.low, own.high), own.high - own.low)
        shown, told = round(margin, decimals), amount_shown(margin, decimals)
    if not shown > 0:
        return ""
    costs = "Other costs" if others else "Costs"
    return f"{costs} include a margin of {told}, because the best of several is partly lucky."


def luck(evidence: MoneyEvidence, money: float) -> str:
    """How much of what seems to be saved may be luck, if that is much."""
    less = evidence.selection
    if less <= _MOST_LUCK * abs(money):
        return ""
    amount = roughly_shown(less)
    return (
        f"On the rows that it was chosen on it costs {amount} less: that is optimism. Expect the "
        "held-out cost."
    )


def no_model(fits: Sequence[FittedStrategy]) -> str:
    """Why no model keeps to the limits, if none does."""
    task = fits[0].task
    own = [fit for fit in fits if fit.strategy.model and fit.strategy != task.baseline]
    if not own or any(fit.feasible and not (fit.rule and fit.rule.trivial) for fit in own):
        return ""
    if any(fit.feasible for fit in own):
        return _only(task) if task.limits else ""
    nearest = min(own, key=lambda fit: (fit.shortfall, -_auc(fit)))
    return f"No model keeps to the limits: with {nearest.strategy.model}, {nearest.reason}"


def _only(task: Task) -> str:
    """That models can only flag nobody or everybody within the limits, if so."""
    limits, ends, all_of = task.limits_with_room, np.array(task.whole.ends), set[str]()
    for scores in task.models.values():
        points = Chain.of_cuts(scores.rows).points
        held: BoolArray = np.all(limits.holds(points, ends[:, None]), axis=0)
        if held[1:-1].any():
            return ""
        # The points go from flagging everybody to flagging nobody.
        all_of |= {who for who, holds in zip(_ALL, held[[0, -1]], strict=True) if holds}
    told = f"within the limits models can only flag {' or '.join(sorted(all_of))}."
    if task.randomise or not any(_with_draws(scores.rows, task) for scores in task.models.values()):
        return told.capitalize()
    groups = "" if task.rows.groups is None else ", for which each group counts as one row"
    return f"With a margin for chance{groups}, {told} Without a margin: --randomise."


def _with_draws(table: ScoreTable, task: Task) -> bool:
    """Whether other rules of a model keep to the limits without a margin, some by a draw."""
    found = feasible_stretches(Chain.of_cuts(table), task.limits, np.array(task.whole.ends))
    return bool(np.any(found.low < found.high))


def impossible(task: Task) -> str:
    """That two limits exclude each other whatever the model, if so."""
    limits, most = task.constraints.limits, max(task.whole.ends)
    capacity, recall = limits.get("capacity"), limits.get("min_recall")
    if capacity is None or recall is None or recall * most <= capacity * (1 + EQUAL):
        return ""
    return (
        f"at prevalence {most:g}, recall of at least {100 * recall:g} % flags at least "
        f"{100 * recall * most:.4g} % of the cases, above {100 * capacity:g} %, whatever the model."
    )


def why_nothing(fits: Sequence[FittedStrategy]) -> str:
    """Why no one rule can be used everywhere: what a model says where all models fail."""
    by_condition = [fit for fit in fits if isinstance(fit, FittedByCondition)]
    for i, _ in enumerate(fits[0].task.bands):
        why = _gap_in(by_condition, i)
        if why:
            return why
    return "each range of prevalence has rules that do, but no rule does in all of them."


def _gap_in(fits: Sequence[FittedByCondition], place: int) -> str:
    """Why nothing is feasible in a band of prevalence; nothing if something is.

    The rule in use does not count, which has a rule whether it keeps to limits or not.
    """
    fits = [fit for fit in fits if fit.strategy != fit.task.baseline]
    if any(place in fit.rules for fit in fits):
        return ""
    with_model = [fit for fit in fits if fit.strategy.model is not None]
    nearest = min(with_model, key=lambda fit: (fit.reasons[place].shortfall, -_auc(fit)))
    return f"with {nearest.strategy.model}, {nearest.reasons[place]}"


def _auc(fit: FittedStrategy) -> float:
    return fit.task.models[fit.strategy.whose_scores].rows.auc

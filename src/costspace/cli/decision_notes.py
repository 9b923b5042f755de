"""What is said below the table of a decision, the most important first."""

from collections.abc import Iterator, Sequence

import numpy as np

from costspace.arrays import FloatArray
from costspace.cli.decision_table import counted
from costspace.cli.lines import wrapped
from costspace.decision.decision import Decision
from costspace.decision.fitting.choosing import Priced
from costspace.decision.fitting.fitted_queue import FittedQueue
from costspace.decision.fitting.fitted_review_queue import FittedReviewQueue
from costspace.decision.rules.actions import chances_of
from costspace.decision.rules.rule import Rule
from costspace.decision.sentences.terms import flagging, meaning, named, names_of, of_column
from costspace.decision.words import (
    alone_shown,
    amount_shown,
    decimals_for,
    listed,
    thresholds_shown,
)

_HIDDEN = "Not shown:"


def needed_notes(
    decision: Decision,
    fits: Sequence[Priced],
    shown: Sequence[Priced],
    *,
    first: Sequence[str],
    beside: Sequence[str],
) -> list[str]:
    """The notes that room is kept for, those of the answer that go `first` among them."""
    hidden = [fit for fit in fits if fit not in shown]
    told = [
        *(*first, *beside, decision.recommendation.choosing, _one_by_one(decision, shown)),
        *(_saving_across(decision), _not_shown(fits[0], hidden)),
        *(_sharing(decision, shown), _without_line(decision, fits)),
        decision.recommendation.settling,
    ]
    return list(filter(None, told))


def other_notes(decision: Decision, shown: Sequence[Priced]) -> list[str]:
    """The cost over the ranges given, and what terms mean."""
    # The range is of what is recommended, as the answer is unless the best model is stated.
    own = decision.recommendation.stated == decision.strategy
    told = own and decision.saving_range is None
    across = _across("cost", decision.cost_range) if told else ""
    return list(filter(None, [across, *_terms(decision, shown)]))


def in_lines(notes: Sequence[str]) -> list[str]:
    """Notes that begin on lines of their own, but for those that a line has room for whole."""
    lines: list[str] = []
    for note in notes:
        joined = wrapped(f"{lines[-1]} {note}") if lines else []
        lines = [*lines[:-1], *joined] if len(joined) == 1 else [*lines, *wrapped(note)]
    return lines


def in_room(notes: Sequence[str], room: int, margin: str) -> list[str]:
    """The `margin`, how many are not shown, and what others there is room for, in so many lines."""
    kept = [note for note in notes if note == margin or note.startswith(_HIDDEN)]
    if len(in_lines(kept)) > room:
        kept = [margin]
    said: list[str] = []
    for note in notes:
        rest = [one for one in kept if one in notes and one not in (*said, note)]
        if note in kept or len(in_lines([*said, note, *rest])) <= room:
            said.append(note)
    return in_lines(said)


def _sharing(decision: Decision, shown: Sequence[Priced]) -> str:
    """Which names share a line of the table, where it has only the first of each."""
    if not counted(decision, shown):
        return ""
    names = [names_of(decision.alike(fit.strategy)) for fit in shown]
    alike = dict.fromkeys(listed(own) for both in names for own in both if len(own) > 1)
    return f"The same on all rows: {'; '.join(alike)}."


def _not_shown(first: Priced, others: Sequence[Priced]) -> str:
    """How many strategies are not shown, none of which costs less than the first."""
    if not others:
        return ""
    more = "no less" if any(one.ranked == first.ranked for one in others) else "more"
    return f"{_HIDDEN} {len(others)} that {_cost(len(others))} {more} than the first."


def _cost(number: int) -> str:
    return "costs" if number == 1 else "cost"


def _without_line(decision: Decision, fits: Sequence[Priced]) -> str:
    """The models, and strategies of others, without a line since they flag everybody or nobody."""
    choosing = decision.choosing
    if choosing is None:
        return ""
    lines = [one for fit in fits for one in decision.alike(fit.strategy) if fit.strategy.model]
    named_models = {one.model for one in lines}
    found: dict[tuple[bool, str], list[str]] = {}
    for model in decision.task.models:
        own = [fit for fit in choosing.fits if fit.strategy.model == model]
        ruled = [(fit.strategy, choosing.stands_for[fit.strategy].rule) for fit in own]
        does = {
            strategy: f"{rule}"
            for strategy, rule in ruled
            if rule and rule.trivial and strategy not in lines
        }
        if does and model not in named_models:
            either = " or ".join(sorted({*does.values()})).replace(" or flag ", " or ")
            found.setdefault((True, either), []).append(model)
        elif model in named_models:
            for strategy, who in does.items():
                found.setdefault((False, who), []).append(named(strategy))
    return " ".join(
        f"With {listed(what)}{' alone' if alone else ''}: {who}."
        for (alone, who), what in found.items()
    )


def _one_by_one(decision: Decision, shown: Sequence[Priced]) -> str:
    """The threshold in place of a queue, for cases that are decided one by one."""
    queue = None if decision.choosing is None else decision.choosing.best
    if isinstance(queue, FittedReviewQueue):
        return _reviewed_one_by_one(queue)
    if not isinstance(queue, FittedQueue):
        return ""
    single, model = decision.rules.one_by_one, queue.strategy.model
    if single is None or model is None:
        return ""
    at, span = single.on(decision.task.models[model].rows), decision.conditions.prevalence_range
    shares = sorted({(1 - p) * at.fpr + p * (1 - at.fnr) for p in (span.low, span.high)})
    (cut,) = thresholds_shown(single.cuts[0])
    percent = " to ".join(f"{100 * share:.3g}" for share in shares)
    where = f" at prevalence {span.low:.3g} to {span.high:.3g}" if len(shares) > 1 else ""
    rule = f"flag scores above {cut}{of_column(model, single)}"
    kept = ""
    if queue.places.batches:
        cost = alone_shown(_money_of(single, queue))
        kept = f"; within the places of 19 of 20 batches; costs {cost}"
    more = _margin_of(decision, shown)
    return f"One by one: {rule}, which flags {percent} % of the cases{where}{kept}{more}."


def _reviewed_one_by_one(queue: FittedReviewQueue) -> str:
    """The same of a queue in which reviews have places."""
    single, cost = queue.one_by_one, alone_shown(queue.by_thresholds.money)
    if single is None:
        return ""
    rule = single.called(queue.task.names)
    return f"One by one: {rule}; within the places of 19 of 20 batches; costs {cost}."


def _margin_of(decision: Decision, shown: Sequence[Priced]) -> str:
    """Why thresholds of the table are others than the one for cases that come one by one."""
    rules = [fit.fit.rule for fit in shown if fit.strategy != decision.task.baseline]
    cuts = any(rule is not None and rule.by == "score" and not rule.trivial for rule in rules)
    # Those that are drawn between meet limits exactly.
    if decision.task.randomise or not cuts:
        return ""
    return "; thresholds in the table keep a margin for chance"


def _money_of(rule: Rule, queue: FittedQueue) -> float:
    """What a rule in place of a queue costs per 1,000 cases on held-out rows."""
    task, judged, model = queue.task, queue.task.judged, queue.strategy.whose_scores

    def losses(scores: FloatArray, *, positive: bool) -> FloatArray:
        return task.losses_of(np.full(len(scores), positive), chances_of(rule.flagged(scores)))

    table = task.held_out.judged_table(model)
    return task.money_of(judged.values(model, judged.of_part(None), table, losses))


def _saving_across(decision: Decision) -> str:
    """What the recommended rule saves against the rule in use over the ranges given."""
    use, stated = decision.strategy, decision.recommendation.stated
    of = "" if use is None or use == stated else f" of {flagging(use.name)}"
    return _across(f"saving{of} against the rule in use", decision.saving_range)


def _across(what: str, ends: Sequence[float] | None) -> str:
    if ends is None:
        return ""
    decimals = decimals_for(ends)
    least, most = (amount_shown(end, decimals) for end in ends)
    return "" if least == most else f"Over the ranges given the {what} goes from {least} to {most}."


def _keeping(decision: Decision) -> str:
    """How thresholds keep to limits."""
    limits = decision.task.limits
    if not limits:
        return ""
    few = "" if limits.batch is None else ", to the capacity in 19 of 20 batches"
    return f"thresholds keep to the limits{few}"


def _terms(decision: Decision, shown: Sequence[Priced]) -> Iterator[str]:
    """What terms mean, one sentence each."""
    notes = [
        *dict.fromkeys(meaning(fit.strategy) for fit in shown),
        _keeping(decision),
        _clear(decision),
        _untested(decision, shown),
    ]
    return (f"{note[0].upper()}{note[1:]}." for note in notes if note)


def _clear(decision: Decision) -> str:
    """When a difference is clear."""
    evidence = decision.evidence
    if evidence is None or evidence.reason is not None:
        return ""
    return f"clear is an adjusted p below {1 - evidence.level:.3g}"


def _untested(decision: Decision, shown: Sequence[Priced]) -> str:
    """Why some differences are not tested, if some are not."""
    evidence = decision.evidence
    more = [] if evidence is None else [evidence.more(fit.strategy) for fit in shown]
    if evidence is None or not any(one is not None and evidence.same_model(one) for one in more):
        return ""
    return "thresholds of one model are not tested against each other"

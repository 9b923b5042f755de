"""A decision on one screen: what to do, what it costs, and how sure that is."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console

from costspace.cli.console import say
from costspace.cli.decision_notes import in_lines, in_room, needed_notes, other_notes
from costspace.cli.decision_table import CHOICE_LENGTH, apart, decision_table, most_telling
from costspace.cli.lines import LINES, first_fitting, paragraph, shortened, wrapped
from costspace.cli.tables import interval_heading
from costspace.decision.decision import Decision
from costspace.decision.evidence.counted import Count
from costspace.decision.evidence.kept import LimitKept
from costspace.decision.evidence.outcomes import Outcomes
from costspace.decision.fitting.choosing import Priced
from costspace.decision.sentences.terms import flagging, term
from costspace.decision.words import (
    alone_shown,
    estimate_shown,
    limit_shown,
    sides_shown,
)
from costspace.deployment.conditions import CASES

_MOST_ANSWER, _MOST_STRATEGIES = 3, 8
# For what is said of strategies, so many lines are kept.
_LEAST_STRATEGIES, _MOST_NOTES = 4, 4
# With an empty line, the headings and a line of notes.
_LEAST_OF_TABLE = _LEAST_STRATEGIES + 3
# How long names in sentences may be, and how many lines the assumptions take: the first that leave
# room for the table.
_LENGTHS = ((40, 3), (24, 2), (16, 1))
_LEFT_OUT = "More warnings and limits: --details."
_REST = "the rest is in --details"
_MORE = "More: --details. Full precision: --json. A page to share: costspace report."


def print_decision(
    decision: Decision, console: Console, *, last: Sequence[str] = (), details: bool = False
) -> None:
    """Print what to do, what it costs, against what, its outcomes, and what was assumed.

    The `last` lines say how to go on, by default where more is. Where `details` follow, these say
    what was assumed, and no warning or limit is left out for lack of room.
    """
    last = last or ([] if details else [_MORE])
    outcomes, limits = _outcomes(decision), _limits(decision)
    drafts = [
        _draft(
            decision,
            length,
            [*outcomes, *paragraph(limits)],
            [*([] if details else _assumed(decision, most)), *last],
        )
        for length, most in _LENGTHS
    ]
    draft = next((one for one in drafts if one.room >= _LEAST_OF_TABLE), drafts[-1])
    missing = max(_LEAST_OF_TABLE - draft.room, 0)
    cautions, kept = paragraph(draft.cautions), paragraph(limits)
    if missing and not details:
        # Warnings make room for the table first, then limits; where a line is left, it says so.
        lines = len(cautions) + len(kept) - missing
        note = [_LEFT_OUT] if lines > 0 else []
        most = max(len(cautions) - missing - len(note), 0)
        kept = paragraph(limits, lines - most - len(note))
        cautions = [*paragraph(draft.cautions, most), *note]
    say(console, *draft.instruction, style="bold")
    say(console, *draft.cost, *cautions)
    _print_strategies(decision, console, draft, draft.room + missing)
    say(console, *outcomes, *kept)
    say(console, *draft.foot, style="dim")


class _Draft(NamedTuple):
    """What stands around the table, how many lines there are for that, and what is said below it.

    What of the answer had no room comes first there. Cautions are sentences, all else is lines.
    """

    instruction: list[str]
    cost: list[str]
    cautions: list[str]
    foot: list[str]
    room: int
    first: list[str]
    beside: list[str]


def _draft(decision: Decision, name_length: int, outcomes: list[str], foot: list[str]) -> _Draft:
    found = decision.recommendation

    def said(*texts: str) -> list[str]:
        return [_with_short_names(text, decision, name_length) for text in texts if text]

    # That no model is shown to save money stands before what to do with one.
    instruction = wrapped(" ".join(said(found.not_shown, found.instruction)))
    cost, beside = said(found.cost), said(*found.beside)
    room = _MOST_ANSWER - len(instruction)
    while beside and len(wrapped(" ".join([*cost, beside[0]]))) <= room:
        cost.append(beside.pop(0))
    if len(cost) == 1 and decision.task.baseline not in (None, decision.strategy):
        # What is saved against the rule in use belongs to the answer, whatever its length.
        cost, beside = [*cost, *beside[:1]], beside[1:]
    cautions = said(*found.told, *found.warnings)
    foot = ["", *foot] if foot else []
    costs = paragraph(cost)
    around_table = [*instruction, *costs, *paragraph(cautions), *outcomes, *foot]
    first = beside[:1] if len(cost) == 1 else []
    rest = beside[len(first) :]
    return _Draft(instruction, costs, cautions, foot, LINES - len(around_table), first, rest)


def _with_short_names(text: str, decision: Decision, length: int) -> str:
    """A sentence with long names of models and choices shortened."""
    lengths = {term(fit.strategy): max(length, CHOICE_LENGTH) for fit in decision.fits}
    lengths |= dict.fromkeys(decision.task.models, length)
    for name in sorted(lengths, key=len, reverse=True):
        text = text.replace(name, shortened(name, lengths[name], lengths))
    return text


def _print_strategies(decision: Decision, console: Console, draft: _Draft, room: int) -> None:
    """A table of what could be done and what is to be said of it, in so many lines."""
    if decision.choosing is None:
        return
    fits = apart(decision, decision.choosing)
    shown, notes = _fitting(decision, fits, draft, room)
    console.print()
    console.print(decision_table(decision, shown))
    notes = [*notes, *other_notes(decision, shown)]
    margin = decision.recommendation.choosing
    say(console, *in_room(notes, max(room - 2 - len(shown), 1), margin), style="dim")


def _fitting(
    decision: Decision, fits: Sequence[Priced], draft: _Draft, room: int
) -> tuple[list[Priced], list[str]]:
    """The strategies that there is room for, and the notes that they leave room for."""

    def those(most: int) -> tuple[list[Priced], list[str]]:
        shown = most_telling(decision, fits, most)
        return shown, needed_notes(decision, fits, shown, first=draft.first, beside=draft.beside)

    for most in range(_MOST_STRATEGIES, _LEAST_STRATEGIES - 1, -1):
        shown, notes = those(most)
        if 2 + len(shown) + min(len(in_lines(notes)), _MOST_NOTES) <= room:
            return shown, notes
    shown, notes = those(_LEAST_STRATEGIES)
    # One more is hidden, where some are and need a line that says so: not the rule in use.
    hidden = len(fits) > len(shown) and decision.task.baseline is None
    return those(_LEAST_STRATEGIES - 1) if hidden else (shown, notes)


def _outcomes(decision: Decision) -> list[str]:
    """What becomes of 1,000 cases, with intervals, and the rates of rules that look at scores."""
    if decision.recommendation.choice is None:
        return []
    found = decision.outcomes(decision.recommendation.stated)
    positive = alone_shown(CASES * decision.conditions.mean_prevalence)
    cells = [
        *(("flagged", _count(found.flagged)), ("true positives", _count(found.true_positives))),
        ("false positives", _count(found.false_positives)),
        ("false negatives", _count(found.false_negatives)),
    ]
    reviewed = {"reviewed": found.reviewed, "their positives": found.reviewed_positives}
    cells += [(name, _count(one)) for name, one in reviewed.items() if one is not None]
    left = max(len(text) for _, text in cells[::2])
    rows = zip(cells[::2], cells[1::2], strict=True)
    evidence = decision.evidence
    sure = evidence is not None and evidence.reason is None
    intervals = f", {interval_heading(decision.level)}s" if sure else ""
    return [
        "",
        f"Of 1,000 cases, {positive} of them positive (by this rule{intervals}):",
        *(f"{a:15} {b:{left}}  {c:15} {d}" for (a, b), (c, d) in rows),
        *_rates(found),
        *_in_use(decision),
    ]


def _rates(found: Outcomes) -> list[str]:
    """Precision and recall, in a line."""
    rates = {"precision": found.precision, "recall": found.recall}
    told = [f"{name} {_count(one, '%')}" for name, one in rates.items() if one is not None]
    return [f"Held-out: {', '.join(told)}."]


def _in_use(decision: Decision) -> list[str]:
    """What the rule in use does beside that, if there is one."""
    use = decision.task.baseline
    if use is None or use == decision.recommendation.stated:
        return []
    found = decision.outcomes(use)
    flagged, right, missed = (
        alone_shown(one.value)
        for one in (found.flagged, found.true_positives, found.false_negatives)
    )
    return [f"In use: flagged {flagged}, of them {right} positive; false negatives {missed}."]


def _limits(decision: Decision) -> list[str]:
    """How each limit is kept, in a sentence or two each."""
    stated, found = decision.recommendation.stated, []
    # What a limit costs is told of what is recommended, all else of what is stated.
    use = decision.strategy
    whose = "" if use is None or use == stated else f"for {flagging(use.name)} "
    for one in decision.limits_kept():
        low, high = one.reached_low, one.reached_high
        ends = None if low is None or high is None else (low, high)
        at = one.prevalence if one.by_prevalence else None
        kept = limit_shown(one.name, one.status, one.reached, ends, at)
        limit = decision.constraints.sentence(one.name)
        found.append(f"{limit}: {kept}; {whose}{_price(one)}.".capitalize())
    return found


def _price(one: LimitKept) -> str:
    """What a limit costs, in words."""
    if one.costs == 0:
        return "the limit costs nothing"
    if one.costs_low > 0:
        amount, ends = estimate_shown(one.costs, one.costs_low, one.costs_high)
        return f"the limit costs {amount} ({ends})"
    amount, ends = sides_shown(one.costs, one.costs_low, one.costs_high, "lost", "saved")
    if not ends:
        return f"by the limit {amount}"
    return f"the limit is not shown to cost anything: {amount} ({ends})"


def _count(count: Count, unit: str = "") -> str:
    """A count with its interval, or a share in percent."""
    scale, after = (100.0, " %") if unit else (1.0, "")
    if count.low is None or count.high is None or count.low == count.high:
        return f"{alone_shown(scale * count.value)}{after}"
    said, ends = estimate_shown(*(scale * x for x in (count.value, count.low, count.high)))
    return f"{said}{after} ({ends})"


def _assumed(decision: Decision, most: int) -> list[str]:
    """What was assumed of costs and prevalence, and what was compared on, in so many lines.

    What has no room is among the details. Limits have lines of their own.
    """
    task = decision.task.assumptions
    parts = [*(one.replace(" known: ", " ") for one in task), f"compared on {decision.basis}"]
    fewer = ([*parts[:shown], _REST] for shown in range(len(parts) - 1, 0, -1))
    return first_fitting((f"Assumed: {'; '.join(some)}." for some in (parts, *fewer)), most)

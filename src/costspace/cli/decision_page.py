"""A decision on one screen: what to do, what it costs, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable, say
from costspace.cli.lines import LINES, WIDTH, cut, shortened, wrapped
from costspace.cli.tables import NONE, interval_heading
from costspace.decision.cautions import limits_broken
from costspace.decision.decision import Decision
from costspace.decision.evidence import MoneyDifference, MoneyEvidence
from costspace.decision.fitted import FittedStrategy
from costspace.decision.fitted_decisions import FittedDecisions
from costspace.decision.kept import LimitKept
from costspace.decision.outcomes import Count
from costspace.decision.sentences import cost_alone, ranked
from costspace.decision.strategy import FLAG_NOBODY
from costspace.decision.terms import meaning, rule_in_short, term
from costspace.decision.words import (
    alone_shown,
    amount_shown,
    decimals_for,
    estimate_shown,
    known_beside,
    limit_shown,
    sides_shown,
)
from costspace.deployment.conditions import CASES

# An empty line, the headings, two strategies and a line of notes.
_LEAST_OF_TABLE, _MOST_STRATEGIES = 5, 8
# How long names in sentences may be, and how many lines the assumptions take: the first that leave
# room for the table.
_LENGTHS = ((40, 3), (24, 2), (16, 1))
# A column of names keeps at least this much.
_SHORTEST_COLUMN = 8
# How much of the name of a choice is shown, which may be a user's own, at least.
_CHOICE = 24
_MORE = "More: --details. Full precision: --json. A page to share: costspace report."


def print_decision(
    decision: Decision, console: Console, *, last: str | None = None, assumed: bool = True
) -> None:
    """Print what to do, what it costs, against what, its outcomes, and what was `assumed`.

    The `last` line says what else there is, by default where there is more.
    """
    outcomes = _outcomes(decision)
    said = wrapped(_assumed(decision)) if assumed else []
    last = _MORE if last is None else last
    drafts = [_draft(decision, *lengths, around=(outcomes, said, last)) for lengths in _LENGTHS]
    draft = next((one for one in drafts if one.room >= _LEAST_OF_TABLE), drafts[-1])
    for line in draft.instruction:
        say(console, line, "bold")
    missing = max(_LEAST_OF_TABLE - draft.room, 0)
    for line in ("", *cut(draft.costs, len(draft.costs) - missing)):
        say(console, line)
    _print_strategies(decision, console, draft.room + missing)
    for line in outcomes:
        say(console, line)
    for line in draft.foot:
        say(console, line, "dim")


class _Draft(NamedTuple):
    """The lines around the table, and how many there are for that."""

    instruction: list[str]
    costs: list[str]
    foot: list[str]
    room: int


def _draft(
    decision: Decision,
    name_length: int,
    most_assumed: int,
    *,
    around: tuple[list[str], list[str], str],
) -> _Draft:
    outcomes, assumed, last = around
    first, *rest = _sentences(decision, name_length)
    instruction, costs = wrapped(first), wrapped(" ".join(rest))
    told = [*cut(assumed, most_assumed), *filter(None, [last])]
    foot = ["", *told] if told else []
    return _Draft(
        instruction, costs, foot, LINES - len([*instruction, "", *costs, *outcomes, *foot])
    )


def _sentences(decision: Decision, name_length: int) -> list[str]:
    """What is recommended, with long names of models and choices shortened."""
    first, *rest = decision.recommendation.answer
    found = [first, *rest[:1], *_across(decision), *rest[1:], *decision.recommendation.warnings]
    lengths = {term(fit.strategy): max(name_length, _CHOICE) for fit in decision.fits}
    lengths |= dict.fromkeys(decision.task.models, name_length)
    for name in sorted(lengths, key=len, reverse=True):
        found = [text.replace(name, shortened(name, lengths[name])) for text in found]
    return found


def _across(decision: Decision) -> list[str]:
    """What the recommended rule costs over the ranges given, beside its mean."""
    if decision.cost_range is None:
        return []
    low, high = decision.cost_range
    decimals = decimals_for((low, high))
    mildest, harshest = (amount_shown(end, decimals) for end in (low, high))
    told = f"under the mildest conditions given it costs {mildest}, under the harshest {harshest}"
    return [f"That is the mean; {told}."]


def _print_strategies(decision: Decision, console: Console, room: int) -> None:
    """A table of what could be done, in so many lines, the cheapest first."""
    fits = _apart(decision)
    if not fits:
        return
    # Beside an empty line, the headings, and a line of notes, or two if choosing has a cost.
    beside = 4 if _chosen(decision) else 3
    shown = fits[: min(max(room - beside, 2), _MOST_STRATEGIES)]
    in_use = [fit for fit in fits[len(shown) :] if fit.strategy == decision.task.baseline]
    shown = [*shown[: len(shown) - len(in_use)], *in_use]
    console.print()
    console.print(_table(decision, shown))
    others = [fit for fit in fits if fit not in shown]
    for line in _notes(decision, shown, others, max(room - 2 - len(shown), 1)):
        say(console, line, "dim")


def _notes(
    decision: Decision,
    shown: Sequence[FittedStrategy],
    others: Sequence[FittedStrategy],
    room: int,
) -> list[str]:
    """How many strategies are not shown, and what terms mean, in so many lines."""
    more = _not_shown(decision, others)
    lines: list[str] = []
    said: list[str] = []
    moved = "thresholds keep to the limits" if decision.task.limits else ""
    own, *notes = dict.fromkeys(meaning(fit.strategy) for fit in shown)
    said_of = (_clear(decision), _untested(decision, shown))
    cheaper, chosen = _cheaper(decision, [*shown, *others]), _chosen(decision)
    first = (cheaper, more, chosen, own) if chosen else (cheaper, own, more)
    for note in filter(None, (*first, *notes, moved, *said_of)):
        longer = wrapped(f"{'; '.join([*said, note])}.".capitalize())
        if len(longer) <= room:
            said, lines = [*said, note], longer
    return lines


def _not_shown(decision: Decision, others: Sequence[FittedStrategy]) -> str:
    """How many strategies are not shown, and whether they cost more."""
    if not others:
        return ""
    less = sum(_costs_less(decision, fit) for fit in others)
    several = "one other" if len(others) == 1 else f"{len(others)} others"
    if 0 < less < len(others):
        return f"{less} of {several} {'costs' if less == 1 else 'cost'} less"
    return f"{several} {'costs' if len(others) == 1 else 'cost'} {'less' if less else 'more'}"


def _costs_less(decision: Decision, fit: FittedStrategy) -> bool:
    """Whether one costs less than what is recommended, on held-out rows."""
    money = decision.recommendation.money
    return money is not None and ranked(fit) < float(f"{money:.12g}")


def _cheaper(decision: Decision, fits: Sequence[FittedStrategy]) -> str:
    """Why what is recommended is not what costs least here, if so."""
    if decision.recommendation.model is None:
        return ""
    new = [fit for fit in fits if fit.strategy != decision.task.baseline]
    if not any(_costs_less(decision, fit) for fit in new):
        return ""
    return "the first cost least on the rows that set thresholds"


def _chosen(decision: Decision) -> str:
    """What of the cost comes of choosing among models, if other rows would choose otherwise."""
    choosing, evidence = decision.choosing, decision.evidence
    if choosing is None or evidence is None or choosing.strategy.model is None:
        return ""
    alone = cost_alone(choosing, evidence.of(choosing.strategy))
    return f"the first's cost allows for choosing it ({alone} without)" if alone else ""


def _clear(decision: Decision) -> str:
    """When a difference is clear."""
    evidence = decision.evidence
    if evidence is None or evidence.reason is not None:
        return ""
    return f"clear is an adjusted p below {1 - evidence.level:.3g}"


def _untested(decision: Decision, shown: Sequence[FittedStrategy]) -> str:
    """Why some differences are not tested, if some are not."""
    evidence = decision.evidence
    more = [] if evidence is None else [evidence.more(fit.strategy) for fit in shown]
    if evidence is None or not any(one is not None and evidence.same_model(one) for one in more):
        return ""
    return "thresholds of one model are not tested against each other"


def _apart(decision: Decision) -> list[FittedStrategy]:
    """The recommended strategy, then others by cost, but for those that decide as one before."""
    found: dict[object, FittedStrategy] = {}
    feasible = [fit for fit in decision.fits if fit.money is not None]
    own, evidence = decision.recommendation, decision.evidence
    for fit in sorted(feasible, key=ranked):
        more = None if evidence is None else evidence.more(fit.strategy)
        if more is None or not more.none:
            model, rule = fit.strategy.model, fit.rule
            same = fit.strategy if rule is None else (model, str(rule), ranked(fit))
            found.setdefault(same, fit)
    return sorted(
        found.values(),
        key=lambda fit: (fit.strategy.model, fit.strategy.name) != (own.model, own.choice),
    )


def _table(decision: Decision, fits: Sequence[FittedStrategy]) -> Table:
    """The table of strategies, whose names of models are as long as there is room for."""
    columns = _columns(decision, fits)
    models = [NONE if fit.strategy.model is None else printable(fit.strategy.model) for fit in fits]
    needed = min(max(map(cell_len, models)), _SHORTEST_COLUMN)
    for dropped in ("threshold", "clear", "extra", interval_heading(decision.level)):
        if _room_for_models(columns) < needed:
            columns.pop(dropped, None)
    room = max(_room_for_models(columns), _SHORTEST_COLUMN)
    table = Table(box=None, pad_edge=False)
    table.add_column("model", no_wrap=True)
    for name in columns:
        number = name not in ("method", "threshold")
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    for model, *cells in zip(models, *columns.values(), strict=True):
        table.add_row(*map(Text, (shortened(model, room), *cells)))
    return table


def _room_for_models(columns: Mapping[str, Sequence[str]]) -> int:
    """How wide the models' names may be beside other columns."""
    return WIDTH - sum(2 + max(map(cell_len, (name, *cells))) for name, cells in columns.items())


def _columns(decision: Decision, fits: Sequence[FittedStrategy]) -> dict[str, list[str]]:
    """The cells of the table by column, without the models."""
    evidence = decision.evidence
    found = [None if evidence is None else evidence.of(fit.strategy) for fit in fits]
    columns = {
        "method": [shortened(printable(_method(decision, fit)), _CHOICE) for fit in fits],
        "threshold": [_threshold(fit) for fit in fits],
    }
    if evidence is None or evidence.reason is not None:
        money = {one.strategy: one.money for one in decision.strategies}
        return {**columns, "cost": [alone_shown(money[fit.strategy]) for fit in fits]}
    own = decision.recommendation.interval
    columns |= {"cost": [], interval_heading(evidence.level): [], "extra": [], "clear": []}
    for one in filter(None, found):
        more = one.more
        cost, ends = estimate_shown(one.money, one.low, one.high)
        if one.method == "known":
            cost = known_beside(one.money, own.low, own.high) if own else alone_shown(one.money)
            ends = "exact"
        cells = (cost, ends, NONE if more is None else _difference(more), _clearly(more, evidence))
        for column, cell in zip(list(columns.values())[2:], cells, strict=True):
            column.append(cell)
    return columns


def _method(decision: Decision, fit: FittedStrategy) -> str:
    """What a choice is called, and whether the rule in use is allowed."""
    in_use = fit.strategy == decision.task.baseline
    return term(fit.strategy) + (" (not allowed)" if in_use and limits_broken(fit) else "")


def _difference(more: MoneyDifference) -> str:
    return estimate_shown(more.difference, more.low, more.high)[0]


def _clearly(more: MoneyDifference | None, evidence: MoneyEvidence) -> str:
    """Whether the data tell one from the recommended; nothing is said of the same model."""
    if more is None or evidence.same_model(more):
        return NONE
    return "yes" if evidence.settles(more) else "no"


def _threshold(fit: FittedStrategy) -> str:
    if fit.strategy.model is None or isinstance(fit, FittedDecisions):
        return NONE
    return "varies" if fit.rule is None else rule_in_short(fit.rule)


def _outcomes(decision: Decision) -> list[str]:
    """What becomes of 1,000 cases, with intervals, in three lines of two columns."""
    if decision.recommendation.choice is None:
        return []
    found = decision.outcomes()
    positive = alone_shown(CASES * decision.conditions.mean_prevalence)
    cells = [
        *(("flagged", _count(found.flagged)), ("true positives", _count(found.true_positives))),
        ("false positives", _count(found.false_positives)),
        ("false negatives", _count(found.false_negatives)),
        ("precision", NONE if found.precision is None else _count(found.precision, "%")),
        ("recall", _count(found.recall, "%")),
    ]
    left = max(len(text) for _, text in cells[::2])
    rows = zip(cells[::2], cells[1::2], strict=True)
    evidence = decision.evidence
    sure = evidence is not None and evidence.reason is None
    intervals = f", {interval_heading(decision.level)}s" if sure else ""
    return [
        "",
        f"Of 1,000 cases, {positive} of them positive (held-out{intervals}):",
        *(f"{a:15} {b:{left}}  {c:15} {d}" for (a, b), (c, d) in rows),
        *_limits(decision),
    ]


def _limits(decision: Decision) -> list[str]:
    """How each limit is kept, in as few lines as they take."""
    found = []
    for one in decision.limits_kept():
        kept = limit_shown(one.status, one.reached, one.prevalence if one.by_prevalence else None)
        if one.name == "min_precision" and decision.strategy == FLAG_NOBODY:
            kept = f"{one.status} (nobody is flagged)"
        limit = decision.constraints.sentence(one.name)
        found.append(f"{limit}: {kept}; {_price(one)}.")
    return wrapped(" ".join(text.capitalize() for text in found)) if found else []


def _price(one: LimitKept) -> str:
    """What a limit costs, in words."""
    if one.costs == 0:
        return "the limit costs nothing"
    amount, ends = sides_shown(one.costs, one.costs_low, one.costs_high, "more", "less")
    if not ends:
        return f"the limit costs {amount}"
    shown = "" if one.costs_low > 0 or one.costs_high < 0 else ": not shown to cost anything"
    return f"the limit costs {amount} ({ends}){shown}"


def _count(count: Count, unit: str = "") -> str:
    """A count with its interval, or a share in percent."""
    scale, after = (100.0, " %") if unit else (1.0, "")
    if count.low is None or count.high is None or count.low == count.high:
        return f"{alone_shown(scale * count.value)}{after}"
    said, ends = estimate_shown(*(scale * x for x in (count.value, count.low, count.high)))
    return f"{said}{after} ({ends})"


def _assumed(decision: Decision) -> str:
    """What was assumed of costs and prevalence, and what was compared on; limits have own lines."""
    said = [one.replace(" known: ", " ") for one in decision.task.assumptions]
    return f"Assumed: {'; '.join([*said, f'compared on {decision.basis}'])}."

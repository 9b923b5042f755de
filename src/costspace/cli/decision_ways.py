"""What a decision page says of rows held out: what each way of working costs, and how surely."""

from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.tables import NONE, interval_heading, table_of
from costspace.curve import OperatingPoints
from costspace.decision.candidates import METHODS, TRIVIAL, Candidate
from costspace.decision.decision import Decision
from costspace.decision.ways import ranked
from costspace.decision.words import amount_within, interval_shown, money_shown, p_shown

# In place of an interval, where costs and prevalence alone say what something costs.
_KNOWN = "known"
_NAMED = (*METHODS, *TRIVIAL)
# How many ways of working the page compares.
_MOST_WAYS = 8


def print_ways(decision: Decision, console: Console) -> None:
    """What could be done, the cheapest first, and what committing to it could cost."""
    ways = sorted(_ways(decision), key=lambda way: ranked(way[2]))
    if not ways:
        return
    level = _level(decision)
    table = table_of(("model", "method"), ("cost", *level, "expected regret", "largest regret"))
    if decision.hybrid is not None:
        unknown = [NONE] * (len(level) + 2)
        table.add_row("", "the table below", money_shown(decision.hybrid), *unknown)
    for model, method, money in ways[:_MOST_WAYS]:
        table.add_row(
            *(_shown(model), method, money_shown(money)),
            *(*_interval(decision, model, method), *_regret(decision, model, method)),
        )
    title(console, f"Thresholds chosen on other rows ({decision.basis}): cost per 1,000 cases")
    console.print(table)
    if len(ways) > _MOST_WAYS:
        say(console, f"and {len(ways) - _MOST_WAYS} that cost more", "dim")
    say(console, "Regret is what is lost against the best of these at each condition.", "dim")
    _print_differences(decision, ways[:_MOST_WAYS], console)


def _print_differences(
    decision: Decision, ways: Sequence[tuple[str | None, str, float]], console: Console
) -> None:
    """What ways of working cost more than the recommended one, and whether that is chance."""
    evidence = decision.evidence
    if evidence is None:
        return
    if evidence.reason is not None:
        say(console, f"There are no intervals: {evidence.reason}")
        return
    found = [
        (model, method, more)
        for model, method, _ in ways
        if (more := evidence.more(model, method)) is not None
    ]
    if not found:
        return
    table = table_of(("model", "method"), ("more", *_level(decision), "p, adjusted"))
    for model, method, more in found:
        amount = amount_within(more.difference, more.high - more.low)
        interval = interval_shown(more.low, more.high)
        if more.none:
            interval = "same decisions"
        elif more.method == "known":
            interval = _KNOWN
        table.add_row(_shown(model), method, amount, interval, p_shown(more.p_adjusted))
    title(console, "What they cost more than what is recommended, on the same rows")
    console.print(table)
    say(
        console,
        f"Where p is {1 - evidence.level:.6g} or more the data do not separate the two. It allows "
        f"for {len(evidence.ways) - 1} comparisons with what came out best; each interval stands "
        "for itself.",
        "dim",
    )


def _level(decision: Decision) -> list[str]:
    """The heading of intervals, if there are any."""
    evidence = decision.evidence
    if evidence is None or evidence.reason is not None:
        return []
    return [interval_heading(evidence.level)]


def _interval(decision: Decision, model: str | None, method: str) -> list[str]:
    """The interval of what a way costs, if there is one."""
    one = None if decision.evidence is None else decision.evidence.of(model, method)
    if one is None:
        return []
    return [_KNOWN if one.method == "known" else interval_shown(one.low, one.high)]


def _shown(model: str | None) -> Text:
    return Text(NONE if model is None else printable(model))


def _ways(decision: Decision) -> list[tuple[str | None, str, float]]:
    """Every model and method, and the trivial rules that are allowed, with what they cost."""
    trivial: list[tuple[str | None, str, float]] = [
        (None, rule, money)
        for rule, money in decision.trivial.items()
        if is_allowed(decision, rule)
    ]
    return trivial + [
        (name, method, money)
        for name, model in decision.models.items()
        for method, money in model.ways.items()
    ]


def _regret(decision: Decision, model: str | None, method: str) -> tuple[str, str]:
    """The expected and the largest regret of a way, where they are known."""
    known = () if decision.regrets is None else decision.regrets.candidates
    single = f"{model}, single"
    name = single if method == "single" else Candidate(model, method) if method in _NAMED else None
    if decision.regrets is None or name not in known:
        return NONE, NONE
    place = known.index(name)
    most = float(decision.regrets.maximum[place])
    expected = money_shown(float(decision.regrets.expected[place]))
    return expected, money_shown(most) if np.isfinite(most) else "unbounded"


def is_allowed(decision: Decision, rule: str) -> bool:
    """Whether a trivial rule keeps to the constraints."""
    ends = decision.conditions.prevalence_range
    point = OperatingPoints(*map(np.array, TRIVIAL[rule]))
    return bool(decision.constraints.holds(point, [ends.low, ends.high]).all())

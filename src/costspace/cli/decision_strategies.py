"""What `--details` says of strategies: their costs, and differences."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.decision_table import cost_shown
from costspace.cli.tables import NONE, interval_heading, table_of
from costspace.decision.decision import Decision
from costspace.decision.fitting.choosing import Priced
from costspace.decision.sentences.terms import joined
from costspace.decision.words import estimate_shown, p_shown

# How many strategies the page compares.
_MOST_STRATEGIES = 8


def print_strategies(decision: Decision, console: Console) -> None:
    """What could be done, the cheapest first, and what it costs more than the recommended."""
    if decision.choosing is None:
        return
    fits = decision.choosing.in_order
    table = table_of(("model", "method"), ("cost", *_level(decision)))
    for fit in fits[:_MOST_STRATEGIES]:
        table.add_row(*_names(decision, fit), *filter(None, cost_shown(decision, fit)))
    title(console, f"Thresholds chosen on other rows ({decision.basis}): cost per 1,000 cases")
    console.print(table)
    if len(fits) > _MOST_STRATEGIES:
        say(console, f"and {len(fits) - _MOST_STRATEGIES} that cost more", style="dim")
    _print_differences(decision, fits[:_MOST_STRATEGIES], console)


def _print_differences(decision: Decision, fits: Sequence[Priced], console: Console) -> None:
    """What strategies cost more than the recommended one, and whether that is chance."""
    evidence = decision.evidence
    if evidence is None:
        return
    if evidence.reason is not None:
        say(console, f"There are no intervals: {evidence.reason}")
        return
    found = [(fit, more) for fit in fits if (more := evidence.more(fit.strategy)) is not None]
    if not found:
        return
    table = table_of(("model", "method"), ("extra cost", *_level(decision), "p, adjusted"))
    for fit, more in found:
        amount, interval = estimate_shown(more.difference, more.low, more.high)
        if more.none:
            interval = "same decisions"
        elif more.method == "known":
            interval = "exact"
        p = NONE if evidence.same_model(more) else p_shown(more.p_adjusted)
        table.add_row(*_names(decision, fit), amount, interval, p)
    title(console, "What they cost more than what is recommended, on the same rows")
    console.print(table)
    tested = sum(one.in_family for one in evidence.strategies)
    several = f"It allows for {tested} comparisons; intervals do not. " if tested > 1 else ""
    say(
        console,
        f"Where p is {1 - evidence.level:.6g} or more the data do not separate the two. {several}"
        "There is no p between two thresholds of one model.",
        style="dim",
    )


def has_range(decision: Decision) -> bool:
    """Whether there is more than one condition, each the same for all cases."""
    span = decision.conditions.skew_range
    by_case = any(fit.strategy.by_case for fit in decision.fits)
    return span.low < span.high and not by_case


def _level(decision: Decision) -> list[str]:
    """The heading of intervals, if there are any."""
    evidence = decision.evidence
    if evidence is None or evidence.reason is not None:
        return []
    return [interval_heading(evidence.level)]


def _names(decision: Decision, fit: Priced) -> tuple[Text, Text]:
    models, choices = joined(decision.alike(fit.strategy))
    return Text(printable(models) or NONE), Text(printable(choices))

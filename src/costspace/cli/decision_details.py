"""What `--details` says of a decision beside its strategies."""

import math

from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.decision_strategies import has_range, print_strategies
from costspace.cli.tables import table_by_model, table_of
from costspace.condition import cost_from_skew
from costspace.decision.decision import Decision
from costspace.decision.record import dominance_rows
from costspace.decision.words import alone_shown, listed, sides_shown


def print_details(decision: Decision, console: Console) -> None:
    """Print what each strategy costs, what else would lower that, and what all of it rests on."""
    remarks = [*decision.recommendation.remarks, *filter(None, [decision.by_auc])]
    if remarks:
        console.print()
        say(console, " ".join(remarks))
    print_strategies(decision, console)
    _print_dominance(decision, console)
    if decision.knowing_more is not None:
        console.print()
        say(console, decision.knowing_more)
    _print_places(decision, console)
    title(console, "What this rests on")
    say(console, *(f"- {assumption}" for assumption in decision.assumptions))


def _print_dominance(decision: Decision, console: Console) -> None:
    """Which model loses least where, of several over a range of conditions."""
    several = has_range(decision) and len(decision.task.models) > 1
    rows = dominance_rows(decision.dominance(), decision.conditions.skew_range) if several else []
    if not rows:
        # Limits make it a matter of the prevalence too, or the recommendation says why.
        return
    known = decision.conditions.prevalence_range
    by_ratio = known.low == known.high
    table = table_of((*(["net fn : fp cost"] if by_ratio else []), "skew", "model"))
    for row in rows:
        skews = row["skew_low"], row["skew_high"]
        cells = [_span(*skews), printable(listed(row["models"]))]
        if by_ratio:
            costs = (cost_from_skew(z, prevalence=known.low) for z in reversed(skews))
            cells.insert(0, _span(*(float((1 - c) / c) for c in costs)))
        table.add_row(*map(Text, cells))
    title(console, "Which model loses least where, if costs and prevalence are known")
    console.print(table)
    if not by_ratio:
        say(
            console,
            "The skew is what false positives on all negatives would cost, as a share of that and "
            "of false negatives on all positives: near 0 where these cost most.",
            style="dim",
        )


def _print_places(decision: Decision, console: Console) -> None:
    worth = decision.places_worth
    if not worth:
        return
    others = {
        "twice_the_batch": "batches twice as long",
        "one_more_place": "one more place in each",
        "one_queue": "one queue of all cases",
    }
    title(
        console,
        f"A queue in batches of {decision.constraints.batch_told}, per 1,000 cases, held-out",
    )
    table = table_by_model(worth)
    table.add_row("cost of the queue", *(Text(alone_shown(one.cost)) for one in worth.values()))
    for name, said in others.items():
        saved = (getattr(one, name) for one in worth.values())
        cells = (sides_shown(saves, math.nan, math.nan, "less", "more")[0] for saves in saved)
        table.add_row(said, *map(Text, cells))
    console.print(table)


def _span(low: float, high: float) -> str:
    return f"{low:.4g} to {high:.4g}"

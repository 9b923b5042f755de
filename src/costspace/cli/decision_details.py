"""What `--details` says of a decision beside its strategies."""

import numpy as np
from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.decision_strategies import has_range, print_strategies
from costspace.cli.tables import NONE, table_by_model, table_of
from costspace.condition import cost_from_skew
from costspace.decision.by_condition.table_row import DecisionRange
from costspace.decision.decision import Decision
from costspace.decision.sentences.terms import term
from costspace.decision.words import ALL_DIGITS, alone_shown, thresholds_shown


def print_details(decision: Decision, console: Console) -> None:
    """Print what each strategy costs, what else would lower that, and what all of it rests on."""
    remarks = [*decision.recommendation.remarks, *filter(None, [decision.by_auc])]
    if remarks:
        console.print()
        say(console, " ".join(remarks))
    print_strategies(decision, console)
    _print_table(decision, console)
    _print_knowing(decision, console)
    _print_places(decision, console)
    _print_basis(decision, console)


def _print_table(decision: Decision, console: Console) -> None:
    found = decision.short_table() if has_range(decision) else None
    if found is None:
        # One condition, or the recommendation says why.
        return
    ranges = found.condensed()
    by_prevalence = ranges[0].prevalence_low is not None
    known = decision.conditions.prevalence_range
    by_ratio = known.low == known.high
    first = ["prevalence"] if by_prevalence else ["net fn : fp cost"] if by_ratio else []
    table = table_of((*first, "skew", "model", "method"))
    table.add_column("threshold")
    for row in ranges:
        cells = [_span(row.skew_low, row.skew_high)]
        if by_prevalence:
            cells.insert(0, _span(row.prevalence_low, row.prevalence_high))
        elif by_ratio:
            costs = (cost_from_skew(z, prevalence=known.low) for z in (row.skew_high, row.skew_low))
            cells.insert(0, _span(*(float((1 - c) / c) for c in costs)))
        model = NONE if row.strategy.model is None else printable(row.strategy.model)
        table.add_row(*map(Text, (*cells, model, printable(term(row.strategy)), _thresholds(row))))
    for gap in decision.gaps:
        cells = (
            [_span(gap.prevalence_low, gap.prevalence_high), "all"] if by_prevalence else ["all"]
        )
        table.add_row(*map(Text, (*cells, NONE, "nothing is feasible", NONE)))
    title(console, "Which model to use where, if costs and prevalence are known at each decision")
    console.print(table)
    if found.never_best:
        say(console, f"Never best: {', '.join(found.never_best)}.")
    if not by_ratio:
        say(
            console,
            "The skew is what false positives on all negatives would cost, as a share of that and "
            "of false negatives on all positives: near 0 where these cost most.",
            "dim",
        )


def _print_knowing(decision: Decision, console: Console) -> None:
    if decision.knowing_more is not None:
        console.print()
        say(console, decision.knowing_more)


def _print_places(decision: Decision, console: Console) -> None:
    worth = decision.places_worth
    if not worth:
        return
    names = {"cost": "cost of the queue", "twice_the_batch": "batches twice as long save"}
    names |= {"one_more_place": "one more place in each saves", "one_queue": "one queue saves"}
    title(
        console,
        f"A queue in batches of {decision.constraints.batch_told}, per 1,000 cases, held-out",
    )
    table = table_by_model(worth)
    for name, said in names.items():
        table.add_row(said, *(Text(alone_shown(getattr(one, name))) for one in worth.values()))
    console.print(table)


def _print_basis(decision: Decision, console: Console) -> None:
    title(console, "What this rests on")
    for assumption in decision.assumptions:
        say(console, f"- {assumption}")


def _span(low: float | None, high: float | None) -> str:
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def _thresholds(row: DecisionRange) -> str:
    """The thresholds of a range, where they are any."""
    low, high = row.threshold_low, row.threshold_high
    below, above = np.isfinite(low), np.isfinite(high)
    if not below and not above:
        return NONE
    # One rule is said in full, so that it can be applied as it is said.
    first, last = thresholds_shown(low, high, digits=ALL_DIGITS if low == high else 5)
    if below and above:
        text = first if low == high else f"{first} to {last}"
    else:
        text = f"{first} or more" if below else f"{last} or less"
    return f"{text}, partly at random" if row.randomised else text

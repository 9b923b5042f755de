"""What `--details` says of a decision: where the cost comes from, and what would lower it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.decision_strategies import has_range, is_allowed, print_strategies
from costspace.cli.tables import NONE, table_by_model, table_of
from costspace.condition import cost_from_skew
from costspace.decision.budget import PARTS, REMEDIES, LossBudget
from costspace.decision.by_condition.table_row import DecisionRange
from costspace.decision.decision import Decision
from costspace.decision.model_decision import ModelDecision
from costspace.decision.sentences.cautions import lacking
from costspace.decision.sentences.terms import term, term_of
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY
from costspace.decision.words import ALL_DIGITS, alone_shown, thresholds_shown

# By quantity, what it is of each model.
PageRows: TypeAlias = dict[str, list[float | None]]


def print_details(decision: Decision, console: Console) -> None:
    """Print what each strategy costs, where that goes, and what all of it rests on."""
    remarks = [*decision.recommendation.remarks, *filter(None, [decision.by_auc])]
    if remarks:
        console.print()
        say(console, " ".join(remarks))
    _print_costs(decision, console)
    print_strategies(decision, console)
    _print_table(decision, console)
    _print_budgets(decision, console)
    _print_knowing(decision, console)
    _print_places(decision, console)
    _print_basis(decision, console)


def _print_costs(decision: Decision, console: Console) -> None:
    models = decision.models
    choices = decision.task.choices
    found = _by_model(models, choices, lambda model, name: model.cost_per_1000[name])
    costs: PageRows = {term_of(name, choices[name]): row for name, row in found.items()}
    own: PageRows = {
        "one threshold": [model.single and model.single.money for model in models.values()],
    }
    trivial: PageRows = {}
    for rule in (FLAG_NOBODY, FLAG_EVERYBODY):
        ruled_out = "" if is_allowed(decision, rule) else " (not allowed)"
        trivial[f"{term(rule)}{ruled_out}"] = [decision.trivial[rule.name]] * len(models)
    within = f", within the constraints ({decision.constraints})" if decision.constraints else ""
    title(
        console,
        "Cost per 1,000 cases on the rows that thresholds were chosen on, each set to the condition"
        f"{within}",
    )
    _print_money(console, models, {**costs, **_without_empty(own), **trivial})
    for name, model in models.items():
        # What it lacks is said before.
        said = {
            f"cost_per_1000{within}.{choice}"
            for choice in lacking(decision.task, name)
            for within in ("", "_unconstrained")
        }
        for note in dict.fromkeys(note for what, note in model.notes.items() if what not in said):
            say(console, f"{name}: {note}")


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


def _print_budgets(decision: Decision, console: Console) -> None:
    models = decision.models
    for heading, name in (
        ("Where the cost comes from if the scores set the threshold at each condition", "reacting"),
        ("Where the cost comes from if the threshold is always 0.5", "committing"),
    ):
        budgets: list[LossBudget | None] = [getattr(model, name) for model in models.values()]
        parts = dict.fromkeys(chain.from_iterable(b.parts for b in budgets if b is not None))
        if not decision.constraints:
            parts.pop("constraints", None)
        if not parts:
            continue
        rows: PageRows = {
            PARTS[part]: [None if b is None else b.parts.get(part) for b in budgets]
            for part in parts
        }
        rows["total"] = [None if b is None else b.total for b in budgets]
        remedies = [REMEDIES[part] for part in parts]
        title(console, heading)
        _print_money(console, models, rows, remarks=("what would lower it", remedies))


def _print_knowing(decision: Decision, console: Console) -> None:
    models, known = decision.models, ("costs", "prevalence", "both")
    worth = _by_model(models, known, lambda m, part: m.knowing and getattr(m.knowing, part))
    if not has_range(decision) or not _without_empty(worth):
        return
    title(console, "What knowing more at each decision would save, on rows that set thresholds")
    _print_money(console, models, worth)
    if decision.knowing_more is not None:
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
    rows: PageRows = {
        said: [getattr(worth[model], name) if model in worth else None for model in decision.models]
        for name, said in names.items()
    }
    _print_money(console, decision.models, rows)


def _print_basis(decision: Decision, console: Console) -> None:
    title(console, "What this rests on")
    for assumption in decision.assumptions:
        say(console, f"- {assumption}")


def _by_model(
    models: Mapping[str, ModelDecision],
    quantities: Iterable[str],
    number: Callable[[ModelDecision, str], float | None],
) -> PageRows:
    return {name: [number(model, name) for model in models.values()] for name in quantities}


def _without_empty(rows: PageRows) -> PageRows:
    return {name: row for name, row in rows.items() if any(value is not None for value in row)}


def _print_money(
    console: Console,
    models: Iterable[str],
    rows: PageRows,
    *,
    remarks: tuple[str, Sequence[str]] = ("", ()),
) -> None:
    """Money by quantity and model, the least of several in bold, and a remark on the first rows."""
    heading, texts = remarks
    table = table_by_model(models)
    if texts:
        table.add_column(heading)
    for i, (quantity, values) in enumerate(rows.items()):
        remark = texts[i : i + 1]
        table.add_row(Text(quantity), *_cells(values), *remark)
    console.print(table)


def _cells(values: Sequence[float | None]) -> list[Text]:
    numbers = [value for value in values if value is not None]
    least = min(numbers) if len(set(numbers)) > 1 else None
    return [
        Text(alone_shown(value), "bold" if value is not None and value == least else "")
        for value in values
    ]


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

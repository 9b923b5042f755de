"""A decision as a page of text that someone who decides can read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.decision_ways import is_allowed, print_ways
from costspace.cli.tables import NONE, table_by_model, table_of
from costspace.condition import cost_from_skew
from costspace.decision.budget import REMEDIES, LossBudget
from costspace.decision.candidates import METHODS
from costspace.decision.decision import Decision
from costspace.decision.model_decision import ModelDecision
from costspace.decision.table_row import DecisionRange
from costspace.decision.words import money_shown

# By quantity, what it is of each model.
PageRows: TypeAlias = dict[str, list[float | None]]


def print_decision(decision: Decision, console: Console) -> None:
    """Print what to do, what it costs, where that goes, and what all of it rests on."""
    say(console, decision.recommendation.text, "bold")
    if decision.by_auc is not None:
        say(console, decision.by_auc)
    _print_costs(decision, console)
    print_ways(decision, console)
    _print_table(decision, console)
    _print_budgets(decision, console)
    _print_constraints(decision, console)
    _print_basis(decision, console)


def _print_costs(decision: Decision, console: Console) -> None:
    models = decision.models
    costs = _by_model(models, METHODS, lambda model, method: model.cost_per_1000[method])
    own: PageRows = {
        "single": [model.single and model.single.money for model in models.values()],
        "per_case": [model.per_case for model in models.values()],
    }
    trivial: PageRows = {
        f"{rule}{'' if is_allowed(decision, rule) else ' (not allowed)'}": [money] * len(models)
        for rule, money in decision.trivial.items()
    }
    within = f", within the constraints ({decision.constraints})" if decision.constraints else ""
    title(console, f"Cost per 1,000 cases{within}")
    _print_money(console, models, {**costs, **_without_empty(own), **trivial})
    for name, model in models.items():
        for note in dict.fromkeys(model.notes.values()):
            say(console, f"{name}: {note}")


def _print_table(decision: Decision, console: Console) -> None:
    if decision.short_table is None or decision.table is None:
        # The recommendation says why.
        return
    ranges = decision.short_table.condensed()
    by_prevalence = ranges[0].prevalence_low is not None
    known = decision.conditions.prevalence_range
    by_ratio = known.low == known.high
    first = ["prevalence"] if by_prevalence else ["fn : fp cost"] if by_ratio else []
    table = table_of((*first, "skew", "model", "method"))
    table.add_column("threshold")
    for row in ranges:
        cells = [_span(row.skew_low, row.skew_high)]
        if by_prevalence:
            cells.insert(0, _span(row.prevalence_low, row.prevalence_high))
        elif by_ratio:
            costs = (cost_from_skew(z, known.low) for z in (row.skew_high, row.skew_low))
            cells.insert(0, _span(*(float((1 - c) / c) for c in costs)))
        model = NONE if row.model is None else printable(row.model)
        table.add_row(*map(Text, (*cells, model, row.method, _thresholds(row))))
    for gap in decision.gaps:
        cells = (
            [_span(gap.prevalence_low, gap.prevalence_high), "all"] if by_prevalence else ["all"]
        )
        table.add_row(*map(Text, (*cells, NONE, "nothing is feasible", NONE)))
    title(console, "Which model to use where")
    console.print(table)
    if decision.short_table.never_best:
        say(console, f"Nowhere the best: {', '.join(decision.short_table.never_best)}.")
    if not by_ratio:
        say(
            console,
            "The skew is what false alarms on all negatives would cost, as a share of that and "
            "of missing all positives: near 0 where misses dominate.",
            "dim",
        )


def _print_budgets(decision: Decision, console: Console) -> None:
    models = decision.models
    for heading, name in (
        ("Where the money goes if the scores set the threshold at each condition", "reacting"),
        ("Where the money goes if the threshold is 0.5 throughout", "committing"),
    ):
        budgets: list[LossBudget | None] = [getattr(model, name) for model in models.values()]
        parts = dict.fromkeys(chain.from_iterable(b.parts for b in budgets if b is not None))
        if not decision.constraints:
            parts.pop("constraints", None)
        if not parts:
            continue
        rows: PageRows = {
            part.replace("_", " "): [None if b is None else b.parts.get(part) for b in budgets]
            for part in parts
        }
        rows["total"] = [None if b is None else b.total for b in budgets]
        remedies = [REMEDIES[part] for part in parts]
        title(console, heading)
        _print_money(console, models, rows, remarks=("what would lower it", remedies))
    known = ("costs", "prevalence", "both")
    worth = _by_model(models, known, lambda m, part: m.knowing and getattr(m.knowing, part))
    span = decision.conditions.skew_range
    if span.low == span.high or not _without_empty(worth):
        return
    title(console, "What it is worth to know, each time and not only as a range, per 1,000 cases")
    _print_money(console, models, worth)


def _print_constraints(decision: Decision, console: Console) -> None:
    models = decision.models
    if not decision.constraints or all(model.single is None for model in models.values()):
        return
    sentences = [decision.constraints.sentence(name) for name in decision.constraints]
    prices = _by_model(models, decision.constraints, lambda model, name: model.prices[name])
    title(console, "What the best thresholds would save without one of the constraints")
    together = [_price_of_all(model) for model in models.values()]
    rows = {**dict(zip(sentences, prices.values(), strict=True)), "without any": together}
    _print_money(console, models, rows)
    title(console, "How one threshold keeps to them on rows that it was not chosen on")
    table = table_by_model(models)
    for i, sentence in enumerate(sentences):
        table.add_row(sentence, *(_reached(model, i) for model in models.values()))
    console.print(table)


def _print_basis(decision: Decision, console: Console) -> None:
    title(console, "What this rests on")
    for assumption in decision.assumptions:
        say(console, f"- {assumption}")


def _price_of_all(model: ModelDecision) -> float | None:
    free, held = model.cost_per_1000_unconstrained["optimal"], model.cost_per_1000["optimal"]
    return None if free is None or held is None else held - free


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
        Text(money_shown(value), "bold" if value is not None and value == least else "")
        for value in values
    ]


def _reached(model: ModelDecision, constraint: int) -> str:
    """What a model's single rule reaches of a constraint."""
    if model.single is None:
        return NONE
    found = model.single.violations
    reached, short = 100 * found.reached[constraint], 100 * found.shortfall[constraint]
    if not short > 0:
        return f"{reached:.3g} %"
    # What is broken by little would look as if it were not.
    return f"{reached:.{3 if short > 0.1 else 6}g} %, broken"


def _span(low: float | None, high: float | None) -> str:
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def _thresholds(row: DecisionRange) -> str:
    """The thresholds of a range, where they are any."""
    low, high = row.threshold_low, row.threshold_high
    below, above = np.isfinite(low), np.isfinite(high)
    if not below and not above:
        return NONE
    if below and above:
        text = f"{low:.5g}" if low == high else f"{low:.5g} to {high:.5g}"
    else:
        text = f"{low:.5g} or more" if below else f"{high:.5g} or less"
    return f"{text}, partly at random" if row.randomised else text

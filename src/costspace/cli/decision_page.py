"""A decision as a page of text that someone who decides can read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable, say
from costspace.curve import OperatingPoints
from costspace.decision.budget import REMEDIES, LossBudget
from costspace.decision.candidates import METHODS, TRIVIAL
from costspace.decision.decision import Decision
from costspace.decision.decision_row import DecisionRange
from costspace.decision.model_decision import ModelDecision
from costspace.decision.words import money_shown

_NO_NUMBER = "–"
# By quantity, what it is of each model.
Rows: TypeAlias = dict[str, list[float | None]]


def print_decision(decision: Decision, console: Console) -> None:
    """Print what to do, what it costs, where that goes, and what all of it rests on."""
    say(console, decision.recommendation.text, "bold")
    _print_costs(decision, console)
    _print_table(decision, console)
    _print_budgets(decision, console)
    _print_constraints(decision, console)
    _print_basis(decision, console)


def _print_costs(decision: Decision, console: Console) -> None:
    models = decision.models
    costs = _by_model(models, METHODS, lambda model, method: model.cost_per_1000[method])
    own: Rows = {
        "single": [model.single and model.single.money for model in models.values()],
        "per_case": [model.per_case for model in models.values()],
    }
    trivial: Rows = {
        f"{rule}{'' if _allowed(decision, rule) else ' (not allowed)'}": [money] * len(models)
        for rule, money in decision.trivial.items()
    }
    within = f", within the constraints ({decision.constraints})" if decision.constraints else ""
    _title(console, f"Cost per 1,000 cases{within}")
    _print_money(console, models, {**costs, **_without_empty(own), **trivial})
    held_out = _by_model(models, METHODS, lambda model, method: model.held_out.get(method))
    held_out["single"] = [model.single and model.single.held_out for model in models.values()]
    _title(console, f"The same with thresholds chosen on other rows ({decision.basis})")
    _print_money(console, models, _without_empty(held_out))
    if len(models) > 1:
        say(console, "The best of each row is bold.", "dim")
    for name, model in models.items():
        for note in dict.fromkeys(model.notes.values()):
            say(console, f"{name}: {note}")


def _print_table(decision: Decision, console: Console) -> None:
    if decision.short_table is None:
        return
    ranges = decision.short_table.condensed()
    by_prevalence = ranges[0].prevalence_low is not None
    table = _table()
    for heading in ("skew", *(["prevalence"] if by_prevalence else []), "model", "method"):
        table.add_column(heading, overflow="fold")
    table.add_column("threshold")
    for row in ranges:
        prevalence = [_span(row.prevalence_low, row.prevalence_high)] if by_prevalence else []
        skew = _span(row.skew_low, row.skew_high)
        model = _NO_NUMBER if row.model is None else printable(row.model)
        cells = (skew, *prevalence, model, row.method, _thresholds(row))
        table.add_row(*map(Text, cells))
    _title(console, "Which model to use where")
    console.print(table)
    if decision.short_table.never_best:
        say(console, f"Nowhere the one to use: {', '.join(decision.short_table.never_best)}.")


def _print_budgets(decision: Decision, console: Console) -> None:
    models = decision.models
    for title, name in (
        ("Where the money goes if the scores set the threshold at each condition", "reacting"),
        ("Where the money goes if the threshold is 0.5 throughout", "committing"),
    ):
        budgets: list[LossBudget | None] = [getattr(model, name) for model in models.values()]
        parts = dict.fromkeys(chain.from_iterable(b.parts for b in budgets if b is not None))
        if not decision.constraints:
            parts.pop("constraints", None)
        if not parts:
            continue
        rows: Rows = {
            part.replace("_", " "): [None if b is None else b.parts.get(part) for b in budgets]
            for part in parts
        }
        rows["total"] = [None if b is None else b.total for b in budgets]
        remedies = [REMEDIES[part] for part in parts]
        _title(console, title)
        _print_money(console, models, rows, remarks=("what would lower it", remedies))
    if decision.conditions.skew_range.low == decision.conditions.skew_range.high:
        return
    known = ("costs", "prevalence", "both")
    _title(console, "What it is worth to know, each time and not only as a range, per 1,000 cases")
    _print_money(
        console, models, _by_model(models, known, lambda m, part: getattr(m.knowing, part))
    )


def _print_constraints(decision: Decision, console: Console) -> None:
    if not decision.constraints:
        return
    models = decision.models
    sentences = [decision.constraints.sentence(name) for name in decision.constraints]
    prices = _by_model(models, decision.constraints, lambda model, name: model.prices[name])
    _title(console, "What each constraint adds to the cost of the best thresholds")
    _print_money(console, models, dict(zip(sentences, prices.values(), strict=True)))
    _title(console, "How one threshold keeps to them on rows that it was not chosen on")
    table = _table_of(models)
    for i, sentence in enumerate(sentences):
        table.add_row(sentence, *(_reached(model, i) for model in models.values()))
    console.print(table)


def _print_basis(decision: Decision, console: Console) -> None:
    _title(console, "What this rests on")
    for assumption in decision.assumptions:
        say(console, f"- {assumption}")


def _allowed(decision: Decision, rule: str) -> bool:
    """Whether a trivial rule keeps to the constraints."""
    ends = decision.conditions.prevalence_range
    point = OperatingPoints(*map(np.array, TRIVIAL[rule]))
    return bool(decision.constraints.holds(point, [ends.low, ends.high]).all())


def _by_model(
    models: Mapping[str, ModelDecision],
    quantities: Iterable[str],
    number: Callable[[ModelDecision, str], float | None],
) -> Rows:
    return {name: [number(model, name) for model in models.values()] for name in quantities}


def _without_empty(rows: Rows) -> Rows:
    return {name: row for name, row in rows.items() if any(value is not None for value in row)}


def _print_money(
    console: Console,
    models: Iterable[str],
    rows: Rows,
    *,
    remarks: tuple[str, Sequence[str]] = ("", ()),
) -> None:
    """Money by quantity and model, the least of several in bold, and a remark on the first rows."""
    heading, texts = remarks
    table = _table_of(models)
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


def _title(console: Console, text: str) -> None:
    console.print()
    say(console, text, "bold")


def _table() -> Table:
    return Table(box=None, pad_edge=False)


def _table_of(models: Iterable[str]) -> Table:
    """A table with a column for what its rows are and one for each model."""
    table = _table()
    table.add_column()
    for name in models:
        table.add_column(Text(printable(name)), justify="right", overflow="fold")
    return table


def _reached(model: ModelDecision, constraint: int) -> str:
    """What a model's single rule reaches of a constraint."""
    if model.single is None:
        return _NO_NUMBER
    found = model.single.violations
    broken = ", broken" if found.shortfall[constraint] > 0 else ""
    return f"{100 * found.reached[constraint]:.3g} %{broken}"


def _span(low: float | None, high: float | None) -> str:
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def _thresholds(row: DecisionRange) -> str:
    """The thresholds of a range, where they are any."""
    low, high = row.threshold_low, row.threshold_high
    below, above = np.isfinite(low), np.isfinite(high)
    if below and above:
        return f"{low:.5g}" if low == high else f"{low:.5g} to {high:.5g}"
    if below:
        return f"{low:.5g} or more"
    return f"{high:.5g} or less" if above else _NO_NUMBER

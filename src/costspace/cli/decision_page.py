"""A decision as a page of text that someone who decides can read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable, say
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPoints
from costspace.decision.budget import REMEDIES, LossBudget
from costspace.decision.candidates import METHODS, TRIVIAL, Candidate
from costspace.decision.decision import Decision
from costspace.decision.model_decision import ModelDecision
from costspace.decision.table_row import DecisionRange
from costspace.decision.words import amount_within, interval_shown, money_shown, p_shown

_NO_NUMBER = "–"
# In place of an interval, where costs and prevalence alone say what something costs.
_KNOWN = "known"
_NAMED = (*METHODS, *TRIVIAL)
# How many ways of working the page compares.
_MOST_WAYS = 8
# By quantity, what it is of each model.
Rows: TypeAlias = dict[str, list[float | None]]


def print_decision(decision: Decision, console: Console) -> None:
    """Print what to do, what it costs, where that goes, and what all of it rests on."""
    say(console, decision.recommendation.text, "bold")
    if decision.by_auc is not None:
        say(console, decision.by_auc)
    _print_costs(decision, console)
    _print_held_out(decision, console)
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
    for name, model in models.items():
        for note in dict.fromkeys(model.notes.values()):
            say(console, f"{name}: {note}")


def _print_held_out(decision: Decision, console: Console) -> None:
    """What could be done, the cheapest first, and what committing to it could cost."""
    ways = sorted(_ways(decision), key=lambda way: way[2])
    if not ways:
        return
    table = _table()
    for heading in ("model", "method"):
        table.add_column(heading, overflow="fold")
    for heading in ("cost", *_level(decision), "expected regret", "largest regret"):
        table.add_column(heading, justify="right")
    if decision.hybrid is not None:
        unknown = [_NO_NUMBER] * (len(_level(decision)) + 2)
        table.add_row("", "the table below", money_shown(decision.hybrid), *unknown)
    for model, method, money in ways[:_MOST_WAYS]:
        table.add_row(
            *(_shown(model), method, money_shown(money)),
            *(*_interval(decision, model, method), *_regret(decision, model, method)),
        )
    _title(console, f"Thresholds chosen on other rows ({decision.basis}): cost per 1,000 cases")
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
    table = _table()
    for heading in ("model", "method"):
        table.add_column(heading, overflow="fold")
    for heading in ("more", *_level(decision), "p, adjusted"):
        table.add_column(heading, justify="right")
    for model, method, more in found:
        amount = amount_within(more.difference, more.high - more.low)
        interval = interval_shown(more.low, more.high)
        if more.none:
            interval = "same decisions"
        elif more.method == "known":
            interval = _KNOWN
        table.add_row(_shown(model), method, amount, interval, p_shown(more.p_adjusted))
    _title(console, "What they cost more than what is recommended, on the same rows")
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
    return [f"{100 * evidence.level:g} % interval"]


def _interval(decision: Decision, model: str | None, method: str) -> list[str]:
    """The interval of what a way costs, if there is one."""
    one = None if decision.evidence is None else decision.evidence.of(model, method)
    if one is None:
        return []
    return [_KNOWN if one.method == "known" else interval_shown(one.low, one.high)]


def _shown(model: str | None) -> Text:
    return Text(_NO_NUMBER if model is None else printable(model))


def _ways(decision: Decision) -> list[tuple[str | None, str, float]]:
    """Every model and method, and the trivial rules that are allowed, with what they cost."""
    trivial: list[tuple[str | None, str, float]] = [
        (None, rule, money) for rule, money in decision.trivial.items() if _allowed(decision, rule)
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
        return _NO_NUMBER, _NO_NUMBER
    place = known.index(name)
    most = float(decision.regrets.maximum[place])
    expected = money_shown(float(decision.regrets.expected[place]))
    return expected, money_shown(most) if np.isfinite(most) else "unbounded"


def _print_table(decision: Decision, console: Console) -> None:
    if decision.short_table is None or decision.table is None:
        # The recommendation says why.
        return
    ranges = decision.short_table.condensed()
    by_prevalence = ranges[0].prevalence_low is not None
    known = decision.conditions.prevalence_range
    by_ratio = known.low == known.high
    table = _table()
    first = ["prevalence"] if by_prevalence else ["fn : fp cost"] if by_ratio else []
    for heading in (*first, "skew", "model", "method"):
        table.add_column(heading, overflow="fold")
    table.add_column("threshold")
    for row in ranges:
        cells = [_span(row.skew_low, row.skew_high)]
        if by_prevalence:
            cells.insert(0, _span(row.prevalence_low, row.prevalence_high))
        elif by_ratio:
            costs = (cost_from_skew(z, known.low) for z in (row.skew_high, row.skew_low))
            cells.insert(0, _span(*(float((1 - c) / c) for c in costs)))
        model = _NO_NUMBER if row.model is None else printable(row.model)
        table.add_row(*map(Text, (*cells, model, row.method, _thresholds(row))))
    for gap in decision.gaps:
        cells = (
            [_span(gap.prevalence_low, gap.prevalence_high), "all"] if by_prevalence else ["all"]
        )
        table.add_row(*map(Text, (*cells, _NO_NUMBER, "nothing is feasible", _NO_NUMBER)))
    _title(console, "Which model to use where")
    console.print(table)
    if decision.table.never_best:
        say(console, f"Nowhere the best: {', '.join(decision.table.never_best)}.")
    if not by_ratio:
        say(
            console,
            "The skew is what false alarms on all negatives would cost, as a share of that and "
            "of missing all positives: near 0 where misses dominate.",
            "dim",
        )


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
    known = ("costs", "prevalence", "both")
    worth = _by_model(models, known, lambda m, part: m.knowing and getattr(m.knowing, part))
    span = decision.conditions.skew_range
    if span.low == span.high or not _without_empty(worth):
        return
    _title(console, "What it is worth to know, each time and not only as a range, per 1,000 cases")
    _print_money(console, models, worth)


def _print_constraints(decision: Decision, console: Console) -> None:
    models = decision.models
    if not decision.constraints or all(model.single is None for model in models.values()):
        return
    sentences = [decision.constraints.sentence(name) for name in decision.constraints]
    prices = _by_model(models, decision.constraints, lambda model, name: model.prices[name])
    _title(console, "What the best thresholds would save without one of the constraints")
    together = [_price_of_all(model) for model in models.values()]
    rows = {**dict(zip(sentences, prices.values(), strict=True)), "without any": together}
    _print_money(console, models, rows)
    _title(console, "How one threshold keeps to them on rows that it was not chosen on")
    table = _table_of(models)
    for i, sentence in enumerate(sentences):
        table.add_row(sentence, *(_reached(model, i) for model in models.values()))
    console.print(table)


def _print_basis(decision: Decision, console: Console) -> None:
    _title(console, "What this rests on")
    for assumption in decision.assumptions:
        say(console, f"- {assumption}")


def _price_of_all(model: ModelDecision) -> float | None:
    free, held = model.cost_per_1000_unconstrained["optimal"], model.cost_per_1000["optimal"]
    return None if free is None or held is None else held - free


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
    if not below and not above:
        return _NO_NUMBER
    if below and above:
        text = f"{low:.5g}" if low == high else f"{low:.5g} to {high:.5g}"
    else:
        text = f"{low:.5g} or more" if below else f"{high:.5g} or less"
    return f"{text}, partly at random" if row.randomised else text

"""The table of a drift: what has changed by how much, for each model."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from costspace.cli.console import say
from costspace.cli.drift_answer import change_of
from costspace.cli.fitted_table import fitted_table
from costspace.cli.tables import NONE, interval_heading
from costspace.decision.words import (
    alone_shown,
    amount_shown,
    decimals_for,
    estimate_shown,
    p_shown,
)
from costspace.estimates.quantities import LARGE, PREVALENCE
from costspace.watching.change import Change
from costspace.watching.changes import CHANGED, Drift

# Of each model, the first first; then what has changed most clearly.
_FIRST = (LARGE, "auc", "brier")
_SMALL = 0.001
_LABELS = {LARGE: "calibration"}


class _Row(NamedTuple):
    """A line of the table."""

    model: str
    quantity: str
    numbers: list[str]
    p: float
    became: str | None  # "better", "worse" or "changed"; None if nothing is clear

    @property
    def clear(self) -> str:
        """Whether it is clear, and for which side, where there are sides."""
        if self.became is None:
            return "no"
        return "yes" if self.became == CHANGED else self.became


def print_table(found: Mapping[str, Drift], console: Console, room: int) -> None:
    """Print what tells most of each model, in so many lines."""
    rows, hidden = _chosen(found, room - 1)
    level = next(iter(found.values())).level
    headings = ["before", "after", "change", interval_heading(level), "clear"]
    cells = [[*row.numbers, row.clear] for row in rows]
    console.print(_table(rows, headings, cells, models=len(found) > 1))
    if hidden:
        say(console, f"and {hidden} more models: --details", style="dim")


def print_money(found: Mapping[str, Drift], console: Console, room: int) -> int:
    """Print what keeping the rule of each of several models costs; the lines that it takes."""
    money = {name: drift.money for name, drift in found.items() if drift.money is not None}
    # What a new rule saves most for comes first, where not all have room.
    order = sorted(money, key=lambda name: -money[name].saving.difference)
    shown = [name for name in money if name in order[: room - 2]]
    rows = [money[name] for name in shown]
    level = next(iter(found.values())).level
    sides = [
        ("0", "the same")
        if one.saving.none
        else estimate_shown(one.saving.difference, one.saving.low, one.saving.high)
        for one in rows
    ]
    numbers = {
        "rule kept": [one.kept.shown[0] for one in rows],
        "best": [one.best.shown[0] for one in rows],
        "saves": [amount for amount, _ in sides],
        interval_heading(level): [ends for _, ends in sides],
        "do": ["set anew" if one.needed else "keep" for one in rows],
    }
    console.print(fitted_table({"model": shown}, numbers, ["bold" * one.needed for one in rows]))
    hidden = len(money) - len(shown)
    if hidden:
        say(console, f"and {hidden} more models: --details", style="dim")
    console.print()
    return len(shown) + 2 + bool(hidden)


def table_of_model(drift: Drift) -> Table:
    """All that is compared of one model."""
    rows = _rows_of("", drift)
    headings = ["before", "after", "change", interval_heading(drift.level), "p"]
    cells = [[*row.numbers, _p(row.p)] for row in rows]
    return _table(rows, headings, cells, models=False)


def _p(p: float) -> str:
    """A p-value, of a small one the size."""
    return p_shown(p) if p >= _SMALL else f"{p:.1g}"


def label_of(quantity: str) -> str:
    """What a quantity is called in a table, where its name is long."""
    return _LABELS.get(quantity, quantity.removeprefix("expected_"))


def _chosen(found: Mapping[str, Drift], room: int) -> tuple[list[_Row], int]:
    """The prevalence once, and of each model as many rows as there is room for."""
    shared = [row for row in _rows_of("", next(iter(found.values()))) if row.quantity == PREVALENCE]
    if any(_prevalence_clear(drift) for drift in found.values()):
        shared = [row._replace(became=CHANGED) for row in shared]
    left = room - len(shared)
    by_model = {name: _own(name, drift) for name, drift in found.items()}
    if left < len(by_model):
        order = sorted(by_model, key=lambda name: min(row.p for row in by_model[name]))
        kept = set(order[: left - 1])
        hidden = len(by_model) - len(kept)
        by_model = {name: rows for name, rows in by_model.items() if name in kept}
        left -= 1
    else:
        hidden = 0
    each = max(left // max(len(by_model), 1), 1)
    return [
        *shared,
        *(row for name, rows in by_model.items() for row in _in_order(found[name], rows[:each])),
    ], hidden


def _in_order(drift: Drift, chosen: Sequence[_Row]) -> list[_Row]:
    """Some rows of a model in the order of all."""
    kept = {row.quantity: row for row in chosen}
    return [kept[row.quantity] for row in _rows_of("", drift) if row.quantity in kept]


def _prevalence_clear(drift: Drift) -> bool:
    one = change_of(drift, PREVALENCE)
    return one is not None and drift.is_clear(one)


def _own(name: str, drift: Drift) -> list[_Row]:
    """What tells most of a model: with room for few, what has changed most clearly."""
    rows = [row for row in _rows_of(name, drift) if row.quantity != PREVALENCE]
    apart = [row for row in rows if row.quantity.endswith(" apart")]
    first = [row for key in _FIRST for row in rows if row.quantity == label_of(key)]
    first += sorted(apart, key=lambda row: row.p)[:1]
    others = [row for row in rows if row not in first]
    return [*sorted(first, key=lambda row: row.p), *sorted(others, key=lambda row: row.p)]


def _rows_of(name: str, drift: Drift) -> list[_Row]:
    rows = [
        _Row(name, label_of(one.quantity), numbers_of(one), one.p_adjusted, drift.became(one))
        for one in drift.changes
    ]
    return rows + [
        _Row(
            name,
            f"{one.rows} apart",
            ["", "", alone_shown(one.distance), NONE],
            one.p_adjusted,
            CHANGED if drift.is_clear(one) else None,
        )
        for one in drift.shifts
    ]


def numbers_of(one: Change) -> list[str]:
    """A change in the digits of its interval, and what it is between in no finer ones."""
    decimals = decimals_for((one.difference, one.low, one.high), one.high - one.low)
    sides = (amount_shown(value, decimals) for value in (one.before, one.after))
    return [*sides, *estimate_shown(one.difference, one.low, one.high)]


def _table(
    rows: Sequence[_Row], headings: Sequence[str], cells: Sequence[Sequence[str]], *, models: bool
) -> Table:
    names = {"model": [row.model or "all" for row in rows]} if models else {}
    labels = {"quantity": [row.quantity for row in rows]}
    numbers = {heading: [line[i] for line in cells] for i, heading in enumerate(headings)}
    styles = ["bold" if row.became else "" for row in rows]
    return fitted_table(names, numbers, styles, labels=labels)

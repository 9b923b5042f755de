"""`costspace watch show`: what a watch says by now."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from costspace.cli.answer import GateOptions, give
from costspace.cli.console import check_output, printable, say, told_written
from costspace.cli.lines import each_wrapped, shortened, wrapped
from costspace.cli.options import OptionalOutput
from costspace.cli.tables import interval_heading, table_of
from costspace.decision.words import estimate_shown
from costspace.deferral import deferred_calls
from costspace.errors import MissingExtraError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.frames.storage import load_watch
    from costspace.watching.look import Look, counted
    from costspace.watching.sequences import MeanSequence

# Looks that a screen has room for, and columns of a name.
_LAST, _NAME = 7, 40


def watch_show(
    watch: Path,
    /,
    *,
    complete_to: str | None = None,
    plot: Path | None = None,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
) -> int:
    """Say whether a watched rule costs more than is tolerated, and since when.

    What it says holds at every look, if days are added in their order. Rows whose label is late are
    no negatives: days count up to the first that has rows without a label.

    Example: costspace watch show watch.parquet --plot cost.png

    Parameters
    ----------
    watch
        What costspace watch begin has written, with the rows that watch add has added.
    complete_to
        The last day whose labels are all there, such as 2026-11-30: rows up to it that have none
        are left out.
    plot
        Draw the cost by day to this file: PNG, SVG or PDF, by how its name ends.
    json
        Write JSON, with the whole sequence, in full precision.
    output
        Write to this file instead of the terminal.
    """
    gate.check()
    check_output(output, watch)
    check_output(plot, watch)
    look = load_watch(watch).look(complete_to=complete_to)
    if plot is not None:
        _draw(look, plot)
    return give(look.to_dict, partial(_print, look), gate, json=json, output=output)


def _draw(look: Look, path: Path) -> None:
    try:
        from costspace.plots.saving import save_figure
        from costspace.plots.watched import plot_watch
    except ModuleNotFoundError:
        raise MissingExtraError("--plot needs matplotlib: install costspace[plots].") from None
    save_figure(plot_watch(look).figure, path)
    told_written(path)


def _print(look: Look, console: Console) -> None:
    first, *more = look.sentences()
    say(console, *wrapped(first), style="bold")
    if more:
        say(console, *each_wrapped(more))
    if not look.rows:
        return
    if look.savings:
        console.print()
        console.print(_by_rule(look))
    console.print()
    console.print(_by_day(look))
    says = f"{counted(look.rows, 'labelled row')} of {counted(len(look.days), 'day')}"
    say(console, "", *wrapped(f"{says}. Intervals hold at {100 * look.level:g} % for all looks."))


def _by_rule(look: Look) -> Any:
    """What each rule costs, and what the first saves."""
    table = table_of(["rule"], ["cost", interval_heading(look.level), "decision saves", "interval"])
    for name, cost in look.costs.items():
        saving = look.savings.get(name)
        table.add_row(
            Text(shortened(printable(name), _NAME)),
            *_cells(cost),
            *(("", "") if saving is None else _cells(saving)),
        )
    return table


def _by_day(look: Look) -> Any:
    """What the rule costs by the end of each of the last days."""
    table = table_of(["day"], ["rows", "cost so far", interval_heading(look.level)])
    cost = look.cost
    low, high = cost.low, cost.high
    for i in range(max(len(look.days) - _LAST, 0), len(look.days)):
        amount, ends = estimate_shown(cost.mean[i], low[i], high[i])
        table.add_row(str(look.days[i]), f"{cost.rows[i]:,.0f}", amount, ends)
    return table


def _cells(sequence: MeanSequence) -> tuple[str, str]:
    """A last mean, and its interval."""
    last = sequence.last
    return estimate_shown(float(sequence.mean[-1]), last.low, last.high)

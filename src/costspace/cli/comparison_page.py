"""A comparison by metrics on one screen: who is best, by how much, and how sure that is."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from costspace.cli.comparison_answer import answers_of
from costspace.cli.comparison_rows import Beside, metrics_of, rows_of
from costspace.cli.console import say
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, each_wrapped, first_fitting, fitting
from costspace.cli.tables import adjusted_heading, interval_heading
from costspace.decision.words import estimate_shown, listed, p_shown
from costspace.estimates.differences import ModelComparison, tests_of
from costspace.metrics import LARGER_IS_BETTER

_MOST_ANSWER = 3
# Rows of the table, whatever else there is to say.
_LEAST_ROWS, _LEAST_WITH_BANDS = 6, 3
# Two empty lines, the headings, how many rows there are besides, and where they are.
_AROUND = 5
_LAST = "All pairs, in full precision: --json."
_LAST_OF_FEWER = "All pairs and notes, in full precision: --json."


def print_comparison(
    comparison: ModelComparison, console: Console, *, costs: str, bands: Sequence[str] = ()
) -> None:
    """Print which model is best by each metric, against which others that is shown, and how.

    The metric that fits the `costs` leads. Lines on `bands` stand below the table.
    """
    say(console, *first_fitting(answers_of(comparison, costs), _MOST_ANSWER), style="bold")
    below = [*bands, ""] if bands else []
    told = list(_remarks(comparison))
    if console.is_terminal and any(map(comparison.is_clear, comparison.pairs)):
        told[0] += f" Bold where p is below {1 - comparison.level:.3g}."
    rows = rows_of(comparison)
    least = min(_LEAST_WITH_BANDS if bands else _LEAST_ROWS, len(rows))
    room = LINES - _MOST_ANSWER - _AROUND - len(below)
    fit = fitting(told, max(room - least, 1))
    remarks = each_wrapped(fit)
    most = max(room - len(remarks), least)
    # A line that says that one is left out takes as much room as that.
    shown = rows if len(rows) == most + 1 else rows[:most]
    if rows:
        console.print()
        console.print(_table(comparison, shown))
    if rows[len(shown) :]:
        say(console, f"and {len(rows) - len(shown)} more: --json has all pairs", style="dim")
    console.print()
    say(console, *below)
    say(console, *remarks, _LAST if fit == told else _LAST_OF_FEWER, style="dim")


def _table(comparison: ModelComparison, shown: Sequence[Beside]) -> Table:
    """Differences, with names of metrics and models as long as there is room for."""
    adjusted, rows = adjusted_heading(comparison.correction), [row.pair for row in shown]
    columns = {
        "difference": [estimate_shown(r.difference, r.low, r.high)[0] for r in rows],
        interval_heading(comparison.level): [
            estimate_shown(r.difference, r.low, r.high)[1] for r in rows
        ],
        adjusted: [p_shown(r.p_adjusted) for r in rows],
    }
    several = len({row.a for row in rows}) > 1
    names: dict[str, Sequence[str | Sequence[str]]] = {
        **({"best": [row.best for row in shown]} if several else {}),
        "against": [row.others for row in shown],
    }
    return fitted_table(
        names,
        columns,
        ["bold" if comparison.is_clear(row) else "" for row in rows],
        first={"metric": [row.metric for row in rows]},
    )


def _remarks(comparison: ModelComparison) -> Iterator[str]:
    """How to read the table, and what it rests on."""
    pairs, metrics = comparison.pairs, metrics_of(comparison)
    larger = [name for name in metrics if name in LARGER_IS_BETTER]
    better = f"larger is better for {listed(larger)}" if larger else "smaller is better"
    mixed = ", else smaller" if 0 < len(larger) < len(metrics) else ""
    if rows_of(comparison):
        yield f"Difference: the best model minus the other; {better}{mixed}."
    family = len({*tests_of(pairs)} - {None})
    several = f"; p allows for {family} comparisons" if comparison.correction else ""
    rows = "scored by all models" if comparison.paired else "of independent samples"
    yield f"{comparison.n} rows, {rows}{several if family > 1 else ''}."
    yield from comparison.remarks()
    biased = [m for m in metrics if any(round(p.bias, 6) for p in pairs if p.metric == m)]
    if biased:
        yield f"Corrected for optimism, as thresholds are chosen on the rows: {listed(biased)}."
    if any(row.pair.method == "unseen" for row in rows_of(comparison)):
        yield "Where no row tells two models apart, the interval is what may go unseen."

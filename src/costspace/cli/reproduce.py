"""`costspace reproduce`: the papers' figures, tables and stated values."""

import sys
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from costspace.cli.console import Terminal, progress, say
from costspace.cli.options import Output

if TYPE_CHECKING:
    from costspace.reproduce.compare import Comparison


def reproduce(*ids: str, output: Output) -> None:
    """Reproduce the figures and tables of the papers, and compare the numbers they state.

    Parameters
    ----------
    ids
        Figures such as 000-fig2, or whole documents such as 000; all, if none is named.
    output
        Folder for the pictures (ID.png), the tables (ID.csv) and the comparison
        (comparison.csv), made if need be.
    """
    # Plots need a library that evaluating does not.
    from costspace.reproduce.run import reproduce_figures

    with progress() as step:
        comparison = reproduce_figures(ids, output, progress=step("reproducing", 100))
    _print_comparison(comparison)


def _print_comparison(comparison: "Comparison") -> None:
    """The stated and the computed numbers; a file or a pipe gets one line each."""
    console = Terminal(highlight=False)
    if console.is_terminal:
        table = Table(*comparison.columns(), box=None, pad_edge=False)
        for row in comparison.rows:
            table.add_row(*map(escape, row.cells()))
        console.print(table)
    else:
        sys.stdout.write(f"{comparison.to_text()}\n")
    say(console, comparison.summary())

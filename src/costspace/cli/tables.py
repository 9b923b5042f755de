"""Tables as commands print them: columns of words, which may be folded, and of numbers."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable

NONE = "–"


def table_of(words: Iterable[str], numbers: Iterable[str] = ()) -> Table:
    """A table without rows, by the headings of its columns."""
    table = Table(box=None, pad_edge=False)
    for heading in words:
        table.add_column(Text(printable(heading)), overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table


def table_by_model(models: Iterable[str]) -> Table:
    """A table with a column for what its rows are and one for each model."""
    table = Table(box=None, pad_edge=False)
    table.add_column()
    for name in models:
        table.add_column(Text(printable(name)), justify="right", overflow="fold")
    return table


def interval_heading(level: float) -> str:
    """The heading of a column of intervals."""
    return f"{100 * level:g} % interval"


def adjusted_heading(correction: str | None) -> str:
    """The heading of a column of p-values, adjusted or not."""
    return "p" if correction is None else f"p ({correction.capitalize()})"

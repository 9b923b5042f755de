"""Tables as wide as a page: names are as long as there is room for beside numbers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable
from costspace.cli.lines import WIDTH, shortened

# By heading, what stands in each row.
TextColumns: TypeAlias = Mapping[str, Sequence[str]]
# A column of names keeps at least this much.
SHORTEST = 8


def fitted_table(
    names: TextColumns,
    numbers: TextColumns,
    styles: Sequence[str] = (),
    *,
    labels: TextColumns = MappingProxyType({}),
    whole: bool = False,
) -> Table:
    """A table of which names are shortened, or folded to be `whole`, and no number is.

    Labels, which stand between them, give way only where names would have no room.
    """
    if room_for(names, {**labels, **numbers}) < SHORTEST:
        names, labels = {**names, **labels}, {}
    room = max(room_for(names, {**labels, **numbers}), SHORTEST)
    table = Table(box=None, pad_edge=False)
    for heading in names:
        table.add_column(heading, max_width=room, overflow="fold", no_wrap=not whole)
    for heading in (*labels, *numbers):
        table.add_column(heading, justify="left" if heading in labels else "right", no_wrap=True)
    columns = [
        [text if whole else shortened(text, room) for text in map(printable, column)]
        for column in names.values()
    ]
    rows = list(zip(*columns, *labels.values(), *numbers.values(), strict=True))
    for row, style in zip(rows, styles or [""] * len(rows), strict=True):
        table.add_row(*(Text(cell, style) for cell in row))
    return table


def room_for(names: TextColumns, numbers: TextColumns) -> int:
    """How long names may be, where no column of them is wider than it needs."""
    left = WIDTH + 2 - sum(2 + width for width in _widths(numbers))
    longest = _widths(names)
    fits = (
        room
        for room in range(WIDTH, 0, -1)
        if sum(2 + min(width, room) for width in longest) <= left
    )
    return next(fits, 0)


def _widths(columns: TextColumns) -> list[int]:
    return [
        max(map(cell_len, (heading, *map(printable, cells)))) for heading, cells in columns.items()
    ]

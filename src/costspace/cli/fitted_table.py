"""Tables as wide as a page: names are as long as there is room for beside numbers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable
from costspace.cli.lines import WIDTH, several_in

# By heading, what stands in each row; and of names, one or several.
TextColumns: TypeAlias = Mapping[str, Sequence[str | Text]]
Names: TypeAlias = Mapping[str, Sequence[str | Text | Sequence[str]]]
# A column of names keeps at least this much.
SHORTEST = 8


def fitted_table(
    names: Names,
    numbers: TextColumns,
    styles: Sequence[str] = (),
    *,
    first: TextColumns = MappingProxyType({}),
    labels: TextColumns = MappingProxyType({}),
    whole: bool = False,
) -> Table:
    """A table of which names are shortened, or folded to be `whole`, and no number is.

    Labels, which stand `first` or between them, give way only where names would have no room.
    """
    if room_for(names, {**first, **labels, **numbers}) < SHORTEST:
        names, first, labels = {**first, **names, **labels}, {}, {}
    rooms = _rooms(names, {**first, **labels, **numbers})
    lists = {heading: list(map(_names_in, column)) for heading, column in names.items()}
    among = {name for column in lists.values() for cell in column for name in cell}
    table = Table(box=None, pad_edge=False)
    for heading in first:
        table.add_column(heading, no_wrap=True)
    for heading, room in zip(names, rooms, strict=True):
        table.add_column(heading, max_width=room, overflow="fold", no_wrap=not whole)
    for heading in (*labels, *numbers):
        table.add_column(heading, justify="left" if heading in labels else "right", no_wrap=True)
    columns = [
        [", ".join(cell) if whole else several_in(cell, room, among) for cell in column]
        for column, room in zip(lists.values(), rooms, strict=True)
    ]
    rows = list(zip(*first.values(), *columns, *labels.values(), *numbers.values(), strict=True))
    for row, style in zip(rows, styles or [""] * len(rows), strict=True):
        # A cell may have a style of its own.
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell, style) for cell in row))
    return table


def room_for(names: Names, numbers: TextColumns) -> int:
    """How long names may be, where no column of them is wider than it needs."""
    left, longest = _left(numbers), _widths(names)
    fits = (
        room
        for room in range(WIDTH, 0, -1)
        if sum(2 + min(width, room) for width in longest) <= left
    )
    return next(fits, 0)


def _rooms(names: Names, numbers: TextColumns) -> list[int]:
    """How wide each column of names may be; what is left over goes to the first that need it."""
    least = max(room_for(names, numbers), SHORTEST)
    widths = _widths(names)
    rooms = [min(width, least) for width in widths]
    over = _left(numbers) - sum(2 + room for room in rooms)
    for i, width in enumerate(widths):
        more = min(max(over, 0), width - rooms[i])
        rooms[i] += more
        over -= more
    return rooms


def _left(numbers: TextColumns) -> int:
    """How much of a line numbers leave to names, with the space before each."""
    return WIDTH + 2 - sum(2 + width for width in _widths(numbers))


def _names_in(cell: str | Text | Sequence[str]) -> list[str]:
    return [printable(str(name)) for name in ([cell] if isinstance(cell, str | Text) else cell)]


def _widths(columns: Names) -> list[int]:
    return [
        max(map(cell_len, (heading, *(", ".join(_names_in(cell)) for cell in cells))))
        for heading, cells in columns.items()
    ]

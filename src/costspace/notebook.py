"""How notebooks show results: as tables in HTML, with every text escaped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

# A longer table shows so many of its first rows, and as many of its last.
_ENDS = 10
_NONE = "–"


def html_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    notes: Iterable[str] = (),
) -> str:
    """A table in HTML, all of its text escaped.

    A row of a single cell is a heading across all columns, and a new line in a cell stays one.
    Notes are a paragraph each, below the table.
    """
    title = f"<caption>{_text(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{_cells(row, len(head))}</tr>" for row in rows)
    top = "".join(f"<th>{_text(name)}</th>" for name in head)
    below = "".join(f"<p>{_text(note)}</p>" for note in notes)
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cells(row: Sequence[str], width: int) -> str:
    if len(row) == 1 < width:
        return f"<th colspan='{width}'>{_text(row[0])}</th>"
    return "".join(f"<td>{_text(cell)}</td>" for cell in row)


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")


class _HasColumns(Protocol):
    def columns(self) -> Mapping[str, NDArray[Any]]: ...

    def _caption(self) -> str: ...

    def _notes(self) -> Iterable[str]: ...


class Tabulated:
    """A record that notebooks show as a table of its columns."""

    __slots__ = ()

    def _repr_html_(self: _HasColumns) -> str:
        columns = self.columns()
        length = max((len(column) for column in columns.values()), default=0)
        rows = list(range(length))
        notes = list(self._notes())
        if length > 2 * _ENDS + 1:
            rows = [*rows[:_ENDS], *rows[-_ENDS:]]
            notes.insert(0, f"The first and the last {_ENDS} of {length:,} rows.")
        cells = [[_shown(column[i]) for column in columns.values()] for i in rows]
        if len(cells) < length:
            cells.insert(_ENDS, ["…"] * len(columns))
        return html_table(list(columns), cells, caption=self._caption(), notes=notes)

    def _caption(self) -> str:
        words = re.findall("[A-Z][a-z]*", type(self).__name__)
        return " ".join([words[0], *map(str.lower, words[1:])])

    def _notes(self) -> Iterable[str]:
        return ()


def _shown(value: Any) -> str:
    """A cell: numbers in six digits, a dash for a missing one."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return _NONE if np.isnan(value) else f"{value:.6g}"
    return _NONE if value is None else str(value)

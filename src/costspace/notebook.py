"""How notebooks show results: as tables in HTML, with every text escaped."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from costspace.digits import apart

# A longer table shows so many of its first rows, and as many of its last.
_ENDS = 10
_DIGITS = 6
# Pairs, strategies, and letters of a note, that a screen has room for.
PAIRS, STRATEGIES, LETTERS = 20, 20, 400
_NONE = "–"

Listed = TypeVar("Listed")


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


def html_card(
    heading: str,
    lines: Iterable[str],
    why: Iterable[str],
    warnings: Iterable[str],
    table: str,
) -> str:
    """A table below an answer: a heading, lines, what is folded under "Why", and warnings.

    All text but the table is escaped.
    """
    folded = "".join(f"<p>{_text(one)}</p>" for one in why)
    grounds = f"<details><summary>Why</summary>{folded}</details>" if folded else ""
    said = "".join(f"<p>{_text(one)}</p>" for one in lines if one)
    warned = "".join(f"<p>{_text(one)}</p>" for one in warnings)
    return f"<h4>{_text(heading)}</h4>{said}{grounds}{warned}{table}"


def _cells(row: Sequence[str], width: int) -> str:
    if len(row) == 1 < width:
        return f"<th colspan='{width}'>{_text(row[0])}</th>"
    return "".join(f"<td>{_text(cell)}</td>" for cell in row)


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def first_of(
    items: Sequence[Listed], most: int, what: str, where: str = "columns()"
) -> tuple[Sequence[Listed], list[str]]:
    """As many items as a screen has room for, and a line on those left out."""
    more = len(items) - most
    if more <= 0:
        return items, []
    return items[:most], [f"and {more:,} more {what}: {where} has all."]


def in_short(text: str, most: int = 40) -> str:
    """A name, or a longer text, by its beginning and its end if it has more letters than that."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}"


class _HasColumns(Protocol):
    def columns(self) -> Mapping[str, NDArray[Any]]: ...

    def _caption(self) -> str: ...

    def _notes(self) -> Iterable[str]: ...

    def _scores(self) -> Collection[str]: ...


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
        exact = {name: columns[name][rows].tolist() for name in self._scores() if name in columns}
        others = [number for numbers in exact.values() for number in numbers]
        cells = [
            [_shown(column[i], others if name in exact else ()) for name, column in columns.items()]
            for i in rows
        ]
        if len(cells) < length:
            cells.insert(_ENDS, ["…"] * len(columns))
        return html_table(list(columns), cells, caption=self._caption(), notes=notes)

    def _caption(self) -> str:
        words = re.findall("[A-Z][a-z]*", type(self).__name__)
        return " ".join([words[0], *map(str.lower, words[1:])])

    def _notes(self) -> Iterable[str]:
        return ()

    def _scores(self) -> Collection[str]:
        """The columns of scores, in which digits beyond the sixth may tell who is flagged."""
        return ("threshold", "threshold_2", "above", "up_to")


class OneRow(Tabulated):
    """A record that is a table of one row: every attribute by its name."""

    __slots__ = ()

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row: every attribute by its name."""
        return {name: np.array([value]) for name, value in vars(self).items()}


def _shown(value: Any, others: Collection[float]) -> str:
    """A cell: numbers in six digits, or in those that tell them apart; a dash for a missing one."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return _NONE
        return apart(float(value), others, _DIGITS) if others else f"{value:.{_DIGITS}g}"
    return _NONE if value is None else str(value)

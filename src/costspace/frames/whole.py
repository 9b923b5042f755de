"""A caller's dataframe with all of its columns, and one more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from costspace.errors import FileError
from costspace.frames.dataframes import as_narwhals, nw, opened_by_narwhals, plainly_named, renamed
from costspace.frames.paths import no_column

# The number of each row, from 0, where rows have an order.
PLACE = "place"


@final
@dataclass(frozen=True, eq=False)
class WholeFrame:
    """A dataframe of any engine, under names that no engine can take for a pattern or a path."""

    # The columns, ``column0`` and so on; and `PLACE`, if rows have an order.
    rows: nw.LazyFrame[Any]
    names: Mapping[str, str]  # what the caller calls a column, and its name here
    eager: bool  # whether the engine holds the rows

    def here(self, name: str) -> str:
        """A column's name here, or `FileError` with near names."""
        if name not in self.names:
            raise no_column("the frame", name, self.names)
        return self.names[name]

    def with_added(self, rows: nw.LazyFrame[Any], added: str, name: str) -> Any:
        """The caller's kind of dataframe, with one more column, which is `added` here."""
        names = {here: own for own, here in self.names.items()} | {added: name}
        found = renamed(rows.select(*names), names)
        return (found.collect() if self.eager else found).to_native()


def open_whole(frame: Any, added: str, order_by: Sequence[str]) -> WholeFrame:
    """Open a dataframe of any engine, or raise `FileError` if it has the column to be added."""
    given = opened_by_narwhals(frame)
    eager = isinstance(given, nw.DataFrame)
    lazy, names = plainly_named(given.lazy())
    if added in names:
        raise FileError(
            f"the frame has a column {added!r} already: name another for the actions, or drop it."
        )
    found = WholeFrame(lazy, names, eager)
    if order_by:
        by = [found.here(name) for name in order_by]
        return WholeFrame(_placed(found.rows, by), names, eager)
    if eager:
        rows = found.rows.collect().with_row_index(PLACE)
        return WholeFrame(rows.lazy(), names, eager)
    return found


def _placed(rows: nw.LazyFrame[Any], by: Sequence[str]) -> nw.LazyFrame[Any]:
    """The rows with the number of each in this order, in `PLACE`."""
    if not rows.implementation.is_dask():
        return rows.with_row_index(PLACE, order_by=by)
    # Narwhals joins the numbers to the rows by an index, which files of a folder repeat.
    ones = rows.to_native().sort_values(by).assign(**{PLACE: 1})
    return as_narwhals(ones.assign(**{PLACE: ones[PLACE].cumsum() - 1}))

"""One result for each segment of the data, and why some segments have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.errors import CostspaceError
from costspace.frames.dataframes import nw
from costspace.frames.labels import is_missing

T = TypeVar("T")
U = TypeVar("U")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Segments(FrozenValue, Mapping[Any, T], Generic[T]):
    """The result of each segment of the data: a mapping from segment to result.

    A segment is a value of one column, or a tuple of values of several. Rows without a value form
    the segment None.

    Attributes
    ----------
    by : tuple of str
        The columns that name segments.
    found : mapping
        The result of each segment that has one.
    missing : mapping of segment to str
        Why each of the others has none.

    Notes
    -----
    If a segment has no result, as without rows of one class, the others still have theirs.

    Examples
    --------
    >>> import pandas as pd
    >>> from costspace.frames import score_table
    >>> frame = pd.DataFrame({"y": [0, 1, 0], "s": [0.2, 0.7, 0.4], "site": ["a", "a", "b"]})
    >>> tables = score_table(frame, label="y", score="s", by="site")
    >>> tables
    Segments(by 'site': 1 found, 1 missing)
    >>> {site: table.auc for site, table in tables.items()}
    {'a': 1.0}
    >>> tables.missing
    {'b': 'there is no positive row: both classes are needed.'}
    """

    by: tuple[str, ...]
    found: Mapping[Any, T]
    missing: Mapping[Any, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.by))
        return f"Segments(by {names}: {len(self.found)} found, {len(self.missing)} missing)"

    def __getitem__(self, segment: Any) -> T:
        return self.found[segment]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def each(self, function: Callable[[T], U]) -> Segments[U]:
        """Apply a function to each result; if it raises an error, the reason is in `missing`."""
        found: dict[Any, U] = {}
        missing = dict(self.missing)
        for segment, result in self.found.items():
            try:
                found[segment] = function(result)
            except CostspaceError as error:
                missing[segment] = str(error)
        return Segments(self.by, found, missing)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a segment: the values that name it, and why it has no result, if it has none."""
        segments = [*self.found, *self.missing]
        parts = [segment if len(self.by) > 1 else (segment,) for segment in segments]
        columns = {name: _values([part[i] for part in parts]) for i, name in enumerate(self.by)}
        reason = "missing" if "missing" not in self.by else "missing_"
        columns[reason] = _values([self.missing.get(segment) for segment in segments])
        return columns


def in_segments(
    counted: nw.DataFrame[Any],
    by: Mapping[str, str],
    function: Callable[[nw.DataFrame[Any]], T],
) -> T | Segments[T]:
    """A function's result for all rows or, with columns `by`, for the rows of each segment."""
    if not by:
        return function(counted)
    found = {
        segment if len(by) > 1 else segment[0]: function(part)
        for segment, part in _split(counted, list(by.values()))
    }
    return Segments(tuple(by), found)


def sum_of(parts: Sequence[Any]) -> Any:
    """The sum of some results, added pairwise so that each is part of few additions."""
    while len(parts) > 1:
        pairs = [a + b for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[len(parts) // 2 * 2 :]]
    return parts[0]


def column_of(frame: nw.DataFrame[Any], name: str, kind: Any) -> NDArray[Any]:
    """A column as an array of some type, whatever the engine gave."""
    return array_of(frame[name], kind)


def array_of(column: nw.Series[Any], kind: Any) -> NDArray[Any]:
    """The same of a column that belongs to no frame."""
    if column.implementation.is_pyarrow() and column.null_count() == 0:
        if column.dtype == nw.Boolean():
            column = column.cast(nw.UInt8())
        if column.dtype.is_integer() or column.dtype.is_float():
            # Through DLPack: pyarrow's own conversion to NumPy loads pandas, which takes as long
            # as the rest of a small evaluation.
            return np.asarray(np.from_dlpack(column.to_arrow()), dtype=kind)
    return np.asarray(column.to_numpy(), dtype=kind)


def _split(
    counted: nw.DataFrame[Any], names: list[str]
) -> Iterator[tuple[tuple[Any, ...], nw.DataFrame[Any]]]:
    """The rows of each combination of values of some columns, ascending, nulls last."""
    ordered = counted.sort(*names, nulls_last=True)
    changes = np.zeros(len(ordered), dtype=bool)
    changes[:1] = True
    for name in names:
        column, before = ordered[name], ordered[name].shift(1)
        differs = array_of((column != before).fill_null(value=True), bool)
        both_null = array_of(column.is_null(), bool) & array_of(before.is_null(), bool)
        changes[1:] |= (differs & ~both_null)[1:]
    starts = np.flatnonzero(changes).tolist()
    segments = ordered.select(names)[starts, :].rows()
    for segment, start, end in zip(segments, starts, [*starts[1:], None], strict=True):
        yield tuple(_plain(value) for value in segment), ordered[start:end]


def _plain(value: Any) -> Any:
    """A value as Python has it, None if it is missing."""
    if is_missing(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _values(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array

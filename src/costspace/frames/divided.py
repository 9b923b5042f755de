"""What columns say of the segments of rows that DuckDB counts, by numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, final

import numpy as np

from costspace.errors import SourceError
from costspace.frames.predictions import Predictions

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

# More segments are names of cases, and every kind of rows is counted in each.
_MOST = 1_000


@final
@dataclass(frozen=True, eq=False)
class SegmentValues:
    """The values of the columns that name segments, ascending, missing ones last.

    Attributes
    ----------
    values : mapping of str to array of Arrow
        By the name of the column in the frame.
    names : sequence of sequences
        The same as rows in memory have them, None where they are missing.
    """

    values: Mapping[str, Any]
    names: Sequence[Sequence[Any]]

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many values each column has."""
        return {name: len(values) for name, values in self.values.items()}

    @property
    def segments(self) -> Sequence[tuple[Any, ...]]:
        """What the columns say of each segment, by its number; of some there may be no rows."""
        return list(product(*self.names))


def segment_values(predictions: Predictions, by: Sequence[str]) -> SegmentValues:
    """The values of the last columns that predictions in DuckDB are opened by.

    `SourceError` if they make too many segments.
    """
    first = len(predictions.by) - len(by)
    here = [f"by{first + i}" for i in range(len(by))]
    found = {name: _distinct(predictions.frame, name) for name in here}
    many = np.prod([len(one) for one in found.values()], dtype=float)
    if many > _MOST:
        largest = max(zip(by, found, strict=True), key=lambda names: len(found[names[1]]))
        raise SourceError(
            f"{', '.join(by)} of {predictions.file.path} make more than {_MOST:,} segments, which "
            f"are too many to count: give columns with fewer values, such as bins of {largest[0]}."
        )
    return SegmentValues(
        {name: one.to_arrow_table()[name].combine_chunks() for name, one in found.items()},
        [_plain(one.fetchnumpy()[name]) for name, one in found.items()],
    )


def _distinct(frame: DuckDBPyRelation, name: str) -> DuckDBPyRelation:
    return frame.project(name).distinct().order(f"{name} NULLS LAST").limit(_MOST + 1)


def _plain(values: Any) -> list[Any]:
    masked: list[Any] = np.ma.asarray(values).tolist()
    return masked

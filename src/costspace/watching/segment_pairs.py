"""Segments of the rows of two samples, those joined that are small in either."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from costspace.arrays import IndexArray
from costspace.decision.evidence.segments import SegmentRows, joined
from costspace.errors import SourceError
from costspace.samples.rows import ScoredRows
from costspace.samples.segmenting import rows_among, segments_given


class Divided(NamedTuple):
    """Which rows each segment of two samples has, by what columns say."""

    by: Sequence[str]
    before: SegmentRows
    after: SegmentRows

    def counting(self, before: ScoredRows, after: ScoredRows) -> "Divided":
        """The same of the rows that count, which are numbered anew."""
        return Divided(
            self.by, rows_among(self.before, before.counts), rows_among(self.after, after.counts)
        )


class SegmentPair(NamedTuple):
    """The rows of a segment in two samples."""

    by: Mapping[str, Any]
    number: int  # how many it is, if some are joined
    before: IndexArray
    after: IndexArray
    few: bool  # whether they are too few for intervals


def divided_by(segments: Any, before: Any, after: Any) -> Divided:
    """The segments of two samples, as they are given: a pair of arrays or of frames.

    `SourceError` if the samples are no rows, or segments are not of each row, or not by the same
    columns.
    """
    try:
        first, second = segments
    except (TypeError, ValueError):
        raise SourceError(
            "segments must be two, those of the rows before and of the rows after."
        ) from None
    found = []
    for which, rows, own in (("before", before, first), ("after", after, second)):
        if not isinstance(rows, ScoredRows):
            raise SourceError(
                f"segments need rows, and {which} is {type(rows).__name__}: give ScoredRows, such "
                "as read_rows returns."
            )
        found.append(segments_given(own, len(rows)))
    (names, of_before), (others, of_after) = found
    if names != others:
        raise SourceError(
            f"segments are by {', '.join(names)} before and by {', '.join(others)} after: give "
            "the same columns."
        )
    if not of_before.keys() & of_after.keys():
        raise SourceError(
            f"no segment by {', '.join(names)} is in both samples: give columns that name the same "
            "segments in both."
        )
    return Divided(names, of_before, of_after)


def paired(
    divided: Divided, are_few: Callable[[IndexArray, IndexArray], bool]
) -> list[SegmentPair]:
    """The segments that have rows after, given which pairs of rows are too few for intervals.

    Where there are none before it is for `are_few` to say.
    """
    none = np.zeros(0, dtype=np.intp)

    def before(values: Sequence[tuple[Any, ...]]) -> IndexArray:
        return np.sort(np.concatenate([divided.before.get(one, none) for one in values]))

    small = [values for values, some in divided.after.items() if are_few(before([values]), some)]
    found = []
    for one in joined(divided.by, divided.after, small):
        own = before(one.values)
        few = are_few(own, one.rows)
        found.append(SegmentPair(one.by, len(one.values), own, one.rows, few))
    return found

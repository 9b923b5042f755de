"""The state of a watch as it is saved: what was fixed when it began, and what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import EXACT
from costspace.errors import SourceError, brief
from costspace.frames.table_file import Numbers, TableFile, check_types
from costspace.watching.joint_counts import UNLABELLED, JointCounts
from costspace.watching.terms import WatchTerms
from costspace.watching.waiting import WaitingRows
from costspace.watching.watch import Watch

# The key of its description.
WATCH = "watch"
_COUNTS = "counts"
# The parts of what waits, each with its ids and what belongs to them.
_WAITING = {
    "rows": {"id": "row", "day": "day", "acted": "acted"},
    "labels": {"id": "label", "positive": "positive"},
    "matched": {"id": "matched", "positive": "matched_positive"},
}
_NUMBERS = ("day", "positive", "acted", "rows")
_TYPES = {"model": ("VARCHAR",), **dict.fromkeys(_NUMBERS, ("BIGINT",)), "id": ("UBIGINT",)}
# No day is further from 1970-01-01.
_DAYS = 4_000_000


def described_watch(watch: Watch) -> tuple[dict[str, Any], Sequence[tuple[str, Numbers]]]:
    """The description of a file, and its columns."""
    parts: dict[str, dict[str, NDArray[Any]]] = {
        _COUNTS: {name: getattr(watch.counts, name) for name in _NUMBERS}
    }
    for part, columns in _WAITING.items():
        parts[part] = {name: getattr(watch.waiting, own) for name, own in columns.items()}
    return {WATCH: {**watch.terms.to_dict(), "added": list(watch.added)}}, list(parts.items())


def read_watch(file: TableFile, about: Any) -> Watch:
    """The watch of a file, or `SourceError` if anything in it cannot be."""
    check_types(file.types(), _TYPES)
    begun = about[WATCH]
    if not isinstance(begun, dict):
        raise SourceError("it does not say what is watched")
    terms = WatchTerms.from_dict(begun)
    added = begun.get("added")
    if not isinstance(added, list) or not all(isinstance(one, str) for one in added):
        raise SourceError(f"what was added to it is {brief(added)}")
    sizes = file.sizes()
    if not sizes.keys() <= {_COUNTS, *_WAITING}:
        raise SourceError("some of its rows belong to nothing")
    counts = file.columns(_COUNTS, _NUMBERS)
    waiting = {
        own: values
        for part, columns in _WAITING.items()
        for own, values in zip(
            columns.values(), file.columns(part, list(columns)).values(), strict=True
        )
    }
    ranges = (
        (counts["positive"], UNLABELLED, 1),
        (waiting["positive"], 0, 1),
        (waiting["matched_positive"], 0, 1),
        (counts["acted"], 0, terms.kinds - 1),
        (waiting["acted"], 0, terms.kinds - 1),
        (counts["rows"], 1, EXACT),
        (counts["day"], -_DAYS, _DAYS),
        (waiting["day"], -_DAYS, _DAYS),
    )
    if any(np.any((one < low) | (one > high)) for one, low, high in ranges):
        raise SourceError("some of its numbers are out of range")
    return Watch(terms, JointCounts.of(*counts.values()), WaitingRows.of(**waiting), tuple(added))

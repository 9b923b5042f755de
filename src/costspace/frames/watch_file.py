"""The state of a watch as it is saved: what was fixed when it began, and what has been counted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import EXACT, FrozenDict
from costspace.checks import check_number, check_whole
from costspace.decision.applying.plain_rules import rules_of
from costspace.deployment.actions import ACTIONS
from costspace.errors import SourceError, brief
from costspace.estimates.interval import check_level
from costspace.frames.table_file import Numbers, TableFile, check_types
from costspace.watching.case_cells import VALUES
from costspace.watching.joint_counts import UNLABELLED, JointCounts
from costspace.watching.terms import WatchTerms
from costspace.watching.waiting import WaitingRows
from costspace.watching.watch import Watch

# The key of its description.
WATCH = "watch"
_COUNTS, _ROWS, _LABELS = "counts", "rows", "labels"
_NUMBERS = ("day", "positive", "acted", "rows")
_TYPES = {
    "model": ("VARCHAR",),
    **dict.fromkeys(_NUMBERS, ("BIGINT",)),
}
_DIGEST = re.compile("[0-9a-f]{32}")


def described_watch(watch: Watch) -> tuple[dict[str, Any], Sequence[tuple[str, Numbers]]]:
    """The description of a file, and its columns."""
    waiting = watch.waiting
    parts: dict[str, dict[str, NDArray[Any]]] = {
        _COUNTS: {name: getattr(watch.counts, name) for name in _NUMBERS},
        _ROWS: {"id": waiting.row.astype(object), "day": waiting.day, "acted": waiting.acted},
        _LABELS: {"id": waiting.label.astype(object), "positive": waiting.positive},
    }
    # No rows have no type of text.
    kept = [(name, one) for name, one in parts.items() if "id" not in one or len(one["id"])]
    return {WATCH: {**watch.terms.to_dict(), "added": list(watch.added)}}, kept


def read_watch(file: TableFile, about: Any) -> Watch:
    """The watch of a file, or `SourceError` if anything in it cannot be."""
    sizes = file.sizes()
    waiting = any(sizes.get(name) for name in (_ROWS, _LABELS))
    check_types(file.types(), {**_TYPES, **({"id": ("VARCHAR",)} if waiting else {})})
    begun = about[WATCH]
    if not isinstance(begun, dict) or not isinstance(begun.get("rules"), dict):
        raise SourceError("it does not say which rules are watched")
    costs = begun.get("costs")
    if not isinstance(costs, dict) or not costs.keys() <= {*ACTIONS}:
        raise SourceError(f"its costs are {brief(costs)}")
    pairs = {name: tuple(check_number(name, cost) for cost in pair) for name, pair in costs.items()}
    rules = {name: rules_of(values) for name, values in begun["rules"].items()}
    added = begun.get("added")
    if not isinstance(added, list) or not all(isinstance(one, str) for one in added):
        raise SourceError(f"what was added to it is {brief(added)}")
    counts = JointCounts(*file.columns(_COUNTS, _NUMBERS).values())
    row, day, acted = _columns(file, sizes, _ROWS, ("id", "day", "acted"))
    label, positive = _columns(file, sizes, _LABELS, ("id", "positive"))
    most = begun.get("most")
    kinds = (len(ACTIONS) if most is None else len(VALUES)) ** len(rules)
    numbers = (
        (counts.positive, UNLABELLED, 1),
        (positive, 0, 1),
        (counts.acted, 0, kinds - 1),
        (acted, 0, kinds - 1),
        (counts.rows, 1, EXACT),
    )
    if any(np.any((one < low) | (one > high)) for one, low, high in numbers):
        raise SourceError("some of its numbers are out of range")
    if not _are_digests(row) or not _are_digests(label):
        raise SourceError("some of its ids are no digests")
    terms = WatchTerms(
        rules=FrozenDict(rules),
        costs=FrozenDict(pairs),
        most=None if most is None else check_number("most", most, low=0, open_ends=True),
        tolerance=check_number("tolerance", begun["tolerance"]),
        level=check_level(begun["level"]),
        looks=_planned(begun, "looks"),
        rows=_planned(begun, "rows"),
    )
    return Watch(
        terms,
        counts=JointCounts.of(*vars(counts).values()),
        waiting=WaitingRows.of(row.astype("<U32"), day, acted, label.astype("<U32"), positive),
        added=tuple(added),
    )


def _columns(
    file: TableFile, sizes: Mapping[str | None, int], part: str, names: Sequence[str]
) -> list[NDArray[Any]]:
    """Columns of a part, which is not in the file if it has no rows."""
    if part in sizes:
        return list(file.columns(part, names).values())
    return [np.array([], dtype=object if name == "id" else np.int64) for name in names]


def _are_digests(names: NDArray[Any]) -> bool:
    return all(_DIGEST.fullmatch(name) for name in names.tolist())


def _planned(begun: Mapping[str, Any], name: str) -> int | None:
    number = begun.get(name)
    return None if number is None else check_whole(name, number, least=1)

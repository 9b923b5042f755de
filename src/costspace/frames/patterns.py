"""Many columns of scores named at once."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence

from costspace.errors import FileError
from costspace.frames.paths import listed, no_column
from costspace.names import near_names
from costspace.samples.turned import turned_from

_ALL_BUT = "all-but:"


def is_pattern(name: str) -> bool:
    """Whether a name may stand for several columns."""
    return "*" in name or name.startswith(_ALL_BUT)


def scores_among(
    names: Sequence[str], known: Collection[str], besides: Collection[str], where: object
) -> list[str]:
    """The columns that names of scores mean, in the order of the names.

    A star in a name stands for any characters, and ``all-but:A,B`` for all columns but A and B.
    A pattern adds what is not named yet, and none of `besides`; a column that has such a name wins.
    `FileError` if it adds nothing, or if there is nothing of what it leaves out.
    """
    found = [name for name in names if name in known or not is_pattern(name)]
    if len(found) == len(names):
        return found
    named, chosen = set(found), list[str]()
    for name in names:
        if name in known or not is_pattern(name):
            chosen.append(name)
            continue
        added = [one for one in _added(name, known, besides, where) if one not in named]
        if not added:
            raise FileError(f"{where} has no column for {name!r} that is not named otherwise.")
        named.update(added)
        chosen += added
    return chosen


def _added(name: str, known: Collection[str], besides: Collection[str], where: object) -> list[str]:
    """The columns that a pattern stands for, or `FileError` if there are none."""
    free = [one for one in known if one not in besides]
    if name.startswith(_ALL_BUT):
        (left_out,) = csv.reader([name.removeprefix(_ALL_BUT)], skipinitialspace=True)
        out = {one for part in left_out for one in _matched(part, known, known, where)}
        return [one for one in free if one not in out]
    turned = turned_from(name)
    if turned is None or any(_matches(name, one) for one in free):
        return _matched(name, free, known, where)
    sign = name[: name.index("-") + 1]
    return [f"{sign}{one}" for one in _matched(turned[1], free, known, where)]


def _matched(
    pattern: str, names: Collection[str], known: Collection[str], where: object
) -> list[str]:
    """The names that a pattern matches, or `FileError` with those that are near."""
    if pattern in known:
        return [pattern]
    if "*" not in pattern:
        raise no_column(where, pattern, known)
    found = [name for name in names if _matches(pattern, name)]
    if not found:
        near = near_names(pattern.replace("*", ""), names)
        hint = f"did you mean {listed(near)}?" if near else f"it has {listed(names)}."
        raise FileError(f"{where} has no column of scores that {pattern!r} matches: {hint}")
    return found


def _matches(pattern: str, name: str) -> bool:
    form = ".*".join(map(re.escape, pattern.split("*")))
    return re.fullmatch(form, name, re.DOTALL) is not None

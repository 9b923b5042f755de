"""Saved tables of the same models, added up."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from costspace.arrays import Progress
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.errors import FileError, SourceError
from costspace.frames.paths import listed
from costspace.frames.storage import load_table
from costspace.summaries.counts import ScoreCounts


def merged(
    paths: Iterable[str | Path], progress: Progress = lambda _: None
) -> dict[str, ScoreCounts]:
    """Add up saved tables of the same models, in any order; two are in memory at a time.

    Raises
    ------
    FileError
        If a file is not a saved table, has rows in folds, or has other models or other bins.
    SourceError
        If there is no file.
    """
    files = list(map(Path, paths))
    total: dict[str, ScoreCounts] = {}
    first: Path | None = None
    for done, path in enumerate(files, 1):
        found = _load(path)
        if first is None:
            first, total = path, found
        else:
            _check_models(first, total, path, found)
            total = {name: _sum(name, one, found[name], path) for name, one in total.items()}
        progress(done / len(files))
    if first is None:
        raise SourceError("there are no saved tables to add up.")
    return total


def _load(path: Path) -> dict[str, ScoreCounts]:
    found = load_table(path)
    if isinstance(found, HeldOutCounts):
        raise FileError(
            f"{path} has rows in folds, which cannot be merged: tally all their files at once with "
            "--folds, by a folder or a glob in quotes."
        )
    return found


def _check_models(
    first: Path, total: dict[str, ScoreCounts], path: Path, found: dict[str, ScoreCounts]
) -> None:
    if total.keys() != found.keys():
        missing, more = total.keys() - found.keys(), found.keys() - total.keys()
        differ = [f"lacks {listed(sorted(missing))}" if missing else ""]
        differ += [f"has {listed(sorted(more))} besides" if more else ""]
        raise FileError(
            f"{path} {' and '.join(filter(None, differ))}: its models must be those of {first}."
        )


def _sum(name: str, one: ScoreCounts, other: ScoreCounts, path: Path) -> ScoreCounts:
    if one.binning == other.binning:
        return one + other
    if one.binning is None or other.binning is None:
        raise FileError(
            f"{path} has {name!r} {_kind(other)}, and the files before it {_kind(one)}: tally "
            "both with the same --bins, or both without."
        )
    raise FileError(
        f"{path} has {name!r} in other bins than the files before it: tally both with the same "
        "--bins."
    )


def _kind(one: ScoreCounts) -> str:
    return "by score" if one.binning is None else "in bins"

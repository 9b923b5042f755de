"""The two periods that `costspace drift` compares: saved tables, or files of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenDict, IndexArray
from costspace.cli.console import Step
from costspace.cli.options import AskedColumns, refuse_of_rows
from costspace.errors import FileError, SourceError
from costspace.frames.files import read_segments
from costspace.frames.paths import listed
from costspace.frames.storage import chosen, counted_of, load_table
from costspace.samples.rows import ScoredRows
from costspace.summaries.counts import ScoreCounts

Values: TypeAlias = NDArray[Any]


@final
@dataclass(frozen=True)
class Periods:
    """The scores of each model in both, and the groups of rows."""

    pairs: Mapping[str, tuple[ScoreCounts, ScoreCounts] | tuple[ScoredRows, ScoredRows]]
    groups: tuple[IndexArray, IndexArray] | None = None
    # The values of the columns that name the segments of rows.
    segments: tuple[dict[str, Values], dict[str, Values]] | None = None


def periods_of(
    before: Path, after: Path, columns: AskedColumns, by: Sequence[str], step: Step
) -> Periods:
    """The models asked for, in both files, and the segments by some columns."""
    if columns.label is not None:
        return _of_rows(before, after, columns, by, step)
    refuse_of_rows({**columns.of_rows_only(), "--by": by or None})
    first, second = (counted_of(load_table(path), path) for path in (before, after))
    score = columns.score
    if score is None:
        if first.keys() != second.keys():
            raise FileError(
                f"{before} has models {listed(first)}, and {after} {listed(second)}: say which to "
                "compare with --score."
            )
        score = list(first)
    olds, news = chosen(first, score, before), chosen(second, score, after)
    return Periods({name: (olds[name], news[name]) for name in olds})


def _of_rows(
    before: Path, after: Path, columns: AskedColumns, by: Sequence[str], step: Step
) -> Periods:
    """The rows of both files."""
    found: list[ScoredRows] = []
    named: list[dict[str, Values]] = []
    group = columns.groups
    every = [*by, *([] if group is None or group in by else [group])]
    for file in (before, after):
        own = replace(columns.of_rows(file, by), groups=None)
        read = read_segments(file, own, by=every, progress=step(f"reading {file.name}", 1))
        found.append(read.rows)
        values = {name: np.empty(len(read.rows), dtype=object) for name in every}
        for combination, some in read.segments.items():
            for name, value in zip(every, combination, strict=True):
                values[name][some] = value
        named.append(values)
    first, second = found
    pairs = {name: (of_model(first, name), of_model(second, name)) for name in first.scores}
    one, other = ({name: values[name] for name in by} for values in named)
    numbered = None
    if group is not None:
        numbered = _numbered([values[group].tolist() for values in named], group, (before, after))
    return Periods(pairs, numbered, (one, other) if by else None)


def _numbered(
    named: list[list[Any]], column: str, files: tuple[Path, Path]
) -> tuple[IndexArray, IndexArray]:
    """The number of the group of each row of both files, the same for one that is in both."""
    for names, file in zip(named, files, strict=True):
        if None in names:
            raise SourceError(f"{file}: {column} has rows in no group: fill or drop them.")
    texts = [[_written(name) for name in names] for names in named]
    number = {name: i for i, name in enumerate(sorted({*texts[0], *texts[1]}))}
    first, second = (np.array([number[name] for name in names]) for names in texts)
    return first, second


def _written(name: Any) -> str:
    """A group as a CSV has it, so that it is the same in a Parquet file."""
    return str(int(name) if isinstance(name, float) and name.is_integer() else name)


def of_model(rows: ScoredRows, name: str) -> ScoredRows:
    """The rows with the scores of one of their models."""
    given = FrozenDict({own: of for own, of in rows.given.items() if own == name})
    return replace(rows, scores=FrozenDict({name: rows.scores[name]}), given=given)

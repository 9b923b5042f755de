"""Predictions of a file to decide on: in memory, or read in parts if they are many."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from costspace.cli.console import Step
from costspace.cli.engines import CountedBy
from costspace.cli.options import read
from costspace.decision.held_out_counts import HeldOutCounts
from costspace.decision.holdout import FOLDS
from costspace.frames.columns import Columns
from costspace.frames.folded import open_folded
from costspace.frames.sizes import is_large
from costspace.scores.rows import ScoredRows


@contextmanager
def predictions_of(
    file: Path, columns: Columns, step: Step, by: CountedBy, folds: int = FOLDS
) -> Iterator[ScoredRows | HeldOutCounts]:
    """The rows of a file, or their counts for as long as the file is open."""
    if by.engine is None and not is_large(file, columns):
        yield read(file, columns, step)
        return
    reading, counting = step(f"reading {file.name}", 1), step("counting", 2)
    with open_folded(
        file,
        columns,
        folds=folds,
        engine=by.engine or "duckdb",
        number=by.number,
        progress=reading,
        counting=counting,
    ) as source:
        yield HeldOutCounts(source)


@contextmanager
def rows_in_memory(
    file: Path, columns: Columns, step: Step, by_case: Mapping[str, str | float] | None
) -> Iterator[ScoredRows | HeldOutCounts]:
    """The rows of a file; `by_case` says where the costs of each case are read from."""
    yield read(file, columns, step, by_case)


def rows_of(predictions: ScoredRows | HeldOutCounts) -> ScoredRows:
    """The rows, or one of each class that weighs as many."""
    return predictions.rows if isinstance(predictions, HeldOutCounts) else predictions

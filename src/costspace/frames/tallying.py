"""Predictions in files counted by score, by bin or in folds, to be saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from costspace.arrays import Progress
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.frames.binning import binned_scores
from costspace.frames.columns import Columns
from costspace.frames.counting import score_counts
from costspace.frames.engine_names import Engine
from costspace.frames.folded import open_folded
from costspace.frames.predictions import open_predictions
from costspace.frames.saved_folds import kept
from costspace.summaries.counts import ScoreCounts


def tally_files(
    path: str | Path,
    columns: Columns,
    *,
    bins: int | None = None,
    engine: Engine = "duckdb",
    step: Callable[[str], Progress] = lambda _: lambda _: None,
) -> dict[str, ScoreCounts]:
    """Count the predictions in files by distinct score, or in bins of equal width over [0, 1].

    One class may be missing. A `step` makes from a name what is told how far it is. Errors are
    those of `open_predictions`, `score_counts` and `binned_scores`.
    """
    with open_predictions(
        path,
        columns,
        engine=engine,
        both=False,
        progress=step(f"reading {Path(path).name}"),
    ) as found:
        if bins is not None:
            names = list(found.scores.values())
            with found.counting(step("counting")):
                binned = binned_scores(found.frame, score=names, bins=bins, **found.arguments)
            return {name: binned[column] for name, column in found.scores.items()}
        counts = {}
        for name, column in found.scores.items():
            with found.counting(step(f"counting {name}")):
                counts[name] = score_counts(found.frame, score=column, **found.arguments)
        return counts


def tally_folds(
    path: str | Path,
    columns: Columns,
    *,
    folds: int,
    engine: Engine = "duckdb",
    number: str | None = None,
    step: Callable[[str, float], Progress] = lambda *_: lambda _: None,
) -> HeldOutCounts:
    """Count the predictions in files in folds, with a sample of rows, as `save` stores them.

    A `step` makes from a name and a total what is told how far it is. All else, errors among it, is
    as in `open_folded`.
    """
    with open_folded(
        path,
        columns,
        folds=folds,
        engine=engine,
        number=number,
        progress=step(f"reading {Path(path).name}", 1),
        counting=step("counting", 2),
    ) as batches:
        return HeldOutCounts(kept(batches))

"""Predictions in files counted by score or by bin: what is kept of a day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from costspace.arrays import Progress
from costspace.frames.binning import binned_scores
from costspace.frames.columns import Columns
from costspace.frames.counting import score_counts
from costspace.frames.engine_names import Engine
from costspace.frames.predictions import open_predictions
from costspace.frames.storage import Summary


def tally_files(
    path: str | Path,
    columns: Columns,
    *,
    bins: int | None = None,
    engine: Engine = "duckdb",
    step: Callable[[str], Progress] = lambda _: lambda _: None,
) -> dict[str, Summary]:
    """Count the predictions in files, of which one class may be missing.

    Parameters
    ----------
    path, columns, engine
        As in `open_predictions`.
    bins : int, optional
        Into how many bins of equal width over [0, 1] scores are counted; by distinct score unless
        given.
    step : callable
        Makes a progress of a name.

    Returns
    -------
    dict of str to ScoreCounts, or to BinnedScores with bins
        By column of scores.

    Raises
    ------
    FileError, LabelError, ScoreError, WeightError, ConditionError
        As `open_predictions`, `score_counts` and `binned_scores`.
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

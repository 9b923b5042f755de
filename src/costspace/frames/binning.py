"""Rows of any dataframe counted by bin, in repeated passes until bounds are narrow enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from costspace.checks import check_number, check_whole
from costspace.errors import ConditionError, LabelError, brief
from costspace.evaluation.widths import widest_bounds
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.opened import answered, open_frame
from costspace.frames.passes import binned_pass
from costspace.frames.segments import Segments, sum_of
from costspace.frames.survey import classified
from costspace.summaries.binning import DEFAULT_BINS, Binning
from costspace.summaries.counts import ScoreCounts

_Found = ScoreCounts | Segments[ScoreCounts]


@complaining_of_rows()
def binned_scores(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    pos_label: object = None,
    bins: int = DEFAULT_BINS,
    binning: Binning | Mapping[str, Binning] | None = None,
    width: float | None = None,
    passes: int = 4,
) -> Any:
    """Count the rows of a dataframe by bin of the score, in its own engine.

    Parameters
    ----------
    frame, label, score, weight, by, pos_label
        As in `score_counts`.
    bins : int, default 2^20
        How many bins each model has; at least 8 if more than one pass is made.
    binning : Binning or mapping of str to Binning, optional
        Which bin a score falls into, for all models or for each score column; by default
        ``Binning.uniform(bins=bins)``. Only scores with the same binning can be added up.
    width : float, optional
        How wide the widest bounds may be (`costspace.evaluation.widest_bounds`), of the whole or
        of any segment. While they are wider, and further passes narrow them, the data are read
        again with bins that are narrow where it matters.
    passes : int, default 4
        Largest number of passes.

    Returns
    -------
    ScoreCounts
        With `by`, `Segments` of them; for a sequence of score columns, a dict of either by column.
        After the last pass, bounds may still be wider than asked.

    Raises
    ------
    LabelError, ScoreError, WeightError, FileError, SourceError, MissingExtraError
        As `score_counts` does.
    ConditionError
        If `bins`, `binning`, `width` or `passes` is invalid.

    Notes
    -----
    A pass goes over the data once for all score columns where the engine scans them (DuckDB,
    Dask, PySpark, lazy Polars), and takes each column in turn where they are in memory.

    Examples
    --------
    >>> import pandas as pd
    >>> import costspace as cs
    >>> from costspace.frames import binned_scores
    >>> frame = pd.DataFrame({"y": [0, 0, 1, 1], "s": [0.1, 0.6, 0.4, 0.9]})
    >>> binned = binned_scores(frame, label="y", score="s", bins=4)
    >>> binned
    ScoreCounts(4 bins of 2 negatives, 2 positives)
    >>> cs.bounds(binned, metric=cs.auc)
    Bounds(low=0.75, high=0.75)
    """
    if width is not None and not check_number("width", width) > 0:
        raise ConditionError(f"width must be above 0, got {width:g}.")
    passes = check_whole("passes", passes, least=1)
    opened = open_frame(frame, label=label, score=score, weight=weight, by=by)
    binnings = _binnings(binning, list(opened.scores), bins)
    classes = classified(opened, pos_label, both=False)
    found = binned_pass(opened, classes, binnings)
    widths = {name: _widest(result) for name, result in found.items()} if width else {}
    for _ in range(passes - 1):
        wide = [name for name, reached in widths.items() if width and reached > width]
        if not wide:
            break
        finer = {name: sum_of(_parts(found[name])).adapted(bins) for name in wide}
        for name, result in binned_pass(opened, classes, finer).items():
            reached = _widest(result)
            if reached < widths[name]:
                found[name], widths[name] = result, reached
            else:
                # Another pass would not narrow the bounds either.
                del widths[name]
    return answered(found, score)


def _binnings(
    binning: Binning | Mapping[str, Binning] | None, names: list[str], bins: int
) -> dict[str, Binning]:
    """The binning of each model."""
    if binning is None:
        binning = Binning.uniform(bins=bins)
    if isinstance(binning, Binning):
        return dict.fromkeys(names, binning)
    if set(binning) != set(names):
        raise ConditionError(
            "binning must be one such as Binning.uniform(), or a mapping with one for each of "
            f"{brief(names)}, got {brief(binning)}."
        )
    return {name: binning[name] for name in names}


def _parts(found: _Found) -> list[ScoreCounts]:
    return [found] if isinstance(found, ScoreCounts) else list(found.values())


def _widest(found: _Found) -> float:
    """The widest bounds of any part that has both classes."""
    widths = []
    for part in _parts(found):
        try:
            widths.append(widest_bounds(part))
        except LabelError:
            continue
    return max(widths, default=0.0)

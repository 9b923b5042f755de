"""Rows of any dataframe counted by score: the engine does one group-by for each model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from costspace.frames.complaints import complaining_of_rows
from costspace.frames.dataframes import nw
from costspace.frames.opened import POSITIVE, WEIGHT, OpenedFrame, answered, as_float, open_frame
from costspace.frames.same_rows import SeenRows, marks_of
from costspace.frames.segments import Segments, column_of, in_segments
from costspace.frames.survey import Classified, classified
from costspace.scores.table import ScoreTable
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.counts import ScoreCounts

SQUARES = "squares"
_NEGATIVES = "negatives"
_POSITIVES = "positives"
ROWS = "rows"


@complaining_of_rows()
def score_counts(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    pos_label: object = None,
) -> Any:
    """Count the rows of a dataframe by score, in its own engine.

    Parameters
    ----------
    frame : dataframe
        Of pandas, Polars (eager or lazy), pyarrow, DuckDB, Dask or PySpark.
    label : str
        Column of labels of two classes; one class may be missing.
    score : str or sequence of str
        Column of scores, higher meaning more positive, or several, one a model. As in `read_rows`,
        -NAME, 1-NAME and NAME[1] are made of a column, ``model_*`` stands for several.
    weight : str, optional
        Column of weights: finite, not negative, not all zero.
    by : str or sequence of str, optional
        Column, or several, whose values name segments of the data.
    pos_label : label, optional
        The positive label, as a value or as its text; needed unless labels are 0/1, -1/1 or
        true/false.

    Returns
    -------
    ScoreCounts
        With `by`, `Segments` of them; for a sequence of score columns, a dict of either by column.

    Raises
    ------
    LabelError, ScoreError, WeightError
        If the values are not labels, scores or weights; none may be null or NaN.
    FileError
        If there is no such column (near names are given), or it is asked for twice.
    SourceError
        If it is not a dataframe, or a column cannot name segments.
    MissingExtraError
        If Narwhals is not installed.

    Notes
    -----
    The engine reads the data once to check it and once for each score column. Only the distinct
    scores come back, so memory grows with their number and not with that of rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from costspace.frames import score_counts
    >>> frame = pd.DataFrame({"y": [0, 1, 0, 1], "s": [0.2, 0.7, 0.2, 0.9]})
    >>> score_counts(frame, label="y", score="s")
    ScoreCounts(3 scores of 2 negatives, 2 positives)
    """
    opened = open_frame(frame, label=label, score=score, weight=weight, by=by)
    classes = classified(opened, pos_label, both=False)
    found = {name: _counted(opened, classes, name) for name in opened.scores}
    return answered(found, score)


@complaining_of_rows()
def score_table(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    pos_label: object = None,
) -> Any:
    """Make a table of the scores in a dataframe, counted by its own engine.

    Parameters
    ----------
    frame, score, by, pos_label
        As in `score_counts`.
    label : str
        Column of labels of two classes.
    weight : str, optional
        Column of weights: finite, not negative, not all zero in a class.

    Returns
    -------
    ScoreTable
        With `by`, `Segments` of them; for a sequence of score columns, a dict of either by column.

    Raises
    ------
    LabelError, ScoreError, WeightError, FileError, SourceError, MissingExtraError
        As `score_counts` does, and if a class is missing in the whole frame. A segment with only
        one class has no table.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: the two score distributions,
    each score once with its weight.

    Examples
    --------
    >>> import pandas as pd
    >>> from costspace.frames import score_table
    >>> frame = pd.DataFrame({"y": [0, 0, 1, 1], "s": [0.1, 0.6, 0.4, 0.9]})
    >>> score_table(frame, label="y", score="s").auc
    0.75
    """
    opened = open_frame(frame, label=label, score=score, weight=weight, by=by)
    classes = classified(opened, pos_label, both=True)
    found: dict[str, ScoreTable | Segments[ScoreTable]] = {}
    for name in opened.scores:
        counts = _counted(opened, classes, name)
        if isinstance(counts, ScoreCounts):
            found[name] = counts.table()
        else:
            found[name] = counts.each(ScoreCounts.table)
    return answered(found, score)


def _counted(
    opened: OpenedFrame, classes: Classified, name: str
) -> ScoreCounts | Segments[ScoreCounts]:
    """How many rows of each class and segment have each score, and their weights."""
    score = opened.scores[name]
    keys = [*opened.by.values(), score]
    positive = as_float(nw.col(POSITIVE))
    parts = [positive.alias(POSITIVE)]
    if opened.weight is not None:
        weight = nw.col(WEIGHT)
        own = {_NEGATIVES: weight * (1 - positive), _POSITIVES: weight * positive}
        for side, value in own.items():
            parts += [value.alias(side), (value * value).alias(f"{side}_{SQUARES}")]
    sums = [nw.sum(name) for name in (POSITIVE, *_weights(weighted=opened.weight is not None))]
    grouped = classes.rows.select(*keys, *parts).group_by(*keys)
    counted = grouped.agg(nw.len().alias(ROWS), *sums).collect()
    _check_same(opened, classes, counted, name)
    return in_segments(counted, opened.by, lambda part: _counts(part, score))


def _check_same(
    opened: OpenedFrame, classes: Classified, counted: nw.DataFrame[Any], name: str
) -> None:
    """`SourceError` unless the rows that are counted are those that were checked."""
    if opened.anew:
        marks = marks_of(column_of(counted, opened.scores[name], float))
        rows, positives = (column_of(counted, own, float) for own in (ROWS, POSITIVE))
        sides = (SeenRows.of(side, marks * side) for side in (rows - positives, positives))
        classes.check(opened, name, *sides)


def _weights(*, weighted: bool) -> list[str]:
    """The columns of sums of weights and of their squares, of negatives and of positives."""
    sides = (_NEGATIVES, _POSITIVES) if weighted else ()
    return [name for side in sides for name in (side, f"{side}_{SQUARES}")]


def _counts(counted: nw.DataFrame[Any], score: str) -> ScoreCounts:
    """The counts of one segment, or of all rows."""
    single = counted.schema[score] == nw.Float32
    scores = column_of(counted, score, np.float32 if single else float)
    positives = column_of(counted, POSITIVE, float).astype(np.int64)
    negatives = column_of(counted, ROWS, np.int64) - positives
    sums = [column_of(counted, n, float) for n in _weights(weighted=_NEGATIVES in counted.columns)]
    sides = CellSums(negatives, *sums[:2]), CellSums(positives, *sums[2:])
    return ScoreCounts.from_groups(scores, CellSums.stacked(sides))

"""One pass over rows of any engine that adds them up by bin of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.frames.counting import ROWS, SQUARES
from costspace.frames.dataframes import as_narwhals, nw
from costspace.frames.opened import POSITIVE, WEIGHT, OpenedFrame, as_decimals, as_float
from costspace.frames.same_rows import MARK, SeenRows, mark_of
from costspace.frames.segments import Segments, column_of, in_segments
from costspace.frames.survey import Classified
from costspace.summaries.binning import Binning, Piece
from costspace.summaries.counts import ScoreCounts

_MODEL, _SCORE, _KEY = "model", "score", "key"
_LOW, _HIGH = "low", "high"


def binned_pass(
    opened: OpenedFrame, classes: Classified, binnings: Mapping[str, Binning]
) -> dict[str, ScoreCounts | Segments[ScoreCounts]]:
    """The rows of each model in its own binning; an engine that scans does so once for all."""
    rows, found, together = classes.rows, {}, None
    if opened.scans and len(binnings) > 1:
        together = _added_up(opened, _together(opened, rows, binnings), list(binnings))
    for name, binning in binnings.items():
        if together is not None:
            added_up = together.filter(nw.col(_MODEL) == opened.scores[name])
        else:
            added_up = _added_up(opened, _alone(opened, rows, name, binning), [name])
        _check_same(opened, classes, added_up, name)
        found[name] = in_segments(added_up, opened.by, partial(_binned, binning=binning))
    return found


def _check_same(
    opened: OpenedFrame, classes: Classified, added_up: nw.DataFrame[Any], name: str
) -> None:
    """`SourceError` unless the rows that are added up are those that were checked."""
    if not opened.anew:
        return
    rows, positive = column_of(added_up, ROWS, np.int64), column_of(added_up, POSITIVE, bool)
    marks = column_of(added_up, MARK, float)
    sides = (SeenRows.of(rows[side], marks[side]) for side in (~positive, positive))
    classes.check(opened, name, *sides)


def _kept(opened: OpenedFrame) -> list[str]:
    return [*opened.by.values(), POSITIVE, *opened.weights]


def _alone(
    opened: OpenedFrame, rows: nw.LazyFrame[Any], name: str, binning: Binning
) -> nw.LazyFrame[Any]:
    """The rows with one model's score and its bin's key."""
    score = _double(opened, name)
    return rows.select(*_kept(opened), score.alias(_SCORE)).with_columns(
        _key(nw.col(_SCORE), binning).alias(_KEY)
    )


def _together(
    opened: OpenedFrame, rows: nw.LazyFrame[Any], binnings: Mapping[str, Binning]
) -> nw.LazyFrame[Any]:
    """Each row once for each model, with the model's score and its bin's key."""
    models = [opened.scores[name] for name in binnings]
    kept = _kept(opened)
    scores = (_double(opened, name) for name in binnings)
    long = _unpivoted(rows.select(*kept, *scores), models, kept)
    *others, last = binnings.items()
    key = _key(nw.col(_SCORE), last[1])
    for name, binning in others:
        if binning != last[1]:
            of_model = nw.col(_MODEL) == opened.scores[name]
            key = nw.when(of_model).then(_key(nw.col(_SCORE), binning)).otherwise(key)
    return long.with_columns(key.alias(_KEY))


def _double(opened: OpenedFrame, name: str) -> nw.Expr:
    """The scores of a model as doubles."""
    column = nw.col(opened.scores[name])
    return as_decimals(column) if _is_single(opened, name) else column.cast(nw.Float64())


def _is_single(opened: OpenedFrame, name: str) -> bool:
    return opened.rows.collect_schema()[opened.scores[name]] == nw.Float32


def _mark(opened: OpenedFrame, names: Sequence[str]) -> nw.Expr:
    """The marks of the scores of some models, which `_double` may have made of single ones."""
    score, singles = nw.col(_SCORE), [name for name in names if _is_single(opened, name)]
    if len(singles) in (0, len(names)):
        return mark_of(score, single=bool(singles))
    among = reduce(or_, (nw.col(_MODEL) == opened.scores[name] for name in singles))
    return nw.when(among).then(mark_of(score, single=True)).otherwise(mark_of(score))


def _unpivoted(wide: nw.LazyFrame[Any], models: list[str], kept: list[str]) -> nw.LazyFrame[Any]:
    if not wide.implementation.is_duckdb():
        return wide.unpivot(on=models, index=kept, variable_name=_MODEL, value_name=_SCORE)
    # Narwhals looks for the relation on DuckDB's default connection.
    query = f"UNPIVOT costspace_rows ON {', '.join(models)} INTO NAME {_MODEL} VALUE {_SCORE}"
    return as_narwhals(wide.to_native().query("costspace_rows", query))


def _added_up(
    opened: OpenedFrame, keyed: nw.LazyFrame[Any], names: Sequence[str]
) -> nw.DataFrame[Any]:
    """The sums over the rows of each model, class, segment and bin."""
    score, weight = nw.col(_SCORE), nw.col(WEIGHT)
    counting = score if opened.weight is None else nw.when(weight > 0).then(score)
    moments = {"score_sum": score, "score_squares": score * score}
    if opened.weight is not None:
        # An infinite score times a weight of zero would be NaN.
        moments = {
            name: nw.when(weight > 0).then(moment * weight).otherwise(0.0)
            for name, moment in moments.items()
        }
    columns = {
        **moments,
        **({} if opened.weight is None else {WEIGHT: weight, SQUARES: weight * weight}),
        **({MARK: _mark(opened, names)} if opened.anew else {}),
    }
    keys = [*([_MODEL] if len(names) > 1 else []), *opened.by.values(), POSITIVE, _KEY]
    grouped = keyed.select(
        *keys,
        *(values.alias(name) for name, values in columns.items()),
        counting.alias(_LOW),
        counting.alias(_HIGH),
    ).group_by(*keys)
    return grouped.agg(
        nw.len().alias(ROWS),
        *(nw.col(name).sum() for name in columns),
        nw.col(_LOW).min(),
        nw.col(_HIGH).max(),
    ).collect()


def _binned(part: nw.DataFrame[Any], binning: Binning) -> ScoreCounts:
    """The binned scores of one segment, or of all rows."""
    positive = column_of(part, POSITIVE, bool)
    sides = {"negatives": ~positive, "positives": positive}
    columns: dict[str, NDArray[Any]] = {"key": column_of(part, _KEY, float)}
    for side, chosen in sides.items():
        columns[side] = column_of(part, ROWS, np.int64) * chosen
        for name in ("score_sum", "score_squares", WEIGHT, SQUARES):
            if name in part.columns:
                columns[f"{side}_{name}"] = np.where(chosen, column_of(part, name, float), 0.0)
        for name, none in ((_LOW, np.inf), (_HIGH, -np.inf)):
            ends = column_of(part, name, float)
            columns[f"{side}_{name}"] = np.where(chosen & ~np.isnan(ends), ends, none)
    return ScoreCounts.from_columns(columns, binning=binning)


def _key(score: nw.Expr, binning: Binning) -> nw.Expr:
    """The key of a score, as `Binning.keys` has it."""
    pieces = list(zip(binning.pieces, binning.starts.tolist(), strict=True))

    def among(low: int, high: int) -> nw.Expr:
        """The key of scores above the `low` of the pieces before, by halves."""
        if high - low == 1:
            return _key_in(score, *pieces[low])
        middle = (low + high) // 2
        above = score > pieces[middle][0].low
        return nw.when(above).then(among(middle, high)).otherwise(among(low, middle))

    return among(0, len(pieces))


def _key_in(score: nw.Expr, piece: Piece, start: int) -> nw.Expr:
    """The key of a score that is in a piece or above it, or below the first."""
    steps = score.clip(piece.low, piece.high)
    if piece.scale == "log from one":
        steps = (1.0 - steps).log() * -1.0
    elif piece.scale == "log":
        steps = steps.log() if piece.low > 0 else (steps * -1.0).log() * -1.0
    steps = ((steps - piece.origin) * piece.factor).ceil().clip(0.0, float(piece.bins))
    return steps + as_float(score > piece.high) + float(start)

"""Rules for queues on the rows of a frame: cases are counted by score, and by batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.decision.rules.queue import Queue
from costspace.decision.rules.review_queue import ReviewQueue
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import FLAG
from costspace.errors import SourceError
from costspace.frames.dataframes import as_narwhals, nw
from costspace.frames.native import to_frame
from costspace.frames.opened import segment_column
from costspace.frames.rules import CUTS
from costspace.frames.segments import array_of, column_of
from costspace.frames.survey import check_filled
from costspace.frames.whole import PLACE
from costspace.single import doubles, singles

SCORE, BATCH = "score", "batch"
_ROWS = "rows"


def batch_column(name: str, here: str, dtype: Any) -> nw.Expr:
    """A column that names batches as text, null where missing; or `SourceError`."""
    named = segment_column(name, here, dtype, "batches")
    # Some engines cast null to text.
    return nw.when(~named.is_null()).then(named.cast(nw.String()))


def queue_of(rows: nw.LazyFrame[Any], missing: str, placed: str = FLAG) -> Queue:
    """All rows as one queue, those without a score as `Queue.of` has them."""
    found = rows.select(SCORE).group_by(SCORE).agg(nw.len().alias(_ROWS)).collect()
    return Queue.of(_scores(found), column_of(found, _ROWS, float), missing=missing, placed=placed)


def queues_of(
    rows: nw.LazyFrame[Any], name: str, missing: str, placed: str = FLAG
) -> dict[str, Queue]:
    """The rows of each batch, or `SourceError` naming the caller's column if a row has none."""
    keys = BATCH, SCORE
    found = rows.select(*keys).group_by(*keys).agg(nw.len().alias(_ROWS)).collect()
    scores, counts = _scores(found), column_of(found, _ROWS, float)
    none = array_of(found[BATCH].is_null(), bool)
    check_filled(name, "batches", int(counts[none].sum()), int(counts.sum()), SourceError)
    batches, which = np.unique(np.array(found[BATCH].to_list(), dtype=str), return_inverse=True)
    order = np.argsort(which, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(which, minlength=len(batches)))[:-1])
    return {
        str(batch): Queue.of(scores[some], counts[some], missing=missing, placed=placed)
        for batch, some in zip(batches, parts, strict=False)
    }


def _scores(found: nw.DataFrame[Any]) -> FloatArray:
    single = found.schema[SCORE] == nw.Float32
    return doubles(column_of(found, SCORE, np.float32 if single else float))


def rule_cuts(rule: Rule, queues: Mapping[str, Queue]) -> dict[str, FloatArray]:
    """The thresholds of a rule by share in each batch, by the names of their columns, `CUTS`."""
    cuts: dict[str, FloatArray] = {}
    for own, prefix in zip((rule, rule.otherwise), CUTS, strict=True):
        if own is not None and own.by == "share":
            each = np.array([queue.cuts(own) for queue in queues.values()])
            cuts |= {f"{prefix}{i}": each[:, i] for i in range(len(own.cuts))}
    return cuts


def review_cuts(reviews: ReviewQueue, queues: Mapping[str, Queue]) -> dict[str, FloatArray]:
    """Those of reviews, the one above which cases are flagged first."""
    low, high = np.array([reviews.cuts(queue) for queue in queues.values()]).T
    return {f"{CUTS[0]}0": high, f"{CUTS[0]}1": low}


def with_cuts(
    rows: nw.LazyFrame[Any], cuts: Mapping[str, FloatArray], batches: Iterable[str], *, single: bool
) -> Any:
    """The rows with the thresholds of their batches, in the columns `CUTS`.

    They may be for scores in `single` precision.
    Rows that have a position keep their order.
    """
    cuts = {name: singles(each) if single else each for name, each in cuts.items()}
    names = list(batches)
    engine = rows.implementation
    if engine.is_pandas_like() or engine.is_pyarrow():
        # A join would reorder the rows, or lose the index.
        frame, place = rows.collect(), {batch: i for i, batch in enumerate(names)}
        at = np.array([place[batch] for batch in frame[BATCH].to_list()], dtype=np.intp)
        return frame.with_columns(
            nw.new_series(name, values[at], nw.Float64(), backend=engine)
            for name, values in cuts.items()
        ).lazy()
    known = _Cuts({BATCH: np.array(names, dtype=object), **cuts})
    joined = rows.join(as_narwhals(to_frame(known, like=rows.to_native())), on=BATCH, how="left")
    # Dask keeps the order, and is slow to sort.
    placed = PLACE in joined.collect_schema().names() and not engine.is_dask()
    return joined.sort(PLACE) if placed else joined


@final
@dataclass(frozen=True, eq=False)
class _Cuts:
    """The cuts of each batch, one row a batch."""

    found: Mapping[str, NDArray[Any]]

    def columns(self) -> dict[str, NDArray[Any]]:
        return dict(self.found)

"""Predictions in files of any size, in folds: read in parts, anew for each count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from costspace.arrays import FloatArray, IndexArray, Progress
from costspace.checks import check_whole
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import FOLDS
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.errors import LabelError, SourceError
from costspace.frames.batches import Batch, Batches
from costspace.frames.batching import batches_in, batches_of
from costspace.frames.columns import Columns
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.divided import segment_values
from costspace.frames.opened import scores_in
from costspace.frames.predictions import open_predictions
from costspace.frames.same_rows import SameBatches
from costspace.samples.rows import ScoredRows
from costspace.single import doubles
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.joint import JointRows, fold_of
from costspace.summaries.raked import rows_of_each_class
from costspace.summaries.runs import CELLS, Runs, as_read, coarser, in_folds, runs_up_to

if TYPE_CHECKING:
    from costspace.frames.engine_names import Engine

# About how many rows, spread over the file, decide where cells end.
_LOOKED_AT = 1 << 20
# Counts of kinds of rows are merged when there are so many.
_MANY_KINDS = 1 << 20
# Between about so many runs of scores segments have thresholds of their own.
_RUNS = 1 << 10


@final
@dataclass(frozen=True, eq=False)
class FoldedBatches:
    """Rows in batches, in folds by the number of each row.

    Attributes
    ----------
    batches : Batches
    models : tuple of str
    folds : int
    counting : callable
        Called with how many of the two readings are done while cells are counted.
    segments : sequence of tuple
        What columns say of each segment of the rows, by its number.
    """

    batches: Batches
    models: Sequence[str]
    folds: int
    counting: Progress = lambda _: None
    segments: Sequence[tuple[Any, ...]] = ()
    alone = False

    @property
    def fold(self) -> None:
        return None

    @cached_property
    def rows(self) -> ScoredRows:
        """One row of each class, weighted by the size of the class."""
        return rows_of_each_class(self._counts[self.models[0]])

    def counted(self, model: str) -> ScoreCounts:
        return self._counts[model]

    def kinds(self, cuts: Mapping[str, FloatArray]) -> JointRows:
        of_each = partial(_kinds_of, folds=self.folds, cuts=cuts)
        return self.batches.joined(of_each, _joined_kinds)

    def judged_in_segments(
        self, cuts: Mapping[str, FloatArray], finely: str | None = None
    ) -> tuple[JudgedRows, Mapping[tuple[Any, ...], IndexArray]]:
        """The rows as `HeldOutCounts` counts them, in each segment; and which are in which one.

        The scores of one model are told apart `finely` if other thresholds are to be tried.
        """
        if finely is not None:
            ends = doubles(coarser(as_read(self.counted(finely)), _RUNS).cells[:-1])
            cuts = {**cuts, finely: np.union1d(cuts[finely], ends)}
        of_each = partial(_kinds_in_segments, folds=self.folds, cuts=cuts)
        found = self.batches.joined(of_each, _joined_kinds)
        segment, fold = np.divmod(found.fold, self.folds)
        # Kinds are in the order of segments.
        starts = np.searchsorted(segment, np.arange(len(self.segments) + 1))
        rows = {
            values: np.arange(start, end)
            for values, start, end in zip(self.segments, starts[:-1], starts[1:], strict=True)
            if end > start
        }
        return HeldOutCounts(self).of_kinds(replace(found, fold=fold), cuts), rows

    def some(self, every: tuple[int, int]) -> JointRows:
        of_each = partial(_some_of, folds=self.folds, every=every)
        return self.batches.joined(of_each, JointRows.joined)

    @cached_property
    def _counts(self) -> dict[str, ScoreCounts]:
        """The cells of every model, all counted in one reading."""
        every = max(self.batches.size // _LOOKED_AT, 1)
        some = self.batches.joined(partial(_one_in, every=every), JointRows.joined, self.counting)
        of_each = partial(_counts_of, folds=self.folds, ends=_ends(some))
        found = self.batches.joined(of_each, _added, lambda done: self.counting(1 + done))
        self.counting(2)
        counts = {model: runs.counts() for model, runs in found.items()}
        _check_folds(next(iter(counts.values())))
        return counts


def _some_of(batch: Batch, *, folds: int, every: tuple[int, int]) -> JointRows:
    return JointRows.sampled(batch.numbers, batch.positive, batch.scores, folds, every)


def _one_in(batch: Batch, *, every: int) -> JointRows:
    """About one row in so many, in no folds, to decide where cells end."""
    # The hash of folds also chooses a sample: one of `every` folds.
    some = np.flatnonzero(fold_of(batch.numbers, every) == 0)
    return JointRows(np.zeros_like(batch.positive, int), batch.positive, batch.scores).taken(some)


def _ends(some: JointRows) -> dict[str, FloatArray]:
    """The highest score of each cell but the last, of every model."""
    return {
        model: doubles(in_folds(scores, some.positive, some.fold, 1, CELLS).cells[:-1])
        for model, scores in some.by_model.items()
    }


def _counts_of(batch: Batch, *, folds: int, ends: Mapping[str, FloatArray]) -> dict[str, Runs]:
    fold = fold_of(batch.numbers, folds)
    return {
        model: runs_up_to(ends[model], scores, batch.positive, fold, folds)
        for model, scores in batch.scores.items()
    }


def _added(parts: Iterable[dict[str, Runs]]) -> dict[str, Runs]:
    """The runs of the rows of all parts, which end at the same scores."""

    def both(a: Runs, b: Runs) -> Runs:
        lowest, highest = np.minimum(a.lowest, b.lowest), np.maximum(a.highest, b.highest)
        return Runs(lowest, highest, a.rows + b.rows)

    return reduce(lambda one, other: {name: both(one[name], other[name]) for name in one}, parts)


def _kinds_of(batch: Batch, *, folds: int, cuts: Mapping[str, FloatArray]) -> JointRows:
    fold = fold_of(batch.numbers, folds)
    return JointRows(fold, batch.positive, batch.scores).above(cuts).merged()


def _kinds_in_segments(batch: Batch, *, folds: int, cuts: Mapping[str, FloatArray]) -> JointRows:
    """The same, where a fold is one of a segment: so many times its number, and its own."""
    fold = folds * np.asarray(batch.segment) + fold_of(batch.numbers, folds)
    return JointRows(fold, batch.positive, batch.scores).above(cuts).merged()


def _joined_kinds(parts: Iterable[JointRows]) -> JointRows:
    found: list[JointRows] = []
    for part in parts:
        found.append(part)
        if sum(map(len, found)) > _MANY_KINDS:
            found = [JointRows.joined(found).merged()]
    return JointRows.joined(found).merged()


def _check_folds(counts: ScoreCounts) -> None:
    """`LabelError` if a fold has no row of a class."""
    for fold, side in np.argwhere(counts.sums.rows.sum(axis=2) == 0):
        name = ("negative", "positive")[side]
        raise LabelError(
            f"fold {fold + 1} of {counts.folds} has no {name} row, since there are so few: "
            "give fewer folds."
        )


@contextmanager
def open_folded(
    path: str | Path,
    columns: Columns,
    *,
    folds: int,
    engine: Engine = "duckdb",
    number: str | None = None,
    by: Sequence[str] = (),
    progress: Progress = lambda _: None,
    counting: Progress = lambda _: None,
) -> Iterator[FoldedBatches]:
    """Open CSV or Parquet files that are too large for memory, for a decision.

    Parameters
    ----------
    path, progress
        As in `read_rows`.
    columns : Columns
        Without weights and groups.
    engine : {"duckdb", "polars", "dask", "spark"}
        Dask and Spark read Parquet, and count where the rows are.
    folds, number, counting
        As in `held_out_counts` and `FoldedBatches`.
    by : sequence of str
        Columns whose values divide the rows into segments, which DuckDB counts.

    Raises
    ------
    FileError, LabelError, ScoreError, SourceError, MissingExtraError
        As `read_rows`, or if numbers are missing or not whole.
    """
    if engine == "spark" and number is None:
        raise SourceError(
            "rows that Spark reads have no order: name a column of unique whole numbers with --id."
        )
    named = [*([] if number is None else [number]), *by]
    with open_predictions(path, columns, by=named, engine=engine, progress=progress) as predictions:
        with predictions.counting():
            values = segment_values(predictions, by) if by else None
            batches = batches_of(predictions, number, values)
            segments = () if values is None else values.segments
            found = FoldedBatches(batches, tuple(columns.scores), folds, counting, segments)
            found.counted(columns.scores[0])
        yield found


@complaining_of_rows()
def held_out_counts(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    folds: int = FOLDS,
    number: str | None = None,
    pos_label: object = None,
) -> HeldOutCounts:
    """Count the rows of a dataframe in folds, by its own engine, for a decision.

    Parameters
    ----------
    frame : dataframe
        Of pandas, Polars (eager or lazy), pyarrow, DuckDB, Dask or PySpark. It is read again for
        each question that the decision answers: persist what is costly to compute.
    label : str
        Column of labels of two classes.
    score : str or sequence of str
        As in `score_counts`; or columns of the decisions of a rule in use, 0 or 1.
    folds : int, default 5
        Number of folds, at least 2. The number of a row, in the order of the frame, tells its fold.
    number : str, optional
        Column of unique whole numbers, instead of the order of the rows; needed for Spark.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.

    Returns
    -------
    HeldOutCounts
        What `decide` and `compare_money` take in place of labels and scores.

    Raises
    ------
    LabelError, ScoreError, FileError, SourceError, MissingExtraError
        As in `score_counts`, if a class is missing in a fold, or if a row has no number.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import pandas as pd
    >>> import costspace as cs
    >>> generator = np.random.default_rng(0)
    >>> y = generator.integers(0, 2, 20_000)
    >>> frame = pd.DataFrame({"y": y, "model": generator.normal(y)})
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1)
    >>> decision = cs.decide(held_out_counts(frame, label="y", score="model"), conditions=known)
    >>> decision.rules.rule
    Rule(flag scores above 1.11432)
    """
    models = scores_in(frame, label, score, [] if number is None else [number])
    named = dict(zip(models, models, strict=True))
    batches = batches_in(frame, label, named, number=number, pos_label=pos_label)
    source = FoldedBatches(
        SameBatches(batches), tuple(models), check_whole("folds", folds, least=2)
    )
    source.counted(models[0])
    return HeldOutCounts(source)

"""Evaluations of files: of all rows, and of each segment of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from costspace.cli.console import Step
from costspace.costs import CostDistribution
from costspace.deferral import deferred_calls
from costspace.errors import CostspaceError
from costspace.evaluation import Evaluation
from costspace.evaluation.computing import evaluate_tables, tables_of
from costspace.evaluation.records import SourceSummary
from costspace.frames.columns import Columns
from costspace.frames.segments import Segments, sum_of
from costspace.samples.rows import ScoredRows
from costspace.samples.segmenting import json_value
from costspace.samples.validation import check_class
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable
from costspace.summaries.counts import ScoreCounts

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.frames.binning import binned_scores
    from costspace.frames.counting import score_counts
    from costspace.frames.engine_names import Engine
    from costspace.frames.files import read_segments
    from costspace.frames.predictions import open_predictions


@final
@dataclass(frozen=True)
class Terms:
    """How models are evaluated, as `evaluate_tables` takes it."""

    costs: CostDistribution
    axis: str
    prevalence: float | None
    path: str
    level: float | None = None

    def evaluation(
        self,
        tables: Iterable[tuple[str, ScoreSource | ScoreCounts]],
        rows: ScoredRows | None = None,
    ) -> Evaluation:
        """The evaluation of some tables."""
        return evaluate_tables(tables, rows=rows, **vars(self))


@final
@dataclass(frozen=True)
class SegmentEvaluation:
    """One segment's evaluation, or why there is none.

    Attributes
    ----------
    by : mapping of str to value
        What the columns that name segments say, None where they are empty.
    source : SourceSummary or None
        How many rows the segment has, if that is known.
    evaluation : Evaluation or None
    reason : str or None
        Why there is no evaluation.
    """

    by: Mapping[str, Any]
    source: SourceSummary | None
    evaluation: Evaluation | None
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        if self.evaluation is not None:
            return {"by": dict(self.by), **self.evaluation.to_dict()}
        source = None if self.source is None else vars(self.source)
        return {"by": dict(self.by), "source": source, "reason": self.reason}


@final
@dataclass(frozen=True)
class Evaluated:
    """The evaluation of all rows, and of each segment if there are any."""

    overall: Evaluation
    segments: Sequence[SegmentEvaluation] | None

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        found = self.overall.to_dict()
        if self.segments is None:
            return found
        return {**found, "segments": [segment.to_dict() for segment in self.segments]}


def evaluate_rows(
    file: Path, columns: Columns, by: Sequence[str], terms: Terms, step: Step
) -> Evaluated:
    """Evaluate rows in memory."""
    read = read_segments(file, columns, by=by, progress=step(f"reading {file.name}", 1))
    models = len(columns.scores)
    progress = step("evaluating", models + len(read.segments))

    def tables() -> Iterator[tuple[str, ScoreTable]]:
        for done, table in enumerate(tables_of(read.rows)):
            progress(done)
            yield table

    try:
        overall = terms.evaluation(tables(), read.rows)
    except CostspaceError as error:
        raise type(error)(f"{terms.path}: {error}") from None
    progress(models)
    segments = []
    for i, (values, chosen) in enumerate(read.segments.items(), start=models + 1):
        positives = int(read.rows.positive[chosen].sum())
        source = SourceSummary(terms.path, len(chosen), len(chosen) - positives, positives)
        evaluation, reason = None, None
        try:
            rows = read.rows.take(chosen)
            evaluation = terms.evaluation(tables_of(rows), rows)
        except CostspaceError as error:
            reason = str(error)
        named = _by(values if len(values) > 1 else values[0], by)
        segments.append(SegmentEvaluation(named, source, evaluation, reason))
        progress(i)
    return Evaluated(overall, segments if by else None)


def evaluate_counted(
    file: Path,
    columns: Columns,
    by: Sequence[str],
    terms: Terms,
    step: Step,
    *,
    engine: Engine,
    bins: int | None = None,
    width: float | None = None,
) -> Evaluated:
    """Evaluate what an engine has counted, by distinct score or by bin."""
    reading = step(f"reading {file.name}", 1)
    with open_predictions(file, columns, by=by, engine=engine, progress=reading) as predictions:
        more = {} if bins is None else {"bins": bins, "width": width}
        count: Callable[..., Any] = score_counts if bins is None else binned_scores

        def counted(name: str, score: str) -> ScoreCounts | Segments[ScoreCounts]:
            with predictions.counting(step(f"counting {name}", 1)):
                found = count(predictions.frame, score=score, **predictions.arguments, **more)
                _check_classes(found)
            return found

        models = ((name, counted(name, score)) for name, score in predictions.scores.items())
        return evaluate_summaries(models, by, terms, step("evaluating", len(columns.scores)))


def evaluate_summaries(
    models: Iterable[tuple[str, Any]],
    by: Sequence[str],
    terms: Terms,
    progress: Callable[[float], None],
) -> Evaluated:
    """Evaluate models of which the scores are counted, or those of each segment."""
    overall: list[Evaluation] = []
    segments: dict[Any, list[SegmentEvaluation]] = {}
    for name, found in models:
        total = found
        if isinstance(found, Segments):
            for segment, one in _segments(name, found, by, terms).items():
                segments.setdefault(segment, []).append(one)
            total = sum_of(list(found.values()))
        try:
            source = _source(total)
            # Counts of many rows are large, and a table has all that is evaluated. Where they are
            # made one model at a time nothing else holds them.
            del found, total
            overall.append(terms.evaluation([(name, source)]))
        except CostspaceError as error:
            raise type(error)(f"{terms.path}: {error}") from None
        progress(len(overall))
    return Evaluated(
        _joined(overall), [_joined_segments(s) for s in segments.values()] if by else None
    )


def _segments(
    name: str, found: Segments[ScoreCounts], by: Sequence[str], terms: Terms
) -> dict[Any, SegmentEvaluation]:
    """One model's evaluation of each segment."""
    segments = {
        segment: _segment(name, segment, part, by, terms) for segment, part in found.items()
    }
    for segment, reason in found.missing.items():
        segments[segment] = SegmentEvaluation(_by(segment, by), None, None, reason)
    return segments


def _segment(
    name: str, segment: Any, part: ScoreCounts, by: Sequence[str], terms: Terms
) -> SegmentEvaluation:
    values = _by(segment, by)
    negatives, positives = part.sizes
    source = SourceSummary(terms.path, negatives + positives, negatives, positives)
    try:
        evaluation = terms.evaluation([(name, _source(part))])
    except CostspaceError as error:
        return SegmentEvaluation(values, source, None, str(error))
    return SegmentEvaluation(values, source, evaluation, None)


def _by(segment: Any, by: Sequence[str]) -> dict[str, Any]:
    """What the columns that name segments say, in types that JSON has."""
    values = segment if len(by) > 1 else (segment,)
    return dict(zip(by, map(json_value, values), strict=True))


def _source(found: ScoreCounts) -> ScoreSource | ScoreCounts:
    return found.table() if found.binning is None else found


def _check_classes(found: ScoreCounts | Segments[ScoreCounts]) -> None:
    """`LabelError` unless both classes occur in all rows together."""
    parts = list(found.values()) if isinstance(found, Segments) else [found]
    rows = map(sum, zip(*(part.sizes for part in parts), strict=True))
    for name, count in zip(("negative", "positive"), rows, strict=True):
        check_class(name, occurs=count > 0, counts=True)


def _joined(evaluations: Sequence[Evaluation]) -> Evaluation:
    """The evaluation of the models of several evaluations of the same rows."""
    models = {name: model for one in evaluations for name, model in one.models.items()}
    return replace(evaluations[0], models=models)


def _joined_segments(of_models: Sequence[SegmentEvaluation]) -> SegmentEvaluation:
    evaluations = []
    for one in of_models:
        if one.evaluation is None:
            return one
        evaluations.append(one.evaluation)
    return replace(of_models[0], evaluation=_joined(evaluations))

"""The differences between two samples of one model's scores, with their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, final

from costspace.arrays import FrozenValue
from costspace.choices.doubts import REVERSED, doubts_by, warn_of_doubted
from costspace.costs import CostDistribution
from costspace.errors import CostspaceError, SourceError, without_data_warnings
from costspace.estimates.calibration import CalibrationTest, calibration_test
from costspace.estimates.few_rows import few_rows, studied
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import MODEL, ModelSample
from costspace.estimates.multiplicity import adjusted
from costspace.estimates.quantities import PREVALENCE
from costspace.estimates.reversal import reversal_of
from costspace.estimates.sampling_design import design_of
from costspace.estimates.two_estimates import (
    ErrorOfDifference,
    EstimateBounds,
    bounds_of,
    difference_of,
    spread_of_same_groups,
)
from costspace.influences.statistic import Statistic
from costspace.metrics.bounded import outward
from costspace.predictions import source_of
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranking import Ranking
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable, check_table
from costspace.summaries.cell_sums import CLASSES
from costspace.summaries.counts import ScoreCounts
from costspace.watching.change import Change
from costspace.watching.changes import Drift
from costspace.watching.clusters import Clusters
from costspace.watching.score_shifts import ScoreShift, score_shift

Scores: TypeAlias = ScoreTable | ScoreCounts | ScoredRows


def compared(
    before: Scores,
    after: Scores,
    statistics: Mapping[str, Statistic],
    *,
    costs: CostDistribution,
    level: float,
    correction: str | None,
    prevalence: float | None,
    clusters: tuple[Clusters, Clusters] | None,
) -> Drift:
    """What has changed between two samples of one model's scores, as `drift` says it."""
    _check_same_model(before, after)
    samples = _samples(before, after, prevalence, clusters)
    notes: dict[str, str] = {}
    found = _changes(statistics, samples, level, notes)
    shifts = [_shift(name, *samples) for name in CLASSES]
    family: list[Change | ScoreShift] = adjusted(
        [*(change for change, _ in found.values()), *shifts], correction
    )
    tests = [sample.calibration(notes) for sample in samples]
    numbers = [(studied(name, costs=costs), means) for name, (_, means) in found.items()]
    doubts = doubts_by({sample.which: sample.ends[0] for sample in samples}, list(statistics))
    for one in samples:
        if told := reversal_of(one.which, one.first):
            doubts[f"{REVERSED}.{one.which}"] = told
    warn_of_doubted(doubts)
    notes |= doubts
    return Drift(
        changes=tuple(one for one in family if isinstance(one, Change)),
        shifts=tuple(one for one in family if isinstance(one, ScoreShift)),
        calibration_before=tests[0],
        calibration_after=tests[1],
        level=level,
        correction=correction,
        n_before=samples[0].n,
        n_after=samples[1].n,
        notes=notes,
        note=few_rows(
            # For binned scores, at the best that they can be.
            (sample.by_share.first, numbers)
            for sample in samples
        ),
    )


def changes_between(
    before: Scores,
    after: Scores,
    statistics: Mapping[str, Statistic],
    *,
    level: float,
    prevalence: float | None,
    clusters: tuple[Clusters, Clusters] | None,
) -> list[Change]:
    """How much quantities have changed, those left out that have no meaning for the scores."""
    samples = _samples(before, after, prevalence, clusters)
    return [change for change, _ in _changes(statistics, samples, level, {}).values()]


@final
@dataclass(frozen=True, eq=False)
class _ComparedSample(FrozenValue):
    """The scores of one sample."""

    which: str  # its name in messages
    # The best and the worst that the scores can be; one table if they are known.
    ends: tuple[ScoreTable, ...]
    clusters: Clusters | None = None  # what its rows are in, if not independent

    @classmethod
    def of(
        cls, source: Any, which: str, prevalence: float | None, clusters: Clusters | None
    ) -> _ComparedSample:
        """The scores of a sample, or an error that names the sample."""
        try:
            if isinstance(source, ScoreCounts):
                ends = source.tables
            else:
                needs = "a ScoreTable, ScoreCounts or ScoredRows"
                found = source_of(source) if isinstance(source, ScoredRows) else source
                ends = (check_table("drift", found, needs=needs),)
        except CostspaceError as error:
            raise type(error)(f"{which}: {error}") from None
        if prevalence is not None:
            ends = tuple(table.with_prevalence(prevalence) for table in ends)
        return cls(which, ends, clusters)

    @property
    def first(self) -> ModelSample:
        """The scores as they are, or for binned ones at the best that they can be."""
        return ModelSample(self.ends[0], None if self.clusters is None else self.clusters.rows)

    @property
    def n(self) -> int:
        return self.ends[0].negatives.rows + self.ends[0].positives.rows

    @property
    def by_share(self) -> _ComparedSample:
        """The sample with the prevalence of its rows."""
        return replace(self, ends=tuple(ScoreTable(table.ranking) for table in self.ends))

    def of_class(self, name: str) -> list[ClassSample]:
        """The scores of a class, as low and as high as they can be."""
        return [getattr(table, name) for table in self.ends]

    def calibration(self, notes: dict[str, str]) -> CalibrationTest | None:
        """The test of calibration, or a note on why there is none."""
        try:
            if self.clusters is not None:
                raise SourceError("a test of calibration needs rows that are in no groups.")
            if len(self.ends) > 1:
                raise SourceError("a test of calibration needs exact scores, and these are binned.")
            return calibration_test(self.by_share.ends[0])
        except CostspaceError as error:
            notes[f"calibration_test.{self.which}"] = str(error)
            return None

    @cached_property
    def _known_ends(self) -> list[ModelSample]:
        """The ends as tables of exact scores, so that influences have mean 0."""
        return [
            ModelSample(ScoreTable(Ranking(end.negatives, end.positives), end.override))
            for end in self.ends
        ]

    def bounds(self, statistic: Statistic, design: str) -> EstimateBounds:
        """The bounds of a statistic, at the best and the worst if scores are binned."""
        if len(self.ends) == 1:
            return bounds_of(Measured(statistic, self.first, design))
        values = [statistic.value(table) for table in self.ends]
        known = [Measured(statistic, end, design) for end in self._known_ends]
        biases = [one.bias for one in known]
        return EstimateBounds(
            outward(min(values), max(values)),
            (min(biases), max(biases)),
            max(one.error for one in known),
            all(one.means is not None for one in known),
        )


def _samples(
    before: Scores,
    after: Scores,
    prevalence: float | None,
    clusters: tuple[Clusters, Clusters] | None,
) -> list[_ComparedSample]:
    return [
        _ComparedSample.of(source, which, prevalence, of_sample)
        for which, source, of_sample in zip(
            ("before", "after"), (before, after), clusters or (None, None), strict=True
        )
    ]


def _check_same_model(before: Scores, after: Scores) -> None:
    """Raise `SourceError` if rows say that their scores are of models of two names."""
    if not isinstance(before, ScoredRows) or not isinstance(after, ScoredRows):
        return
    first, second = (set(rows.scores) - {MODEL} for rows in (before, after))
    if len(first) == len(second) == 1 and first != second:
        (one,), (other,) = first, second
        raise SourceError(
            f"drift is of one model, got scores of {one!r} before and of {other!r} after: if it is "
            "one model under two names, give score tables, as ScoreTable.from_rows makes them."
        )


def _changes(
    statistics: Mapping[str, Statistic],
    samples: Sequence[_ComparedSample],
    level: float,
    notes: dict[str, str],
) -> dict[str, tuple[Change, bool]]:
    """`_change` of each quantity; those without a meaning for the scores are put in the notes.

    If none has a meaning, the first reason is raised.
    """
    found: dict[str, tuple[Change, bool]] = {}
    reasons: list[CostspaceError] = []
    for name, statistic in statistics.items():
        try:
            # `thresholds.before` and `thresholds.after` cover all quantities in one note each.
            with without_data_warnings():
                found[name] = _change(name, statistic, samples, level)
        except CostspaceError as error:
            notes[name] = str(error)
            reasons.append(error)
    if reasons and not found:
        raise reasons[0]
    return found


def _change(
    name: str, statistic: Statistic, samples: Sequence[_ComparedSample], level: float
) -> tuple[Change, bool]:
    """How much a quantity has changed, and whether its error is a sum of class means."""
    if name == PREVALENCE:
        samples = [sample.by_share for sample in samples]
    tables = [sample.ends[0] for sample in samples]
    design = design_of(statistic, tables[0])
    if design != design_of(statistic, tables[1]):
        raise SourceError("one sample has a prevalence override: give both samples the same.")
    before, after = (sample.bounds(statistic, design) for sample in samples)
    found = difference_of(
        statistic,
        after,
        before,
        [sample.first for sample in samples],
        level=level,
        spread=_spread(statistic, samples, design),
    )
    change = Change(
        name,
        before.middle,
        after.middle,
        after.middle - before.middle,
        found.bounds,
        **found.evidence(design),
    )
    return change, before.means


def _spread(
    statistic: Statistic, samples: Sequence[_ComparedSample], design: str
) -> ErrorOfDifference | None:
    """How a difference varies if groups are in both samples; None if samples are independent."""
    clusters = [sample.clusters for sample in samples if sample.clusters is not None]
    if not clusters:
        return None
    before, after = (Measured(statistic, sample.first, design) for sample in samples)
    return spread_of_same_groups(after, before, clusters[1].numbers, clusters[0].numbers)


def _shift(name: str, before: _ComparedSample, after: _ComparedSample) -> ScoreShift:
    """How far the scores of a class have moved."""
    which = CLASSES.index(name)
    sizes = [sample.first.effective_sizes[which] for sample in (before, after)]
    return score_shift(name, before.of_class(name), after.of_class(name), sizes)

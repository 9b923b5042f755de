"""Drift: the differences between two samples of one model's scores, with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, final

from costspace.arrays import FrozenValue, underflow_to_zero
from costspace.choices.doubts import REVERSED, doubts_by, warn_of_doubted
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import (
    CostspaceError,
    SourceError,
    check_kind,
    without_data_warnings,
)
from costspace.estimates.calibration import CalibrationTest, calibration_test
from costspace.estimates.changes import Change, Drift
from costspace.estimates.few_rows import few_rows, studied
from costspace.estimates.interval import check_level
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import MODEL, ModelSample
from costspace.estimates.multiplicity import adjusted, check_correction
from costspace.estimates.quantities import PREVALENCE, QUANTITIES, statistic_of_quantity
from costspace.estimates.reversal import reversal_of
from costspace.estimates.sampling_design import design_of
from costspace.estimates.score_shifts import ScoreShift, score_shift
from costspace.estimates.two_estimates import EstimateBounds, bounds_of, difference_of
from costspace.influences.statistic import Statistic
from costspace.metrics.bounded import outward
from costspace.predictions import source_of
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranking import Ranking
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable, check_table
from costspace.summaries.cell_sums import CLASSES
from costspace.summaries.counts import ScoreCounts

Scores: TypeAlias = ScoreTable | ScoreCounts | ScoredRows


@underflow_to_zero
def drift(
    before: Scores,
    after: Scores,
    *,
    quantities: str | Iterable[str] = QUANTITIES,
    costs: CostDistribution = Uniform(),
    level: float = 0.95,
    correction: str | None = "holm",
    prevalence: float | None = None,
) -> Drift:
    """Compare a model's scores on one sample with those on another, such as a later month.

    Parameters
    ----------
    before, after : ScoreTable, ScoreCounts or ScoredRows
        Scores of one model on independent rows of both classes.
    quantities : str, or several
        What to compare: "prevalence", "calibration_in_the_large" (the mean score minus the
        prevalence), names of metrics such as "brier", and of expected losses such as
        "expected_loss.cost.optimal". All of them by default.
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        Adjustment of p-values for multiple comparisons; all changes and the shifts of both
        classes' scores are one family.
    prevalence : float in (0, 1), optional
        Share of positives at deployment for metrics and losses on both samples, so that they
        change only with the scores within the classes; each sample's own by default.

    Returns
    -------
    Drift
        A quantity that has no meaning for the scores is left out, with the reason in the notes.
        If few rows decide, its note has the coverage of such intervals in simulations.

    Raises
    ------
    LabelError
        If a class is missing in a sample, or has one row.
    ConditionError, SourceError
        If a name, the level, the correction, the prevalence or a sample is invalid.

    Notes
    -----
    Differences are `after` minus `before`. Their variance is the sum of both samples' variances,
    each from the influences of its rows as in `estimate`; optimism is subtracted, as in `compare`.
    Shares of classes vary as with independent rows, except on the skew axis and if the prevalence
    is given.

    Binned scores give only bounds on a quantity: its values at the best and the worst scores that
    the bins allow. An interval then extends from the lower end for the least difference to the
    upper end for the largest, with the larger of the standard errors at best and worst, and the
    p-value is the largest between them. Both are more conservative for wider bins.

    A change of the distribution of scores within a class is tested by the two-sample
    Kolmogorov-Smirnov statistic, with its asymptotic p-value, which is conservative for small
    samples and for tied scores; weighted rows count by their effective size.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 0, 0, 1, 1]
    >>> before = cs.ScoreTable.from_predictions(y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    >>> after = cs.ScoreTable.from_predictions(y, [0.3, 0.2, 0.5, 0.4, 0.7, 0.6, 0.4, 0.8])
    >>> found = cs.drift(before, after, quantities=["prevalence", "auc"])
    >>> [(one.quantity, round(one.difference, 4), round(one.p, 3)) for one in found.changes]
    [('prevalence', 0.0, 1.0), ('auc', -0.2667, 0.377)]
    """
    level = check_level(level)
    check_correction(correction)
    check_kind("quantities", quantities, str, Iterable)
    names = (quantities,) if isinstance(quantities, str) else tuple(quantities)
    costs = as_costs(costs)
    statistics = {name: statistic_of_quantity(name, costs) for name in names}
    _check_same_model(before, after)
    samples = [
        _ComparedSample.of(source, which, prevalence)
        for which, source in (("before", before), ("after", after))
    ]
    notes: dict[str, str] = {}
    found = _changes(statistics, samples, level, notes)
    shifts = [score_shift(name, *(sample.of_class(name) for sample in samples)) for name in CLASSES]
    family: list[Change | ScoreShift] = adjusted(
        [*(change for change, _ in found.values()), *shifts], correction
    )
    tests = [sample.calibration(notes) for sample in samples]
    numbers = [(studied(name, costs=costs), means) for name, (_, means) in found.items()]
    doubts = doubts_by({sample.which: sample.ends[0] for sample in samples}, names)
    for one in samples:
        if told := reversal_of(one.which, ModelSample(one.ends[0])):
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
        n_before=samples[0].rows,
        n_after=samples[1].rows,
        notes=notes,
        note=few_rows(
            # For binned scores, at the best that they can be.
            (ModelSample(sample.by_share.ends[0]), numbers)
            for sample in samples
        ),
    )


@final
@dataclass(frozen=True, eq=False)
class _ComparedSample(FrozenValue):
    """The scores of one sample."""

    which: str  # its name in messages
    # The best and the worst that the scores can be; one table if they are known.
    ends: tuple[ScoreTable, ...]

    @classmethod
    def of(cls, source: Any, which: str, prevalence: float | None) -> _ComparedSample:
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
        return cls(which, ends)

    @property
    def rows(self) -> int:
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
            return bounds_of(Measured(statistic, ModelSample(self.ends[0]), design))
        values = [statistic.value(table) for table in self.ends]
        known = [Measured(statistic, end, design) for end in self._known_ends]
        biases = [one.bias for one in known]
        return EstimateBounds(
            outward(min(values), max(values)),
            (min(biases), max(biases)),
            max(one.error for one in known),
            all(one.means is not None for one in known),
        )


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
    found = difference_of(statistic, after, before, [*map(ModelSample, tables)], level=level)
    change = Change(
        name,
        before.middle,
        after.middle,
        after.middle - before.middle,
        found.bounds,
        **found.evidence(design),
    )
    return change, before.means

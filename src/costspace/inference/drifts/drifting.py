"""What has changed between two samples of one model's scores, and with what evidence."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import underflow_to_zero
from costspace.choices.doubts import doubts_by, warn_of_doubted
from costspace.costs import CostDistribution, Uniform, as_costs
from costspace.errors import CostspaceError, SourceError, check_kind, without_data_warnings
from costspace.inference.designs import design_of
from costspace.inference.drifts.changes import Change, Drift, ScoreShift
from costspace.inference.drifts.quantities import PREVALENCE, QUANTITIES, statistic_of_quantity
from costspace.inference.drifts.samples import Measured, Sample, sample_of
from costspace.inference.drifts.shifts import distance, same_distribution_p
from costspace.inference.few_rows import Sampled, few_rows, studied
from costspace.inference.interval import Ends, check_level, interval_around, two_sided_p
from costspace.inference.multiplicity import adjusted_p, check_correction
from costspace.inference.optimism import bias_variance
from costspace.inference.statistic import Statistic
from costspace.scores.binned import BinnedScores
from costspace.scores.class_counts import CLASSES
from costspace.scores.counts import ScoreCounts
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable

Scores: TypeAlias = ScoreTable | ScoreCounts | BinnedScores


@underflow_to_zero
def drift(
    before: Scores,
    after: Scores,
    quantities: str | Iterable[str] = QUANTITIES,
    *,
    costs: CostDistribution = Uniform(),
    level: float = 0.95,
    correction: str | None = "holm",
    prevalence: float | None = None,
) -> Drift:
    """Compare a model's scores on one sample with those on another, such as a later month.

    Parameters
    ----------
    before, after : ScoreTable, ScoreCounts or BinnedScores
        Scores of independent rows of both classes.
    quantities : str, or several
        What to compare: "prevalence", "calibration_in_the_large" (the mean score less the
        prevalence), names of metrics such as "brier", and of expected losses such as
        "expected_loss.cost.optimal". All of them by default.
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values are adjusted for there being several; all changes and the shifts of both
        classes' scores are one family.
    prevalence : float in (0, 1), optional
        Share of positives at deployment for metrics and losses on both samples, so that they
        change only with the scores within the classes; each sample's own by default.

    Returns
    -------
    Drift
        A quantity that has no meaning for the scores is left out, with the reason in the notes.
        Where few rows decide, its note says how often such intervals held in simulations.

    Raises
    ------
    LabelError
        If a class is missing in a sample, or has one row.
    ConditionError, SourceError
        If a name, the level, the correction, the prevalence or a sample is none.

    Notes
    -----
    Differences are `after` less `before`. Their variance is the sum of both samples' variances,
    each from the influences of its rows as in `estimate`; the optimism of what is optimal on a
    sample is taken off, as in `compare`. Shares of classes vary as those of independent rows do,
    but not on the skew axis and where the prevalence is given.

    Binned scores do not tell a quantity, but the interval that it lies in for certain, at the
    best and the worst that the bins may hold. An interval then reaches from the lower end for
    the least difference to the upper end for the largest, with the larger of the standard errors
    at best and worst, and the p-value is the largest between them: both are conservative, by as
    much as the bins are wide.

    Whether the scores within a class have another distribution is told by the two-sample
    Kolmogorov-Smirnov statistic, with its asymptotic p-value, which is conservative for small
    samples and for tied scores; of weighted rows there are as many as their effective size.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 0, 0, 1, 1]
    >>> before = cs.ScoreTable.from_predictions(y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    >>> after = cs.ScoreTable.from_predictions(y, [0.3, 0.2, 0.5, 0.4, 0.7, 0.6, 0.4, 0.8])
    >>> found = cs.drift(before, after, ["prevalence", "auc"])
    >>> [(one.quantity, round(one.difference, 4), round(one.p, 3)) for one in found.changes]
    [('prevalence', 0.0, 1.0), ('auc', -0.2667, 0.377)]
    """
    check_level(level)
    check_correction(correction)
    check_kind("quantities", quantities, str, Iterable)
    names = (quantities,) if isinstance(quantities, str) else tuple(quantities)
    statistics = {name: statistic_of_quantity(name, as_costs(costs)) for name in names}
    samples = sample_of(before, "before", prevalence), sample_of(after, "after", prevalence)
    notes: dict[str, str] = {}
    found: list[_Found] = []
    reasons: list[CostspaceError] = []
    for name, statistic in statistics.items():
        try:
            # Which sample thresholds do not go with is told of all quantities at once.
            with without_data_warnings():
                found.append(_difference(name, statistic, *samples))
        except CostspaceError as error:
            notes[name] = str(error)
            reasons.append(error)
    if reasons and not found:
        raise reasons[0]
    shifts = [_shift(name, *(sample.of_class(name) for sample in samples)) for name in CLASSES]
    p = [*(one.p for one in found), *(one.p for one in shifts)]
    adjusted = iter(adjusted_p(p, correction).tolist())
    tests = [sample.calibration(notes) for sample in samples]
    doubts = doubts_by({sample.which: sample.ends[0] for sample in samples}, names)
    warn_of_doubted(doubts)
    notes |= doubts
    return Drift(
        changes=tuple(one.change(level, next(adjusted)) for one in found),
        shifts=tuple(replace(one, p_adjusted=next(adjusted)) for one in shifts),
        calibration_before=tests[0],
        calibration_after=tests[1],
        level=level,
        correction=correction,
        n_before=samples[0].rows,
        n_after=samples[1].rows,
        notes=notes,
        note=few_rows(
            # Of scores in bins, as the best that they can be.
            [Sampled(sample.by_share.ends[0]) for sample in samples],
            [(studied(one.name, costs=costs), one.before.means) for one in found],
        ),
    )


@final
@dataclass(frozen=True)
class _Found:
    """A change before it has a level."""

    name: str
    design: str
    before: Measured
    after: Measured
    inside: Ends
    trials: float
    span: float | None
    one_sided: bool

    @property
    def error(self) -> float:
        before, after = (max(sample.biases, key=abs) for sample in (self.before, self.after))
        # The samples are independent.
        noise = bias_variance(before, after, 2.0, one_sided=self.one_sided)
        return float(np.sqrt(self.before.error**2 + self.after.error**2 + noise))

    @property
    def ends(self) -> list[float]:
        """What the difference without bias lies between."""
        before, after = self.before.corrected, self.after.corrected
        return np.clip([after[0] - before[1], after[1] - before[0]], *self.inside).tolist()

    @property
    def p(self) -> float:
        low, high = self.ends
        nearest = min(max(low, 0.0), high)
        return two_sided_p(
            nearest, self.error, inside=self.inside, trials=self.trials, span=self.span
        )

    def change(self, level: float, p_adjusted: float) -> Change:
        before, after = self.before, self.after
        low, high = (
            interval_around(
                end,
                self.error,
                inside=self.inside,
                level=level,
                trials=self.trials,
                span=self.span,
                method="linear",
            )
            for end in self.ends
        )
        return Change(
            self.name,
            before.middle,
            after.middle,
            after.middle - before.middle,
            (after.values[0] - before.values[1], after.values[1] - before.values[0]),
            self.error,
            low.low,
            high.high,
            self.p,
            p_adjusted,
            low.method,
            self.design,
            after.bias - before.bias,
        )


def _difference(name: str, statistic: Statistic, before: Sample, after: Sample) -> _Found:
    if name == PREVALENCE:
        before, after = before.by_share, after.by_share
    low, high = statistic.range
    design = design_of(statistic, before.ends[0])
    if design != design_of(statistic, after.ends[0]):
        raise SourceError("one sample has a prevalence of its own: give both the same.")
    return _Found(
        name,
        design,
        before.measured(statistic, design),
        after.measured(statistic, design),
        (low - high, high - low),
        min(before.trials, after.trials),
        None if statistic.span is None else 2 * statistic.span,
        statistic.one_sided,
    )


def _shift(name: str, before: list[ClassSample], after: list[ClassSample]) -> ScoreShift:
    bounds = distance(before, after)
    p = same_distribution_p(bounds[0], before[0], after[0])
    return ScoreShift(name, sum(bounds) / 2, bounds, p, p)

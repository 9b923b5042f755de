"""A metric of predictions with its standard error and interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, underflow_to_zero
from costspace.inference.class_means import (
    SCORE,
    Moments,
    class_moments,
    cluster_moments,
    means_in,
    means_interval,
)
from costspace.inference.designs import check_design, check_weights_are, design_of
from costspace.inference.estimates import Estimate
from costspace.inference.few_rows import Sampled, few_rows, studied
from costspace.inference.influences.influence import Deviation, Influence
from costspace.inference.interval import Ends, check_level, interval_around, upper_bound
from costspace.inference.named import statistic_from
from costspace.inference.optimism import BIAS_ERROR
from costspace.inference.row_errors import design_effect, row_error, row_influences
from costspace.inference.samples import MODEL, counting, rows_or_source
from costspace.inference.standard_error import standard_error
from costspace.inference.statistic import Statistic
from costspace.inference.trials import trials_of_rows, trials_of_table
from costspace.scores.base import ScoreSource
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable, check_table


@underflow_to_zero
def estimate(
    metric: str | Callable[..., float] | Statistic,
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    level: float = 0.95,
    groups: ArrayLike | None = None,
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    **parameters: Any,
) -> Estimate:
    """Estimate a metric: its value with a standard error and a confidence interval.

    Parameters
    ----------
    metric : callable or str
        A metric of this package that is a mean or a smooth function of means, such as `auc`,
        `brier_score`, `h_measure`, `voros` or `expected_loss`; or a name as in `evaluate`, such as
        "brier" and "expected_loss.cost.optimal".
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
        Labels of two classes and scores, higher meaning more positive.
    level : float in (0, 1)
        How often such intervals cover the population's value.
    groups : array of shape (n,), optional
        The cluster of each row (a patient, a customer): clusters are independent, rows of one
        need not be.
    design : {"independent", "stratified"}, optional
        Whether rows are drawn one by one, so that the share of positives is an estimate too, or
        class sizes are fixed. By default independent, but stratified on the skew axis and where
        a prevalence is given, since the share in the sample does not count there; independent is
        refused with a prevalence.
    weights : {"sampling", "counts"}
        What a weight w stands for: the inverse of the chance of being sampled, or w equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
    **parameters
        The metric's own, such as `choice`, `costs` and `axis` of `expected_loss`.

    Returns
    -------
    Estimate
        The interval keeps to the range of the metric, and is around the estimate less its bias:
        of losses at thresholds that do not follow the sample by the score method for each class,
        else symmetric on the scale that the method says. That of `miscalibration`, which samples
        overestimate, has an upper end only. Where few rows decide, it has a note on how often
        such intervals held in simulations.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so; if a class has one row, or occurs in one group only; or if the
        metric has no closed-form standard error.

    Notes
    -----
    From the influence of each row (Hampel (1974), JASA 69), in the same sort as the metric; for AUC
    it is the standard error of DeLong, DeLong, Clarke-Pearson (1988), Biometrics 44, with their
    divisors, the size of each class less 1. What is optimal on a sample is too good there: to first
    order that has no effect on the standard error, but it moves the optimal loss, and with it the
    refinement loss, miscalibration, H, VOROS and the area under the hull, by up to about one
    standard error. How much of the estimate is due to that is its `bias`, and intervals are those
    of the corrected value. The bias is an estimate too: the standard error holds that of the bias,
    taken as its size over the root of 3, with which intervals cover as they should in
    `benchmarks/coverage.md`. In clusters rows are worth fewer, and the bias is larger, by their
    design effect.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9]
    >>> found = cs.estimate(cs.auc, y, s)
    >>> found.estimate, round(found.standard_error, 4)
    (0.9375, 0.0884)
    >>> loss = cs.estimate(cs.expected_loss, y, s, choice=cs.ScoreDriven(), axis="skew")
    >>> round(loss.estimate, 4), round(loss.low, 4), round(loss.high, 4), loss.design
    (0.1166, 0.0348, 0.6572, 'stratified')
    """
    check_level(level)
    if design is not None:
        check_design(design)
    statistic = statistic_from(metric, parameters)
    given = rows_or_source(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    rows = given if isinstance(given, ScoredRows) else None
    source = ScoreTable.from_rows(given, MODEL) if isinstance(given, ScoredRows) else given
    own = check_table("a standard error", source, needs="rows or a ScoreTable")
    table = own if prevalence is None else own.with_prevalence(prevalence)
    found = estimate_on(
        statistic,
        table,
        rows,
        level=level,
        design=design_of(statistic, table, design),
        weights=weights,
    )
    sampled = Sampled(table, None if rows is None else counting(rows), MODEL, weights)
    number = studied(metric, others=parameters), found.method == SCORE
    return replace(found, note=few_rows([sampled], [number]))


def estimate_on(
    statistic: Statistic,
    table: ScoreTable,
    rows: ScoredRows | None = None,
    *,
    model: str = MODEL,
    level: float = 0.95,
    design: str = "independent",
    weights: str = "sampling",
) -> Estimate:
    """`estimate` of a statistic on a ready table, clustered if rows with groups are given.

    It has no note: several estimates of one table share that.
    """
    value, influence = statistic.value(table), statistic.influence(table)
    means = means_in(influence)
    noise = _independent(influence, means, table, design, weights)
    clustered = rows is not None and rows.groups is not None
    if rows is not None and clustered:
        rows = counting(rows)
        found = row_influences(influence, rows, table, model, design=design)
        noise = noise.clustered(found, rows, weights, value, statistic.range)
    inside, trials = statistic.range_on(table, design), min(noise.trials)
    bias, error = statistic.bias_on(table, value, weights, noise.effect), noise.error
    centre = float(np.clip(value - bias, *inside))
    if statistic.one_sided:
        interval = upper_bound(
            centre, error, inside=inside, level=level, trials=trials, clustered=clustered
        )
    elif means is not None:
        interval = means_interval(
            centre, means, table, noise.moments, inside=inside, level=level, trials=noise.trials
        )
    else:
        # What is taken off as bias is an estimate too.
        error = float(np.hypot(error, (value - centre) * BIAS_ERROR))
        interval = interval_around(
            centre,
            error,
            inside=inside,
            level=level,
            trials=trials,
            clustered=clustered,
            span=statistic.span,
        )
    return Estimate(
        statistic.name,
        value,
        error,
        interval.low,
        interval.high,
        level,
        interval.method,
        int(table.negatives.counted + table.positives.counted),
        design,
        value - centre,
    )


@final
@dataclass(frozen=True)
class _Noise:
    """How a statistic errs.

    Attributes
    ----------
    error : float
        Its standard error.
    moments : sequence of Moments
        Of a sum of class means, those of independent parts of the error.
    trials : tuple of two floats
        How many independent rows of equal weight each class amounts to.
    effect : float
        How many dependent rows are worth one independent row.
    """

    error: float
    moments: Sequence[Moments]
    trials: Ends
    effect: float = 1.0

    def clustered(
        self, influences: FloatArray, rows: ScoredRows, weights: str, value: float, inside: Ends
    ) -> "_Noise":
        """The same of rows with groups, given what it is of independent ones."""
        error = row_error(influences, rows, weights=weights)
        return _Noise(
            error,
            [cluster_moments(influences, rows, error)],
            trials_of_rows(rows, weights),
            design_effect(value, error, self.error, inside),
        )


def _independent(
    influence: Influence,
    means: tuple[Deviation, Deviation] | None,
    table: ScoreTable,
    design: str,
    weights: str,
) -> _Noise:
    trials = trials_of_table(table, check_weights_are(weights))
    if means is None:
        error = standard_error(influence, table, design=design, weights=weights)
        return _Noise(error, (), trials)
    moments = class_moments(means, influence, table, design=design, weights=weights)
    return _Noise(float(np.sqrt(sum(part.second for part in moments))), moments, trials)

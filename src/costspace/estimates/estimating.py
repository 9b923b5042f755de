"""A metric of predictions with its standard error and interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.estimates.class_means import SCORE, means_interval
from costspace.estimates.estimates import Estimate
from costspace.estimates.few_rows import few_rows, studied
from costspace.estimates.interval import check_level, interval_around, upper_bound
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import MODEL, ModelSample, rows_or_source
from costspace.estimates.named import MetricLike, statistic_from
from costspace.estimates.sampling_design import check_design, design_of
from costspace.influences.optimism import BIAS_ERROR
from costspace.influences.statistic import Statistic
from costspace.predictions import Labels
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.scores.table import ScoreTable, check_table


@underflow_to_zero
def estimate(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    metric: MetricLike,
    level: float = 0.95,
    groups: ArrayLike | None = None,
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> Estimate:
    """Estimate a metric: its value with a standard error and a confidence interval.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    metric : callable or str
        A metric of this package that is a mean or a smooth function of means, such as `auc`,
        `brier_score`, `h_measure` or `voros`, with parameters as in
        ``functools.partial(expected_loss, choice=Optimal())``; or a name as in `evaluate`, such as
        "brier" and "expected_loss.cost.optimal".
    level : float in (0, 1)
        How often such intervals cover the population's value.
    groups : array of shape (n,), optional
        The cluster of each row (a patient, a customer): clusters are independent, rows of one
        need not be.
    design : {"independent", "stratified"}, optional
        Whether rows are drawn one by one, so that the share of positives is an estimate too, or
        class sizes are fixed. By default independent, but stratified on the skew axis and where
        a prevalence is given, since the sample's share does not matter there; independent is
        refused with a prevalence.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a sampling probability, or w equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    Estimate
        The interval is inside the range of the metric, and around the estimate minus its bias. It
        combines the score intervals of both classes for losses at thresholds that do not follow
        the sample; else it is symmetric on the scale that `method` names. That of
        `miscalibration`, which samples overestimate, has only an upper end. If few rows decide, it
        has a note on the coverage of such intervals in simulations.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if a class has only one row or group, or if the
        metric has no closed-form standard error.

    Notes
    -----
    From the influence of each row (Hampel (1974), JASA 69), on the same sorted scores as the
    metric; for AUC it is the standard error of DeLong, DeLong, Clarke-Pearson (1988), Biometrics
    44, with their divisors, the size of each class minus 1. What is optimal on a sample looks too
    good there. To first order that does not change the standard error, but it moves the optimal
    loss, and with it the refinement loss, miscalibration, H, VOROS and the area under the hull, by
    up to about one standard error. This part of the estimate is its `bias`, and intervals are
    those of the corrected value. The bias is an estimate too: the standard error includes that of
    the bias, taken as its size over the root of 3, with which intervals have their coverage in
    `benchmarks/coverage.md`. In clusters the bias is larger by the design effect.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9]
    >>> found = cs.estimate(y, s, metric=cs.auc)
    >>> found.estimate, round(found.standard_error, 4)
    (0.9375, 0.0884)
    >>> from functools import partial
    >>> loss = partial(cs.expected_loss, choice=cs.ScoreDriven(), axis="skew")
    >>> loss = cs.estimate(y, s, metric=loss)
    >>> round(loss.estimate, 4), round(loss.low, 4), round(loss.high, 4), loss.design
    (0.1166, 0.0348, 0.6572, 'stratified')
    """
    level = check_level(level)
    if design is not None:
        check_design(design)
    statistic = statistic_from(metric)
    given = rows_or_source(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    rows = given if isinstance(given, ScoredRows) else None
    source = ScoreTable.from_rows(given, MODEL) if isinstance(given, ScoredRows) else given
    own = check_table("a standard error", source, needs="rows or a ScoreTable")
    table = own if prevalence is None else own.with_prevalence(prevalence)
    sample = ModelSample(table, rows, weights=weights)
    design = design_of(statistic, table, design)
    found = estimate_on(statistic, sample, level=level, design=design)
    number = studied(metric), found.method == SCORE
    return replace(found, note=few_rows([(sample, [number])]))


def estimate_on(
    statistic: Statistic,
    sample: ModelSample,
    *,
    level: float = 0.95,
    design: str = "independent",
) -> Estimate:
    """`estimate` of a statistic of a sample.

    Without a note, which several estimates of one table share.
    """
    found, table = Measured(statistic, sample, design), sample.table
    value, means, error = found.value, found.means, found.error
    inside, sizes = statistic.range_on(table, design), sample.effective_sizes
    centre = float(np.clip(value - found.bias, *inside))
    smaller: dict[str, Any] = {"effective_size": min(sizes), "clustered": sample.clustered}
    if statistic.one_sided:
        interval = upper_bound(centre, error, inside=inside, level=level, **smaller)
    elif means is not None:
        interval = means_interval(
            centre,
            means,
            table,
            found.moments(means),
            inside=inside,
            level=level,
            effective_sizes=sizes,
        )
    else:
        # The bias is an estimate too.
        error = float(np.hypot(error, (value - centre) * BIAS_ERROR))
        interval = interval_around(
            centre, error, inside=inside, level=level, span=statistic.span, **smaller
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

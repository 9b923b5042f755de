"""The bootstrap: metrics of a score table on resamples of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Progress, underflow_to_zero
from costspace.checks import check_whole
from costspace.errors import ScoreError, without_data_warnings
from costspace.estimates.class_means import means_in
from costspace.estimates.few_rows import fewest, studied
from costspace.estimates.interval import check_level
from costspace.estimates.model_samples import MODEL, ModelSample, rows_of_one
from costspace.resampling.acceleration import accelerations
from costspace.resampling.corrections import corrections
from costspace.resampling.intervals import check_method
from costspace.resampling.replicates import Bootstrap
from costspace.resampling.resamples import Resampling
from costspace.resampling.table_metrics import (
    TableMetric,
    TableMetrics,
    influence_in,
    metrics_by_name,
    values_of,
)
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.scores.table import ScoreTable

# How often progress is reported.
_STEPS = 100


@underflow_to_zero
def bootstrap(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    metrics: TableMetrics,
    replicates: int = 1000,
    design: str | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    level: float = 0.95,
    method: str = "bca",
    seed: int = 0,
    progress: Progress = lambda _: None,
) -> Bootstrap:
    """Bootstrap metrics: standard errors, bias and intervals.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or ScoredRows alone
        Labels of two classes and scores of one model, higher meaning more positive.
    metrics : callable, sequence of callables, or mapping of str to callable
        Each takes a `ScoreTable` and returns a number: `cs.auc`, `cs.h_measure`, such a metric
        with parameters as in ``functools.partial(cs.voros, low=0.1)``, or any function of a table.
    replicates : int
        Number of resamples.
    design : {"independent", "stratified"}, optional
        Whether rows are drawn from all rows, so that the share of positives varies, or from each
        class, which keeps it. By default independent, but stratified where a prevalence is given;
        independent is refused with a prevalence.
    groups : array of shape (n,), optional
        The cluster of each row, such as a patient. Clusters are drawn whole. A stratified design
        draws from each class if every cluster is in one class, else from all clusters at a fixed
        share of positives.
    sample_weight : array of shape (n,), optional
        Non-negative.
    weights : {"sampling", "counts"}
        Whether a weight stays with its row in each draw, or means so many equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment, also of every resample.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    level : float in (0, 1)
        Confidence level.
    method : {"bca", "percentile", "basic"}
        Quantiles of the replicates, corrected for bias and skewness; the quantiles themselves; or
        their reflection at the estimate. The skewness is that of the rows' influences; a metric
        without them in closed form needs up to 400 more tables.
    seed : int
        Not negative. The same seed draws the same rows for every model, so that differences of
        replicates are those of paired resamples.
    progress : callable, optional
        Called with the share of the replicates that is done, from 0 to 1, at most about a hundred
        times. An exception in it ends the bootstrap.

    Returns
    -------
    Bootstrap
        If few rows decide, it has a note on the coverage of closed-form intervals in simulations.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if a class occurs in only one row or cluster,
        a metric has no value on a resample, or no metric has an interval. If only some have none,
        the notes give the reasons.

    Notes
    -----
    Efron and Tibshirani (1993), An Introduction to the Bootstrap. The rows are sorted once. A
    resample counts how often each occurs, so AUC, ROC hull, class means and metrics based on them
    take one pass over the counts. One resample is in memory at a time, about 110 bytes a row in
    all. A resample without one of the classes is drawn again.

    The ROC hull of a sample is above the population's, and that of a resample above the sample's,
    but by less: in simulations half as much without ties, so no quantile of the replicates
    corrects for it. The bias of H, VOROS, refinement loss, miscalibration and optimal losses is
    known in closed form, as in `estimate`: their replicates are shifted to the corrected estimate
    as mean, and spread for the error of the bias. For miscalibration only the upper end of the
    interval has a meaning. Other functions of a table have intervals from the unchanged
    replicates, which cover too seldom if they depend on the hull.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> found = cs.bootstrap(y, s, metrics=cs.brier_score, replicates=200)
    >>> bool(found.low[0] < cs.brier_score(y, s) < found.high[0])
    True
    """
    named = metrics_by_name(metrics)
    replicates = check_whole("replicates", replicates, least=2)
    seed = check_whole("seed", seed, least=0)
    level = check_level(level)
    check_method(method)
    rows = rows_of_one(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    resampling = Resampling.of(rows, MODEL, design=design, weights=weights, prevalence=prevalence)
    estimate = values_of(named, resampling.sample, "the sample")
    # Warnings about the data were given for the sample.
    with without_data_warnings():
        values, dropped = _replicates(named, resampling, replicates, seed, progress)
        acceleration = accelerations(named, resampling, seed) if method == "bca" else None
    few = fewest(ModelSample(resampling.sample, rows, weights=weights))
    known_as = {name: _studied(metric, resampling.sample) for name, metric in named.items()}
    found = Bootstrap(
        tuple(named),
        estimate,
        values,
        acceleration,
        corrections(named, resampling, weights),
        level,
        method,
        len(rows),
        resampling.design,
        dropped,
        {},
        few.note(known_as.values()),
        {name: few.note([known]) for name, known in known_as.items()},
    )
    return _noted(found)


def _studied(metric: TableMetric, table: ScoreTable) -> str:
    """A metric's name in the study, which has intervals of class means only by score."""
    influence = influence_in(metric, table)
    means = influence is not None and means_in(influence) is not None
    return "" if means else studied(metric)


def _noted(found: Bootstrap) -> Bootstrap:
    """The same with notes on metrics that have no interval, or `ScoreError` if none has."""
    notes = {}
    for name in found.names:
        try:
            found.interval(name)
        except ScoreError as error:
            notes[name] = str(error)
    if len(notes) == len(found.names):
        raise ScoreError(notes[found.names[0]])
    return replace(found, notes=notes)


def _replicates(
    named: Mapping[str, TableMetric],
    resampling: Resampling,
    replicates: int,
    seed: int,
    progress: Progress,
) -> tuple[FloatArray, int]:
    """Values of the metrics on each resample, and how many resamples lacked a class."""
    rng = np.random.default_rng(seed)
    values, all_dropped = np.empty((replicates, len(named))), 0
    step = -(-replicates // _STEPS)
    for i in range(replicates):
        table, dropped = resampling.draw(rng)
        values[i] = values_of(named, table, f"resample {i + 1}")
        all_dropped += dropped
        done = i + 1
        if done % step == 0 or done == replicates:
            progress(done / replicates)
    return values, all_dropped

"""Comparison of models by any metric, on the same rows or on separate samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import final

from numpy.typing import ArrayLike

from costspace.arrays import Progress, ScoreArray, underflow_to_zero
from costspace.choices.doubts import REVERSED, doubts_by
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError, ScoreError, brief
from costspace.estimates.differences import ModelComparison, ModelDifference, tests_of
from costspace.estimates.few_rows import few_rows, studied
from costspace.estimates.interval import check_level
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import ModelSample, samples_of, table_of
from costspace.estimates.multiplicity import adjusted_tests, check_correction
from costspace.estimates.named import (
    MetricLike,
    statistic_from,
)
from costspace.estimates.reversal import reversal_of
from costspace.estimates.sampling_design import check_design, design_of
from costspace.estimates.two_estimates import (
    bounds_of,
    difference_of,
    spread_of_same_rows,
)
from costspace.influences.statistic import Statistic
from costspace.samples.copies import are_copies
from costspace.samples.rows import NamedScores, ScoredRows


@underflow_to_zero
def compare(
    y_true: ArrayLike | Mapping[str, ArrayLike] | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    metrics: MetricLike | Iterable[MetricLike] | Mapping[str, MetricLike] = (
        "auc",
        "brier",
        "h_measure",
        "voros",
    ),
    costs: CostDistribution = Uniform(),
    level: float = 0.95,
    correction: str | None = "holm",
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | Mapping[str, ArrayLike] | None = None,
    groups: ArrayLike | Mapping[str, ArrayLike] | None = None,
) -> ModelComparison:
    """Compare models, two at a time, by any metric or expected loss.

    Parameters
    ----------
    y_true : array of shape (n,), or mapping of str to such arrays; or ScoredRows alone
        Labels of two classes. One array if all models scored the same rows: the comparison is
        paired. A mapping by model if each scored a separate sample, independent of the others.
    y_score : mapping of str to array, or frame
        Each model's scores, higher meaning more positive; two models at least.
    metrics : str or callable, or several, or mapping of str to them
        Names as in `evaluate`, such as "brier" and "expected_loss.cost.optimal", or metrics of this
        package, such as `macro_brier_score` and ``functools.partial(voros, low=0.1)``; each once. A
        mapping gives them names.
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        Adjustment of p-values for multiple comparisons; all pairs and metrics are one family, in
        which models that are equal by a metric count as one.
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
        Non-negative. A mapping by model if `y_true` is one.
    groups : array of shape (n,), optional
        The cluster of each row (a patient, a customer); clusters are independent, rows of one
        need not be. A mapping by model if `y_true` is one.

    Returns
    -------
    ModelComparison
        Each metric is compared between the models whose scores it has a meaning for. The notes say
        which models lack it, and why; with fewer than two that have it, it is left out. If few rows
        decide, its note has the coverage of such intervals in simulations.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if no metric has a meaning for the scores of
        two models.

    Notes
    -----
    The error of a difference is to first order the mean over the rows of the difference of the
    rows' influences, so its standard error needs no covariance of its own. For AUC it is that of
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, with their divisors, the size of each
    class minus 1, as in pROC. P-values and intervals are those of the normal distribution;
    intervals are not adjusted for their number. Where the rows show no variation, as between two
    models that make the same decisions, both follow from the share that unseen rows can have.
    Columns that differ by no more than single precision loses are one model. The
    optimism of the optimal choice, and so of refinement loss, H and VOROS, is subtracted: intervals
    and p-values are those of the difference minus its `bias`. That bias is an estimate too. The
    standard error includes that of each model's bias, taken as its size over the root of 3 as in
    `estimate`, and as correlated with the other's as the rows' influences are. In simulations of
    200 and 1000 rows, a half to a tenth of them positive, 95 % intervals of optimal losses, H and
    VOROS covered in 93 to 98 % of samples, or more where one of two nearly equal models has few
    distinct scores. The biases of miscalibration are taken as correlated by 1: their noise is in
    the rows' influences already. Between two calibrated models its test is still conservative: the
    influences are only noise there, and vary more than the estimates.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> scores = {"a": [0.1, 0.3, 0.6, 0.4, 0.8, 0.9], "b": [0.3, 0.5, 0.9, 0.7, 0.2, 0.4]}
    >>> comparison = cs.compare(y, scores, metrics=["auc", "expected_loss.cost.optimal"])
    >>> [(pair.metric, round(pair.difference, 6)) for pair in comparison.pairs]
    [('auc', 0.555556), ('expected_loss.cost.optimal', -0.166667)]
    """
    return compare_samples(
        samples_of(y_true, y_score, pos_label, sample_weight, groups),
        metrics=metrics,
        costs=costs,
        level=level,
        correction=correction,
        design=design,
        weights=weights,
        prevalence=prevalence,
    )


@underflow_to_zero
def compare_samples(
    samples: Sequence[ScoredRows],
    *,
    metrics: MetricLike | Iterable[MetricLike] | Mapping[str, MetricLike],
    costs: CostDistribution = Uniform(),
    level: float = 0.95,
    correction: str | None = "holm",
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    progress: Progress = lambda _: None,
) -> ModelComparison:
    """`compare` on validated rows; `progress` is called with the share that is done."""
    level = check_level(level)
    check_correction(correction)
    if design is not None:
        check_design(design)
    costs = as_costs(costs)
    compared_by = _by_name(metrics, costs)
    samples = [_with_copies_as_one(rows) for rows in samples]
    models = [
        ModelSample(table_of(rows, name, prevalence), rows, name, weights)
        for rows in samples
        for name in rows.scores
    ]
    found: list[ModelDifference] = []
    numbers: dict[str, list[tuple[str, bool]]] = {model.model: [] for model in models}
    missing: dict[str, dict[str, str]] = {}
    for i, (name, metric) in enumerate(compared_by.items(), start=1):
        by = design_of(metric.statistic, models[0].table, design)
        measured, missing[name] = _measured(metric.statistic, models, by)
        try:
            pairs = _differences(name, measured, level, paired=len(samples) == 1)
        except ScoreError as error:
            pairs = []
            missing[name] |= {one.sample.model: str(error) for one in measured}
        if pairs:
            found += pairs
            means = all(one.means is not None for one in measured)
            for one in measured:
                numbers[one.sample.model].append((metric.studied, means))
        progress(i / len(compared_by))
    if not found:
        reasons = map(_in_full, filter(None, missing.values()))
        raise ScoreError(next(reasons, "there is no metric to compare by: name one."))
    notes = {name: _in_short(why) for name, why in missing.items() if why}
    notes |= doubts_by({model.model: model.table for model in models}, list(compared_by))
    turned = {f"{REVERSED}.{one.model}": reversal_of(one.model, one) for one in models}
    notes |= {name: told for name, told in turned.items() if told}
    return ModelComparison(
        tuple(adjusted_tests(found, tests_of(found), correction)),
        level,
        correction,
        sum(map(len, samples)),
        len(samples) == 1,
        notes,
        few_rows((model, numbers[model.model]) for model in models),
    )


def _with_copies_as_one(rows: ScoredRows) -> ScoredRows:
    """The same rows, with one model's scores for all columns that are copies of each other."""
    scores: dict[str, ScoreArray] = {}
    for name in sorted(rows.scores):
        own = rows.scores[name]
        scores[name] = next((one for one in scores.values() if are_copies(one, own)), own)
    return replace(rows, scores={name: scores[name] for name in rows.scores})


@final
@dataclass(frozen=True, eq=False)
class _ComparedBy:
    """A metric, and its name in the study of few rows."""

    statistic: Statistic
    studied: str


def _by_name(
    metrics: MetricLike | Iterable[MetricLike] | Mapping[str, MetricLike], costs: CostDistribution
) -> dict[str, _ComparedBy]:
    """The metrics to compare by, each under its own or a given name."""
    if isinstance(metrics, str) or not isinstance(metrics, Iterable):
        metrics = (metrics,)
    given: Iterable[tuple[object, MetricLike]]
    if isinstance(metrics, Mapping):
        given = metrics.items()
    else:
        given = ((metric if isinstance(metric, str) else None, metric) for metric in metrics)
    found: dict[str, _ComparedBy] = {}
    for own_name, metric in given:
        statistic = statistic_from(metric, costs=costs)
        name = statistic.name if own_name is None else str(own_name)
        if name in found:
            raise ConditionError(
                f"there are two metrics {brief(name)}, and p-values are adjusted for all: name "
                "each once."
            )
        found[name] = _ComparedBy(statistic, studied(metric, costs=costs))
    return found


def _measured(
    statistic: Statistic, models: Sequence[ModelSample], design: str
) -> tuple[list[Measured], dict[str, str]]:
    """A statistic of each model for whose scores it has a meaning, and why others lack it."""
    found: list[Measured] = []
    missing: dict[str, str] = {}
    for model in models:
        one = Measured(statistic, model, design)
        try:
            bounds_of(one)
        except ScoreError as error:
            missing[model.model] = str(error)
        else:
            found.append(one)
    return found, missing


def _in_full(missing: Mapping[str, str]) -> str:
    """Why the first model lacks a metric, and which others do."""
    (model, why), *others = missing.items()
    also = f" Also without it: {', '.join(name for name, _ in others)}." if others else ""
    return f"{model}: {why}{also}"


def _in_short(missing: Mapping[str, str]) -> str:
    """The models that lack a metric and what it needs, without what came from each."""
    models: dict[str, list[str]] = {}
    for model, why in missing.items():
        models.setdefault(why.partition(", got ")[0].rstrip("."), []).append(model)
    return " ".join(f"{', '.join(names)}: {needs}." for needs, names in models.items())


def _differences(
    name: str, measured: Sequence[Measured], level: float, *, paired: bool
) -> list[ModelDifference]:
    """The differences of one metric, for all pairs of models."""
    found = []
    for a, b in combinations(measured, 2):
        difference = difference_of(
            a.statistic,
            bounds_of(a),
            bounds_of(b),
            (a.sample, b.sample),
            level=level,
            spread=spread_of_same_rows(a, b) if paired else None,
        )
        models = a.sample.model, b.sample.model
        evidence = difference.evidence(a.design)
        found.append(ModelDifference(*models, name, difference.bounds[0], **evidence))
    return found

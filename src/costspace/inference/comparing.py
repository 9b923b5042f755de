"""Comparison of models by any metric, on the same rows or on samples of their own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue, underflow_to_zero
from costspace.choices.doubts import doubts_by
from costspace.costs import CostDistribution, Uniform, as_costs
from costspace.errors import ConditionError, ScoreError, brief
from costspace.inference.class_means import means_in
from costspace.inference.designs import check_design, design_of
from costspace.inference.differences import ModelComparison, ModelDifference
from costspace.inference.few_rows import Sampled, few_rows, studied
from costspace.inference.interval import (
    Ends,
    check_level,
    interval_around,
    two_sided_p,
    varies,
)
from costspace.inference.multiplicity import adjusted_p, check_correction
from costspace.inference.named import statistic_from, statistic_named, with_parameters
from costspace.inference.optimism import bias_variance
from costspace.inference.row_errors import design_effect, row_error, row_influences
from costspace.inference.samples import samples_of, table_of
from costspace.inference.standard_error import standard_error
from costspace.inference.statistic import Statistic
from costspace.inference.trials import trials_of_rows
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

Metric: TypeAlias = str | Callable[..., float] | Statistic
Metrics: TypeAlias = Metric | Iterable[Metric] | Mapping[str, Metric]


@underflow_to_zero
def compare(
    y_true: ArrayLike | Mapping[str, ArrayLike],
    y_scores: Mapping[str, ArrayLike],
    metrics: Metrics = ("auc", "brier", "h_measure", "voros"),
    *,
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
    y_true : array of shape (n,), or mapping of str to such arrays
        Labels of two classes. One array if all models scored the same rows; the comparison is
        paired then. A mapping with the names of the models if each scored a sample of its own,
        independent of the others'.
    y_scores : mapping of str to array
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
        How p-values are adjusted for there being several; all pairs and metrics are one family.
    design : {"independent", "stratified"}, optional
        Whether rows are drawn one by one, so that the share of positives is an estimate too, or
        class sizes are fixed. By default independent, but stratified on the skew axis and where
        a prevalence is given, since the share in the sample does not count there; independent is
        refused with a prevalence.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative. A mapping by model if `y_true` is one.
    groups : array of shape (n,), optional
        The cluster that a row belongs to (a patient, a customer); clusters are independent, rows
        of one need not be. A mapping by model if `y_true` is one.

    Returns
    -------
    ModelComparison
        A metric that has no meaning for the scores is left out, with the reason in the notes. Where
        few rows decide, its note says how often such intervals held in simulations.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so, or no metric has a meaning for the scores.

    Notes
    -----
    The error of a difference is to first order the mean over the rows of the difference of the
    rows' influences, so its standard error needs no covariance of its own. For AUC it is that of
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, with their divisors, the size of each
    class less 1, as in pROC. P-values and intervals are those of the normal distribution; intervals
    are not adjusted for their number. Where the rows show no variation, as between two models that
    make the same decisions, both follow from the share that rows of another kind can have without
    being seen. The optimism of the optimal choice, and with it of refinement loss, H and VOROS, is
    taken off: intervals and p-values are those of the difference less its `bias`. That bias is an
    estimate too: the standard error holds that of each model's, taken as in `estimate` as its size
    over the root of 3, and as correlated with the other's as the rows' influences are. In
    simulations of 200 and 1000 rows, a half to a tenth of them positive, 95 % intervals of optimal
    losses, H and VOROS covered in 93 to 98 % of samples, or more where one of two nearly equal
    models has few distinct scores. The biases of miscalibration are taken as correlated by 1: their
    noise is in the rows' influences already. Between two calibrated models its test is conservative
    all the same, as the influences are noise alone then, and more than the estimates vary.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> scores = {"a": [0.1, 0.3, 0.6, 0.4, 0.8, 0.9], "b": [0.3, 0.5, 0.9, 0.7, 0.2, 0.4]}
    >>> comparison = cs.compare(y, scores, metrics=["auc", "expected_loss.cost.optimal"])
    >>> [(pair.metric, round(pair.difference, 6)) for pair in comparison.pairs]
    [('auc', 0.555556), ('expected_loss.cost.optimal', -0.166667)]
    """
    check_level(level)
    check_correction(correction)
    if design is not None:
        check_design(design)
    costs = as_costs(costs)
    statistics = _statistics(metrics, costs)
    names = [name for name, *_ in statistics]
    _check_once(names)
    samples = samples_of(y_true, y_scores, pos_label, sample_weight, groups)
    models = [
        _Model(name, rows, table_of(rows, name, prevalence), weights)
        for rows in samples
        for name in rows.scores
    ]
    found: list[_Found] = []
    notes: dict[str, str] = {}
    for name, statistic, _ in statistics:
        try:
            found += _differences(name, statistic, models, design, paired=len(samples) == 1)
        except ScoreError as error:
            notes[name] = str(error)
    if not found:
        raise ScoreError(next(iter(notes.values()), "there is no metric to compare by: name one."))
    adjusted = adjusted_p([one.p for one in found], correction)
    notes |= doubts_by({model.name: model.table for model in models}, names)
    known_as = {name: as_studied for name, _, as_studied in statistics}
    return ModelComparison(
        tuple(one.pair(level, float(p)) for one, p in zip(found, adjusted, strict=True)),
        level,
        correction,
        sum(map(len, samples)),
        len(samples) == 1,
        notes,
        few_rows(
            [model.sampled for model in models],
            [(known_as[one.metric], one.means) for one in found],
        ),
    )


def _statistics(metrics: Metrics, costs: CostDistribution) -> list[tuple[str, Statistic, str]]:
    """What to compare by, after the name that it has or is given, and how the study names it."""
    if isinstance(metrics, str) or not isinstance(metrics, Iterable):
        metrics = (metrics,)
    given: list[tuple[str | None, Metric]]
    if isinstance(metrics, Mapping):
        given = [(str(name), metric) for name, metric in metrics.items()]
    else:
        given = [(metric if isinstance(metric, str) else None, metric) for metric in metrics]
    return [
        (found.name if name is None else name, found, studied(metric, costs=costs))
        for name, metric in given
        for found in [_statistic(metric, costs)]
    ]


def _statistic(metric: Metric, costs: CostDistribution) -> Statistic:
    if isinstance(metric, str):
        return statistic_named(metric, costs)
    return statistic_from(*with_parameters(metric))


def _check_once(names: Sequence[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ConditionError(
                f"there are two metrics {brief(name)}, and p-values are adjusted for all: name "
                "each once."
            )


@final
@dataclass(frozen=True, eq=False)
class _Model:
    """A model on its rows."""

    name: str
    rows: ScoredRows
    table: ScoreTable
    weights: str

    def measured(self, statistic: Statistic, design: str) -> "_Measured":
        """The statistic with what its error is made of."""
        table, weights = self.table, self.weights
        value, influence = statistic.value(table), statistic.influence(table)
        rows = row_influences(influence, self.rows, table, self.name, design=design)
        error, effect = self.error(rows), 1.0
        if self.rows.groups is not None:
            independent = standard_error(influence, table, design=design, weights=weights)
            effect = design_effect(value, error, independent, statistic.range)
        bias = statistic.bias_on(table, value, weights, effect)
        # Without variation, there are no units in which models differ.
        unit = error if varies(value, error, statistic.range) else np.inf
        means = means_in(influence) is not None
        return _Measured(value, bias, rows, error, rows / unit, means)

    def error(self, influences: FloatArray) -> float:
        """The standard error of what has these influences of its rows."""
        return row_error(influences, self.rows, weights=self.weights)

    @property
    def sampled(self) -> Sampled:
        """The rows, for how many of them decide."""
        return Sampled(self.table, self.rows, self.name, self.weights)

    @property
    def trials(self) -> float:
        """How many independent rows of equal weight the smaller class amounts to."""
        return min(trials_of_rows(self.rows, self.weights))


@final
@dataclass(frozen=True, eq=False)
class _Measured(FrozenValue):
    """A statistic of one model.

    Attributes
    ----------
    value, bias, error : float
        What it is on the sample, by how much too large in the mean, and its standard error
        without that of the bias.
    influences, scaled : array of shape (n,)
        Of its rows, and in units of the error.
    means : bool
        Whether it errs as a sum of class means.
    """

    value: float
    bias: float
    influences: FloatArray
    error: float
    scaled: FloatArray
    means: bool


@final
@dataclass(frozen=True)
class _Found:
    """A difference before it has a level."""

    a: str
    b: str
    metric: str
    design: str
    difference: float
    bias: float
    standard_error: float
    inside: Ends
    trials: float
    clustered: bool
    span: float | None
    means: bool

    @property
    def corrected(self) -> float:
        return float(np.clip(self.difference - self.bias, *self.inside))

    @property
    def p(self) -> float:
        return two_sided_p(
            self.corrected,
            self.standard_error,
            inside=self.inside,
            trials=self.trials,
            clustered=self.clustered,
            span=self.span,
        )

    def pair(self, level: float, p_adjusted: float) -> ModelDifference:
        interval = interval_around(
            self.corrected,
            self.standard_error,
            inside=self.inside,
            level=level,
            trials=self.trials,
            clustered=self.clustered,
            span=self.span,
            method="linear",
        )
        return ModelDifference(
            self.a,
            self.b,
            self.metric,
            self.difference,
            self.standard_error,
            interval.low,
            interval.high,
            self.p,
            p_adjusted,
            interval.method,
            self.design,
            self.bias,
        )


def _differences(
    name: str, statistic: Statistic, models: Sequence[_Model], design: str | None, *, paired: bool
) -> Iterator[_Found]:
    low, high = statistic.range
    design = design_of(statistic, models[0].table, design)
    measured = [model.measured(statistic, design) for model in models]
    for (model, a), (other, b) in combinations(zip(models, measured, strict=True), 2):
        # Both variances: of the influences, and of them in units of each model's own error.
        variance, apart = a.error**2 + b.error**2, 2.0
        if paired:
            variance = model.error(a.influences - b.influences) ** 2
            apart = model.error(a.scaled - b.scaled) ** 2
        noise = bias_variance(a.bias, b.bias, apart, one_sided=statistic.one_sided)
        yield _Found(
            model.name,
            other.name,
            name,
            design,
            a.value - b.value,
            a.bias - b.bias,
            float(np.sqrt(variance + noise)),
            (low - high, high - low),
            min(model.trials, other.trials),
            model.rows.groups is not None,
            None if statistic.span is None else 2 * statistic.span,
            a.means and b.means,
        )

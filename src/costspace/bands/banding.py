"""Bands from predictions: around one model's loss curve, or around a difference of two."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.bands.band import LossBand
from costspace.bands.compared_curves import band_around
from costspace.bands.sample_curve import sample_curve
from costspace.bands.sampled_rows import SampledRows
from costspace.choices import ThresholdChoice
from costspace.errors import ConditionError, ScoreError
from costspace.estimates.interval import check_level
from costspace.estimates.model_samples import MODEL, rows_of_one, samples_of
from costspace.samples.rows import NamedScores, ScoredRows

# With so many draws the quantile of the largest error is exact to about 1 %.
REPLICATES = 2000


@underflow_to_zero
def loss_band(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice,
    axis: str = "cost",
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    simultaneous: bool = True,
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> LossBand:
    """Confidence band around a loss curve, pointwise or simultaneous over a range.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or ScoredRows alone
        Labels of two classes and scores of one model, higher meaning more positive.
    choice : ThresholdChoice
        How the threshold depends on the condition: one that does not follow the sample's scores
        (`follows`), such as `ScoreDriven` or `Fitted`, or one of least loss, such as `Optimal`.
    axis : {"cost", "skew"}
        What the condition is. On the skew axis classes have equal weight, and their shares do
        not matter.
    low, high : float
        Range of the condition, 0 <= low < high <= 1.
    level : float in (0, 1)
        Confidence level.
    simultaneous : bool
        Whether the band must contain the whole curve in the range, or each value by itself.
    design : {"independent", "stratified"}, optional
        Whether the share of positives is estimated from the rows, or fixed. By default
        independent, but stratified on the skew axis and where a prevalence is given; independent
        is refused with a prevalence.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a sampling probability, or w equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default. The skew axis ignores it.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
    groups : array of shape (n,), optional
        The cluster of each row; clusters are independent, rows of one need not be.
    replicates : int, at least 100
        Gaussian draws that determine the width of a simultaneous band; their time grows with the
        rows, to seconds for 100,000 rows.
    seed : int
        Of the draws; not negative.

    Returns
    -------
    LossBand

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if the thresholds of the choice move with the
        sample, as the rate-driven ones do.

    Notes
    -----
    At a single condition the band of a choice whose thresholds do not follow the sample is the
    interval of `estimate`: it contains the values from which each class's mean is within z standard
    errors, with the standard error at the value. In a simultaneous band z is larger: the level's
    quantile of the largest studentised error of Gaussian draws of the curve's error, the
    multiplier method of Chernozhukov, Chetverikov and Kato (2014), Annals of Statistics 42. Then
    both sides are moved so that the curve is as often too high as too low (Hall (1992), The
    Bootstrap and Edgeworth Expansion, Section 3), and both have room for the unseen share of each
    class: near the ends, where nearly all rows of a class are flagged or nearly none, the sample's
    variance is not reliable.

    Under `Optimal` the thresholds move with the sample, to which the loss is not sensitive to
    first order (the envelope theorem). But the curve is too low, since the same sample chose the
    thresholds, so the band extends further up by the estimated optimism; bands around
    ``Fitted(Optimal(), other)`` need none. And other thresholds than the sample's best may be best
    in the population, some with larger errors, so the lower end is the least of the lower ends of
    all corners of the hull.

    In simulations (`docs/concepts/uncertainty.md`) 95 % bands over all conditions contained
    the whole curve in 92 to 98 % of samples, and under `Optimal` in 94 to 99 %.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.4, 0.7, 0.3, 0.6, 0.8, 0.9]
    >>> band = loss_band(y, s, choice=cs.ScoreDriven(), low=0.2, high=0.8)
    >>> band
    LossBand(simultaneous 95 % band for conditions from 0.2 to 0.8, n 8, independent)
    """
    rows = rows_of_one(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    sample = SampledRows.on(axis, rows, prevalence=prevalence, design=design, weights=weights)
    return band_around(
        [sample],
        [sample_curve(sample, MODEL, choice)],
        within=(low, high),
        level=check_level(level),
        simultaneous=simultaneous,
        replicates=replicates,
        seed=seed,
    )


@underflow_to_zero
def difference_band(
    y_true: ArrayLike | Mapping[str, ArrayLike] | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice | Mapping[str, ThresholdChoice],
    axis: str = "cost",
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    simultaneous: bool = True,
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | Mapping[str, ArrayLike] | None = None,
    groups: ArrayLike | Mapping[str, ArrayLike] | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> LossBand:
    """Confidence band around the difference of two models' loss curves, first minus second.

    Parameters
    ----------
    y_true : array of shape (n,), or mapping of str to such arrays
        Labels of two classes. One array if both models scored the same rows: the comparison is
        paired. A mapping by model if each scored a separate sample, independent of the other.
    y_score : mapping of str to array
        The scores of two models, higher meaning more positive.
    choice : ThresholdChoice, or mapping of str to ThresholdChoice
        How thresholds follow the condition, for both models or for each by its name.
    sample_weight, groups : array of shape (n,), optional
        As in `loss_band`; mappings by model if `y_true` is one.
    axis, low, high, level, simultaneous, design, weights, prevalence, pos_label, replicates, seed
        As in `loss_band`.

    Returns
    -------
    LossBand
        Of the difference: ``where(-1)`` is where the first model is better with confidence,
        ``crossings()`` where the curves may cross.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if the thresholds of a choice move with the
        sample, as the rate-driven ones do.

    Notes
    -----
    As for `loss_band`, with the rows' differences; separate samples are combined by the sum of
    squares. Under `Optimal` both curves are too low, and either may be lower at another threshold,
    so the band extends further both ways. In simulations 95 % bands contained the whole difference
    of score-driven losses in 94 to 98 % of samples, of optimal ones in 96 to 100 %.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0] * 50 + [1] * 50
    >>> scores = {
    ...     "good": [i / 90 for i in range(50)] + [1 - i / 90 for i in range(50)],
    ...     "poor": [0.3, 0.7] * 50,
    ... }
    >>> band = difference_band(y, scores, choice=cs.ScoreDriven())
    >>> [(round(a, 2), round(b, 2)) for a, b in band.where(-1)]
    [(0.26, 0.74)]
    """
    found = samples_of(y_true, y_score, pos_label, sample_weight, groups)
    if sum(len(rows.scores) for rows in found) != 2:
        raise ScoreError('a difference needs the scores of two models, as in {"a": ..., "b": ...}.')
    samples = [
        SampledRows.on(axis, rows, prevalence=prevalence, design=design, weights=weights)
        for rows in found
    ]
    curves = [
        sample_curve(sample, model, _choice_of(choice, model))
        for sample in samples
        for model in sample.rows.scores
    ]
    return band_around(
        samples,
        curves,
        within=(low, high),
        level=check_level(level),
        simultaneous=simultaneous,
        replicates=replicates,
        seed=seed,
    )


def _choice_of(
    choice: ThresholdChoice | Mapping[str, ThresholdChoice], model: str
) -> ThresholdChoice:
    if not isinstance(choice, Mapping):
        return choice
    if model not in choice:
        raise ConditionError(f"choice is a mapping and has no entry for {model!r}: give both.")
    return choice[model]

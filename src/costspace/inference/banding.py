"""From predictions to bands: around one model's loss curve, or around a difference of two."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from costspace.choices import ThresholdChoice
from costspace.condition import check_axis, check_number, check_prevalence, check_range
from costspace.curve import PiecewiseQuadratic, combine
from costspace.errors import ConditionError, ScoreError, brief
from costspace.inference.bands import LossBand
from costspace.inference.followed import Sample, followed
from costspace.inference.interval import check_level, normal_quantile
from costspace.inference.paired import samples_of
from costspace.inference.row_losses import RowLosses
from costspace.inference.standard_error import check_design, check_weights_are, counting
from costspace.inference.supremum import critical_value, squared_errors
from costspace.scores.rows import ScoredRows

# The largest error of so many draws has a quantile good to about a hundredth.
REPLICATES = 2000
_FEWEST_REPLICATES = 100
_TWO = 2


def loss_band(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    choice: ThresholdChoice,
    axis: str = "cost",
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    simultaneous: bool = True,
    design: str = "independent",
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> LossBand:
    """Confidence band around a loss curve, at every condition or along a whole range of them.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,)
        Labels of two classes and scores, higher meaning more positive.
    choice : ThresholdChoice
        How the threshold follows the condition: `ScoreFixed`, `ScoreUniform`, `ScoreDriven`,
        `Optimal`, or `Fitted` on another sample.
    axis : {"cost", "skew"}
        What the condition is. On the skew axis classes count alike, and their shares do not
        matter.
    low, high : float
        Range of the condition, 0 <= low < high <= 1.
    level : float in (0, 1)
        Confidence level.
    simultaneous : bool
        Whether the band is to contain the whole curve in the range, or each value by itself.
    design : {"independent", "stratified"}
        Whether the share of positives is estimated by the rows, or fixed. It is fixed on the skew
        axis and where a prevalence is given.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default. The skew axis ignores it.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
    groups : array of shape (n,), optional
        The cluster that a row belongs to; clusters are independent, rows of one need not be.
    replicates : int, at least 100
        Gaussian draws that a simultaneous band takes its width from; their time grows with the
        rows, to seconds for 100,000 of them.
    seed : int
        Of the draws.

    Returns
    -------
    LossBand

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so, or the thresholds of the choice move with the sample, as the
        rate-driven ones do.

    Notes
    -----
    A row's influence on the loss at a condition is its own loss there less its mean, so the
    variance is quadratic between the scores and is known exactly; a simultaneous band is wider by
    the largest studentised error of Gaussian draws of the curve's error, the multiplier method of
    Chernozhukov, Chetverikov and Kato (2014), Annals of Statistics 42. Near the ends, where
    nearly all rows of a class are flagged or nearly none, what varies in the sample says little:
    the standard error contains the share that rows can have of which none was seen (3.7/m of a
    class of m at 95 %).

    Under `Optimal` the thresholds move with the sample, to which the loss is not sensitive to
    first order (the envelope theorem). But the curve is too low, as the sample chose the
    thresholds it is judged by, so the band reaches up by the optimism's estimate more; bands
    around ``Fitted(Optimal(), other)`` need none. It reaches down no less for it, and that makes
    room for the error of that estimate, for which nothing is added: pointwise 95 % bands contained
    each value in 94.5 % of samples or more. In simulations of 200 and 1000 rows, a half to
    a tenth of them positive, simultaneous 95 % bands contained the whole curve in 93 to 96 % of
    samples under `ScoreDriven`, and in 94 to 97 % under `Optimal`.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.4, 0.7, 0.3, 0.6, 0.8, 0.9]
    >>> band = loss_band(y, s, choice=cs.ScoreDriven(), low=0.2, high=0.8)
    >>> band
    LossBand(simultaneous 95 % band for conditions from 0.2 to 0.8, n 8, independent)
    """
    rows = ScoredRows.from_predictions(
        y_true,
        {"y_score": y_score},
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
    )
    rows = counting(rows)
    sample = Sample(rows, known_prevalence(axis, prevalence), *_checked(design, weights))
    own = followed(sample, "y_score", choice)
    zero = combine([own.curve], [0.0])
    return _band(
        own.curve,
        [sample.losses(own.flagged)],
        [sample.losses(own.drawn)],
        [sample],
        (zero, own.optimism, zero, own.ceiling),
        within=(low, high),
        level=level,
        simultaneous=simultaneous,
        replicates=replicates,
        seed=seed,
    )


def difference_band(
    y_true: ArrayLike | Mapping[str, ArrayLike],
    y_scores: Mapping[str, ArrayLike],
    *,
    choice: ThresholdChoice | Mapping[str, ThresholdChoice],
    axis: str = "cost",
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    simultaneous: bool = True,
    design: str = "independent",
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | Mapping[str, ArrayLike] | None = None,
    groups: ArrayLike | Mapping[str, ArrayLike] | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> LossBand:
    """Confidence band around the difference of two models' loss curves, the first less the second.

    Parameters
    ----------
    y_true : array of shape (n,), or mapping of str to such arrays
        Labels of two classes. One array if both models scored the same rows; the comparison is
        paired then. A mapping with the names of the models if each scored a sample of its own,
        independent of the other's.
    y_scores : mapping of str to array
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
        ``crossings()`` where the two may change places.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so, or the thresholds of a choice move with the sample, as the
        rate-driven ones do.

    Notes
    -----
    As for `loss_band`, with each row's difference in influence; on samples of their own variances
    add. Under `Optimal` both curves are too low, and the band reaches further both ways.

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
    [(0.21, 0.79)]
    """
    given: Any = y_scores
    if not isinstance(given, Mapping) or len(given) != _TWO:
        raise ScoreError('a difference needs the scores of two models, as in {"a": ..., "b": ...}.')
    known = known_prevalence(axis, prevalence)
    kinds = _checked(design, weights)
    samples = [
        Sample(rows, known, *kinds)
        for rows in samples_of(y_true, y_scores, pos_label, sample_weight, groups)
    ]
    models = [(sample, model) for sample in samples for model in sample.rows.scores]
    choices = [_choice_of(choice, model) for _, model in models]
    first, second = (
        followed(sample, model, chosen)
        for (sample, model), chosen in zip(models, choices, strict=True)
    )
    if len(samples) == 1:
        errors = [samples[0].losses(first.flagged, second.flagged.negated())]
        drawn = [samples[0].losses(first.drawn, second.drawn.negated())]
    else:
        errors = [samples[0].losses(first.flagged), samples[1].losses(second.flagged)]
        drawn = [samples[0].losses(first.drawn), samples[1].losses(second.drawn)]
    return _band(
        first.curve - second.curve,
        errors,
        drawn,
        samples,
        (second.optimism, first.optimism, combine([second.ceiling], [-1.0]), first.ceiling),
        within=(low, high),
        level=level,
        simultaneous=simultaneous,
        replicates=replicates,
        seed=seed,
    )


def _band(
    curve: PiecewiseQuadratic,
    errors: Sequence[RowLosses],
    drawn: Sequence[RowLosses],
    samples: Sequence[Sample],
    ends: tuple[PiecewiseQuadratic, PiecewiseQuadratic, PiecewiseQuadratic, PiecewiseQuadratic],
    *,
    within: tuple[float, float],
    level: float,
    simultaneous: bool,
    replicates: int,
    seed: int,
) -> LossBand:
    start, end = check_range(*within, inside=(0.0, 1.0))
    check_level(level)
    unseen = [sample.unseen(level) for sample in samples]
    variance = squared_errors(errors, unseen)
    if not isinstance(simultaneous, bool):
        raise ConditionError(f"simultaneous must be True or False, got {brief(simultaneous)}.")
    if simultaneous:
        draws = check_replicates(replicates)
        critical = critical_value(
            drawn,
            squared_errors(drawn, unseen),
            within=(start, end),
            level=level,
            replicates=draws,
            seed=seed,
        )
        # Draws may leave it below what a single condition needs.
        critical = max(critical, normal_quantile(level))
    else:
        critical = normal_quantile(level)
    return LossBand(
        curve,
        variance,
        critical,
        *ends,
        start,
        end,
        level,
        "simultaneous" if simultaneous else "pointwise",
        sum(len(sample.rows) for sample in samples),
        "stratified" if samples[0].fixed else "independent",
    )


def check_replicates(replicates: int) -> int:
    """Return how many draws to make, or raise `ConditionError` if they are too few."""
    return int(check_number("replicates", replicates, low=_FEWEST_REPLICATES))


def known_prevalence(axis: str, prevalence: float | None) -> float | None:
    """The share of positives that is known: 1/2 on the skew axis, else the one given."""
    if check_axis(axis) == "skew":
        return 0.5
    return None if prevalence is None else check_prevalence(prevalence)


def _checked(design: str, weights: str) -> tuple[str, str]:
    return check_design(design), check_weights_are(weights)


def _choice_of(
    choice: ThresholdChoice | Mapping[str, ThresholdChoice], model: str
) -> ThresholdChoice:
    if not isinstance(choice, Mapping):
        return choice
    if model not in choice:
        raise ConditionError(f"choice is a mapping and has no entry for {model!r}: give both.")
    return choice[model]

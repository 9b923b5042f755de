"""Smoothed thresholds, learnt from labelled rows: less sensitive to noise than the optimal ones."""

from dataclasses import dataclass
from functools import cache
from typing import final

import numpy as np

from costspace.arrays import FloatArray, IndexArray, read_only, underflow_to_zero
from costspace.choices.base import ThresholdChoice
from costspace.choices.flagging import SwitchedFlagging
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.curve import OperatingPath
from costspace.roc.hull import isotonic
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranked import RankedScores
from costspace.scores.base import ScoreSource
from costspace.scores.table import check_table
from costspace.special import expit, logit, ndtr, ndtri

# The bandwidth of what is near is this times n^(-1/5), in units of normal scores.
_REACH = 0.5
# Normal scores are clipped here, 3e-7 of the scores on either side, so that exponentials do not
# overflow.
_LARGEST = 5.0
# More distinct scores than this are tied with their neighbours, evenly in normal scores.
_CELLS = 4096
# The precision of the prior of the line's slope, so that separated classes have a finite one.
_RIDGE = 0.01
# Newton's method takes so many steps at most, and ends with one shorter than this. A misfit of more
# than this times the last one is larger by more than rounding.
_STEPS, _SHORT, _ROUNDED = 60, 1e-7, 1 + 1e-10
# The bandwidth of more rows would make exponentials overflow.
_MOST_ROWS = 1e9
# More steps are finer than the labels justify, and more than engines can take.
_MOST_STEPS = 900
# The least weight of a score, so that every score has some.
_LEAST_SHARE = 1e-300


@final
@dataclass(frozen=True)
class Smoothed(ThresholdChoice):
    """The threshold of least loss under smoothed probabilities, at each condition.

    On few rows `Optimal` follows the noise, and its thresholds cost more on other rows. Here the
    log-odds of a positive are first taken to be a straight line in the ranks of the scores. Then
    they are corrected by the labels near each score: multiplied by the odds of the labels there,
    and divided by those that the line expects. Made to ascend with the score, they replace the
    labels. The more rows there are, the nearer are the labels that count.

    If the threshold would step at more than 900 conditions, near ones are merged, evenly in
    log-odds. Only the order of the scores matters, and thresholds are in the middle of the gaps
    between them. Only proportions of weights within a class matter: its size is its effective
    number of rows, (sum w)^2 / sum w^2.

    Raises
    ------
    SourceError
        When applied to densities, which have no rows to smooth.

    Notes
    -----
    v is the normal score, the normal quantile of the share of rows below, half of the ties
    included, within +-5; n is the number of rows. The line is a logistic regression on v, its slope
    not negative, with a normal prior of variance 100, so that the slope of separated classes is
    finite. Near a score means weights exp(-d / h) at a distance d in v, h = n^(-1/5) / 2. The
    correction is the first step, in log-odds of means, towards the intercept of most local
    likelihood with the line as offset (Loader 1999, Local Regression and Likelihood, Springer): it
    is the intercept itself where all that is near has one probability. What ascends is the
    isotonic regression (Ayer et al. 1955, Annals of Mathematical Statistics 26).

    More than 4,096 distinct scores are first tied with their neighbours, in steps of 10 / 4,096 in
    v, which changes the loss of 20,000 rows by at most 0.2 % at a condition.

    Examples
    --------
    The loss of thresholds learnt from 60 rows on 4,000 others:

    >>> import costspace as cs
    >>> generator = np.random.default_rng(3)
    >>> y_true = generator.integers(0, 2, 4060)
    >>> y_score = generator.normal(y_true)
    >>> train, test = (
    ...     cs.ScoreTable.from_predictions(y_true[part], y_score[part])
    ...     for part in (slice(60), slice(60, None))
    ... )
    >>> for choice in (cs.Optimal(), Smoothed()):
    ...     print(round(cs.expected_loss(test, choice=cs.Fitted(choice, train)), 4))
    0.2089
    0.2051
    """

    name = "smoothed"
    meaning = "learns its threshold from labelled rows"
    sees = frozenset({"costs", "prevalence"})
    through_skew = True
    by_rank = True
    unbounded = "better scores can move its thresholds to where they cost more"

    def path(self, source: ScoreSource) -> OperatingPath:
        return SwitchedFlagging(_until(source)).path(source.by_score.corners, source.prevalence)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> SwitchedFlagging:
        until = _until(source)
        if np.array_equal(scores, source.by_score.breaks):
            return SwitchedFlagging(until)
        return SwitchedFlagging(until[np.searchsorted(source.cut_points, scores, side="left")])


@underflow_to_zero
def _until(source: ScoreSource) -> FloatArray:
    """The cost proportion up to which each distinct score, ascending, is flagged."""
    table = check_table("Smoothed()", source, needs="the labelled rows of a ScoreTable")
    ranking = table.ranking
    skew = ranking.found("smoothed", lambda: _skews(ranking))
    return np.asarray(cost_from_skew(skew, prevalence=table.prevalence))


def _skews(ranking: RankedScores) -> FloatArray:
    """The skew up to which each distinct score, ascending, is flagged."""
    sides = ranking.negatives, ranking.positives
    masses = [_masses(side, ranking.distinct) for side in sides]
    first = _cells(masses[0] + masses[1])
    negatives, positives = (np.add.reduceat(mass, first) for mass in masses)
    v = _normal_scores(negatives + positives)
    log_odds = _line(v, negatives, positives)
    log_odds += _correction(v, negatives, positives, log_odds)
    ascending, _ = isotonic(expit(log_odds), weights=negatives + positives)
    # Here the classes have these shares, not those of the table.
    share = np.sum(positives) / np.sum(negatives + positives)
    skews = _in_few_steps(np.asarray(skew_from_cost(np.clip(ascending, 0, 1), prevalence=share)))
    return np.repeat(skews, np.diff(np.append(first, len(ranking.distinct))))


def _in_few_steps(skews: FloatArray) -> FloatArray:
    """Ascending skews, rounded evenly in log-odds if they are more than a rule may have."""
    odds = logit(skews)
    finite = odds[np.isfinite(odds)]
    if len(finite) == 0 or np.count_nonzero(np.diff(finite)) < _MOST_STEPS:
        return skews
    per_step = (finite[-1] - finite[0]) / _MOST_STEPS
    return np.asarray(expit(np.round(odds / per_step) * per_step))


def _masses(side: ClassSample, distinct: FloatArray) -> FloatArray:
    """The effective number of rows of a class at each distinct score of both."""
    first = np.append(True, side.values[1:] != side.values[:-1]).nonzero()[0]
    weights = np.add.reduceat(side.weight_of_each, first)
    masses = np.zeros(len(distinct))
    shares = np.maximum(weights / np.sum(weights), _LEAST_SHARE)
    masses[np.searchsorted(distinct, side.values[first])] = shares / np.sum(side.squared_shares)
    return masses


def _cells(masses: FloatArray) -> IndexArray:
    """Where cells of scores that count as tied begin: each score, or those of near ranks."""
    if len(masses) <= _CELLS:
        return np.arange(len(masses))
    middle = np.cumsum(masses) - masses / 2
    first = np.unique(np.append(0, np.searchsorted(middle, _shares_below() * np.sum(masses))))
    return first[first < len(masses)]


@cache
def _shares_below() -> FloatArray:
    """The share of all rows below each end of a cell."""
    return read_only(ndtr(np.linspace(-_LARGEST, _LARGEST, _CELLS + 1)))


def _normal_scores(masses: FloatArray) -> FloatArray:
    """The normal quantile of the share below each distinct score, half of its own included."""
    # Shares of either tail are exact from their own side.
    below = np.cumsum(masses) - masses / 2
    above = np.cumsum(masses[::-1])[::-1] - masses / 2
    tail = ndtri(np.minimum(below, above) / np.sum(masses))
    return np.clip(np.where(below < above, tail, -tail), -_LARGEST, _LARGEST)


def _line(v: FloatArray, negatives: FloatArray, positives: FloatArray) -> FloatArray:
    """The log-odds of a positive by logistic regression, their slope not negative."""
    mass = negatives + positives

    def misfit(a: float, b: float) -> float:
        x = a + b * v
        each = mass * (np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))) - positives * x
        return float(np.sum(each)) + _RIDGE / 2 * b * b

    start = float(np.log(np.sum(positives) / np.sum(negatives)))
    a, b, least = start, 0.0, misfit(start, 0.0)
    for _ in range(_STEPS):
        p = expit(a + b * v)
        off, weight = positives - mass * p, mass * p * (1 - p)
        of_a, of_b = float(np.sum(off)), float(np.sum(off * v)) - _RIDGE * b
        aa, ab, bb = (float(np.sum(weight * v**k)) for k in range(3))
        bb += _RIDGE
        if not (scale := aa * bb - ab * ab) > 0:
            break
        step_a, step_b = (bb * of_a - ab * of_b) / scale, (aa * of_b - ab * of_a) / scale
        # A step that is too long makes the misfit larger by more than rounding.
        while (new := misfit(a + step_a, b + step_b)) > least * _ROUNDED:
            step_a, step_b = step_a / 2, step_b / 2
        a, b, least = a + step_a, b + step_b, new
        if abs(step_a) + abs(step_b) < _SHORT:
            break
    return a + b * v if b > 0 else np.full(len(v), start)


def _correction(
    v: FloatArray, negatives: FloatArray, positives: FloatArray, line: FloatArray
) -> FloatArray:
    """How far the log-odds of the labels near each score are above those that a line expects."""
    mass = negatives + positives
    near = v / (_REACH * min(float(np.sum(mass)), _MOST_ROWS) ** -0.2)
    # exp(-d) of the furthest may be 0.
    parts = positives, mass * expit(-line), negatives, mass * expit(line)
    logs = [np.log(np.maximum(_reaching(near, part), _LEAST_SHARE)) for part in parts]
    return logs[0] + logs[1] - logs[2] - logs[3]


def _reaching(x: FloatArray, masses: FloatArray) -> FloatArray:
    """The sum of the masses at each x, ascending, with weights exp(-d) by distance d.

    As sums of non-negative terms, so that none is lost to rounding next to larger ones.
    """
    power = np.exp(x)
    from_below = np.cumsum(masses * power) / power
    above = np.append(masses[1:] / power[1:], 0.0)
    return from_below + np.cumsum(above[::-1])[::-1] * power

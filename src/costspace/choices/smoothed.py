"""Smoothed thresholds, learnt from labelled rows: less sensitive to noise than the optimal ones."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, ScoreArray, underflow_to_zero
from costspace.choices.base import Seen, ThresholdChoice
from costspace.choices.flagging import SwitchedFlagging
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.curve import OperatingPath
from costspace.roc.hull import isotonic
from costspace.scores.base import ScoreSource
from costspace.scores.ranked import RankedScores
from costspace.scores.sample import ClassSample
from costspace.scores.table import check_table
from costspace.special import expit, logit, ndtri

# With so many scores of the rarer class, the local mean has the same weight as the line.
_SCORES_OF_THE_LINE = 10
# The bandwidth of the local mean is this times n^(-1/5), in units of normal scores.
_REACH = 0.5
# Normal scores are clipped here, 3e-7 of the scores on either side, so that exponentials do not
# overflow.
_LARGEST = 5.0
# More steps are finer than the labels justify, and more than engines can take.
_MOST_STEPS = 900
# The least weight of a score, so that every score has some.
_LEAST_SHARE = 1e-300


@final
@dataclass(frozen=True)
class Smoothed(ThresholdChoice):
    """The threshold of least loss under smoothed probabilities, at each condition.

    On few rows `Optimal` follows the noise, and its thresholds cost more on other rows. Here the
    probability of a positive at each score is first estimated twice from its rank: by a straight
    line in the log odds and by a local mean of the labels. The mean of both, made to ascend with
    the score, replaces the labels. The local mean has more weight if there are more scores of the
    rarer class.

    If the threshold would step at more than 900 conditions, near ones are merged, evenly in
    log-odds. Only the order of the scores matters, and thresholds are in the middle of the gaps
    between them. A weight of k counts as k equal rows, only proportions of weights within a class
    matter, and the size of a class is its number of distinct scores.

    Raises
    ------
    SourceError
        When applied to densities, which have no rows to smooth.

    Notes
    -----
    v is the normal score, the normal quantile of the share of scores below, half of the ties
    included; n is the number of scores, r that of the rarer class. The line is Fisher's linear
    discriminant on v, to whose variance within classes 1 / n is added, so that its slope is finite;
    if both classes are normal it estimates the line of a logistic regression as well as can be
    (Efron 1975, JASA 70). The local mean weights labels at a distance d in v by exp(-d / h),
    h = n^(-1/5) / 2, and counts r / (r + 10) averaged over both. What ascends is its isotonic
    regression (Ayer et al. 1955, Annals of Mathematical Statistics 26).

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
    0.2041
    """

    @property
    def name(self) -> str:
        return "smoothed"

    @property
    def meaning(self) -> str:
        return "learns its threshold from labelled rows"

    @property
    def sees(self) -> Seen:
        return frozenset({"costs", "prevalence"})

    @property
    def through_skew(self) -> bool:
        return True

    @property
    def by_rank(self) -> bool:
        return True

    @property
    def unbounded(self) -> str:
        return "better scores can move its thresholds to where they cost more"

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
    return np.asarray(cost_from_skew(skew, table.prevalence))


def _skews(ranking: RankedScores) -> FloatArray:
    """The skew up to which each distinct score, ascending, is flagged."""
    sides = ranking.negatives, ranking.positives
    negatives, positives = (_masses(side, ranking.distinct) for side in sides)
    n0, n1 = np.count_nonzero(negatives), np.count_nonzero(positives)
    v = _normal_scores(negatives + positives)
    line, local = _line(v, negatives, positives), _local_mean(v, negatives, positives)
    of_local = min(n0, n1) / (min(n0, n1) + _SCORES_OF_THE_LINE)
    ascending, _ = isotonic(of_local * local + (1 - of_local) * line, weights=negatives + positives)
    # Here the classes have these shares, not those of the table.
    return _in_few_steps(np.asarray(skew_from_cost(np.clip(ascending, 0, 1), n1 / (n0 + n1))))


def _in_few_steps(skews: FloatArray) -> FloatArray:
    """Ascending skews, rounded evenly in log-odds if they are more than a rule may have."""
    odds = logit(skews)
    finite = odds[np.isfinite(odds)]
    if len(finite) == 0 or np.count_nonzero(np.diff(finite)) < _MOST_STEPS:
        return skews
    per_step = (finite[-1] - finite[0]) / _MOST_STEPS
    return np.asarray(expit(np.round(odds / per_step) * per_step))


def _masses(side: ClassSample, distinct: ScoreArray) -> FloatArray:
    """The weight of a class at each distinct score of both, with mean 1 where it has any."""
    first = np.append(True, side.values[1:] != side.values[:-1]).nonzero()[0]
    weights = np.add.reduceat(side.weight_of_each, first)
    masses = np.zeros(len(distinct))
    own = np.maximum(weights / np.sum(weights), _LEAST_SHARE) * len(first)
    masses[np.searchsorted(distinct, side.values[first])] = own
    return masses


def _normal_scores(masses: FloatArray) -> FloatArray:
    """The normal quantile of the share below each distinct score, half of its own included."""
    # Shares of either tail are exact from their own side.
    below = np.cumsum(masses) - masses / 2
    above = np.cumsum(masses[::-1])[::-1] - masses / 2
    tail = ndtri(np.minimum(below, above) / np.sum(masses))
    return np.clip(np.where(below < above, tail, -tail), -_LARGEST, _LARGEST)


def _line(v: FloatArray, negatives: FloatArray, positives: FloatArray) -> FloatArray:
    """The probability of a positive by a straight line in the log odds."""
    n0, n1 = np.sum(negatives), np.sum(positives)
    low, high = np.sum(negatives * v) / n0, np.sum(positives * v) / n1
    within = np.sum(negatives * (v - low) ** 2) + np.sum(positives * (v - high) ** 2)
    slope = (high - low) * (n0 + n1) / (within + 1)
    return np.asarray(expit(np.log(n1 / n0) + slope * (v - (low + high) / 2)))


def _local_mean(v: FloatArray, negatives: FloatArray, positives: FloatArray) -> FloatArray:
    """The probability of a positive by the labels near each score."""
    near = v / (_REACH * np.sum(negatives + positives) ** -0.2)
    of_negatives, of_positives = _reaching(near, negatives), _reaching(near, positives)
    return of_positives / (of_negatives + of_positives)


def _reaching(x: FloatArray, masses: FloatArray) -> FloatArray:
    """The sum of the masses at each x, ascending, with weights exp(-d) by distance d.

    As sums of non-negative terms, so that none is lost to rounding next to larger ones.
    """
    power = np.exp(x)
    from_below = np.cumsum(masses * power) / power
    above = np.append(masses[1:] / power[1:], 0.0)
    return from_below + np.cumsum(above[::-1])[::-1] * power

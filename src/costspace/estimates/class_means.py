"""Intervals of sums of class means, combined from one interval for each class."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.estimates.interval import (
    Ends,
    Interval,
    check_numbers,
    normal_quantile,
    unseen_share,
    varies,
)
from costspace.estimates.row_errors import unit_errors
from costspace.estimates.standard_error import ClassInfluence, sides_of
from costspace.influences.influence import Deviation, Influence, deviation_in, sum_over
from costspace.samples.class_sample import ClassSample
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable

# The method's name in results.
SCORE = "score"
# How many rows are added to each class at the ends of its range.
_MORE = 0.5
# A variance below this share of a row's square is 0 up to rounding.
_ROUNDING = 1e-24


class Moments(NamedTuple):
    """The second and third central moment of an error, or of a class's part in it."""

    second: float
    third: float


def means_in(influence: Influence) -> tuple[Deviation, Deviation] | None:
    """The part of each class's mean, if the statistic's error is a sum of class means of values."""
    negatives, positives = (
        deviation_in(function) for function in (influence.of_negatives, influence.of_positives)
    )
    if negatives is None or positives is None or negatives.ends is None or positives.ends is None:
        return None
    return negatives, positives


def class_moments(
    means: tuple[Deviation, Deviation],
    influence: Influence,
    table: ScoreTable,
    variances: Ends,
    *,
    design: str,
    weights: str,
) -> list[Moments]:
    """The moments of each class's part in the error, if rows are independent.

    The variances are those of `class_variances`.
    """
    sides = sides_of(influence, table, design)
    return [
        Moments(variance, _third(side, mean, weights))
        for variance, side, mean in zip(variances, sides, means, strict=True)
    ]


def cluster_moments(influences: FloatArray, rows: ScoredRows, error: float) -> Moments:
    """The moments of an error of rows in groups, from their influences."""
    return Moments(error**2, float(np.sum(unit_errors(influences, rows) ** 3)))


def means_interval(
    estimate: float,
    means: tuple[Deviation, Deviation],
    table: ScoreTable,
    moments: Sequence[Moments],
    *,
    inside: Ends,
    level: float,
    effective_sizes: Ends,
) -> Interval:
    """Two-sided interval for a sum of class means, by the moments of the parts of its error.

    It is inside the range of the quantity, and contains the estimate. `ScoreError` if a number is
    not finite, or a class has fewer than two independent rows.

    Notes
    -----
    A score interval contains every mu from which the estimate is within z standard errors, with the
    standard error at mu (Wilson (1927), JASA 22). Along the exponential family through the sample
    the variance rises by the third moment over the second per unit of mu, which for a share is
    Wilson's rule. Both moments depend on rare rows, and are too small in a sample without the
    rarest. So on either side the ratio includes half a row more of each class at that end of its
    range, half as in Jeffreys's prior of a share. A class without variation can have unseen rows:
    `unseen_share` of its room. Reaches of independent parts are combined by the root of the sum of
    squares, for each side: MOVER, Zou and Donner (2008), Statistics in Medicine 27.
    """
    error = float(np.sqrt(sum(part.second for part in moments)))
    check_numbers(estimate, error, min(effective_sizes))
    quantile = normal_quantile(level)
    samples = table.negatives, table.positives
    rooms = np.array([_rooms(mean) for mean in means])
    second, third = np.array(moments).T
    pairs = score_reaches(second, third, rooms / np.array(effective_sizes)[:, None], quantile)
    reaches = list(zip(*pairs, strict=True))
    for mean, sample, room, rows in zip(means, samples, rooms, effective_sizes, strict=True):
        reaches.append(_unseen(mean, sample, room, unseen_share(rows, level)))
    below, above = np.sqrt(np.sum(np.square(reaches), axis=0))
    return Interval(
        max(inside[0], estimate - float(below)), min(inside[1], estimate + float(above)), SCORE
    )


def score_reaches(
    second: FloatArray,
    third: FloatArray,
    rows: FloatArray,
    quantile: float,
    *,
    equal_tails: bool = False,
    either_sign: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """How far independent parts of an error reach below and above, half a row more at each end.

    The solutions d of d^2 = z^2 (m2 + d m3 / m2), with the ratio of moments that includes half a
    row more of each class.

    Parameters
    ----------
    second, third : arrays of shape (parts, ...)
        Moments m2 and m3 of each part. With clusters both classes are one part.
    rows : array of shape (2, 2, ...)
        The effect of one row of each class on its mean at the lower end and at the upper one.
    quantile : float
        z.
    equal_tails : bool
        Whether values must be too low as often as too high. The centre of the solutions is off by
        z^2 m3 / (2 m2), which is too much for that; it is set to (2 z^2 + 1) m3 / (6 m2).
    either_sign : bool
        Whether rows can have either sign, as in a difference. Along the exponential family the
        variance then rises on both sides: with few rows of e and few of -e it is the root of
        m2^2 + 2 m3 d + e^2 d^2 at d, with rows of one sign m2 + e d. So first
        d^4 = z^4 (m2^2 + (e^2 - (m3 / m2)^2) d^2) is solved, and its d^2 replaces z^2 m2.

    Returns
    -------
    tuple of two arrays of shape (parts, ...)
        Not negative; 0 where there is no error.

    Notes
    -----
    Hall (1992), The Bootstrap and Edgeworth Expansion, Section 3.
    """
    shape = (len(second), len(rows) // len(second), *rows.shape[1:])
    more = [_MORE * np.sum((rows**power).reshape(shape), axis=1) for power in (2, 3)]
    squares, cubes = second[:, None] + more[0], third[:, None] + more[1]
    rates = np.divide(cubes, squares, out=np.zeros_like(cubes), where=squares > 0)
    shifts = rates * ((2 * quantile**2 + 1) / 6 if equal_tails else quantile**2 / 2)
    symmetric = quantile**2 * second[:, None]
    if either_sign:
        largest = np.max((rows * rows).reshape(shape), axis=(1, 2))[:, None]
        rise = quantile**4 / 2 * np.maximum(largest - rates * rates, 0)
        symmetric = rise + np.hypot(rise, symmetric)
    halves = np.sqrt(symmetric + shifts * shifts)
    none = second <= _ROUNDING * np.max(more[0], axis=1)
    below, above = halves[:, 0] - shifts[:, 0], halves[:, 1] + shifts[:, 1]
    return np.where(none, 0.0, below), np.where(none, 0.0, above)


def _unseen(mean: Deviation, sample: ClassSample, room: FloatArray, share: float) -> Ends:
    """How far a class's mean can be below and above the value that all of its rows share."""
    if varies(0.0, float(np.sqrt(mean.moment(sample, 2))), (room[0], room[1])):
        return 0.0, 0.0
    return -share * float(room[0]), share * float(room[1])


def _rooms(mean: Deviation) -> list[float]:
    """The effect of a row minus the mean, at the lower end (at most 0) and at the upper end."""
    return sorted(mean.factor * (end - mean.mean) for end in mean.ends or ())


def _third(side: ClassInfluence, mean: Deviation, weights: str) -> float:
    """Sum over the class of (w psi)^3, psi = phi / share + shift, over the cube of all weight."""
    sample, share, shift = side.sample, side.share, side.shift
    total = sample.total / share
    if weights == "counts" or not sample.weighted:
        # Without weights other than counts the mean of phi is 0.
        square, cube = (mean.moment(sample, power) for power in (2, 3))
        third = cube / share**3 + 3 * square * shift / share**2 + shift**3
        return third * sample.total / total**3

    def cubes(scores: FloatArray) -> FloatArray:
        influences = mean(scores) / share + shift
        return influences * influences * influences

    # Rows of the same score are taken to have the same weight.
    shares = sample.squared_shares**2 * sample.total / sample.weight_of_each
    return sum_over(sample, cubes, shares * share**3)

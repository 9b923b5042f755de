"""A test of whether scores are calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, underflow_to_zero
from costspace.errors import ScoreError
from costspace.estimates.model_samples import MODEL, rows_or_source
from costspace.notebook import OneRow
from costspace.predictions import Labels
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.samples.scale import advised
from costspace.scores.base import ScoreSource
from costspace.scores.table import check_table
from costspace.single import doubles
from costspace.special import betainc, erfc, logit

# Variances below this share of their scale are 0 up to rounding.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True)
class CalibrationTest(OneRow):
    """A test of the hypothesis that scores are calibrated probabilities.

    Attributes
    ----------
    statistic : float
        Non-negative; chi-squared distributed if the scores are calibrated. With G clusters it is at
        most G - 1, and nearly chi-squared if they are many. Infinite if a row is of the class that
        its score rules out.
    degrees : {0, 1, 2}
        Degrees of freedom: 2; 1 if every score is the same; 0 if every score is 0 or 1, when only
        a contradiction can reject calibration.
    p : float in [0, 1]
        P-value.
    n : int
        Number of rows with a weight above 0.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.calibration_test([0, 1, 0, 1], [0.4, 0.4, 0.6, 0.6])
    CalibrationTest(statistic=0.1667, degrees=2, p=0.9200, n=4)
    """

    statistic: float
    degrees: int
    p: float
    n: int


@underflow_to_zero
def calibration_test(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> CalibrationTest:
    """Test whether scores are calibrated probabilities.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and probabilities of the positive one, in [0, 1].
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative sampling weights.
    groups : array of shape (n,), optional
        The cluster of each row; clusters are independent, rows of one need not be.

    Returns
    -------
    CalibrationTest

    Raises
    ------
    LabelError, ScoreError, WeightError, SourceError
        For labels not of two classes, unusable scores, negative weights or a table that does not
        fit, in this order. Also if there are fewer than three clusters, or they are too similar to
        show how they vary; or if a table has a prevalence that is not that of its rows.

    Notes
    -----
    Cox (1958), Biometrika 45: logit P(y = 1) = a + b logit(score), where calibration is a = 0 and
    b = 1. This is the score test of that hypothesis, which needs no fit. The variance of labels
    follows from the scores, or with G clusters from the clusters' sums. If these were normal with
    the same variance, the statistic over G - 1 would be beta distributed. In simulations the test
    rejected calibrated scores at 5 % in 6 % of samples with 4 to 10 clusters of 30 rows, but in
    11 % with 30 clusters of one to three rows and in 7 % with 200 such clusters. It does not detect
    miscalibration that leaves a = 0 and b = 1.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.2, 0.3, 0.3, 0.4, 0.6, 0.7, 0.7, 0.8]
    >>> round(cs.calibration_test(y, s).p, 3)
    0.635
    """
    given = rows_or_source(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    cases = _Cases.of_rows(given) if isinstance(given, ScoredRows) else _Cases.of_table(given)
    low, high = cases.scores.min(), cases.scores.max()
    if low < 0 or high > 1:
        raise ScoreError(
            f"a test of calibration needs scores in [0, 1], got scores from {low:g} to {high:g}: "
            f"{advised(low, high, 'calibrate them first.')}"
        )
    if np.any(np.abs(cases.residual) == 1):
        return CalibrationTest(np.inf, 2, 0.0, cases.n)
    statistic, degrees = _score_test(cases)
    if cases.groups is None:
        p = _chi_squared_tail(statistic, degrees)
    else:
        p = _clustered_tail(statistic, degrees, int(cases.groups.max()) + 1)
    return CalibrationTest(statistic, degrees, p, cases.n)


@final
@dataclass(frozen=True, eq=False)
class _Cases(FrozenValue):
    """What the test needs of rows, or of groups of rows with the same score and class."""

    scores: FloatArray  # shape (k,)
    positive: BoolArray  # shape (k,)
    # Shape (k,): sum of the weights, and of the squared weights, in any unit.
    weight: FloatArray
    squares: FloatArray
    n: int  # number of rows
    groups: IndexArray | None = None  # shape (k,)

    @classmethod
    def of_rows(cls, rows: ScoredRows) -> _Cases:
        scores = doubles(rows.scores[MODEL])
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight / rows.weight.max()
        return cls(scores, rows.positive, weight, weight**2, len(rows), rows.groups)

    @classmethod
    def of_table(cls, source: ScoreSource) -> _Cases:
        needs = "rows, or a ScoreTable with the prevalence of its rows"
        table = check_table("a test of calibration", source, needs=needs, own=True)
        sides = (table.negatives, table.positives)
        scores, weight, squares, tally = (
            np.concatenate(columns).astype(float, copy=False)
            for columns in zip(
                *((s.values, s.weight_of_each, s.squares_of_each, s.tally_of_each) for s in sides),
                strict=True,
            )
        )
        positive = np.repeat([False, True], [len(side) for side in sides])
        unit = weight.max()
        return cls(scores, positive, weight / unit, squares / unit**2, int(tally.sum()))

    @property
    def residual(self) -> FloatArray:
        return self.positive - self.scores


def _score_test(cases: _Cases) -> tuple[float, int]:
    """The statistic and its degrees of freedom."""
    scores = cases.scores
    variance = cases.squares * scores * (1 - scores)
    total = np.sum(variance)
    if total == 0:
        return 0.0, 0
    slope = np.where(variance > 0, logit(np.where(variance > 0, scores, 0.5)), 0.0)
    scale = np.sum(variance * slope**2) / total
    # Centred, the slope is orthogonal to the level.
    slope -= np.sum(variance * slope) / total
    parts = cases.weight * cases.residual * np.stack([np.ones_like(slope), slope])
    if cases.groups is None:
        spread = np.array([1.0, np.sum(variance * slope**2) / total])
        covariance = total * np.diag(spread)
    else:
        sums = np.stack([np.bincount(cases.groups, weights=part) for part in parts])
        clusters = sums.shape[1]
        if clusters < 3:
            raise ScoreError(
                f"a test of calibration needs at least three clusters, got {clusters}: give rows "
                "of more groups."
            )
        covariance = sums @ sums.T * (clusters / (clusters - 1))
        spread = np.diag(covariance) / total
    kept = spread > _ROUNDING * np.array([1.0, max(scale, 1.0)])
    if not kept.any():
        return 0.0, 0
    score = np.sum(parts, axis=1)[kept]
    covariance = covariance[np.ix_(kept, kept)]
    scales = np.sqrt(np.diag(covariance))
    if np.linalg.det(covariance / np.outer(scales, scales)) < _ROUNDING:
        raise ScoreError(
            "level and slope of the scores vary together in all clusters, so the variance of each "
            "cannot be estimated: give rows of more groups."
        )
    return float(score @ np.linalg.solve(covariance, score)), int(kept.sum())


def _chi_squared_tail(statistic: float, degrees: int) -> float:
    if degrees == 0:
        return 1.0
    if degrees == 1:
        return float(erfc(np.sqrt(statistic / 2)))
    return float(np.exp(-statistic / 2))


def _clustered_tail(statistic: float, degrees: int, clusters: int) -> float:
    if degrees == 0:
        return 1.0
    rest = max(1 - statistic / (clusters - 1), 0.0)
    return float(betainc((clusters - degrees) / 2, degrees / 2, rest))

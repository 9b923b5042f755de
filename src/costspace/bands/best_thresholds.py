"""How exactly a sample determines the threshold of least loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.bands.row_losses import FlaggedRows
from costspace.bands.sampled_rows import SampledRows
from costspace.checks import check_number
from costspace.condition import skew_from_cost
from costspace.digits import apart
from costspace.estimates.model_samples import MODEL, rows_of_one
from costspace.notebook import OneRow
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles
from costspace.special import ndtri

# At lower levels the normal quantile is too small.
_LOWEST_LEVEL = 0.9
# Losses, at most 2, that differ by no more differ only by rounding.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, repr=False)
class ThresholdInterval(OneRow):
    """The best threshold for an operating condition, with a confidence interval.

    Attributes
    ----------
    condition : float in [0, 1]
        Cost proportion, or skew.
    threshold : float
        The threshold of least loss on the sample: -inf flags everybody, inf nobody.
    low, high : float
        Ends of the interval, scores or infinite.
    level : float in (0, 1)
        How often such intervals contain the population's best threshold.
    n : int
        Number of rows.
    design : str
        "independent" or "stratified".

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0] * 50 + [1] * 50
    >>> s = [i / 70 for i in range(50)] + [1 - i / 70 for i in range(50)]
    >>> found = cs.threshold_interval(y, s, condition=0.5)
    >>> round(found.low, 3), round(found.threshold, 3), round(found.high, 3)
    (0.114, 0.671, 0.771)
    """

    condition: float
    threshold: float
    low: float
    high: float
    level: float
    n: int
    design: str

    def __repr__(self) -> str:
        scores = self.threshold, self.low, self.high
        at, low, high = (apart(score, scores, 6) for score in scores)
        return (
            f"ThresholdInterval({at} for condition {self.condition:g}, "
            f"{100 * self.level:g} % interval {low} to {high}, n {self.n}, {self.design})"
        )

    def _scores(self) -> tuple[str, ...]:
        return ("threshold", "low", "high")


@underflow_to_zero
def threshold_interval(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    condition: float,
    axis: str = "cost",
    level: float = 0.95,
    design: str | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ThresholdInterval:
    """Confidence interval for the threshold of least loss at an operating condition.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or ScoredRows alone
        Labels of two classes and scores of one model, higher meaning more positive.
    condition : float in [0, 1]
        Cost proportion or skew.
    level : float in [0.9, 1)
        Confidence level.
    axis, design, weights, prevalence, pos_label, sample_weight, groups
        As in `loss_band`.

    Returns
    -------
    ThresholdInterval
        From the lowest to the highest threshold whose loss is not significantly above the
        sample's least. It is often wide, since losses near the best differ little.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    A threshold is compared with the sample's best one by a one-sided paired test: their losses
    differ only by the rows between the two, which gives the standard error. Where the share of
    positives passes the condition smoothly, the sample's best is off by the order n^(-1/3) (Kim
    and Pollard (1990), Annals of Statistics 18), and losses near it are a Brownian motion with
    parabolic drift. Coverage depends only on that: the quantile for 95 % is 1.545 (2.07 for 99 %,
    1.29 for 90 %, simulated). The normal distribution's 1.645 is slightly conservative, and right
    where few thresholds compete, as among tied scores. Each class counts at least with its unseen
    share (3.7/m of m rows at 95 %): beyond the highest scores, a sample may lack rows that the
    population has. Where few rows decide, at 200 rows or at extreme conditions, intervals cover in
    more than 97 % of samples; among tied scores always, once the best of the few thresholds is
    found with certainty.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0] * 50 + [1] * 50
    >>> s = [i / 70 for i in range(50)] + [1 - i / 70 for i in range(50)]
    >>> found = threshold_interval(y, s, condition=0.2, axis="skew")
    >>> found.low < found.threshold < found.high, found.design
    (True, 'stratified')
    """
    c = check_number("condition", condition, low=0, high=1)
    level = check_number("level", level, low=_LOWEST_LEVEL, high=np.nextafter(1, 0))
    quantile = ndtri(level)
    rows = rows_of_one(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    )
    sample = SampledRows.on(axis, rows, prevalence=prevalence, design=design, weights=weights)
    table = sample.table(MODEL)
    best = _best(table, c)
    scores = doubles(rows.scores[MODEL])
    excess = sample.losses(
        FlaggedRows(np.ones(len(scores)), scores),
        FlaggedRows((scores > best).astype(float)).negated(),
    )
    distinct = table.by_score.breaks
    steps = np.append(0, np.searchsorted(excess.at, distinct, side="right"))
    squares = np.array([c * c, 2 * c * (1 - c), (1 - c) ** 2])
    parts = excess.products[:, steps]
    # At least as many rows of a class are between the two as can be unseen.
    parts[[0, 2]] = np.maximum(
        parts[[0, 2]], np.square(sample.shares.unseen_errors(level))[:, None]
    )
    variance = np.maximum(np.sum(squares[:, None] * parts, axis=0), 0)
    loss = c * excess.mean[0][steps] + (1 - c) * excess.mean[1][steps]
    within = np.flatnonzero(loss <= quantile * np.sqrt(variance) + _ROUNDING)
    gaps = np.concatenate([[-np.inf], distinct, [np.inf]])
    return ThresholdInterval(
        c,
        best,
        float(gaps[within[0]]),
        float(gaps[within[-1] + 1]),
        level,
        len(rows),
        "stratified" if sample.fixed else "independent",
    )


def _best(table: ScoreTable, condition: float) -> float:
    skew = skew_from_cost(condition, prevalence=table.prevalence)
    return float(table.hull_thresholds[np.searchsorted(table.by_skew.breaks, skew, side="right")])

"""VOROS, the volume over the ROC surface: the share of ROC space that the best point beats."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.costs import CostDistribution
from costspace.errors import ConditionError
from costspace.influences.influence import Influence
from costspace.influences.optimism import voros_optimism
from costspace.influences.ranks import by_segment
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.lesser import skews_between, times_moment
from costspace.metrics.surface import RocSurface, roc_surface
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.table import ScoreTable

_TRIVIAL = RocSurface(trivial_path(0.5))


@metric(reads="ranks", larger_is_better=True, ends=(0.0, 1.0), name="voros", words="VOROS")
def voros(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    costs: CostDistribution | None = None,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Volume over the ROC surface: mean area of lesser classifiers over a range of skew.

    At skew z the area of lesser classifiers is the share of the ROC square that costs no less
    than the best operating point.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    low, high : float
        Range of skew, 0 <= low < high <= 1; `skew_range` makes one from bounds on costs.
    costs : CostDistribution, optional
        Distribution of the skew, conditioned on the range; uniform by default.
    prevalence : float in (0, 1), optional
        Accepted as in every metric, without effect.
    pos_label : label, optional
        The label of the positive class.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float in [0.5, 1]
        Larger is better; 1 separates the classes. It does not depend on the class shares.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS. The points that beat loss L at skew z fill a triangle
    with legs L / z and L / (1 - z), so the area is 1 - L^2 / (2 z (1 - z)); the optimal loss is
    never above either trivial rule's, so the legs stay inside the square. With L linear between
    breaks, its square needs only the mean odds z / (1 - z), their inverse, and the mass: closed
    forms for uniform and most beta distributions, the limit for a point.

    Examples
    --------
    >>> round(voros([0, 1], [0.2, 0.7]), 12), round(voros_baseline(), 12)
    (1.0, 0.80685281944)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return roc_surface(source).volume(low=low, high=high, costs=costs)


def voros_baseline(
    *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
) -> float:
    """Volume over the ROC surface of the two trivial rules, the better one at each skew.

    Parameters
    ----------
    low, high : float
        Range of skew, 0 <= low < high <= 1.
    costs : CostDistribution, optional
        Distribution of the skew, conditioned on the range; uniform by default.

    Returns
    -------
    float in [0.5, 1]
        The least possible `voros` on the range: 3/2 - ln 2 on [0, 1], and close to 1 on a range
        close to either end.

    Raises
    ------
    ConditionError
        If the range or the distribution is invalid.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Example 25.

    Examples
    --------
    >>> import costspace as cs
    >>> inner = cs.metrics.voros_baseline(low=1 / 3, high=2 / 3)
    >>> round(cs.metrics.voros_baseline(), 3), round(inner, 3)
    (0.807, 0.637)
    """
    return _TRIVIAL.volume(low=low, high=high, costs=costs)


@metric(reads="ranks", larger_is_better=True, ends=(-inf, 1.0))
def relative_voros(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    costs: CostDistribution | None = None,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Volume over the ROC surface, on a scale from the trivial rules (0) to perfect ranking (1).

    Parameters
    ----------
    y_true, y_score, low, high, costs, prevalence, pos_label, sample_weight
        As in `voros`.

    Returns
    -------
    float in [0, 1]
        (V - B) / (1 - B), B the volume of the trivial rules on the range. Larger is better: 0 is
        no better than the better trivial rule, 1 separates the classes.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if the skew is certainly 0 or 1, where a
        trivial rule is perfect.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, compare volumes with that of the trivial rules; this does
    the same on a scale that is independent of the range.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> round(cs.voros(y, s, high=0.1), 4), round(cs.relative_voros(y, s, high=0.1), 4)
    (0.9933, 0.75)
    """
    trivial = _TRIVIAL.room(low=low, high=high, costs=costs)
    if trivial <= 0:
        raise ConditionError(
            "relative_voros needs conditions with something to gain: at skew 0 and 1 a trivial "
            "rule costs nothing."
        )
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return 1 - roc_surface(source).room(low=low, high=high, costs=costs) / trivial


@makes_statistic(voros)
def _voros(
    *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
) -> Statistic:
    given: dict[str, Any] = {"low": low, "high": high, "costs": costs}
    return Statistic(
        "voros",
        partial(voros, **given),
        partial(_voros_influence, **given),
        (0.5, 1.0),
        1.0,
        balanced=True,
        bias=partial(_voros_bias, **given),
    )


@makes_statistic(relative_voros)
def _relative_voros(
    *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
) -> Statistic:
    given: dict[str, Any] = {"low": low, "high": high, "costs": costs}
    room = 1 - voros_baseline(**given)

    def influence(table: ScoreTable) -> Influence:
        return _voros_influence(table, **given).times(1 / room)

    return Statistic(
        "relative_voros",
        partial(relative_voros, **given),
        influence,
        span=1 / room,
        balanced=True,
        bias=lambda table, *rows: _voros_bias(table, *rows, **given) / room,
    )


def _voros_influence(
    table: ScoreTable, low: float, high: float, costs: CostDistribution | None
) -> Influence:
    """Influence of the volume over the ROC surface.

    Notes
    -----
    It is 1 - E[L^2 / (2 z (1 - z))], with L = z FPR + (1 - z) FNR the optimal loss at skew z, so a
    point mass moves it by -E[L dL / (z (1 - z))], and the thresholds have no effect to first order.
    A negative is flagged below the skew of its segment of the hull, and adds the mean of
    L / (1 - z) there to the volume under the surface; a positive adds that of L / z above it.
    """
    hull = table.hull
    edges = np.concatenate([[0.0], hull.breaks, [1.0]])
    distribution = skews_between(low, high, costs)
    odds, inverse_odds = distribution.odds_moments(edges)
    mass = distribution.masses(edges)
    added_flagged = times_moment(hull.fpr, odds) + hull.fnr * mass
    added_missed = hull.fpr * mass + times_moment(hull.fnr, inverse_odds)
    flagged = np.cumsum(added_flagged)[:-1]
    missed = np.cumsum(added_missed[::-1])[-2::-1]
    return Influence(
        by_segment(table, hull.negatives_below, flagged).times(-1),
        by_segment(table, hull.positives_below, missed).times(-1),
    )


def _voros_bias(
    table: ScoreTable,
    weights: str,
    design_effect: float,
    *,
    low: float,
    high: float,
    costs: CostDistribution | None,
) -> float:
    """The expected excess of a sample's volume over the population's."""
    return voros_optimism(table, skews_between(low, high, costs), weights, design_effect)

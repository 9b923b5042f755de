"""Losses of an analytic score model at each score, and the intervals that its scores fall into.

The Brier score of a model with densities splits into calibration and refinement loss at every
score. The optimal loss of a convex model has a density over scores, too. The intervals explain how
this differs from the density of the refinement loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.condition import loss_of_rates
from costspace.errors import SourceError, brief
from costspace.notebook import Tabulated
from costspace.scores.analytic import AnalyticScores, densities_of
from costspace.scores.base import ScoreSource

__all__ = [
    "ScoreIntervals",
    "calibration_density",
    "optimal_loss_density",
    "refinement_density",
    "score_intervals",
]

# Conditions c(T) that differ by no more count as equal.
_SAME = 1e-9
# How far inside an interval its limits are evaluated, as a share of its length.
_INSIDE = 1e-12
_SAMPLES = 129
# Steps towards an infinite end, each twice as long as the one before.
_DOUBLINGS = 40


def refinement_density(model: ScoreSource, *, t: ArrayLike) -> FloatArray:
    """Refinement loss at each score: pi0 f0 pi1 f1 / (pi0 f0 + pi1 f1).

    Parameters
    ----------
    model : AnalyticScores
    t : array
        Scores.

    Returns
    -------
    array, not negative
        Its integral over all scores is the refinement loss; smaller is better.

    Raises
    ------
    SourceError
        If the model is not an AnalyticScores.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 13 and the green curves of
    Appendix A.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    >>> cs.pointwise.refinement_density(model, t=[0.0, 0.5]).round(12)
    array([0.  , 0.25])
    """
    negative, positive = _densities(_check_analytic(model), np.asarray(t, dtype=float))
    total = negative + positive
    return np.divide(negative * positive, total, out=np.zeros_like(total), where=total > 0)


def calibration_density(model: ScoreSource, *, t: ArrayLike) -> FloatArray:
    """Calibration loss at each score: (t - c(t))^2 (pi0 f0 + pi1 f1).

    Parameters
    ----------
    model : AnalyticScores
        With scores in [0, 1].
    t : array
        Scores.

    Returns
    -------
    array, not negative
        Its integral is the calibration loss; with the refinement loss it makes the Brier score.

    Raises
    ------
    SourceError
        If the model is not an AnalyticScores.
    ScoreError
        If it has scores outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 13.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.AnalyticScores(lambda x: np.ones_like(x), lambda x: 2 * x, 0.5)
    >>> cs.pointwise.calibration_density(model, t=[0.5, 1.0]).round(6)
    array([0.      , 0.166667])
    """
    model, t = _check_analytic(model), np.asarray(t, dtype=float)
    model.check_probabilities("the calibration loss")
    negative, positive = _densities(model, t)
    total = negative + positive
    gap = t * total - positive
    return np.divide(gap**2, total, out=np.zeros_like(total), where=total > 0)


def optimal_loss_density(model: ScoreSource, *, t: ArrayLike) -> FloatArray:
    """Optimal loss at each threshold, 2 {c(T) pi0 (1 - F0) + (1 - c(T)) pi1 F1} c'(T).

    Parameters
    ----------
    model : AnalyticScores
        Convex.
    t : array
        Thresholds.

    Returns
    -------
    array, not negative
        Its integral is the part of the optimal loss from bijective intervals. The slope
        of c(T) is a central difference, good to about 1e-9.

    Raises
    ------
    SourceError
        If the model is not an AnalyticScores, or not convex.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 44 and the purple curves of
    Appendix A.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    >>> cs.pointwise.optimal_loss_density(model, t=[0.5]).round(9)
    array([0.25])
    """
    model, t = _check_analytic(model, convex=True), np.asarray(t, dtype=float)
    points, condition = model.by_score.at(t), model.optimal_condition(t)
    found = loss_of_rates(np.nan_to_num(condition), model.prevalence, points.fpr, points.fnr)
    loss = np.where(np.isnan(condition), 0.0, found)
    return np.asarray(loss * _slope_of_condition(model, t))


def refinement_of(model: AnalyticScores) -> float:
    """The integral of `refinement_density`: the refinement loss, whatever the partition."""
    # The density is pi0 f0 c(T): as a mean over a class it allows poles.
    mean, _ = model.class_means(model.optimal_condition, np.zeros_like)
    return (1 - model.prevalence) * mean


def calibration_of(model: AnalyticScores) -> float:
    """The integral of `calibration_density`: the calibration loss, whatever the partition."""

    def gap(t: FloatArray) -> FloatArray:
        return (t - model.optimal_condition(t)) ** 2

    on_negatives, on_positives = model.class_means(gap, gap)
    return (1 - model.prevalence) * on_negatives + model.prevalence * on_positives


class _Interval(NamedTuple):
    """One of the `ScoreIntervals`."""

    kind: str
    t_low: float
    t_high: float
    c_low: float
    c_high: float


@final
@dataclass(frozen=True, eq=False)
class ScoreIntervals(FrozenValue, Tabulated):
    """Intervals of thresholds, and of the conditions at which they are optimal.

    Attributes
    ----------
    kind : array of str
        "bijective" where each threshold is optimal at one condition of its own, "constant" where
        all are optimal at the same (the ROC curve is straight), "singular" where one threshold, or
        an interval without scores, is optimal for a range of conditions (the ROC curve has a
        corner).
    t_low, t_high : array
        Thresholds of each interval, ascending.
    c_low, c_high : array, in [0, 1]
        Cost proportions of each, from 0 to 1.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Appendix A.2 and Table 7.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.AnalyticScores(lambda x: np.ones_like(x), lambda x: 0.5 + x, 0.5)
    >>> intervals = cs.pointwise.score_intervals(model)
    >>> intervals.kind
    array(['singular', 'bijective', 'singular'], dtype='<U9')
    >>> intervals.c_high.round(4), intervals.t_high
    (array([0.3333, 0.6   , 1.    ]), array([0., 1., 1.]))
    """

    kind: NDArray[np.str_]
    t_low: FloatArray
    t_high: FloatArray
    c_low: FloatArray
    c_high: FloatArray

    def columns(self) -> dict[str, NDArray[np.str_] | FloatArray]:
        """One row an interval."""
        return {name: getattr(self, name) for name in _Interval._fields}


def score_intervals(model: ScoreSource) -> ScoreIntervals:
    """Split a convex model into bijective, constant and singular intervals.

    Parameters
    ----------
    model : AnalyticScores
        Convex; `AnalyticScores.convexified` makes any model convex.

    Returns
    -------
    ScoreIntervals
        Between the kinks of the densities c(T) is sampled, to 1e-9; towards an infinite end, at
        scores where the densities do not underflow.

    Raises
    ------
    SourceError
        If the model is not an AnalyticScores, or not convex.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Appendix A.2.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    >>> cs.pointwise.score_intervals(model).kind
    array(['bijective'], dtype='<U9')
    """
    model = _check_analytic(model, convex=True)
    found: list[_Interval] = []
    (t, highest), c = model.score_range, 0.0
    for interval in _intervals(model):
        if interval.c_low > c + _SAME:
            found.append(_Interval("singular", t, interval.t_low, c, interval.c_low))
        if found and _continues(interval, found[-1]):
            found[-1] = found[-1]._replace(t_high=interval.t_high, c_high=interval.c_high)
        else:
            found.append(interval)
        t, c = interval.t_high, interval.c_high
    if c < 1 - _SAME:
        found.append(_Interval("singular", t, highest, c, 1.0))
    kinds, *numbers = zip(*found, strict=True)
    return ScoreIntervals(np.array(kinds, dtype="<U9"), *(np.array(row) for row in numbers))


def _continues(interval: _Interval, before: _Interval) -> bool:
    """Whether two neighbouring intervals are one."""
    same = interval.kind == "bijective" or abs(before.c_high - interval.c_low) <= _SAME
    return interval.kind == before.kind and same


def _intervals(model: AnalyticScores) -> Iterator[_Interval]:
    """The intervals with scores between kinks."""
    low, high = model.score_range
    edges = np.unique(np.concatenate([[low], model.by_score.kinks, [high]]))
    grid = model.pair.grid
    for a, b in pairwise(edges):
        inner = np.clip([a, b], grid[0], grid[-1])
        share = np.linspace(_INSIDE, 1 - _INSIDE, _SAMPLES)
        t = inner[0] + share * (inner[1] - inner[0])
        # The grid comes much closer to a pole than evenly spaced samples.
        t = np.append(t, grid[(grid > a) & (grid < b)])
        beyond = [_towards(model, end) for end in (a, b) if np.isinf(end)]
        c = model.optimal_condition(np.concatenate([t, *beyond]))
        if np.all(np.isnan(c)):
            continue
        c = np.where(c < _SAME, 0.0, np.where(c > 1 - _SAME, 1.0, c))
        lowest, highest = float(np.nanmin(c)), float(np.nanmax(c))
        if highest - lowest <= _SAME:
            mean = float(np.nanmean(c))
            yield _Interval("constant", float(a), float(b), mean, mean)
        else:
            yield _Interval("bijective", float(a), float(b), lowest, highest)


def _towards(model: AnalyticScores, end: float) -> FloatArray:
    """Thresholds beyond the grid, towards an infinite end, until densities underflow."""
    first, last = model.pair.grid[[0, -1]]
    doubled = (last - first) * 2.0 ** np.arange(_DOUBLINGS)
    return first - doubled if end < 0 else last + doubled


def _densities(model: AnalyticScores, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The densities of both classes at each score, weighted by the class shares."""
    p = model.prevalence
    return (1 - p) * model.pair.negatives.pdf(t), p * model.pair.positives.pdf(t)


def _slope_of_condition(model: AnalyticScores, t: FloatArray) -> FloatArray:
    """c'(T) by central differences of fourth order, between the kinks around T."""
    grid = model.pair.grid
    edges = np.unique(np.concatenate([grid[[0, -1]], model.by_score.kinks]))
    piece = np.clip(np.searchsorted(edges, t, side="right") - 1, 0, len(edges) - 2)
    low, high = edges[piece], edges[piece + 1]
    margin = 1e-6 * (high - low)
    at = np.clip(t, low + margin, high - margin)
    h = np.minimum(np.minimum(at - low, high - at) / 2.5, 1e-3 * (high - low))
    near = model.optimal_condition(at + h) - model.optimal_condition(at - h)
    far = model.optimal_condition(at + 2 * h) - model.optimal_condition(at - 2 * h)
    return np.nan_to_num((8 * near - far) / (12 * h))


def _check_analytic(source: ScoreSource, *, convex: bool = False) -> AnalyticScores:
    """Return the model, or raise `SourceError` unless it is analytic and, if asked, convex."""
    model = densities_of(source)
    if model is None:
        raise SourceError(f"only an AnalyticScores model has densities, got {brief(source)}.")
    if convex and not model.is_convex:
        raise SourceError(
            "the model must be convex, and c(T) of this one decreases somewhere: use its "
            "convexified() model."
        )
    return model

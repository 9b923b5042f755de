"""Skews at which the optimal points of two ROC curves cost the same."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.condition import loss_of_rates
from costspace.curve import OperatingPoints, sign_intervals
from costspace.metrics.surface import RocSurface, roc_surface
from costspace.notebook import Tabulated
from costspace.scores.base import ScoreSource

# Losses and skews that differ by no more, relative to their size, are equal up to rounding.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class EqualCostPoints(FrozenValue, Tabulated):
    """Skews at which the optimal losses of two score sources are equal, and the points there.

    Make one with `equal_cost_points`.

    Attributes
    ----------
    skew : array of shape (k,)
        Ascending, from 0 to 1: at both ends every curve costs nothing.
    a, b : OperatingPoints of shape (k,)
        The optimal point of each source; if several, the one that flags fewer.
    loss : array of shape (k,)
        The loss of either.
    coincide : array of shape (k,) of bool
        Whether the losses stay equal up to the next skew.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Lemma 11 and Figure 6: the line through both points has
    slope z / (1 - z) and supports both curves.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> a = cs.ScoreTable.from_predictions(y, [1, 2, 4, 3, 5, 6])
    >>> b = cs.ScoreTable.from_predictions(y, [1, 1, 1, 1, 2, 2])
    >>> equal = cs.metrics.equal_cost_points(a, b)
    >>> equal.skew, equal.loss, equal.coincide
    (array([0. , 0.5, 1. ]), array([0. , 0.16666667, 0. ]), array([False, True, False]))
    """

    skew: FloatArray
    a: OperatingPoints
    b: OperatingPoints
    loss: FloatArray
    coincide: BoolArray

    def columns(self) -> dict[str, FloatArray | BoolArray]:
        """One row a skew."""
        return {
            "skew": self.skew,
            "fpr_a": self.a.fpr,
            "fnr_a": self.a.fnr,
            "fpr_b": self.b.fpr,
            "fnr_b": self.b.fnr,
            "loss": self.loss,
            "coincide": self.coincide,
        }


def equal_cost_points(a: ScoreSource, b: ScoreSource) -> EqualCostPoints:
    """All skews at which the optimal losses of two score sources are equal, and the points there.

    Parameters
    ----------
    a, b : ScoreSource
        Such as from `ScoreTable.from_predictions`. Their class shares do not matter.

    Returns
    -------
    EqualCostPoints
        Crossings and touches as one skew each, intervals on which the losses coincide as their two
        ends. For analytic score models touches are left out.

    Raises
    ------
    SourceError
        If one is not a score source.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Lemma 11 and Figure 6. Both losses are linear between the
    skews at which either hull turns to its next corner, so none is missed.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a = cs.ScoreTable.from_predictions(y, [1, 1, 1, 3, 1, 3, 3, 3])
    >>> b = cs.ScoreTable.from_predictions(y, [1, 1, 2, 2, 2, 2, 2, 3])
    >>> equal = cs.metrics.equal_cost_points(a, b)
    >>> equal.skew.round(3), equal.a.fpr, equal.b.fpr
    (array([0. , 0.5 , 0.667, 1. ]), array([1. , 0.25, 0.25, 0. ]), array([0.5, 0.5, 0. , 0. ]))
    """
    first, second = roc_surface(a), roc_surface(b)
    skew, coincide = _equal_skews(first, second)
    points = first.at(skew)
    return EqualCostPoints(
        skew=skew,
        a=points,
        b=second.at(skew),
        loss=_losses(skew, points),
        coincide=coincide,
    )


def _equal_skews(a: RocSurface, b: RocSurface) -> tuple[FloatArray, BoolArray]:
    """The skews of equal loss, and whether the losses stay equal up to the next."""
    if a.path.corners is None or b.path.corners is None:
        intervals = sign_intervals(a.path.loss() - b.path.loss())
        return intervals.breaks, np.append(intervals.sign == 0, False)
    edges = _apart(np.union1d(a.path.breaks, b.path.breaks))
    of_a, of_b = a.at(edges), b.at(edges)
    loss_a, loss_b = _losses(edges, of_a), _losses(edges, of_b)
    equal = np.abs(loss_a - loss_b) <= _ROUNDING * (loss_a + loss_b)
    sign = np.where(equal, 0, np.sign(loss_a - loss_b))
    # Inside a piece the points are those at its start.
    crossed = np.flatnonzero(sign[:-1] * sign[1:] < 0)
    fewer_fn, more_fp = ((of_b.fnr - of_a.fnr)[crossed], (of_a.fpr - of_b.fpr)[crossed])
    roots = np.clip(fewer_fn / (fewer_fn + more_fp), edges[crossed], edges[crossed + 1])
    after, before = np.append(equal[1:], False), np.append(False, equal[:-1])
    ends = equal & ~(before & after)
    skew = np.concatenate([edges[ends], roots])
    stays = np.concatenate([after[ends], np.zeros(len(roots), dtype=bool)])
    order = np.argsort(skew, kind="stable")
    return skew[order], stays[order]


def _losses(skew: FloatArray, points: OperatingPoints) -> FloatArray:
    return loss_of_rates(skew, 0.5, points.fpr, points.fnr)


def _apart(edges: FloatArray) -> FloatArray:
    """Drop inner edges that equal the ones before them up to rounding."""
    inner = edges[1:-1]
    kept = inner[inner - edges[:-2] > _ROUNDING * inner]
    return np.concatenate([edges[:1], kept, edges[-1:]])

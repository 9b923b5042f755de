"""Murphy's partition of the Brier score: calibration and refinement over bins of scores."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from numbers import Integral
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable, check_table

__all__ = [
    "Partition",
    "partition_scores",
]


@final
@dataclass(frozen=True, eq=False)
class Partition(FrozenValue, Tabulated):
    """Rows grouped by score, in consecutive bins.

    Attributes
    ----------
    share : array of shape (k,)
        Share of all rows in each bin, classes reweighted to the table's prevalence; sums
        to 1.
    positive_share : array of shape (k,), in [0, 1]
        Share of positives within each bin.
    mean_score : array of shape (k,)
        Mean score within each bin, on the scale of the scores.
    edges : array of shape (k - 1,)
        Thresholds between the bins, ascending: bin j holds the scores above ``edges[j - 1]``
        and not above ``edges[j]``.
    rows : array of shape (k,)
        How many rows of equal weight say as much as those of each bin: (sum w)^2 / sum w^2.
    reweighted : float
        What the odds of positives are multiplied by for the table's prevalence: 1 at that of its
        rows.

    Notes
    -----
    Murphy (1973), Journal of Applied Meteorology 12: reliability (the calibration loss here),
    resolution and uncertainty.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> bins = partition_scores(table)
    >>> bins.share, bins.mean_score
    (array([0.25, 0.5 , 0.25]), array([0.1, 0.5, 0.9]))
    >>> bins.calibration_loss, bins.refinement_loss
    (0.005, 0.125)
    >>> bins.uncertainty - bins.resolution
    0.125
    """

    share: FloatArray
    positive_share: FloatArray
    mean_score: FloatArray
    edges: FloatArray
    rows: FloatArray
    reweighted: float

    @property
    def calibration_loss(self) -> float:
        """Mean squared gap of mean score and share of positives.

        At least 0, and smaller is better.
        """
        return float(np.sum(self.share * (self.mean_score - self.positive_share) ** 2))

    @property
    def refinement_loss(self) -> float:
        """Mean of p (1 - p) over the bins, p the share of positives.

        In [0, 1/4], and smaller is better. It is `uncertainty` minus `resolution`.
        """
        return float(np.sum(self.share * self.positive_share * (1 - self.positive_share)))

    @property
    def uncertainty(self) -> float:
        """Product of the two class shares, the refinement loss of a single bin.

        In (0, 1/4]. It does not depend on the scores.
        """
        prevalence = self._prevalence
        return prevalence * (1 - prevalence)

    @property
    def resolution(self) -> float:
        """Variance over the bins of their share of positives.

        In [0, `uncertainty`], and larger is better.
        """
        return float(np.sum(self.share * (self.positive_share - self._prevalence) ** 2))

    @property
    def _prevalence(self) -> float:
        return float(np.sum(self.share * self.positive_share))

    def columns(self) -> dict[str, FloatArray]:
        """One row a bin, with the thresholds below and above it."""
        return {
            "above": np.append(-np.inf, self.edges),
            "up_to": np.append(self.edges, np.inf),
            "share": self.share,
            "positive_share": self.positive_share,
            "mean_score": self.mean_score,
        }


def partition_scores(table: ScoreSource, *, partition: str | ArrayLike = "hull") -> Partition:
    """Group the rows of a table by score.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale; mean scores are probabilities only if scores are.
    partition : {"hull", "roc"}, int or array of shape (m,), default "hull"
        "roc" makes a bin of each distinct score, "hull" one of each segment of the ROC convex
        hull, collinear segments being one. A number asks for so many bins of about equal
        share, each distinct score being in the one that holds the middle of its block of ties.
        Scores, ascending, are the edges of m + 1 bins, each holding its upper edge. Empty bins
        are left out.

    Returns
    -------
    Partition

    Raises
    ------
    ConditionError
        If the partition is none of these.
    SourceError
        If the source is not a ScoreTable: it must have rows to group.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 6; Murphy (1973). Calibration
    and refinement loss sum to the Brier score if no bin holds two distinct scores, as with "roc"
    and anything finer.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> partition_scores(table, partition="hull").positive_share
    array([0. , 0.5, 1. ])
    >>> halves, at_half = (partition_scores(table, partition=one) for one in (2, [0.5]))
    >>> halves.mean_score, at_half.mean_score
    (array([0.25, 0.75]), array([0.25, 0.75]))
    """
    table = check_table("Murphy's partition", table)
    edges = _edges(table, partition)
    sides = table.negatives, table.positives
    (w0, part0), (w1, part1) = (side.grouped(edges) for side in sides)
    p = table.prevalence
    share = (1 - p) * w0 / table.negatives.total + p * w1 / table.positives.total
    # Without bins that have no scores, or weights too small to have a share.
    kept = share > 0
    # Infinite scores of both signs have no mean, and the mean of huge scores may round beyond them.
    with np.errstate(invalid="ignore", over="ignore"):
        mean_score = ((1 - p) * part0 + p * part1)[kept] / share[kept]
    between_kept = np.flatnonzero(kept)[:-1]
    return Partition(
        share=share[kept],
        positive_share=_positive_share(table, w0[kept], w1[kept]),
        mean_score=mean_score,
        edges=edges[between_kept],
        rows=(w0 + w1)[kept] ** 2 / sum(side.squares_grouped(edges)[kept] for side in sides),
        reweighted=1 / _scale(table),
    )


def _edges(table: ScoreTable, partition: Any) -> FloatArray:
    """The thresholds between the bins that were asked for."""
    if isinstance(partition, str) and partition == "hull":
        return table.hull_thresholds[1:-1]
    if isinstance(partition, str) and partition == "roc":
        return table.cut_points
    is_whole = isinstance(partition, Integral) and not isinstance(partition, bool)
    if is_whole and 0 < partition <= sys.maxsize:
        return _equal_shares(table, int(partition))
    edges = _as_edges(partition)
    if edges is None:
        raise ConditionError(
            "partition must be 'hull', 'roc', a number of bins or ascending edges, got "
            f"{brief(partition)}."
        )
    return edges


def _as_edges(partition: Any) -> FloatArray | None:
    """The partition as an array, or None unless it is one of ascending numbers."""
    try:
        edges = np.asarray(partition, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    ascending = edges.ndim == 1 and not np.isnan(edges).any() and np.all(edges[1:] >= edges[:-1])
    return edges if ascending else None


def _equal_shares(table: ScoreTable, bins: int) -> FloatArray:
    rates = table.not_flagged
    # Which bin the middle of each block of ties falls in.
    place = np.minimum(np.floor((rates[:-1] + rates[1:]) / 2 * bins), bins - 1)
    return table.cut_points[place[1:] > place[:-1]]


def _positive_share(table: ScoreTable, negatives: FloatArray, positives: FloatArray) -> FloatArray:
    """Share of positives at the table's prevalence, of each bin's weights."""
    scale = _scale(table)
    # Computed from the odds it is the same float for bins of proportional counts, and monotone.
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share = 1 / (1 + negatives / positives * scale)
    return np.where(negatives == 0, 1.0, share)


def _scale(table: ScoreTable) -> float:
    """What the odds of negatives are multiplied by for the table's prevalence."""
    if table.override is None:
        return 1.0
    p = table.prevalence
    return (1 - p) / p * (table.positives.total / table.negatives.total)

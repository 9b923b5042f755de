"""Murphy's partition of the Brier score: calibration and refinement over bins of scores."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.errors import ConditionError, SourceError, brief
from costspace.scores.base import ScoreSource
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable

PARTITIONS = ("hull", "roc")


@final
@dataclass(frozen=True, eq=False)
class Partition:
    """Examples grouped by score, in bins that follow each other.

    Attributes
    ----------
    share : array of shape (k,)
        Share of all examples in each bin, classes reweighted to the table's prevalence; sums
        to 1.
    positive_share : array of shape (k,), in [0, 1]
        Share of positives within each bin.
    mean_score : array of shape (k,)
        Mean score within each bin, on the scale of the scores.

    Notes
    -----
    Murphy (1973), Journal of Applied Meteorology 12.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> bins = partition_scores(table)
    >>> bins.share, bins.mean_score
    (array([0.25, 0.5 , 0.25]), array([0.1, 0.5, 0.9]))
    >>> bins.calibration_loss, bins.refinement_loss
    (0.005, 0.125)
    """

    share: FloatArray
    positive_share: FloatArray
    mean_score: FloatArray

    @property
    def calibration_loss(self) -> float:
        """Mean squared gap of mean score and share of positives.

        At least 0, and smaller is better.
        """
        return float(np.sum(self.share * (self.mean_score - self.positive_share) ** 2))

    @property
    def refinement_loss(self) -> float:
        """Mean of p (1 - p) over the bins, p the share of positives.

        In [0, 1/4], and smaller is better.
        """
        return float(np.sum(self.share * self.positive_share * (1 - self.positive_share)))

    def columns(self) -> dict[str, FloatArray]:
        """One row a bin."""
        return {
            "share": self.share,
            "positive_share": self.positive_share,
            "mean_score": self.mean_score,
        }


def partition_scores(table: ScoreSource, partition: object = "hull") -> Partition:
    """Group the examples of a table by segments of its ROC curve or of the curve's hull.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale; mean scores are probabilities only if scores are.
    partition : {"hull", "roc"}
        "roc" makes a bin of each distinct score, "hull" one of each segment of the ROC convex
        hull, collinear segments being one.

    Returns
    -------
    Partition

    Raises
    ------
    ConditionError
        If the partition is another.
    SourceError
        If the source is not a ScoreTable: it must have examples to group.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 6; Murphy (1973).

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> partition_scores(table, "hull").positive_share
    array([0. , 0.5, 1. ])
    """
    if not isinstance(partition, str) or partition not in PARTITIONS:
        raise ConditionError(f"partition must be 'hull' or 'roc', got {brief(partition)}.")
    if not isinstance(table, ScoreTable):
        raise SourceError(
            f"Murphy's partition bins the examples of a ScoreTable, got {brief(table)}."
        )
    if partition == "hull":
        below = table.hull.negatives_below, table.hull.positives_below
    else:
        negatives_below, positives_below = table.ranking.at_distinct
        below = np.append(0.0, negatives_below), np.append(0.0, positives_below)
    p = table.prevalence
    negatives = (1 - p) * _class_bins(table.negatives, below[0])
    positives = p * _class_bins(table.positives, below[1])
    share, score = negatives + positives
    # Weights too light beside the others leave bins without any share.
    kept = share > 0
    share, score = share[kept], score[kept]
    return Partition(share, positives[0][kept] / share, score / share)


def _class_bins(sample: ClassSample, below: FloatArray) -> FloatArray:
    """Share of a class in each bin and its part of the mean score, given weight below edges."""
    scores = sample.values.astype(float, copy=False)
    if sample.weights is not None:
        with np.errstate(over="ignore"):
            scores = scores * sample.weights
    edges = sample.positions_of_weight(below)
    filled = edges[:-1] < edges[1:]
    sums = np.zeros(len(edges) - 1)
    # Infinite scores of both signs have no mean.
    with np.errstate(invalid="ignore", over="ignore"):
        sums[filled] = np.add.reduceat(scores, edges[:-1][filled])
    return np.stack([np.diff(below), sums]) / sample.total

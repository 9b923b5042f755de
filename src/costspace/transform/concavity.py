"""Concavities of a ROC curve, and the repair of a ranking in one."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.checks import check_range
from costspace.decomposition import partition_scores
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranking import Ranking
from costspace.scores.table import ScoreTable, check_table
from costspace.transform.maps import means_within

REPAIRS = ("randomise", "invert")


@final
@dataclass(frozen=True, eq=False)
class Concavities(FrozenValue, Tabulated):
    """Where a ROC curve is below its convex hull, from low scores to high ones.

    Attributes
    ----------
    low, high : array of shape (k,)
        Thresholds at the ends of each concavity, which holds the scores s with low < s <= high;
        -inf or +inf where it reaches the end of the curve.
    auc_gained : array of shape (k,), in (0, 1/2]
        The gain in AUC from randomising the order within it: the area between curve and hull.
        Inverting the order gains twice as much.

    Notes
    -----
    Flach and Wu (2005), IJCAI.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> found = concavities(table)
    >>> found.low, found.high, found.auc_gained
    (array([0.25]), array([0.75]), array([0.125]))
    """

    low: FloatArray
    high: FloatArray
    auc_gained: FloatArray

    def columns(self) -> dict[str, FloatArray]:
        """One row a concavity."""
        return {"low": self.low, "high": self.high, "auc_gained": self.auc_gained}


def concavities(table: ScoreTable) -> Concavities:
    """Find the concavities of a table's ROC curve, so that a range to repair can be chosen.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.

    Returns
    -------
    Concavities
        One for each segment of the convex hull with some of the curve below it. The gains sum
        to the area under the hull minus the AUC.

    Raises
    ------
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Flach and Wu (2005), IJCAI; Hernandez-Orallo, Flach, Ferri (2011), ICML, Brier curves,
    Section 5.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> concavities(table).auc_gained, cs.auc_hull(table) - cs.auc(table)
    (array([0.125]), 0.125)
    """
    table = check_table("concavities", table)
    thresholds = table.hull_thresholds
    starts = np.append(0, np.searchsorted(table.by_score.breaks, thresholds[1:-1], side="right"))
    below, totals = table.ranking.at_distinct, table.ranking.totals
    segment = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(below[0])))
    # The area between a segment's steps and its chord, by cross products from its start.
    (x0, x1), (y0, y1) = (_steps(points, starts, segment) for points in below)
    gained = np.add.reduceat(x1 * y0 - x0 * y1, starts) / 2 / totals[0] / totals[1]
    kept = gained > table.ranking.rounding
    # A range from -inf would include scores of -inf.
    low = np.append(-np.inf, np.maximum(thresholds[1:-1], np.finfo(float).min))
    return Concavities(low[kept], thresholds[1:][kept], gained[kept])


def repair_concavity(
    table: ScoreTable, *, low: float, high: float, how: str = "randomise"
) -> ScoreTable:
    """Repair the ranking within a range of scores by randomising or inverting its order.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.
    low, high : float, low < high
        The range holds the scores s with low < s <= high; all up to `high` if `low` is -inf.
        `concavities` lists ranges worth repairing.
    how : {"randomise", "invert"}, default "randomise"
        "randomise" ties the rows in the range at their mean score; "invert" gives them the
        range's distinct scores in the reverse order.

    Returns
    -------
    ScoreTable
        With unchanged scores outside the range, weights and prevalence override.

    Raises
    ------
    ConditionError
        If the range is invalid or has no scores, or `how` is unknown.
    ScoreError
        If infinite scores of both signs would be tied: they have no mean.
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Flach and Wu (2005), IJCAI; Hernandez-Orallo, Flach, Ferri (2011), ICML, Brier curves,
    Section 5. On the sample that it was found on, repairing a concavity raises the AUC.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> table.auc, repair_concavity(table, low=0.25, high=0.75).auc
    (0.75, 0.875)
    >>> repair_concavity(table, low=0.25, high=0.75, how="invert").auc
    1.0
    """
    table = check_table("repair_concavity", table)
    low, high = check_range(low, high, inside=(-np.inf, np.inf))
    if how not in REPAIRS:
        raise ConditionError(f"how must be 'randomise' or 'invert', got {brief(how)}.")
    distinct = table.ranking.distinct
    scores = distinct[_span(ClassSample(distinct), low, high)]
    if len(scores) == 0:
        raise ConditionError(f"there are no scores above {low:g} and up to {high:g} to repair.")
    if how == "randomise":
        bins = partition_scores(table, partition=[high] if low == -np.inf else [low, high])
        place = np.searchsorted(bins.edges, scores[:1])
        mean = means_within(bins.mean_score[place], scores[:1], scores[-1:])
        images: FloatArray = np.repeat(mean, len(scores))
    else:
        images = scores[::-1]
    negatives, positives = (
        _replace(sample, _span(sample, low, high), scores, images)
        for sample in (table.negatives, table.positives)
    )
    return ScoreTable(Ranking(negatives, positives), table.override)


def _steps(
    below: FloatArray, starts: IndexArray, segment: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """Where each step of the ROC curve starts and ends, from where its hull segment starts."""
    start = np.append(0.0, below[:-1])
    origin = start[starts][segment]
    return start - origin, below - origin


def _span(sample: ClassSample, low: float, high: float) -> slice:
    """The positions of the scores above `low` and up to `high`."""
    return slice(0 if low == -np.inf else sample.position(low), sample.position(high))


def _replace(
    sample: ClassSample, span: slice, scores: FloatArray, images: FloatArray
) -> ClassSample:
    """The sample with each of `scores`, all that are in the span, replaced by its image."""
    values, order = sample.values.copy(), np.arange(len(sample))
    # The images descend, or are all equal.
    values[span] = images[np.searchsorted(scores, sample.values[span])][::-1]
    order[span] = order[span][::-1]
    return sample.with_values(values, order)

"""Transformations of scores: step functions of the score, learnt on one table.

A threshold choice method that follows the condition is a transformation of the scores followed by
the score-driven method: `pav` gives the optimal one, `mid_rates` the rate-driven one.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, FrozenValue, kept, plain
from costspace.condition import cost_from_skew
from costspace.decomposition import partition_scores
from costspace.errors import ConditionError, ScoreError, SourceError, brief
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranking import Ranking
from costspace.scores.table import ScoreTable, check_table
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False)
class ScoreMap(FrozenValue):
    """A step function of the score, learnt on one table and applicable to any scores.

    Each step is in the middle of the gap between two groups of the scores that it was learnt on,
    like every threshold; there is no interpolation.

    Attributes
    ----------
    edges : array of shape (k - 1,)
        Thresholds, strictly ascending: group j holds the scores s with
        ``edges[j - 1] < s <= edges[j]``.
    values : array of shape (k,)
        The new score of each group.

    Raises
    ------
    ConditionError
        If the edges do not ascend, or there is not one more value than edges.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7: transformations of the
    scores.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> calibrated = pav(table)
    >>> calibrated.edges, calibrated.values
    (array([0.25, 0.75]), array([0. , 0.5, 1. ]))
    >>> calibrated([0.2, 0.3, 0.75]), calibrated(0.8)
    (array([0. , 0.5, 0.5]), 1.0)
    >>> calibrated.apply(table).by_score.breaks
    array([0. , 0.5, 1. ])
    """

    edges: FloatArray
    values: FloatArray

    def __post_init__(self) -> None:
        try:
            edges, values = (np.asarray(array, dtype=float) for array in (self.edges, self.values))
        except (TypeError, ValueError, OverflowError):
            raise ConditionError(
                f"edges and values of a map must be numbers, got {brief(self.edges)} and "
                f"{brief(self.values)}."
            ) from None
        if edges.ndim != 1 or values.shape != (len(edges) + 1,) or np.isnan(values).any():
            raise ConditionError(
                "a map of k groups needs k - 1 edges and k values, none of them NaN, got shapes "
                f"{edges.shape} and {values.shape}."
            )
        if not np.all(edges[1:] > edges[:-1]) or np.isnan(edges).any():
            raise ConditionError(f"the edges of a map must ascend, got {brief(edges)}.")
        object.__setattr__(self, "edges", kept(edges))
        object.__setattr__(self, "values", kept(values))

    @property
    def monotone(self) -> bool:
        """Whether a higher score never becomes a lower one: then only ties are new."""
        return bool(np.all(self.values[1:] >= self.values[:-1]))

    def __call__(self, scores: ArrayLike) -> Floats:
        """The new scores, in the same shape; `ScoreError` unless all scores are numbers."""
        try:
            given = doubles(np.asarray(scores))
        except (TypeError, ValueError, OverflowError):
            raise ScoreError(f"scores to map must be numbers, got {brief(scores)}.") from None
        if np.isnan(given).any():
            raise ScoreError("a missing score (NaN) cannot be mapped: fill or drop it.")
        return plain(self.values[np.searchsorted(self.edges, given, side="left")])

    def apply(self, table: ScoreTable) -> ScoreTable:
        """The table of the same rows with their scores mapped.

        Weights and a prevalence override stay. It raises `SourceError` for anything but a
        ScoreTable.
        """
        table = check_table("a map of scores", table)
        ranking = Ranking(self._of(table.negatives), self._of(table.positives))
        return ScoreTable(ranking, table.override)

    def _of(self, sample: ClassSample) -> ClassSample:
        counts = np.diff(sample.position(self.edges), prepend=0, append=len(sample))
        values = np.repeat(self.values, counts)
        if self.monotone:
            return sample.with_values(values)
        order = np.argsort(values, kind="stable")
        return sample.with_values(values[order], order)

    def columns(self) -> dict[str, FloatArray]:
        """One row a group: the thresholds below and above it, and its value."""
        return {
            "above": np.append(-np.inf, self.edges),
            "up_to": np.append(self.edges, np.inf),
            "value": self.values,
        }


def pav(table: ScoreTable) -> ScoreMap:
    """Calibration by pooling adjacent violators: isotonic regression of labels on scores.

    Each score becomes the share of positives on its segment of the ROC convex hull. After it
    the score-driven choice does what the optimal one did, so on the table itself the Brier score
    is the refinement loss.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.

    Returns
    -------
    ScoreMap
        Monotone, with values in [0, 1]: shares at the table's prevalence, an override included.

    Raises
    ------
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7.2; Fawcett and Niculescu-Mizil
    (2007), Machine Learning 68. It is `calibrate` after `convexify`.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> cs.brier_score(pav(table).apply(table)), cs.refinement_loss(table)
    (0.125, 0.125)
    """
    table = check_table("pav", table)
    # The same floats as the breaks of the optimal path.
    shares = np.asarray(cost_from_skew(table.by_skew.breaks, prevalence=table.prevalence))
    return ScoreMap(table.hull_thresholds[1:-1], shares)


def convexify(table: ScoreTable) -> ScoreMap:
    """Convexification: rows on one segment of the ROC convex hull are tied.

    They are tied at their mean score, so the scores stay on their scale. The optimal loss does
    not change.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.

    Returns
    -------
    ScoreMap
        Monotone; means are at the table's prevalence, an override included.

    Raises
    ------
    ScoreError
        If infinite scores of both signs are on one segment: they have no mean.
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Definition 14, Theorem 12, and ROCCH in
    Table 5: what a density made constant over a non-hull interval is to a sample. The Brier
    score after it is Murphy's calibration loss plus the refinement loss, both over the hull.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> convexify(table).apply(table).by_score.breaks
    array([0.1, 0.5, 0.9])
    """
    bins = partition_scores(check_table("convexify", table), partition="hull")
    scores = table.by_score.breaks
    starts = np.append(0, np.searchsorted(scores, bins.edges, side="right"))
    highest = np.append(scores[starts[1:] - 1], scores[-1])
    return ScoreMap(bins.edges, means_within(bins.mean_score, scores[starts], highest))


def calibrate(table: ScoreTable) -> ScoreMap:
    """Perfect calibration: each distinct score becomes its share of positives.

    The calibration loss over distinct scores becomes 0, and the refinement loss over them stays.
    The map is monotone if and only if the ROC curve is convex; else it changes the order of the
    scores. On continuous scores it reproduces the labels: `pav`, which is `calibrate` after
    `convexify`, keeps the order.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.

    Returns
    -------
    ScoreMap
        With values in [0, 1]: shares at the table's prevalence, an override included.

    Raises
    ------
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Definitions 17 and 19: Cal.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 0, 1], [0.1, 0.2, 0.2, 0.6, 0.7])
    >>> calibrate(table).values, calibrate(table).monotone
    (array([0. , 0.5, 0. , 1. ]), False)
    """
    bins = partition_scores(check_table("calibrate", table), partition="roc")
    return ScoreMap(bins.edges, bins.positive_share)


def evenly_spaced(table: ScoreTable) -> ScoreMap:
    """Evenly spaced scores: the i-th of n ascending scores becomes (i - 1) / (n - 1).

    Tied scores get the mean of their positions. Only the order of the scores stays.

    Parameters
    ----------
    table : ScoreTable
        Without weights, with scores on any scale.

    Returns
    -------
    ScoreMap
        Strictly monotone, with values in [0, 1]. An override of the prevalence does not move
        them.

    Raises
    ------
    SourceError
        If the table has weights, or the source is not a ScoreTable.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Definition 15: EST. As n grows the Brier
    score after it tends to the rate-driven loss and the mean absolute error to the rate-uniform
    one (Corollary 18, Theorem 19); `mid_rates` is what reaches them on a sample.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1, 1], [-3, 0, 0, 1, 8])
    >>> evenly_spaced(table).values
    array([0.   , 0.375, 0.75 , 1.   ])
    """
    table = check_table("evenly_spaced", table)
    if table.weighted:
        raise SourceError(
            "evenly spaced scores cannot use weights: use mid_rates, their counterpart."
        )
    up_to = np.sum(table.ranking.at_distinct, axis=0)
    before = np.append(0.0, up_to[:-1])
    return ScoreMap(table.cut_points, (before + up_to - 1) / 2 / (up_to[-1] - 1))


def mid_rates(table: ScoreTable) -> ScoreMap:
    """Mid-rates: the share of rows below a score plus half the share tied with it.

    The score-driven choice after it is the finite-sample counterpart of the rate-driven one:
    the rate-driven loss under uniform costs is the Brier score of the mid-rates plus a twelfth
    of the sum of w^3 over blocks of tied scores, w a block's share (it splits blocks at
    random). The rate-uniform loss is their mean absolute error.

    Parameters
    ----------
    table : ScoreTable
        With scores on any scale.

    Returns
    -------
    ScoreMap
        Monotone, with values in [0, 1]: rates at the table's prevalence, an override included.

    Raises
    ------
    SourceError
        If the source is not a ScoreTable.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7.3, made exact for samples.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> mid_rates(table).values
    array([0.125, 0.375, 0.625, 0.875])
    >>> spaced = mid_rates(table).apply(table)
    >>> cs.mean_absolute_error(spaced), cs.expected_loss(table, choice=cs.RateUniform())
    (0.375, 0.375)
    """
    rates = check_table("mid_rates", table).not_flagged
    return ScoreMap(table.cut_points, (rates[:-1] + rates[1:]) / 2)


def means_within(means: FloatArray, lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Mean scores of groups, clipped to their scores against rounding."""
    if np.isnan(means).any():
        raise ScoreError(
            "scores of -inf and inf have no mean to tie them at: replace them by finite ones."
        )
    return np.clip(means, lowest, highest)

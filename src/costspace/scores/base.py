"""The interface of score sources, which is all that threshold choice methods use."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, ScoreFunction
from costspace.curve import OperatingPoints
from costspace.digits import in_full
from costspace.errors import ScoreError, SourceError
from costspace.roc.hull import area_below, lower_hull
from costspace.samples.class_sample import threshold_between
from costspace.samples.ranked import Hull
from costspace.samples.rounding import ROUNDING, in_unit
from costspace.samples.scale import advised
from costspace.scores.look_ups import LinearLookUp, LookUp, SteppedLookUp


class ScoreSource(ABC):
    """The score distributions of the two classes, and the share of positives.

    A source has look-ups of operating points: `by_score`; by the share flagged of all rows
    (`by_flagged`), of the negatives (`by_fpr`), of the positives (`by_tpr`), or of any mix of
    both (`by_share`); and `by_skew`, of least loss. It also has the rank of a score, the class
    means of a function of the score, and the AUC. Threshold choice methods use only these, so any
    method works on any source.

    If scores have finitely many values, all follows from `by_score`; a source may override
    members for speed. A source with densities must implement the rest: the defaults raise
    `SourceError`, which says what is missing.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: F0 and F1, the classes'
    distribution functions of the score.

    Examples
    --------
    >>> import costspace as cs
    >>> source = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> source.by_score.at([0.3, 0.7]).fpr, source.by_score.at([0.3, 0.7]).fnr
    (array([0.5, 0. ]), array([0. , 0.5]))
    >>> source.by_tpr.at(1).fpr, source.by_flagged.at(0.25).fnr
    (array(0.5), array(0.5))
    >>> rare = source.with_prevalence(0.1)
    >>> cs.accuracy(source, threshold=0.3), cs.accuracy(rare, threshold=0.3)
    (0.75, 0.55)
    """

    @property
    @abstractmethod
    def prevalence(self) -> float:
        """Share of positives, in (0, 1)."""

    @abstractmethod
    def with_prevalence(self, prevalence: float) -> "ScoreSource":
        """The same class-conditional scores with the classes reweighted.

        It raises `ConditionError` unless the prevalence is inside (0, 1).
        """

    @property
    @abstractmethod
    def by_score(self) -> LookUp:
        """By a threshold: flags the scores above it or, with `most`, at or above it.

        With finitely many scores the breaks are the distinct scores.
        """

    def by_share(self, negatives: float, positives: float) -> LookUp:
        """By the share flagged of a mix of the negatives and the positives, with these weights.

        The weights are not negative and sum to 1. A block of tied scores is split at random, that
        is, interpolated along the ROC segment.
        """
        _, corners = self._finite("by_share")
        return LinearLookUp.along(corners, 1 - corners.fnr, negatives, positives)

    def share_at(
        self, t: ArrayLike, negatives: float, positives: float, *, most: bool = False
    ) -> FloatArray:
        """Share of such a mix that is flagged at thresholds t: their place in `by_share`."""
        points = self.by_score.at(t, most=most)
        return np.asarray(negatives * points.fpr + positives * (1 - points.fnr))

    @property
    def by_flagged(self) -> LookUp:
        """By the share of all rows that is flagged."""
        return self.by_share(1 - self.prevalence, self.prevalence)

    @property
    def by_fpr(self) -> LookUp:
        """By the share of the negatives that is flagged."""
        return self.by_share(1.0, 0.0)

    @property
    def by_tpr(self) -> LookUp:
        """By the share of the positives that is flagged: the recall."""
        return self.by_share(0.0, 1.0)

    @property
    def by_skew(self) -> LookUp:
        """By a skew: the operating point of least loss."""
        _, corners = self._finite("by_skew")
        rounding = len(corners.fpr) * float(np.finfo(float).eps)
        hull = Hull(*lower_hull(1 - corners.fpr, corners.fnr, rounding=rounding))
        return SteppedLookUp(hull.breaks, OperatingPoints(hull.fpr, hull.fnr))

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""
        scores, _ = self._finite("score_range")
        return float(scores[0]), float(scores[-1])

    @property
    def cut_points(self) -> FloatArray:
        """A threshold in the middle of each gap between neighbouring distinct scores."""
        scores, _ = self._finite("cut_points")
        return threshold_between(scores[:-1], scores[1:])

    def block_of(self, s: ArrayLike) -> FloatArray:
        """The distinct score that represents a score s of another sample.

        Thresholds are in the middle of the gaps between distinct scores: s is represented by the
        score between the same two thresholds. With densities every score represents itself.
        """
        if self.by_score.between == "smooth":
            return np.asarray(s, dtype=float)
        return self.by_score.breaks[np.searchsorted(self.cut_points, s, side="left")]

    def skew_at_score(self, s: ArrayLike) -> FloatArray:
        """Skew below which the optimal operating point flags a score s."""
        self._check_finite("skew_at_score")
        best, own = self.by_skew, self.by_score.at(self.block_of(s), most=True)
        # A corner flags a score if it leaves no more unflagged than a threshold below the score.
        flagging = np.searchsorted(_passed(best.corners), _passed(own), side="right")
        return best.breaks[np.clip(flagging, 1, len(best.breaks)) - 1]

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class; the functions must be hashable."""
        scores, corners = self._finite("class_means")
        return (
            float(np.sum(-np.diff(corners.fpr) * on_negatives(scores))),
            float(np.sum(np.diff(corners.fnr) * on_positives(scores))),
        )

    @property
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half.

        Larger is better.
        """
        _, corners = self._finite("auc")
        return 1 - area_below(1 - corners.fpr, corners.fnr)

    @property
    def auc_hull(self) -> float:
        """Area under the convex hull of the ROC curve; larger is better."""
        self._check_finite("auc_hull")
        corners = self.by_skew.corners
        return 1 - area_below(1 - corners.fpr, corners.fnr)

    @property
    def untied_pairs(self) -> float:
        """Probability that the first of two rows drawn at random scores below the second."""
        _, corners = self._finite("untied_pairs")
        p = self.prevalence
        return pairs_between(p * np.diff(corners.fnr) - (1 - p) * np.diff(corners.fpr))

    @property
    def override(self) -> float | None:
        """The prevalence that was given, None if it is that of the rows."""
        return self.prevalence

    @property
    def sizes(self) -> tuple[float, float] | None:
        """Number of negative and of positive rows; None if it has no rows."""
        return None

    def check_probabilities(self, asked: str) -> None:
        """Raise `ScoreError`, naming what was `asked`, unless every score is in [0, 1]."""
        check_probabilities(asked, *self.score_range)

    def _finite(self, asked: str) -> tuple[FloatArray, OperatingPoints]:
        """The distinct scores and the points before and after them, if they are finitely many."""
        self._check_finite(asked)
        return self.by_score.breaks, self.by_score.corners

    def _check_finite(self, asked: str) -> None:
        if self.by_score.between == "smooth":
            raise SourceError(
                f"{type(self).__name__} must implement {asked}: it follows from by_score only if "
                "scores have finitely many values."
            )


def _passed(points: OperatingPoints) -> FloatArray:
    """The sum of both classes' shares that are not flagged."""
    return (1 - points.fpr) + points.fnr


def pairs_between(blocks: FloatArray) -> float:
    """Share of the pairs of rows that are in two blocks, of blocks with these shares."""
    # Not (1 - sum of squares) / 2, which would be only rounding if the sum is near 1.
    return float(np.sum(blocks[1:] * np.cumsum(blocks)[:-1]))


def as_probabilities(asked: str, scores: FloatArray) -> FloatArray:
    """Some scores in [0, 1], those that only rounding took beyond at its ends.

    It raises `ScoreError`, naming what was `asked`, if one is further beyond.
    """
    if np.all((scores >= 0) & (scores <= 1)):
        return scores
    check_probabilities(asked, float(scores.min()), float(scores.max()), beyond=ROUNDING)
    return in_unit(scores)


def check_probabilities(asked: str, low: float, high: float, *, beyond: float = 0.0) -> None:
    """Raise `ScoreError`, naming what was `asked`, for scores outside [0, 1], or so far beyond."""
    if not (low >= -beyond and high <= 1 + beyond):
        what = "use a rate-based or optimal choice, or calibrate the scores first."
        raise ScoreError(
            f"{asked} needs scores in [0, 1], got scores from {in_full(low)} to {in_full(high)}: "
            f"{advised(low, high, what)}"
        )

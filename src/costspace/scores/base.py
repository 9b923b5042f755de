"""What a threshold choice method may ask of two class-conditional score distributions."""

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, ScoreFunction
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath
from costspace.errors import ScoreError
from costspace.roc import area_below
from costspace.scores.scale import advised


class Switch(Protocol):
    """An increasing relation of scores and conditions: T(c) of a score-driven threshold."""

    def __call__(self, scores: FloatArray) -> FloatArray:
        """The condition up to which each score is flagged."""

    def threshold(self, conditions: FloatArray) -> FloatArray:
        """The threshold at each condition."""


class ScoreSource(ABC):
    """The score distributions of the two classes, and the share of positives.

    A source answers three look-ups, each the operating point at a score, a rate or a skew, with
    the breakpoints between which the answer does not change (scores, skews) or is linear
    (rates), and the inverse of each; the path that follows each look-up as the condition grows;
    the class means of a function of the score; and the AUC. Threshold choice methods ask only
    these, so any method works on any source.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: F0 and F1, the classes'
    distribution functions of the score.

    Examples
    --------
    >>> import costspace as cs
    >>> source = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> source.at_score([0.3, 0.7]).fpr, source.at_score([0.3, 0.7]).fnr
    (array([0.5, 0. ]), array([0. , 0.5]))
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
    def score_range(self) -> tuple[float, float]:
        """The smallest and the largest score."""

    @abstractmethod
    def at_score(self, t: ArrayLike, *, inclusive: bool = False) -> OperatingPoints:
        """Operating point that flags scores > t or, with `inclusive`, >= t."""

    @property
    @abstractmethod
    def score_breaks(self) -> FloatArray:
        """The distinct scores, ascending: where `at_score` jumps."""

    @abstractmethod
    def at_rate(self, rate: ArrayLike) -> OperatingPoints:
        """Operating point that predicts the share `rate` of examples negative.

        Inside a block of tied scores it is interpolated along the ROC segment: the block is
        split at random.
        """

    @property
    @abstractmethod
    def rate_breaks(self) -> FloatArray:
        """Rates, ascending from 0 to 1, between which `at_rate` is linear."""

    @abstractmethod
    def rates_at_score(self, s: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Share of examples that score < s, and share that score <= s."""

    @abstractmethod
    def at_skew(self, z: ArrayLike) -> OperatingPoints:
        """Operating point of least loss at skew z; at a tie, the one that flags fewer."""

    @property
    @abstractmethod
    def skew_breaks(self) -> FloatArray:
        """Skews, ascending, at which `at_skew` moves to the next corner of the ROC hull."""

    @property
    def hull_points(self) -> OperatingPoints:
        """The corners of the ROC hull: where everybody is flagged, then one after each break."""
        return self.at_skew(self.skew_breaks).after_flagging_all()

    @abstractmethod
    def skew_at_score(self, s: ArrayLike) -> FloatArray:
        """Skew below which the optimal operating point flags a score s."""

    @abstractmethod
    def block_of(self, s: ArrayLike) -> FloatArray:
        """The distinct score that stands for a score s of another sample.

        Thresholds stand in the middle of the gaps between distinct scores, so it is the one in
        whose stretch between two middles s lies.
        """

    def path_by_score(self, switch: Switch) -> OperatingPath | SmoothPath:
        """The path whose threshold at each condition is the switch's."""
        scores = self.score_breaks
        points = self.at_score(scores).after_flagging_all()
        return OperatingPath.stepping(switch(scores), points, self.prevalence)

    def path_by_rate(self) -> OperatingPath | SmoothPath:
        """The path whose share of examples predicted negative is the condition."""
        breaks = self.rate_breaks
        points = self.at_rate(breaks)
        return OperatingPath(breaks, points[:-1], points[1:], self.prevalence)

    def path_by_skew(self) -> OperatingPath | SmoothPath:
        """The path of least loss at each condition."""
        at = np.asarray(cost_from_skew(self.skew_breaks, self.prevalence))
        return OperatingPath.stepping(at, self.hull_points, self.prevalence)

    @abstractmethod
    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class; the functions must be hashable."""

    @property
    @abstractmethod
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half.

        Larger is better.
        """

    @property
    def auc_hull(self) -> float:
        """Area under the convex hull of the ROC curve; larger is better."""
        points = self.hull_points
        return 1 - area_below(1 - points.fpr, points.fnr)

    @property
    @abstractmethod
    def untied_pairs(self) -> float:
        """Probability that the first of two examples drawn at random scores below the second."""

    def check_probabilities(self, asked: str) -> None:
        """Raise `ScoreError`, naming what was `asked`, unless every score is in [0, 1]."""
        check_probabilities(asked, np.array(self.score_range))


def check_probabilities(asked: str, scores: FloatArray) -> None:
    """Raise `ScoreError`, naming what was `asked`, unless every score is in [0, 1]."""
    if not np.all((scores >= 0) & (scores <= 1)):
        low, high = scores.min(), scores.max()
        what = "use a rate-based or optimal choice, or calibrate the scores first."
        raise ScoreError(
            f"{asked} needs scores in [0, 1], got scores from {low:g} to {high:g}: "
            f"{advised(low, high, what)}"
        )

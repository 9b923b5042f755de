"""What a threshold choice method may ask of two class-conditional score distributions."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.curve import OperatingPoints
from costspace.errors import ScoreError


class ScoreSource(ABC):
    """The score distributions of the two classes, and the share of positives.

    A source answers three look-ups, each the operating point at a score, a rate or a skew, with
    the breakpoints between which the answer does not change (scores, skews) or is linear
    (rates), and the inverse of each; the class means of a function of the score; and the AUC.
    Threshold choice methods ask only these, so any method works on any source.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 2: F0 and F1, the classes'
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
    def class_means(
        self,
        on_negatives: Callable[[FloatArray], FloatArray],
        on_positives: Callable[[FloatArray], FloatArray],
    ) -> tuple[float, float]:
        """Mean of a function of the score over each class; the functions must be hashable."""

    @property
    @abstractmethod
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties counting half.

        Larger is better.
        """

    def check_probabilities(self, asked: str) -> None:
        """Raise `ScoreError`, naming what was `asked`, unless every score is in [0, 1]."""
        low, high = self.score_range
        if not (low >= 0 and high <= 1):
            raise ScoreError(
                f"{asked} needs scores in [0, 1], got scores from {low:g} to {high:g}: use a "
                "rate-based or optimal choice, or calibrate the scores first."
            )

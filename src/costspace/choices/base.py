"""What a threshold choice method is."""

from abc import ABC, abstractmethod
from typing import Literal, TypeAlias

from costspace.arrays import FloatArray
from costspace.choices.flagging import Exposure, Flagging
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, SmoothPath
from costspace.errors import ConditionError, brief, warn_of
from costspace.scores.base import ScoreSource

Monotone: TypeAlias = Literal["rates", "loss", "unknown"]


class ThresholdChoice(ABC):
    """A rule that picks the threshold for an operating condition.

    Applied to a score source it is a path through ROC space parameterised by the condition.
    The same rule seen from an example is the probability that it is flagged at each condition.
    A choice says both, `path` and `flagging`; `tests/laws` holds them together.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> for choice in (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()):
    ...     print(round(choice.expected_loss(table, cs.Uniform()), 4))
    0.185
    0.2083
    0.125
    """

    @abstractmethod
    def path(self, source: ScoreSource) -> OperatingPath | SmoothPath:
        """The operating point at every condition, on the cost axis of the source.

        With classes balanced, ``source.with_prevalence(0.5)``, that is the skew axis.
        """

    @abstractmethod
    def flagging(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        """How likely an example of each of `scores` is flagged when the source sets the path."""

    @property
    def by_skew(self) -> bool:
        """Whether costs and prevalence matter through the skew alone.

        The operating point at a cost proportion c and a prevalence is then the one that the
        choice has on the skew axis at their skew.
        """
        return False

    @property
    def by_cost(self) -> bool:
        """Whether costs matter alone, and the prevalence not at all.

        The operating point at a cost proportion is then the same at every prevalence.
        """
        return False

    @property
    def by_rank(self) -> bool:
        """Whether only the order of scores matters, so that they may be on any scale."""
        return False

    @property
    def monotone(self) -> Monotone:
        """What grows at no condition when scores get better, if anything is known not to.

        Scores get better where those of negatives fall and those of positives rise. At the
        prevalence that there is, "rates" says that then neither rate of errors grows, "loss" that
        the loss does not, as it follows from that too; "unknown" that this may happen. Losses
        of a method of the first two kinds have `bounds` on binned scores.
        """
        return "unknown"

    def misfit(self, source: ScoreSource) -> str:
        """Why scores do not look like those that the choice is for, in a sentence; or nothing."""
        return ""

    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        """What an example of each of `scores` risks when the source's examples set the path."""
        return self.flagging(source, scores).exposure(costs)

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions, on the cost axis of the source.

        A choice that knows a shorter way than integrating its curve takes it.
        """
        return self.path(source).expected_loss(costs)


def check_choice(choice: ThresholdChoice, asked: str = "choice must be") -> ThresholdChoice:
    """Return `choice`, or raise `ConditionError` unless it is a threshold choice method."""
    if not isinstance(choice, ThresholdChoice):
        raise ConditionError(
            f"{asked} a threshold choice method such as Optimal() or ScoreDriven(), "
            f"got {brief(choice)}."
        )
    return choice


def choice_for(source: ScoreSource, choice: ThresholdChoice, name: str = "") -> ThresholdChoice:
    """`check_choice`, and a `DataWarning` if the scores do not look like what it is for."""
    if text := check_choice(choice).misfit(source):
        warn_of(f"{name}: {text}" if name else text)
    return choice

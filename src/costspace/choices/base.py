"""The interface of threshold choice methods."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Literal, TypeAlias

from costspace.arrays import FloatArray, Floats
from costspace.choices.flagging import Exposure, Flagging
from costspace.choices.places import Places
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, SmoothPath
from costspace.errors import ConditionError, brief, warn_of
from costspace.influences.influence import Deviation, Influence
from costspace.influences.losses import (
    check_density,
    influence_of_risks,
    least_loss_influence,
    most_at_risk,
    risk,
)
from costspace.influences.slopes import smooth_slope_of
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable

Monotone: TypeAlias = Literal["rates", "loss", "unknown"]
Follows: TypeAlias = Literal["nothing", "prevalence", "scores"]
Seen: TypeAlias = frozenset[Literal["costs", "prevalence", "scores"]]

NOTHING: Seen = frozenset()


# The share that a choice flags, if that alone sets its thresholds.
ShareFlagged: TypeAlias = float | Literal["1 - c", "any"] | None


class ThresholdChoice(ABC):
    """A threshold choice method: which threshold is used at each operating condition.

    Applied to a score source it is a path through ROC space parameterised by the condition.
    For a row, the same rule is the probability of being flagged at each condition. A choice
    implements both, `path` and `flagging`; `tests/laws` checks that they agree. All other members
    have defaults that are right for any choice; overriding them allows more, or saves work.

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
        """How likely a row at each of `scores` is flagged if the source sets the path."""

    def __repr__(self) -> str:
        # Its name if it is no dataclass, the same in every run.
        return f"{type(self).__name__}()"

    @property
    def name(self) -> str:
        """Its name in legends and tables."""
        return str(self)

    @property
    def meaning(self) -> str:
        """What it does, in a few words that follow its name, "takes ..."; empty by default."""
        return ""

    @property
    def sees(self) -> Seen:
        """What it uses of the deployment when it decides.

        Some of "costs", "prevalence" and "scores", the last if the threshold depends on the ranks
        of the rows there. What it does not see changes no threshold. The default is all three.
        """
        return frozenset({"costs", "prevalence", "scores"})

    @property
    def through_skew(self) -> bool:
        """Whether costs and prevalence matter only through the skew.

        The operating point at a cost proportion c and a prevalence is then the one that the
        choice has on the skew axis at their skew.
        """
        return False

    @property
    def follows(self) -> Follows:
        """What its thresholds depend on in the sample that it is applied to.

        With "nothing" another sample has the same thresholds. With "prevalence" it has the same at
        the same share of positives, and its loss is smooth in that share. With "scores", the
        default, it may have others.
        """
        return "scores"

    @property
    def least_loss(self) -> bool:
        """Whether no threshold has a lower loss at any condition on the sample it is applied to."""
        return False

    @property
    def on_probabilities(self) -> bool:
        """Whether scores are taken as probabilities, and must be in [0, 1]."""
        return False

    @property
    def by_rank(self) -> bool:
        """Whether only the order of scores matters, so that they may be on any scale."""
        return False

    @property
    def monotone(self) -> Monotone:
        """What cannot increase at any condition when scores get better.

        Scores get better if those of negatives fall and those of positives rise. At a fixed
        prevalence, "rates" means that then neither error rate increases, so that the loss does not
        either; "loss" that the loss does not increase; "unknown" that it may. Losses of a method of
        the first two kinds have `bounds` on binned scores.
        """
        return "unknown"

    @property
    def unbounded(self) -> str:
        """Why its losses have no bounds on binned scores, if they have none."""
        return 'better scores may cost more under it (`monotone` is "unknown")'

    @property
    def fixed_by(self) -> str:
        """What fixes thresholds that move with the sample, so that a band is possible; else empty.

        In a band each score has one probability of being flagged, up to some condition.
        """
        return "fit it on another sample with Fitted(...)"

    def calibrated(self, prevalence: float) -> "ThresholdChoice":
        """The choice for scores calibrated to a prevalence, unless it has one already."""
        return self

    def threshold_at(self, cost_proportion: Floats, prevalence: Floats) -> FloatArray | None:
        """The threshold at each condition; None if it depends on more than the condition.

        Parameters
        ----------
        cost_proportion, prevalence : float or array
            Of the same shape.
        """
        return None

    @property
    def formula(self) -> Mapping[str, float | str | None] | None:
        """The formula of `threshold_at` in plain values, for a saved decision.

        Its "name" and "calibrated_to". None, the default, if plain values cannot express it.
        """
        return None

    def chosen_on(self, source: ScoreSource) -> ScoreSource:
        """The sample that thresholds for a source are chosen on: the source itself by default."""
        return source

    @property
    def share_flagged(self) -> ShareFlagged:
        """The share of that sample that is flagged, if it alone sets the threshold.

        A number, "1 - c" for 1 minus the cost proportion, or "any" for a uniform share; a block of
        tied scores is split at random. None, the default, if it depends on more.
        """
        return None

    @property
    def places(self) -> Places | None:
        """What it has room for, if it flags the top share of the cases of a queue.

        All cases by default, if `share_flagged` is a number; else None.
        """
        share = self.share_flagged
        return Places(share) if isinstance(share, float) else None

    def drawn(self, source: ScoreSource, scores: FloatArray) -> Flagging | None:
        """`flagging`, by a number drawn uniformly from [0, 1] instead of the condition.

        For a choice that draws its threshold at random, independent of the condition, and so has
        no threshold to deploy. None, the default, for any other.
        """
        return None

    def misfit(self, source: ScoreSource) -> str:
        """A sentence on why scores do not suit the choice; empty if they do."""
        return ""

    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        """The risk of a row at each of `scores` if the source's rows set the path."""
        return self.flagging(source, scores).exposure(costs)

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions, on the cost axis of the source.

        The default integrates the curve; a choice may override it for speed.
        """
        return self.path(source).expected_loss(costs)

    def influence(self, table: ScoreTable, costs: CostDistribution) -> Influence:
        """How the expected loss on the cost axis of a table moves with each of its rows.

        Parameters
        ----------
        table : ScoreTable
            With balanced classes, ``table.with_prevalence(0.5)``, it is that on the skew axis.
        costs : CostDistribution

        Returns
        -------
        costspace.influences.influence.Influence

        Raises
        ------
        ConditionError
            If the thresholds follow the scores without having the least loss: then the choice must
            override this method.
        ScoreError
            If the choice does not take the scores.

        Notes
        -----
        Hampel (1974), JASA 69.
        """
        if self.least_loss:
            return least_loss_influence(table, costs)
        if self.follows == "scores":
            raise ConditionError(
                f"the expected loss of {self} has no closed-form standard error, since its "
                "thresholds follow the sample (`follows`) without `influence`: use the bootstrap."
            )
        influence = influence_of_risks(table, *self.risks(table, costs))
        if self.follows == "prevalence" and table.override is None:
            check_density(costs, f"{self} at an estimated prevalence", "fix the prevalence")
            slope = smooth_slope_of(lambda t: self.expected_loss(t, costs), table, f"{self}'s loss")
            return influence.sloping(slope)
        return influence

    def risks(self, table: ScoreTable, costs: CostDistribution) -> tuple[Deviation, Deviation]:
        """The risk of a negative and a positive at each score, if thresholds follow no scores."""

        def as_negative(scores: FloatArray) -> FloatArray:
            return self.exposure(table, scores, costs).as_negative

        def as_positive(scores: FloatArray) -> FloatArray:
            return self.exposure(table, scores, costs).as_positive

        flagged, missed = most_at_risk(costs)
        return (
            risk(table.negatives, as_negative, flagged),
            risk(table.positives, as_positive, missed),
        )


def check_choice(choice: ThresholdChoice, asked: str = "choice must be") -> ThresholdChoice:
    """Return `choice`, or raise `ConditionError` unless it is a threshold choice method."""
    if not isinstance(choice, ThresholdChoice):
        raise ConditionError(
            f"{asked} a threshold choice method such as Optimal() or ScoreDriven(), "
            f"got {brief(choice)}."
        )
    return choice


def choice_for(source: ScoreSource, choice: ThresholdChoice, name: str = "") -> ThresholdChoice:
    """`check_choice`, and a `DataWarning` if the scores do not suit the choice."""
    if text := check_choice(choice).misfit(source):
        warn_of(f"{name}: {text}" if name else text)
    return choice

"""Thresholds chosen on one sample and applied to another."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.base import (
    Seen,
    ShareFlagged,
    ThresholdChoice,
    check_choice,
)
from costspace.choices.flagging import Flagging
from costspace.choices.places import Places
from costspace.curve import OperatingPath, SmoothPath
from costspace.errors import SourceError, brief
from costspace.scores.base import ScoreSource


@final
@dataclass(frozen=True, eq=False)
class Fitted(ThresholdChoice):
    """The thresholds that a method chose on one sample, for use on others.

    Applied to another sample it keeps them: `Fitted(Optimal(), train)` gives the train-optimal
    curve, which is never below the test-optimal one of `Optimal()`. Thresholds are in the middle
    of the gaps between the scores they were chosen on, without interpolation. A block of scores
    that the choice splits at random includes the scores of the other sample between the block's
    two thresholds. A choice that uses no sample, such as `ScoreDriven()`, is unchanged; one that
    corrects for the prevalence corrects for that of its sample.

    Parameters
    ----------
    choice : ThresholdChoice
        The method.
    on : ScoreSource
        The sample that thresholds are chosen on. If the other sample is reweighted, to the skew
        axis or to a prevalence at deployment, so is this one. For densities it is reweighted to
        their prevalence.

    Raises
    ------
    ConditionError
        If `choice` is not a threshold choice method.
    SourceError
        If `on` is not a score source; when applied to densities, if the thresholds follow scores
        (`follows`) by more than their order (`by_rank`), or follow densities.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5.2, and Hernandez-Orallo, Flach,
    Ferri (2012), arXiv:1112.2640, Section 6.2: optimal thresholds do not carry over.

    Examples
    --------
    >>> import costspace as cs
    >>> train = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> test = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    >>> round(cs.expected_loss(test, choice=cs.Optimal()), 4)
    0.1667
    >>> round(cs.expected_loss(test, choice=Fitted(cs.Optimal(), train)), 4)
    0.375
    """

    choice: ThresholdChoice
    on: ScoreSource
    follows = "nothing"
    # Thresholds are fixed, so at any condition a higher score is flagged at least as likely.
    monotone = "rates"

    def __post_init__(self) -> None:
        check_choice(self.choice, "Fitted needs")
        if not isinstance(self.on, ScoreSource):
            raise SourceError(
                f"Fitted needs a score source to choose thresholds on, got {brief(self.on)}."
            )

    @property
    def through_skew(self) -> bool:
        return self.choice.through_skew

    @property
    def sees(self) -> Seen:
        # A share flagged refers to the fitted sample, reweighted to the prevalence.
        seen = self.choice.sees
        return seen - {"scores"} | {"prevalence"} if "scores" in seen else seen

    @property
    def on_probabilities(self) -> bool:
        return self.choice.on_probabilities

    def misfit(self, source: ScoreSource) -> str:
        return self.choice.misfit(source)

    @property
    def share_flagged(self) -> ShareFlagged:
        return self.choice.share_flagged

    @property
    def places(self) -> Places | None:
        return self.choice.places

    def chosen_on(self, source: ScoreSource) -> ScoreSource:
        given = source.override
        return self.on if given is None else self.on.with_prevalence(given)

    def drawn(self, source: ScoreSource, scores: FloatArray) -> Flagging | None:
        return self.choice.drawn(self.chosen_on(source), scores)

    def path(self, source: ScoreSource) -> OperatingPath | SmoothPath:
        scores = source.by_score
        if scores.between != "smooth":
            return self.flagging(source, scores.breaks).path(scores.corners, source.prevalence)
        if self.choice.follows != "scores":
            return self.choice.path(source)
        on = self.chosen_on(source)
        self._check_stretches(on)
        # Scores between two thresholds are flagged like the fitted score between them.
        points = scores.at(np.append(on.cut_points, np.inf)).after_flagging_all()
        return self.choice.flagging(on, on.by_score.breaks).path(points, source.prevalence)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        return self.choice.flagging(self.chosen_on(source), scores)

    def _check_stretches(self, on: ScoreSource) -> None:
        """Refuse thresholds that are not in the gaps between finitely many scores."""
        if not self.choice.by_rank:
            raise SourceError(
                f"{brief(self.choice)} fitted on another sample cannot be applied to densities, "
                "since its thresholds follow more of the scores than their order (`follows`, "
                "`by_rank`): apply it to a ScoreTable."
            )
        if on.by_score.between == "smooth":
            raise SourceError(
                f"the thresholds of {brief(self.choice)}, chosen on densities, can be applied to "
                "finitely many scores and not to densities: apply it to a ScoreTable, or fit it on "
                "one."
            )

"""Reviews of a queue: of the cases of which they save most, as many as find a place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.decision.rules.queue import Queue, cut_beyond, parts_of, too_small_told
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.rules.saved_by_review import SavedByReview
from costspace.decision.words import shares_shown, thresholds_shown
from costspace.deployment.actions import ACTIONS, REVIEW

# Of the threshold in words: no rows say between which scores it is.
_DIGITS = 6
# What is at stake on either class.
Stakes = tuple[float, float]


@final
@dataclass(frozen=True, eq=False)
class ReviewWorth(FrozenValue):
    """What a review of a case saves, by its score and at the mean costs."""

    rules: RulesByCondition  # whom a choice flags without a review, at each condition
    axis: float  # the prevalence whose cost axis these are on
    prevalence: float  # the mean share of positives
    # Of the decision between passing and reviewing, and of that between reviewing and flagging.
    stakes: tuple[Stakes, Stakes]

    def saved(self, scores: FloatArray) -> SavedByReview:
        """What it saves, of cases of some scores."""
        skews = np.asarray(skew_from_cost(self.rules.until(scores), prevalence=self.axis))
        shares = 1 - self.prevalence, self.prevalence
        return SavedByReview.of((skews, skews), self.stakes, shares)

    @property
    def otherwise(self) -> Rule:
        """What is done with a case that is not reviewed."""
        negative, positive = (sum(stake) for stake in zip(*self.stakes, strict=True))
        cost = cost_from_skew(negative / (negative + positive), prevalence=self.axis)
        return self.rules.rules_at(np.asarray(cost)).one


@final
@dataclass(frozen=True, eq=False)
class ReviewQueue(FrozenValue):
    """Who of a queue is reviewed, by what a review of each case saves.

    From the one of which it saves most on down, as many are reviewed as fit in a share of the
    queue, but none of which it saves nothing. Those that tie go together, or not at all. Others are
    flagged or passed, whichever costs less.
    """

    worth: ReviewWorth
    share: float  # of the queue, in [0, 1]

    def by_score(self, queue: Queue) -> Rule:
        """What is done with the cases of a queue, by their scores."""
        low, high = self.cuts(queue)
        if low == high:
            return Rule(low)
        return Rule((low, high), ACTIONS)

    def cuts(self, queue: Queue) -> tuple[float, float]:
        """The score above which cases are not passed, and that above which they are flagged."""
        saved = self.worth.saved(queue.scores)
        reviewed = self._reviewed(queue, saved)
        flagged = ~reviewed & saved.flagged_otherwise
        return (
            cut_beyond(queue.scores, ~(reviewed | flagged)),
            cut_beyond(queue.scores, ~flagged),
        )

    def tied(self, queue: Queue) -> int:
        """How many cases share a score that there is room for, but not for all of them."""
        turns, down_to = self._turns(queue, self.worth.saved(queue.scores))
        return int(queue.counts[turns][queue.at_edge(turns, down_to, self.share)].sum())

    def _reviewed(self, queue: Queue, saved: SavedByReview) -> BoolArray:
        turns, down_to = self._turns(queue, saved)
        found = np.zeros(len(queue.scores), dtype=bool)
        found[turns[down_to <= queue.places_in(self.share)]] = True
        return found

    def _turns(self, queue: Queue, saved: SavedByReview) -> tuple[IndexArray, FloatArray]:
        """Who is reviewed in turn, and how many are down to the last of those of each score."""
        turns = saved.turns
        return turns, queue.first + np.cumsum(queue.counts[turns])

    def applied(
        self, scores: FloatArray, batch: IndexArray | None, missing: str
    ) -> tuple[NDArray[np.str_], int, str]:
        """What is done with each case, how many tie, and a note, as in `applied_in_batches`."""
        found = np.empty(len(scores), dtype=np.array(ACTIONS).dtype)
        parts = parts_of(batch, len(scores))
        queues = [Queue.of(scores[rows], missing=missing, placed=REVIEW) for rows in parts]
        for rows, queue in zip(parts, queues, strict=True):
            # It draws nothing.
            found[rows] = self.by_score(queue).decided(scores[rows], np.zeros(len(rows)))
        note = self.too_small_told(queues, batches=batch is not None)
        return found, sum(map(self.tied, queues)), note

    def too_small_told(self, queues: Iterable[Queue], *, batches: bool) -> str:
        """Which queues are too small for anybody to be reviewed, if any."""
        return too_small_told(self.share, queues, batches=batches, placed="reviewed")

    def said(self, names: Mapping[str, str] = MappingProxyType({}), whom: str = "") -> str:
        """What is done, by what actions are called, and `whom` is reviewed if not a share."""
        passes, reviews, flags = (names.get(action, action) for action in ACTIONS)
        some = whom or f"the {shares_shown(self.share)[0]} of the queue"
        cut, _ = self.worth.otherwise.thresholds
        others = f"{passes if cut > 0 else flags} all others"
        if np.isfinite(cut):
            (above,) = thresholds_shown(cut, digits=_DIGITS)
            others = f"{flags} others above {above}, {passes} the rest"
        return f"{reviews} {some} where that saves most, {others}"

    def __str__(self) -> str:
        return self.said()

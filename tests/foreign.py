"""Threshold choice methods and score sources as a user would write them, by what the docs say."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import costspace as cs
from costspace.choices.flagging import SlidingFlagging
from costspace.scores.look_ups import SteppedLookUp, Straight


@dataclass(frozen=True)
class RecallReached(cs.ThresholdChoice):
    """At condition c flag the fewest examples with which the recall is at least 1 - c.

    The dearer false alarms are, the more positives may be missed. A block of tied scores is split
    at random. Of the negatives, with `positives` False, it is the false positive rate that is
    1 - c.
    """

    positives: bool = True

    @property
    def by_rank(self) -> bool:
        return True

    @property
    def by_cost(self) -> bool:  # at a cost proportion the same point, whatever the prevalence
        return True

    @property
    def _mix(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.positives else (1.0, 0.0)

    def path(self, source: cs.ScoreSource) -> Any:
        return source.by_share(*self._mix).path(source.prevalence, Straight(1, 0))

    def flagging(self, source: cs.ScoreSource, scores: Any) -> SlidingFlagging:
        block = source.block_of(scores)
        shares = (source.share_at(block, *self._mix, most=most) for most in (True, False))
        return SlidingFlagging(*(1 - share for share in shares))


class Known(cs.ScoreSource):
    """Finitely many scores and the shares of each class that have them: only what is abstract."""

    def __init__(self, scores: Any, negatives: Any, positives: Any, prevalence: float) -> None:
        self._scores, self._prevalence = np.asarray(scores, dtype=float), prevalence
        self._shares = np.asarray(negatives, dtype=float), np.asarray(positives, dtype=float)

    prevalence = property(lambda self: self._prevalence)

    def with_prevalence(self, prevalence: float) -> "Known":
        return Known(self._scores, *self._shares, prevalence)

    @property
    def by_score(self) -> SteppedLookUp:
        below = [np.append(0.0, np.cumsum(share)) for share in self._shares]
        negatives, positives = (share / share[-1] for share in below)
        return SteppedLookUp(self._scores, cs.OperatingPoints(1 - negatives, positives))

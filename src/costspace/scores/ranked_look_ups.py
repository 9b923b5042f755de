"""Look-ups of ranked scores, searched in each class without merging the scores of both."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue
from costspace.curve import OperatingPoints
from costspace.samples.class_sample import ClassSample
from costspace.samples.ranked import RankedScores
from costspace.scores.look_ups import LinearLookUp, LookUp, points_between

# To find one share among some rows takes no longer than to merge them if there are so many.
_SEARCHED = 64
# So many scores of each class are looked at for all shares before others are for each.
_LOOKED_AT = 1 << 10


@final
@dataclass(frozen=True, eq=False)
class ByThreshold(LookUp):
    """The points by a threshold."""

    ranking: RankedScores
    between = "constant"
    flags_more = False

    @property
    def kinks(self) -> FloatArray:
        return self.ranking.distinct

    @property
    def corners(self) -> OperatingPoints:
        return self.at_distinct.after_flagging_all()

    @property
    def at_distinct(self) -> OperatingPoints:
        """The point that flags scores above each distinct one."""
        return self._leaving(*self.ranking.at_distinct)

    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        sides = self.ranking.negatives, self.ranking.positives
        return self._leaving(*(side.below(x, inclusive=most) for side in sides))

    def _leaving(self, negatives: FloatArray, positives: FloatArray) -> OperatingPoints:
        """The points that leave these weights of each class unflagged."""
        all_negatives, all_positives = self.ranking.totals
        return OperatingPoints(
            (all_negatives - negatives) / all_negatives, positives / all_positives
        )


@final
@dataclass(frozen=True, eq=False)
class ByShare(FrozenValue, LookUp):
    """The points by the share flagged of a mix of the classes, with these weights."""

    ranking: RankedScores
    negatives: float
    positives: float
    between = "linear"
    flags_more = True

    @property
    def kinks(self) -> FloatArray:
        return self._merged.kinks

    @property
    def corners(self) -> OperatingPoints:
        return self._merged.corners

    @cached_property
    def _merged(self) -> LinearLookUp:
        corners, below = ByThreshold(self.ranking).corners, self.ranking.at_distinct[1]
        tpr = np.append(1.0, _flagged(self.ranking.positives, below))
        return LinearLookUp.along(corners, tpr, self.negatives, self.positives)

    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        x, ranking = np.asarray(x, dtype=float), self.ranking
        if len(ranking.negatives) + len(ranking.positives) < _SEARCHED * x.size:
            return self._merged.at(x, most=most)
        block, by_threshold = self._split_at(x, most=most), ByThreshold(ranking)
        low, high = self.share(block), self.share(block, most=True)
        # As in all corners, where rounding may leave the sum of both weights below 1.
        high = np.where(block == ranking.score_range[0], 1.0, high)
        ends = by_threshold.at(block), by_threshold.at(block, most=True)
        return points_between(x, (low, high), ends, most=most)

    def share(self, t: ArrayLike, *, most: bool = False) -> FloatArray:
        """The share that is flagged at thresholds t."""
        fpr, tpr = (
            _flagged(side, side.below(t, inclusive=most))
            for side in (self.ranking.negatives, self.ranking.positives)
        )
        return np.minimum(self.negatives * fpr + self.positives * tpr, 1.0)

    def _split_at(self, x: FloatArray, *, most: bool) -> FloatArray:
        """The score of the block that each share splits: the highest from which on so many are.

        With `most`, more. It is found in each class between some scores, by halving.
        """
        highest = np.full(x.shape, self.ranking.score_range[0])
        for side in (self.ranking.negatives, self.ranking.positives):
            every = len(side) // _LOOKED_AT + 1
            shares = self.share(side.values[::every], most=True)[::-1]
            reached = len(shares) - shares.searchsorted(x, side="right" if most else "left")
            # The score at `low` is reached, the one at `high` is not.
            low = np.maximum(every * (reached - 1), -1)
            high = np.minimum(every * reached, len(side))
            while np.any(high - low > 1):
                middle = (low + high) // 2
                share = self.share(side.values[middle], most=True)
                enough = share > x if most else share >= x
                low, high = np.where(enough, middle, low), np.where(enough, high, middle)
            highest = np.where(low < 0, highest, np.maximum(highest, side.values[low]))
        return highest


def _flagged(side: ClassSample, below: FloatArray) -> FloatArray:
    """The share of a class that is flagged where a weight of it is not.

    Not 1 - FNR: a count over the total equals the float that users expect, such as 2 / 3.
    """
    return (side.total - below) / side.total

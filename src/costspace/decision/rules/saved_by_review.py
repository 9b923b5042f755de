"""What reviewing cases saves, by their scores, and whose reviews save most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray


@final
@dataclass(frozen=True, eq=False)
class SavedByReview(FrozenValue):
    """What reviewing each of some cases saves, by what is done with them otherwise."""

    passed: FloatArray  # against passing it, less what the review costs
    flagged: FloatArray  # against flagging it

    @classmethod
    def of(
        cls,
        until: Sequence[FloatArray],
        stakes: Sequence[tuple[FloatArray | float, FloatArray | float]],
        shares: tuple[float, float] = (1.0, 1.0),
    ) -> "SavedByReview":
        """By the conditions up to which each is acted on, and is flagged, as its score says.

        Parameters
        ----------
        until : two arrays of shape (n,)
            Skews if classes count by their share, else cost proportions.
        stakes : for both steps a tuple of two floats or arrays of shape (n,)
            What is at stake on either class.
        shares : tuple of two floats
            Those of the classes.
        """
        passed, flagged = (
            (z * positive - (1 - z) * negative) / (shares[0] * (1 - z) + shares[1] * z)
            for z, (negative, positive) in zip(until, stakes, strict=True)
        )
        return cls(passed, -flagged)

    @property
    def least(self) -> FloatArray:
        """The price up to which each is reviewed."""
        return np.minimum(self.passed, self.flagged)

    @property
    def flagged_otherwise(self) -> BoolArray:
        """Whether each is flagged if it is not reviewed."""
        return self.passed >= self.flagged

    @property
    def turns(self) -> IndexArray:
        """Which of ascending scores are reviewed if there is room, those first that save most.

        However many of the first are taken, they are neighbours. Of scores that save the same those
        come first that are nearer to where passing gives way to flagging.
        """
        # By rounding alone a higher score would save less against passing it.
        passed, flagged = np.maximum.accumulate(self.passed), np.minimum.accumulate(self.flagged)
        least, place = np.minimum(passed, flagged), np.arange(len(passed))
        middle = int(np.count_nonzero(passed < flagged))
        apart = np.where(place < middle, middle - 1 - place, place - middle)
        order = np.lexsort((apart, -least))
        return np.asarray(order[least[order] > 0])

    def within(self, allowed: BoolArray) -> "SavedByReview":
        """The same of ascending scores, where flagging is allowed above some of them only.

        Parameters
        ----------
        allowed : array of bool, of shape (n + 1,)
            Whether those from a place on may be flagged, of each place.
        """
        places = np.flatnonzero(allowed)
        place = np.arange(len(self.passed))
        # Who cannot be flagged is passed otherwise, and who has to be is not reviewed.
        flagged = np.where(place < places[0], np.inf, self.flagged)
        return SavedByReview(self.passed, np.where(place >= places[-1], -np.inf, flagged))

    def at(self, price: float) -> tuple[BoolArray, BoolArray]:
        """Whether each is acted on, and whether it is flagged, at a price."""
        reviewed = self.least > price
        flagged = ~reviewed & self.flagged_otherwise
        return reviewed | flagged, flagged

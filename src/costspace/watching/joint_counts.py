"""How many rows of each day several rules did what with, by class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.deployment.actions import ACTIONS

# The class of rows whose label is not there yet.
UNLABELLED = -1


@final
@dataclass(frozen=True, eq=False)
class JointCounts(FrozenValue):
    """Counts of rows that are alike, in the order of their days, classes and actions."""

    day: IndexArray  # days since 1970-01-01
    positive: IndexArray  # 0, 1 or `UNLABELLED`
    # What each rule does, or what that costs: digits of a number, the first rule's the last.
    acted: IndexArray
    rows: IndexArray  # above 0; parts of rows where costs are of each case

    @classmethod
    def of(cls, day: ArrayLike, positive: ArrayLike, acted: ArrayLike, rows: ArrayLike) -> Self:
        """Counts of rows, of which some may be alike."""
        columns = np.broadcast_arrays(day, positive, acted, rows)
        *keys, counts = (np.array(one, dtype=np.int64).ravel() for one in columns)
        kinds, which = np.unique(np.stack(keys), axis=1, return_inverse=True)
        sums = np.zeros(kinds.shape[1], dtype=np.int64)
        np.add.at(sums, which.ravel(), counts)
        days, classes, acts = kinds[:, sums > 0]
        return cls(days, classes, acts, sums[sums > 0])

    @classmethod
    def none(cls) -> Self:
        """Those of no rows."""
        return cls.of([], [], [], [])

    def __add__(self, other: "JointCounts") -> "JointCounts":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return JointCounts.of(*(np.concatenate(pair) for pair in pairs))

    def taken(self, rows: BoolArray) -> "JointCounts":
        """Those of some kinds of rows."""
        return JointCounts(*(values[rows] for values in vars(self).values()))

    def digit(self, rule: int, base: int) -> IndexArray:
        """The number of what a rule does among `ACTIONS`, or of what that costs among values."""
        return self.acted // base**rule % base

    def cumulated(self, values: FloatArray, days: IndexArray) -> tuple[FloatArray, FloatArray]:
        """The different values of rows, and how many rows have had each by the end of each day.

        Parameters
        ----------
        values : array of shape (kinds,)
            One of each kind of rows.
        days : array of shape (looks,)
            Ascending; all that any row has.

        Returns
        -------
        tuple of arrays of shape (k,) and (looks, k)
        """
        kinds, which = np.unique(values, return_inverse=True)
        counts = np.zeros((len(days), len(kinds)))
        np.add.at(counts, (np.searchsorted(days, self.day), which), self.rows)
        return kinds, np.cumsum(counts, axis=0)


def joined(actions: Sequence[ArrayLike]) -> IndexArray:
    """What several rules do with each of some cases, as one number."""
    number = {action: i for i, action in enumerate(ACTIONS)}
    found = np.zeros(1, dtype=np.int64)
    for rule, of_rule in enumerate(actions):
        kinds, which = np.unique(np.asarray(of_rule, dtype=str), return_inverse=True)
        numbers = np.array([number[kind] for kind in kinds.tolist()], dtype=np.int64)
        found = found + numbers[which] * len(ACTIONS) ** rule
    return found

"""The rows held out, which rules that were chosen on others are judged by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.scores.rows import ScoredRows


@final
@dataclass(frozen=True, eq=False)
class JudgedRows(FrozenValue):
    """Rows held out, and the part of the rows that each is in.

    Attributes
    ----------
    rows : ScoredRows
    parts : sequence of arrays of int
        Which of the rows are in the test part of each split.
    times : int
        In how many parts each row is.
    counted : bool
        Whether one row stands for as many as it weighs, all in one part, that every rule to be
        judged treats alike.
    """

    rows: ScoredRows
    parts: Sequence[IndexArray]
    times: int = 1
    counted: bool = False

    @property
    def n(self) -> int:
        """How many rows there are, but for those of weight 0."""
        weight = self.rows.weight
        if weight is None:
            return len(self.rows)
        return int(weight.sum() if self.counted else np.count_nonzero(weight))

    def joined(self, of_part: Callable[[int], FloatArray]) -> FloatArray:
        """What is found of the rows of each part, in the mean over the parts that a row is in."""
        found = np.zeros(len(self.rows))
        for k, part in enumerate(self.parts):
            found[part] += of_part(k)
        return found / self.times


# Thresholds of each model between which every rule does the same with all rows of a class.
Cuts = Mapping[str, FloatArray]

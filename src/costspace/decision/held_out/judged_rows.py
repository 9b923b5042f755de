"""The held-out rows, which rules that were chosen on others are judged by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.decision.rules.graded import means_between
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles


class OfClass(Protocol):
    """A function of the scores of one class."""

    def __call__(self, scores: FloatArray, *, positive: bool) -> FloatArray: ...


@final
@dataclass(frozen=True, eq=False)
class JudgedRows(FrozenValue):
    """Held-out rows, and the part of the rows that each is in."""

    rows: ScoredRows
    parts: Sequence[IndexArray]  # which of the rows are in the test part of each split
    times: int = 1  # in how many parts each row is
    # Thresholds of each model, if one row stands for as many as it weighs, all of one class and
    # part and between the same thresholds: everything to be judged treats them alike, or nearly.
    cuts: Mapping[str, FloatArray] | None = None

    @property
    def n(self) -> int:
        """How many rows there are, but for those of weight 0."""
        weight = self.rows.weight
        if weight is None:
            return len(self.rows)
        return int(np.rint(weight.sum()) if self.cuts is not None else np.count_nonzero(weight))

    @property
    def fold(self) -> IndexArray:
        """The part of each row, the last if it is in several."""
        found = np.empty(len(self.rows), dtype=np.intp)
        for k, part in enumerate(self.parts):
            found[part] = k
        return found

    def of_part(self, part: int | None) -> IndexArray:
        """Which rows are in a part; None asks for all."""
        return np.arange(len(self.rows)) if part is None else self.parts[part]

    def joined(self, of_part: Callable[[int], FloatArray]) -> FloatArray:
        """What is found of the rows of each part, on average over the parts that a row is in."""
        found = np.zeros(len(self.rows))
        for k, part in enumerate(self.parts):
            found[part] += of_part(k)
        return found / self.times

    def values(
        self,
        model: str,
        some: IndexArray,
        table: ScoreTable,
        function: OfClass,
    ) -> FloatArray:
        """What a function of a model's score and of the class is of some of the rows.

        Parameters
        ----------
        model : str
        some : array of int of shape (m,)
        table : ScoreTable
            The rows that they are, or stand for: one that does has the mean over those.
        function : callable
            Of scores, all of the positive class or all of the other.

        Returns
        -------
        array of shape (m,)
        """
        scores = doubles(self.rows.scores[model])[some]
        positive, found = self.rows.positive[some], np.empty(len(some))
        for sample, is_positive in ((table.negatives, False), (table.positives, True)):
            own = positive == is_positive
            if self.cuts is None:
                found[own] = function(scores[own], positive=is_positive)
                continue
            cuts, values = self.cuts[model], sample.values
            of_each = function(values, positive=is_positive)
            means = means_between(cuts, values, sample.weight_of_each, of_each)
            found[own] = means[np.searchsorted(cuts, scores[own])]
        return found

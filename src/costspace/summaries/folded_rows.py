"""Rows in folds, counted on demand: by cell of a model's scores, or between thresholds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.samples.rows import ScoredRows
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.joint import JointRows
from costspace.summaries.runs import in_folds

# Counting by kind is worth it if there are so many times fewer kinds than rows.
_FEWER = 8


class FoldedSource(Protocol):
    """Rows in folds, each of weight 1, wherever they are."""

    @property
    def rows(self) -> ScoredRows:
        """The rows; if they are not in memory, one of each class with the weight of all."""

    @property
    def fold(self) -> NDArray[np.integer[Any]] | None:
        """The fold of each, from 0; None if rows are not in memory."""

    @property
    def folds(self) -> int:
        """How many folds there are."""

    @property
    def models(self) -> Sequence[str]:
        """The names of the models."""

    @property
    def alone(self) -> bool:
        """Whether only counts are known, and no threshold can be tried inside a cell."""

    def counted(self, model: str) -> ScoreCounts:
        """The rows by fold, class and cell of a model's scores."""

    def kinds(self, cuts: Mapping[str, FloatArray]) -> JointRows | None:
        """The rows by fold, class and place between ascending thresholds of each model.

        None if there would be too many kinds.
        """

    def some(self, every: tuple[int, int]) -> JointRows:
        """A sample of about 1 in `every[0]` negatives and 1 in `every[1]` positives."""


@final
@dataclass(frozen=True, eq=False)
class FoldedRows(FrozenValue):
    """Rows in memory.

    Attributes
    ----------
    rows : ScoredRows
        Without weights, costs and groups.
    fold : array of int of shape (n,)
    folds : int
    """

    rows: ScoredRows
    fold: NDArray[np.integer[Any]]
    folds: int
    alone = False

    @property
    def models(self) -> Sequence[str]:
        return tuple(self.rows.scores)

    def counted(self, model: str) -> ScoreCounts:
        if model not in self._counted:
            scores, rows = self.rows.as_given[model], self.rows
            self._counted[model] = in_folds(scores, rows.positive, self.fold, self.folds)
        return self._counted[model]

    @cached_property
    def _counted(self) -> dict[str, ScoreCounts]:
        # A decision and its page count the same rows.
        return {}

    def kinds(self, cuts: Mapping[str, FloatArray]) -> JointRows | None:
        rows = JointRows(self.fold, self.rows.positive, self.rows.scores)
        return rows.above(cuts).merged_up_to(len(rows) // _FEWER)

    def some(self, every: tuple[int, int]) -> JointRows:
        rows, numbers = self.rows, np.arange(len(self.rows))
        return JointRows.sampled(numbers, rows.positive, rows.as_given, self.folds, every)

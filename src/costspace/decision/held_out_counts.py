"""Many rows held out, counted by fold, class and cell of each model's scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue, IndexArray, read_only
from costspace.decision.costed import CostedScores
from costspace.decision.held_out_scores import HeldOutScores, Split
from costspace.decision.holdout import HeldOut
from costspace.decision.judged_rows import JudgedRows
from costspace.errors import ScoreError
from costspace.scores.folded import FoldedCounts
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

# Rows that are counted together are to be so many times fewer.
_FEWER = 8
# Up to so many numbers are counted in an array of all of them.
_DENSE = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class HeldOutCounts(FrozenValue, HeldOut):
    """Rows in folds that are known by their counts, each of weight 1.

    Thresholds are chosen between cells, and rows are judged by themselves.

    Attributes
    ----------
    rows : ScoredRows
        Without weights, costs and groups.
    fold : array of int of shape (n,)
        The fold of each, to which thresholds chosen on the other folds are applied.
    folds : int
        How many there are.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> generator = np.random.default_rng(0)
    >>> y = generator.integers(0, 2, 100_000)
    >>> rows = cs.ScoredRows.from_predictions(y, {"model": generator.normal(y)})
    >>> held_out = cs.hold_out(rows)
    >>> held_out.of("model").splits[0].test.rows
    ScoreTable(9931 negatives, 10109 positives)
    >>> held_out.forgone(1.0, 1.0)
    3.9...e-05
    """

    rows: ScoredRows
    fold: NDArray[np.integer[Any]]
    folds: int
    validation = None

    def __str__(self) -> str:
        return f"{self.folds} cross-fitted folds"

    @property
    def once(self) -> "HeldOutCounts":
        return self

    def forgone(self, negative_stake: float, positive_stake: float) -> float:
        """What thresholds inside cells may save beside those between them."""
        stakes = negative_stake, positive_stake
        return max(self._of(model).forgone(*stakes) for model in self.rows.scores)

    @cached_property
    def judged(self) -> JudgedRows:
        return JudgedRows(self.rows, [np.flatnonzero(self.fold == k) for k in range(self.folds)])

    def counted(self, cuts: Mapping[str, FloatArray]) -> JudgedRows | None:
        kinds = Kinds.of(2 * self.fold.astype(np.intp) + self.rows.positive)
        for model, thresholds in cuts.items():
            place = np.searchsorted(thresholds, self.rows.scores[model], side="left")
            kinds = kinds.divided(model, place, len(thresholds) + 1)
            if _FEWER * len(kinds) > len(self.rows):
                return None
        fold, positive = np.divmod(kinds.values, 2)
        scores = {}
        for model, thresholds in cuts.items():
            # What is not above a threshold may be at it, and is not flagged.
            ends = np.append(thresholds, self._of(model).highest[-1])
            scores[model] = read_only(ends[kinds.places[model]].astype(float))
        rows = ScoredRows(
            read_only(positive.astype(bool)), scores, read_only(kinds.counts.astype(float))
        )
        parts = [np.flatnonzero(fold == k) for k in range(self.folds)]
        return JudgedRows(rows, parts, cuts=cuts)

    def _whole(self, model: str) -> CostedScores:
        return CostedScores.same(self._of(model).table())

    def _judged_table(self, model: str) -> ScoreTable:
        return self.whole(model).rows

    def _split(self, model: str) -> HeldOutScores:
        counts = self._of(model)
        splits = []
        for k in range(self.folds):
            train, test = counts.table(but=k), counts.table(only=k)
            splits.append(Split(CostedScores.same(train), CostedScores.same(test)))
        return HeldOutScores(tuple(splits))

    def _of(self, model: str) -> FoldedCounts:
        if model not in self.rows.scores:
            names = ", ".join(map(repr, self.rows.scores))
            raise ScoreError(f"there are no scores of {model!r}: there are those of {names}.")
        known = self._counts
        if model not in known:
            rows = self.rows
            known[model] = FoldedCounts.of(rows.scores[model], rows.positive, self.fold, self.folds)
        return known[model]

    @cached_property
    def _counts(self) -> dict[str, FoldedCounts]:
        return {}


@final
@dataclass(frozen=True, eq=False)
class Kinds:
    """Rows by kind: those that are alike in all that they have been divided by.

    Attributes
    ----------
    of_each : array of int of shape (n,)
        The number of the kind of each row.
    counts, values : array of int of shape (k,)
        How many rows a kind has, and the value that they were divided by first.
    places : mapping of str to array of int of shape (k,)
        What they were divided by since, by name.
    """

    of_each: IndexArray
    counts: IndexArray
    values: IndexArray
    places: Mapping[str, IndexArray]

    @classmethod
    def of(cls, values: IndexArray) -> "Kinds":
        """Rows by a small whole number."""
        found, of_each, counts = _numbered(values, int(values.max()) + 1)
        return cls(of_each, counts, found, {})

    def __len__(self) -> int:
        return len(self.counts)

    def divided(self, name: str, places: IndexArray, size: int) -> "Kinds":
        """The kinds divided by where rows are among so many places."""
        found, of_each, counts = _numbered(self.of_each * size + places, len(self) * size)
        before, place = np.divmod(found, size)
        known = {model: of_kind[before] for model, of_kind in self.places.items()}
        return Kinds(of_each, counts, self.values[before], {**known, name: place})


def _numbered(values: IndexArray, most: int) -> tuple[IndexArray, IndexArray, IndexArray]:
    """The distinct ones of whole numbers below `most`, which each is, and how many are of each."""
    if most > max(_DENSE, len(values)):
        found, of_each, counts = np.unique(values, return_inverse=True, return_counts=True)
        return found, of_each, counts
    counts = np.bincount(values, minlength=most)
    found = np.flatnonzero(counts)
    number = np.zeros(most, dtype=np.intp)
    number[found] = np.arange(len(found))
    return found, number[values], counts[found]

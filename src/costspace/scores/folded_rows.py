"""Rows in folds, counted on demand: by cell of a model's scores, or between thresholds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, ScoreArray
from costspace.scores.counts import ScoreCounts
from costspace.scores.rows import ScoredRows
from costspace.scores.runs import in_folds
from costspace.single import doubles

# A prime below 2^31, so that squares of residues fit in 64 bits.
_PRIME = 2**31 - 1
_FACTOR = 48_271
# Counting by kind is worth it if there are so many times fewer kinds than rows.
_FEWER = 8
# Up to so many possible numbers are counted in a dense array.
_DENSE = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class KindCounts(FrozenValue):
    """The number of rows of each kind: the same fold, class, and interval between thresholds.

    Attributes
    ----------
    fold : array of int of shape (k,)
    positive : array of bool of shape (k,)
    places : mapping of str to array of int of shape (k,)
        How many of the thresholds of each model the scores of a kind are above.
    counts : array of int of shape (k,)
    """

    fold: IndexArray
    positive: BoolArray
    places: Mapping[str, IndexArray]
    counts: IndexArray

    @classmethod
    def joined(cls, parts: Sequence["KindCounts"]) -> "KindCounts":
        """The counts of the rows of all parts."""
        columns = [np.concatenate([part.fold for part in parts])]
        columns.append(np.concatenate([part.positive for part in parts]).astype(np.intp))
        models = list(parts[0].places)
        columns += [np.concatenate([part.places[model] for part in parts]) for model in models]
        counts = np.concatenate([part.counts for part in parts])
        order = np.lexsort(columns[::-1])
        ordered = [column[order] for column in columns]
        new = np.any([np.diff(column, prepend=-1) != 0 for column in ordered], axis=0)
        starts = np.flatnonzero(new)
        fold, positive, *places = (column[starts] for column in ordered)
        by_model = dict(zip(models, places, strict=True))
        summed = np.add.reduceat(counts[order], starts)
        return cls(fold, positive.astype(bool), by_model, summed)


@final
@dataclass(frozen=True, eq=False)
class FoldedSome(FrozenValue):
    """A sample of the rows.

    Attributes
    ----------
    positive : array of bool of shape (n,)
    fold : array of int of shape (n,)
    scores : mapping of str to array of shape (n,)
    """

    positive: BoolArray
    fold: NDArray[np.integer[Any]]
    scores: Mapping[str, ScoreArray]

    @classmethod
    def of(
        cls,
        numbers: IndexArray,
        positive: BoolArray,
        scores: Mapping[str, ScoreArray],
        folds: int,
        every: tuple[int, int],
    ) -> "FoldedSome":
        """A sample of the rows, chosen by their unique numbers."""
        # Not by the hash for the fold: hashes for different divisors can be correlated.
        chosen = [fold_of(numbers // folds, divisor) == 0 for divisor in every]
        some = np.flatnonzero(np.where(positive, chosen[1], chosen[0]))
        kept = {name: of_model[some] for name, of_model in scores.items()}
        return cls(positive[some], fold_of(numbers[some], folds), kept)

    @classmethod
    def joined(cls, parts: Iterable["FoldedSome"]) -> "FoldedSome":
        """The samples of all parts."""
        found = list(parts)
        scores = {
            name: np.concatenate([part.scores[name] for part in found]) for name in found[0].scores
        }
        positive, fold = (
            np.concatenate([getattr(part, name) for part in found]) for name in ("positive", "fold")
        )
        return cls(positive, fold, scores)


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

    def kinds(self, cuts: Mapping[str, FloatArray]) -> KindCounts | None:
        """The rows counted by kind, between ascending thresholds of each model.

        None if there would be too many kinds.
        """

    def some(self, every: tuple[int, int]) -> FoldedSome:
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

    def kinds(self, cuts: Mapping[str, FloatArray]) -> KindCounts | None:
        most = len(self.rows) // _FEWER
        return kinds_of(self.rows.positive, self.fold, self.rows.scores, cuts, most)

    def some(self, every: tuple[int, int]) -> FoldedSome:
        rows, numbers = self.rows, np.arange(len(self.rows))
        return FoldedSome.of(numbers, rows.positive, rows.as_given, self.folds, every)


def kinds_of(
    positive: BoolArray,
    fold: NDArray[np.integer[Any]],
    scores: Mapping[str, ScoreArray],
    cuts: Mapping[str, FloatArray],
    most: int | None = None,
) -> KindCounts | None:
    """The kinds of some rows, as in `FoldedSource`; None if there are more than `most`."""
    kinds = _Kinds.of(2 * fold.astype(np.intp) + positive)
    for model, thresholds in cuts.items():
        place = np.searchsorted(thresholds, doubles(scores[model]), side="left")
        kinds = kinds.divided(model, place, len(thresholds) + 1)
        if most is not None and len(kinds.counts) > most:
            return None
    of_fold, side = np.divmod(kinds.values, 2)
    return KindCounts(of_fold, side.astype(bool), kinds.places, kinds.counts)


def fold_by_number(rows: int, folds: int) -> NDArray[np.integer[Any]]:
    """The fold of each row, by its position from 0."""
    return fold_of(np.arange(rows), folds)


def fold_of(numbers: IndexArray, folds: int) -> NDArray[np.integer[Any]]:
    """The fold of each row, by its unique whole number.

    Notes
    -----
    A square modulo a prime of a multiple of the number: it does not correlate with regular orders
    of the rows, and it is exact in integers of 64 bits, so every engine gives the same.
    """
    found = numbers.astype(np.int64) % _PRIME
    found *= _FACTOR
    found %= _PRIME
    found *= found
    found %= _PRIME
    found %= folds
    return found.astype(np.min_scalar_type(folds))


@final
@dataclass(frozen=True, eq=False)
class _Kinds:
    """Rows by kind: rows of a kind agree in all values that they have been divided by.

    Attributes
    ----------
    of_each : array of int of shape (n,)
        The number of the kind of each row.
    counts, values : array of int of shape (k,)
        How many rows a kind has, and its first value.
    places : mapping of str to array of int of shape (k,)
        Its further values, by name.
    """

    of_each: IndexArray
    counts: IndexArray
    values: IndexArray
    places: Mapping[str, IndexArray]

    @classmethod
    def of(cls, values: IndexArray) -> "_Kinds":
        """Rows by a small whole number."""
        found, of_each, counts = _numbered(values, int(values.max()) + 1)
        return cls(of_each, counts, found, {})

    def divided(self, name: str, places: IndexArray, size: int) -> "_Kinds":
        """The kinds divided by a further value of the rows, from 0 to `size` - 1."""
        most = len(self.counts) * size
        found, of_each, counts = _numbered(self.of_each * size + places, most)
        before, place = np.divmod(found, size)
        known = {model: of_kind[before] for model, of_kind in self.places.items()}
        return _Kinds(of_each, counts, self.values[before], {**known, name: place})


def _numbered(values: IndexArray, most: int) -> tuple[IndexArray, IndexArray, IndexArray]:
    """The distinct values of whole numbers below `most`, the inverse index, and the counts."""
    if most > max(_DENSE, len(values)):
        found, of_each, counts = np.unique(values, return_inverse=True, return_counts=True)
        return found, of_each, counts
    counts = np.bincount(values, minlength=most)
    found = np.flatnonzero(counts)
    number = np.zeros(most, dtype=np.intp)
    number[found] = np.arange(len(found))
    return found, number[values], counts[found]

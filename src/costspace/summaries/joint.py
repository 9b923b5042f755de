"""Rows with the scores of several models together: a sample of them, or how many are alike."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, ScoreArray
from costspace.single import doubles

# A prime below 2^31, so that squares of residues fit in 64 bits.
_PRIME = 2**31 - 1
_FACTOR = 48_271
# Up to so many possible numbers are counted in a dense array.
_DENSE = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class JointRows(FrozenValue):
    """Rows by fold, class, and what each model makes of them.

    Attributes
    ----------
    fold : array of int of shape (n,)
    positive : array of bool of shape (n,)
    by_model : mapping of str to array of shape (n,)
        The score of each row by each model, or its cell, or how many thresholds the score is above.
    counts : array of int of shape (n,) or None
        How many rows are so; None if each is one row.
    """

    fold: NDArray[np.integer[Any]]
    positive: BoolArray
    by_model: Mapping[str, NDArray[Any]]
    counts: IndexArray | None = None

    @classmethod
    def sampled(
        cls,
        numbers: IndexArray,
        positive: BoolArray,
        scores: Mapping[str, ScoreArray],
        folds: int,
        every: tuple[int, int],
    ) -> "JointRows":
        """A sample of about 1 in so many rows of each class, by their unique numbers."""
        # Not by the hash for the fold: hashes for different divisors can be correlated.
        chosen = [fold_of(numbers // folds, divisor) == 0 for divisor in every]
        some = np.flatnonzero(np.where(positive, chosen[1], chosen[0]))
        kept = {model: of_model[some] for model, of_model in scores.items()}
        return cls(fold_of(numbers[some], folds), positive[some], kept)

    @classmethod
    def joined(cls, parts: Iterable["JointRows"]) -> "JointRows":
        """The rows of all parts, which all have counts or none has."""
        found = list(parts)
        by_model = {
            model: np.concatenate([part.by_model[model] for part in found])
            for model in found[0].by_model
        }
        fold = np.concatenate([part.fold for part in found])
        positive = np.concatenate([part.positive for part in found])
        known = [part.counts for part in found if part.counts is not None]
        return cls(fold, positive, by_model, np.concatenate(known) if known else None)

    def __len__(self) -> int:
        return len(self.positive)

    def taken(self, some: IndexArray) -> "JointRows":
        """Some of the rows, each of which is one."""
        by_model = {model: values[some] for model, values in self.by_model.items()}
        return JointRows(self.fold[some], self.positive[some], by_model)

    def above(self, cuts: Mapping[str, FloatArray]) -> "JointRows":
        """The rows by how many of the ascending thresholds of each model their scores are above."""
        places = {
            model: np.searchsorted(thresholds, doubles(self.by_model[model]), side="left")
            for model, thresholds in cuts.items()
        }
        return JointRows(self.fold, self.positive, places)

    def merged(self) -> "JointRows":
        """Rows that are alike as one, in ascending order; all values are small whole numbers."""
        # There are no more kinds than rows.
        return cast("JointRows", self.merged_up_to(len(self)))

    def merged_up_to(self, most: int) -> "JointRows | None":
        """Rows that are alike as one; None if there are more than `most` kinds."""
        first = 2 * self.fold.astype(np.intp) + self.positive
        found, of_each = _numbered(first, int(first.max()) + 1)
        sides = found
        places: dict[str, IndexArray] = {}
        for model, values in self.by_model.items():
            size = int(values.max()) + 1
            found, of_each = _numbered(of_each * size + values, len(found) * size)
            before, place = np.divmod(found, size)
            sides, places = sides[before], {name: of[before] for name, of in places.items()}
            places[model] = place
            if len(found) > most:
                return None
        fold, side = np.divmod(sides, 2)
        counts = np.bincount(of_each) if self.counts is None else np.bincount(of_each, self.counts)
        return JointRows(fold, side.astype(bool), places, counts.astype(np.intp))


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


def _numbered(values: IndexArray, most: int) -> tuple[IndexArray, IndexArray]:
    """The distinct values of whole numbers below `most`, and which of them each one is."""
    if most > max(_DENSE, len(values)):
        found, of_each = np.unique(values, return_inverse=True)
        return found, of_each
    found = np.flatnonzero(np.bincount(values, minlength=most))
    number = np.zeros(most, dtype=np.intp)
    number[found] = np.arange(len(found))
    return found, number[values]

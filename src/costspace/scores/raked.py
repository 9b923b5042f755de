"""Rows in folds that are known by the counts of their scores, and by some of the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, read_only
from costspace.scores.folded import FoldedCounts
from costspace.scores.folded_rows import FoldedSome, KindCounts, kinds_of
from costspace.scores.rows import ScoredRows

# How often weights are scaled to every margin in turn. What is still missing then is added.
_ROUNDS = 12
# A factor by which what rounding has left below a whole number is that number again. Sums of fewer
# than 10^12 rows do not get above what is wanted by it.
_ABOVE = 1 + 2.0**-42


@final
@dataclass(frozen=True, eq=False)
class SomeRows(FrozenValue):
    """Some of many rows, by the cell that each model's score of a row is in.

    Attributes
    ----------
    positive : array of bool of shape (n,)
    fold : array of int of shape (n,)
    cells : mapping of str to array of int of shape (n,)
    """

    positive: BoolArray
    fold: IndexArray
    cells: Mapping[str, IndexArray]


@final
@dataclass(frozen=True, eq=False)
class RakedRows(FrozenValue):
    """Rows of which each model's scores are counted by fold, class and cell.

    How the models' scores go together is told by some of the rows. They stand for so many rows
    each, with a few more, that every model's counts are as they are: what a rule does to each fold
    and class is as exact as the cells, and only what two models do to the same rows is estimated,
    on which errors of differences rest.

    Attributes
    ----------
    counts : mapping of str to FoldedCounts
        Of all models the same rows.
    sampled : SomeRows
        Of every fold and class there are some.

    Notes
    -----
    Deming, W. E. and Stephan, F. F. (1940), Annals of Mathematical Statistics 11: weights that make
    a sample have known margins, found by scaling it to each margin in turn.
    """

    counts: Mapping[str, FoldedCounts]
    sampled: SomeRows

    @property
    def models(self) -> Sequence[str]:
        return tuple(self.counts)

    @property
    def folds(self) -> int:
        return len(self._first.counts)

    @property
    def fold(self) -> None:
        return None

    @cached_property
    def rows(self) -> ScoredRows:
        """A row of each class that weighs as many as there are."""
        return rows_of_each_class(self._first)

    def counted(self, model: str) -> FoldedCounts:
        return self.counts[model]

    def kinds(self, cuts: Mapping[str, FloatArray]) -> KindCounts:
        """The rows by where their scores are between thresholds of each model."""
        places = {
            model: np.searchsorted(thresholds, self.counts[model].highest, side="left")
            for model, thresholds in cuts.items()
        }
        some = self.sampled
        own = {model: of_cell[some.cells[model]].astype(float) for model, of_cell in places.items()}
        steps = {model: np.arange(0.5, len(thresholds)) for model, thresholds in cuts.items()}
        found = kinds_of(some.positive, some.fold, own, steps)
        if found is None:
            raise AssertionError("there is no limit to how many kinds there are.")
        margins = {
            model: self._margin(model, of_cell, len(cuts[model]) + 1)
            for model, of_cell in places.items()
        }
        return _raked(found, margins)

    def some(self, every: tuple[int, int]) -> FoldedSome:
        """All that were sampled, each score as the highest of its cell."""
        own = self.sampled
        scores = {model: self.counts[model].highest[cells] for model, cells in own.cells.items()}
        return FoldedSome(own.positive, own.fold, scores)

    @property
    def _first(self) -> FoldedCounts:
        return next(iter(self.counts.values()))

    def _margin(self, model: str, place: IndexArray, size: int) -> FloatArray:
        """How many rows of each fold and class are at each place: of shape (folds, 2, size)."""
        counts = self.counts[model].counts
        flat = counts.reshape(-1, counts.shape[2])
        found = np.stack([np.bincount(place, weights=row, minlength=size) for row in flat])
        return found.astype(float).reshape(*counts.shape[:2], size)


def rows_of_each_class(counts: FoldedCounts) -> ScoredRows:
    """A row of each class that weighs as many as there are."""
    weight = counts.of_all.sum(axis=1).astype(float)
    return ScoredRows(read_only(np.array([False, True])), {}, read_only(weight))


def _raked(kinds: KindCounts, margins: Mapping[str, FloatArray]) -> KindCounts:
    """Kinds, and others where that takes some, with whole counts that sum to every model's margins.

    Margins are of shape (folds, 2, places).
    """
    group = 2 * kinds.fold + kinds.positive
    keys = {model: group * m.shape[2] + kinds.places[model] for model, m in margins.items()}
    wanted = {model: margin.ravel() for model, margin in margins.items()}
    weight = kinds.counts.astype(float)
    for _ in range(_ROUNDS):
        for model, key in keys.items():
            weight = weight * _short_of(weight, key, wanted[model])[key]
    # Where no weights have all margins, less than those is wanted.
    least = [np.minimum(_short_of(weight, key, wanted[m])[key], 1.0) for m, key in keys.items()]
    counts = np.floor(weight * np.min(least, axis=0) * _ABOVE).astype(np.intp)
    rest = {
        model: (wanted[model] - np.bincount(key, counts, minlength=len(wanted[model])))
        for model, key in keys.items()
    }
    whole = replace(kinds, counts=counts)
    return KindCounts.joined([whole, _coupled(rest, {m: x.shape[2] for m, x in margins.items()})])


def _short_of(weight: FloatArray, key: IndexArray, wanted: FloatArray) -> FloatArray:
    """By how much weights have to be multiplied to sum to what is wanted."""
    summed = np.bincount(key, weight, minlength=len(wanted))
    return np.divide(wanted, summed, out=np.ones(len(wanted)), where=summed > 0)


def _coupled(rest: Mapping[str, FloatArray], sizes: Mapping[str, int]) -> KindCounts:
    """Kinds with such counts by group and place of each model, low places with low ones."""
    ends = {model: np.cumsum(counts) for model, counts in rest.items()}
    starts = np.unique(np.concatenate([[0.0], *ends.values()]))
    counts = np.diff(starts).astype(np.intp)
    found = {m: np.searchsorted(end, starts[:-1], side="right") for m, end in ends.items()}
    places = {model: key % sizes[model] for model, key in found.items()}
    group = next(found[model] // sizes[model] for model in found)
    return KindCounts(group // 2, group % 2 == 1, places, counts)

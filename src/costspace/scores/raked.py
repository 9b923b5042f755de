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

# Sums of weights have come close enough to counts of rows, or will not.
_CLOSE, _MOST_ROUNDS = 1e-12, 200


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

    How the models' scores go together is told by some of the rows. They are weighted so that they
    have every model's counts: what a rule does to each fold and class is as exact as the cells are,
    and only what two models do to the same rows, on which errors of differences rest, is
    estimated.

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
        own = {
            model: of_cell[some.cells[model]].astype(float) for model, of_cell in places.items()
        }
        steps = {model: np.arange(0.5, len(thresholds)) for model, thresholds in cuts.items()}
        found = kinds_of(some.positive, some.fold, own, steps)
        if found is None:
            raise AssertionError("there is no limit to how many kinds there are.")
        margins = {
            model: self._margin(model, of_cell, len(cuts[model]) + 1)
            for model, of_cell in places.items()
        }
        return _raked(found, margins, self._first.counts.sum(axis=2))

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


def _raked(
    kinds: KindCounts, margins: Mapping[str, FloatArray], totals: FloatArray
) -> KindCounts:
    """The kinds with counts that sum to the margins of every model."""
    for model, margin in margins.items():
        kinds = _completed(kinds, model, margin)
    group = 2 * kinds.fold + kinds.positive
    sampled = np.bincount(group, weights=kinds.counts, minlength=totals.size)
    weight = kinds.counts * (totals.ravel() / sampled)[group]
    flat = [
        (group * margin.shape[2] + kinds.places[model], margin.ravel(), margin.size)
        for model, margin in margins.items()
    ]
    for _ in range(_MOST_ROUNDS):
        off = 0.0
        for key, wanted, size in flat:
            summed = np.bincount(key, weights=weight, minlength=size)
            scale = np.divide(wanted, summed, out=np.ones(size), where=summed > 0)
            weight = weight * scale[key]
            off = max(off, float(np.abs(scale[summed > 0] - 1).max(initial=0.0)))
        if off <= _CLOSE:
            break
    return replace(kinds, counts=_whole(weight, group, kinds.places))


def _whole(
    weight: FloatArray, group: IndexArray, places: Mapping[str, IndexArray]
) -> IndexArray:
    """The weights as whole numbers that have the sum of each group.

    Those of neighbours are rounded together, so that sums up to a place are off by a row or few.
    """
    order = np.lexsort((*reversed(list(places.values())), group))
    # Margins are whole, so that groups end where sums are.
    summed = np.rint(np.cumsum(weight[order])).astype(np.intp)
    found = np.empty_like(summed)
    found[order] = np.diff(summed, prepend=0)
    return found


def _completed(kinds: KindCounts, model: str, margin: FloatArray) -> KindCounts:
    """The kinds with one more for each place of a model that has rows, but none of those sampled.

    The other models' scores are taken to be where those of the nearest kind are.
    """
    size = margin.shape[2]
    group, place = 2 * kinds.fold + kinds.positive, kinds.places[model]
    sampled = np.bincount(group * size + place, minlength=margin.size)
    missing = np.flatnonzero((margin.ravel() > 0) & (sampled == 0))
    if not len(missing):
        return kinds
    nearest = []
    for of_group, at in zip(*(part.tolist() for part in np.divmod(missing, size)), strict=True):
        own = np.flatnonzero(group == of_group)
        nearest.append(own[np.argmin(np.abs(place[own] - at))])
    like = np.array(nearest, dtype=np.intp)
    places = {name: np.append(of_kind, of_kind[like]) for name, of_kind in kinds.places.items()}
    places[model] = np.append(place, missing % size)
    return KindCounts(
        np.append(kinds.fold, kinds.fold[like]),
        np.append(kinds.positive, kinds.positive[like]),
        places,
        np.append(kinds.counts, np.ones(len(missing), dtype=np.intp)),
    )

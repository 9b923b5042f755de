"""Rows in folds that are known by the counts of their scores, and by a sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray, read_only
from costspace.samples.rows import ScoredRows
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.joint import JointRows

# How often weights are scaled to every margin in turn. Remaining gaps are filled by added rows.
_ROUNDS = 12
# A factor that lifts numbers just below a whole number by rounding back to it. Sums of fewer than
# 10^12 rows do not exceed their margin by it.
_ABOVE = 1 + 2.0**-42


@final
@dataclass(frozen=True, eq=False)
class RakedRows(FrozenValue):
    """Rows in folds, known by counts of each model's scores and by a sample.

    Counts are by fold, class and cell. The sample shows how the models' scores are related: its
    rows, and a few added ones, are weighted so that every model's counts are exact. So the effect
    of a rule on each fold and class is as exact as the cells. Only the joint effect of two models
    on the same rows is estimated, which the errors of differences depend on.

    Attributes
    ----------
    counts : mapping of str to ScoreCounts
        In folds, of the same rows for all models.
    sampled : JointRows
        The cells of a sample, at least one of every fold and class.

    Notes
    -----
    Deming, W. E. and Stephan, F. F. (1940), Annals of Mathematical Statistics 11: weights that make
    a sample have known margins, found by scaling it to each margin in turn.
    """

    counts: Mapping[str, ScoreCounts]
    sampled: JointRows
    alone = True

    @property
    def models(self) -> Sequence[str]:
        return tuple(self.counts)

    @property
    def folds(self) -> int:
        return self._first.folds

    @property
    def fold(self) -> None:
        return None

    @cached_property
    def rows(self) -> ScoredRows:
        """A row of each class that weighs as many as there are."""
        return rows_of_each_class(self._first)

    def counted(self, model: str) -> ScoreCounts:
        return self.counts[model]

    def kinds(self, cuts: Mapping[str, FloatArray]) -> JointRows:
        """The rows counted by kind, between thresholds of each model."""
        places = {
            model: np.searchsorted(thresholds, self.counts[model].cells, side="left")
            for model, thresholds in cuts.items()
        }
        some = self.sampled
        own = {model: of_cell[some.by_model[model]] for model, of_cell in places.items()}
        found = JointRows(some.fold, some.positive, own).merged()
        margins = {
            model: self._margin(model, of_cell, len(cuts[model]) + 1)
            for model, of_cell in places.items()
        }
        return _raked(found, margins)

    def some(self, every: tuple[int, int]) -> JointRows:
        """The whole sample, each score as the highest of its cell."""
        own = self.sampled
        scores = {model: self.counts[model].cells[cells] for model, cells in own.by_model.items()}
        return JointRows(own.fold, own.positive, scores)

    @property
    def _first(self) -> ScoreCounts:
        return next(iter(self.counts.values()))

    def _margin(self, model: str, place: IndexArray, size: int) -> FloatArray:
        """The number of rows of each fold and class at each place: of shape (folds, 2, size)."""
        counts = self.counts[model].sums.rows
        flat = counts.reshape(-1, counts.shape[2])
        found = np.stack([np.bincount(place, weights=row, minlength=size) for row in flat])
        return found.astype(float).reshape(*counts.shape[:2], size)


def rows_of_each_class(counts: ScoreCounts) -> ScoredRows:
    """A row of each class that weighs as many as there are."""
    weight = np.array(counts.sizes, dtype=float)
    return ScoredRows(read_only(np.array([False, True])), {}, read_only(weight))


def _raked(kinds: JointRows, margins: Mapping[str, FloatArray]) -> JointRows:
    """Kinds, with added ones where needed, whose whole counts sum to every model's margins.

    Margins are of shape (folds, 2, places).
    """
    group = 2 * kinds.fold + kinds.positive
    keys = {model: group * m.shape[2] + kinds.by_model[model] for model, m in margins.items()}
    wanted = {model: margin.ravel() for model, margin in margins.items()}
    weight = np.asarray(kinds.counts, dtype=float)
    for _ in range(_ROUNDS):
        for model, key in keys.items():
            weight = weight * _short_of(weight, key, wanted[model])[key]
    # If no weights have all margins, lower the margins.
    least = [np.minimum(_short_of(weight, key, wanted[m])[key], 1.0) for m, key in keys.items()]
    counts = np.floor(weight * np.min(least, axis=0) * _ABOVE).astype(np.intp)
    rest = {
        model: (wanted[model] - np.bincount(key, counts, minlength=len(wanted[model])))
        for model, key in keys.items()
    }
    whole = replace(kinds, counts=counts)
    added = _coupled(rest, {m: x.shape[2] for m, x in margins.items()})
    return JointRows.joined([whole, added]).merged()


def _short_of(weight: FloatArray, key: IndexArray, wanted: FloatArray) -> FloatArray:
    """The factors that make weights sum to the wanted margins."""
    summed = np.bincount(key, weight, minlength=len(wanted))
    return np.divide(wanted, summed, out=np.ones(len(wanted)), where=summed > 0)


def _coupled(rest: Mapping[str, FloatArray], sizes: Mapping[str, int]) -> JointRows:
    """Kinds with such counts by group and place of each model, low places with low ones."""
    ends = {model: np.cumsum(counts) for model, counts in rest.items()}
    starts = np.unique(np.concatenate([[0.0], *ends.values()]))
    counts = np.diff(starts).astype(np.intp)
    found = {m: np.searchsorted(end, starts[:-1], side="right") for m, end in ends.items()}
    places = {model: key % sizes[model] for model, key in found.items()}
    group = next(found[model] // sizes[model] for model in found)
    return JointRows(group // 2, group % 2 == 1, places, counts)

"""Resamples of predictions as score tables: the rows are sorted once and counted anew each time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, IndexArray, ScoreArray
from costspace.condition import check_prevalence
from costspace.errors import ConditionError, SourceError, WeightError, brief
from costspace.inference.standard_error import DESIGNS, WEIGHTS
from costspace.scores.resampled import Counts, SortedScores
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

# Draws without one of the classes, one after the other, before giving up.
_MOST_DRAWS = 1000
# Parts of each stratum that the jackknife leaves out, one at a time.
_PARTS = 200


@final
@dataclass(frozen=True, eq=False)
class Resampling:
    """How predictions are resampled, and the table of each resample.

    Attributes
    ----------
    rows : ScoredRows
    scores : SortedScores
        Of the model.
    order : tuple of two arrays of int
        The row of each sorted score of the negatives, and of the positives.
    strata : tuple of arrays of int
        The rows, or the clusters if rows have groups, that are drawn from each other's midst.
    counted : bool
        Whether a weight stands for so many equal rows.
    prevalence : float or None
        Share of positives that every resample is given; its own without.
    """

    rows: ScoredRows
    scores: SortedScores
    order: tuple[IndexArray, IndexArray]
    strata: tuple[IndexArray, ...]
    counted: bool
    prevalence: float | None

    @classmethod
    def of(
        cls,
        rows: ScoredRows,
        model: str,
        *,
        design: str = "independent",
        weights: str = "sampling",
        prevalence: float | None = None,
    ) -> "Resampling":
        """Sort the scores of a model, and settle what is drawn.

        Raises
        ------
        ConditionError
            If there is no such design or kind of weights, or the prevalence is outside (0, 1).
        WeightError
            If weights that are counts are not whole numbers, or rows without weights have them.
        SourceError
            If a class occurs in a single row or cluster.
        """
        for name, asked, known in (("design", design, DESIGNS), ("weights", weights, WEIGHTS)):
            if asked not in known:
                raise ConditionError(
                    f"{name} must be {' or '.join(map(repr, known))}, got {brief(asked)}."
                )
        counted = weights == "counts" and rows.groups is None
        if weights == "counts":
            _check_counts(rows.weight)
        _check_units(rows, counted=counted)
        if prevalence is not None:
            prevalence = check_prevalence(prevalence)
        elif design == "stratified":
            prevalence = rows.prevalence
        values = rows.scores[model]
        order = tuple(_ascending(values, side) for side in (~rows.positive, rows.positive))
        return cls(
            rows,
            SortedScores.of(values[order[0]], values[order[1]]),
            (order[0], order[1]),
            _strata(rows, design),
            counted,
            prevalence,
        )

    def table(self, counts: Counts) -> ScoreTable:
        """The table in which each row occurs so often; it must occur in both classes."""
        negatives, positives = (counts.take(order) for order in self.order)
        if self.rows.weight is not None and not self.counted:
            negatives = negatives * self.rows.weight.take(self.order[0])
            positives = positives * self.rows.weight.take(self.order[1])
        return ScoreTable(self.scores.counted(negatives, positives), self.prevalence)

    @property
    def sample(self) -> ScoreTable:
        """The table of the rows as they are."""
        return self.table(self._of_rows(self._counts_of_units()))

    def draw(self, rng: np.random.Generator) -> tuple[ScoreTable, int]:
        """The table of a resample, and how many before it lacked a class and were dropped.

        Raises
        ------
        SourceError
            If resample after resample lacks a class.
        """
        for dropped in range(_MOST_DRAWS):
            counts = self._drawn(rng)
            table = self.table(counts)
            if all(total > 0 for total in table.ranking.totals):
                return table, dropped
        raise SourceError(
            "one class hardly ever occurs in a resample: its rows are too few. Use "
            "design='stratified', which keeps class sizes."
        )

    def leaving_out(self, rng: np.random.Generator) -> Iterator[tuple[int, ScoreTable]]:
        """The number of each stratum, and the table without a part of it, part by part.

        The parts are single rows or clusters where a stratum has no more than 200, and as many
        random parts of almost equal size else.
        """
        classes, counts = self._classes_of_units(), self._counts_of_units()
        for number, units in enumerate(self.strata):
            # Units of each kind follow each other, so that no part takes all of a rare kind.
            shuffled = rng.permutation(units)
            shuffled = shuffled[np.argsort(classes[shuffled], kind="stable")]
            ends = np.cumsum(counts[shuffled])
            parts = min(_PARTS, int(ends[-1]))
            for part in range(parts):
                # Of rows put one after the other, every so many-th is in a part.
                left = counts.copy()
                left[shuffled] -= np.diff((ends - 1 - part) // parts, prepend=-1)
                yield number, self.table(self._of_rows(left))

    def _counts_of_units(self) -> Counts:
        """How often the sample holds each row or cluster."""
        if self.counted and self.rows.weight is not None:
            return self.rows.weight.astype(np.int64)
        return np.ones(self._units, dtype=np.int64)

    @property
    def _units(self) -> int:
        return len(self.rows) if self.rows.groups is None else int(self.rows.groups.max()) + 1

    def _drawn(self, rng: np.random.Generator) -> Counts:
        """How often a resample holds each row."""
        count = self._units
        if self.counted and self.rows.weight is not None:
            drawn = np.zeros(count, dtype=np.int64)
            for units in self.strata:
                weight = self.rows.weight[units]
                drawn[units] = rng.multinomial(int(weight.sum()), weight / weight.sum())
            return drawn
        if len(self.strata) == 1:
            return self._of_rows(np.bincount(rng.integers(0, count, count), minlength=count))
        drawn = np.zeros(count, dtype=np.int64)
        for units in self.strata:
            size = len(units)
            drawn[units] = np.bincount(rng.integers(0, size, size), minlength=size)
        return self._of_rows(drawn)

    def _of_rows(self, of_units: Counts) -> Counts:
        return of_units if self.rows.groups is None else of_units.take(self.rows.groups)

    def _classes_of_units(self) -> IndexArray:
        """0 for rows or clusters of negatives only, 2 for positives only, 1 for both."""
        if self.rows.groups is None:
            return np.where(self.rows.positive, 2, 0)
        negatives, positives = _cluster_sizes(self.rows, self.rows.groups)
        return np.where(positives == 0, 0, np.where(negatives == 0, 2, 1))


def _ascending(values: ScoreArray, side: BoolArray) -> IndexArray:
    rows = np.flatnonzero(side)
    return rows[np.argsort(values[rows], kind="stable")]


def _cluster_sizes(rows: ScoredRows, groups: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Number of negatives and of positives that count in each cluster."""
    counts = np.ones(len(rows), dtype=bool) if rows.weight is None else rows.weight > 0
    size = int(groups.max()) + 1
    negatives, positives = (
        np.bincount(groups[side & counts], minlength=size)
        for side in (~rows.positive, rows.positive)
    )
    return negatives, positives


def _strata(rows: ScoredRows, design: str) -> tuple[IndexArray, ...]:
    if rows.groups is None:
        if design == "independent":
            return (np.arange(len(rows)),)
        return np.flatnonzero(~rows.positive), np.flatnonzero(rows.positive)
    negatives, positives = _cluster_sizes(rows, rows.groups)
    if design == "stratified" and not np.any((negatives > 0) & (positives > 0)):
        return np.flatnonzero(positives == 0), np.flatnonzero(positives > 0)
    return (np.arange(len(negatives)),)


def _check_counts(weight: FloatArray | None) -> None:
    if weight is None:
        raise WeightError("weights='counts' needs sample_weight: give how often each row stands.")
    if not np.all(weight == np.floor(weight)):
        row = int(np.argmax(weight != np.floor(weight)))
        raise WeightError(
            f"weights that are counts must be whole numbers, got {weight[row]:g} in row {row + 1}: "
            "use weights='sampling'."
        )


def _check_units(rows: ScoredRows, *, counted: bool) -> None:
    """Raise `SourceError` unless each class occurs in at least two rows or clusters."""
    if rows.groups is not None:
        sizes = [int(np.count_nonzero(size)) for size in _cluster_sizes(rows, rows.groups)]
    elif rows.weight is None or counted:
        sizes = [int(weight) for weight in rows.class_weights()]
    else:
        counting = rows.weight > 0
        sizes = [int(np.count_nonzero(side & counting)) for side in (~rows.positive, rows.positive)]
    for size, name in zip(sizes, ("negative", "positive"), strict=True):
        if size < 2:
            unit = "row" if rows.groups is None else "cluster"
            raise SourceError(
                f"there is one {unit} with the {name} class: resampling needs at least two, as "
                "one does not show how the class varies."
            )

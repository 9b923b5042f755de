"""Resamples of predictions as score tables: rows are sorted once, and counted for each resample."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import EXACT, BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.checks import check_prevalence
from costspace.errors import SourceError, WeightError
from costspace.estimates.sampling_design import check_weights_are, settled_design
from costspace.resampling.multinomial import drawn_counts
from costspace.resampling.resampled import Counts, SortedScores
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# The most consecutive draws without one of the classes before giving up.
_MOST_DRAWS = 1000
# Parts of each stratum that the jackknife leaves out, one at a time.
_PARTS = 200


@final
@dataclass(frozen=True, eq=False)
class Resampling(FrozenValue):
    """How predictions are resampled, and the table of each resample."""

    rows: ScoredRows  # with weights of 0 only if weights are counts
    model: str  # the model that the scores are of
    scores: SortedScores
    # The row of each sorted score of the negatives, and of the positives.
    order: tuple[IndexArray, IndexArray]
    # The sets of rows, or of clusters if rows have groups, within which draws are made.
    strata: tuple[IndexArray, ...]
    design: str  # "independent" or "stratified"
    counted: bool  # whether a weight means so many equal rows
    prevalence: float | None  # share of positives of every resample; by default each has its own

    @classmethod
    def of(
        cls,
        rows: ScoredRows,
        model: str,
        *,
        design: str | None = None,
        weights: str = "sampling",
        prevalence: float | None = None,
    ) -> "Resampling":
        """Sort the scores of a model, and determine what is drawn.

        `ConditionError` if there is no such design or kind of weights, or the prevalence is outside
        (0, 1) or given with an independent design; `WeightError` if weights are counts but missing,
        too large or not whole numbers, or the share of one class underflows to 0; `SourceError` if
        a class occurs in a single row or cluster.
        """
        if prevalence is not None:
            prevalence = check_prevalence(prevalence)
        design = settled_design(design, prevalence)
        counted = check_weights_are(weights) == "counts" and rows.groups is None
        if weights == "counts":
            _check_counts(rows.weight)
        _check_units(rows, counted=counted)
        _check_shares(rows.class_weights, "the sample")
        if prevalence is None and design == "stratified":
            prevalence = rows.prevalence
        values = doubles(rows.scores[model])
        order = tuple(_ascending(values, side) for side in (~rows.positive, rows.positive))
        return cls(
            rows,
            model,
            SortedScores.of(values[order[0]], values[order[1]]),
            (order[0], order[1]),
            _strata(rows, design),
            design,
            counted,
            prevalence,
        )

    def table(self, counts: NDArray[np.integer]) -> ScoreTable:
        """The table in which each row occurs as often as its count; a class may have none.

        `WeightError` if the share of one class underflows to 0.
        """
        negatives, positives = (self._of_class(counts, order) for order in self.order)
        ranking = self.scores.counted(negatives, positives)
        if self.prevalence is None:
            _check_shares(ranking.totals, "a resample")
        return ScoreTable(ranking, self.prevalence)

    def _of_class(self, counts: NDArray[np.integer], order: IndexArray) -> Counts:
        taken = counts.take(order)
        if self.rows.weight is None or self.counted:
            return taken.astype(np.int64, copy=False)
        return taken * self.rows.weight.take(order)

    @property
    def sample(self) -> ScoreTable:
        """The table of the rows as they are."""
        return self.table(self._of_rows(self._counts_of_units()))

    def draw(self, rng: np.random.Generator) -> tuple[ScoreTable, int]:
        """The table of a resample, and how many draws before it lacked a class and were dropped.

        `SourceError` if too many in a row lack a class.
        """
        for dropped in range(_MOST_DRAWS):
            counts = self._drawn(rng)
            table = self.table(counts)
            if all(total > 0 for total in table.ranking.totals):
                return table, dropped
        raise SourceError(
            "one class almost never occurs in a resample, since it has too few rows: use "
            "design='stratified', which keeps class sizes."
        )

    def leaving_out(self, rng: np.random.Generator) -> Iterator[tuple[int, ScoreTable]]:
        """The number of each stratum, and the table without a part of it, part by part.

        The parts are single rows or clusters if a stratum has at most 200, else 200 random parts of
        almost equal size.
        """
        classes, counts = self._classes_of_units(), self._counts_of_units()
        for number, units in enumerate(self.strata):
            # Sorted by kind, so that no part takes all of a rare kind.
            shuffled = rng.permutation(units)
            shuffled = shuffled[np.argsort(classes[shuffled], kind="stable")]
            ends = np.cumsum(counts[shuffled])
            parts = min(_PARTS, int(ends[-1]))
            for part in range(parts):
                # With repeated rows listed one by one, every k-th is in a part.
                left = counts.copy()
                left[shuffled] -= np.diff((ends - 1 - part) // parts, prepend=-1)
                yield number, self.table(self._of_rows(left))

    def _counts_of_units(self) -> NDArray[np.int64]:
        """How often the sample holds each row or cluster."""
        if self.counted and self.rows.weight is not None:
            return self.rows.weight.astype(np.int64)
        return np.ones(self._units, dtype=np.int64)

    @property
    def _units(self) -> int:
        return len(self.rows) if self.rows.groups is None else int(self.rows.groups.max()) + 1

    def _drawn(self, rng: np.random.Generator) -> NDArray[np.integer]:
        """How often a resample holds each row."""
        count = self._units
        if self.counted and self.rows.weight is not None:
            drawn = np.zeros(count, dtype=np.int64)
            for units in self.strata:
                weight = self.rows.weight[units]
                drawn[units] = rng.multinomial(int(weight.sum()), weight / weight.sum())
            return drawn
        if len(self.strata) == 1:
            return self._of_rows(drawn_counts(rng, count))
        drawn = np.zeros(count, dtype=np.uint8)
        for units in self.strata:
            drawn[units] = drawn_counts(rng, len(units))
        return self._of_rows(drawn)

    def _of_rows(self, of_units: NDArray[np.integer]) -> NDArray[np.integer]:
        return of_units if self.rows.groups is None else of_units.take(self.rows.groups)

    def _classes_of_units(self) -> IndexArray:
        """0 for rows or clusters of negatives only, 2 for positives only, 1 for both."""
        if self.rows.groups is None:
            return np.where(self.rows.positive, 2, 0)
        negatives, positives = _cluster_sizes(self.rows, self.rows.groups)
        return np.where(positives == 0, 0, np.where(negatives == 0, 2, 1))


def _ascending(values: FloatArray, side: BoolArray) -> IndexArray:
    rows = np.flatnonzero(side)
    return rows[np.argsort(values[rows], kind="stable")]


def _cluster_sizes(rows: ScoredRows, groups: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Number of negatives and of positives in each cluster."""
    size = int(groups.max()) + 1
    negatives, positives = (
        np.bincount(groups[side], minlength=size) for side in (~rows.positive, rows.positive)
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
        raise WeightError("weights='counts' needs sample_weight: give how often each row occurs.")
    if not np.all(weight == np.floor(weight)):
        row = int(np.argmax(weight != np.floor(weight)))
        raise WeightError(
            f"weights that are counts must be whole numbers, got {weight[row]:g} in row {row + 1}: "
            "use weights='sampling'."
        )
    total = float(np.sum(weight))
    if total >= EXACT:
        raise WeightError(
            f"weights that are counts must sum to less than {EXACT:g}, got {total:g}: so many rows "
            "have no sampling error."
        )


def _check_shares(totals: tuple[float, float], where: str) -> None:
    """Raise `WeightError` if the weight of a class is lost to rounding next to the other's."""
    negatives, positives = totals
    if min(totals) > 0 and not 0 < positives / (negatives + positives) < 1:
        raise WeightError(
            f"the weights of the classes differ too much in {where}: {negatives:g} for the "
            f"negatives, {positives:g} for the positives. Scale them."
        )


def _check_units(rows: ScoredRows, *, counted: bool) -> None:
    """Raise `SourceError` unless each class occurs in at least two rows or clusters."""
    if rows.groups is not None:
        sizes = [int(np.count_nonzero(size)) for size in _cluster_sizes(rows, rows.groups)]
    elif counted:
        sizes = [int(weight) for weight in rows.class_weights]
    else:
        sizes = [int(np.count_nonzero(side)) for side in (~rows.positive, rows.positive)]
    for size, name in zip(sizes, ("negative", "positive"), strict=True):
        if size < 2:
            unit = "row" if rows.groups is None else "cluster"
            raise SourceError(
                f"there is one {unit} with the {name} class: resampling needs at least two, to "
                "show how the class varies."
            )

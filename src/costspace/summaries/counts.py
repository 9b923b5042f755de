"""Rows counted by stratum and cell: each score, runs of scores, or bins; of any number of rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, FrozenValue, ScoreArray, hold, read_only
from costspace.checks import check_whole
from costspace.errors import LabelError, SourceError, warn_of
from costspace.samples.rounding import only_rounding
from costspace.samples.sorting import sort_beside
from costspace.samples.validation import part_of_rows
from costspace.scores.table import ScoreTable
from costspace.single import doubles
from costspace.summaries.adapting import adapted_binning
from costspace.summaries.binning import DEFAULT_BINS, Binning
from costspace.summaries.bounding import BoundedMeans, BoundingMeans
from costspace.summaries.by_bin import added_by_bin
from costspace.summaries.cell_order import check_binning, check_keys, in_order, lowest_of, pack
from costspace.summaries.cell_sums import CLASSES, CellSums, check_both

_LEAST_BINS = 8


@final
@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(FrozenValue):
    """How many rows of each class, and fold, have each score, or a score in each run or bin.

    Counts of any parts of the data (files, days, partitions) add up, in any order, to the counts
    of the whole; a part may have rows of one class only. Memory grows with the number of distinct
    scores, not of rows; with a `binning` it is bounded by the number of bins. Counts by score give
    the `table` of the rows. Those by bin represent all data that they may come from, between the
    `best` and the `worst`: `bounds` gives an interval that certainly contains a metric of the data.

    Attributes
    ----------
    cells : array of shape (k,), float32 or float64
        Distinct, ascending, without NaN: scores, of which infinities are ones like others; the
        highest of each run of neighbouring scores; or the keys of the bins that rows fall into.
    sums : CellSums
        The rows of each class and cell, of shape (2, k), negatives first; or of each fold, class
        and cell, of shape (folds, 2, k).
    binning : Binning or None
        Which bin a score falls into; None unless cells are bins.
    lowest : array of shape (k,) or None
        The lowest score of each run; None unless cells are runs. Thresholds between runs are exact.

    Raises
    ------
    SourceError
        If the cells are not distinct and ascending, a class does not have one count for each, or
        keys of bins are not those of the binning.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: the two score distributions,
    as their atoms.

    In `best` every negative has the lowest score of the negatives in its bin, and every positive
    the highest score of the positives. No negative is higher than in the data and no positive
    lower, so at each threshold neither error rate is larger. So any metric that cannot fall when
    scores get worse (the loss of a threshold choice method at any condition, or minus the AUC) is
    at most its value on the data. `worst` is the other way round.

    Examples
    --------
    >>> import costspace as cs
    >>> monday = cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])
    >>> sunday = cs.ScoreCounts.from_predictions([0, 0], [0.2, 0.9])
    >>> monday + sunday
    ScoreCounts(3 scores of 4 negatives, 1 positives)
    >>> (monday + sunday).table().auc
    0.75

    By bin:

    >>> y, s, two = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], cs.Binning.uniform(bins=2)
    >>> binned = cs.ScoreCounts.from_predictions(y, s, binning=two)
    >>> binned
    ScoreCounts(2 bins of 2 negatives, 2 positives)
    >>> binned.worst.auc, cs.auc(y, s), binned.best.auc
    (0.75, 0.75, 0.75)
    >>> more = cs.ScoreCounts.from_predictions([0, 1], [0.3, 0.2], binning=two)
    >>> cs.bounds(binned + more, metric=cs.auc)
    Bounds(low=0.333333333333, high=0.777777777778)
    >>> cs.bounds(binned + more, metric=cs.brier_score).width < 1e-13
    True
    """

    cells: ScoreArray
    sums: CellSums
    binning: Binning | None = None
    lowest: FloatArray | None = None

    def __post_init__(self) -> None:
        cells = np.asarray(self.cells)
        if cells.dtype not in (np.float32, np.float64) or cells.ndim != 1:
            raise SourceError("counted scores must be one column of float32 or float64.")
        if np.isnan(cells[-1:]).any() or not np.all(cells[1:] > cells[:-1]):
            raise SourceError("counted scores must be distinct, ascending and not NaN.")
        # Adding 0 turns -0.0 into 0.0.
        hold(self, cells=read_only(cells + cells.dtype.type(0)))
        if self.sums.rows.shape[-2:] != (len(CLASSES), len(cells)):
            raise SourceError("both classes must have one count for each score or bin.")
        if (self.binning is None) != (self.sums.low is None):
            raise SourceError("sums and ranges of scores are those of bins: give a binning.")
        if self.binning is not None:
            check_keys(cells, self.binning)
        if self.lowest is not None:
            hold(self, lowest=read_only(lowest_of(cells, self.lowest)))

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        binning: Binning | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "ScoreCounts":
        """Count predictions by score, or by bin.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any with `pos_label`. One class may be
            missing.
        y_score : array of shape (n,)
            Scores, higher meaning more positive. Infinite scores are ranks like others; float32
            stays float32, and counts as the decimal that it prints as.
        binning : Binning, optional
            Which bin a score falls into, as ``Binning.uniform()``; without it each score counts.
        pos_label : label, optional
            The label of the positive class. Rows of one other label are the negatives.
        sample_weight : array of shape (n,), optional
            Non-negative, not all zero. A weight of k stands for k equal rows.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or no binning, in this
            order.
        """
        check_binning(binning)
        positive, scores, weight = part_of_rows(y_true, y_score, pos_label, sample_weight)
        if binning is not None:
            return cls.from_groups(*added_by_bin(positive, scores, weight, binning), binning)
        chosen = np.stack([~positive, positive])
        if weight is None:
            return cls.from_groups(scores, CellSums(chosen.astype(np.int64)))
        own = np.where(chosen, weight, 0.0)
        return cls.from_groups(scores, CellSums(chosen.astype(np.int64), own, own**2))

    @classmethod
    def from_groups(
        cls, cells: ArrayLike, sums: CellSums, binning: Binning | None = None
    ) -> "ScoreCounts":
        """Add up counts of cells in any order; a cell may occur more than once."""
        cells = np.asarray(cells, dtype=None if binning is None else float)
        order = None
        if not np.all(cells[1:] >= cells[:-1]):
            if binning is None and pack(cells, sums):
                cells, rows = sort_beside(cells, sums.rows[0] << 16 | sums.rows[1])
                sums = CellSums(read_only(np.stack([rows >> 16, rows & (2**16 - 1)])))
            else:
                cells, order = in_order(cells, binned=binning is not None)
        new = cells[1:] != cells[:-1]
        if new.all():
            return cls(cells, sums if order is None else sums.ordered(order), binning)
        starts = np.append(0, np.flatnonzero(new) + 1)
        return cls(np.take(cells, starts), sums.merged(starts, order), binning)

    @classmethod
    def from_table(cls, table: ScoreTable) -> "ScoreCounts":
        """Count the rows of a table, which has none of weight zero.

        Raises
        ------
        SourceError
            If the table's prevalence is not that of its rows.
        """
        if table.override is not None:
            raise SourceError(
                "counts have no prevalence other than that of their rows: count the table as it "
                "was before with_prevalence."
            )
        samples = (table.negatives, table.positives)
        sizes = [len(sample) for sample in samples]
        sides = []
        for number, sample in enumerate(samples):
            columns: list[NDArray[Any]] = [sample.tally_of_each.astype(np.int64)]
            if table.weighted:
                columns += [sample.weight_of_each, sample.squares_of_each]
            # A count of 0 at the scores of the other class.
            ends = (sizes[0], 0) if number else (0, sizes[1])
            sides.append(CellSums(*(np.pad(column, ends) for column in columns)))
        return cls.from_groups(np.concatenate([s.values for s in samples]), CellSums.stacked(sides))

    @classmethod
    def from_columns(
        cls, columns: Mapping[str, ArrayLike], *, binning: Binning | None = None, folds: int = 0
    ) -> "ScoreCounts":
        """Add up results of `columns`, from any parts of the data, concatenated.

        Parameters
        ----------
        columns : mapping of str to array of shape (m,)
            Named as in `columns`, in any order; a score or bin may occur more than once. In a bin
            without rows of a class with weight, `low` is inf and `high` -inf.
        binning : Binning, optional
            The binning of the keys.
        folds : int, default 0
            How many folds there are columns of.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        SourceError
            If a column is missing, or no rows can have these sums.
        """
        binned, runs = binning is not None, "lowest" in columns
        first = "highest" if runs else "key" if binned else "score"
        try:
            strata = [CellSums.named(n, columns, binned=binned) for n in strata_names(folds)]
            cells = columns[first]
        except KeyError as error:
            raise SourceError(f"counts need a column {error.args[0]!r}.") from None
        if any(one.weighted != strata[0].weighted for one in strata):
            raise SourceError("either both classes have weights or none has.")
        sums = CellSums.stacked(strata)
        if folds:
            sums = sums.each(lambda _, column: column.reshape(folds, len(CLASSES), -1))
        if runs:
            return cls(np.asarray(cells), sums, binning, np.asarray(columns["lowest"]))
        return cls.from_groups(cells, sums, binning)

    def __repr__(self) -> str:
        return (
            f"ScoreCounts({len(self)} {self._kind} of {self.negatives.total} negatives, "
            f"{self.positives.total} positives{', weighted' if self.weighted else ''}"
            f"{f', in {self.folds} folds' if self.folds else ''})"
        )

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self.cells)

    def __add__(self, other: "ScoreCounts") -> "ScoreCounts":
        """The counts of the rows of both; float32 scores become float64 next to float64 ones."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        if self.binning != other.binning:
            raise SourceError(
                "counts with different binnings cannot be added: use the same for both."
            )
        if self.lowest is not None or other.lowest is not None or self.folds != other.folds:
            raise SourceError("counts in runs of scores, or in other folds, cannot be added.")
        cells = [self.cells, other.cells]
        if self.cells.dtype != other.cells.dtype:
            cells = [doubles(own) for own in cells]
        sums = self.sums.then(other.sums)
        return ScoreCounts.from_groups(np.concatenate(cells), sums, self.binning)

    @cached_property
    def negatives(self) -> CellSums:
        """The rows of the negative class by cell."""
        return self.by_class[0]

    @cached_property
    def positives(self) -> CellSums:
        """The rows of the positive class by cell."""
        return self.by_class[1]

    @cached_property
    def by_class(self) -> CellSums:
        """The rows of each class and cell, of all folds together."""
        return self.sums.over(range(self.folds)) if self.folds else self.sums

    @property
    def folds(self) -> int:
        """How many folds there are, 0 if rows are not in folds."""
        return len(self.sums.rows) if self.sums.rows.ndim > 2 else 0

    def of_folds(self, folds: Sequence[int]) -> "ScoreCounts":
        """The counts of some of the folds, all together."""
        return replace(self, sums=self.sums.over(folds))

    @property
    def low_ends(self) -> FloatArray:
        """The lowest score of each cell that is a score or a run."""
        return doubles(self.cells) if self.lowest is None else self.lowest

    @property
    def _kind(self) -> str:
        if self.binning is not None:
            return "bins"
        return "scores" if self.lowest is None else "runs of scores"

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.sums.weighted

    @property
    def sizes(self) -> tuple[int, int]:
        """How many negatives and positives there are."""
        return self.negatives.total, self.positives.total

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]; `LabelError` if no row has weight."""
        negatives, positives = (float(np.sum(s.mass)) for s in (self.negatives, self.positives))
        if not negatives + positives > 0:
            raise LabelError("there is no row with weight, so there is no prevalence.")
        return positives / (negatives + positives)

    def table(self) -> ScoreTable:
        """The table of the rows.

        Returns
        -------
        ScoreTable
            As from `ScoreTable.from_predictions`, with each score once.

        Raises
        ------
        LabelError
            If there are no rows of a class, or none with weight.
        WeightError
            If the share of one class underflows to 0.
        SourceError
            If rows are counted by bin, or in runs of scores.

        Warns
        -----
        DataWarning
            If scores look like labels or predicted classes, or are all the same.
        """
        if self.binning is not None:
            raise SourceError(
                "binned scores give only bounds on a number: use bounds(binned, metric=metric), or "
                "binned.best and binned.worst."
            )
        if self.lowest is not None:
            raise SourceError("runs of scores make no table of the rows: count each score.")
        check_both(self.by_class)
        table = self.ranked.as_read
        if table.looks:
            warn_of(table.looks)
        return table

    @property
    def ranked(self) -> ScoreTable:
        """The table of scores, or runs, as they are."""
        sides = (side.sample(self.cells, self.lowest) for side in (self.negatives, self.positives))
        return ScoreTable.from_classes(*sides)

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The `table`, or of bins the `best` and the `worst`."""
        return (self.table(),) if self.binning is None else (self.best, self.worst)

    @cached_property
    def best(self) -> ScoreTable:
        """A table whose scores are at least as good as those of the data.

        Negatives are at most as high as in the data, positives at least. It raises `LabelError` if
        a class has no rows, or none with weight, `WeightError` if its share underflows to 0, and
        `SourceError` unless rows are counted by bin.
        """
        return self._bounding(best=True)

    @cached_property
    def worst(self) -> ScoreTable:
        """A table whose scores are at most as good as those of the data; the opposite of `best`."""
        return self._bounding(best=False)

    def _bounding(self, *, best: bool) -> ScoreTable:
        check_both(self.by_class)
        means = BoundingMeans(*self._means, best)
        table = ScoreTable.from_ranking(means.ranking())
        if not only_rounding(*means.score_range):
            return table
        within = BoundingMeans(*self._means_in_unit, best)
        return replace(table, ranking=within.ranking(), given=table.ranking)

    @cached_property
    def _means(self) -> tuple[BoundedMeans, BoundedMeans]:
        return BoundedMeans(self.negatives), BoundedMeans(self.positives)

    @cached_property
    def _means_in_unit(self) -> tuple[BoundedMeans, BoundedMeans]:
        return BoundedMeans(self.negatives.in_unit), BoundedMeans(self.positives.in_unit)

    def adapted(self, bins: int = DEFAULT_BINS) -> Binning:
        """The binning for another pass over the same data, to narrow the bounds.

        Its bins have about equal weight, with equal weight of the classes: each holds at most
        2 / `bins` of a class, unless a single score has more, as far as these bins show the density
        of scores. On samples of many kinds the heaviest had up to 8 times that after a pass. At
        every condition the bounds of a loss under a monotone method are at most as far apart as the
        heaviest bin's share of a class (twice that on the cost axis). Close scores are separated by
        one or a few more passes, but in no more places than there are pieces.

        Parameters
        ----------
        bins : int, default 2^20
            The largest number of bins, at least 8.

        Returns
        -------
        Binning
            Of at most 64 pieces: linear ones, and logarithmic ones where scores approach 0 or 1 by
            orders of magnitude.

        Raises
        ------
        ConditionError
            If the number is invalid.
        SourceError
            Unless rows are counted by bin.

        Examples
        --------
        >>> import costspace as cs
        >>> y, s, two = [0, 1, 0, 1], [0.501, 0.502, 0.503, 0.504], cs.Binning.uniform(bins=2)
        >>> coarse = cs.ScoreCounts.from_predictions(y, s, binning=two)
        >>> finer = cs.ScoreCounts.from_predictions(y, s, binning=coarse.adapted(16))
        >>> cs.bounds(coarse, metric=cs.auc).width, cs.bounds(finer, metric=cs.auc).width
        (1.0, 0.0)
        """
        most = check_whole("bins", bins, least=_LEAST_BINS)
        if self.binning is not None and not np.any(self.sums.filled):
            return self.binning
        return adapted_binning(self.by_class, most)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a cell, the input of `from_columns`.

        The names are "score", of bins "key", or of runs "lowest" and "highest"; and for each class
        "negatives" (the number of rows), "negatives_weight" and "negatives_squares" (of weighted
        rows only) and, of bins, "negatives_score_sum", "negatives_score_squares", "negatives_low"
        and "negatives_high". In folds, ``fold1_`` and so on stands before the class.
        """
        found: dict[str, NDArray[Any]] = {"score" if self.binning is None else "key": self.cells}
        if self.lowest is not None:
            found = {"lowest": self.lowest, "highest": self.cells}
        flat = self.sums.each(lambda _, column: column.reshape(-1, len(self)))
        for i, name in enumerate(strata_names(self.folds)):
            for column, values in flat[i].columns().items():
                found[name if column == "rows" else f"{name}_{column}"] = values
        return found


def strata_names(folds: int) -> list[str]:
    """What columns of each class, or each fold and class, begin with."""
    if not folds:
        return [*CLASSES]
    return [f"fold{fold + 1}_{side}" for fold in range(folds) for side in CLASSES]


def is_binned(one: object) -> bool:
    """Whether something is counts by bin, which have only bounds."""
    return isinstance(one, ScoreCounts) and one.binning is not None

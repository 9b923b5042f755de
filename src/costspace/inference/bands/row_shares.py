"""What each row of a sample counts for in its losses and in their errors."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.inference.effective_sizes import sizes_of_rows
from costspace.inference.interval import Ends, normal_quantile, unseen_share
from costspace.inference.row_errors import row_corrections
from costspace.scores.rows import ScoredRows


@final
@dataclass(frozen=True, eq=False)
class RowShares(FrozenValue):
    """What rows count for, each by itself or by kinds of rows that are alike.

    Attributes
    ----------
    positive : boolean array of shape (m,)
    rows : array of shape (m,)
        How many there are of each kind.
    share : array of shape (m,)
        Their share of all weight.
    error : array of shape (m,)
        Whose square is by how much they add to the variance of a mean.
    unit : array of int of shape (m,)
        Which independent unit they belong to.
    cubed : array of shape (g,)
        By what to multiply cubes of a unit's errors, so that they sum to the third moment as
        their squares sum to the variance.
    clustered : bool
        Whether units are clusters, in which rows are not independent.
    prevalence : float in (0, 1)
        Share of positives of the rows.
    known : float in (0, 1)
        Share of positives that losses are at.
    fixed : bool
        Whether the share of positives would be the same in another sample.
    effective_sizes : tuple of two floats
        How many independent rows of equal weight the negatives and the positives amount to.
    """

    positive: BoolArray
    rows: FloatArray
    share: FloatArray
    error: FloatArray
    unit: IndexArray
    cubed: FloatArray
    clustered: bool
    prevalence: float
    known: float
    fixed: bool
    effective_sizes: Ends

    def unseen(self, level: float) -> FloatArray:
        """The share of the negatives and of the positives that can go unseen."""
        return np.array([unseen_share(size, level) for size in self.effective_sizes])

    def unseen_errors(self, level: float) -> FloatArray:
        """As standard errors of x and y, of which the loss is ``c x + (1 - c) y``."""
        most = 2 * np.array([1 - self.known, self.known])
        return most * self.unseen(level) / normal_quantile(level)

    def __len__(self) -> int:
        return len(self.positive)

    @cached_property
    def class_share(self) -> FloatArray:
        """Share of the class of each kind."""
        return np.where(self.positive, self.prevalence, 1 - self.prevalence)

    @cached_property
    def loss(self) -> FloatArray:
        """What a row's mistake costs, the mean being over all rows."""
        return 2 * np.where(self.positive, self.known, 1 - self.known) / self.class_share

    @property
    def part(self) -> IndexArray:
        """The class of each unit: what classes add to an error is independent.

        0 of clusters, in which classes mix.
        """
        if self.clustered:
            return np.zeros(len(self.cubed), dtype=np.intp)
        return self.positive.astype(np.intp)

    def merged(self, kind: IndexArray) -> "RowShares":
        """The same by kinds, numbered without gaps; units must be rows, and kinds of one class."""
        rows, share, squares, cubes = (
            np.bincount(kind, one).astype(float)
            for one in (self.rows, self.share, self.error**2, self.cubed * self.error**3)
        )
        error = np.sqrt(squares)
        positive = np.zeros(len(rows), dtype=bool)
        positive[kind] = self.positive
        cubed = np.divide(cubes, error**3, out=np.zeros_like(cubes), where=error > 0)
        return replace(
            self,
            positive=positive,
            rows=rows,
            share=share,
            error=error,
            unit=np.arange(len(rows)),
            cubed=cubed,
        )


def row_shares(
    rows: ScoredRows, *, prevalence: float | None, fixed: bool, weights: str
) -> RowShares:
    """What each row counts for.

    Parameters
    ----------
    rows : ScoredRows
    prevalence : float in (0, 1), optional
        Share of positives, taken as known; by default the rows' own.
    fixed : bool
        Whether the share of positives would be the same in another sample.
    weights : {"sampling", "counts"}
        As in `standard_error`.

    Raises
    ------
    ConditionError
        If there is no such kind of weights, or counts are not whole numbers.
    LabelError
        If a class has one row, or occurs in one group only.
    """
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    share, more = weight / np.sum(weight), row_corrections(rows, weights)
    if rows.groups is None:
        units = np.arange(len(rows))
        # So many equal rows are several units.
        several = np.sqrt(np.maximum(weight, 1)) if weights == "counts" else np.ones(len(rows))
        cubed = (more * several) ** -3 / several
    else:
        units = rows.groups
        cubed = np.full(int(units.max()) + 1, more[0] ** -3)
    return RowShares(
        rows.positive,
        np.ones(len(rows)),
        share,
        share * more,
        units,
        cubed,
        rows.groups is not None,
        rows.prevalence,
        rows.prevalence if prevalence is None else prevalence,
        fixed,
        sizes_of_rows(rows, weights),
    )

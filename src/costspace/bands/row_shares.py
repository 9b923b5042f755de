"""The weight of each row of a sample in its losses and in their errors."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.estimates.effective_sizes import sizes_of_rows
from costspace.estimates.interval import Ends, normal_quantile, unseen_share
from costspace.estimates.row_errors import row_corrections
from costspace.samples.rows import ScoredRows


@final
@dataclass(frozen=True, eq=False)
class RowShares(FrozenValue):
    """The weights of rows, each by itself or by kinds of equal rows."""

    positive: BoolArray  # shape (m,)
    rows: FloatArray  # shape (m,): how many there are of each kind
    share: FloatArray  # shape (m,): their share of all weight
    error: FloatArray  # shape (m,): its square is their part in the variance of a mean
    unit: IndexArray  # shape (m,): which independent unit they belong to
    # Shape (g,): the factor of the cubes of a unit's errors, so that they sum to the third moment
    # as their squares sum to the variance.
    cubed: FloatArray
    clustered: bool  # whether units are clusters, in which rows are not independent
    prevalence: float  # in (0, 1): share of positives of the rows
    known: float  # in (0, 1): share of positives at which losses are computed
    fixed: bool  # whether the share of positives would be the same in another sample
    effective_sizes: Ends  # of the negatives and of the positives

    def unseen(self, level: float) -> FloatArray:
        """The share of unseen rows that the negatives and the positives can have."""
        return np.array([unseen_share(size, level) for size in self.effective_sizes])

    def unseen_errors(self, level: float) -> FloatArray:
        """`unseen` as standard errors of x and y, of which the loss is ``c x + (1 - c) y``."""
        most = 2 * np.array([1 - self.known, self.known])
        return most * self.unseen(level) / normal_quantile(level)

    def __len__(self) -> int:
        return len(self.positive)

    @cached_property
    def class_share(self) -> FloatArray:
        """The share of each kind's class."""
        return np.where(self.positive, self.prevalence, 1 - self.prevalence)

    @cached_property
    def loss(self) -> FloatArray:
        """The loss of a mistake on a row, if the mean is over all rows."""
        return 2 * np.where(self.positive, self.known, 1 - self.known) / self.class_share

    @property
    def part(self) -> IndexArray:
        """The class of each unit: the classes' parts in an error are independent.

        0 for clusters, which mix classes.
        """
        if self.clustered:
            return np.zeros(len(self.cubed), dtype=np.intp)
        return self.positive.astype(np.intp)

    def merged(self, kind: IndexArray) -> "RowShares":
        """These weights by kind of row. Kinds have numbers without gaps; units must be rows."""
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
    """The weights of each row, at the rows' own share of positives or one that is known.

    It is `fixed` if it would be the same in another sample. Errors are those of `row_corrections`.
    """
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    share, more = weight / np.sum(weight), row_corrections(rows, weights)
    if rows.groups is None:
        units = np.arange(len(rows))
        # A row that counts for several is several units.
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

"""What each row of a sample counts for in its losses and in their errors."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.inference.row_errors import check_groups
from costspace.inference.standard_error import class_size
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
    def independent(self) -> IndexArray:
        """The class of each unit, as what classes add is independent; 0 of clusters of both."""
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
        return RowShares(
            positive,
            rows,
            share,
            error,
            np.arange(len(rows)),
            cubed,
            self.clustered,
            self.prevalence,
            self.known,
            self.fixed,
        )


def row_shares(
    rows: ScoredRows, *, prevalence: float | None, design: str, weights: str
) -> RowShares:
    """What each row counts for.

    Parameters
    ----------
    rows : ScoredRows
    prevalence : float in (0, 1), optional
        Share of positives, taken as known; by default the rows' own.
    design : {"independent", "stratified"}
        As in `standard_error`.
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
    share = weight / np.sum(weight)
    more, cubed = _corrections(rows, weight, weights)
    return RowShares(
        rows.positive,
        np.ones(len(rows)),
        share,
        share * more,
        np.arange(len(rows)) if rows.groups is None else rows.groups,
        cubed,
        rows.groups is not None,
        rows.prevalence,
        rows.prevalence if prevalence is None else prevalence,
        design == "stratified" or prevalence is not None,
    )


def _corrections(
    rows: ScoredRows, weight: FloatArray, weights: str
) -> tuple[FloatArray, FloatArray]:
    """How much more each row's error is than its share, and `cubed` of each unit."""
    sizes = [
        class_size(float(np.count_nonzero(weight[side])), weight[side], weights)
        for side in (~rows.positive, rows.positive)
    ]
    if rows.groups is not None:
        check_groups(rows.groups, rows.positive)
        count = int(rows.groups.max()) + 1
        more = np.sqrt(count / (count - 1))
        return np.full(len(rows), more), np.full(count, more**-3)
    size = np.where(rows.positive, sizes[1], sizes[0])
    more = np.sqrt(size / (size - 1))
    if weights == "counts" and rows.weight is not None:
        several = np.sqrt(np.maximum(weight, 1))
        return more / several, more**-3 / several
    return more, more**-3

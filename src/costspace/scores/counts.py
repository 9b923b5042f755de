"""Rows counted by score, as from a group-by of any number of rows."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, ScoreArray, read_only
from costspace.errors import SourceError, warn_of
from costspace.scores.class_counts import CLASSES, ClassCounts, check_both, columns_by_class
from costspace.scores.sorting import sort_beside, sort_with_order
from costspace.scores.table import ScoreTable
from costspace.scores.validation import part_of_rows
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(FrozenValue):
    """The number of rows of each class at each score.

    Counts of any parts of the data (files, days, partitions) add up, in any order, to the counts
    of the whole; a part may have rows of one class only. Memory grows with the number of distinct
    scores, not of rows.

    Attributes
    ----------
    scores : array of shape (k,), float32 or float64
        Distinct, ascending, without NaN; infinities are scores like others.
    negatives : ClassCounts
        The rows of the negative class by score.
    positives : ClassCounts
        The rows of the positive class; both have weights or neither has.

    Raises
    ------
    SourceError
        If the scores are not distinct and ascending, or a class does not have one count for each.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: the two score distributions,
    as their atoms.

    Examples
    --------
    >>> import costspace as cs
    >>> monday = cs.ScoreCounts.from_predictions([0, 0, 1], [0.2, 0.2, 0.7])
    >>> sunday = cs.ScoreCounts.from_predictions([0, 0], [0.2, 0.9])
    >>> monday + sunday
    ScoreCounts(3 scores of 4 negatives, 1 positives)
    >>> (monday + sunday).table().auc
    0.75
    """

    scores: ScoreArray
    negatives: ClassCounts
    positives: ClassCounts

    def __post_init__(self) -> None:
        scores = np.asarray(self.scores)
        if scores.dtype not in (np.float32, np.float64) or scores.ndim != 1:
            raise SourceError("counted scores must be one column of float32 or float64.")
        if np.isnan(scores[-1:]).any() or not np.all(scores[1:] > scores[:-1]):
            raise SourceError("counted scores must be distinct, ascending and not NaN.")
        # Adding 0 turns -0.0 into 0.0.
        object.__setattr__(self, "scores", read_only(scores + scores.dtype.type(0)))
        if any(len(side.rows) != len(scores) for side in (self.negatives, self.positives)):
            raise SourceError("both classes must have one count for each score.")
        if self.negatives.weighted != self.positives.weighted:
            raise SourceError("either both classes have weights or none has.")

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "ScoreCounts":
        """Count predictions by score.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any with `pos_label`. One class may be
            missing.
        y_score : array of shape (n,)
            Scores, higher meaning more positive. Infinite scores are ranks like others; float32
            stays float32, and counts as the decimal that it prints as.
        pos_label : label, optional
            The label of the positive class. Rows of one other label are the negatives.
        sample_weight : array of shape (n,), optional
            Non-negative, not all zero. A weight of k stands for k equal rows.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        LabelError, ScoreError, WeightError
            For labels not of two classes, unusable scores or negative weights, in this order.
        """
        positive, scores, weight = part_of_rows(y_true, y_score, pos_label, sample_weight)
        return cls.from_groups(scores, *(_of_rows(r, weight) for r in (~positive, positive)))

    @classmethod
    def from_groups(
        cls, scores: ScoreArray, negatives: ClassCounts, positives: ClassCounts
    ) -> "ScoreCounts":
        """Add up counts of scores in any order; a score may occur more than once."""
        if not np.all(scores[1:] >= scores[:-1]):
            scores, negatives, positives = _sorted(scores, negatives, positives)
        new = scores[1:] != scores[:-1]
        if new.all():
            return cls(scores, negatives, positives)
        starts = np.append(0, np.flatnonzero(new) + 1)
        sides = (side.each(lambda c: np.add.reduceat(c, starts)) for side in (negatives, positives))
        return cls(np.take(scores, starts), *sides)

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
        counts = []
        for number, sample in enumerate(samples):
            columns: list[NDArray[Any]] = [sample.tally_of_each.astype(np.int64)]
            if table.weighted:
                columns += [sample.weight_of_each, sample.squares_of_each]
            # A count of 0 at the scores of the other class.
            ends = (sizes[0], 0) if number else (0, sizes[1])
            counts.append(ClassCounts(*(np.pad(column, ends) for column in columns)))
        return cls.from_groups(np.concatenate([s.values for s in samples]), *counts)

    def __repr__(self) -> str:
        return (
            f"ScoreCounts({len(self)} scores of {self.negatives.total} negatives, "
            f"{self.positives.total} positives{', weighted' if self.weighted else ''})"
        )

    def __len__(self) -> int:
        """How many distinct scores there are."""
        return len(self.scores)

    def __add__(self, other: "ScoreCounts") -> "ScoreCounts":
        """The counts of the rows of both; float32 scores become float64 next to float64 ones."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        sides = []
        for name in CLASSES:
            both: list[ClassCounts] = [getattr(counts, name) for counts in (self, other)]
            if self.weighted or other.weighted:
                both = [side.as_weighted() for side in both]
            columns = zip(*(side.columns().values() for side in both), strict=True)
            sides.append(ClassCounts(*map(np.concatenate, columns)))
        scores = [self.scores, other.scores]
        if self.scores.dtype != other.scores.dtype:
            scores = [doubles(own) for own in scores]
        return ScoreCounts.from_groups(np.concatenate(scores), *sides)

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.negatives.weighted

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

        Warns
        -----
        DataWarning
            If scores look like labels or predicted classes, or are all the same.
        """
        check_both(self.negatives, self.positives)
        table = ScoreTable.from_classes(
            self.negatives.sample(self.scores), self.positives.sample(self.scores)
        ).as_read
        if table.looks:
            warn_of(table.looks)
        return table

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a score: rows of each class and, if weighted, weights and squares."""
        sides = columns_by_class(self.negatives.columns(), self.positives.columns())
        return {"score": self.scores, **sides}


def _sorted(
    scores: ScoreArray, negatives: ClassCounts, positives: ClassCounts
) -> tuple[ScoreArray, ClassCounts, ClassCounts]:
    """Counts sorted by score."""
    sides = negatives, positives
    few = all(not side.weighted and side.rows.max() < 2**16 for side in sides)
    if scores.dtype == np.float32 and few:
        # Both counts are packed into one integer and sorted with the score, without an index.
        scores, rows = sort_beside(scores, negatives.rows << 16 | positives.rows)
        return scores, ClassCounts(rows >> 16), ClassCounts(rows & (2**16 - 1))
    scores, order = sort_with_order(scores)
    ordered = [side.each(lambda column: np.take(column, order)) for side in sides]
    return scores, ordered[0], ordered[1]


def _of_rows(chosen: BoolArray, weight: FloatArray | None) -> ClassCounts:
    """The counts of single rows: 1 for the chosen, 0 for the others."""
    rows = chosen.astype(np.int64)
    if weight is None:
        return ClassCounts(rows)
    own = chosen * weight
    return ClassCounts(rows, own, own**2)

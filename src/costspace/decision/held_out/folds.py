"""Which fold each row is in: rows of a group in one, both classes spread evenly over all."""

import numpy as np

from costspace.arrays import BoolArray, IndexArray
from costspace.checks import check_whole
from costspace.errors import ConditionError, LabelError
from costspace.samples.rows import ScoredRows

# From so many rows on folds go by the number of a row, which every engine can tell, if the rarer
# class is sure to be in each of them: so many rows a fold are, and so many in all.
MANY, _SURE, _OF_ALL = 100_000, 50, 1_000


def are_many(rows: ScoredRows, folds: int) -> bool:
    """Whether rows are many, each of weight 1, by itself and of the same costs."""
    alike = rows.weight is None and rows.costs is None and rows.groups is None
    fewest = max(_SURE * folds, _OF_ALL)
    return alike and len(rows) >= MANY and min(rows.class_weights) >= fewest


def check_folds(rows: ScoredRows, folds: int, usual: int) -> int:
    """Return how many folds are asked for, at least 2, and no more than rows or groups.

    As many as are `usual` are no more than a default, of which few rows make fewer.
    """
    folds = check_whole("folds", folds, least=2)
    what, unit = _units(rows)
    units = int(np.count_nonzero(np.bincount(unit[rows.counts])))
    if folds > max(units, usual):
        raise ConditionError(
            f"folds (--folds) is {folds}, and there are {units} {what} to divide: give {units} or "
            f"fewer; {usual} are usual."
        )
    return folds


def fold_of_each(rows: ScoredRows, folds: int, seed: int = 0) -> IndexArray:
    """The fold of each row: so many folds, or as many as the rarer class has rows or groups."""
    what, unit = _units(rows)
    # Rows of weight zero decide nothing.
    negative, positive = (
        np.bincount(unit, weights=side & rows.counts) > 0
        for side in (~rows.positive, rows.positive)
    )
    fewest = int(min(np.count_nonzero(negative), np.count_nonzero(positive)))
    if fewest < 2:
        raise LabelError(
            f"cross-validation needs 2 {what} of each class, got a class of {fewest}: give "
            "validation rows."
        )
    return dealt(negative, positive, min(folds, fewest), seed)[unit]


def dealt(negative: BoolArray, positive: BoolArray, folds: int, seed: int = 0) -> IndexArray:
    """The fold of each row or group, which has rows of one class or of both."""
    mixed = negative & positive
    fold = np.zeros(len(negative), dtype=np.intp)
    # Folds without a group of both classes get one of either.
    for kind, first in (
        (mixed, 0),
        (negative & ~mixed, np.count_nonzero(mixed)),
        (positive & ~mixed, np.count_nonzero(mixed)),
    ):
        drawn = np.random.default_rng(seed).permutation(np.flatnonzero(kind))
        fold[drawn] = (first + np.arange(len(drawn))) % folds
    return fold


def _units(rows: ScoredRows) -> tuple[str, IndexArray]:
    """What is divided, rows or groups, and which of them each row is."""
    return ("rows", np.arange(len(rows))) if rows.groups is None else ("groups", rows.groups)

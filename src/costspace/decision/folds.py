"""Which fold each row is in: rows of a group in one, both classes spread evenly over all."""

import numpy as np

from costspace.arrays import IndexArray
from costspace.checks import check_whole
from costspace.errors import LabelError
from costspace.scores.rows import ScoredRows


def fold_of_each(rows: ScoredRows, folds: int, seed: int = 0) -> IndexArray:
    """The fold of each row: so many folds, or as many as the rarer class has rows or groups."""
    folds = check_whole("folds", folds, least=2)
    unit = np.arange(len(rows)) if rows.groups is None else rows.groups
    # Rows of weight zero decide nothing.
    counts = np.ones(len(rows), dtype=bool) if rows.weight is None else rows.weight > 0
    negative, positive = (
        np.bincount(unit, weights=side & counts) > 0 for side in (~rows.positive, rows.positive)
    )
    fewest = int(min(np.count_nonzero(negative), np.count_nonzero(positive)))
    if fewest < 2:
        what = "rows" if rows.groups is None else "groups"
        raise LabelError(
            f"cross-fitting needs 2 {what} of each class, got a class of {fewest}: give "
            "validation rows."
        )
    mixed = negative & positive
    fold = np.zeros(len(negative), dtype=np.intp)
    # Folds without a group of both classes get one of either.
    for kind, first in (
        (mixed, 0),
        (negative & ~mixed, np.count_nonzero(mixed)),
        (positive & ~mixed, np.count_nonzero(mixed)),
    ):
        dealt = np.random.default_rng(seed).permutation(np.flatnonzero(kind))
        fold[dealt] = (first + np.arange(len(dealt))) % min(folds, fewest)
    return fold[unit]

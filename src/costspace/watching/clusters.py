"""Groups of rows, such as customers, that may be in both of two samples."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FrozenValue, IndexArray
from costspace.errors import SourceError, brief, check_kind
from costspace.estimates.model_samples import MODEL
from costspace.estimates.row_errors import check_groups
from costspace.predictions import called
from costspace.samples.rows import ScoredRows
from costspace.samples.validation import group_numbers
from costspace.samples.vectors import vector


@final
@dataclass(frozen=True, eq=False)
class Clusters(FrozenValue):
    """The rows of a sample, in groups."""

    rows: ScoredRows  # of one model, named `MODEL`, without rows of weight 0
    numbers: IndexArray  # what number each group of the rows has among those of both samples


def clusters_of(
    before: Any, after: Any, groups: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Clusters, Clusters] | None:
    """The groups of two samples, those that the rows have if none are given; None without any.

    Groups that rows have, which are known by number only, are of one sample each.

    Raises
    ------
    SourceError
        If groups are given without rows, or one sample alone has some.
    LabelError
        If a class is in one group only.
    """
    samples = {"before": before, "after": after}
    if groups is None:
        own = [getattr(rows, "groups", None) for rows in samples.values()]
        if own[0] is None and own[1] is None:
            return None
        if own[0] is None or own[1] is None:
            raise SourceError("one sample has groups and the other has none: give groups of both.")
        groups = own[0], own[1] + own[0].max() + 1
    for which, rows in samples.items():
        if not isinstance(rows, ScoredRows):
            raise SourceError(
                f"groups need rows, and {which} is {type(rows).__name__}: give ScoredRows, such as "
                "read_rows returns."
            )
    known = np.split(_numbered(groups, len(before), len(after)), [len(before)])
    first, second = (
        _clusters(called(rows, MODEL), numbers)
        for rows, numbers in zip(samples.values(), known, strict=True)
    )
    return first, second


def _numbered(groups: tuple[ArrayLike, ArrayLike], *sizes: int) -> IndexArray:
    """The number of the group of each row, the rows before first."""
    check_kind("groups", groups, tuple, list)
    if len(groups) != len(sizes):
        raise SourceError(
            f"groups must be two arrays, those of the rows before and after, got {brief(groups)}."
        )
    named = [vector(of_sample, "groups", SourceError) for of_sample in groups]
    for size, of_sample in zip(sizes, named, strict=True):
        if len(of_sample) != size:
            raise SourceError(
                f"groups has {len(of_sample)} values for {size} labels: give one a row."
            )
    return group_numbers(np.concatenate(named), sum(sizes))


def _clusters(rows: ScoredRows, numbers: IndexArray) -> Clusters:
    found, own = np.unique(numbers[rows.counts], return_inverse=True)
    counting = replace(rows.counting, groups=own)
    check_groups(own, counting.positive)
    return Clusters(counting, found)

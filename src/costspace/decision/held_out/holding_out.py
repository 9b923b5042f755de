"""Dividing rows into those that thresholds are chosen on and those they are applied to."""

from typing import TYPE_CHECKING

import numpy as np

from costspace.arrays import read_only, underflow_to_zero
from costspace.checks import check_whole
from costspace.decision.held_out.folds import are_many, check_folds, fold_of_each
from costspace.decision.held_out.holdout import FOLDS, HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError
from costspace.predictions import rows_of
from costspace.samples.rows import ScoredRows

# What many rows take is loaded for them.
if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.decision.held_out.counts import HeldOutCounts
    from costspace.summaries.folded_rows import FoldedRows
    from costspace.summaries.joint import fold_by_number


@underflow_to_zero
def hold_out(
    rows: ScoredRows,
    *,
    validation: ScoredRows | None = None,
    folds: int = FOLDS,
    repeats: int = 1,
    weights: str | None = None,
) -> HeldOut:
    """Split rows so that thresholds are applied to held-out rows.

    Parameters
    ----------
    rows : ScoredRows
        What thresholds are chosen on.
    validation : ScoredRows, optional
        Rows that thresholds chosen on all of `rows` are applied to. Without them `rows` are cut
        into folds, and thresholds chosen outside a fold are applied to it.
    folds : int, default 5
        How many, at least 2. Both classes are spread evenly over them, in an order shuffled with
        a fixed seed; a class of fewer rows makes as many folds as it has. Rows of one group stay
        together, and it is groups that are spread. From 100,000 rows on that count 1 each the
        number of a row tells its fold, and scores are counted in some 30,000 runs of neighbours.
    repeats : int, default 1
        How often the rows are cut anew into folds, at least 1: that takes out of the result the
        chance of which rows are cut together.
    weights : {"sampling", "counts"}, optional
        What a weight of the rows is, as in `decide`, which is asked again without it.

    Returns
    -------
    HeldOutRows or HeldOutCounts

    Raises
    ------
    ConditionError
        If `folds` is no whole number from 2 on, or above 5 and more than there are rows (or
        groups), `repeats` none from 1 on, only one of `rows` and `validation` has costs for each
        case, or `rows` have groups and `validation` has none.
    LabelError
        If a class has fewer than 2 rows to cross-fit, or is in fewer than 2 groups.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> rows = cs.ScoredRows.from_predictions([0, 0, 1, 1], {"model": [0.1, 0.6, 0.4, 0.9]})
    >>> str(hold_out(rows)), str(hold_out(rows, validation=rows))
    ('2 cross-validation folds', 'validation rows')
    """
    rows = rows_of(rows)
    if validation is not None:
        if (rows.costs is None) != (validation.costs is None):
            which = "validation rows" if validation.costs is None else "rows"
            raise ConditionError(
                f"the {which} have no costs of their own for each case and the others have: give "
                "both or neither."
            )
        if rows.groups is not None and validation.groups is None:
            raise ConditionError(
                "the rows have groups and the validation rows, whose intervals they are for, have "
                "none: give ScoredRows with groups."
            )
        return HeldOutRows(rows, validation, [np.zeros(len(rows), dtype=np.intp)], weights)
    folds = check_folds(rows, folds, FOLDS)
    often = range(check_whole("repeats", repeats, least=1))
    if len(often) == 1 and are_many(rows, folds):
        return HeldOutCounts(FoldedRows(rows, read_only(fold_by_number(len(rows), folds)), folds))
    cut = [fold_of_each(rows, folds, seed) for seed in often]
    return HeldOutRows(rows, None, cut, weights)

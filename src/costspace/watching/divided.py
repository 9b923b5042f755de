"""A sample as `decide` takes it: rows, or counts that are dealt to folds."""

from typing import Any

import numpy as np

from costspace.arrays import read_only
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.folds import MANY
from costspace.decision.held_out.holdout import FOLDS
from costspace.errors import ConditionError, SourceError
from costspace.predictions import called
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.joint import JointRows
from costspace.summaries.raked import RakedRows

_INSTEAD = "so that what a rule costs is not known: give the rows themselves"


def divided(source: Any, which: str, model: str) -> ScoredRows | HeldOutCounts:
    """The rows of a sample with the scores of a model of that name.

    Where rows are known by their counts, in which none is told from another, they are dealt to
    folds at random: that is what folds of the rows are.

    Raises
    ------
    SourceError
        If counts have weights or bins, or a table has a prevalence of its own.
    ConditionError
        If each row has costs of its own.
    """
    if isinstance(source, ScoredRows):
        if source.costs is not None:
            raise ConditionError(
                f"{which}: rows have costs of their own, and drift prices one rule, the same for "
                "all cases: give rows without them."
            )
        return called(source, model)
    if not isinstance(source, ScoreCounts):
        source = _counted(source, which)
    if source.binning is not None or source.weighted:
        what = "in bins" if source.binning is not None else "weighted"
        raise SourceError(f"{which}: rows are {what}, {_INSTEAD}.")
    rows = source.sums.rows
    if rows.sum() < MANY:
        positive = np.repeat([False, True], rows.sum(axis=1))
        scores = np.concatenate([np.repeat(source.cells, of_class) for of_class in rows])
        return ScoredRows(read_only(positive), {model: read_only(scores)}).as_read
    dealt = np.random.default_rng(0).multinomial(rows, np.full(FOLDS, 1 / FOLDS))
    folded = read_only(np.moveaxis(dealt, -1, 0))
    fold, side, cell = np.nonzero(folded)
    counts = ScoreCounts(source.cells, CellSums(folded))
    some = JointRows(fold, side.astype(bool), {model: cell})
    return HeldOutCounts(RakedRows({model: counts}, some))


def _counted(table: ScoreTable, which: str) -> ScoreCounts:
    """The counts of a table, `SourceError` if it has weights or a prevalence of its own."""
    if table.override is not None:
        raise SourceError(
            f"{which}: the table has a prevalence of its own: give it as prevalence, and the table "
            "without."
        )
    sides = table.negatives, table.positives
    cells = np.unique(np.concatenate([side.values for side in sides]))
    counts = np.zeros((2, len(cells)), dtype=np.int64)
    for of_class, side in zip(counts, sides, strict=True):
        number = np.ones(len(side.values)) if side.tally is None else side.tally
        if side.weights is not None and not np.array_equal(side.weights, number):
            raise SourceError(f"{which}: rows are weighted, {_INSTEAD}.")
        np.add.at(of_class, np.searchsorted(cells, side.values), number.astype(np.int64))
    return ScoreCounts(read_only(cells), CellSums(read_only(counts)))

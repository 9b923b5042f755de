"""Many rows as a page holds them: counts of their scores, and some of the rows."""

import numpy as np

from costspace.decision.held_out_counts import HeldOutCounts
from costspace.scores.raked import RakedRows, SomeRows

# Of three models; more share them. A page of 10^6 rows is to stay below 2 MB.
CELLS, _SHARING = 2_000, 3
# About so many rows of each class tell how models' scores go together.
_OF_EACH_CLASS = 5_000


def raked_rows(held_out: HeldOutCounts) -> RakedRows:
    """The counts of the rows in few cells, and some of the rows by those."""
    source = held_out.source
    if isinstance(source, RakedRows):
        return source
    models = source.models
    cells = CELLS * _SHARING // max(len(models), _SHARING)
    counts = {model: source.counted(model).coarser(cells) for model in models}
    negatives, positives = counts[models[0]].of_all.sum(axis=1).tolist()
    some = source.some((_every(negatives), _every(positives)))
    own = {model: counts[model].cell_of(some.scores[model]) for model in models}
    return RakedRows(counts, SomeRows(some.positive, some.fold.astype(np.intp), own))


def _every(rows: int) -> int:
    """Of how many rows of a class one is looked at."""
    return max(rows // _OF_EACH_CLASS, 1)

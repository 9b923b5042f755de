"""Many rows reduced to counts in few cells and a sample."""

import numpy as np

from costspace.summaries.folded_rows import FoldedSource
from costspace.summaries.joint import JointRows, fold_of
from costspace.summaries.raked import RakedRows
from costspace.summaries.runs import cell_of, coarser


def raked(source: FoldedSource, *, cells: int, of_each_class: int) -> RakedRows:
    """The counts of rows in about `cells` cells a model, and a sample of the rows.

    The sample has `of_each_class` to twice as many rows of a class with at least twice that many,
    and all rows of a smaller class. Rows that are reduced already do not change.
    """
    models = source.models
    counts = {model: coarser(source.counted(model), cells) for model in models}
    negatives, positives = counts[models[0]].sizes
    every = max(negatives // of_each_class, 1), max(positives // of_each_class, 1)
    some = _thinned(source.some(every), source.folds, of_each_class)
    own = {model: cell_of(counts[model], some.by_model[model]) for model in models}
    return RakedRows(counts, JointRows(some.fold.astype(np.intp), some.positive, own))


def _thinned(some: JointRows, folds: int, of_each_class: int) -> JointRows:
    """A smaller sample, drawn from a sample."""
    positives = np.count_nonzero(some.positive)
    sizes = np.array([len(some.positive) - positives, positives])
    every = np.maximum(sizes // of_each_class, 1)
    if np.all(every == 1):
        return some
    # By hash, as for the first sample, so that it does not correlate with the order.
    number = np.arange(len(some.positive)) // folds
    kept = np.where(some.positive, *(fold_of(number, int(n)) == 0 for n in every[::-1]))
    return some.taken(np.flatnonzero(kept))

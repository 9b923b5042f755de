"""The prevalence of new rows if the probability at a score is as it was."""

from __future__ import annotations

import numpy as np

from costspace.arrays import FloatArray
from costspace.watching.cell_estimates import CellEstimate
from costspace.watching.mixture_cells import MixtureCells


def calibrated_mean(
    cells: MixtureCells,
    of_negatives: FloatArray | float = 0.0,
    of_positives: FloatArray | float = 1.0,
) -> CellEstimate:
    """What new rows come to on average, each as likely positive as labelled rows of its cell were.

    Parameters
    ----------
    of_negatives, of_positives : float or array of shape (k,)
        What a row of either class comes to in each cell: 0 and 1 for the prevalence.

    Notes
    -----
    The estimate is linear in the shares of positives, so that noise of these does not bias it; the
    delta method is exact but for how rows fall into cells. Of a cell without labelled rows the
    share is that of the nearest with any. arXiv:2505.05295 estimates metrics so.
    """
    nothing, gap = np.broadcast_arrays(of_negatives, of_positives)
    gap = gap - nothing
    new, total = cells.shares[2], cells.totals[2]
    labelled = cells.mass[:2].sum(axis=0)
    home = _nearest(labelled > 0)
    chance = (cells.mass[1] / np.where(labelled > 0, labelled, 1.0))[home]
    worth = nothing + chance * gap
    value = float(new @ worth)
    weight = np.bincount(home, new * gap, minlength=len(cells))
    weight = weight / np.where(labelled > 0, labelled, 1.0)
    # A cell of n rows varies by one row less.
    rows = cells.mass[:2].sum(axis=0) ** 2 / np.maximum(cells.squares[:2].sum(axis=0), 1e-300)
    weight = weight * np.sqrt(rows / np.maximum(rows - 1, 1.0))
    influence = [-weight * chance, weight * (1 - chance), (worth - value) / total]
    return CellEstimate(value, np.stack(influence), cells)


def _nearest(there: FloatArray) -> FloatArray:
    """The nearest place that is there, of each place."""
    places = np.flatnonzero(there)
    every = np.arange(len(there))
    after = np.minimum(np.searchsorted(places, every), len(places) - 1)
    before = np.maximum(after - 1, 0)
    nearer = every - places[before] < np.abs(places[after] - every)
    return np.where(nearer, places[before], places[after])

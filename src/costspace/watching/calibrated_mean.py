"""The prevalence of new rows if the probability at a score is as it was."""

from __future__ import annotations

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.watching.cell_estimates import CellEstimate
from costspace.watching.mixture_cells import MixtureCells


def calibrated_mean(
    cells: MixtureCells,
    within: IndexArray,
    of_negatives: FloatArray | float = 0.0,
    of_positives: FloatArray | float = 1.0,
) -> CellEstimate:
    """What new rows come to on average, each as likely positive as labelled rows near it were.

    Parameters
    ----------
    within : array of shape (k,)
        Which wider cell each cell is in, of those with labelled rows enough for a share.
    of_negatives, of_positives : float or array of shape (k,)
        What a row of either class comes to in each cell: 0 and 1 for the prevalence.

    Notes
    -----
    The estimate is linear in the shares of positives, so that their noise does not bias it, and the
    delta method is exact but for how labelled rows fall into cells. arXiv:2505.05295 estimates
    metrics so.
    """
    of_negative = np.broadcast_to(of_negatives, len(cells))
    gap = of_positives - of_negative
    new, total = cells.shares[2], cells.totals[2]
    negatives, positives, squares = (
        np.bincount(within, one) for one in (*cells.mass[:2], cells.squares[:2].sum(axis=0))
    )
    labelled = negatives + positives
    chance = (positives / labelled)[within]
    worth = of_negative + chance * gap
    value = float(new @ worth)
    # Rows of a cell vary about its own share by one row less.
    rows = labelled**2 / squares
    unit = np.sqrt(rows / np.maximum(rows - 1, 1.0)) / labelled
    weight = (np.bincount(within, new * gap) * unit)[within]
    # Of how shares differ between cells a part is noise, and no spread of the new rows.
    spread = float(new @ (worth - value) ** 2)
    noise = float(new @ (gap**2 * chance * (1 - chance) / np.maximum(rows - 1, 1.0)[within]))
    kept = np.sqrt(max(1 - noise / spread, 0.0)) if spread > 0 else 0.0
    influence = [-weight * chance, weight * (1 - chance), kept * (worth - value) / total]
    return CellEstimate(value, np.stack(influence), cells)

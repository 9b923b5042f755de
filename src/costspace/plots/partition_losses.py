"""What each bin of scores adds to the refinement and the calibration loss."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.curve import PiecewiseQuadratic
from costspace.decomposition import Partition
from costspace.plots.axes import Display, drawing_on
from costspace.plots.calibration import checked_bins
from costspace.plots.checks import by_name
from costspace.plots.style import COLOURS, PALE
from costspace.plots.thinning import Screen, thin_curve

_HEADROOM = 0.02
_REFINEMENT: dict[str, Any] = {"facecolor": PALE, "edgecolor": COLOURS[0], "linewidth": 1.0}
_CALIBRATION: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": COLOURS[1],
    "linewidth": 1.0,
    "hatch": "////",
}


def plot_partition_losses(partition: Partition, *, ax: Axes | None = None) -> Display:
    """Draw the refinement and the calibration loss of each bin of scores.

    A bar for each bin, as wide as its share of the rows: its area up to the line is the
    bin's refinement loss, the hatched area above that its calibration loss.

    Parameters
    ----------
    partition : Partition
        Of scores in [0, 1].
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "rows" and "loss".

    Raises
    ------
    SourceError
        If it is not a Partition.
    ScoreError
        If a mean score is not in [0, 1].

    Notes
    -----
    Murphy (1973), Journal of Applied Meteorology 12; Hernandez-Orallo, Flach, Ferri (2012),
    arXiv:1112.2640, Section 6. With a bin for each distinct score both areas together are the Brier
    score.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_partition_losses(cs.decomposition.partition_scores(table))
    >>> list(display.artists)
    ['calibration loss', 'refinement loss']
    >>> plt.close(display.figure)
    """
    (bins,) = checked_bins(by_name({"partition": partition}, (Partition,), "partition")).values()
    edges = np.concatenate([[0.0], np.cumsum(bins.share)])
    edges = np.minimum(edges / edges[-1], 1)
    refinement = bins.positive_share * (1 - bins.positive_share)
    both = refinement + (bins.mean_score - bins.positive_share) ** 2
    with drawing_on(ax, ("rows", "loss")) as drawing:
        top = (1 + _HEADROOM) * float(both.max()) or 1.0
        drawing.ax.set_xlim(0, 1)
        drawing.ax.set_ylim(0, top)
        drawing.ax.set_xlabel("Share of rows, from low to high scores")
        drawing.ax.set_ylabel("Brier loss")
        width, height = drawing.pixels
        screen = Screen(0, 1, width, top / height)
        for name, heights, look in (
            # The second area covers the first where both are.
            ("calibration loss", both, _CALIBRATION),
            ("refinement loss", refinement, _REFINEMENT),
        ):
            bars = PiecewiseQuadratic(edges, np.stack([heights, 0 * heights, 0 * heights]))
            line = thin_curve(bars, screen)
            area = drawing.ax.fill_between(line.x, line.y, label=f"_{name}", **look)
            drawing.add(name, area, line.x, line.y)
        return drawing.display(
            f"Brier loss by bin: refinement {bins.refinement_loss:.3g}\n"
            f"and, hatched, calibration {bins.calibration_loss:.3g}"
        )

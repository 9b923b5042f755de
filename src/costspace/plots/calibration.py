"""Refinement and calibration: how bins of scores compare with their shares of positives."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.curve import PiecewiseQuadratic
from costspace.decomposition import Partition
from costspace.errors import ScoreError
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.style import COLOURS, GREY, PALE, LineStyle
from costspace.plots.thinning import Screen, thin_chain, thin_curve

# Area in square points of the marker of a bin that holds every row, and of the smallest.
_WHOLE, _SMALLEST = 1500, 6
_HEADROOM = 0.02
# Room around the bins, as a share of their range, which is that of both axes unless one of them has
# less than a third of it.
_ROOM, _ALIKE = 0.06, 3.0
# The losses of more models are not written.
_MANY = 6
# What rounding can move a mean of equal scores by.
_ROUNDING = 1e-12
_REFINEMENT: dict[str, Any] = {"facecolor": PALE, "edgecolor": COLOURS[0], "linewidth": 1.0}
_CALIBRATION: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": COLOURS[1],
    "linewidth": 1.0,
    "hatch": "////",
}


def plot_calibration(
    partitions: Partition | Mapping[str, Partition],
    *,
    colours: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the share of positives in each bin of scores against their mean score.

    A bin on the diagonal is calibrated. Both axes show the range that bins have, of scores and of
    shares together; where one of them has less than a third of it, as where positives are rare and
    scores are not, each axis shows its own. Markers have areas in proportion to the shares of rows
    in their bins; beside each of up to six models stand both losses.

    Parameters
    ----------
    partitions : Partition, or mapping of name to Partition
        Of scores in [0, 1].
    colours : mapping of name to str, optional
        As in `plot_cost_space`. Of more than six models the four that are best calibrated have
        colours and markers.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "mean_score", "positive_share" and "share".

    Raises
    ------
    SourceError
        If something is not a Partition.
    ScoreError
        If a mean score is not in [0, 1].

    Notes
    -----
    Murphy (1973), Journal of Applied Meteorology 12; Hernandez-Orallo, Flach, Ferri (2012),
    arXiv:1112.2640, Section 6.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_calibration({"model": cs.decomposition.partition_scores(table)})
    >>> display.columns()["mean_score"]
    array([0.1, 0.5, 0.9])
    >>> print(display.artists["model"].get_label())
    model
      calibration loss 0.005
      refinement loss 0.125
    >>> plt.close(display.figure)
    """
    named = _checked(by_name(partitions, (Partition,), "partition"))
    with drawing_on(ax, ("mean_score", "positive_share", "share")) as drawing:
        drawing.unit_square("Mean score in bin", "Share of positives in bin")
        _set_limits(drawing.ax, named)
        drawing.ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, label="perfectly calibrated")
        losses = {name: bins.calibration_loss for name, bins in named.items()}
        for name, look in drawing.styles(named, colours, losses).items():
            _draw_bins(drawing, name, named[name], look, said=len(named) <= _MANY)
        return drawing.display("Calibration: share of positives by score")


def _set_limits(ax: Axes, partitions: Mapping[str, Partition]) -> None:
    """Show the bins, on a square if both axes need about the same of it."""
    every = [np.array([0.0, 1.0])] * (not partitions)
    x = np.concatenate([*every, *(bins.mean_score for bins in partitions.values())])
    y = np.concatenate([*every, *(bins.positive_share for bins in partitions.values())])
    both = np.append(x, y)
    alike = min(np.ptp(x), np.ptp(y)) > np.ptp(both) / _ALIKE
    for shown, set_limits in ((x, ax.set_xlim), (y, ax.set_ylim)):
        low, high = np.quantile(both if alike else shown, [0, 1])
        room = _ROOM * (high - low) or _ROOM
        set_limits(max(low - room, -_ROOM), min(high + room, 1 + _ROOM))
    if not alike:
        ax.set_aspect("auto")


def _draw_bins(
    drawing: Drawing, name: str, partition: Partition, look: LineStyle, *, said: bool
) -> None:
    x, y, share = _merged(partition, drawing.dot)
    line = thin_chain(partition.mean_score, partition.positive_share, drawing.dot)
    losses = (
        f"\n  calibration loss {partition.calibration_loss:.3g}"
        f"\n  refinement loss {partition.refinement_loss:.3g}"
    )
    (chain,) = drawing.ax.plot(
        line.x,
        line.y,
        **{**look.line(), "linewidth": 1.2},
        marker=look.marker,
        markevery=[],
        label=name + losses if said else drawing.label(name),
    )
    if look.marker:
        drawing.ax.scatter(
            x,
            y,
            np.maximum(_WHOLE * share, _SMALLEST),
            color=look.colour,
            marker=look.marker,
            alpha=0.6,
            edgecolor="white",
        )
    drawing.add(name, chain, x, y, share)


def _merged(partition: Partition, dot: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The bins, those that fall on one dot of the picture as one, with their share in all."""
    cells = np.floor(np.stack([partition.mean_score, partition.positive_share]) / dot)
    _, first, cell = np.unique(cells, axis=1, return_index=True, return_inverse=True)
    share = np.bincount(np.ravel(cell), partition.share).astype(float)
    return partition.mean_score[first], partition.positive_share[first], share


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
    (bins,) = _checked(by_name({"partition": partition}, (Partition,), "partition")).values()
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


def _checked(partitions: dict[str, Partition]) -> dict[str, Partition]:
    """The partitions, or `ScoreError` unless their scores may be probabilities."""
    for name, bins in partitions.items():
        if not np.all(np.abs(bins.mean_score - 0.5) <= 0.5 + _ROUNDING):
            low, high = bins.mean_score.min(), bins.mean_score.max()
            raise ScoreError(
                f"{name}: calibration is told of scores in [0, 1], got mean scores from {low:g} "
                f"to {high:g}: calibrate the scores first."
            )
    return partitions

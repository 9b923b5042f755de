"""The ROC surface in three dimensions."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.errors import SourceError, brief
from costspace.metrics.surface import RocSurface
from costspace.plots.axes import Display, drawing_on
from costspace.plots.checks import check_count
from costspace.plots.style import BLACK
from costspace.roc.isometrics import loss_isometric

# Grid lines drawn on the surface, along each side.
_LINES = 16
# Distance from the skews 0 and 1 at which the surface begins and ends.
_NEXT_TO_END = 1e-6


def plot_roc_surface(
    surface: RocSurface, *, resolution: int = 65, ax: Axes | None = None
) -> Display:
    """Draw a ROC surface: at every skew the line of ROC space that supports the curve.

    Parameters
    ----------
    surface : RocSurface
    resolution : int, at least 2
        Skews to draw it at, and points on each of its lines.
    ax : matplotlib Axes3D, optional
        Axes with ``projection="3d"``; by default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "fpr", "tpr" and "skew".

    Raises
    ------
    SourceError
        If the surface is none.
    ConditionError
        If the resolution is below 2 or the axes are not three-dimensional.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 19. Darker is a smaller skew, in a colour map
    that grows lighter evenly for every kind of sight.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> surface = cs.roc_surface([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_roc_surface(surface, resolution=9)
    >>> len(display.columns()["skew"])
    81
    >>> plt.close(display.figure)
    """
    if not isinstance(surface, RocSurface):
        raise SourceError(
            f"a RocSurface is needed, such as roc_surface(...) gives, got {brief(surface)}."
        )
    resolution = check_count("resolution", resolution, 2)
    fpr, tpr, skew = _lines(surface, resolution)
    with drawing_on(ax, ("fpr", "tpr", "skew"), projection="3d") as drawing:
        axes: Any = drawing.ax  # three-dimensional ones have no types
        sheet = axes.plot_surface(
            fpr,
            tpr,
            skew,
            cmap="cividis",
            rcount=resolution,
            ccount=resolution,
            linewidth=0,
            antialiased=False,
        )
        axes.plot_wireframe(
            fpr, tpr, skew, color=BLACK, linewidth=0.5, rcount=_LINES, ccount=_LINES
        )
        axes.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
        axes.set_xlabel("False positive rate")
        axes.set_ylabel("True positive rate")
        axes.set_zlabel("Skew z")
        drawing.add("ROC surface", sheet, fpr, tpr, skew)
        return drawing.display()


def _lines(surface: RocSurface, resolution: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Points at equal distances along the line of each skew, from edge to edge of ROC space."""
    side = np.linspace(0, 1, resolution)
    # At 0 and 1 every point of an edge of the square costs nothing; the surface ends at the part
    # of it that the lines next to it tend to.
    skew = np.clip(side, _NEXT_TO_END, 1 - _NEXT_TO_END)
    losses = np.maximum(surface.path.loss()(skew), 0)
    lines = [loss_isometric(z, 0.5, loss=loss) for z, loss in zip(skew, losses, strict=True)]
    ends = np.array([[line.fpr, line.tpr] for line in lines])
    start, end = ends[:, :, :1], ends[:, :, 1:]
    points = start + side * (end - start)
    return points[:, 0], points[:, 1], np.repeat(skew[:, None], resolution, axis=1)

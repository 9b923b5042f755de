"""The ROC surface, by its contour lines."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from costspace.checks import check_conditions
from costspace.metrics.surface import RocSurface
from costspace.plots.axes import Display, drawing_on
from costspace.plots.checks import check_result
from costspace.plots.style import BLACK
from costspace.plots.thinning import thin_chain
from costspace.roc.isometrics import Isometric, loss_isometric

_SKEWS = (0.1, 0.3, 0.5, 0.7, 0.9)
# The greys of the lines at the skews 0 and 1.
_DARK, _LIGHT = 0.3, 0.75
# Skews at which the hull is drawn, and the distance from 0 and 1 at which a line is.
_STEPS, _NEXT_TO_END = 2049, 1e-6


def plot_roc_surface(
    surface: RocSurface, *, skews: ArrayLike = _SKEWS, ax: Axes | None = None
) -> Display:
    """Draw the contour lines of a ROC surface: at each skew the line of the lowest loss.

    Each line touches the convex hull of the ROC curve; points of one line lose the same at its
    skew, and no threshold loses less.

    Parameters
    ----------
    surface : RocSurface
    skews : array in [0, 1]
        Where the surface is cut.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "fpr", "tpr" and "skew", the ends of each line.

    Raises
    ------
    SourceError
        If the surface is none.
    ConditionError
        If a skew is not in [0, 1].

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 19. Darker is a smaller skew.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> surface = cs.roc_surface([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_roc_surface(surface, skews=[0.25, 0.75])
    >>> list(display.artists)
    ['z = 0.25', 'z = 0.75', 'ROC hull']
    >>> plt.close(display.figure)
    """
    check_result(surface, RocSurface, "a RocSurface is needed, such as roc_surface(...) gives")
    heights = np.unique(check_conditions("skews", skews))
    with drawing_on(ax, ("fpr", "tpr", "skew")) as drawing:
        drawing.unit_square("False positive rate", "True positive rate")
        for z in heights:
            line = _contour(surface, z)
            grey = f"{_DARK + (_LIGHT - _DARK) * z:.3f}"
            (drawn,) = drawing.ax.plot(
                line.fpr, line.tpr, color=grey, linewidth=1.2, label=f"z = {z:g}", zorder=1.5
            )
            drawing.add(f"z = {z:g}", drawn, line.fpr, line.tpr, np.full(2, z))
        best = surface.at(np.linspace(1, 0, _STEPS))
        fpr, tpr = np.r_[0, best.fpr, 1], np.r_[0, 1 - best.fnr, 1]
        hull = thin_chain(fpr, tpr, drawing.dot)
        (drawn,) = drawing.ax.plot(hull.x, hull.y, color=BLACK, linewidth=2, label="ROC hull")
        drawing.add("ROC hull", drawn, hull.x, hull.y, np.full(len(hull.x), np.nan))
        return drawing.display(
            f"Volume over the surface {surface.volume():.3f} (lines of the lowest loss, by skew z)"
        )


def _contour(surface: RocSurface, z: float) -> Isometric:
    """The line of ROC space at a skew, from edge to edge."""
    # At 0 and 1 every point of an edge of the square costs nothing; the line is then the part of
    # the edge that the lines next to it tend to.
    skew = float(np.clip(z, _NEXT_TO_END, 1 - _NEXT_TO_END))
    best = surface.at(skew)
    return loss_isometric(c=skew, prevalence=0.5, fpr=float(best.fpr), fnr=float(best.fnr))

"""A loss curve, by default a Brier curve, and the part of each class in it."""

from matplotlib.axes import Axes

from costspace.costs import Uniform
from costspace.curve import LossCurve, weighted_sum
from costspace.metrics.curves import ClassParts
from costspace.plots.axes import Display
from costspace.plots.checks import check_result
from costspace.plots.cost_space import plot_cost_space
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK, COLOURS
from costspace.plots.titles import write_title

# Those of the classes whose scores they are, in `plot_score_distributions`.
_COLOURS = {
    "both classes": BLACK,
    "false positives": COLOURS[0],
    "false negatives": COLOURS[1],
}


def plot_brier_parts(
    parts: ClassParts,
    *,
    optimal: LossCurve | None = None,
    axis: str = "cost",
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    jumps: str = "vertical",
    ax: Axes | None = None,
) -> Display:
    """Draw the loss by false positives, by false negatives, and by both: a Brier curve in parts.

    Parameters
    ----------
    parts : ClassParts
        What `class_parts` gives.
    optimal : LossCurve, optional
        The cost curve, drawn as a lower envelope.
    axis, scale, limits, jumps, ax
        As in `plot_cost_space`.

    Returns
    -------
    Display
        Its columns are "drawn", "condition" and "loss", as in `plot_cost_space`.

    Raises
    ------
    SourceError
        If something is not the result it should be.
    ConditionError
        If an option is not one of its values.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Figure 2: the Brier curve, BC0, BC1 and the cost
    curve.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> parts = cs.metrics.class_parts([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_brier_parts(parts)
    >>> list(display.artists)
    ['both classes', 'false positives', 'false negatives']
    >>> plt.close(display.figure)
    """
    check_result(parts, ClassParts, "ClassParts are needed, such as class_parts(...) gives")
    over = ConditionAxis.asked(axis, scale, limits)
    curves = {
        "both classes": weighted_sum([parts.negatives, parts.positives], weights=[1, 1]),
        "false positives": parts.negatives,
        "false negatives": parts.positives,
    }
    titled = isinstance(ax, Axes) and ax.get_title()
    display = plot_cost_space(
        curves,
        colours=_COLOURS,
        envelope=False if optimal is None else optimal,
        axis=axis,
        scale=scale,
        limits=limits,
        jumps=jumps,
        ax=ax,
    )
    if not titled:
        shown = Uniform(over.low, over.high)
        lost = [
            over.curve(curve).expectation(shown) for curve in (parts.negatives, parts.positives)
        ]
        negatives, positives = (f"{mean:.3g}" for mean in lost)
        found = f"Mean loss by false positives {negatives},\nby false negatives {positives}"
        write_title(display.ax, found)
    return display

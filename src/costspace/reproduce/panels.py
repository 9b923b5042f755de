"""Panels of ROC space and of cost space, side by side, that the papers' figures are made of."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import Display, plot_cost_space, plot_roc_space

# The papers call class 0 the positive one.
NOTE = (
    "Class 1 is positive here. With class 0 as the positive class, ROC space is mirrored at its "
    "falling diagonal."
)
# Inches of a panel, with its labels and its title.
_PANEL = (4.6, 4.9)
# Entries of a legend in one column.
_COLUMN = 5


def panels(
    title: str,
    columns: int,
    rows: int = 1,
    *,
    note: str = "",
    size: tuple[float, float] = _PANEL,
) -> tuple[Figure, list[Axes]]:
    """An empty picture and its panels, row by row; the note stands below them."""
    figure = Figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
    figure.suptitle(title)
    if note:
        figure.supxlabel(note, fontsize="small")
    return figure, list(np.ravel(figure.subplots(rows, columns)))


def legend_below(ax: Axes) -> None:
    """A legend below the axes, where it hides nothing."""
    below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16)}
    columns = 1 if len(ax.get_legend_handles_labels()[0]) <= _COLUMN else 2
    ax.legend(fontsize="small", frameon=False, ncols=columns, **below)


def name_lines(display: Display, names: Mapping[str, str] | None = None) -> None:
    """Give artists the names that a paper has for them, also in the legend."""
    for name, label in (names or {}).items():
        display.artists[name].set_label(label)
    legend_below(display.ax)


def roc_panel(ax: Axes, table: cs.ScoreTable, *, hull: bool = True) -> Display:
    """One ROC curve, solid, and its convex hull, dashed."""
    display = plot_roc_space({"ROC curve": table}, hull=hull, ax=ax)
    if hull:
        display.artists["ROC curve, hull"].set(linestyle="--", linewidth=1.2, color="black")
    name_lines(display, {"ROC curve, hull": "convex hull"} if hull else {})
    ax.set_title("ROC space")
    return display


def cost_panel(
    ax: Axes,
    table: cs.ScoreTable,
    curves: Mapping[str, cs.LossCurve] | None = None,
    looks: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    axis: str = "cost",
) -> Display:
    """The cost lines of a table's ROC points, the optimal cost curve, dashed, and other curves.

    The legend gives the areas under curves; `looks` changes how one is drawn.
    """
    lines = cs.cost_lines(
        table.distinct_points.after_flagging_all(),
        axis=axis,
        prevalence=table.prevalence if axis == "cost" else None,
    )
    drawn = {} if curves is None else dict(curves)
    display = plot_cost_space(drawn, lines=lines, envelope=True, axis=axis, ax=ax)
    ax.set_ylim(0, 1.02 * max(lines.left.max(), lines.right.max()))
    areas = {"optimal cost curve": lines.envelope(), **drawn}
    names = {
        name: f"{name}, area {curve.expectation(cs.Uniform()):.4f}" for name, curve in areas.items()
    }
    names["lower envelope"] = names.pop("optimal cost curve")
    for name, look in (looks or {}).items():
        display.artists[name].set(**look)
    name_lines(display, names)
    ax.set_title("Cost space over skews" if axis == "skew" else "Cost space over cost proportions")
    return display


def three_panels(title: str, table: cs.ScoreTable) -> Figure:
    """A table in ROC space, over cost proportions and over skews."""
    figure, (left, middle, right) = panels(title, 3, note=NOTE)
    roc_panel(left, table)
    cost_panel(middle, table)
    cost_panel(right, table, axis="skew")
    return figure

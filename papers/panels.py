"""Panels of ROC space and of cost space, side by side, that the papers' figures are made of."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import Display, plot_cost_space, plot_roc_space

# How some lines are drawn: keywords of matplotlib's `plot`, by their names.
Looks: TypeAlias = Mapping[str, Mapping[str, Any]]

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


def name_lines(display: Display, names: Mapping[str, str]) -> None:
    """Give lines the names that a paper has for them, and a legend with these."""
    for name, label in names.items():
        display.artists[name].set_label(label)
    legend_below(display.ax)


def roc_panel(ax: Axes, source: cs.ScoreSource, *, hull: bool = True) -> None:
    """One ROC curve, solid, and its convex hull, dashed."""
    dashed = {"label": "convex hull", "linestyle": "--", "linewidth": 1.2, "color": "black"}
    looks = {"ROC curve, hull": dashed} if hull else None
    plot_roc_space({"ROC curve": source}, hull=hull, looks=looks, ax=ax)
    legend_below(ax)
    ax.set_title("ROC space")


def cost_panel(
    ax: Axes,
    table: cs.ScoreTable,
    curves: Mapping[str, cs.LossCurve] = MappingProxyType({}),
    *,
    looks: Looks | None = None,
    axis: str = "cost",
) -> None:
    """The cost lines of a table's ROC points, the optimal cost curve, dashed, and other curves.

    The legend gives the areas under curves.
    """
    lines = cs.cost_lines(
        table.distinct_points.after_flagging_all(),
        axis=axis,
        prevalence=table.prevalence if axis == "cost" else None,
    )
    display = plot_cost_space(curves, lines=lines, envelope=True, looks=looks, axis=axis, ax=ax)
    ax.set_ylim(0, 1.02 * max(lines.left.max(), lines.right.max()))
    areas = {name: curve.expectation(cs.Uniform()) for name, curve in curves.items()}
    names = {name: f"{name}, area {area:.4f}" for name, area in areas.items()}
    least = lines.envelope().expectation(cs.Uniform())
    name_lines(display, {**names, "lower envelope": f"optimal cost curve, area {least:.4f}"})
    ax.set_title("Cost space over skews" if axis == "skew" else "Cost space over cost proportions")


def three_panels(title: str, table: cs.ScoreTable) -> Figure:
    """A table in ROC space, over cost proportions and over skews."""
    figure, (left, middle, right) = panels(title, 3, note=NOTE)
    roc_panel(left, table)
    cost_panel(middle, table)
    cost_panel(right, table, axis="skew")
    return figure

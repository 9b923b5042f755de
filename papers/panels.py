"""Panels of ROC space and of cost space, side by side, that the papers' figures are made of."""

from collections.abc import Mapping
from textwrap import fill
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import Display, plot_cost_space, plot_roc_space
from costspace.plots.labels import label_lines

# How some lines are drawn: keywords of matplotlib's `plot`, by their names.
Looks: TypeAlias = Mapping[str, Mapping[str, Any]]

# The papers call class 0 the positive one.
NOTE = (
    "Class 1 is positive here. With class 0 as the positive class, ROC space is mirrored at its "
    "falling diagonal."
)
# Letters of an inch of title.
_LETTERS = 12
# Inches of a panel, with its labels and its title.
_PANEL = (3.6, 3.5)


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
    figure.suptitle(fill(title, int(_LETTERS * size[0] * columns)), fontsize="medium")
    if note:
        lines = [fill(line, int(_LETTERS * size[0] * columns)) for line in note.splitlines()]
        figure.supxlabel("\n".join(lines), fontsize="small")
    return figure, list(np.ravel(figure.subplots(rows, columns)))


def entitle(ax: Axes, title: str) -> None:
    """Give a panel its title, in letters as large as those of its axes, and names to its lines."""
    ax.set_title(title, fontsize="small")
    ax.tick_params(labelsize="small")
    ax.xaxis.label.set_fontsize("small")
    ax.yaxis.label.set_fontsize("small")
    label_lines(ax)


def name_lines(display: Display, names: Mapping[str, str]) -> None:
    """Give lines the names that a paper has for them."""
    for name, label in names.items():
        display.artists[name].set_label(label)


def roc_panel(ax: Axes, source: cs.ScoreSource, *, hull: bool = True) -> None:
    """One ROC curve and, thin and black, its convex hull."""
    thin = {"label": "convex hull", "linewidth": 1.0, "color": "black"}
    looks = {"ROC curve, hull": thin} if hull else None
    plot_roc_space({"ROC curve": source}, hull=hull, looks=looks, ax=ax)
    entitle(ax, "ROC space")


def cost_panel(
    ax: Axes,
    table: cs.ScoreTable,
    curves: Mapping[str, cs.LossCurve] = MappingProxyType({}),
    *,
    looks: Looks | None = None,
    axis: str = "cost",
) -> None:
    """The cost lines of a table's ROC points, the optimal cost curve and others, with areas."""
    lines = cs.cost_lines(
        table.distinct_points.after_flagging_all(),
        axis=axis,
        prevalence=table.prevalence if axis == "cost" else None,
    )
    display = plot_cost_space(curves, lines=lines, envelope=True, looks=looks, axis=axis, ax=ax)
    ax.set_ylim(0, 1.02 * max(lines.left.max(), lines.right.max()))
    areas = {name: curve.expectation(cs.Uniform()) for name, curve in curves.items()}
    names = {name: f"{name},\narea {area:.4f}" for name, area in areas.items()}
    least = lines.envelope().expectation(cs.Uniform())
    name_lines(display, {**names, "lower envelope": f"optimal cost curve,\narea {least:.4f}"})
    entitle(ax, f"Cost space, over the {'skew' if axis == 'skew' else 'cost proportion'}")


def three_panels(title: str, table: cs.ScoreTable) -> Figure:
    """A table in ROC space, over cost proportions and over skews."""
    figure, (left, middle, right) = panels(title, 3, note=NOTE)
    roc_panel(left, table)
    cost_panel(middle, table)
    cost_panel(right, table, axis="skew")
    return figure

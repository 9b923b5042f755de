"""Drawings of Ratigan and Cowen (2024), The VOROS."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import plot_roc_space, plot_roc_surface
from costspace.plots.style import COLOURS, style
from papers import samples
from papers.panels import entitle, panels
from papers.voros.models import LABELS, Tables, credit, diabetes, wisconsin
from papers.voros.tables import CREDIT, WHOLE, Range, dividing_skews, typical, volumes

_SHADE = "0.85"
# Of Figure 1: any point that beats both baselines at the skew.
_SKEW, _FPR, _FNR = 0.4, 0.3, 0.2
# Of Figure 2: one skew on either side of 1/2.
_SKEWS = (0.35, 0.65)
# Of Figure 3: where the volume is cut, and of the surfaces.
_SLICES = (0.2, 0.5, 0.8)
_CONTOURS = (0.1, 0.3, 0.5, 0.7, 0.9)
# The side of the corner of ROC space that Figure 4 shows of surfaces.
_CORNER = 0.4
# Of the models, from the simplest one on.
_ORDER = ("logistic", "bayes", "forest")


def figure_1() -> Figure:
    """The area below the line of equal cost through a point."""
    figure, (ax,) = panels("Figure 1: area of lesser classifiers of the point (h, k)", 1)
    _lesser(ax, _SKEW, _FPR, _FNR)
    ax.annotate("(h, k)", (_FPR, 1 - _FNR), xytext=(8, -14), textcoords="offset points")
    entitle(ax, f"t = {_SKEW:g}")
    return figure


def figure_2() -> Figure:
    """The better baseline's area, where that flags everybody and where it flags nobody."""
    figure, axes = panels("Figure 2: area of lesser classifiers of the better baseline", 2)
    rules = (("flag everybody", 1, 0), ("flag nobody", 0, 1))
    for ax, skew, (name, fpr, fnr) in zip(axes, _SKEWS, rules, strict=True):
        _lesser(ax, skew, fpr, fnr)
        entitle(ax, f"{name}, t = {skew:g} {'<' if skew < 0.5 else '>'} 1/2")
    return figure


def figure_3() -> Figure:
    """The baselines' area over t, and slices of the volume that these areas make."""
    title = "Figure 3: area of lesser classifiers of the baselines, and slices of the volume"
    figure, (left, *slices) = panels(title, 2, 2)
    surface = cs.roc_surface(samples.BASELINES.table())
    t = np.linspace(0, 1, 401)
    left.plot(t, surface.lesser_area(t), color=COLOURS[0], linewidth=1.6)
    left.fill_between(t, surface.lesser_area(t), color=_SHADE, linewidth=0)
    left.set(xlim=(0, 1), ylim=(0, 1.05), xlabel="t", ylabel="Area of lesser classifiers")
    entitle(left, f"its mean is the volume, {surface.volume():.4f}")
    for ax, z in zip(slices, _SLICES, strict=True):
        best = surface.at(z)
        _lesser(ax, z, float(best.fpr), float(best.fnr))
        entitle(ax, f"slice at t = {z:g}")
    return figure


def figure_4() -> Figure:
    """The Wisconsin data, whose curves are close to the upper left corner."""
    title = "Figure 4: Wisconsin breast cancer data, the upper left corner of ROC space enlarged"
    figure = _curves_and_surfaces(title, wisconsin())
    curves, *surfaces = figure.axes
    _enlarge(curves)
    for ax in surfaces:
        ax.set(xlim=(-0.01, _CORNER), ylim=(1 - _CORNER, 1.01))
    return figure


def figure_5() -> Figure:
    """The data that stand in for ultrasound images."""
    title = "Figure 5: scikit-learn's diabetes data in place of breast ultrasound images"
    return _curves_and_surfaces(title, diabetes())


def figure_6() -> Figure:
    """The hulls of two models of credit fraud, and where they cost the same."""
    figure, (ax,) = panels("Figure 6: hulls of two models of made-up credit fraud", 1)
    shown = typical(credit(), CREDIT)
    tables = {LABELS[name]: scored[shown] for name, scored in credit().items()}
    looks = {f"{name}, hull": {"linewidth": 1.8} for name in tables}
    plot_roc_space(tables, curve=False, looks=looks, ax=ax)
    skew = dividing_skews(credit())[shown]
    points = [cs.roc_surface(table).at(skew) for table in tables.values()]
    ax.plot(
        [point.fpr for point in points],
        [1 - point.fnr for point in points],
        "o-",
        color="black",
        label=f"equal cost at t = {skew:.4f}",
    )
    return figure


def figure_7() -> Figure:
    """The ROC surfaces of both."""
    title, tables = "Figure 7: ROC surfaces of two models of made-up credit fraud", credit()
    figure, axes = panels(title, 2)
    for ax, name, letter in zip(axes, tables, "ab", strict=True):
        _surface(ax, letter, name, tables, CREDIT)
    return figure


def _lesser(ax: Axes, skew: float, fpr: float, fnr: float) -> None:
    """Shade what costs more than a point, and measure the white triangle that is left."""
    line = cs.roc.loss_isometric(c=skew, prevalence=0.5, fpr=fpr, fnr=fnr)
    plot_roc_space({}, ax=ax)
    ax.plot(line.fpr, line.tpr, color="black", label="equal cost,\nslope m = t / (1 - t)")
    ax.plot([fpr], [1 - fnr], "o", color="black", label="the point", clip_on=False)
    ax.fill(*_outline(line).T, color=_SHADE, linewidth=0, zorder=0)
    area = cs.metrics.lesser_area(fpr, fnr, z=skew)
    said = f"lesser classifiers\n$A_t$ = 1 - BH/2 = {area:.4f}"
    ax.text(0.68, 0.2, said, ha="center", fontsize="small")
    for name, end, aside in (
        ("B", (line.fpr[1], 1), (0, -10)),
        ("H", (0, line.tpr[0]), (10, 0)),
    ):
        _measure(ax, name, end, aside)


def _outline(line: cs.roc.Isometric) -> Any:
    """Corners of the part of ROC space below a line from its left edge or corner to its top."""
    return np.vstack([np.column_stack([line.fpr, line.tpr]), [[1, 1], [1, 0], [0, 0]]])


def _measure(ax: Axes, name: str, end: tuple[float, float], aside: tuple[float, float]) -> None:
    """Name the side of the white triangle from the upper left corner to an end."""
    ax.plot([0, end[0]], [1, end[1]], color=COLOURS[1], linewidth=2.4)
    ax.annotate(
        name,
        (end[0] / 2, (1 + end[1]) / 2),
        xytext=aside,
        textcoords="offset points",
        color=COLOURS[1],
        horizontalalignment="center",
        verticalalignment="center",
    )


def _curves_and_surfaces(title: str, tables: Tables) -> Figure:
    """ROC curves of three models on all splits, and the ROC surface of each on a typical one."""
    shown = typical(tables)
    figure, (curves, *surfaces) = panels(title, 2, 2)
    named = {LABELS[name]: tables[name] for name in _ORDER}
    typical_ones = {name: scored[shown] for name, scored in named.items()}
    plot_roc_space(typical_ones, hull=False, ax=curves)
    for i, scored in enumerate(named.values()):
        thin: dict[str, Any] = {"color": style(i).colour, "linewidth": 0.5, "alpha": 0.15}
        for table in scored:
            points = table.distinct_points.after_flagging_all()
            curves.plot(points.fpr, 1 - points.fnr, **thin, zorder=1)
    splits = len(tables["logistic"])
    entitle(curves, f"(a) ROC curves on a typical one\nof {splits} splits, thin: on all")
    for ax, name, letter in zip(surfaces, _ORDER, "bcd", strict=True):
        _surface(ax, letter, name, tables)
    return figure


def _enlarge(ax: Axes) -> None:
    """Show the upper left corner of ROC space once more, in the empty part of the axes."""
    inset = ax.inset_axes((0.4, 0.08, 0.56, 0.56), xlim=(-0.005, 0.25), ylim=(0.75, 1.005))
    for line in ax.get_lines():
        inset.plot(
            *line.get_data(),
            color=line.get_color(),
            linewidth=line.get_linewidth(),
            alpha=line.get_alpha(),
            zorder=line.get_zorder(),
        )
    inset.tick_params(labelsize="small")
    ax.indicate_inset_zoom(inset)


def _surface(ax: Axes, letter: str, name: str, tables: Tables, skews: Range = WHOLE) -> None:
    """The ROC surface of a model on a typical split, by contour lines, and the volumes on all."""
    shown = typical(tables, skews)
    display = plot_roc_surface(cs.roc_surface(tables[name][shown]), skews=_CONTOURS, ax=ax)
    for t in _CONTOURS:
        display.artists[f"z = {t:g}"].set_label(f"t = {t:g}")
    found = volumes({name: tables[name]}, skews)[name]
    over = "" if skews == WHOLE else f" on [{skews[0]:.4f}, {skews[1]:.4f}]"
    entitle(
        ax,
        f"({letter}) {LABELS[name]}: volume{over} {found[shown]:.4f}\n"
        f"(median {np.median(found):.4f}, {found.min():.4f} to {found.max():.4f})",
    )

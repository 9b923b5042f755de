"""Drawings of the lecture on cost curves, after Drummond and Holte (2006)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import Display, plot_cost_space, plot_roc_space
from costspace.plots.style import BLACK, GREY, style
from costspace.reproduce import samples
from costspace.reproduce.lecture import stand_ins
from costspace.reproduce.panels import legend_below, name_lines, panels
from costspace.reproduce.threshold_choice.models import MODELS

# Costs of the two mistakes, where they differ.
FP_COST, FN_COST = 1.0, 3.0
# The probability cost at which a distance is marked.
MARKED = 0.3
# Thresholds of one classifier: how many of them each step adds, and those of the operating range.
_THRESHOLDS = np.arange(1, 10) / 10
STEPS = (1, 5, 9)
_FEW_THRESHOLDS = np.array([0.3, 0.5, 0.7])

Points = Mapping[str, cs.OperatingPoints]
Looks = Mapping[str, Mapping[str, Any]]


def _point(fpr: float, fnr: float) -> cs.OperatingPoints:
    return cs.OperatingPoints(np.array([fpr]), np.array([fnr]))


_TWO: Points = {"C4.5": samples.ONE_R_AND_C45[1:], "1R": samples.ONE_R_AND_C45[:1]}
_THREE: Points = {f"classifier {i + 1}": stand_ins.THREE_CLASSIFIERS[i : i + 1] for i in range(3)}
_FAMILIES: Points = {f"family {name}": points for name, points in stand_ins.FAMILIES.items()}
_WORST: Points = {"worst": _point(1, 1)}
_PERFECT: Points = {"perfect": _point(0, 0)}
_TRIVIAL: Points = {"always negative": _point(0, 1), "always positive": _point(1, 0)}
_SAME_EVERYWHERE: Looks = {
    "worst": {"color": BLACK, "linestyle": "--", "marker": "X"},
    "perfect": {"color": BLACK, "linestyle": "-", "linewidth": 4, "marker": "*"},
    "always negative": {"color": GREY, "linestyle": "--", "marker": "<"},
    "always positive": {"color": GREY, "linestyle": (0, (2, 2)), "marker": ">"},
}


def lines() -> Figure:
    """Points of ROC space as lines over the share of positives: three of the slides."""
    title = "Cost lines: points of ROC space and their error rates over the share of positives"
    figure, axes = panels(title, 3, 2)
    shown = (_TWO, _THREE, {**_FAMILIES, **_WORST, **_PERFECT, **_TRIVIAL})
    for points, above, below in zip(shown, axes[:3], axes[3:], strict=True):
        _draw_points(above, points)
        _draw_lines(below, points, axis="prevalence")
        below.set_ylabel("Error rate")
    axes[3].set_ylim(0, 0.5)
    _mark_crossing(axes[3], samples.ONE_R_AND_C45)
    _mark_crossing(axes[4], stand_ins.THREE_CLASSIFIERS[1:])
    return figure


def envelope() -> Figure:
    """Points of one classifier, threshold by threshold, their lines and the lower envelope."""
    figure, axes = panels("A cost curve is the lower envelope of cost lines", len(STEPS), 2)
    points = MODELS[5].by_score.at(_THRESHOLDS)
    named = {f"threshold {t:g}": points[i : i + 1] for i, t in enumerate(_THRESHOLDS)}
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(named)))
    looks = {
        name: {"color": colour, "marker": "o"} for name, colour in zip(named, colours, strict=True)
    }
    for count, above, below in zip(STEPS, axes[: len(STEPS)], axes[len(STEPS) :], strict=True):
        shown = list(named)[:count]
        _draw_points(above, {name: named[name] for name in shown}, looks, legend=False)
        for t, fpr, fnr in zip(_THRESHOLDS[:count], points.fpr, points.fnr, strict=False):
            above.annotate(f"{t:g}", (fpr, 1 - fnr), xytext=(5, -12), textcoords="offset points")
        _draw_lines(below, {name: named[name] for name in shown}, axis="prevalence", looks=looks)
        below.set_ylabel("Error rate")
    curve = cs.cost_lines(points, axis="prevalence").envelope()
    x = curve.breaks
    axes[-1].plot(x, curve(x), color=BLACK, linewidth=3, zorder=3, label="cost curve")
    legend_below(axes[-1])
    return figure


def costs() -> Figure:
    """Lines over the share of positives with equal and with unequal costs, and over PC(+)."""
    figure, (equal, unequal, normalised) = panels(
        "When costs differ: normalised expected cost over the probability cost PC(+)", 3
    )
    points = {**_TWO, **_TRIVIAL, **_WORST}
    _draw_lines(equal, points, axis="prevalence")
    equal.set_ylabel("Error rate")
    equal.set_title("Costs 1 : 1")
    _draw_lines(unequal, points, axis="prevalence", fp_cost=FP_COST, fn_cost=FN_COST)
    unequal.set_title(f"Costs {FP_COST:g} : {FN_COST:g} of false positives and negatives")
    _draw_lines(normalised, points, axis="pc")
    normalised.set_title("Any costs, normalised")
    return figure


def trivial() -> Figure:
    """A cost curve between the diagonals of the trivial classifiers, and its operating range."""
    figure, (left, right) = panels("Compared with the trivial classifiers", 2)
    points = MODELS[5].by_score.at(_FEW_THRESHOLDS)
    _draw_points(left, {"classifier": points, **_TRIVIAL})
    curve = cs.cost_lines(points, axis="skew").envelope()
    _draw_curves(right, {"classifier": curve}, operating_range=True)
    least, gained = (float(one(1 - MARKED)) for one in (curve, cs.advantage(curve, 0.5)))
    _mark_distance(right, least, least + gained, "advantage")
    return figure


def compare() -> Figure:
    """Two classifiers whose ROC curves cross, and their cost curves, which do, too."""
    figure, (left, right) = panels("Two classifiers compared", 2)
    models = stand_ins.mirrored_models()
    dashes = {"f1": "--", "f2": ":"}
    display = plot_roc_space(models, hull=False, ax=left)
    for name, dash in dashes.items():
        display.artists[name].set(linestyle=dash, linewidth=2)
    name_lines(display)
    curves = {name: cs.loss_curve(model, choice=cs.Optimal()) for name, model in models.items()}
    display = _draw_curves(right, curves)
    for name, dash in dashes.items():
        display.artists[name].set(linestyle=dash, linewidth=2, marker="")
    name_lines(display)
    losses = cs.losses_at(curves, 1 - MARKED)
    least, more = losses.loss
    _mark_distance(right, least, more, f"{losses.names[0]} costs less by")
    return figure


def _draw_points(
    ax: Axes, points: Points, looks: Looks | None = None, *, legend: bool = True
) -> None:
    plot_roc_space({}, ax=ax)
    for name, look in _looks(points, looks).items():
        ax.plot(
            points[name].fpr,
            1 - points[name].fnr,
            label=name,
            **{**look, "linestyle": "none", "markersize": 8},
            clip_on=False,
        )
    if legend:
        legend_below(ax)


def _draw_lines(
    ax: Axes, points: Points, *, axis: str, looks: Looks | None = None, **costs: float
) -> None:
    plot_cost_space({}, axis=axis, ax=ax)
    highest = 0.0
    for name, look in _looks(points, looks).items():
        ends = cs.cost_lines(points[name], axis=axis, **costs)
        drawn = ax.plot([0, 1], [ends.left, ends.right], **{**look, "marker": ""})
        drawn[0].set_label(name)
        highest = max(highest, ends.left.max(), ends.right.max())
    ax.set_ylim(0, 1.02 * highest)
    legend_below(ax)


def _draw_curves(
    ax: Axes, curves: Mapping[str, cs.LossCurve], *, operating_range: bool = False
) -> Display:
    """Cost curves over PC(+), and the trivial classifiers as everywhere."""
    display = plot_cost_space(
        curves, trivial=0.5, operating_range=operating_range, axis="pc", ax=ax
    )
    names = {"flag everybody": "always positive", "flag nobody": "always negative"}
    for name, label in names.items():
        look = _SAME_EVERYWHERE[label]
        display.artists[name].set(linestyle=look["linestyle"], color=look["color"])
    ax.set_ylim(0, 0.55)
    name_lines(display, names)
    return display


def _looks(points: Points, looks: Looks | None) -> Looks:
    if looks is not None:
        return {name: looks[name] for name in points}
    return {name: _SAME_EVERYWHERE.get(name, _look(i)) for i, name in enumerate(points)}


def _look(i: int) -> Mapping[str, Any]:
    look = style(i)
    return {
        "color": look.colour,
        "linestyle": look.dashes,
        "linewidth": 2,
        "marker": look.marker,
    }


def _mark_crossing(ax: Axes, points: cs.OperatingPoints) -> None:
    """Write where the lines of two points cross."""
    ends = cs.cost_lines(points, axis="prevalence")
    share = ends.crossing()
    if share is not None:
        loss = ends(share)[0]
        ax.plot(share, loss, color=BLACK, marker="o", markersize=4)
        ax.annotate(
            f"({share:.2f}, {loss:.2f})",
            (share, loss),
            xytext=(0, 18),
            textcoords="offset points",
            horizontalalignment="center",
        )


def _mark_distance(ax: Axes, low: float, high: float, what: str) -> None:
    """An arrow from one loss to another at the probability cost that is marked."""
    arrow = {"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (MARKED, low), (MARKED, high), arrowprops=arrow, zorder=4)
    ax.annotate(
        f"{what} {high - low:.3f}\nat PC(+) = {MARKED:g}",
        (MARKED, low),
        xytext=(0, -8),
        textcoords="offset points",
        verticalalignment="top",
    )

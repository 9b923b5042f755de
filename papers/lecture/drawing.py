"""Drawings of the lecture on cost curves, after Drummond and Holte (2006)."""

from collections.abc import Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import plot_cost_space, plot_roc_space
from costspace.plots.style import style
from papers.lecture.models import FAMILIES, MIRRORED, ONE_R_AND_C45, THREE_CLASSIFIERS, TRIANGLES
from papers.panels import Looks, entitle, panels

# Costs of the two mistakes, where they differ.
FP_COST, FN_COST = 1.0, 3.0
# The probability cost at which a distance is marked.
MARKED = 0.3
# Thresholds of one classifier: how many of them each step adds, and those of the operating range.
_THRESHOLDS = np.arange(1, 10) / 10
STEPS = (1, 5, 9)
_FEW_THRESHOLDS = np.array([0.3, 0.5, 0.7])


def _point(fpr: float, fnr: float) -> cs.OperatingPoints:
    return cs.OperatingPoints(np.array([fpr]), np.array([fnr]))


_Points = Mapping[str, cs.OperatingPoints]
_TWO: _Points = {"C4.5": ONE_R_AND_C45[1:], "1R": ONE_R_AND_C45[:1]}
_THREE: _Points = {f"classifier {i + 1}": THREE_CLASSIFIERS[i : i + 1] for i in range(3)}
_FAMILIES: _Points = {f"family {name}": points for name, points in FAMILIES.items()}
_WORST: _Points = {"worst": _point(1, 1)}
_PERFECT: _Points = {"perfect": _point(0, 0)}
_TRIVIAL: _Points = {"always negative": _point(0, 1), "always positive": _point(1, 0)}
_SAME_EVERYWHERE: Looks = {
    "worst": {"color": "black", "linewidth": 1.0, "marker": "X"},
    "perfect": {"color": "black", "linewidth": 4, "marker": "*"},
    "always negative": {"color": "0.4", "linewidth": 1.0, "marker": "<"},
    "always positive": {"color": "0.4", "linewidth": 1.0, "marker": ">"},
}
# The rules that need no model, by costspace's names, as curves.
_RULES: Looks = {
    rule: {**_SAME_EVERYWHERE[name], "marker": "", "label": name}
    for rule, name in (("flag everybody", "always positive"), ("flag nobody", "always negative"))
}


def lines() -> Figure:
    """Points of ROC space as lines over the share of positives: three of the slides."""
    title = "Cost lines: points of ROC space and their error rates over the share of positives"
    figure, axes = panels(title, 3, 2)
    shown = (_TWO, _THREE, {**_FAMILIES, **_WORST, **_PERFECT, **_TRIVIAL})
    for points, above, below in zip(shown, axes[:3], axes[3:], strict=True):
        _draw_points(above, points, _looks(points))
        _draw_lines(below, points, _looks(points), axis="prevalence")
        below.set_ylabel("Error rate")
    axes[3].set_ylim(0, 0.5)
    _mark_crossing(axes[3], ONE_R_AND_C45)
    _mark_crossing(axes[4], THREE_CLASSIFIERS[1:])
    return figure


def envelope() -> Figure:
    """Points of one classifier, threshold by threshold, their lines and the lower envelope."""
    title = "A cost curve is the lower envelope of cost lines, one for each threshold"
    figure, axes = panels(title, len(STEPS), 2)
    points = TRIANGLES.by_score.at(_THRESHOLDS)
    named = {f"threshold {t:g}": points[i : i + 1] for i, t in enumerate(_THRESHOLDS)}
    colours = colormaps["cividis"](np.linspace(0, 0.85, len(named)))
    looks = {
        name: {"color": colour, "marker": "o", "label": name.removeprefix("threshold ")}
        for name, colour in zip(named, colours, strict=True)
    }
    for count, above, below in zip(STEPS, axes[: len(STEPS)], axes[len(STEPS) :], strict=True):
        shown = {name: named[name] for name in list(named)[:count]}
        drawn = {name: looks[name] for name in shown}
        _draw_points(above, shown, drawn)
        _draw_lines(below, shown, drawn, axis="prevalence")
        below.set_ylabel("Error rate")
    curve = cs.cost_lines(points, axis="prevalence").envelope()
    x = curve.breaks
    axes[-1].plot(x, curve(x), color="black", linewidth=3, zorder=3, label="cost curve")
    return figure


def costs() -> Figure:
    """Lines over the share of positives with equal and with unequal costs, and over PC(+)."""
    figure, (equal, unequal, normalised) = panels(
        "When costs differ: normalised expected cost over the probability cost PC(+)", 3
    )
    points = {**_TWO, **_TRIVIAL, **_WORST}
    looks = _looks(points)
    _draw_lines(equal, points, looks, axis="prevalence")
    equal.set_ylabel("Error rate")
    entitle(equal, "Costs 1 : 1")
    _draw_lines(unequal, points, looks, axis="prevalence", fp_cost=FP_COST, fn_cost=FN_COST)
    entitle(unequal, f"Costs {FP_COST:g} : {FN_COST:g} of false positives and negatives")
    _draw_lines(normalised, points, looks, axis="pc")
    entitle(normalised, "Any costs, normalised")
    return figure


def trivial() -> Figure:
    """A cost curve between the diagonals of the trivial classifiers, and its operating range."""
    figure, (left, right) = panels("Compared with the trivial classifiers", 2)
    points = {"classifier": TRIANGLES.by_score.at(_FEW_THRESHOLDS), **_TRIVIAL}
    _draw_points(left, points, _looks(points))
    curve = cs.cost_lines(points["classifier"], axis="skew").envelope()
    _draw_curves(right, {"classifier": curve}, _RULES, operating_range=True)
    least, gained = (
        float(one(1 - MARKED)) for one in (curve, cs.metrics.advantage(curve, prevalence=0.5))
    )
    _mark_distance(right, least, least + gained, "advantage")
    return figure


def compare() -> Figure:
    """Two classifiers whose ROC curves cross, and their cost curves, which do, too."""
    figure, (left, right) = panels("Two classifiers compared", 2)
    looks: Looks = {name: {"linewidth": 2} for name in MIRRORED}
    plot_roc_space(MIRRORED, hull=False, looks=looks, ax=left)
    curves = {name: cs.loss_curve(model, choice=cs.Optimal()) for name, model in MIRRORED.items()}
    _draw_curves(right, curves, {**_RULES, **looks})
    losses = cs.comparison.losses_at(curves, condition=1 - MARKED)
    least, more = losses.loss
    _mark_distance(right, least, more, f"{losses.names[0]} costs less by")
    return figure


def _looks(points: _Points) -> Looks:
    """How each classifier is drawn, as a point and as a line."""
    usual = {
        name: {**style(i).line(), "linestyle": "-", "marker": style(i).marker}
        for i, name in enumerate(points)
    }
    return {name: _SAME_EVERYWHERE.get(name, look) for name, look in usual.items()}


def _draw_points(ax: Axes, points: _Points, looks: Looks) -> None:
    marks = {
        name: {"label": name, **look, "linestyle": "none", "clip_on": False}
        for name, look in looks.items()
    }
    plot_roc_space({}, points=points, looks=marks, ax=ax)


def _draw_lines(ax: Axes, points: _Points, looks: Looks, *, axis: str, **costs: float) -> None:
    """The cost lines of each classifier, in its look."""
    plot_cost_space({}, axis=axis, ax=ax)
    highest = 0.0
    for name, look in looks.items():
        ends = cs.cost_lines(points[name], axis=axis, **costs)
        first, *_ = ax.plot(
            [0, 1], [ends.left, ends.right], **{**look, "marker": "", "label": None}
        )
        first.set_label(look.get("label", name))
        highest = max(highest, ends.left.max(), ends.right.max())
    ax.set_ylim(0, 1.02 * highest)


def _draw_curves(
    ax: Axes, curves: Mapping[str, cs.LossCurve], looks: Looks, *, operating_range: bool = False
) -> None:
    """Cost curves over PC(+), and the trivial classifiers."""
    plot_cost_space(
        curves, trivial=0.5, operating_range=operating_range, axis="pc", looks=looks, ax=ax
    )
    ax.set_ylim(0, 0.55)


def _mark_crossing(ax: Axes, points: cs.OperatingPoints) -> None:
    """Write where the lines of two points cross."""
    ends = cs.cost_lines(points, axis="prevalence")
    share = ends.crossing()
    if share is not None:
        loss = ends(share)[0]
        ax.plot(share, loss, color="black", marker="o", markersize=4)
        ax.annotate(
            f"({share:.2f}, {loss:.2f})",
            (share, loss),
            fontsize="small",
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
        fontsize="small",
        xytext=(0, -8),
        textcoords="offset points",
        verticalalignment="top",
    )

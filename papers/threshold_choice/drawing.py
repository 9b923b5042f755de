"""Drawings of Hernandez-Orallo, Flach, Ferri (2012), Threshold choice methods, JMLR 13."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.integrate import trapezoid

import costspace as cs
from costspace.plots import plot_cost_space, plot_roc_space, plot_score_distributions
from costspace.plots.style import COLOURS, style
from papers.panels import NOTE, entitle, name_lines, panels, roc_panel
from papers.threshold_choice.appendix_models import MODELS
from papers.threshold_choice.two_models import two_models

Look: TypeAlias = dict[str, Any]

_BINS = 20
# Shares of negatives, in the paper the positives, on the two sides of Figure 3.
_SKEWS = (0.25, 0.75)
_RATE = {"rate-driven": cs.RateDriven(), "rate-uniform": cs.RateUniform()}

# Thresholds drawn on a stretch between two kinks, and how close to the kinks they come.
_POINTS, _INSIDE = 401, 1e-9
# The paper's colours, in shades that the colour-blind can tell apart; of lines that coincide the
# first is wide.
_BROWN: Look = {"color": "#C7A76C", "linewidth": 4.5}
_PURPLE: Look = {"color": COLOURS[3], "linewidth": 1.8}
_GREEN: Look = {"color": COLOURS[2], "linewidth": 1.0}
_DARK: Look = {"color": "black", "linewidth": 1.2, "zorder": 3, "marker": "D"}
# Curves are cut off at this many times the greatest loss.
_TALL = 6
# The models of the appendix, by the number of the figure.
_TITLES = {
    5: "A perfectly calibrated model of two triangles",
    6: "The same ranking with linear c'(T)",
    7: "The same ranking with c'(T) that bends",
    8: "A strictly convex model",
    9: "A convex model with a straight segment",
    10: "A model that is not convex",
    11: "A diagonal model",
    12: "A diagonal model with all scores close to 1/2",
    13: "A strictly convex model between singular intervals",
    14: "A convex model that does not start at c = 0",
    15: "A discontinuous model",
}


def figure_1() -> Figure:
    """Histograms of both models' scores."""
    figure, axes = panels("Figure 1: score distributions of two models", 2)
    for ax, (name, table) in zip(axes, two_models().items(), strict=True):
        plot_score_distributions(table, bins=_BINS, limits=(0, 1), ax=ax)
        entitle(ax, f"Model {name}")
    return figure


def figure_2() -> Figure:
    """ROC curves of both models."""
    figure, axes = panels("Figure 2: ROC curves of two models", 2, note=NOTE)
    for ax, (name, table) in zip(axes, two_models().items(), strict=True):
        roc_panel(ax, table)
        entitle(ax, f"Model {name}, AUC {cs.auc(table):.3f}")
    return figure


def figure_3() -> Figure:
    """What the rate-driven choice makes of the class shares, and the rate-uniform one does not."""
    title = "Figure 3: the rate-driven choice where both mistakes cost the same, model A"
    figure, (*sides, right) = panels(title, 3, note=NOTE)
    table = two_models()["A"]
    for ax, z in zip(sides, _SKEWS, strict=True):
        _draw_rates(ax, table, z)
    curves = {name: cs.loss_curve(table, choice=c, axis="skew") for name, c in _RATE.items()}
    means = {name: curve.expectation(cs.Uniform()) for name, curve in curves.items()}
    looks = {name: {"label": f"{name}, mean {mean:.4f}"} for name, mean in means.items()}
    plot_cost_space(curves, axis="skew", looks=looks, ax=right)
    for z in _SKEWS:
        right.axvline(z, color="0.6", linewidth=0.8)
    entitle(right, "Loss at every share z of class 0")
    return figure


def _draw_rates(ax: Axes, table: cs.ScoreTable, z: float) -> None:
    """Where in ROC space both choices are at a skew, and what share they flag there."""
    balanced = table.with_prevalence(0.5)
    points = {name: choice.path(balanced).at(np.array([z])) for name, choice in _RATE.items()}
    looks: dict[str, Look] = {"ROC curve": {"color": "0.4"}}
    for i, (name, point) in enumerate(points.items()):
        flagged = float(point.fpr[0] + 1 - point.fnr[0]) / 2
        loss = cs.condition.loss_at(float(point.fpr[0]), float(point.fnr[0]), c=z, prevalence=0.5)
        label = f"{name}:\nflags {flagged:.2f}, loss {loss:.3f}"
        colour = style(i).colour
        looks[name] = {"color": colour, "marker": style(i).marker, "label": label}
        line = cs.roc.rate_isometric(flagged=flagged, prevalence=0.5)
        ax.plot(line.fpr, line.tpr, color=colour, linewidth=0.8)
    plot_roc_space({"ROC curve": balanced}, hull=False, points=points, looks=looks, ax=ax)
    entitle(ax, f"z = {z:g}: class {0 if z > 0.5 else 1} is the majority")


def draw_model(figure: int) -> Figure:
    """A model of the appendix: densities, distributions, ROC curve, and three curves of loss."""
    model = MODELS[figure]
    picture, (densities, cumulative, roc, losses) = panels(
        f"Figure {figure}: {_TITLES[figure]}", 2, 2, note=NOTE
    )
    t, c, slope = _conditions(model)
    # The mark is all that can be seen of a model whose scores are close together.
    dark = {**_DARK, "markevery": [len(t) // 2]}
    display = plot_score_distributions(model, limits=(0, 1), ax=densities)
    densities.plot(t, slope, label="c'(T)", **dark)
    _hold(densities, slope)
    name_lines(display, {"negatives": "f0, negatives", "positives": "f1, positives"})
    display = plot_score_distributions(model, kind="cumulative", limits=(0, 1), ax=cumulative)
    cumulative.plot(t, c, label="c(T)", **dark)
    name_lines(display, {"negatives": "F0, negatives", "positives": "F1, positives"})
    roc_panel(roc, model, hull=not model.is_convex)
    _draw_losses(losses, model)
    titles = ("Densities", "Distributions", "ROC space", "Loss, counted three ways")
    for ax, name in zip(picture.axes, titles, strict=True):
        entitle(ax, name)
    return picture


def _draw_losses(ax: Axes, model: cs.AnalyticScores) -> None:
    """The loss over conditions, and over thresholds its transformed and its refinement part."""
    t, c, slope = _conditions(model)
    condition = np.linspace(0, 1, _POINTS)
    loss = np.asarray(cs.loss_curve(model, choice=cs.Optimal())(condition))
    if model.is_convex:
        transformed = _on_stretches(model, lambda t: cs.pointwise.optimal_loss_density(model, t=t))
    else:
        points = model.by_score.at(t)
        transformed = (
            cs.condition.loss_at(
                points.fpr, points.fnr, c=np.nan_to_num(c), prevalence=model.prevalence
            )
            * slope
        )
    refinement = _on_stretches(model, lambda t: cs.pointwise.refinement_density(model, t=t))
    for name, x, y, look in (
        ("loss over c", condition, loss, _BROWN),
        ("transformed loss over T", t, transformed, _PURPLE),
        ("refinement loss over T", t, refinement, _GREEN),
    ):
        cut = f", up to {np.nanmax(y):.3g}" if np.nanmax(y) > _TALL * loss.max() else ""
        ax.plot(x, y, label=f"{name},\narea {trapezoid(y, x):.4f}{cut}", **look)
    ax.set(xlim=(0, 1), xlabel="Cost proportion c, threshold T", ylabel="Loss")
    ax.set_ylim(0, 1.05 * loss.max())
    for y in (transformed, refinement):
        _hold(ax, np.minimum(y, _TALL * loss.max()))


def _conditions(
    model: cs.AnalyticScores,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Thresholds, c(T) and c'(T)."""
    t = _on_stretches(model, lambda t: t)
    c = _on_stretches(model, model.optimal_condition)
    slope = _on_stretches(model, lambda t: np.gradient(model.optimal_condition(t), t, edge_order=2))
    return t, c, slope


def _on_stretches(
    model: cs.AnalyticScores, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Values on each stretch between two kinks of the densities, up to either side of a jump."""
    edges = np.unique([0, *model.by_score.kinks, 1])
    share = np.linspace(_INSIDE, 1 - _INSIDE, _POINTS)[:, None]
    thresholds = (edges[:-1] + share * np.diff(edges)).T
    return np.concatenate([function(t) for t in thresholds])


def _hold(ax: Axes, y: NDArray[np.float64]) -> None:
    """Move limits so that they hold values, too."""
    low, high = ax.get_ylim()
    ax.set_ylim(min(low, 1.05 * np.nanmin(y)), max(high, 1.05 * np.nanmax(y)))

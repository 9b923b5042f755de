"""Drawings of Hernandez-Orallo, Flach, Ferri (2011), Brier curves, ICML."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import costspace as cs
from costspace.plots import plot_brier_parts, plot_cost_space, plot_roc_space
from costspace.plots.style import style
from papers import samples
from papers.brier_curves import models
from papers.panels import NOTE, Looks, entitle, name_lines, panels, roc_panel, three_panels

_COST_CURVE: dict[str, Any] = {"label": "cost curve", "color": "black", "linewidth": 1.0}
_DATA = (
    "The paper's models and splits are not to be had. Here: scikit-learn's breast cancer data, "
    "malignant as class 1, from the standard errors of ten measurements; one half of the rows "
    "to train, the other to test."
)


def figure_1() -> Figure:
    """The fifteen scores in ROC space and in cost space over both conditions."""
    return three_panels(
        "Figure 1: ROC curve, convex hull, cost lines and cost curves of 15 scores",
        samples.FIFTEEN.table(),
    )


def figure_2() -> Figure:
    """Their Brier curve, its class parts, and the cost curve."""
    table = samples.FIFTEEN.table()
    title = "Figure 2: Brier curve, its class parts and the cost curve of 15 scores"
    figure, (ax,) = panels(title, 1, size=(5, 4))
    display = plot_brier_parts(cs.metrics.class_parts(table), optimal=_cost(table), ax=ax)
    names = {
        "both classes": "Brier curve",
        "false positives": "BC0",
        "false negatives": "BC1",
        "lower envelope": "cost curve",
    }
    name_lines(display, names)
    return figure


def figure_3() -> Figure:
    """Two trees on both halves."""
    title = "Figure 3: Brier curves and cost curves of two decision trees"
    figure, axes = panels(title, 2, 2, note=_DATA)
    names = {"pruned": "Pruned tree", "unpruned": "Unpruned tree, Laplace correction"}
    tables = {
        f"{name}, {'training' if half == 'train' else 'test'} set": table
        for tree, name in names.items()
        for half, table in models.trees()[tree].items()
    }
    for ax, (name, table) in zip(axes, tables.items(), strict=True):
        _brier_panel(ax, name, table)
    _level(axes)
    return figure


def figure_4() -> Figure:
    """Classifiers A, B and C: ROC curves and hulls, Brier and cost curves."""
    return _example_3("Figure 4: ROC, Brier and cost curves of three classifiers", "abc")


def figure_5() -> Figure:
    """Classifier D, whose scores are the means of those of A and B."""
    return _example_3("Figure 5: ROC and Brier curve of averaged scores", "d")


def figure_6() -> Figure:
    """Naive Bayes on the test half before and after calibration on the training half."""
    title = "Figure 6: naive Bayes before and after calibration"
    figure, axes = panels(title, 2, 2, note=f"{_DATA}\n{NOTE}")
    model = models.naive_bayes()
    tables = {"Not calibrated": model["test"], "PAV-calibrated": model["calibrated"]}
    for above, below, (name, table) in zip(axes[:2], axes[2:], tables.items(), strict=True):
        roc_panel(above, table)
        entitle(above, name)
        _brier_panel(below, name, table)
    _level(axes[2:])
    return figure


def _example_3(title: str, names: str) -> Figure:
    tables = {name.upper(): samples.EXAMPLE_3[name].table() for name in names}
    caption = [f"{name}: {_measures(table)}" for name, table in tables.items()]
    figure, (left, right) = panels(title, 2, note="\n".join([*caption, NOTE]))
    plot_roc_space(tables, ax=left)
    entitle(left, "ROC curves and convex hulls")
    brier = {f"{name}, Brier curve": _brier(table) for name, table in tables.items()}
    cost = {f"{name}, cost curve": _cost(table) for name, table in tables.items()}
    # As in ROC space: what is optimal is thin.
    looks: Looks = {
        optimal: {"color": style(i).colour, "linewidth": 0.8, "linestyle": "-"}
        for i, optimal in enumerate(cost)
    }
    plot_cost_space(brier | cost, looks=looks, ax=right)
    entitle(right, "Brier curves and cost curves")
    return figure


def _brier_panel(ax: Axes, name: str, table: cs.ScoreTable) -> None:
    """One Brier curve and the cost curve."""
    looks: Looks = {"lower envelope": _COST_CURVE}
    plot_cost_space({"Brier curve": _brier(table)}, envelope=_cost(table), looks=looks, ax=ax)
    entitle(ax, f"{name}\n{_measures(table)}")


def _brier(table: cs.ScoreTable) -> cs.LossCurve:
    return cs.loss_curve(table, choice=cs.ScoreDriven())


def _cost(table: cs.ScoreTable) -> cs.LossCurve:
    return cs.loss_curve(table, choice=cs.Optimal())


def _measures(table: cs.ScoreTable) -> str:
    """AUC, AUCH and Brier score, as the captions give them."""
    auc, hull, brier = cs.auc(table), cs.auc_hull(table), cs.brier_score(table)
    return f"AUC {auc:.4f}, AUCH {hull:.4f}, BS {brier:.4f}"


def _level(axes: Sequence[Axes]) -> None:
    """Give axes to be compared one scale of loss."""
    top = max(ax.get_ylim()[1] for ax in axes)
    for ax in axes:
        ax.set_ylim(0, top)

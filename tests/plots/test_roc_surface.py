"""The surface that supporting lines of a ROC curve make."""

import matplotlib.pyplot as plt
import numpy as np
from numpy.testing import assert_allclose
from refusals import refused

import costspace as cs
from costspace.plots import plot_roc_surface

TABLE = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
SURFACE = cs.roc_surface(TABLE)


def test_points_are_on_the_surface() -> None:
    columns = plot_roc_surface(SURFACE, resolution=21).columns()
    fpr, tpr, skew = columns["fpr"], columns["tpr"], columns["skew"]
    assert len(fpr) == 21 * 21
    best = cs.loss_curve(TABLE, choice=cs.Optimal(), axis="skew")
    assert_allclose(skew * fpr + (1 - skew) * (1 - tpr), best(skew), atol=1e-12)
    inner = (skew > 0.01) & (skew < 0.99)
    assert_allclose(SURFACE.tpr(fpr[inner], skew[inner]), tpr[inner], atol=1e-9)


def test_lines_go_from_edge_to_edge() -> None:
    columns = plot_roc_surface(SURFACE, resolution=11).columns()
    fpr, tpr = (columns[name].reshape(11, 11) for name in ("fpr", "tpr"))
    for end in (0, -1):
        x, y = fpr[:, end], tpr[:, end]
        edge = np.minimum.reduce([x, 1 - x, y, 1 - y])
        assert_allclose(edge, 0, atol=1e-5)


def test_axes_and_labels() -> None:
    display = plot_roc_surface(SURFACE, resolution=5)
    assert display.ax.name == "3d"
    assert display.ax.get_xlabel() == "False positive rate"
    assert display.ax.get_ylabel() == "True positive rate"
    assert display.ax.get_zlabel() == "Skew z"
    assert display.ax.get_zlim() == (0, 1)


def test_given_axes() -> None:
    figure = plt.figure()
    ax = figure.add_subplot(projection="3d")
    assert plot_roc_surface(SURFACE, resolution=5, ax=ax).ax is ax
    assert plt.get_fignums() == [figure.number]


def test_an_analytic_model() -> None:
    model = cs.AnalyticScores(lambda s: 2 * (1 - s), lambda s: 2 * s, 0.5)
    columns = plot_roc_surface(cs.roc_surface(model), resolution=9).columns()
    z, fpr, tpr = columns["skew"], columns["fpr"], columns["tpr"]
    assert_allclose(z * fpr + (1 - z) * (1 - tpr), z * (1 - z), atol=1e-9)


def test_refusals() -> None:
    with refused(cs.SourceError, "a RocSurface is needed, such as roc_surface(...) gives, got"):
        plot_roc_surface(TABLE)
    with refused(cs.ConditionError, "resolution must be a whole number from 2 on, got 1."):
        plot_roc_surface(SURFACE, resolution=1)
    assert plt.get_fignums() == []
    _, flat = plt.subplots()
    with refused(cs.ConditionError, "this plot needs axes made with projection='3d', got <Axes"):
        plot_roc_surface(SURFACE, ax=flat)

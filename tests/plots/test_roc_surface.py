"""The contour lines of the surface that supporting lines of a ROC curve make."""

import matplotlib.pyplot as plt
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows, written
from refusals import refused

import costspace as cs
from costspace.plots import plot_roc_surface

TABLE = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
SURFACE = cs.roc_surface(TABLE)
SKEWS = np.linspace(0, 1, 21)


def test_lines_are_on_the_surface() -> None:
    display = plot_roc_surface(SURFACE, skews=SKEWS)
    best = cs.loss_curve(TABLE, choice=cs.Optimal(), axis="skew")
    for z in SKEWS:
        fpr, tpr, skew = rows(display, f"z = {z:g}")
        assert_array_equal(skew, [z, z])
        assert_allclose(z * fpr + (1 - z) * (1 - tpr), best(z), atol=2e-6)
        if 0 < z < 1:
            assert_allclose(SURFACE.tpr(fpr, z), tpr, atol=1e-9)


def test_lines_go_from_edge_to_edge() -> None:
    display = plot_roc_surface(SURFACE, skews=SKEWS)
    for z in SKEWS:
        x, y, _ = rows(display, f"z = {z:g}")
        assert_allclose(np.minimum.reduce([x, 1 - x, y, 1 - y]), 0, atol=1e-5)


def test_the_hull_is_that_of_the_curve() -> None:
    x, y, _ = rows(plot_roc_surface(SURFACE), "ROC hull")
    assert_array_equal(np.unique(np.stack([x, y]), axis=1), [[0, 0, 0.5, 1], [0, 0.5, 1, 1]])


def test_axes_and_labels() -> None:
    display = plot_roc_surface(SURFACE, skews=[0.7, 0.2])
    assert display.ax.get_xlabel() == "False positive rate"
    assert display.ax.get_ylabel() == "True positive rate"
    assert written(display.ax) == ["z = 0.2", "z = 0.7", "ROC hull"]
    dark, light = (float(display.artists[f"z = {z:g}"].get_color()) for z in (0.2, 0.7))
    assert dark < light


def test_an_analytic_model() -> None:
    model = cs.AnalyticScores(lambda s: 2 * (1 - s), lambda s: 2 * s, 0.5)
    display = plot_roc_surface(cs.roc_surface(model), skews=[0.2, 0.6])
    for z in (0.2, 0.6):
        fpr, tpr, _ = rows(display, f"z = {z:g}")
        assert_allclose(z * fpr + (1 - z) * (1 - tpr), z * (1 - z), atol=1e-9)


def test_refusals() -> None:
    with refused(cs.SourceError, "a RocSurface is needed, such as roc_surface(...) gives, got"):
        plot_roc_surface(TABLE)
    with refused(cs.ConditionError, "skews must be in [0, 1], got"):
        plot_roc_surface(SURFACE, skews=[2])
    assert plt.get_fignums() == []

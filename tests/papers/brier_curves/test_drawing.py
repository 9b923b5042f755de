"""The six figures of the paper on Brier curves, read off the pictures."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.testing import assert_allclose
from pictures import area, heights, line, pieces, segments, shown, shows, written

import costspace as cs
from papers import samples
from papers.brier_curves import drawing, models
from papers.samples import Sample

CAPTION_4 = {"A": (0.667, 0.750, 0.244), "B": (0.646, 0.750, 0.240), "C": (0.563, 0.708, 0.558)}
CAPTION_5 = {"D": (0.750, 0.875, 0.231)}


def losses(y_true: np.ndarray, y_score: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, ...]:
    """Parts of the loss of both classes with the threshold at c, example by example."""
    y, s = np.array(y_true)[:, None], np.array(y_score)[:, None]
    zeros = np.mean(2 * c * ((y == 0) & (s > c)), axis=0)
    ones = np.mean(2 * (1 - c) * ((y == 1) & (s <= c)), axis=0)
    return zeros, ones


def brier(sample: Sample, c: np.ndarray) -> np.ndarray:
    return np.add(*losses(sample.y_true, sample.y_score, c))


def least(sample: Sample, c: np.ndarray) -> np.ndarray:
    y, s = np.array(sample.y_true)[:, None], np.array(sample.y_score)[:, None]
    cuts = np.append(-1, np.unique(s))
    wrong = np.stack([np.mean((y == 0) & (s > cuts), 0), np.mean((y == 1) & (s <= cuts), 0)])
    return 2 * np.min(np.outer(c, wrong[0]) + np.outer(1 - c, wrong[1]), axis=1)


def test_figure_1_has_three_panels() -> None:
    roc, cost, skew = shown(drawing.figure_1(), 3)
    assert written(roc) == ["ROC curve", "convex hull"]
    assert len(segments(cost)) == len(segments(skew)) == 12
    assert shows(line(cost, "optimal cost curve"), lambda c: least(samples.FIFTEEN, c), 1e-12)
    assert skew.get_xlabel() == "Skew z (near 0 where false negatives cost most)"


def test_figure_2_has_the_brier_curve_its_parts_and_the_cost_curve() -> None:
    (ax,) = shown(drawing.figure_2(), 1)
    assert written(ax) == ["Brier curve", "BC0", "BC1", "cost curve"]
    curve, zeros, ones = (line(ax, name) for name in ("Brier curve", "BC0", "BC1"))
    fifteen = samples.FIFTEEN
    assert shows(curve, lambda c: brier(fifteen, c), 1e-12)
    assert shows(zeros, lambda c: losses(fifteen.y_true, fifteen.y_score, c)[0], 1e-12)
    assert shows(ones, lambda c: losses(fifteen.y_true, fifteen.y_score, c)[1], 1e-12)
    cost = line(ax, "cost curve")
    assert cost.get_zorder() < line(ax, "Brier curve").get_zorder()
    assert cost.get_linewidth() > curve.get_linewidth()
    assert shows(cost, lambda c: least(fifteen, c), 1e-12)
    assert area(curve) == pytest.approx(cs.brier_score(fifteen.y_true, fifteen.y_score))


@pytest.mark.parametrize(
    ("number", "caption"), [(4, CAPTION_4), (5, CAPTION_5)], ids=["figure 4", "figure 5"]
)
def test_figures_4_and_5(number: int, caption: dict[str, tuple[float, ...]]) -> None:
    figure = getattr(drawing, f"figure_{number}")()
    roc, ax = shown(figure, 2)
    assert written(roc) == ([*caption, "D, hull"] if len(caption) == 1 else list(caption))
    assert written(ax) == [f"{one}, {kind} curve" for kind in ("Brier", "cost") for one in caption]
    for name, (auc, hull, score) in caption.items():
        sample = samples.EXAMPLE_3[name.lower()]
        curve, cost = line(ax, f"{name}, Brier curve"), line(ax, f"{name}, cost curve")
        hulls = line(roc, f"{'_' * (len(caption) > 1)}{name}, hull")
        assert shows(curve, lambda c, sample=sample: brier(sample, c), 1e-12)
        assert shows(cost, lambda c, sample=sample: least(sample, c), 1e-12)
        assert curve.get_color() == cost.get_color() == hulls.get_color()
        assert area(hulls) == pytest.approx(hull, abs=5.1e-4)
        assert roc_area(roc, name) == pytest.approx(auc, abs=5.1e-4)
        assert area(curve) == pytest.approx(score, abs=5.1e-4)
        (said,) = [x for x in figure.get_supxlabel().splitlines() if x.startswith(f"{name}: ")]
        numbers = [float(word.rpartition(" ")[2]) for word in said.split(",")]
        assert_allclose(numbers, [auc, hull, score], atol=5.5e-4)


def roc_area(ax: Axes, name: str) -> float:
    (curve,) = [x for x in ax.get_lines() if x.get_label() == name]
    return area(curve)


def test_figure_3_shows_two_trees_on_both_halves() -> None:
    figure = drawing.figure_3()
    axes = shown(figure, 4)
    assert len({ax.get_ylim() for ax in axes}) == 1
    tables = [table for halves in models.trees().values() for table in halves.values()]
    for ax, table in zip(axes, tables, strict=True):
        assert written(ax) == ["Brier curve", "cost curve"]
        curve, cost = line(ax, "Brier curve"), line(ax, "cost curve")
        assert area(curve) == pytest.approx(cs.brier_score(table), abs=1e-9)
        assert area(cost) == pytest.approx(cs.refinement_loss(table), abs=1e-9)
        assert f"AUC {cs.auc(table):.4f}, AUCH {cs.auc_hull(table):.4f}" in ax.get_title()
        assert f"BS {area(curve):.4f}" in ax.get_title()
    titles = [ax.get_title().splitlines()[0] for ax in axes]
    assert titles[0] == "Pruned tree, training set"
    assert titles[3] == "Unpruned tree, Laplace correction, test set"
    assert "breast cancer" in figure.get_supxlabel()


def test_figure_3_shows_what_the_paper_sees_in_its_own() -> None:
    """Overfitting, what Laplace correction costs on the training set, and how pruned ones fit."""
    pruned_train, pruned_test, unpruned_train, unpruned_test = shown(drawing.figure_3(), 4)
    assert pieces_apart(pruned_train) < 1e-12
    assert area(line(unpruned_train, "Brier")) < area(line(pruned_train, "Brier"))
    assert area(line(unpruned_test, "Brier")) > 4 * area(line(unpruned_train, "Brier"))
    assert area(line(pruned_test, "Brier")) > area(line(pruned_train, "Brier"))
    edge, middle = np.array([0.05, 0.95]), np.array([0.45, 0.55])
    gap = heights(line(unpruned_train, "Brier"), edge) - heights(line(unpruned_train, "cost"), edge)
    assert (gap > 0.005).all()
    gap = heights(line(unpruned_train, "Brier"), middle)
    assert_allclose(gap, heights(line(unpruned_train, "cost"), middle), atol=1e-3)


def pieces_apart(ax: Axes) -> float:
    x = np.linspace(0.0005, 0.9985, 500)
    return float(np.abs(heights(line(ax, "Brier"), x) - heights(line(ax, "cost"), x)).max())


def test_figure_6_shows_naive_bayes_before_and_after_calibration() -> None:
    before, after, raw, mended = shown(drawing.figure_6(), 4)
    assert before.get_title() == "Not calibrated"
    assert after.get_title() == "PAV-calibrated"
    assert raw.get_ylim() == mended.get_ylim()
    model = models.naive_bayes()
    for roc, ax, table in ((before, raw, model["test"]), (after, mended, model["calibrated"])):
        assert written(roc) == ["ROC curve", "convex hull"]
        assert area(line(roc, "ROC curve")) == pytest.approx(cs.auc(table), abs=1e-3)
        assert area(line(roc, "convex hull")) == pytest.approx(cs.auc_hull(table), abs=1e-3)
        assert area(line(ax, "Brier")) == pytest.approx(cs.brier_score(table), abs=1e-3)
        assert line(ax, "cost curve").get_color() == "black"
    assert area(line(mended, "Brier")) < 0.8 * area(line(raw, "Brier"))


def test_calibration_on_the_training_half_is_train_optimal() -> None:
    _, _, _, ax = shown(drawing.figure_6(), 4)
    model = models.naive_bayes()
    curve = cs.loss_curve(model["test"], choice=cs.Fitted(cs.Optimal(), model["train"]))
    assert shows(line(ax, "Brier"), curve, 1e-12)
    x0, _, x1, _ = pieces(line(ax, "Brier")).T
    assert_allclose((x1 - x0).sum(), 1)

"""The seven figures of the note on ROC cost curves, read off the pictures."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal
from pictures import area, heights, line, pieces, segments, shown, shows, written

from papers import samples
from papers.roc_cost_curves import drawing
from papers.samples import Sample

STEPPED = {
    2: samples.SEVEN,
    3: samples.PERFECT,
    4: samples.WORST,
    5: samples.ALTERNATING,
    6: samples.TWENTY_FOUR,
}
each_stepped = pytest.mark.parametrize(("number", "sample"), STEPPED.items())


def points(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """FPR and FNR with the i lowest examples predicted negative, i = 0, ..., n; no ties."""
    y = np.array(sample.y_true)[np.argsort(sample.y_score)]
    zeros, ones = (np.append(0, np.cumsum(y == k)) / np.sum(y == k) for k in (0, 1))
    return 1 - zeros, ones


def loss(sample: Sample, c: np.ndarray, cut: np.ndarray) -> np.ndarray:
    fpr, fnr = points(sample)
    share = np.mean(sample.y_true)
    return 2 * (c * (1 - share) * fpr[cut] + (1 - c) * share * fnr[cut])


def least(sample: Sample, c: np.ndarray) -> np.ndarray:
    return np.min([loss(sample, c, np.full(len(c), i)) for i in range(len(sample.y_true) + 1)], 0)


def drawn(number: int) -> Figure:
    return getattr(drawing, f"figure_{number}")()


def test_figure_1_in_roc_space() -> None:
    roc, _, _ = shown(drawing.figure_1(), 3)
    assert (roc.get_xlabel(), roc.get_ylabel()) == ("False positive rate", "True positive rate")
    assert written(roc) == ["ROC curve", "convex hull"]
    curve, hull = line(roc, "ROC curve"), line(roc, "convex hull")
    assert curve.get_color() != hull.get_color() == "black"
    # Of 15 scores 11 are distinct; below one more point everybody is flagged.
    tpr = np.array([4, 4, 3, 3, 3, 3, 3, 3, 2, 2, 1, 0]) / 4
    fpr = np.array([11, 10, 10, 9, 8, 6, 5, 4, 2, 1, 0, 0]) / 11
    vertices = {(round(x, 9), round(y, 9)) for x, y in zip(fpr, tpr, strict=True)}
    seen = {(round(x, 9), round(y, 9)) for x, y in np.asarray(curve.get_xydata())}
    assert seen <= vertices
    x, y = np.array(sorted(seen)).T
    for one in set(fpr[1:-1]) - {10 / 11, 0.0}:
        assert_allclose(np.interp(one, x, y), tpr[fpr == one], atol=1e-9)
    corners = np.array([[0, 0], [0, 1 / 4], [1 / 11, 2 / 4], [4 / 11, 3 / 4], [10 / 11, 1], [1, 1]])
    assert_allclose(np.array(sorted(hull.get_xydata().tolist())), corners, atol=1e-12)


@pytest.mark.parametrize(("panel", "share"), [(1, 4 / 15), (2, 1 / 2)])
def test_figure_1_in_cost_space(panel: int, share: float) -> None:
    ax = shown(drawing.figure_1(), 3)[panel]
    assert ax.get_xlabel().startswith("Cost proportion" if panel == 1 else "Skew")
    fpr = np.array([11, 10, 10, 9, 8, 6, 5, 4, 2, 1, 0, 0]) / 11
    # In the order of the points: the line goes from FNR at 0 to FPR at 1.
    fnr = np.array([0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4]) / 4
    ends = np.stack([2 * share * fnr, 2 * (1 - share) * fpr], axis=1)
    assert_allclose(segments(ax), ends[np.lexsort(ends.T[::-1])], atol=1e-12)
    assert ax.get_ylim()[1] >= ends.max()
    optimal = line(ax, "optimal cost curve")
    assert optimal.get_color() == "black"
    assert shows(optimal, lambda c: np.min(ends[:, :1] * (1 - c) + ends[:, 1:] * c, axis=0), 1e-12)


@each_stepped
def test_the_roc_cost_curve_follows_one_line_after_the_other(number: int, sample: Sample) -> None:
    roc, ax = shown(drawn(number), 2)
    assert written(roc) == ["ROC curve", "convex hull"]
    curve, n = line(ax, "ROC cost curve"), len(sample.y_true)
    assert curve.get_linestyle() == "-"
    assert shows(curve, lambda c: loss(sample, c, (c * (n + 1)).astype(int)), 1e-12)
    assert f"area {area(curve):.4f}" in str(curve.get_label())
    optimal = line(ax, "optimal cost curve")
    assert optimal.get_color() == "black"
    assert curve.get_linewidth() > optimal.get_linewidth()
    assert shows(optimal, lambda c: least(sample, c), 1e-12)
    assert len(np.unique(segments(ax), axis=0)) == n + 1


def test_figure_2_is_optimal_on_the_fourth_and_the_seventh_piece() -> None:
    _, ax = shown(drawing.figure_2(), 2)
    x0, y0, x1, y1 = pieces(line(ax, "ROC cost curve")).T
    assert_allclose(x0, np.arange(8) / 8, atol=1e-15)
    assert_allclose(x1 - x0, 1 / 8, atol=1e-15)
    middle = (x0 + x1) / 2
    gap = (y0 + y1) / 2 - heights(line(ax, "optimal cost curve"), middle)
    assert_array_equal(np.flatnonzero(np.abs(gap) < 1e-12) + 1, [4, 7])


@pytest.mark.parametrize(
    ("number", "areas"),
    [(2, "0.1701"), (3, "0.0833"), (4, "0.5833"), (5, "0.3208"), (6, "0.2031")],
)
def test_the_interpolated_area_is_told(number: int, areas: str) -> None:
    figure = drawn(number)
    assert f"interpolated ROC cost curve has an area of {areas}." in figure.get_supxlabel()


def test_figure_6_has_the_brier_curve_too() -> None:
    _, ax = shown(drawing.figure_6(), 2)
    brier = line(ax, "Brier curve")
    sample = samples.TWENTY_FOUR
    scores = np.array(sample.y_score)
    cut = np.sort(scores)
    assert shows(brier, lambda c: loss(sample, c, np.searchsorted(cut, c, side="right")), 1e-12)
    assert brier.get_linestyle() == "-"
    assert brier.get_linewidth() < line(ax, "ROC cost curve").get_linewidth()
    assert area(brier) == pytest.approx(np.mean((scores - np.array(sample.y_true)) ** 2))
    assert "Brier curve,\narea 0.2047" in written(ax)


def test_figure_7_shows_a_calibrated_model() -> None:
    roc, ax = shown(drawing.figure_7(), 2)
    assert written(roc) == ["ROC curve"]
    optimal = line(ax, "optimal cost curve")
    assert shows(line(ax, "Brier curve"), lambda c: heights(optimal, c), 1e-12)
    driven = line(ax, "ROC cost curve,\narea")
    # Four scores of 1/4, six of 5/6 and one of 1; the classes' losses by hand.
    c = np.array([0.1, 0.36, 0.37, 0.9, 0.95])
    cut = np.array([0, 0, 1, 1, 2])
    fpr, fnr = np.array([1, 1 / 4, 0]), np.array([0, 1 / 7, 6 / 7])
    expected = 2 * (c * 4 / 11 * fpr[cut] + (1 - c) * 7 / 11 * fnr[cut])
    assert_allclose(heights(driven, c), expected, atol=1e-12)
    x0, _, x1, _ = pieces(driven).T
    assert_allclose(np.union1d(x0, x1), [0, 4 / 11, 10 / 11, 1], atol=1e-12)
    # Of 28 pairs of a negative and a positive 23 are ranked right, ties counting half.
    split = line(ax, "ROC cost curve, ties split")
    assert area(split) == pytest.approx(28 / 121 * (1 - 2 * 23 / 28) + 1 / 3, abs=1e-3)

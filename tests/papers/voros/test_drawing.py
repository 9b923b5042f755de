"""What the drawings of the VOROS paper show: their lines against costspace and brute force."""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure as Picture
from pictures import shown

import costspace as cs
from costspace.roc.hull import area_below
from papers import samples
from papers.voros import DOCUMENT
from papers.voros.models import Tables, credit, diabetes, wisconsin
from papers.voros.tables import CREDIT, typical

DRAWN = {name: one.draw for name, one in DOCUMENT.figures.items() if one.draw is not None}


@cache
def picture(number: int) -> Picture:
    return DRAWN[f"fig{number}"]()


def area_of(corners: np.ndarray) -> float:
    """Area of a polygon, by the shoelace formula."""
    closed = np.vstack([corners, corners[:1]])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(closed))) / 2


def lines(ax: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


def test_which_figures_are_drawn() -> None:
    assert set(DRAWN) == {f"fig{n}" for n in range(1, 8)}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_without_a_warning(name: str) -> None:
    drawn = picture(int(name.removeprefix("fig")))
    for ax in shown(drawn, len(drawn.axes)):
        assert ax.name == "rectilinear"
    assert drawn.get_suptitle().startswith(f"Figure {name.removeprefix('fig')}: ")


@pytest.mark.parametrize(
    ("number", "panel", "skew", "fpr", "fnr"),
    [(1, 0, 0.4, 0.3, 0.2), (2, 0, 0.35, 1, 0), (2, 1, 0.65, 0, 1)],
)
def test_the_shaded_area_is_what_costs_more(
    number: int, panel: int, skew: float, fpr: float, fnr: float
) -> None:
    ax = picture(number).axes[panel]
    (shaded,) = ax.patches
    corners = shaded.get_path().vertices
    area = cs.metrics.lesser_area(fpr, fnr, z=skew)
    assert area_of(corners) == pytest.approx(area)
    points = np.random.default_rng(0).random((500, 2))
    costs = skew * points[:, 0] + (1 - skew) * (1 - points[:, 1])
    worse = costs > skew * fpr + (1 - skew) * fnr
    np.testing.assert_array_equal(shaded.get_path().contains_points(points), worse)
    (text,) = [text.get_text() for text in ax.texts if "lesser" in text.get_text()]
    assert text.endswith(f"{area:.4f}")
    slope = lines(ax)["equal cost,\nslope m = t / (1 - t)"]
    (x0, x1), (y0, y1) = slope.get_data()
    assert (y1 - y0) / (x1 - x0) == pytest.approx(skew / (1 - skew))


def test_figure_2_has_the_areas_of_example_25() -> None:
    for ax, m, flatter in zip(picture(2).axes, (0.35 / 0.65, 0.65 / 0.35), (1, 0), strict=True):
        area = area_of(ax.patches[0].get_path().vertices)
        assert area == pytest.approx(1 - m / 2 if flatter else 1 - 1 / (2 * m))


def test_figure_3_has_the_graph_and_the_slices_of_its_volume() -> None:
    left, *slices = picture(3).axes
    t, area = left.lines[0].get_data()
    with np.errstate(divide="ignore"):
        expected = np.where(t < 0.5, 1 - t / (2 * (1 - t)), 1 - (1 - t) / (2 * t))
    np.testing.assert_allclose(area, expected, atol=1e-12)
    assert area.min() == area[200] == pytest.approx(0.5)
    assert area_below(t, area) == pytest.approx(1.5 - np.log(2), abs=1e-4)
    for ax, z in zip(slices, (0.2, 0.5, 0.8), strict=True):
        assert area_of(ax.patches[0].get_path().vertices) == pytest.approx(
            cs.roc_surface(samples.BASELINES.table()).lesser_area(z)
        )


@pytest.mark.parametrize(("number", "tables"), [(4, wisconsin), (5, diabetes)])
def test_curves_and_surfaces(number: int, tables: Any) -> None:
    found: Tables = tables()
    shown, splits = typical(found), len(found["logistic"])
    first, *rest = picture(number).axes
    named = lines(first)
    assert list(named) == ["logistic regression", "naive Bayes", "random forest"]
    for name, line in zip(("logistic", "bayes", "forest"), named.values(), strict=True):
        x, y = (values[::-1] for values in line.get_data())
        assert area_below(x, y) == pytest.approx(found[name][shown].auc, abs=2e-3)
    thin = [line for line in first.lines if line.get_linewidth() == 0.5]
    assert len(thin) == 3 * splits
    areas = [area_below(*(values[::-1] for values in line.get_data())) for line in thin]
    expected = [cs.auc(t) for name in ("logistic", "bayes", "forest") for t in found[name]]
    np.testing.assert_allclose(areas, expected)
    for ax, letter, name in zip(rest, "bcd", ("logistic", "bayes", "forest"), strict=True):
        volume = cs.voros(found[name][shown])
        assert ax.get_title().startswith(f"({letter}) ")
        assert f"volume {volume:.4f}\n" in ax.get_title()
        surface = cs.roc_surface(found[name][shown])
        for t in (0.1, 0.3, 0.5, 0.7, 0.9):
            x, y = lines(ax)[f"t = {t:g}"].get_data()
            np.testing.assert_allclose(surface.tpr(x, t), y, atol=1e-9)


def test_a_typical_split_is_close_to_the_medians() -> None:
    found = diabetes()
    shown = typical(found)
    for scored in found.values():
        volumes = np.array([cs.voros(table) for table in scored])
        assert abs(volumes[shown] - np.median(volumes)) < volumes.std()


def test_figure_6_joins_points_of_equal_cost() -> None:
    (ax,) = picture(6).axes
    m1, m2, equal = lines(ax).values()
    assert len({drawn.get_color() for drawn in (m1, m2, equal)}) == 3
    x, y = (np.ravel(values) for values in equal.get_data())
    slope = (y[1] - y[0]) / (x[1] - x[0])
    z = slope / (1 + slope)
    assert equal.get_label() == f"equal cost at t = {z:.4f}"
    # The line supports both hulls.
    for hull in (m1, m2):
        h, k = hull.get_data()
        over = np.asarray(k) - (y[0] + slope * (np.asarray(h) - x[0]))
        assert over.max() == pytest.approx(0, abs=2e-3)
    # Below that skew M1 costs less; above it M2.
    tables = [credit()[name][typical(credit(), CREDIT)] for name in ("m1", "m2")]
    for skew, sign in ((z - 0.03, -1), (z + 0.03, 1)):
        points = [cs.roc_surface(table).at(skew) for table in tables]
        costs = [
            cs.condition.loss_at(float(p.fpr), float(p.fnr), c=skew, prevalence=0.5) for p in points
        ]
        assert np.sign(costs[0] - costs[1]) == sign


def test_figure_7_has_two_surfaces() -> None:
    axes = picture(7).axes
    assert len(axes) == 2
    assert axes[0].get_title().startswith("(a) M1: volume on [0.1665, 0.2481] ")
    assert axes[1].get_title().startswith("(b) M2: volume on [0.1665, 0.2481] ")

"""The lecture's slides on cost curves, read off the pictures."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.testing import assert_allclose
from pictures import heights, line, lines, said, shown, shows, written

import costspace as cs
from papers.lecture import drawing

SHARE = "Prevalence (share of positives)"
# FPR and FNR of what is the same on every slide.
TRIVIAL = {"always negative": (0, 1), "always positive": (1, 0)}
TWO = {"1R": (0.20, 0.08), "C4.5": (0.13, 0.18)}


def ends(ax: Axes, name: str) -> np.ndarray:
    """First and last height of each of the lines of one colour."""
    first = lines(ax, name)[0]
    alike = [x for x in ax.get_lines() if x.get_color() == first.get_color()]
    return np.array([x.get_ydata() for x in alike if list(x.get_xdata()) == [0, 1]])


def test_cost_lines_of_1r_and_c45() -> None:
    roc, _, _, ax, _, _ = shown(drawing.lines(), 6)
    assert (roc.get_xlabel(), roc.get_ylabel()) == ("False positive rate", "True positive rate")
    assert (ax.get_xlabel(), ax.get_ylabel()) == (SHARE, "Error rate")
    assert ax.get_ylim() == (0, 0.5)
    for name, (fpr, fnr) in TWO.items():
        assert_allclose(line(roc, name).get_xydata(), [[fpr, 1 - fnr]])
        assert_allclose(line(ax, name).get_xydata(), [[0, fpr], [1, fnr]])
    assert line(ax, "1R").get_color() != line(ax, "C4.5").get_color()
    assert said(ax) == "(0.41, 0.15)"


def test_classifier_3_dominates_1_and_beats_2_below_0_7() -> None:
    _, roc, _, _, ax, _ = shown(drawing.lines(), 6)
    x = np.linspace(0, 0.999, 1000)
    one, two, three = (heights(line(ax, f"classifier {i}"), x) for i in (1, 2, 3))
    assert (three < one).all()
    assert_allclose(three < two, x < 0.7 - 1e-12)
    assert said(ax) == "(0.70, 0.24)"
    assert all(line(roc, f"classifier {i}").get_linestyle() == "None" for i in (1, 2, 3))


def test_worst_perfect_trivial_and_two_families() -> None:
    _, _, roc, _, _, ax = shown(drawing.lines(), 6)
    assert written(ax) == written(roc)
    assert written(ax) == ["family A", "family B", "worst", "perfect", *TRIVIAL]
    for name, (fpr, fnr) in {"worst": (1, 1), "perfect": (0, 0), **TRIVIAL}.items():
        assert_allclose(line(ax, name).get_ydata(), [fpr, fnr])
        assert_allclose(line(roc, name).get_xydata(), [[fpr, 1 - fnr]])
        assert line(ax, name).get_linestyle() == "-"
    for name, sign in (("family A", -1), ("family B", 1)):
        family = ends(ax, name)
        assert family.shape == (5, 2)
        assert (np.sign(family[:, 1] - family[:, 0]) == sign).all()
        x, y = line(roc, name).get_xydata().T
        assert_allclose(np.sort(x), np.sort(family[:, 0]))
        assert_allclose(np.sort(1 - y), np.sort(family[:, 1]))
        assert (y > x).all()


def test_the_envelope_of_the_lines_of_one_classifier() -> None:
    axes = shown(drawing.envelope(), 6)
    for count, above, below in zip(drawing.STEPS, axes[:3], axes[3:], strict=True):
        assert (below.get_xlabel(), below.get_ylabel()) == (SHARE, "Error rate")
        points, below_lines = lines(above, "0."), lines(below, "0.")
        assert len(points) == len(below_lines) == count
        for point, its_line in zip(points, below_lines, strict=True):
            ((fpr, tpr),) = point.get_xydata()
            assert_allclose(its_line.get_ydata(), [fpr, 1 - tpr])
            assert_allclose(point.get_color(), its_line.get_color())
        assert written(above) == [f"{i / 10}" for i in range(1, count + 1)]
    # Densities 2 (1 - t) and 2 t: at threshold t FPR is (1 - t)^2 and FNR t^2.
    t = np.arange(1, 10)[:, None] / 10
    curve = line(axes[-1], "cost curve")
    assert shows(curve, lambda p: np.min((1 - p) * (1 - t) ** 2 + p * t**2, axis=0), 1e-12)
    assert curve.get_color() == "black"
    assert not any(lines(ax, "cost curve") for ax in axes[:-1])


def test_unequal_costs_are_normalised() -> None:
    equal, unequal, normalised = shown(drawing.costs(), 3)
    assert (equal.get_ylabel(), unequal.get_ylabel()) == ("Error rate", "Expected cost")
    assert normalised.get_xlabel() == "Probability cost PC(+)"
    assert normalised.get_ylabel() == "Normalised expected cost"
    fp, fn = drawing.FP_COST, drawing.FN_COST
    assert fp != fn
    p = np.linspace(0.001, 0.998, 500)
    pc = cs.condition.probability_cost(prevalence=p, fp_cost=fp, fn_cost=fn)
    worst = heights(line(unequal, "worst"), p)
    assert_allclose(worst, (1 - p) * fp + p * fn)
    for name, (fpr, fnr) in {**TWO, **TRIVIAL, "worst": (1, 1)}.items():
        for ax, at_0, at_1 in (
            (equal, fpr, fnr),
            (unequal, fpr * fp, fnr * fn),
            (normalised, fpr, fnr),
        ):
            assert_allclose(line(ax, name).get_ydata(), [at_0, at_1])
        cost = heights(line(unequal, name), p)
        assert_allclose(heights(line(normalised, name), pc), cost / worst, atol=1e-12)
        assert line(normalised, name).get_linestyle() == "-"


def test_the_operating_range() -> None:
    roc, ax = shown(drawing.trivial(), 2)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "Probability cost PC(+)",
        "Normalised expected cost",
    )
    assert written(roc) == ["classifier", *TRIVIAL]
    t = np.array([0.3, 0.5, 0.7])[:, None]
    assert shows(
        line(ax, "classifier"), lambda x: np.min((1 - x) * (1 - t) ** 2 + x * t**2, 0), 1e-12
    )
    for name, at in (("always negative", 0.2), ("always positive", 0.8)):
        assert heights(line(ax, name), np.array([0.2])) == pytest.approx(at)
        assert line(ax, name).get_color() == "0.4"
    # The outer lines leave the diagonals where x = 0.09 + (0.49 - 0.09) x.
    (shaded,) = [c for c in ax.collections if c.get_label() == "operating range"]
    (box,) = [path.get_extents() for path in shaded.get_paths()]
    assert (box.x0, box.x1) == pytest.approx((0.15, 0.85))
    # At 0.3 the diagonal is at 0.3 and the curve at 0.7 x 0.09 + 0.3 x 0.49.
    assert f"advantage {0.3 - 0.7 * 0.09 - 0.3 * 0.49:.3f}\nat PC(+) = 0.3" in said(ax)


def least(x: np.ndarray, fpr: np.ndarray, fnr: np.ndarray) -> np.ndarray:
    return np.min((1 - x) * fpr[:, None] + x * fnr[:, None], axis=0)


def test_two_classifiers_cross_in_both_spaces() -> None:
    roc, ax = shown(drawing.compare(), 2)
    t = np.linspace(0, 1, 20_001)
    # FPR and FNR at threshold t.
    rates = {"f1": (1 - t, t**4), "f2": ((1 - t) ** 4, t)}
    for name, (fpr, fnr) in rates.items():
        x = np.linspace(0.001, 0.998, 300)
        expected = np.interp(x, fpr[::-1], 1 - fnr[::-1])
        assert_allclose(heights(line(roc, name), x), expected, atol=2e-4)
        assert shows(line(ax, name), lambda pc, r=(fpr, fnr): least(pc, *r), 2e-4)
    for name in ("f1", "f2"):
        assert line(roc, name).get_color() == line(ax, name).get_color()
    low, high = np.linspace(0.01, 0.49, 99), np.linspace(0.51, 0.99, 99)
    assert (heights(line(ax, "f2"), low) < heights(line(ax, "f1"), low)).all()
    assert (heights(line(ax, "f2"), high) > heights(line(ax, "f1"), high)).all()
    at = np.array([drawing.MARKED])
    apart = (least(at, *rates["f1"]) - least(at, *rates["f2"]))[0]
    assert f"f2 costs less by {apart:.3f}" in said(ax)

"""What the drawings of the 2012 paper show: their lines against costspace and closed forms."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure as Picture
from pictures import shown, written

import costspace as cs
from costspace.roc.hull import area_below
from papers.threshold_choice import DOCUMENT
from papers.threshold_choice.appendix_models import MODELS
from papers.threshold_choice.two_models import two_models

DRAWN = {name: one.draw for name, one in DOCUMENT.figures.items() if one.draw is not None}
APPENDIX = range(5, 16)
CONVEX = [n for n in APPENDIX if n != 10]
each_model = pytest.mark.parametrize("number", APPENDIX)


@cache
def picture(number: int) -> Picture:
    return DRAWN[f"fig{number}"]()


def lines(ax: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The lines that are named, by the first words of their names."""
    return {
        line.get_label().partition(",")[0]: line.get_data()
        for line in ax.lines
        if not line.get_label().startswith("_")
    }


def losses(number: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return lines(picture(number).axes[3])


def areas(number: int) -> list[float]:
    """Areas under the brown, the purple and the green curve."""
    return [area_below(*line) for line in losses(number).values()]


def test_which_figures_are_drawn() -> None:
    assert set(DRAWN) == {f"fig{n}" for n in range(1, 16) if n != 4}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_without_a_warning(name: str) -> None:
    drawn = picture(int(name.removeprefix("fig")))
    for ax in shown(drawn, len(drawn.axes)):
        assert ax.get_title()
        assert written(ax)
    assert drawn.get_suptitle().startswith(f"Figure {name.removeprefix('fig')}: ")


def test_every_drawing_is_a_new_one() -> None:
    assert DRAWN["fig11"]() is not DRAWN["fig11"]()


def test_the_two_models_tell_the_papers_story() -> None:
    """A ranks better and has the worse probabilities, and only rates make up for them."""
    a, b = two_models()["A"], two_models()["B"]
    assert a.prevalence == b.prevalence == 0.5
    assert cs.auc(a) > cs.auc(b) + 0.05
    for choice in (cs.ScoreFixed(0.5), cs.ScoreDriven()):
        assert cs.expected_loss(a, choice=choice) > 0.05 + cs.expected_loss(b, choice=choice)
    for choice in (cs.RateDriven(), cs.Optimal()):
        assert cs.expected_loss(a, choice=choice) < cs.expected_loss(b, choice=choice) - 0.02
    best = cs.expected_loss(a, choice=cs.RateDriven())
    assert best < cs.expected_loss(b, choice=cs.ScoreDriven())


def test_figure_1_shows_histograms() -> None:
    for ax, name in zip(picture(1).axes, "AB", strict=True):
        assert ax.get_title() == f"Model {name}"
        table = two_models()[name]
        for label, sample in (("negatives", table.negatives), ("positives", table.positives)):
            x, y = lines(ax)[label]
            heights, edges = np.histogram(sample.values, bins=20, range=(0, 1), density=True)
            middles = (edges[1:] + edges[:-1]) / 2
            np.testing.assert_allclose(np.interp(middles, x, y), heights, atol=1e-9)


def test_figure_2_shows_roc_curves() -> None:
    for ax, name in zip(picture(2).axes, "AB", strict=True):
        drawn = lines(ax)
        x, y = (values[::-1] for values in drawn["ROC curve"])
        assert area_below(x, y) == pytest.approx(cs.auc(two_models()[name]), abs=5e-4)
        x, y = (values[::-1] for values in drawn["convex hull"])
        assert area_below(x, y) == pytest.approx(cs.auc_hull(two_models()[name]), abs=5e-4)


def test_figure_3_shows_what_rates_make_of_the_majority() -> None:
    *sides, right = picture(3).axes
    table = two_models()["A"]
    for ax, z in zip(sides, (0.25, 0.75), strict=True):
        for label, (x, y) in lines(ax).items():
            if label.startswith("rate-driven"):
                # Of balanced classes it flags the share of class 1.
                assert (x[0] + y[0]) / 2 == pytest.approx(1 - z)
                loss = z * x[0] + (1 - z) * (1 - y[0])
                assert cs.loss_curve(table, choice=cs.RateDriven(), axis="skew")(
                    z
                ) == pytest.approx(loss)
            elif label.startswith("rate-uniform"):
                assert (x[0] + y[0]) / 2 == pytest.approx(0.5)
                assert z * x[0] + (1 - z) * (1 - y[0]) > 0.1 + cs.loss_curve(
                    table, choice=cs.RateDriven(), axis="skew"
                )(z)
    drawn = lines(right)
    assert list(drawn) == ["rate-driven", "rate-uniform"]
    for (x, y), choice in zip(drawn.values(), (cs.RateDriven(), cs.RateUniform()), strict=True):
        curve = cs.loss_curve(table, choice=choice, axis="skew")
        np.testing.assert_allclose(y, curve(x), atol=2e-3)


@each_model
def test_the_appendix_has_four_panels(number: int) -> None:
    densities, cumulative, roc, loss = picture(number).axes
    assert list(lines(densities)) == ["f0", "f1", "c'(T)"]
    assert list(lines(cumulative)) == ["F0", "F1", "c(T)"]
    assert list(lines(roc)) == ["ROC curve", "convex hull"][: 2 if number == 10 else 1]
    assert list(lines(loss)) == [
        "loss over c",
        "transformed loss over T",
        "refinement loss over T",
    ]
    assert loss.get_xlim() == densities.get_xlim() == (0, 1)


@each_model
def test_lines_of_the_appendix(number: int) -> None:
    model = MODELS[number]
    densities, cumulative, roc, _ = (lines(ax) for ax in picture(number).axes)
    for name, sample in (("0", model.pair.negatives), ("1", model.pair.positives)):
        x, y = densities[f"f{name}"]
        inside = slice(2, -2)
        same = np.isin(np.round(x, 3), np.round(model.by_score.kinks, 3), invert=True)[inside]
        at = x[inside][same]
        np.testing.assert_allclose(y[inside][same], sample.pdf(at), atol=0.02)
        x, y = cumulative[f"F{name}"]
        np.testing.assert_allclose(y, sample.cdf(x), atol=1e-9)
    t, c = cumulative["c(T)"]
    np.testing.assert_array_equal(c, model.optimal_condition(t))
    x, y = (values[::-1] for values in roc["ROC curve"])
    assert area_below(x, y) == pytest.approx(model.auc, abs=1e-3)


@pytest.mark.parametrize("number", CONVEX)
def test_the_three_curves(number: int) -> None:
    model = MODELS[number]
    brown, purple, green = losses(number).values()
    optimal = cs.loss_curve(model, choice=cs.Optimal())
    np.testing.assert_array_equal(brown[1], optimal(brown[0]))
    np.testing.assert_array_equal(purple[1], cs.pointwise.optimal_loss_density(model, t=purple[0]))
    np.testing.assert_array_equal(green[1], cs.pointwise.refinement_density(model, t=green[0]))


@pytest.mark.parametrize("number", CONVEX)
def test_brown_and_green_have_one_area(number: int) -> None:
    loss, _, refinement = areas(number)
    assert loss == pytest.approx(refinement, abs=2e-5)
    assert loss == pytest.approx(cs.expected_loss(MODELS[number], choice=cs.Optimal()), abs=2e-5)


@pytest.mark.parametrize("number", CONVEX)
def test_the_purple_area_is_the_loss_without_that_on_singular_intervals(number: int) -> None:
    """What it lacks is the loss on singular intervals."""
    model = MODELS[number]
    intervals = cs.pointwise.score_intervals(model)
    loss, transformed, _ = areas(number)
    missing = sum(
        cs.expected_loss(model, choice=cs.Optimal(), costs=cs.Uniform(low, high)) * (high - low)
        for kind, low, high in zip(intervals.kind, intervals.c_low, intervals.c_high, strict=True)
        if kind == "singular"
    )
    assert transformed + missing == pytest.approx(loss, abs=2e-5)
    assert (missing > 0.01) == (number >= 11)


def test_names_state_the_areas() -> None:
    labels = written(picture(8).axes[3])
    assert [label.split()[-1] for label in labels] == ["0.1026"] * 3


def test_figure_5_has_three_equal_curves() -> None:
    for x, y in losses(5).values():
        np.testing.assert_allclose(y, x * (1 - x), atol=1e-8)


@pytest.mark.parametrize("number", [6, 7])
def test_purple_and_green_are_equal_however_figure_5_is_rescaled(number: int) -> None:
    """The caption of Figure 7 denies it; both are densities of one measure on the rankings."""
    brown, purple, green = losses(number).values()
    np.testing.assert_allclose(purple[1], green[1], atol=1e-8)
    u, power = purple[0] ** (number - 4), number - 4
    change = power * purple[0] ** (power - 1)
    np.testing.assert_allclose(purple[1], u * (1 - u) * change, atol=1e-8)
    assert np.abs(brown[1] - green[1]).max() > 0.1


def test_slopes_of_the_first_models() -> None:
    """c'(T) is 1, linear, and bent."""
    for number, slope in ((5, lambda t: 1 + 0 * t), (6, lambda t: 2 * t), (7, lambda t: 3 * t**2)):
        t, found = lines(picture(number).axes[0])["c'(T)"]
        np.testing.assert_allclose(found, slope(t), atol=2e-4)


def test_figure_8_has_the_formulas_of_its_caption() -> None:
    densities, cumulative, _, _ = (lines(ax) for ax in picture(8).axes)
    t, c = cumulative["c(T)"]
    np.testing.assert_allclose(c, 4 * t**3 / (2 * (1 - t) + 4 * t**3), atol=1e-12)
    t, slope = densities["c'(T)"]
    np.testing.assert_allclose(slope, 2 * (3 - 2 * t) * t**2 / (-1 + t - 2 * t**3) ** 2, atol=2e-4)


def test_figure_9_treats_the_straight_segment_in_three_ways() -> None:
    brown, purple, green = losses(9).values()
    middle = (purple[0] > 1 / 3) & (purple[0] < 3 / 4)
    np.testing.assert_allclose(purple[1][middle], 0, atol=1e-9)
    np.testing.assert_allclose(green[1][middle], 0.2927, atol=5e-5)
    # On the axis of conditions the segment is one point, where the curve has a corner.
    corner = brown[0][np.argmax(brown[1])]
    assert corner == pytest.approx(0.512, abs=5e-3)


def test_figure_10_is_not_convex() -> None:
    t, c = lines(picture(10).axes[1])["c(T)"]
    assert np.any(np.diff(c) < 0)
    loss, transformed, refinement = areas(10)
    assert loss > 0.005 + refinement
    assert abs(transformed - loss) > 0.01
    assert abs(transformed - refinement) > 0.01
    slope = lines(picture(10).axes[0])["c'(T)"][1]
    points = MODELS[10].by_score.at(t)
    by_hand = (c * points.fpr + (1 - c) * points.fnr) * slope
    np.testing.assert_allclose(losses(10)["transformed loss over T"][1], by_hand, atol=1e-12)
    low, high = picture(10).axes[0].get_ylim()
    assert low < slope.min()
    assert high > slope.max()


@pytest.mark.parametrize("number", [11, 12])
def test_diagonal_models_lose_a_quarter(number: int) -> None:
    _, purple, _ = losses(number).values()
    np.testing.assert_array_equal(purple[1], 0)
    assert areas(number) == pytest.approx([0.25, 0, 0.25], abs=2e-5)


def test_what_is_cut_off_is_told() -> None:
    (label,) = [label for label in written(picture(12).axes[3]) if "refinement" in label]
    assert label.endswith(", up to 25")
    assert picture(12).axes[3].get_ylim()[1] < 25


def test_figure_15_jumps() -> None:
    _, c = lines(picture(15).axes[1])["c(T)"]
    np.testing.assert_allclose(np.unique(c.round(9)), [0, 6 / 11, 1], atol=1e-9)
    assert areas(15) == pytest.approx([1 / 22, 0, 1 / 22], abs=2e-5)

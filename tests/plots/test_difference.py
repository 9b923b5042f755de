"""What is drawn of a difference of two models: curve, band, crossings, and what is known."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows, vertices, written
from refusals import refused

import costspace as cs
from costspace.plots import Display, colours, plot_difference

GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(300) < 0.3
S = np.clip(0.3 + 0.3 * Y + 0.2 * GENERATOR.standard_normal(300), 0, 1)
SCORES = {"good": S, "poor": np.clip(S + 0.3 * GENERATOR.standard_normal(300), 0, 1)}
BAND = cs.difference_band(Y, SCORES, choice=cs.ScoreDriven())
FIXED = {"bold": cs.ScoreFixed(0.3), "cautious": cs.ScoreFixed(0.7)}
CROSSED = cs.difference_band(Y, {"bold": S, "cautious": S}, choice=FIXED)
SKEWED = cs.difference_band(Y, {"bold": S, "cautious": S}, choice=FIXED, axis="skew")


def intervals(display: Display, name: str) -> np.ndarray:
    x, _ = rows(display, name)
    assert np.isnan(x[2::3]).all()
    return np.stack([x[::3], x[1::3]], axis=1)


def test_the_curve_is_the_difference_and_the_band_is_around_it() -> None:
    display = plot_difference(BAND)
    x, y = vertices(display, "difference")
    curve = BAND.curve
    assert np.minimum(abs(y - curve(x)), abs(y - curve.left(x))).max() < 1e-12
    x, y = rows(display, "difference, band")
    inside = (x > 0) & (x < 1)
    jumping = np.isin(x, curve.breaks)
    ends = np.stack([BAND.low(x), BAND.high(x)])
    assert abs(ends - y).min(axis=0)[inside & ~jumping].max() < 1e-12


def test_the_labels_name_the_models() -> None:
    display = plot_difference(BAND, models=("good", "poor"))
    assert display.ax.get_ylabel() == "Loss of good minus that of poor"
    assert display.ax.get_xlabel().startswith("Cost proportion")
    texts = written(display.ax)
    assert "simultaneous 95 % band" in texts
    assert "good loses less" in texts
    assert "either may lose less" in texts
    assert "poor loses less" not in texts


def test_the_strip_says_what_the_band_knows() -> None:
    display = plot_difference(CROSSED, models=("bold", "cautious"))
    for name, sign in (
        ("bold loses less", -1),
        ("cautious loses less", 1),
        ("either may lose less", 0),
    ):
        assert CROSSED.where(sign)
        assert_array_equal(intervals(display, name), CROSSED.where(sign))
    shown = {name: display.artists[f"{name} loses less"].get_facecolor()[0][:3] for name in FIXED}
    assert {name: to_hex(rgb).upper() for name, rgb in shown.items()} == colours(FIXED)


def test_a_known_crossing_is_full_and_its_interval_is_said() -> None:
    found = CROSSED.crossings()
    assert_array_equal(found.before * found.after, [-1])
    display = plot_difference(CROSSED, models=("bold", "cautious"))
    assert_array_equal(intervals(display, "crossings"), [[found.low[0], found.high[0]]])
    said = f"crossing at {found.first[0]:.3g}\n(interval {found.low[0]:.3g} to {found.high[0]:.3g})"
    assert said in written(display.ax)
    (marker,) = [line for line in display.ax.get_lines() if line.get_label() == said]
    assert marker.get_markerfacecolor() == "black"
    assert_array_equal(marker.get_xydata(), [[found.first[0], 0]])


def test_a_crossing_that_may_not_be_is_open() -> None:
    band = cs.difference_band(Y[:30], {k: s[:30] for k, s in SCORES.items()}, choice=cs.Optimal())
    found = band.crossings()
    assert (found.before * found.after == 0).all()
    display = plot_difference(band)
    said = [text for text in written(display.ax) if text.startswith("perhaps")]
    assert len(said) == len(found)
    for line in display.ax.get_lines():
        if line.get_label() in said:
            assert line.get_markerfacecolor() == "white"


@pytest.mark.parametrize("axis", ["pc", "prevalence"])
def test_over_probability_cost_all_is_turned(axis: str) -> None:
    display = plot_difference(SKEWED, axis=axis, models=("bold", "cautious"))
    turned = [(1 - high, 1 - low) for low, high in SKEWED.where(-1)]
    assert_allclose(intervals(display, "bold loses less"), turned)
    found = SKEWED.crossings()
    assert_allclose(intervals(display, "crossings"), [[1 - found.high[0], 1 - found.low[0]]])
    x, y = rows(display, "difference")
    assert_allclose(y, SKEWED.curve(np.clip(1 - x, 0, 1)), atol=1e-12)


def test_the_range_is_that_of_the_band() -> None:
    band = cs.difference_band(Y, SCORES, choice=cs.ScoreDriven(), low=0.2, high=0.7)
    assert_allclose(plot_difference(band).ax.get_xlim(), (0.2, 0.7))
    assert_allclose(plot_difference(band, axis="pc").ax.get_xlim(), (0.3, 0.8))
    assert_allclose(plot_difference(band, limits=(0.3, 0.5)).ax.get_xlim(), (0.3, 0.5))


def test_a_logit_scale() -> None:
    display = plot_difference(CROSSED, scale="logit", models=("bold", "cautious"))
    assert_allclose(display.ax.get_xlim(), (1e-4, 1 - 1e-4))
    display.figure.canvas.draw()
    x, _ = rows(display, "bold loses less")
    assert np.nanmin(x) >= 1e-4
    band = cs.difference_band(Y, SCORES, choice=cs.ScoreDriven(), high=0.4)
    assert_allclose(plot_difference(band, scale="logit").ax.get_xlim(), (1e-4, 0.4))


def test_outside_the_window_nothing_is_said() -> None:
    display = plot_difference(CROSSED, limits=(0.9, 1), models=("bold", "cautious"))
    assert "crossings" not in display.artists
    assert "bold loses less" not in display.artists
    assert_array_equal(intervals(display, "cautious loses less"), [[0.9, 1]])


def test_models_may_be_named_as_something_that_is_drawn() -> None:
    display = plot_difference(CROSSED, models=("difference", "crossings"))
    assert {"difference", "difference loses less", "crossings"} <= set(display.artists)


def test_refusals() -> None:
    single = cs.loss_band(Y, S, choice=cs.ScoreDriven(), simultaneous=False)
    for wrong in (single, BAND.curve):
        with refused(cs.SourceError, "a LossBand around a difference is needed"):
            plot_difference(wrong)  # type: ignore[arg-type]
    for names in (("a", "a"), ("a",), "ab", None):
        with refused(cs.ConditionError, "models must be two different names"):
            plot_difference(BAND, models=names)  # type: ignore[arg-type]
    with refused(cs.ConditionError, "axis must be"):
        plot_difference(BAND, axis="cots")
    with refused(cs.ConditionError, "jumps must be"):
        plot_difference(BAND, jumps="none")
    assert plt.get_fignums() == []

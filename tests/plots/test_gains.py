"""What is drawn of cumulative gains and lift."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from pictures import vertices, written
from refusals import refused

import costspace as cs
from costspace.plots import plot_gain

RNG = np.random.default_rng(0)
Y = RNG.random(400) < 0.2
SCORES = {
    "sharp": np.round(RNG.normal(2.0 * Y), 2),
    "blunt": np.round(RNG.normal(0.7 * Y), 1),
}
CURVES = {name: cs.metrics.gain_curve(Y, s) for name, s in SCORES.items()}


@pytest.mark.parametrize("kind", ["gain", "lift"])
def test_the_lines_drawn_are_the_curves(kind: str) -> None:
    display = plot_gain(CURVES, kind=kind)
    p = np.mean(Y)
    for name, curve in CURVES.items():
        x, y = vertices(display, name)
        assert_allclose(y, curve(np.clip(x, 0, 1)) if kind == "gain" else curve.lift(x), atol=1e-12)
        at = np.linspace(0.011, 0.999, 997)
        known = curve(at) if kind == "gain" else curve.lift(at)
        top = np.diff(display.ax.get_ylim())[0]
        assert np.abs(np.interp(at, x, y) - known).max() < 0.01 * top
        assert x.min() == (0 if kind == "gain" else 0.01)
    x, y = vertices(display, "at random")
    assert_allclose(y, x if kind == "gain" else 1)
    if kind == "gain":
        assert_allclose(vertices(display, "perfect"), [[0, p, 1], [0, 1, 1]])
        assert written(display.ax) == ["sharp", "blunt", "at random", "perfect"]
    assert list(plot_gain(CURVES, kind=kind, trivial=False).artists) == list(CURVES)


def test_a_band_is_drawn_around_its_curve() -> None:
    band = cs.bands.gain_band(Y, SCORES["blunt"], replicates=100)
    for kind in ("gain", "lift"):
        display = plot_gain(CURVES, bands={"blunt": band}, kind=kind)
        patch = display.artists["blunt, band"]
        corners = patch.get_xy()  # type: ignore[attr-defined]
        over = 1.0 if kind == "gain" else 1 / corners[:, 0].clip(0.01)
        ends = np.stack([band.low(corners[:, 0].clip(0, 1)), band.high(corners[:, 0].clip(0, 1))])
        assert np.abs(ends * over - corners[:, 1]).min(axis=0).max() < 1e-9
        assert "simultaneous 95 % band" in written(display.ax)


@pytest.mark.parametrize("seed", range(20))
def test_the_title_says_who_finds_most(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.random(60) < 0.3)
    scores = {name: np.round(rng.normal(0.5 * y), 1) for name in "abc"}
    curves = {name: cs.metrics.gain_curve(y, s) for name, s in scores.items()}
    found = {name: round(100 * curve(0.2)) for name, curve in curves.items()}
    title = plot_gain(curves).ax.get_title().replace("\n", " ")
    best = [name for name, share in found.items() if share == max(found.values())]
    assert title.endswith(f"{max(found.values())} % in the top 20 %")
    said = {1: f"{best[0]} finds most:", 2: f"{' and '.join(best)} find most:"}
    assert title.startswith(said.get(len(best), "All 3 are alike:"))
    one = curves["a"]
    top = f"The top 20 % hold {found['a']} % of the positives"
    assert plot_gain(one).ax.get_title() == top
    assert f"{one.lift(0.2):.2g} times" in plot_gain(one, kind="lift").ax.get_title()


def test_a_title_names_nobody_best_whose_lead_is_in_the_band_of_another() -> None:
    scores = {name: np.round(RNG.normal(1.0 * Y), 2) for name in ("a", "b")}
    curves = {name: cs.metrics.gain_curve(Y, s) for name, s in scores.items()}
    best, other = sorted(curves, key=lambda name: -curves[name](0.2))
    bands = {other: cs.bands.gain_band(Y, scores[other], replicates=100)}
    share, lift = 100 * curves[best](0.2), curves[best].lift(0.2)
    for kind, told in (
        ("gain", f"{best} finds {share:.0f} % in the top 20 %, {other} may find as many"),
        ("lift", f"{best} lifts {lift:.2g} times in the top 20 %, {other} may lift as much"),
    ):
        title = plot_gain(curves, kind=kind, bands=bands).ax.get_title()
        assert title.replace("\n", " ") == told
    clear = {"blunt": cs.bands.gain_band(Y, SCORES["blunt"], replicates=100)}
    assert plot_gain(CURVES, bands=clear).ax.get_title().startswith("sharp finds most: ")


def test_what_is_refused() -> None:
    with refused(cs.SourceError, "gain curve: this needs GainCurve"):
        plot_gain(cs.decision_curve([0, 1], [0.2, 0.7]))  # type: ignore[arg-type]
    with refused(cs.ConditionError, "kind must be 'gain' or 'lift', got 'roc'."):
        plot_gain(CURVES, kind="roc")
    with refused(cs.ConditionError, "bands: there is no curve 'x', there are sharp, blunt."):
        plot_gain(CURVES, bands={"x": cs.bands.gain_band(Y, SCORES["blunt"], simultaneous=False)})
    other = cs.metrics.gain_curve(Y, SCORES["blunt"], prevalence=0.5)
    with refused(cs.ConditionError, "curves of one prevalence can be compared, got prevalences"):
        plot_gain({**CURVES, "other": other})
    with refused(cs.ConditionError, "got prevalences of no curve."):
        plot_gain({})
    assert plt.get_fignums() == []

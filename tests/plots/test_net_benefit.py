"""What is drawn of decision curves."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from pictures import vertices, written
from refusals import refused

import costspace as cs
from costspace.plots import plot_net_benefit

GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(300) < 0.2
S = np.clip(0.15 + 0.3 * Y + 0.15 * GENERATOR.standard_normal(300), 0.001, 0.999)
CURVES = {
    "trusting": cs.decision_curve(Y, S),
    "optimal": cs.decision_curve(Y, S, choice=cs.Optimal()),
}


@pytest.mark.parametrize("kind", ["net_benefit", "standardised", "net_reduction"])
def test_the_curves_drawn_are_the_net_benefit(kind: str) -> None:
    display = plot_net_benefit(CURVES, kind=kind, limits=(0.01, 0.9))
    first = CURVES["trusting"]
    for name, curve in {
        **CURVES,
        "treat all": first.treat_all,
        "treat none": first.treat_none,
    }.items():
        t, y = vertices(display, name)
        values = []
        for left in (False, True):
            if kind == "net_benefit":
                values.append(curve.left(t) if left else curve(t))
            else:
                values.append(getattr(curve, kind)(t, left=left))
        assert np.abs(np.array(values) - y).min(axis=0).max() < 1e-12
        # Drawn within half a dot everywhere, not only at its vertices.
        at = np.setdiff1d(np.linspace(0.011, 0.89, 991), curve.breaks)
        known = curve(at) if kind == "net_benefit" else getattr(curve, kind)(at)
        apart = np.abs(np.interp(at, t, y) - known)
        dot = np.diff(display.ax.get_ylim())[0] / (4.8 * 300)
        bottom = display.ax.get_ylim()[0]
        jumps = np.abs(np.subtract.outer(at, curve.breaks)).min(axis=1) < 0.9 / 2400
        assert apart[(known > bottom) & ~jumps].max() < dot


def test_labels_and_the_trivial_rules() -> None:
    display = plot_net_benefit(CURVES)
    assert written(display.ax) == ["trusting", "optimal", "treat all", "treat none"]
    assert display.ax.get_xlabel() == "Threshold probability"
    assert display.ax.get_ylabel() == "Net benefit (true positives per case)"
    assert {display.artists[name].get_color() for name in ("treat all", "treat none")} == {"0.4"}
    _, none = vertices(display, "treat none")
    assert_allclose(none, 0, atol=1e-15)
    assert list(plot_net_benefit(CURVES, trivial=False).artists) == list(CURVES)


def test_lines_differ_by_dashes() -> None:
    artists = plot_net_benefit(CURVES).artists
    assert len({artists[name].is_dashed() for name in CURVES}) == 2


def test_curves_that_fall_without_bound_leave_the_picture() -> None:
    display = plot_net_benefit(CURVES)
    bottom, top = display.ax.get_ylim()
    highest = max(vertices(display, name)[1].max() for name in CURVES)
    assert highest < top < 1.2 * highest
    assert -0.3 * top < bottom < 0
    assert np.isfinite(
        display.columns()["threshold"][~np.isnan(display.columns()["net_benefit"])]
    ).all()
    display.figure.canvas.draw()


def test_jumps_are_bridged_or_open() -> None:
    def gaps(jumps: str) -> int:
        display = plot_net_benefit({"model": CURVES["trusting"]}, trivial=False, jumps=jumps)
        return int(np.isnan(display.artists["model"].get_ydata()).sum())

    assert gaps("vertical") == 0 < gaps("open")


def test_a_logit_scale() -> None:
    display = plot_net_benefit(CURVES, scale="logit", limits=(0.001, 0.5))
    assert display.ax.get_xscale() == "logit"
    assert display.ax.get_xlabel() == "Threshold probability\n(logit scale, 0.001 to 0.5)"
    t, _ = vertices(display, "trusting")
    assert_allclose((t.min(), t.max()), (0.001, 0.5))


def test_looks() -> None:
    display = plot_net_benefit(CURVES, looks={"trusting": {"color": "black"}})
    assert display.artists["trusting"].get_color() == "black"


def test_long_curves_are_thinned() -> None:
    n = 200_000
    y = GENERATOR.random(n) < 0.3
    s = np.clip(0.3 * y + 0.7 * GENERATOR.random(n), 0, 1)
    curve = cs.decision_curve(y, s)
    assert len(curve.breaks) > n / 2
    display = plot_net_benefit(curve)
    assert len(display.columns()["threshold"]) < 3 * 20 * 2400
    assert next(iter(display.artists)) == "decision curve"


def test_refusals() -> None:
    with refused(cs.SourceError, "decision curve: this needs DecisionCurve"):
        plot_net_benefit(CURVES["optimal"].loss)  # type: ignore[arg-type]
    with refused(cs.ConditionError, "kind must be 'net_benefit', 'standardised', 'net_reduction'"):
        plot_net_benefit(CURVES, kind="benefit")
    other = cs.decision_curve(~Y, 1 - S)
    with refused(cs.ConditionError, "curves of one prevalence"):
        plot_net_benefit({**CURVES, "other": other})
    with refused(cs.ConditionError, "curves of one prevalence"):
        plot_net_benefit({})
    with refused(cs.ConditionError, "jumps must be"):
        plot_net_benefit(CURVES, jumps="none")
    assert plt.get_fignums() == []

"""What is drawn of the cost of cases by the cost of a review."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from pictures import vertices, written
from refusals import refused

import costspace as cs
from costspace.plots import plot_reviews

GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(300) < 0.2
S = {
    "wide": np.clip(0.15 + 0.3 * Y + 0.15 * GENERATOR.standard_normal(300), 0.001, 0.999),
    "narrow": np.clip(0.15 + 0.5 * Y + 0.15 * GENERATOR.standard_normal(300), 0.001, 0.999),
}
REVIEW = cs.Review(cost=0.3, sensitivity=0.95, specificity=0.9)


def curves(choice: cs.ThresholdChoice, review: cs.Review = REVIEW) -> dict:
    return {
        name: cs.review_curve(Y, s, fp_cost=1, fn_cost=5, review=review, choice=choice)
        for name, s in S.items()
    }


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()])
def test_the_lines_are_the_cost_by_the_cost_of_a_review(choice: cs.ThresholdChoice) -> None:
    drawn = curves(choice)
    display = plot_reviews(drawn)
    end, dot = display.ax.get_xlim()[1], np.diff(display.ax.get_ylim())[0] / (3 * 300)
    for name, curve in drawn.items():
        x, y = vertices(display, name)
        assert (x.min(), x.max()) == pytest.approx((0, end))
        at = np.linspace(0.0005, end, 997)
        breaks = np.append(curve.most * curve.relative.breaks, curve.most)
        at = at[np.abs(np.subtract.outer(at, breaks)).min(axis=1) > 2 * end / 1500]
        assert np.abs(np.interp(at, x, y) - 1000 * curve(at)).max() < dot
        _, level = vertices(display, f"{name}, no reviews")
        assert_allclose(level, 1000 * curve.without)


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()])
def test_over_the_share_each_rule_costs_what_it_does_now(choice: cs.ThresholdChoice) -> None:
    drawn = curves(choice)
    display = plot_reviews(drawn, kind="share")
    for name, curve in drawn.items():
        share, cost = vertices(display, name)
        assert np.all(np.diff(share) >= -1e-12)
        assert share[0] == pytest.approx(0, abs=1e-3)
        assert cost[0] == pytest.approx(1000 * curve.without, abs=1)
        if choice == cs.Optimal():
            # Its line is the least cost within each share.
            for most in (0.02, 0.05, 0.07):
                price = curve.price(most)
                assert price > 0
                least = curve(0.3 + price) - price * most
                assert np.interp(most, share, cost) == pytest.approx(1000 * least, abs=1e-6)
            assert cost.min() == pytest.approx(1000 * curve(0.3), abs=1e-9)


def test_names_labels_and_a_dot_at_what_a_review_costs() -> None:
    drawn = curves(cs.Optimal())
    display = plot_reviews(drawn)
    assert written(display.ax) == [
        *("wide", "wide, no reviews", "narrow", "narrow, no reviews"),
    ]
    assert display.ax.get_xlabel() == "Cost of a review"
    assert display.ax.get_ylabel() == "Expected cost per 1,000 cases"
    dots = [line for line in display.ax.get_lines() if line.get_marker() == "o"]
    where = [(*line.get_xdata(), *line.get_ydata()) for line in dots]
    assert where == [(0.3, pytest.approx(1000 * curve(0.3))) for curve in drawn.values()]
    assert plot_reviews(drawn, kind="share").ax.get_xlabel() == "Share of cases that are reviewed"


def test_a_review_that_is_never_worth_it_is_a_level_line() -> None:
    drawn = curves(cs.Optimal(), cs.Review(0.3, 0.5, 0.5))
    for kind in ("cost", "share"):
        display = plot_reviews(drawn, kind=kind)
        _, y = vertices(display, "wide")
        assert_allclose(y, 1000 * drawn["wide"].without)
        display.figure.canvas.draw()


def test_looks_limits_and_gains() -> None:
    gains = cs.review_curve(Y, S["wide"], fp_cost=1, fn_cost=5, tp_cost=-9, review=REVIEW)
    display = plot_reviews(gains, most=0.2, looks={"review curve": {"color": "black"}})
    assert display.ax.get_xlim() == (0, 0.2)
    assert display.ax.get_ylim()[0] < 1000 * gains(0.0)
    assert display.artists["review curve"].get_color() == "black"


def test_long_curves_are_thinned() -> None:
    n = 200_000
    y = GENERATOR.random(n) < 0.3
    s = np.clip(0.3 * y + 0.7 * GENERATOR.random(n), 0, 1)
    curve = cs.review_curve(y, s, fp_cost=1, fn_cost=5, review=REVIEW)
    for kind in ("cost", "share"):
        assert len(plot_reviews(curve, kind=kind).columns()["cost"]) < 3 * 20 * 2400


def test_refusals() -> None:
    drawn = curves(cs.Optimal())
    with refused(cs.SourceError, "review curve: this needs ReviewCurve"):
        plot_reviews(drawn["wide"].relative)  # type: ignore[arg-type]
    with refused(cs.ConditionError, "kind must be 'cost' or 'share'"):
        plot_reviews(drawn, kind="price")
    other = cs.review_curve(Y, S["wide"], fp_cost=1, fn_cost=6, review=REVIEW)
    with refused(cs.ConditionError, "curves of the same costs and one prevalence"):
        plot_reviews({**drawn, "other": other})
    with refused(cs.ConditionError, "curves of the same costs and one prevalence"):
        plot_reviews({})
    for bad in (0, -1, np.inf):
        with refused(cs.ConditionError, "most must be"):
            plot_reviews(drawn, most=bad)
    assert plt.get_fignums() == []

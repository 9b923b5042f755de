"""What is drawn of dominance: where models are best, and where nearly so."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows
from refusals import refused

import costspace as cs
from costspace.plots import Display, plot_dominance

GENERATOR = np.random.default_rng(1)
Y = GENERATOR.random(60) < 0.4
CURVES = {
    name: cs.loss_curve(
        Y, np.clip(0.2 + size * Y + 0.2 * GENERATOR.standard_normal(60), 0, 1), choice=choice
    )
    for name, size, choice in (
        ("driven", 0.3, cs.ScoreDriven()),
        ("fixed", 0.3, cs.ScoreFixed(0.4)),
        ("useless", -0.4, cs.ScoreFixed(0.3)),
        ("optimal", 0.2, cs.Optimal()),
    )
}


def intervals(display: Display, name: str) -> np.ndarray:
    return np.stack(rows(display, name), axis=1)


def covered(ends: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.any((ends[:, :1] <= at) & (at <= ends[:, 1:]), axis=0)


def test_the_strips_are_where_models_are_best_or_nearly() -> None:
    display = plot_dominance(CURVES, within=0.2)
    at = (np.arange(2000) + 0.37) / 2000
    losses = {name: curve(at) for name, curve in CURVES.items()}
    least = np.min(list(losses.values()), axis=0)
    for name, loss in losses.items():
        # Two strips that are half a dot apart are drawn as one.
        best = covered(intervals(display, f"{name}, best"), at)
        assert np.mean(best != (loss <= least + 1e-12)) < 0.002
        near = covered(intervals(display, f"{name}, within 20 %"), at)
        assert np.mean(near != (loss <= 1.2 * least + 1e-12)) < 0.002


def test_models_stand_in_the_order_of_their_conditions() -> None:
    display = plot_dominance(CURVES)
    *labels, last = [text.get_text() for text in display.ax.texts]
    assert last == "nowhere: useless"
    assert sorted([*labels, "useless"]) == sorted(CURVES)
    top, bottom = display.ax.transData.transform([(0, 0), (0, 1)])[:, 1]
    assert top > bottom
    means = []
    for name in labels:
        ends = intervals(display, f"{name}, best")
        if len(ends):
            means.append(np.average(ends.mean(axis=1), weights=np.diff(ends)[:, 0]))
    assert means == sorted(means)
    assert len(means) > 1


def test_nearly_best_is_paler() -> None:
    display = plot_dominance(CURVES, within=0.05)
    assert display.ax.get_title().endswith("(pale: within 5 % of the lowest)")
    best, near = (
        display.artists[f"driven, {name}"].get_facecolor()[0] for name in ("best", "within 5 %")
    )
    assert (near[:3] > best[:3]).all()


def test_what_is_nowhere_best_takes_no_rows() -> None:
    worse = {f"useless {i}": CURVES["useless"] for i in range(9)}
    few, many = plot_dominance(CURVES), plot_dominance({**CURVES, **worse})
    heights = [display.figure.get_size_inches()[1] for display in (few, many)]
    assert heights[1] < heights[0] + 1
    said = many.ax.texts[-1].get_text().replace("\N{NO-BREAK SPACE}", " ")
    assert all(name in said for name in worse)


def test_a_dominance_tells_the_best_only() -> None:
    display = plot_dominance(cs.dominance(CURVES))
    assert all(name.endswith("best") for name in display.artists)
    both = plot_dominance(CURVES)
    for name in display.artists:
        assert_array_equal(intervals(display, name), intervals(both, name))


def test_over_probability_cost_it_is_turned() -> None:
    plain, turned = plot_dominance(CURVES, axis="skew"), plot_dominance(CURVES, axis="pc")
    for name in plain.artists:
        ends = intervals(plain, name)
        assert_allclose(intervals(turned, name), 1 - ends[::-1, ::-1], atol=1e-12)


def test_a_window_and_a_scale() -> None:
    display = plot_dominance(CURVES, scale="logit", limits=(0.01, 0.2))
    assert display.ax.get_xlim() == (0.01, 0.2)
    columns = display.columns()
    assert columns["from"].min() >= 0.01
    assert columns["to"].max() <= 0.2


def test_more_models_make_a_higher_figure() -> None:
    many = {f"{name} {i}": curve for name, curve in CURVES.items() for i in range(8)}
    few, more = plot_dominance(CURVES).figure, plot_dominance(many).figure
    assert more.get_size_inches()[1] > 2 * few.get_size_inches()[1]
    figure, ax = plt.subplots(figsize=(5, 4))
    plot_dominance(many, ax=ax)
    assert_array_equal(figure.get_size_inches(), (5, 4))


def test_long_curves_are_thinned() -> None:
    n = 40_000
    y = GENERATOR.random(n) < 0.5
    s = np.clip(0.5 * y + 0.5 * GENERATOR.random(n), 0, 1)
    other = np.clip(s + GENERATOR.normal(0, 1e-4, n), 0, 1)
    curves = {
        name: cs.loss_curve(y, scores, choice=cs.ScoreDriven())
        for name, scores in (("first", s), ("second", other))
    }
    display = plot_dominance(curves)
    assert len(cs.dominance(curves).breaks) > 1000
    assert len(display.columns()["from"]) < 4 * 2400
    for name in display.artists:
        ends = intervals(display, name)
        assert np.all(ends[1:, 0] - ends[:-1, 1] > 0.5 / 2400 * (1 - 1e-9))


@pytest.mark.parametrize("wrong", [[], "curve", {"a": 1}])
def test_refusals(wrong: object) -> None:
    with refused(cs.SourceError, "loss curve: this needs LossCurve"):
        plot_dominance(wrong)  # type: ignore[arg-type]
    assert plt.get_fignums() == []


def test_more_refusals() -> None:
    with refused(cs.SourceError, "give at least one"):
        plot_dominance({})
    with refused(cs.ConditionError, "within"):
        plot_dominance(CURVES, within=-0.1)
    with refused(cs.ConditionError, "scale must be"):
        plot_dominance(CURVES, scale="log")

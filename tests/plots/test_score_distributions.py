"""Histograms and distribution functions of both classes."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.lines import Line2D
from numpy.testing import assert_allclose
from pictures import rows, written
from refusals import refused

import costspace as cs
from costspace.plots import plot_score_distributions

Y, S = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)


@pytest.mark.parametrize("weighted", [False, True])
def test_densities_are_histograms(weighted: bool) -> None:
    generator = np.random.default_rng(0)
    y = generator.random(500) < 0.3
    s = np.round(generator.random(500), 1)
    weights = generator.random(500) if weighted else None
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=weights)
    display = plot_score_distributions(table, bins=7)
    for name, label in (("negatives", False), ("positives", True)):
        own = y == label
        w = None if weights is None else weights[own]
        expected, edges = np.histogram(
            s[own], bins=7, range=(s.min(), s.max()), weights=w, density=True
        )
        x, density = rows(display, name)
        assert_allclose(x[0], edges[0])
        middle = (edges[1:] + edges[:-1]) / 2
        steps = [density[np.searchsorted(x, m, side="right") - 1] for m in middle]
        assert_allclose(steps, expected, atol=1e-12)
        assert density[0] == density[-1] == 0


def test_cumulative_shares_step_at_the_scores() -> None:
    display = plot_score_distributions(TABLE, kind="cumulative")
    x, share = rows(display, "negatives")
    drawn = list(zip(x, share, strict=True))
    assert drawn[0] == (0.1, 0.0)
    assert (0.6, 0.5) in drawn
    assert (0.6, 1.0) in drawn
    assert drawn[-1] == (0.9, 1.0)
    assert display.ax.get_ylabel() == "Share of class at or below score"


def test_labels() -> None:
    display = plot_score_distributions(TABLE)
    assert written(display.ax) == ["negatives", "positives"]
    assert display.ax.get_xlabel() == "Score"
    assert display.ax.get_ylabel() == "Density in each class"
    assert display.ax.get_xlim() == (0.1, 0.9)
    lines = [display.artists[name] for name in ("negatives", "positives")]
    assert len({line.get_color() for line in lines if isinstance(line, Line2D)}) == 2


def test_thresholds_are_lines_with_names() -> None:
    display = plot_score_distributions(TABLE, thresholds=[0.2, 0.5])
    assert written(display.ax)[2:] == ["threshold 0.2", "threshold 0.5"]
    named = plot_score_distributions(TABLE, thresholds={"costs 1:4": 0.2, "costs 1:1": 0.5})
    assert written(named.ax)[2:] == ["costs 1:4", "costs 1:1"]
    assert rows(named, "costs 1:1")[0] == [0.5]


def test_what_lies_outside_is_said() -> None:
    display = plot_score_distributions(TABLE, limits=(0.2, 0.9))
    assert written(display.ax) == ["negatives (50 % outside)", "positives"]
    infinite = cs.ScoreTable.from_predictions([0, 0, 0, 1], [-np.inf, 1.0, 2.0, np.inf])
    for kind in ("density", "cumulative"):
        display = plot_score_distributions(infinite, limits=(0, 3), kind=kind)
        assert written(display.ax) == ["negatives (33.3 % outside)", "positives (100 % outside)"]


def test_one_score_has_a_place() -> None:
    table = cs.ScoreTable.from_predictions([0, 1], [0.3, 0.3])
    assert plot_score_distributions(table).ax.get_xlim() == (-0.2, 0.8)


def test_an_analytic_model_looks_smooth() -> None:
    model = cs.AnalyticScores(lambda s: 2 * (1 - s), lambda s: 2 * s, 0.01)
    x, density = rows(plot_score_distributions(model), "positives")
    assert_allclose(density[1:-1], 2 * x[1:-1], atol=3e-3)
    x, share = rows(plot_score_distributions(model, kind="cumulative"), "positives")
    assert_allclose(share, x**2, atol=1e-9)


def test_many_scores_are_few_vertices() -> None:
    generator = np.random.default_rng(0)
    y = generator.random(200_000) < 0.5
    table = cs.ScoreTable.from_predictions(y, generator.random(len(y)))
    display = plot_score_distributions(table, kind="cumulative")
    assert len(display.columns()["score"]) < 50_000
    x, share = rows(display, "positives")
    assert_allclose(np.interp([0.2, 0.7], x, share), table.by_score.at([0.2, 0.7]).fnr, atol=1e-3)


def test_given_axes() -> None:
    figure, ax = plt.subplots()
    assert plot_score_distributions(TABLE, ax=ax).ax is ax
    assert plt.get_fignums() == [figure.number]


INFINITE = cs.ScoreTable.from_predictions([0, 1], [-np.inf, 1.0])
BAD = [
    (cs.SourceError, "a score source is needed, such as a ScoreTable, got [0.1", {"source": S}),
    (cs.ConditionError, "kind must be 'density' or 'cumulative', got 'pie'.", {"kind": "pie"}),
    (cs.ConditionError, "bins must be a whole number from 1 on, got 0.", {"bins": 0}),
    (cs.ConditionError, "bins must be a whole number from 1 on, got 2.5.", {"bins": 2.5}),
    (cs.ConditionError, "bins must be a whole number from 1 on, got True.", {"bins": True}),
    (
        cs.ScoreError,
        "scores run from -inf to 1, which no axis can show: give finite limits;",
        {"source": INFINITE},
    ),
    (cs.ConditionError, "limits must be a pair (low, high), got (1,).", {"limits": (1,)}),
    (cs.ConditionError, "low must be below high, got low=1 and high=0.", {"limits": (1, 0)}),
    (
        cs.ConditionError,
        "flag all: the threshold -inf is not in the range drawn, 0.1 to 0.9: leave it out, or",
        {"thresholds": {"flag all": -np.inf}},
    ),
    (
        cs.ConditionError,
        "two things to draw are 'threshold 0.5': give a mapping from names.",
        {"thresholds": [0.5, 0.5]},
    ),
    (cs.ConditionError, "costs must be a number, got 'x'.", {"thresholds": {"costs": "x"}}),
    (
        cs.ConditionError,
        "two things to draw are named 'positives': rename one.",
        {"thresholds": {"positives": 0.5}},
    ),
]


@pytest.mark.parametrize(("error", "text", "arguments"), BAD)
def test_refusals(error: type[cs.CostspaceError], text: str, arguments: dict[str, object]) -> None:
    with refused(error, text):
        plot_score_distributions(**{"source": TABLE, **arguments})
    assert plt.get_fignums() == []

"""What is drawn in ROC space."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.lines import Line2D
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows, written
from refusals import refused

import costspace as cs
from costspace.plots import Display, plot_roc_space

Y, S = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)


def conditions(display: Display) -> list[tuple[str, tuple[float, float]]]:
    """What is written at points of paths, and where."""
    marks = [line for line in display.ax.get_lines() if str(line.get_label()).startswith("at ")]
    return [(str(mark.get_label()), tuple(mark.get_xydata()[0])) for mark in marks]


def test_curve_and_hull() -> None:
    display = plot_roc_space({"model": TABLE})
    assert_array_equal(rows(display, "model"), [[1, 0.5, 0.5, 0, 0], [1, 1, 0.5, 0.5, 0]])
    assert_array_equal(rows(display, "model, hull"), [[1, 0.5, 0, 0], [1, 1, 0.5, 0]])
    assert display.ax.get_xlabel() == "False positive rate"
    assert display.ax.get_ylabel() == "True positive rate"
    assert display.ax.get_aspect() == 1
    for limits in (display.ax.get_xlim(), display.ax.get_ylim()):
        assert limits == (-0.02, 1.02)


def test_either_alone() -> None:
    assert list(plot_roc_space(TABLE, hull=False).artists) == ["ROC curve"]
    assert list(plot_roc_space(TABLE, curve=False).artists) == ["ROC curve, hull"]


def test_models_differ_without_colour() -> None:
    display = plot_roc_space({f"model {i}": TABLE for i in range(5)})
    drawn = {name: artist for name, artist in display.artists.items() if isinstance(artist, Line2D)}
    curves = [artist for name, artist in drawn.items() if "hull" not in name]
    assert len({artist._unscaled_dash_pattern for artist in curves}) == 5
    # Corners of hulls would hide them.
    assert {artist.get_marker() for artist in drawn.values()} == {"None"}
    assert written(display.ax) == [f"model {i}" for i in range(5)]


def test_of_many_models_those_in_grey_have_no_hulls_unless_asked() -> None:
    sources = {f"model {i}": TABLE for i in range(8)}
    assert len(plot_roc_space(sources).artists) == 8 + 4
    assert "model 7, hull" in plot_roc_space(sources, hull=["model 7"]).artists


def test_isometrics_are_named() -> None:
    lines = [cs.roc.loss_isometric(c=0.5, prevalence=0.5, loss=loss) for loss in (0.1, 0.3)]
    display = plot_roc_space(TABLE, isometrics=lines)
    for line in lines:
        assert_array_equal(rows(display, str(line)), [line.fpr, line.tpr])
    assert written(display.ax) == ["loss 0.1", "loss 0.3", "ROC curve", "ROC curve, hull"]
    named = plot_roc_space(
        {}, isometrics={"falling": cs.roc.rate_isometric(flagged=0.3, prevalence=0.5)}
    )
    assert written(named.ax) == ["falling"]


def test_a_path_that_jumps_and_one_that_moves() -> None:
    paths = {
        "optimal": cs.Optimal().path(TABLE),
        "rate": cs.RateDriven().path(TABLE),
        "fixed": cs.ScoreFixed(0.5).path(TABLE),
    }
    display = plot_roc_space(TABLE, paths=paths, conditions=[0.25, 0.75])
    assert_array_equal(rows(display, "optimal"), [[1, 0.5, 0, 0], [1, 1, 0.5, 0]])
    assert_array_equal(rows(display, "rate"), rows(display, "ROC curve"))
    assert_array_equal(rows(display, "fixed"), [[0.5], [0.5]])
    assert conditions(display) == [
        ("at 0.25", (0.5, 1.0)),
        ("at 0.75", (0.0, 0.5)),
        ("at 0.25", (0.5, 1.0)),
        ("at 0.75", (0.0, 0.5)),
        ("at 0.25, 0.75", (0.5, 0.5)),
    ]


def test_conditions_are_written_where_the_path_is_then() -> None:
    path = cs.RateDriven().path(TABLE)
    display = plot_roc_space({}, paths=path, conditions=[0, 0.1, 0.4, 1])
    places = np.array([place for _, place in conditions(display)])
    expected = TABLE.by_flagged.at([1, 0.9, 0.6, 0])
    assert_allclose(places, np.stack([expected.fpr, 1 - expected.fnr], axis=1), atol=1e-15)


def test_points() -> None:
    display = plot_roc_space(TABLE, points={"threshold 0.5": TABLE.by_score.at(0.5)})
    assert_array_equal(rows(display, "threshold 0.5"), [[0.5], [0.5]])


def test_long_curves_are_thinned() -> None:
    generator = np.random.default_rng(0)
    y = generator.random(200_000) < 0.3
    table = cs.ScoreTable.from_predictions(y, generator.normal(size=len(y)) + y)
    path = cs.RateDriven().path(table)
    display = plot_roc_space({"model": table}, paths={"path": path})
    fpr, tpr = rows(display, "model")
    assert len(fpr) < 30_000
    points = table.distinct_points.after_flagging_all()
    everywhere = set(zip(points.fpr, 1 - points.fnr, strict=True))
    assert set(zip(fpr, tpr, strict=True)) <= everywhere
    # Sorted by either rate, the curve rises.
    interpolated = np.interp(points.fpr + 1 - points.fnr, (fpr + tpr)[::-1], fpr[::-1])
    assert np.abs(interpolated - points.fpr).max() < 1 / 1440
    assert sum(len(line.get_xdata()) for line in display.ax.get_lines()) < 100_000


def test_an_analytic_model() -> None:
    model = cs.AnalyticScores(lambda s: 2 * (1 - s), lambda s: 2 * s, 0.01)
    display = plot_roc_space(
        {"model": model}, paths={"path": cs.ScoreDriven().path(model)}, conditions=[0.5]
    )
    for name in ("model", "model, hull", "path"):
        fpr, tpr = rows(display, name)
        threshold = 1 - np.sqrt(fpr)
        assert_allclose(tpr, 1 - threshold**2, atol=2e-3)
        at = np.linspace(0, 1, 200)
        drawn = np.interp(at, fpr[::-1], tpr[::-1])
        assert_allclose(drawn, 1 - (1 - np.sqrt(at)) ** 2, atol=1e-3)
    assert conditions(display)[0][1] == pytest.approx((0.25, 0.75))


def test_given_axes() -> None:
    figure, ax = plt.subplots()
    display = plot_roc_space(TABLE, ax=ax)
    assert display.ax is ax
    assert plt.get_fignums() == [figure.number]


BAD = [
    (cs.SourceError, "ROC curve: this needs ScoreSource, or a mapping from", {"sources": S}),
    (cs.SourceError, "path: this needs OperatingPath or SmoothPath,", {"paths": TABLE}),
    (cs.SourceError, "points: this needs OperatingPoints,", {"points": {"p": (0, 1)}}),
    (cs.SourceError, "isometrics: this needs Isometric,", {"isometrics": [0.1]}),
    (
        cs.ConditionError,
        "two things to draw are 'loss 0.2': give a mapping from names.",
        {"isometrics": [cs.roc.loss_isometric(c=c, prevalence=0.5, loss=0.2) for c in (0.4, 0.5)]},
    ),
    (cs.ConditionError, "conditions must be in [0, 1], got [2]", {"conditions": [2]}),
    (cs.ConditionError, "hull: there is no source 'a', there are ROC curve.", {"hull": ["a"]}),
    (cs.SourceError, "hull: a list or a mapping from names is needed, got 'a'.", {"hull": "a"}),
    (
        cs.ConditionError,
        "two things to draw are named 'ROC curve': rename one.",
        {"points": {"ROC curve": TABLE.by_score.at(0.5)}},
    ),
]


@pytest.mark.parametrize(("error", "text", "arguments"), BAD)
def test_refusals(error: type[cs.CostspaceError], text: str, arguments: dict[str, object]) -> None:
    with refused(error, text):
        plot_roc_space(**{"sources": TABLE, **arguments})
    assert plt.get_fignums() == []


def test_hulls_of_some_sources_looks_and_the_chance_level() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    display = plot_roc_space(
        {"a": table, "b": table},
        hull=["b"],
        paths={"p": cs.ScoreDriven().path(table)},
        chance_level=True,
        looks={"a": {"color": "red"}, "p": {"color": "black"}, "chance level": {"lw": 2}},
    )
    assert list(display.artists) == ["chance level", "a", "b", "b, hull", "p"]
    assert display.artists["a"].get_color() == "red"
    assert display.artists["chance level"].get_linewidth() == 2
    black = [line for line in display.ax.get_lines() if line.get_color() == "black"]
    assert len(black) == 2


def test_a_path_looks_as_asked_in_all_its_parts() -> None:
    path = cs.ScoreDriven().path(TABLE)
    look = {"color": "black", "marker": "*"}
    display = plot_roc_space({}, paths={"p": path}, conditions=[0.5], looks={"p": look})
    drawn = [line for line in display.ax.get_lines() if line.get_color() == "black"]
    assert [line.get_marker() for line in drawn if line.get_marker() != "None"] == ["*"] * 2
    assert conditions(display)[0][0] == "at 0.5"


def test_an_isometric_has_the_name_that_is_asked() -> None:
    line = cs.roc.loss_isometric(c=0.5, prevalence=0.5, loss=0.1)
    looks = {str(line): {"label": "iso-cost"}}
    display = plot_roc_space({}, isometrics=[line], looks=looks)
    assert written(display.ax) == ["iso-cost"]

"""What is drawn in cost space: arrays, labels, scales."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.lines import Line2D
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows, vertices, written
from refusals import refused
from worked_examples import EXAMPLES

import costspace as cs
from costspace.plots import Display, plot_cost_space

Y, S = EXAMPLES["fig1"]["y_true"], EXAMPLES["fig1"]["y_score"]
TABLE = cs.ScoreTable.from_predictions(Y, S)
P = TABLE.prevalence
BRIER = cs.loss_curve(TABLE, choice=cs.ScoreDriven())
RATE = cs.loss_curve(TABLE, choice=cs.RateDriven())
BEST = cs.loss_curve(TABLE, choice=cs.Optimal())
BEST_SKEW = cs.loss_curve(TABLE, choice=cs.Optimal(), axis="skew")
POINTS = TABLE.distinct_points.after_flagging_all()


def line(display: Display, name: str) -> Line2D:
    artist = display.artists[name]
    assert isinstance(artist, Line2D)
    return artist


def test_the_arrays_drawn_are_the_curve() -> None:
    display = plot_cost_space({"Brier": BRIER}, jumps="open")
    x, y = rows(display, "Brier")
    assert_array_equal(line(display, "Brier").get_xdata(), x)
    assert_array_equal(line(display, "Brier").get_ydata(), y)
    lifted = np.flatnonzero(np.isnan(y))
    pieces = BRIER.columns()
    jumped = np.flatnonzero(np.abs(pieces["loss_start"][1:] - pieces["loss_end"][:-1]) > 1e-9)
    assert len(lifted) == len(jumped)
    assert_allclose(x[lifted - 1], pieces["to"][jumped])
    assert_allclose(y[lifted - 1], pieces["loss_end"][jumped], atol=1e-15)
    assert_allclose(y[lifted + 1], pieces["loss_start"][1:][jumped], atol=1e-15)


def test_a_curve_that_bends_is_drawn_as_a_curve() -> None:
    display = plot_cost_space({"rate-driven": RATE})
    x, y = rows(display, "rate-driven")
    assert_allclose(y, RATE(x), atol=1e-12)
    middle = (x[1:] + x[:-1]) / 2
    pixel = display.ax.get_ylim()[1] / (4.8 * 300)
    assert np.abs(np.asarray(RATE(middle)) - (y[1:] + y[:-1]) / 2).max() < pixel / 2
    assert len(x) > len(RATE.breaks)


@pytest.mark.parametrize(
    ("axis", "label", "loss"),
    [
        ("cost", "Cost proportion c = FP cost / (FP + FN cost)", "Expected loss"),
        ("skew", "Skew z (near 0 where false negatives cost most)", "Expected loss"),
        ("pc", "Probability cost PC(+)", "Normalised expected cost"),
        ("prevalence", "Prevalence (share of positives)", "Expected cost"),
    ],
)
def test_labels(axis: str, label: str, loss: str) -> None:
    display = plot_cost_space({"model": BEST_SKEW}, axis=axis)
    assert display.ax.get_xlabel() == label
    assert display.ax.get_ylabel() == loss
    assert written(display.ax) == ["model"]
    assert display.ax.get_xlim() == (0, 1)


@pytest.mark.parametrize("axis", ["pc", "prevalence"])
def test_the_other_way_round(axis: str) -> None:
    curve = cs.loss_curve(TABLE, choice=cs.RateDriven(), axis="skew")
    x, y = rows(plot_cost_space({"model": curve}, axis=axis), "model")
    assert np.all(np.diff(x) >= 0)
    assert_allclose(y, curve(1 - x), atol=1e-9)
    jumpy = cs.loss_curve(TABLE, choice=cs.ScoreDriven(), axis="skew")
    x, y = vertices(plot_cost_space({"model": jumpy}, axis=axis), "model")
    # 1 - (1 - c) need not be c.
    sides = [np.abs(y - jumpy(np.clip(1 - x + step, 0, 1))) for step in (-1e-9, 1e-9)]
    assert np.minimum(*sides).max() < 1e-6
    assert max(side.max() for side in sides) > 0.01


def test_the_trivial_rules() -> None:
    display = plot_cost_space({"Brier": BRIER}, trivial=P)
    for name, fpr, fnr in (("flag everybody", 1, 0), ("flag nobody", 0, 1)):
        x, y = rows(display, name)
        assert_allclose(y, cs.condition.loss_at(fpr, fnr, c=x, prevalence=P), atol=1e-15)
    # Where they are worst they are not shown, and their names say so: the curves would be flat.
    highest = vertices(display, "Brier")[1].max()
    assert highest < display.ax.get_ylim()[1] < 1.06 * highest < 2 * P < 2 * (1 - P)
    assert written(display.ax)[1:] == [
        f"flag everybody (up to {2 * (1 - P):.2g})",
        f"flag nobody (up to {2 * P:.2g})",
    ]


def test_models_set_the_scale() -> None:
    # One pair in 2,500 is in the wrong order: 20 times better than without a model.
    y = np.repeat([0, 1], 50)
    good = cs.loss_curve(y, np.arange(100) + 1.5 * (np.arange(100) == 49), choice=cs.Optimal())
    top = plot_cost_space({"good": good}, trivial=0.5).ax.get_ylim()[1]
    assert good(0.5) < top < 2 * good(0.5)
    # Without a model there is nothing else to show.
    assert plot_cost_space({}, trivial=0.5).ax.get_ylim()[1] > 0.5


def test_flag_nobody_rises_with_the_probability_cost() -> None:
    display = plot_cost_space({"best": BEST_SKEW}, trivial=0.5, axis="pc")
    assert_array_equal(rows(display, "flag nobody"), [[0, 1], [0, 1]])
    assert_array_equal(rows(display, "flag everybody"), [[0, 1], [1, 0]])


def test_the_operating_range() -> None:
    display = plot_cost_space({"rate": RATE, "best": BEST}, trivial=P, operating_range="rate")
    ends, losses = rows(display, "operating range")
    assert_allclose(ends, np.ravel(cs.metrics.operating_range(RATE, prevalence=P).where(1)))
    assert np.all(np.isnan(losses))
    conditions = np.linspace(0.001, 0.999, 999)
    better = (
        np.asarray(RATE(conditions))
        < np.asarray(cs.condition.trivial_loss(conditions, prevalence=P)) - 1e-9
    )
    inside = np.any(
        [(low < conditions) & (conditions < high) for low, high in ends.reshape(-1, 2)], 0
    )
    assert_array_equal(better, inside)


def test_the_operating_range_over_the_probability_cost() -> None:
    curve = cs.loss_curve(TABLE, choice=cs.ScoreFixed(0.5), axis="skew")
    ends = rows(
        plot_cost_space(curve, trivial=0.5, operating_range=True, axis="pc"), "operating range"
    )
    (low, high), _ = ends
    expected = cs.metrics.operating_range(curve, prevalence=0.5).where(1)
    assert_allclose([(1 - high, 1 - low)], expected)


def test_no_operating_range_is_said() -> None:
    nobody = cs.loss_curve(TABLE, choice=cs.ScoreFixed(1.0))
    display = plot_cost_space(nobody, trivial=P, operating_range=True)
    assert written(display.ax)[-1] == "no operating range"


def test_expected_conditions() -> None:
    costs = cs.Uniform(0.2, 0.4)
    ends, _ = rows(plot_cost_space(BRIER, costs=costs), "middle 90 % of uniform(0.2,0.4)")
    assert_allclose(ends, [0.21, 0.39])
    ends, _ = rows(plot_cost_space(BRIER, costs=cs.Point(0.3)), "middle 90 % of point(0.3)")
    assert_allclose(ends, [0.3, 0.3])
    ends, _ = rows(
        plot_cost_space(BRIER, costs=cs.Beta(2, 2), limits=(0.4, 0.5)), "middle 90 % of beta(2,2)"
    )
    assert_allclose(ends, [0.135350, 0.864650], atol=1e-6)


def test_cost_lines_and_their_envelope() -> None:
    lines = cs.cost_lines(POINTS, axis="cost", prevalence=P)
    display = plot_cost_space({}, lines=lines, envelope=True)
    x, y = rows(display, "cost lines")
    drawn = {tuple(end) for end in y.reshape(-1, 3)[:, :2]}
    assert drawn == set(zip(lines.left, lines.right, strict=True))
    x, y = rows(display, "lower envelope")
    assert_allclose(y, BEST(x), atol=1e-12)
    # With nothing else to show the lines are shown whole.
    assert display.ax.get_ylim()[1] > lines.right.max()


def test_cost_lines_over_the_probability_cost() -> None:
    lines = cs.cost_lines(POINTS, axis="pc")
    display = plot_cost_space({"best": BEST_SKEW}, lines=lines, envelope=True, axis="pc")
    _, y = rows(display, "lower envelope")
    _, best = rows(display, "best")
    assert_allclose(y, best, atol=1e-12)


def test_cost_lines_bend_on_a_logit_scale() -> None:
    lines = cs.cost_lines(([0.2], [0.6]), axis="skew")
    x, y = rows(plot_cost_space({}, lines=lines, axis="skew", scale="logit"), "cost lines")
    x, y = x[:-1], y[:-1]
    assert len(x) > 20
    assert_allclose(y, lines(x)[0], atol=1e-12)


def test_of_very_many_lines_those_are_drawn_that_can_be_seen() -> None:
    generator = np.random.default_rng(0)
    y = generator.random(50_000) < 0.3
    table = cs.ScoreTable.from_predictions(y, generator.random(50_000) + y)
    lines = cs.cost_lines(table.distinct_points, axis="skew")
    display = plot_cost_space({}, lines=lines, axis="skew")
    drawn = rows(display, "cost lines")[1].reshape(-1, 3)[:, :2]
    assert len(drawn) < len(lines.left) / 4
    pixel = display.ax.get_ylim()[1] / (4.8 * 300)
    some = generator.integers(0, len(lines.left), 200)
    ends = np.stack([lines.left, lines.right], axis=1)[some]
    gaps = np.abs(ends[:, None] - drawn).max(axis=2).min(axis=1)
    assert gaps.max() <= pixel / 2


def test_an_envelope_of_curves() -> None:
    lowest = cs.lower_envelope([BRIER, RATE]).curve
    display = plot_cost_space({"Brier": BRIER, "rate": RATE}, envelope=lowest)
    x, y = vertices(display, "lower envelope")
    assert np.minimum(np.abs(y - lowest(x)), np.abs(y - lowest.left(x))).max() < 1e-9
    assert line(display, "lower envelope").get_zorder() < line(display, "Brier").get_zorder()


def test_a_logit_scale_says_what_it_shows() -> None:
    display = plot_cost_space({"best": BEST_SKEW}, axis="skew", scale="logit")
    assert display.ax.get_xscale() == "logit"
    assert display.ax.get_xlim() == (0.0001, 0.9999)
    assert (
        display.ax.get_xlabel()
        == "Skew z (near 0 where false negatives cost most)\n(logit scale, 0.0001 to 0.9999)"
    )
    display.figure.canvas.draw()
    ticks = [tick.get_text() for tick in display.ax.get_xticklabels()]
    assert ticks == ["0.0001", "0.01", "0.5", "0.99", "0.9999"]
    x, y = rows(display, "best")
    assert (x[0], x[-1]) == (0.0001, 0.9999)
    assert_allclose(y, BEST_SKEW(x), atol=1e-12)


def test_rare_conditions_can_be_told_apart() -> None:
    display = plot_cost_space(BEST_SKEW, axis="skew", scale="logit", limits=(1 / 5000, 1 / 500))
    assert display.ax.get_xlim() == (0.0002, 0.002)
    display.figure.canvas.draw()
    ticks = [tick.get_text() for tick in display.ax.get_xticklabels()]
    assert ticks == ["0.0002", "0.0005", "0.001", "0.002"]
    assert display.ax.get_ylim()[1] < 0.01


def test_limits_of_the_probability_cost_are_its_own() -> None:
    display = plot_cost_space({"best": BEST_SKEW}, axis="pc", limits=(0.1, 0.3))
    x, y = rows(display, "best")
    assert (x[0], x[-1]) == (0.1, 0.3)
    assert_allclose(y, BEST_SKEW(1 - x), atol=1e-12)


def test_jumps_are_bridged_or_left_open() -> None:
    bridged = plot_cost_space({"Brier": BRIER}, jumps="vertical")
    open_ones = plot_cost_space({"Brier": BRIER}, jumps="open")
    # Without a gap dashes run on.
    x, y = line(bridged, "Brier").get_data()
    assert np.isfinite(y).all()
    up = np.flatnonzero(np.diff(x) == 0)
    assert len(up) > 5
    assert_allclose(y[up], BRIER.left(x[up]), atol=1e-12)
    assert_allclose(y[up + 1], BRIER(x[up]), atol=1e-12)
    _, y = line(open_ones, "Brier").get_data()
    assert np.isnan(y).sum() == len(up)
    assert_array_equal(rows(bridged, "Brier"), rows(open_ones, "Brier"))


def test_a_value_at_one_that_stands_alone_is_a_dot() -> None:
    curve = cs.curve.PiecewiseQuadratic(
        np.array([0.0, 1, 1]), np.array([[0.1, 0.5], [0, 0], [0, 0]])
    )
    dots = [drawn for drawn in plot_cost_space(curve).ax.get_lines() if drawn.get_marker() == "."]
    assert [(tuple(dot.get_xdata()), tuple(dot.get_ydata())) for dot in dots] == [((1.0,), (0.5,))]


def test_many_curves_differ_without_colour() -> None:
    display = plot_cost_space({f"model {i}": BEST for i in range(6)})
    looks = [line(display, f"model {i}") for i in range(6)]
    assert len({look._unscaled_dash_pattern for look in looks}) == 6
    assert len({look.get_color() for look in looks}) == 6


def test_of_many_curves_the_best_four_are_named_and_the_others_together() -> None:
    curves = {f"model {i}": cs.loss_curve(Y, S, choice=cs.ScoreFixed(i / 12)) for i in range(12)}
    display = plot_cost_space(curves)
    names = written(display.ax)
    best = sorted(curves, key=lambda name: curves[name].expectation(cs.Uniform()))[:4]
    assert set(names) == {*best, "8 others"}
    assert list(display.artists) == list(curves)
    looks = {name: {"label": name} for name in curves}
    assert set(written(plot_cost_space(curves, looks=looks).ax)) == set(curves)


def test_a_million_pieces_are_few_vertices() -> None:
    generator = np.random.default_rng(0)
    y = generator.random(10**6) < 0.2
    table = cs.ScoreTable.from_predictions(y, generator.random(10**6) * 0.7 + 0.3 * y)
    curve = cs.loss_curve(table, choice=cs.ScoreDriven())
    assert len(curve.breaks) > 900_000
    display = plot_cost_space({"long": curve})
    x, y = rows(display, "long")
    assert len(x) < 30_000
    x, y = x[~np.isnan(x)], y[~np.isnan(y)]
    assert np.minimum(np.abs(y - curve(x)), np.abs(y - curve.left(x))).max() < 1e-9


def test_curves_may_be_negative() -> None:
    display = plot_cost_space({"difference": BEST - BRIER})
    bottom, top = display.ax.get_ylim()
    assert bottom == pytest.approx(-(BRIER - BEST).columns()["loss_end"].max(), abs=0.05)
    assert bottom < 0 < top


def test_given_axes_are_drawn_on() -> None:
    figure, axes = plt.subplots(1, 2)
    display = plot_cost_space({"Brier": BRIER}, ax=axes[1])
    assert display.ax is axes[1]
    assert display.figure is figure
    assert not axes[0].has_data()
    assert plt.get_fignums() == [figure.number]
    top = axes[1].get_ylim()[1]
    low = cs.loss_curve(TABLE, choice=cs.Optimal())
    again = plot_cost_space({"best": low}, ax=axes[1])
    assert axes[1].get_ylim()[1] == top
    assert written(again.ax) == ["Brier", "best"]


def test_one_new_figure_and_none_after_an_error() -> None:
    display = plot_cost_space(BRIER)
    assert plt.get_fignums() == [display.figure.number]
    with refused(cs.ConditionError, "two things to draw are named 'lower envelope': rename one."):
        plot_cost_space({"lower envelope": BRIER}, envelope=BEST)
    assert plt.get_fignums() == [display.figure.number]


BAD = [
    (cs.SourceError, "this needs LossCurve, or a mapping from names to such", {"curves": TABLE}),
    (cs.SourceError, "to such, got 3 for 'model'.", {"curves": {"good": BRIER, "model": 3}}),
    (cs.SourceError, "loss curve: this needs LossCurve,", {"curves": {1: BRIER}}),
    (cs.SourceError, "lines: CostLines are needed, such as cost_lines(...)", {"lines": POINTS}),
    (cs.SourceError, "envelope: a loss curve or True is needed, got", {"envelope": POINTS}),
    (cs.ConditionError, "envelope=True is that of cost lines: give lines", {"envelope": True}),
    (
        cs.ConditionError,
        "the cost lines are over 'pc' and the plot over 'cost': make both for one axis.",
        {"lines": cs.cost_lines(POINTS, axis="pc")},
    ),
    (cs.ConditionError, "prevalence must be in (0, 1), got 1.", {"trivial": 1.0}),
    (
        cs.ConditionError,
        "on axis='skew' both classes weigh the same: trivial must be 0.5, got 0.1.",
        {"trivial": 0.1, "axis": "skew"},
    ),
    (
        cs.ConditionError,
        "an operating range is told by the trivial rules: give trivial, too.",
        {"operating_range": True},
    ),
    (
        cs.ConditionError,
        "operating_range must name one of the curves (loss curve), got 'Brier'.",
        {"operating_range": "Brier", "trivial": P},
    ),
    (
        cs.ConditionError,
        "operating_range must name one of the curves (a, b), got True.",
        {"curves": {"a": BRIER, "b": BEST}, "operating_range": True, "trivial": P},
    ),
    (
        cs.ConditionError,
        "axis must be 'cost', 'skew', 'pc' or 'prevalence', got 'z'",
        {"axis": "z"},
    ),
    (cs.ConditionError, "scale must be 'linear' or 'logit', got 'log'.", {"scale": "log"}),
    (cs.ConditionError, "jumps must be 'vertical' or 'open', got 'no'.", {"jumps": "no"}),
    (cs.ConditionError, "limits must be a pair (low, high), got 0.5.", {"limits": 0.5}),
    (
        cs.ConditionError,
        "low must be below high, got low=0.5 and high=0.5.",
        {"limits": (0.5, 0.5)},
    ),
    (cs.ConditionError, "high must be in [0, 1], got 2: 2 % is 0.02.", {"limits": (0, 2)}),
    (
        cs.ConditionError,
        "give limits between them, such as (0.0001, 0.9999), got (0, 0.5).",
        {"limits": (0, 0.5), "scale": "logit"},
    ),
    (cs.ConditionError, "ax must be matplotlib Axes, got 3.", {"ax": 3}),
    (cs.ConditionError, "costs must be a distribution of conditions", {"costs": "beta(2,2)"}),
]


@pytest.mark.parametrize(("error", "text", "arguments"), BAD)
def test_refusals(error: type[cs.CostspaceError], text: str, arguments: dict[str, object]) -> None:
    with refused(error, text):
        plot_cost_space(**{"curves": BRIER, **arguments})
    assert plt.get_fignums() == []


BAND = cs.loss_band(Y, S, choice=cs.ScoreDriven())


@pytest.mark.parametrize("scale", ["linear", "logit"])
def test_a_band_is_drawn_where_it_is(scale: str) -> None:
    display = plot_cost_space({"Brier": BRIER}, bands={"Brier": BAND}, scale=scale)
    x, y = rows(display, "Brier, band")
    turn = int(np.argmax(x))
    lower, upper = (x[: turn + 1], y[: turn + 1]), (x[turn + 1 :], y[turn + 1 :])
    for (at, drawn), side in ((lower, BAND.low), (upper, BAND.high)):
        before, after = (np.asarray(side(np.clip(at + step, 0, 1))) for step in (-1e-9, 1e-9))
        assert np.minimum(abs(drawn - before), abs(drawn - after)).max() < 1e-4
    assert written(display.ax) == ["Brier", "simultaneous 95 % band"]
    assert display.ax.get_ylim()[1] > y.max()


def test_bands_follow_the_probability_cost() -> None:
    band = cs.loss_band(Y, S, choice=cs.ScoreFixed(0.5), axis="skew")
    curve = cs.loss_curve(TABLE, choice=cs.ScoreFixed(0.5), axis="skew")
    display = plot_cost_space({"fixed": curve}, bands={"fixed": band}, axis="pc")
    x, y = rows(display, "fixed, band")
    turn = int(np.argmax(x))
    assert np.all(np.diff(x[: turn + 1]) >= 0)
    assert_allclose(y[: turn + 1], band.low(1 - x[: turn + 1]), atol=1e-9)


def test_the_legend_names_one_band_of_each_kind() -> None:
    fixed = cs.loss_curve(TABLE, choice=cs.ScoreFixed(0.5))
    bands = {"a": BAND, "b": cs.loss_band(Y, S, choice=cs.ScoreFixed(0.5))}
    display = plot_cost_space({"a": BRIER, "b": fixed}, bands=bands)
    assert written(display.ax) == ["a", "b", "simultaneous 95 % band"]
    assert {"a, band", "b, band"} <= set(display.artists)


def test_looks_are_as_asked() -> None:
    look = {"c": "red", "lw": 3, "label": "mine"}
    display = plot_cost_space({"Brier": BRIER}, bands={"Brier": BAND}, looks={"Brier": look})
    drawn = line(display, "Brier")
    assert (drawn.get_color(), drawn.get_linewidth()) == ("red", 3)
    assert written(display.ax)[0] == "mine"
    assert {one.get_color() for one in display.ax.get_lines()} == {"red"}
    assert_allclose(display.artists["Brier, band"].get_facecolor()[:3], (1, 0, 0))


def test_the_next_curve_on_the_axes_looks_different() -> None:
    first = plot_cost_space({"Brier": BRIER})
    second = plot_cost_space({"rate": RATE}, ax=first.ax)
    looks = [line(first, "Brier"), line(second, "rate")]
    assert looks[0].get_color() != looks[1].get_color()
    assert looks[0].is_dashed() != looks[1].is_dashed()
    assert written(second.ax) == ["Brier", "rate"]


def test_refused_bands_and_looks() -> None:
    with refused(cs.ConditionError, "bands: there is no curve 'rate', there are Brier"):
        plot_cost_space({"Brier": BRIER}, bands={"rate": BAND})
    with refused(cs.SourceError, "bands: this needs LossBand"):
        plot_cost_space({"Brier": BRIER}, bands={"Brier": BRIER})  # type: ignore[dict-item]
    with refused(cs.ConditionError, "looks: no line is named 'rate', there are Brier"):
        plot_cost_space({"Brier": BRIER}, looks={"rate": {}})
    with refused(cs.ConditionError, "looks must be a mapping"):
        plot_cost_space({"Brier": BRIER}, looks={"Brier": "red"})  # type: ignore[dict-item]
    # Cost lines are no line that `plot` draws.
    lines = cs.cost_lines(POINTS, axis="cost", prevalence=P)
    with refused(cs.ConditionError, "looks: no line is named 'cost lines', there are Brier."):
        plot_cost_space({"Brier": BRIER}, lines=lines, looks={"cost lines": {"color": "red"}})
    assert plt.get_fignums() == []

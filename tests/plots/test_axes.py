"""What plots have in common: displays, styles, scales, and how the package is loaded."""

import inspect
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused

import costspace as cs
import costspace.plots as cp
from costspace.plots.scale import ConditionAxis, logit_ticks
from costspace.plots.thinning import from_screen, to_screen

TABLE = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
CURVE = cs.loss_curve(TABLE, choice=cs.Optimal())
KNOWN = cs.Deployment(fp_cost=1, fn_cost=(1, 4), prevalence=(0.2, 0.5))
BAND = cs.difference_band(
    [0, 0, 1, 1],
    {"a": [0.1, 0.6, 0.4, 0.9], "b": [0.6, 0.1, 0.4, 0.9]},
    choice=cs.ScoreDriven(),
    simultaneous=False,
)
LABELS, SCORES = [0, 0, 1, 1] * 50, {"a": [0.1, 0.6, 0.4, 0.9] * 50}
WATCH = cs.begin_watch(cs.decide(LABELS, SCORES, fp_cost=1, fn_cost=2), tolerance=300)
LOOK = WATCH.add(LABELS, SCORES, day="2026-11-02").add(LABELS, SCORES, day="2026-11-03").look()
DRAW = {
    "plot_brier_parts": lambda ax=None: cp.plot_brier_parts(cs.metrics.class_parts(TABLE), ax=ax),
    "plot_calibration": lambda ax=None: cp.plot_calibration(
        cs.decomposition.partition_scores(TABLE), ax=ax
    ),
    "plot_cost_space": lambda ax=None: cp.plot_cost_space(CURVE, ax=ax),
    "plot_difference": lambda ax=None: cp.plot_difference(BAND, ax=ax),
    "plot_dominance": lambda ax=None: cp.plot_dominance({"model": CURVE}, ax=ax),
    "plot_gain": lambda ax=None: cp.plot_gain(cs.metrics.gain_curve(TABLE), ax=ax),
    "plot_net_benefit": lambda ax=None: cp.plot_net_benefit(cs.decision_curve(TABLE), ax=ax),
    "plot_partition_losses": lambda ax=None: cp.plot_partition_losses(
        cs.decomposition.partition_scores(TABLE), ax=ax
    ),
    "plot_reviews": lambda ax=None: cp.plot_reviews(
        cs.review_curve(TABLE, fp_cost=1, fn_cost=3, review=cs.Review(cost=0.2)), ax=ax
    ),
    "plot_roc_space": lambda ax=None: cp.plot_roc_space(TABLE, ax=ax),
    "plot_roc_surface": lambda ax=None: cp.plot_roc_surface(cs.roc_surface(TABLE), ax=ax),
    "plot_watch": lambda ax=None: cp.plot_watch(LOOK, ax=ax),
    "plot_score_distributions": lambda ax=None: cp.plot_score_distributions(TABLE, ax=ax),
}


def test_every_plot_is_here() -> None:
    assert set(DRAW) == set(cp.__all__) - {"Display", "colours"}


@pytest.mark.parametrize("name", DRAW)
def test_every_plot_draws_one_figure_and_shows_none(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("shown"))
    display = DRAW[name]()
    assert isinstance(display, cp.Display)
    assert plt.get_fignums() == [display.figure.number]
    display.figure.canvas.draw()
    assert repr(display).startswith("Display(")
    columns = display.columns()
    assert len({len(column) for column in columns.values()}) == 1
    assert set(columns["drawn"]) == set(display.artists)
    for column in columns.values():
        assert not column.flags.writeable


@pytest.mark.parametrize("name", DRAW)
def test_every_plot_leaves_the_styles_alone(name: str) -> None:
    before = plt.rcParams.copy()
    DRAW[name]()
    assert plt.rcParams == before


@pytest.mark.parametrize("name", DRAW)
def test_every_plot_takes_a_part_of_a_figure(name: str) -> None:
    part = plt.figure().subfigures(1, 2)[1]
    ax = part.add_subplot()
    display = DRAW[name](ax)
    assert display.figure is part


@pytest.mark.parametrize("name", cp.__all__)
def test_docstrings(name: str) -> None:
    value = getattr(cp, name)
    text = inspect.getdoc(value)
    assert text
    assert text.splitlines()[0].endswith(".")
    sections = {"Display": ["Attributes"], "colours": ["Parameters", "Returns"]}.get(
        name, ["Parameters", "Returns", "Raises", "Notes"]
    )
    for section in [*sections, "Examples"]:
        assert f"\n{section}\n{'-' * len(section)}\n" in text, section
    if inspect.isfunction(value):
        for parameter in inspect.signature(value).parameters:
            assert parameter in text


def test_a_colour_can_be_given() -> None:
    display = cp.plot_cost_space({"a": CURVE, "b": CURVE}, colours={"b": "red"})
    assert display.artists["b"].get_color() == "red"
    with refused(cs.ConditionError, "colours must be a mapping"):
        cp.plot_cost_space(CURVE, colours={"a": "no colour"})


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.1, 0.9, [0.1, 0.2, 0.5, 0.8, 0.9]),
        (0.9, 0.999, [0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999]),
        (0.1, 0.4, [0.1, 0.2, 0.3, 0.4]),
        (0.31, 0.33, [0.31, 0.315, 0.32, 0.325, 0.33]),
        (1e-6, 1e-3, [1e-6, 1e-5, 1e-4, 1e-3]),
    ],
)
def test_logit_ticks(low: float, high: float, ticks: list[float]) -> None:
    np.testing.assert_allclose(logit_ticks(low, high), ticks)


def test_conditions_next_to_the_ends_are_written_apart() -> None:
    axis = ConditionAxis.asked("skew", "logit", (1e-9, 1 - 1e-9))
    assert (
        axis.label
        == "Skew z (near 0 where false negatives cost most)\n(logit scale, 1e-09 to 1 - 1e-09)"
    )
    axis = ConditionAxis.asked("skew", "logit", (1 / 3, 0.99999))
    assert (
        axis.label
        == "Skew z (near 0 where false negatives cost most)\n(logit scale, 0.333 to 0.99999)"
    )


def test_scales_invert() -> None:
    x = np.array([1e-9, 0.2, 0.5, 0.999])
    np.testing.assert_allclose(from_screen(to_screen(x, "logit"), "logit"), x, rtol=1e-12)
    assert_array_equal(to_screen(x, "linear"), x)


def test_without_matplotlib_the_message_says_what_to_install() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; import costspace.plots"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode
    last = run.stderr.splitlines()[-1]
    assert last == (
        "costspace.errors.MissingExtraError: plots need matplotlib: pip install 'costspace[plots]'."
    )


@pytest.mark.parametrize("name", DRAW)
def test_titles_fit_in_nine_centimetres(name: str) -> None:
    figure, ax = plt.subplots(figsize=(9 / 2.54, 7.5 / 2.54), layout="constrained")
    DRAW[name](ax)
    figure.canvas.draw()
    title, whole = ax.title.get_window_extent(), figure.bbox
    assert title.x0 > 0
    assert title.x1 < whole.width
    assert title.y1 < whole.height


def test_names_in_a_title_stay_whole() -> None:
    _, ax = plt.subplots(figsize=(9 / 2.54, 7.5 / 2.54))
    names = ("gradient_boosting_calibrated", "logistic_regression_" + 40 * "x")
    ax.plot([0, 1])
    cp.plot_difference(BAND, models=names, ax=ax)
    title = ax.get_title()
    assert "\n" in title
    assert all(name in title for name in names)


def test_a_long_title_is_broken_before_its_brackets() -> None:
    surface = cs.roc_surface(TABLE)
    title = cp.plot_roc_surface(surface, ax=plt.subplots(figsize=(3.5, 2.6))[1]).ax.get_title()
    said = f"Volume over the surface {surface.volume():.3f}"
    assert title == f"{said}\n(lines of the lowest loss, by skew z)"

"""Bins of scores, and what each adds to the losses."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from numpy.testing import assert_allclose, assert_array_equal
from pictures import written
from refusals import refused

import costspace as cs
from costspace.plots import plot_calibration, plot_partition_losses
from costspace.plots.calibration import intervals

Y, S = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)
HULL = cs.decomposition.partition_scores(TABLE)


def large(size: int) -> cs.ScoreTable:
    generator = np.random.default_rng(0)
    scores = generator.random(size)
    return cs.ScoreTable.from_predictions(generator.random(size) < scores**2, scores)


def test_bins_are_drawn_with_their_sizes() -> None:
    display = plot_calibration({"model": HULL}, scale="linear")
    columns = display.columns()
    assert_array_equal(columns["mean_score"], HULL.mean_score)
    assert_array_equal(columns["positive_share"], HULL.positive_share)
    assert_array_equal(columns["share"], HULL.share)
    (bins,) = [drawn for drawn in display.ax.collections if isinstance(drawn, PathCollection)]
    assert_array_equal(bins.get_offsets(), np.stack([HULL.mean_score, HULL.positive_share], axis=1))
    sizes = np.asarray(bins.get_sizes())
    assert_allclose(sizes / sizes.sum(), HULL.share)


def test_labels_give_the_losses() -> None:
    display = plot_calibration({"model": HULL, "other": HULL})
    assert written(display.ax) == [
        "perfectly calibrated",
        "model\n  calibration loss 0.005\n  refinement loss 0.125",
        "other\n  calibration loss 0.005\n  refinement loss 0.125",
    ]
    assert display.ax.get_xlabel() == "Mean score in bin"
    assert display.ax.get_ylabel() == "Share of positives in bin"


def rare(scale: float) -> cs.decomposition.Partition:
    """Bins of rare positives, with scores that are so many times too high."""
    generator = np.random.default_rng(0)
    scores = 0.1 * generator.random(20_000)
    table = cs.ScoreTable.from_predictions(generator.random(20_000) < scores, scale * scores)
    return cs.decomposition.partition_scores(table, partition=10)


@pytest.mark.parametrize("scale", ["linear", "logit"])
def test_rare_positives_have_the_room(scale: str) -> None:
    display = plot_calibration(rare(1), scale=scale)
    limits = [display.ax.get_xlim(), display.ax.get_ylim()]
    assert limits[0] == limits[1]
    assert display.ax.get_aspect() == 1
    columns = display.columns()
    if scale == "linear":
        assert limits[0][1] < 0.12
    for name in ("mean_score", "positive_share"):
        assert limits[0][0] < columns[name].min() < columns[name].max() < limits[0][1]


def test_on_log_odds_rare_positives_spread() -> None:
    low = np.random.default_rng(1).normal(-6, 1.5, 40_000)
    scores = 1 / (1 + np.exp(-low))
    y = np.random.default_rng(2).random(len(scores)) < scores
    table = cs.ScoreTable.from_predictions(y, scores)
    bins = cs.decomposition.partition_scores(table, partition=10)
    spread = {}
    for scale in ("linear", "logit"):
        display = plot_calibration(bins, scale=scale)
        display.figure.canvas.draw()
        data = np.stack([bins.mean_score, np.clip(bins.positive_share, 1e-9, None)], axis=1)
        across = display.ax.transAxes.inverted().transform(display.ax.transData.transform(data))
        spread[scale] = np.diff(across[:, 0])
    # The corner that held half of the bins has none of the room of others.
    assert np.median(spread["linear"]) < 0.03
    assert np.median(spread["logit"]) > 0.05


def test_scores_far_beyond_the_shares_have_an_axis_of_their_own() -> None:
    display = plot_calibration({"right": rare(1), "too high": rare(9)}, scale="linear")
    assert display.ax.get_xlim()[1] > 0.85
    assert display.ax.get_ylim()[1] < 0.12
    assert display.ax.get_aspect() == "auto"


def test_shares_of_0_and_1_are_at_the_ends() -> None:
    display = plot_calibration(HULL)
    bins, bars = display.ax.collections
    assert isinstance(bins, PathCollection)
    low, high = display.ax.get_ylim()
    assert_allclose(bins.get_offsets()[:, 1], [low, 0.5, high])
    assert_array_equal(display.columns()["positive_share"], [0, 0.5, 1])
    assert 0 < low < high < 1
    for bar, (least, most) in zip(bars.get_paths(), WILSON, strict=True):
        assert_allclose(bar.vertices[:, 1], np.clip([least, most], low, high))


# Of shares 0 of 1, 1 of 2 and 1 of 1, by hand.
Z2 = 3.841458820694124
WILSON = [
    (0, Z2 / (1 + Z2)),
    *[tuple((0.5 + Z2 / 4 + s * np.sqrt(Z2 / 8 + Z2**2 / 16)) / (1 + Z2 / 2) for s in (-1, 1))],
    (1 / (1 + Z2), 1),
]


@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_intervals_contain_the_chance_of_a_bin(prevalence: float | None) -> None:
    rng = np.random.default_rng(0)
    scores = rng.random(30_000)
    table = cs.ScoreTable.from_predictions(
        rng.random(len(scores)) < scores, scores, sample_weight=rng.choice([0.5, 2.0], len(scores))
    )
    if prevalence is not None:
        table = table.with_prevalence(prevalence)
    bins = cs.decomposition.partition_scores(table, partition=50)
    middle = np.searchsorted(np.sort(scores), bins.edges) / len(scores)
    chance = (np.append(0, middle) + np.append(middle, 1)) / 2
    odds = chance / (1 - chance) * bins.reweighted
    low, high = intervals(bins, 0.95)
    inside = (low <= odds / (1 + odds)) & (odds / (1 + odds) <= high)
    assert 0.88 <= np.mean(inside) <= 1
    assert np.mean(intervals(bins, 0.5)[0] <= odds / (1 + odds)) < 0.95
    # Weights of 0.5 and 2 in equal numbers say as much as 0.74 of the rows.
    assert bins.rows.sum() == pytest.approx(0.735 * len(scores), rel=0.01)


def test_many_bins_have_no_intervals() -> None:
    bins = cs.decomposition.partition_scores(large(2000), partition="roc")
    assert np.isnan(intervals(bins, 0.95)).all()


@pytest.mark.parametrize("seed", range(10))
def test_the_title_says_which_is_calibrated_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables = {
        name: cs.ScoreTable.from_predictions(
            np.append([0, 1], rng.random(60) < 0.3), rng.random(62)
        )
        for name in "abc"
    }
    named = {
        name: cs.decomposition.partition_scores(table, partition=4)
        for name, table in tables.items()
    }
    losses = {name: f"{bins.calibration_loss:.2g}" for name, bins in named.items()}
    least = min(losses.values(), key=float)
    best = [name for name, loss in losses.items() if loss == least]
    title = plot_calibration(named).ax.get_title()
    assert len(best) > 1 or title == f"{best[0]} is calibrated best: loss {least}"
    assert (
        plot_calibration(named["a"])
        .ax.get_title()
        .startswith(f"Calibration loss {losses['a']}, refinement loss ")
    )


def test_all_scores_show_the_whole_square() -> None:
    display = plot_calibration(cs.decomposition.partition_scores(large(2000), partition="roc"))
    for low, high in (display.ax.get_xlim(), display.ax.get_ylim()):
        assert low < 0.01
        assert high > 0.99


def test_bins_that_share_a_dot_are_one() -> None:
    table = large(50_000)
    bins = cs.decomposition.partition_scores(table, partition="roc")
    columns = plot_calibration(bins).columns()
    assert len(columns["share"]) < 6000 < len(bins.share)
    assert columns["share"].sum() == pytest.approx(1)


def test_areas_are_losses() -> None:
    table = large(300)
    bins = cs.decomposition.partition_scores(table, partition=10)
    display = plot_partition_losses(bins)
    columns = display.columns()
    areas = {}
    for name in ("calibration loss", "refinement loss"):
        chosen = columns["drawn"] == name
        x, y = columns["rows"][chosen], columns["loss"][chosen]
        assert (x[0], x[-1]) == (0, 1)
        areas[name] = np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2
    refinement, both = areas["refinement loss"], areas["calibration loss"]
    assert refinement == pytest.approx(bins.refinement_loss)
    assert both - refinement == pytest.approx(bins.calibration_loss)
    assert display.ax.get_title() == (
        f"Brier loss by bin: refinement {bins.refinement_loss:.3g}\n"
        f"and, hatched, calibration {bins.calibration_loss:.3g}"
    )
    assert display.ax.get_xlabel() == "Share of rows, from low to high scores"
    assert display.ax.get_ylabel() == "Brier loss"


def test_the_areas_differ_without_colour() -> None:
    artists = plot_partition_losses(HULL).artists
    assert artists["calibration loss"].get_hatch()
    assert not artists["refinement loss"].get_hatch()


def test_many_bins_are_few_vertices() -> None:
    bins = cs.decomposition.partition_scores(large(100_000), partition="roc")
    assert len(bins.share) > 90_000
    assert len(plot_partition_losses(bins).columns()["loss"]) < 60_000


def test_a_perfect_partition_has_no_height() -> None:
    table = cs.ScoreTable.from_predictions([0, 1], [0.0, 1.0])
    display = plot_partition_losses(cs.decomposition.partition_scores(table))
    assert display.ax.get_ylim() == (0, 1)


def test_given_axes() -> None:
    figure, axes = plt.subplots(1, 2)
    assert plot_calibration(HULL, ax=axes[0]).ax is axes[0]
    assert plot_partition_losses(HULL, ax=axes[1]).ax is axes[1]
    assert plt.get_fignums() == [figure.number]


def test_refusals() -> None:
    with refused(cs.ConditionError, "scale must be 'linear' or 'logit', got 'log'."):
        plot_calibration(HULL, scale="log")
    with refused(cs.ConditionError, "level must be in (0, 1)"):
        plot_calibration(HULL, level=95)
    far = cs.decomposition.partition_scores(cs.ScoreTable.from_predictions(Y, [-1, 2, 3, 4]))
    text = "calibration is told of scores in [0, 1], got mean scores from 0.5 to 3.5: calibrate"
    for plot in (plot_calibration, plot_partition_losses):
        with refused(cs.ScoreError, text):
            plot(far)
        with refused(cs.SourceError, "partition: this needs Partition,"):
            plot(TABLE)
    assert plt.get_fignums() == []

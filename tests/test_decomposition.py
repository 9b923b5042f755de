"""Murphy's partition."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.registry import ANY, AXES, SAMPLES, close
from refusals import refused

import costspace as cs
from costspace import ConditionError
from costspace.single import doubles

Y = [0, 1, 0, 1, 1, 0]
S = [0.0, 0.0, 0.4, 0.6, 1.0, 0.4]
TABLE = cs.ScoreTable.from_predictions(Y, S)

on_both_axes = pytest.mark.parametrize("axis", AXES)
EDGES = st.lists(st.floats(-0.5, 1.5) | st.sampled_from([0.0, 0.5, 1.0, np.inf]), max_size=6)
PARTITIONS = st.one_of(st.sampled_from(["hull", "roc"]), st.integers(1, 15), EDGES.map(sorted))


def test_bins_of_distinct_scores() -> None:
    found = cs.decomposition.partition_scores(TABLE, partition="roc")
    assert found.share.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])
    assert found.positive_share.tolist() == pytest.approx([0.5, 0, 1, 1])
    assert found.mean_score.tolist() == pytest.approx([0, 0.4, 0.6, 1])
    assert found.edges.tolist() == pytest.approx([0.2, 0.5, 0.8])


def test_bins_of_the_hull() -> None:
    found = cs.decomposition.partition_scores(TABLE)
    assert found.share.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found.positive_share.tolist() == pytest.approx([0.25, 1])
    assert found.mean_score.tolist() == pytest.approx([0.2, 0.8])
    assert found.edges.tolist() == [0.5]
    assert found.refinement_loss == pytest.approx(2 / 3 * 3 / 16)
    assert found.calibration_loss == pytest.approx(2 / 3 * 0.05**2 + 1 / 3 * 0.2**2)


def test_bins_between_edges_hold_their_upper_edge() -> None:
    found = cs.decomposition.partition_scores(TABLE, partition=[0.4, 0.5, 0.6])
    assert found.share.tolist() == pytest.approx([4 / 6, 1 / 6, 1 / 6])
    assert found.mean_score.tolist() == pytest.approx([0.2, 0.6, 1])
    # The empty bin between .4 and .5 is left out, and so are bins beyond the scores.
    assert found.edges.tolist() == [0.4, 0.6]
    same = cs.decomposition.partition_scores(TABLE, partition=(-np.inf, -1, 0.4, 0.4, 0.6, 1, 7))
    np.testing.assert_array_equal(same.share, found.share)
    assert same.edges.tolist() == [0.4, 0.6]
    assert cs.decomposition.partition_scores(TABLE, partition=[]).share.tolist() == pytest.approx(
        [1]
    )
    assert cs.decomposition.partition_scores(TABLE, partition=[3.0]).edges.tolist() == []


def test_bins_of_equal_share() -> None:
    y = [0, 1] * 6
    for k in (1, 2, 3, 4, 6, 12):
        found = cs.decomposition.partition_scores(
            cs.ScoreTable.from_predictions(y, range(12)), partition=k
        )
        assert found.share.tolist() == pytest.approx([1 / k] * k)
    uneven = cs.decomposition.partition_scores(
        cs.ScoreTable.from_predictions(y, range(12)), partition=5
    )
    assert sorted((uneven.share * 12).round(9)) == [2, 2, 2, 3, 3]
    finest = cs.decomposition.partition_scores(
        cs.ScoreTable.from_predictions(y, range(12)), partition=np.int64(10**15)
    )
    assert len(finest.share) == 12


def test_bins_of_equal_share_do_not_split_ties() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 2, 3, 4])
    found = cs.decomposition.partition_scores(table, partition=4)
    assert found.share.tolist() == pytest.approx([5 / 8, 1 / 8, 2 / 8])
    assert found.edges.tolist() == pytest.approx([1.5, 2.5])
    # Shares are of the classes reweighted: the negative at 3 counts for little.
    few = cs.decomposition.partition_scores(table.with_prevalence(1 - 1e-9), partition=2)
    assert few.edges.tolist() == pytest.approx([1.5])


def test_a_block_too_light_to_move_the_rate_is_in_the_last_bin() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 1], [1, 2, 3], sample_weight=[1, 1, 1e-20])
    assert cs.decomposition.partition_scores(table, partition=2).edges.tolist() == [1.5]


def test_a_bin_of_positives_at_the_lowest_prevalence() -> None:
    found = cs.decomposition.partition_scores(TABLE.with_prevalence(1e-310), partition="roc")
    assert found.positive_share.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("partition", ["hull", "roc", 3, [0.5]])
@pytest.mark.parametrize("p", [None, 0.05])
def test_columns(partition: Any, p: float | None) -> None:
    table = TABLE if p is None else TABLE.with_prevalence(p)
    found = cs.decomposition.partition_scores(table, partition=partition)
    columns = found.columns()
    assert columns["up_to"][-1] == np.inf
    assert columns["above"][1:].tolist() == columns["up_to"][:-1].tolist() == found.edges.tolist()
    assert columns["share"].sum() == pytest.approx(1)
    assert columns["share"] @ columns["positive_share"] == pytest.approx(table.prevalence)
    assert found.calibration_loss == cs.calibration_loss(table, partition=partition)
    # Over the hull the metric is the optimal expected loss.
    assert found.refinement_loss == pytest.approx(cs.refinement_loss(table, partition=partition))


def brute_force(sample: Any, axis: str, partition: Any) -> list[tuple[float, ...]]:
    """Share, share of positives, mean score, and what BS - CL - RL has of it, of each bin."""
    edges = cs.decomposition.partition_scores(sample.on(axis), partition=partition).edges
    bins = np.array([sum(score > edge for edge in edges) for score in sample.printed])
    mass, s = sample.masses(axis), sample.printed
    found = []
    for k in np.unique(bins[mass > 0]):
        within = bins == k
        w, x, y = mass[within], s[within], sample.y[within]
        mean, positive = np.average(x, weights=w), np.average(y, weights=w)
        rest = np.average((x - mean) * (x - mean - 2 * (y - positive)), weights=w)
        found.append((w.sum(), positive, mean, rest))
    return found


@on_both_axes
@given(ANY, PARTITIONS)
def test_bins_of_any_partition(axis: str, sample: Any, partition: Any) -> None:
    found = cs.decomposition.partition_scores(sample.on(axis), partition=partition)
    share, positive_share, mean_score, rest = np.array(brute_force(sample, axis, partition)).T
    close(found.share, share)
    # A light bin's sums are rounded to 1e-16 of the whole.
    close(found.share * found.positive_share, share * positive_share)
    close(found.share * found.mean_score, share * mean_score)
    # Stephenson, Coelho and Jolliffe (2008): what scores that differ within a bin leave over.
    brier = cs.brier_score(sample.on(axis))
    close(brier - found.calibration_loss - found.refinement_loss, share @ rest)
    close(found.uncertainty - found.resolution, found.refinement_loss)
    p = sample.on(axis).prevalence
    close(found.uncertainty, p * (1 - p))


@on_both_axes
@given(ANY, EDGES)
def test_losses_add_up_to_the_brier_score_over_any_partition_as_fine_as_scores(
    axis: str, sample: Any, edges: list[float]
) -> None:
    table = sample.on(axis)
    fine = np.sort(np.concatenate([table.by_score.breaks, edges]))
    for partition in ("roc", fine):
        found = cs.decomposition.partition_scores(table, partition=partition)
        close(found.calibration_loss + found.refinement_loss, cs.brier_score(table))
        close(found.refinement_loss, cs.refinement_loss(table, partition="roc"))


def test_losses_of_a_coarser_partition_do_not_add_up() -> None:
    found = cs.decomposition.partition_scores(TABLE, partition=[0.5])
    total = found.calibration_loss + found.refinement_loss
    assert abs(total - cs.brier_score(TABLE)) > 0.01


@given(SAMPLES["continuous"] | SAMPLES["tied"] | SAMPLES["shifted"], st.integers(1, 9))
def test_bins_are_about_equal(sample: Any, k: int) -> None:
    table = sample.table
    found = cs.decomposition.partition_scores(table, partition=k)
    assert 1 <= len(found.share) <= k
    # Each bin holds the blocks whose middles lie in its k-th part of the rates.
    largest = np.diff(table.not_flagged).max()
    assert np.all(found.share <= 1 / k + largest + 1e-12)


@pytest.mark.parametrize("scale", [0.1, 1 / 3, 1e-7])
def test_equal_weights_change_nothing(scale: float) -> None:
    generator = np.random.default_rng(0)
    y = np.append([0, 1], generator.integers(0, 2, 3000))
    s = generator.integers(0, 50, 3002) / 50
    weight = np.full(3002, scale)
    for partition in ("hull", "roc", [0.1, 0.5]):
        expected = cs.calibration_loss(y, s, partition=partition)
        found = cs.calibration_loss(y, s, partition=partition, sample_weight=weight)
        assert found == pytest.approx(expected, abs=1e-12)


def test_float32_scores_are_summed_in_double_precision() -> None:
    generator = np.random.default_rng(0)
    y, s = np.append([0, 1], generator.integers(0, 2, 50_000)), generator.random(50_002)
    single = s.astype(np.float32)
    expected = cs.calibration_loss(y, doubles(single))
    assert cs.calibration_loss(y, single) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    "partition",
    [
        *("bins", "Hull", None, ["hull"], 0, -3, 2.5, True, 10**30, 1j),
        *([0.5, 0.2], [0.1, np.nan], [[0.1, 0.2]], [0.1, [0.2]]),
    ],
)
def test_unknown_partition(partition: Any) -> None:
    text = "partition must be 'hull', 'roc', a number of bins or ascending edges, got "
    for metric in (cs.calibration_loss, cs.refinement_loss):
        with refused(ConditionError, f"{text}{partition!r}."):
            metric(Y, S, partition=partition)
    with refused(ConditionError, f"{text}{partition!r}."):
        cs.decomposition.partition_scores(TABLE, partition=partition)


def test_infinite_scores_fall_into_bins() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [-np.inf, -np.inf, 2, np.inf])
    for partition in ("hull", "roc", 2, [-np.inf, 3]):
        assert cs.decomposition.partition_scores(table, partition=partition).share.sum() == 1
        assert 0 <= cs.refinement_loss(table, partition=partition) <= 0.25
    assert cs.decomposition.partition_scores(
        table, partition=[-np.inf, 3]
    ).positive_share.tolist() == [
        0.5,
        0,
        1,
    ]


def test_weights_without_a_share_leave_no_bin() -> None:
    y, s, weight = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], [1e100, 1e100, 1e-300, 1e-300]
    found = cs.decomposition.partition_scores(
        cs.ScoreTable.from_predictions(y, s, sample_weight=weight), partition="roc"
    )
    assert found.share.tolist() == [0.5, 0.5]
    assert found.positive_share.tolist() == [0, 1]
    assert found.edges.tolist() == pytest.approx([0.15])

"""Transformations of scores: what they give on samples small enough to see, and refuse."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs

# The scores .2, .3 and .4 stand in a concavity; .6 is tied; .9 ends the hull.
Y = [0, 1, 0, 0, 1, 1, 0, 1]
S = [0.1, 0.2, 0.3, 0.4, 0.6, 0.6, 0.6, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)
MAKERS = [cs.pav, cs.convexify, cs.calibrate, cs.transform.evenly_spaced, cs.transform.mid_rates]
every_maker = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)


def mapped(maker: Any, table: cs.ScoreTable = TABLE) -> list[float]:
    return np.asarray(maker(table)(S)).tolist()


def test_pav_pools_the_segments_of_the_hull() -> None:
    third = 1 / 3
    expected = [0, third, third, third, 2 / 3, 2 / 3, 2 / 3, 1]
    assert mapped(cs.pav) == pytest.approx(expected)
    found = cs.pav(TABLE)
    assert found.edges.tolist() == pytest.approx([0.15, 0.5, 0.75])
    optimal = cs.Optimal().path(TABLE)
    assert found.values.tolist() == optimal.breaks[1:-1].tolist()


def test_convexification_ties_the_segments_of_the_hull() -> None:
    assert mapped(cs.convexify) == pytest.approx([0.1, 0.3, 0.3, 0.3, 0.6, 0.6, 0.6, 0.9])
    assert cs.convexify(TABLE).apply(TABLE).auc == pytest.approx(cs.auc_hull(TABLE))


def test_perfect_calibration_may_reorder() -> None:
    found = cs.calibrate(TABLE)
    assert mapped(cs.calibrate) == pytest.approx([0, 1, 0, 0, 2 / 3, 2 / 3, 2 / 3, 1])
    assert not found.monotone
    again = found.apply(TABLE)
    assert again.negatives.values.tolist() == pytest.approx([0, 0, 0, 2 / 3])
    assert again.positives.values.tolist() == pytest.approx([2 / 3, 2 / 3, 1, 1])


def test_calibration_of_a_convex_model_need_not_be_the_identity() -> None:
    # Conv leaves a convex model alone, and Cal after Conv still calibrates it.
    table = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1, 1], [0.6, 0.7, 0.7, 0.8, 0.8, 0.8])
    convex = cs.convexify(table)
    assert convex.values.tolist() == [0.6, 0.7, 0.8]
    calibrated = cs.calibrate(convex.apply(table))
    assert calibrated.monotone
    assert calibrated.values.tolist() == pytest.approx([0, 1 / 2, 2 / 3])
    # (.6 - 0)^2, (.7 - 1/2)^2 and (.8 - 2/3)^2 of one, two and three rows.
    loss = (0.36 + 2 * 0.04 + 3 * (2 / 15) ** 2) / 6
    assert cs.calibration_loss(convex.apply(table)) == pytest.approx(loss)


def test_evenly_spaced_positions() -> None:
    expected = np.array([0, 1, 2, 3, 5, 5, 5, 7]) / 7
    assert mapped(cs.transform.evenly_spaced) == pytest.approx(expected.tolist())
    tied = cs.ScoreTable.from_predictions([0, 1], [3.0, 3.0])
    assert cs.transform.evenly_spaced(tied).values.tolist() == [0.5]
    rare = cs.transform.evenly_spaced(TABLE.with_prevalence(0.01))
    assert rare.values.tolist() == cs.transform.evenly_spaced(TABLE).values.tolist()
    assert rare.apply(TABLE.with_prevalence(0.01)).prevalence == 0.01


def test_shares_follow_the_prevalence() -> None:
    rare = TABLE.with_prevalence(0.1)
    # One positive of four beside two negatives of four.
    share = 0.1 / 4 / (0.1 / 4 + 2 * 0.9 / 4)
    assert mapped(cs.pav, rare)[1] == pytest.approx(share)
    assert mapped(cs.calibrate, rare)[4] == pytest.approx(2 * 0.1 / (2 * 0.1 + 0.9))
    assert mapped(cs.transform.mid_rates, rare)[0] == pytest.approx(0.9 / 4 / 2)
    mean = (0.9 * (0.3 + 0.4) + 0.1 * 0.2) / (0.9 * 2 + 0.1)
    assert mapped(cs.convexify, rare)[1] == pytest.approx(mean)


def test_weights_count() -> None:
    weight = np.array([1.0, 3, 1, 1, 1, 1, 2, 1])
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=weight)
    assert mapped(cs.calibrate, table)[4] == pytest.approx(1 / 2)
    assert mapped(cs.transform.mid_rates, table)[1] == pytest.approx((1 + 3 / 2) / 11)
    assert mapped(cs.convexify, table)[1] == pytest.approx((0.6 + 0.3 + 0.4 + 4 * 0.6) / 9)


@pytest.mark.parametrize("p", [0.01, 0.07, 0.1, 0.3, 0.9])
def test_equal_shares_become_the_same_float(p: float) -> None:
    # Three negatives for five positives, in blocks of 8, 16, 24, ... rows.
    y = np.tile([0, 0, 0, 1, 1, 1, 1, 1], 66)
    s = np.repeat(np.arange(11.0), 8 * np.arange(1, 12))
    found = cs.calibrate(cs.ScoreTable.from_predictions(y, s).with_prevalence(p))
    assert len(set(found.values.tolist())) == 1
    assert found.monotone


def test_a_score_that_is_a_segment_keeps_its_value() -> None:
    # Its mean over the seven rows would round to another float.
    table = cs.ScoreTable.from_predictions([0, 1, 1, 0, 0, 0, 0], [0.85] * 7)
    assert cs.convexify(table).values.tolist() == [0.85]


@every_maker
def test_steps_are_in_the_middle_of_the_gaps(maker: Any) -> None:
    found = maker(TABLE)
    distinct = np.unique(S)
    middles = (distinct[:-1] + distinct[1:]) / 2
    assert np.all(np.isclose(found.edges[:, None], middles).any(axis=1))
    # A score on a step belongs below it, as one on a threshold is not flagged.
    np.testing.assert_array_equal(found(found.edges), found.values[:-1])
    np.testing.assert_array_equal(found(np.nextafter(found.edges, 1)), found.values[1:])


@every_maker
def test_a_map_goes_to_other_scores(maker: Any) -> None:
    found = maker(TABLE)
    other = cs.ScoreTable.from_predictions([0, 1, 1], [-5.0, 0.55, 30.0]).with_prevalence(0.2)
    image = found.apply(other)
    values = [found.values[0], found(0.55), found.values[-1]]
    assert image.prevalence == 0.2
    assert sorted([*image.negatives.values, *image.positives.values]) == sorted(values)
    assert found([[0.1], [0.9]]).shape == (2, 1)
    assert isinstance(found(0.3), float)
    assert found([]).shape == (0,)


@every_maker
def test_columns_of_a_map(maker: Any) -> None:
    found = maker(TABLE)
    columns = found.columns()
    assert list(columns) == ["above", "up_to", "value"]
    assert columns["above"][0] == -np.inf
    assert columns["up_to"][-1] == np.inf
    np.testing.assert_array_equal(columns["above"][1:], columns["up_to"][:-1])


def test_rows_of_weight_zero_stay_counted() -> None:
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=[1, 1, 0, 1, 1, 1, 1, 1])
    for maker in (cs.pav, cs.calibrate):
        assert repr(maker(table).apply(table)) == "ScoreTable(4 negatives, 4 positives, weighted)"


def test_weights_too_light_to_count_are_still_mapped() -> None:
    weight = [1e100, 1e-300, 1e100, 1e-300]
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [1, 2, 3, 4], sample_weight=weight)
    for maker in (cs.pav, cs.convexify, cs.calibrate, cs.transform.mid_rates):
        found = maker(table)
        assert np.isfinite(found([1, 2, 3, 4])).all()
        assert len(found.apply(table).negatives) == 2


def test_infinite_scores() -> None:
    scores = [-np.inf, -np.inf, 0.0, 1.0, np.inf]
    table = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1], scores)
    assert cs.pav(table)(scores) == pytest.approx([0, 0, 0.5, 0.5, 1])
    assert cs.convexify(table)(scores) == pytest.approx([-np.inf, -np.inf, 0.5, 0.5, np.inf])
    assert cs.transform.evenly_spaced(table)(scores).tolist() == [0.125, 0.125, 0.5, 0.75, 1]
    separated = cs.ScoreTable.from_predictions([0, 1], [-np.inf, np.inf])
    assert cs.pav(separated)([-np.inf, np.inf]).tolist() == [0, 1]
    reversed_classes = cs.ScoreTable.from_predictions([1, 0], [-np.inf, np.inf])
    with refused(cs.ScoreError, "scores of -inf and inf have no mean to tie them at"):
        cs.convexify(reversed_classes)


def test_means_of_huge_and_of_neighbouring_scores() -> None:
    huge = [-1.7e308, 1.6e308, 1.7e308, 1.7e308]
    table = cs.ScoreTable.from_predictions([1, 0, 1, 0], huge)
    assert cs.convexify(table).values.tolist() == pytest.approx([0.825e308])
    close = 0.1 + np.array([0, 1, 2]) * np.spacing(0.1)
    table = cs.ScoreTable.from_predictions([1, 0, 1, 0], [close[0], close[1], close[2], close[2]])
    assert close[0] <= cs.convexify(table).values[0] <= close[2]


def test_single_precision_scores_become_double() -> None:
    table = cs.ScoreTable.from_predictions(Y, np.array(S, dtype=np.float32))
    found = cs.convexify(table)
    assert found.values.dtype == float
    assert mapped(cs.convexify, table) == pytest.approx(mapped(cs.convexify), abs=1e-7)
    np.testing.assert_array_equal(found(np.float32([0.1, 0.9])), found([0.1, 0.9]))


def test_evenly_spaced_scores_refuse_weights() -> None:
    weighted = cs.ScoreTable.from_predictions(Y, S, sample_weight=[1.0] * 8)
    with refused(cs.SourceError, "evenly spaced scores cannot use weights: use mid_rates"):
        cs.transform.evenly_spaced(weighted)


def test_a_map_refuses_what_it_cannot_map() -> None:
    with refused(cs.ScoreError, "a missing score (NaN) cannot be mapped: fill or drop it."):
        cs.pav(TABLE)([0.1, np.nan])
    with refused(cs.ScoreError, "scores to map must be numbers, got ['a']"):
        cs.pav(TABLE)(["a"])
    with refused(cs.SourceError, "a map of scores needs the rows of a ScoreTable, got None."):
        cs.pav(TABLE).apply(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edges", "values"),
    [([0.5], [1.0]), ([], []), ([0.5], [1.0, np.nan]), ([[0.5]], [0.0, 1.0]), ([], [[1.0]])],
)
def test_a_map_has_one_value_more_than_edges(edges: Any, values: Any) -> None:
    with refused(cs.ConditionError, "a map of k groups needs k - 1 edges and k values"):
        cs.transform.ScoreMap(np.array(edges, dtype=float), np.array(values, dtype=float))


@pytest.mark.parametrize("edges", [[0.5, 0.5], [0.7, 0.3], [0.2, np.nan]])
def test_the_edges_of_a_map_ascend(edges: list[float]) -> None:
    with refused(cs.ConditionError, "the edges of a map must ascend"):
        cs.transform.ScoreMap(np.array(edges), np.zeros(3))

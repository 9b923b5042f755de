"""Thresholds on the share flagged."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError, SourceError
from costspace.choices.places import Places

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]


def point(table: cs.ScoreTable, flagged: float) -> tuple[float, float]:
    start = cs.RateFixed(flagged).path(table).start
    return float(start.fpr[0]), float(start.fnr[0])


def test_flagged_is_the_share_predicted_positive() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    assert [point(table, f) for f in (0, 0.25, 0.5, 0.75, 1)] == [
        *((0, 1), (0, 0.5), (0.5, 0.5), (0.5, 0), (1, 0))
    ]


def test_ties_are_split_at_random() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 0, 1], [0.5] * 4)
    assert point(table, 0.3) == pytest.approx((0.3, 0.7))
    shares = cs.loss_shares([0, 0, 0, 1], [0.5] * 4, choice=cs.RateFixed(0.3))
    assert shares.tolist() == pytest.approx([0.3 / 4, 0.3 / 4, 0.3 / 4, 0.7 / 4])


@pytest.mark.parametrize(
    ("flagged", "text"),
    [
        (1.2, "flagged must be in [0, 1], got 1.2: 1.2 % is 0.012."),
        (-0.1, "flagged must be in [0, 1], got -0.1."),
        (float("nan"), "flagged must be in [0, 1], got nan."),
        ("2%", "flagged must be a number, got '2%'."),
        (None, "flagged must be a number, got None."),
    ],
)
def test_bad_share(flagged: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.RateFixed(flagged)


@pytest.mark.parametrize(
    ("batch", "text"),
    [
        (0, "batch must be a whole number, at least 1, got 0."),
        (2.5, "batch must be a whole number, at least 1, got 2.5."),
        (True, "batch must be a whole number, at least 1, got True."),
        ("20", "batch must be a whole number, at least 1, got '20'."),
        ([20, 0], "batch must be a whole number, at least 1, got 0."),
        ([], "batch must be the size of a batch, or of several, got []."),
    ],
)
def test_bad_batches(batch: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.RateFixed(0.1, batch=batch)


def test_sizes_of_batches_are_ordered_and_one_is_a_number() -> None:
    assert cs.RateFixed(0.1, batch=[20, 5]) == cs.RateFixed(0.1, batch=(5, 20))
    assert cs.RateFixed(0.1, batch=[20]) == cs.RateFixed(0.1, batch=20)
    assert cs.RateFixed(0.1, batch=np.array([20])[0]) == cs.RateFixed(0.1, batch=20)
    for choice in (cs.RateFixed(0.1), cs.RateFixed(0.1, batch=20), cs.RateFixed(0.1, batch=[5, 6])):
        assert eval(repr(choice), {"RateFixed": cs.RateFixed}) == choice
    assert repr(cs.RateFixed(0.1, batch=20)) == "RateFixed(flagged=0.1, batch=20)"


def _drawn_in_batches(masses: list[float], size: int, places: int) -> np.ndarray:
    """The chance of cells of scores, ascending, over all batches of so many draws of a case."""
    flagged = np.zeros(len(masses))
    for batch in product(range(len(masses)), repeat=size):
        chance, left = np.prod([masses[cell] for cell in batch]), places
        for cell in reversed(range(len(masses))):
            tied = batch.count(cell)
            flagged[cell] += chance * min(tied, left) / size
            left -= min(tied, left)
    return flagged / masses


@pytest.mark.parametrize(("size", "flagged"), [(1, 1), (2, 0.5), (4, 0.3), (5, 0.6), (6, 0.5)])
def test_by_batch_against_every_batch_of_a_small_sample(size: int, flagged: float) -> None:
    y, s, w = [0, 1, 0, 1, 0, 1], [1, 1, 2, 3, 4, 4], [2, 1, 3, 1, 1, 2]
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
    found = cs.RateFixed(flagged, batch=size).flagging(table, np.array([1.0, 2, 3, 4])).share
    expected = _drawn_in_batches([0.3, 0.3, 0.1, 0.3], size, int(flagged * size))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [20, 50, 200, 1000])
def test_by_batch_against_simulation(size: int) -> None:
    rng = np.random.default_rng(size)
    y, s = rng.random(400) < 0.1, np.zeros(400)
    s[:] = np.round(rng.normal(size=400) + 1.5 * y, 1)
    draws = rng.integers(0, 400, (4_000_000 // size // 20, size))
    # Tied cases in random order.
    order = np.argsort(s[draws] + rng.random(draws.shape) * 1e-3, axis=1)
    first = np.take_along_axis(draws, order[:, -size // 10 :], axis=1)
    misses = (y.sum() / 400) * size - y[first].sum(axis=1)
    alarms = (~y[first]).sum(axis=1)
    wrong = (misses + alarms) / size
    found = cs.expected_loss(y, s, choice=cs.RateFixed(0.1, batch=size))
    error = wrong.std() / np.sqrt(len(wrong))
    assert abs(wrong.mean() - found) < 4 * error
    if size == 20:
        # One queue of all would be far off.
        assert abs(wrong.mean() - cs.expected_loss(y, s, choice=cs.RateFixed(0.1))) > 5 * error


def test_a_batch_without_a_place_flags_nobody_and_one_with_room_for_all_everybody() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    for flagged, batch, expected in ((0.1, 9, 0), (0, 7, 0), (1, 7, 1), (0.1, [9, 3], 0)):
        found = cs.RateFixed(flagged, batch=batch).flagging(table, np.array(S)).share
        assert found.tolist() == [expected] * 4
    # A share of 0.07 times 100 is a bit above 7, and of 0.29 a bit below 29.
    for share, places in ((0.07, 7), (0.29, 29)):
        assert cs.RateFixed(share, batch=100).places.mean_share == places / 100


def test_a_large_batch_is_the_population() -> None:
    rng = np.random.default_rng(5)
    y = rng.random(3000) < 0.2
    s = rng.normal(size=3000) + y
    whole = cs.expected_loss(y, s, choice=cs.RateFixed(0.1))
    off = [
        cs.expected_loss(y, s, choice=cs.RateFixed(0.1, batch=size)) - whole
        for size in (10, 100, 1000, 10**9)
    ]
    assert off[0] > off[1] > off[2] > 0
    assert off[3] == pytest.approx(0, abs=1e-5)


@given(st.integers(1, 10**6), st.floats(0, 1), st.integers(1, 50))
def test_chances_of_neighbouring_blocks_make_up_that_of_both(size, share, parts) -> None:
    places = Places(share, (size,))
    edges = np.linspace(0, 1, parts + 1)
    found = places.chance(edges[:-1], edges[1:])
    whole = places.chance(np.zeros(1), np.ones(1))
    assert whole[0] == pytest.approx(places.mean_share, abs=1e-12)
    assert found.mean() == pytest.approx(whole[0], abs=1e-11)
    assert np.all(np.diff(found) <= 1e-11)


def test_stepped_pieces_are_equal() -> None:
    for axis in ("cost", "skew"):
        curve = cs.loss_curve(Y, S, choice=cs.RateDriven(stepped=True), axis=axis, prevalence=0.1)
        assert curve.breaks.tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])


@pytest.mark.parametrize(
    ("scores", "weight", "has"),
    [([0.1, 0.1, 0.4, 0.9], None, "ties"), (S, [1, 1, 1, 1], "weights"), (S, [1, 2, 1, 1], "w")],
)
def test_stepped_curves_refuse_ties_and_weights(scores: Any, weight: Any, has: str) -> None:
    text = f"needs distinct scores of equal weight, and this table has {has}"
    for choice in (cs.RateDriven(stepped=True), cs.RateUniform(stepped=True)):
        for verb in (cs.expected_loss, cs.loss_curve, cs.loss_shares):
            with refused(SourceError, text):
                verb(Y, scores, choice=choice, sample_weight=weight)


def test_stepped_says_what_to_do() -> None:
    for choice in (cs.RateDriven, cs.RateUniform):
        with refused(SourceError, f"use {choice.__name__}(), which interpolates."):
            cs.expected_loss([0, 1], [1, 1], choice=choice(stepped=True))


@pytest.mark.parametrize("stepped", ["no", None, 2])
def test_stepped_is_true_or_false(stepped: Any) -> None:
    for choice in (cs.RateDriven, cs.RateUniform):
        with refused(ConditionError, "stepped must be"):
            choice(stepped=stepped)


@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_uniform_over_the_cut_points_by_hand(axis: str) -> None:
    y, s = [0, 1, 0, 1, 1], [0.1, 0.2, 0.6, 0.7, 0.9]
    cuts = [-1, 0.1, 0.2, 0.6, 0.7, 0.9]
    fixed = [cs.loss_curve(y, s, choice=cs.ScoreFixed(t), axis=axis) for t in cuts]
    curve = cs.loss_curve(y, s, choice=cs.RateUniform(stepped=True), axis=axis)
    c = np.linspace(0, 1, 11)
    np.testing.assert_allclose(curve(c), np.mean([line(c) for line in fixed], axis=0), atol=1e-15)
    p, auc = 3 / 5, 5 / 6
    if axis == "cost":
        area = p * (1 - p) * (1 - 2 * auc) * 5 / 6 + 1 / 2
        assert curve.expectation(cs.Uniform()) == pytest.approx(area)
    # Reweighting leaves the cut points where they are.
    shifted = cs.metrics.class_parts(y, s, choice=cs.RateUniform(stepped=True), prevalence=0.9)
    assert shifted.negatives(1) / 0.2 == pytest.approx(np.mean([1, 0.5, 0.5, 0, 0, 0]))

"""A choice row by row: how likely each row is flagged, and its risk."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import COSTS

import costspace as cs
from costspace.choices.flagging import ConstantFlagging, SlidingFlagging, SwitchedFlagging
from costspace.curve import OperatingPoints

QUICK = st.sampled_from([name for name, case in COSTS.items() if not case.slow])
UNIT = st.integers(0, 20).map(lambda i: i / 20)


def points_of(n0: list[int], n1: list[int]) -> OperatingPoints:
    """Operating points of a sample with so many negatives and positives at each score."""
    below = [np.append(0, np.cumsum(n)) for n in (n0, n1)]
    return OperatingPoints(1 - below[0] / below[0][-1], below[1] / below[1][-1])


@st.composite
def switches(draw: Any) -> tuple[np.ndarray, np.ndarray]:
    """Ranges that ascend, and are the same or do not overlap."""
    ends = sorted(draw(st.lists(UNIT, min_size=2, max_size=8)))
    starts, stops = [], []
    for i in range(0, len(ends) - 1, draw(st.integers(1, 2))):
        repeat = draw(st.integers(1, 2))
        starts += [ends[i]] * repeat
        stops += [ends[i + 1]] * repeat
    return np.array(starts), np.array(stops)


def flagged(flagging: SlidingFlagging, c: np.ndarray) -> np.ndarray:
    """The probability of each score (column) at each condition (row), from the definition."""
    start, end = flagging.start, flagging.end
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (end - c[:, None]) / (end - start)
    return np.where(c[:, None] < start, 1.0, np.where(c[:, None] >= end, 0.0, along))


@settings(max_examples=50)
@given(switches(), QUICK)
def test_exposures_are_means_over_the_conditions(
    ends: tuple[np.ndarray, np.ndarray], costs: str
) -> None:
    flagging, case = SlidingFlagging(*ends), COSTS[costs]
    exposure = flagging.exposure(case.costs)
    breaks = np.concatenate(ends)
    negative = case.mean(lambda c, rest: (c[:, None] * flagged(flagging, c)).T, breaks)
    positive = case.mean(lambda c, rest: (rest[:, None] * (1 - flagged(flagging, c))).T, breaks)
    np.testing.assert_allclose(exposure.as_negative, negative, atol=1e-11)
    np.testing.assert_allclose(exposure.as_positive, positive, atol=1e-11)
    assert exposure.as_negative.min() >= 0
    assert exposure.as_positive.min() >= 0


@settings(max_examples=50)
@given(st.lists(UNIT, min_size=1, max_size=6), QUICK)
def test_switches_without_width(at: list[float], costs: str) -> None:
    switch, case = np.sort(at), COSTS[costs].costs
    jumping = SwitchedFlagging(switch).exposure(case)
    general = SlidingFlagging(switch, switch).exposure(case)
    np.testing.assert_allclose(jumping.as_negative, general.as_negative, atol=1e-12)
    np.testing.assert_allclose(jumping.as_positive, general.as_positive, atol=1e-12)


@settings(max_examples=50)
@given(switches(), st.data())
def test_paths_of_switched_scores(ends: tuple[np.ndarray, np.ndarray], data: st.DataObject) -> None:
    flagging = SlidingFlagging(*ends)
    size = len(flagging.start)
    counts = st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)
    n0, n1 = data.draw(counts), data.draw(counts)
    p = data.draw(st.sampled_from([0.5, 0.1, 0.97]))
    curve = flagging.path(points_of(n0, n1), p).loss()
    c = np.linspace(0, 1, 241)[1::2]
    share = flagged(flagging, c)
    fpr, fnr = share @ n0 / np.sum(n0), (1 - share) @ n1 / np.sum(n1)
    np.testing.assert_allclose(curve(c), 2 * (c * (1 - p) * fpr + (1 - c) * p * fnr), atol=1e-12)
    np.testing.assert_allclose(curve.left(c), curve(c), atol=1e-12)


@settings(max_examples=25)
@given(st.lists(UNIT, min_size=1, max_size=5), QUICK, st.data())
def test_constant_flagging(shares: list[float], costs: str, data: st.DataObject) -> None:
    share, case = np.sort(shares), COSTS[costs]
    exposure = ConstantFlagging(share).exposure(case.costs)
    mean = case.mean(lambda c, _: c)
    np.testing.assert_allclose(exposure.as_negative, share * mean, atol=1e-11)
    np.testing.assert_allclose(exposure.as_positive, (1 - share) * (1 - mean), atol=1e-11)
    counts = st.lists(st.integers(0, 3), min_size=len(share), max_size=len(share)).filter(any)
    n0, n1 = data.draw(counts), data.draw(counts)
    path = ConstantFlagging(share).path(points_of(n0, n1), 0.3)
    assert path.breaks.tolist() == [0, 1]
    assert path.start.fpr[0] == pytest.approx(np.average(share, weights=n0))
    assert path.start.fnr[0] == pytest.approx(np.average(1 - share, weights=n1))


def test_a_rate_of_another_sample_splits_a_block() -> None:
    # Four tied rows: 30 % flagged takes each with that probability.
    table = cs.ScoreTable.from_predictions([0, 0, 0, 1], [0.5] * 4)
    for score in (-9.0, 0.5, 9.0):
        found = cs.RateFixed(0.3).flagging(table, np.array([score]))
        assert found.share.tolist() == pytest.approx([0.3])
    driven = cs.RateDriven().flagging(table, np.array([0.5]))
    assert (driven.start.tolist(), driven.end.tolist()) == ([0], [1])


def test_a_score_between_two_blocks_belongs_to_the_nearer() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    s = np.array([-1, 0.25, 0.2500001, 0.5, 0.51, 0.75, 0.76, 2])
    assert table.block_of(s).tolist() == [0.1, 0.1, 0.4, 0.4, 0.6, 0.6, 0.9, 0.9]
    found = cs.RateUniform().flagging(table, s)
    np.testing.assert_allclose(found.share, np.array([1, 1, 3, 3, 5, 5, 7, 7]) / 8)
    stepped = cs.RateUniform(stepped=True).flagging(table, s)
    np.testing.assert_allclose(stepped.share, np.array([1, 1, 2, 2, 3, 3, 4, 4]) / 5)


def test_what_is_held_until_a_condition() -> None:
    share, until = np.array([0.2, 0.7]), np.array([0.1, 0.6])
    constant, switched = ConstantFlagging(share).held, SwitchedFlagging(until).held
    assert (constant.share.tolist(), constant.until) == ([0.2, 0.7], None)
    assert (switched.share.tolist(), switched.until.tolist()) == ([1, 1], [0.1, 0.6])
    assert SlidingFlagging(until, until + 0.1).held is None

"""Sequences that are valid at every look: golden figures, a referee's, laws, and repeated looks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError
from costspace.watching.restarts import best_start, first_above, restarted
from costspace.watching.sequences import log_stakes, log_wealth

GOLDEN = [[9400, 500, 100]]


def test_golden_sequence():
    found = cs.watching.mean_sequence(GOLDEN, [0, 1, 10])
    assert found.mean == pytest.approx([0.15])
    assert found.low == pytest.approx([0.1147746], abs=5e-8)
    assert found.high == pytest.approx([0.1878494], abs=5e-8)
    assert log_wealth(GOLDEN, [0, 1, 10], 0.13) == pytest.approx([-1.477506297], abs=5e-10)
    last = found.last
    assert (last.low, last.high) == (found.low[0], found.high[0])


# The logarithm of what diversified_betting_mart of confseq 0.0.11 gives for the same bets.
REFEREE = {
    (0.02, (0, 1), (360, 40)): 30.61155352492015,
    (0.1, (0, 1), (360, 40)): -2.388821496492257,
    (0.3, (0, 0.1, 1), (376, 20, 4)): -3.54284766182425,
    (0.02, (0, 0.1, 1), (376, 20, 4)): -3.0244058180065316,
    (0.1, (0, 0.3, 0.5, 1), (200, 80, 80, 40)): 80.33767367319766,
    (0.3, (0, 0.3, 0.5, 1), (200, 80, 80, 40)): -2.6035465393829935,
}


@pytest.mark.parametrize("case", REFEREE)
def test_wealth_is_that_of_confseq(case):
    mean, values, counts = case
    found = log_wealth([counts], values, mean, low=0, high=1)
    assert found == pytest.approx([REFEREE[case]], rel=1e-11)


KINDS = st.integers(2, 5)
SEEDS = st.integers(0, 10**6)


def drawn(seed, kinds):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.normal(size=kinds) * 10.0 ** rng.uniform(-2, 3))
    shares = rng.dirichlet(np.full(kinds, 0.5))
    looks = rng.multinomial(int(10 ** rng.uniform(0, 4)), shares, size=3)
    return values, np.cumsum(looks, axis=0)


@given(SEEDS, KINDS)
@settings(max_examples=60)
def test_at_the_ends_of_the_interval_bets_have_what_it_takes(seed, kinds):
    values, counts = drawn(seed, kinds)
    found = cs.watching.mean_sequence(counts, values)
    least, most = values[0], values[-1]
    assert np.all((least <= found.low) & (found.low <= found.high) & (found.high <= most))
    there = found.rows > 0
    assert np.all(found.low[there] <= found.mean[there] + 1e-9 * (most - least))
    assert np.all(found.mean[there] <= found.high[there] + 1e-9 * (most - least))
    for side, ends in ((1, found.low), (-1, found.high)):
        for look, end in enumerate(ends):
            inside = least < end < most
            wealth = log_wealth(
                counts[[look]], side * values, side * end if inside else side * values.mean()
            )
            assert not inside or wealth == pytest.approx([np.log(40)], abs=1e-5)


@given(SEEDS, KINDS, st.floats(-5, 5), st.floats(0.01, 100))
@settings(max_examples=40)
def test_other_units_and_signs_give_the_same_interval(seed, kinds, shift, scale):
    values, counts = drawn(seed, kinds)
    found, moved = (
        cs.watching.mean_sequence(counts, values),
        cs.watching.mean_sequence(counts, shift + scale * values),
    )
    turned = cs.watching.mean_sequence(counts, -values)
    size = scale * (values[-1] - values[0])
    assert moved.low == pytest.approx(shift + scale * found.low, abs=1e-6 * size)
    assert turned.low == pytest.approx(-found.high, abs=1e-6 * size / scale)
    assert turned.high == pytest.approx(-found.low, abs=1e-6 * size / scale)


@given(SEEDS, KINDS)
@settings(max_examples=30)
def test_a_higher_level_and_a_wider_range_make_it_wider(seed, kinds):
    values, counts = drawn(seed, kinds)
    found, sure = (
        cs.watching.mean_sequence(counts, values),
        cs.watching.mean_sequence(counts, values, level=0.999),
    )
    wide = cs.watching.mean_sequence(counts, values, low=values[0] - 1, high=values[-1] + 1)
    size = 1e-9 * (values[-1] - values[0])
    assert np.all(sure.low <= found.low + size)
    assert np.all(found.high <= sure.high + size)
    assert np.all(wide.low <= wide.high)


def test_nothing_seen_says_nothing_and_one_value_all():
    nothing = cs.watching.mean_sequence([[0, 0], [3, 0]], [0, 1])
    assert np.isnan(nothing.mean[0])
    assert (nothing.low[0], nothing.high[0]) == (0, 1)
    assert 0 == nothing.low[1] < nothing.high[1] < 1
    one = cs.watching.mean_sequence([[3]], [2.5])
    assert (one.low[0], one.high[0]) == (2.5, 2.5)
    far = cs.watching.mean_sequence([[10**15, 10**12]], [0, 1])
    assert far.low[0] < far.mean[0] < far.high[0] < 1.001 * far.mean[0]


@pytest.mark.parametrize(
    ("counts", "values", "more", "words"),
    [
        ([[1, 2]], [0, np.nan], {}, "finite"),
        ([[1, 2, 3]], [0, 1], {}, "column for each of 2"),
        ([1, 2], [0, 1], {}, "shape"),
        ([[3, 2], [2, 2]], [0, 1], {}, "cumulated"),
        ([[-1, 2]], [0, 1], {}, "cumulated"),
        ([[1, 2]], [0, 1], {"high": 0.5}, "between low and high"),
        ([[1, 2]], [0, 1], {"low": -np.inf}, "between low and high"),
        ([[1, 2]], [0, 1], {"level": 1}, "level"),
    ],
)
def test_what_is_no_count_or_value_is_refused(counts, values, more, words):
    with refused(ConditionError, words):
        cs.watching.mean_sequence(counts, values, **more)


def looks_of(rng, shares, values, rows, looks):
    return np.cumsum(rng.multinomial(rows, shares, size=looks), axis=0)


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("shares", "values"),
    [
        ((0.8, 0.1, 0.1), (0, 1, 2)),
        ((0.98, 0.015, 0.005), (0, 1, 20)),
        ((0.1, 0.8, 0.1), (-1, 0, 1)),
    ],
)
def test_all_looks_hold_the_mean_at_once(shares, values):
    rng, runs = np.random.default_rng(0), 100
    mean, missed = float(np.dot(shares, values)), 0
    for _ in range(runs):
        counts = looks_of(rng, shares, values, 20, 200)
        for side in (1, -1):
            own = side * np.array(values)
            missed += bool(np.any(log_wealth(counts, own, side * mean) >= np.log(40)))
    assert missed / runs <= 0.05


def stakes_of(shares, seed, looks=120):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(100, shares, size=looks).astype(float)
    return log_stakes(counts, np.array([0.0, 0.5, 1.0]), 0.15)


def test_bets_that_begin_anew_add_up_as_those_of_every_start():
    stakes = stakes_of((0.8, 0.1, 0.1), 0, looks=12)
    found = restarted(stakes, 100.0).evidence
    for look in range(12):
        starts = [np.exp(stakes[start : look + 1].sum(axis=0)).mean() for start in range(look + 1)]
        assert np.exp(found[look]) == pytest.approx(sum(starts))
        assert best_start(stakes, look) == int(np.argmax(starts))


def test_a_later_change_is_found_near_where_it_is():
    before, after = stakes_of((0.8, 0.1, 0.1), 1), stakes_of((0.76, 0.12, 0.12), 2)
    found = restarted(np.concatenate([before, after]), 10_000.0)
    assert found.first is not None
    assert 125 < found.first < 160
    assert abs(best_start(np.concatenate([before, after]), found.first) - 120) <= 5
    assert restarted(before, 10_000.0).first is None
    assert first_above(np.array([0.0, 2.0, 1.0, 3.0]), 2.0) == 1

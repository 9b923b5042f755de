"""The lower convex hull of ascending chains, against all chords and against the clock."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costspace.roc.hull import lower_hull


def chain(steps):
    """The chain from (0, 0) with these steps, those of no length left out."""
    moved = [step for step in steps if any(step)]
    return np.vstack([[0, 0], np.cumsum(moved, axis=0)]).astype(float)


def brute_force_corners(points):
    """The points strictly below every chord between one before and one after, exactly."""
    exact = [tuple(map(Fraction, point)) for point in points.tolist()]

    def is_below(chord, p):
        (ax, ay), (bx, by) = chord
        return (p[0] - ax) * (by - ay) > (p[1] - ay) * (bx - ax)

    inner = [
        i
        for i in range(1, len(exact) - 1)
        if all(
            is_below((exact[j], exact[k]), exact[i])
            for j, k in combinations(range(len(exact)), 2)
            if j < i < k
        )
    ]
    return points[[0, *inner, len(exact) - 1]]


def ends_on_both_axes(steps):
    return all(map(any, zip(*steps, strict=True)))


def steps_of(values):
    pairs = st.lists(st.tuples(values, values), min_size=1, max_size=14)
    return pairs.filter(ends_on_both_axes)


@given(st.sampled_from([1, 2, 5, 1000, 2**24]).flatmap(lambda m: steps_of(st.integers(0, m))))
@settings(max_examples=200)
def test_hull_of_counts_is_exact(steps):
    points = chain(steps)
    np.testing.assert_array_equal(np.transpose(lower_hull(*points.T)), brute_force_corners(points))


def depth(points, corners):
    """How far each point lies below the chain of corners, both scaled to the unit square.

    Seen along x + y, a chain that ascends in both coordinates has no vertical.
    """
    (x, y), (u, v) = (np.transpose(chain / corners[-1]) for chain in (points, corners))
    return x - y - np.interp(x + y, u + v, u - v)


def assert_strictly_convex(corners):
    dx, dy = np.diff(corners, axis=0).T
    assert np.all(dx[:-1] * dy[1:] > dx[1:] * dy[:-1])


@given(steps_of(st.integers(0, 6)), st.integers(1, 60))
@settings(max_examples=40)
def test_hull_of_a_repeated_chain_with_many_collinear_points(steps, times):
    points = chain(steps * times)
    corners = np.transpose(lower_hull(*points.T))
    assert set(map(tuple, corners)) <= set(map(tuple, points))
    assert depth(points, corners).max() <= 1e-12
    assert_strictly_convex(corners)


@given(steps_of(st.floats(0.01, 100) | st.just(0.0)))
@settings(max_examples=100)
def test_hull_of_weights_is_right_to_rounding(steps):
    points = chain(steps)
    corners = np.transpose(lower_hull(*points.T, rounding=1e-15))
    assert set(map(tuple, corners)) <= set(map(tuple, points))
    np.testing.assert_allclose(depth(brute_force_corners(points), corners), 0, atol=1e-13)
    np.testing.assert_allclose(depth(corners, brute_force_corners(points)), 0, atol=1e-13)


LENGTH = 100_000
X = np.arange(LENGTH + 1.0)
# Exact in effect: the hull may use the rounding that it is told of, but does not need it.
LONG_CONVEX_CHAINS = {
    "parabola": (X, np.cumsum(X)),
    "exponential": (X, np.expm1(X / LENGTH * 30)),
    "circle": (np.cumsum(LENGTH - X), np.cumsum(X)),
    "almost_straight": (X, np.cumsum(1 + X / LENGTH * 1e-5)),
}
long_convex_chains = pytest.mark.parametrize("name", LONG_CONVEX_CHAINS)


def long_chain(name):
    points = np.transpose(LONG_CONVEX_CHAINS[name])
    return points - points[0]


@long_convex_chains
@pytest.mark.parametrize("rounding", [0.0, 1e-15])
def test_a_long_convex_chain_is_its_own_hull(name, rounding):
    # Points may go that rounding cannot tell from a chord, but many such must not add up.
    points = long_chain(name)
    corners = np.transpose(lower_hull(*points.T, rounding=rounding))
    np.testing.assert_allclose(depth(points, corners), 0, atol=1e-12)


@long_convex_chains
@pytest.mark.parametrize("rounding", [0.0, 1e-15])
def test_a_deep_last_point_cuts_off_part_of_a_long_convex_chain(name, rounding):
    # Only the last corner is reflex, and dropping it uncovers the next: passes alone would be
    # as many as there are points.
    points = long_chain(name)
    for reach in (0.01, 1, 100):
        deep = points[-1] + [reach * points[-1, 0], 0]
        corners = np.transpose(lower_hull(*np.vstack([points, deep]).T, rounding=rounding))
        np.testing.assert_array_equal(corners[[0, -1]], [points[0], deep])
        assert depth(points, corners).max() <= 1e-12
        # And the hull is no lower than it need be: its corners but the last are of the chain.
        assert np.all(np.isin(corners[:-1] @ [1, 1j], points @ [1, 1j]))


def test_a_long_concave_chain_is_its_end_points():
    x, y = np.cumsum(X), X
    np.testing.assert_array_equal(lower_hull(x, y), [[0, x[-1]], [0, y[-1]]])


@pytest.mark.parametrize("rounding", [0.0, 1e-15])
@pytest.mark.parametrize("positives", [0.5, 0.01])
def test_the_hull_of_a_long_random_chain(positives, rounding):
    label = np.random.default_rng(7).random(LENGTH) < positives
    points = chain(np.transpose([~label, label]))
    corners = np.transpose(lower_hull(*points.T, rounding=rounding))
    assert depth(points, corners).max() <= 1e-12
    assert_strictly_convex(corners)


@pytest.mark.parametrize("length", [10, 1000, LENGTH])
def test_rounding_leaves_collinear_points_merged(length):
    # Both classes at every score, in one proportion: up to rounding the hull is the diagonal.
    weight = np.random.default_rng(7).uniform(0.1, 1, length)
    x = np.append(0, np.cumsum(weight, dtype=np.longdouble))
    corners = lower_hull(x.astype(float), (x / 3).astype(float), rounding=1e-15)
    assert len(corners[0]) == 2

"""Ranges cut where polynomials change sign: against their roots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costspace.decision.limits.splits import roots, split, split_where_passed

ROOTS = st.lists(st.integers(-20, 20).map(lambda i: i / 7), max_size=3, unique=True)


@given(st.lists(ROOTS, min_size=1, max_size=5), st.sampled_from([-3.0, 0.1, 50.0]))
def test_roots_of_polynomials(of_each: list[list[float]], factor: float) -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return factor * np.array(
            [np.prod(at - np.array(mine)) for at, mine in zip(x, of_each, strict=True)]
        )

    low, high = np.full(len(of_each), -1.3), np.linspace(1.1, 2.9, len(of_each))
    found = roots(f, low, high)
    for mine, end, row in zip(of_each, high, found, strict=True):
        expected = sorted(x for x in mine if -1.3 < x < end)
        np.testing.assert_allclose(np.sort(row[np.isfinite(row)]), expected, atol=1e-12)


def test_a_root_where_nothing_changes_sign_is_none() -> None:
    low, high = np.array([-1.0, -1.0, 0.0]), np.array([1.0, 1.0, 1.0])
    found = roots(lambda x: np.array([x[0] ** 2 + 0.01, 0.0, 2.0]), low, high)
    assert np.isnan(found).all()


def test_split_keeps_the_ranges_in_order() -> None:
    low, high = np.array([0.0, 1.0, 5.0]), np.array([1.0, 3.0, 5.0])
    pieces = split(low, high, np.array([1, 0, 1, 0]), np.array([2.5, 0.25, 1.5, 7.0]))
    assert pieces.of.tolist() == [0, 0, 1, 1, 1]
    assert pieces.low.tolist() == [0, 0.25, 1, 1.5, 2.5]
    assert pieces.high.tolist() == [0.25, 1, 1.5, 2.5, 3]
    assert pieces.middle.tolist() == [0.125, 0.625, 1.25, 2, 2.75]
    empty = split(np.zeros(0), np.zeros(0), np.zeros(0, dtype=int), np.zeros(0))
    assert len(empty.of) == 0


def test_a_target_that_is_passed_there_and_back() -> None:
    # As 4 x (1 - x) does both of its own.
    targets = np.array([0.3, 0.9])
    none = np.zeros(1, dtype=int)
    pieces = split_where_passed(
        none.astype(float),
        none + 1.0,
        (none, none + 2),
        lambda x: np.searchsorted(targets, 4 * x * (1 - x)),
        lambda of, target, x: 4 * x * (1 - x) - targets[target],
    )
    expected = [(1 + sign * np.sqrt(1 - t)) / 2 for t, sign in ((0.3, -1), (0.9, -1), (0.9, 1))]
    assert pieces.low == pytest.approx([0, *expected, (1 + np.sqrt(0.7)) / 2])
    assert pieces.high[-1] == 1

"""ROC geometry on arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from costspace.roc import hull
from costspace.roc.hull import area_below, isotonic, lower_hull, lowest_lines


def corners(x: list[float], y: list[float], **kwargs: float) -> list[tuple[float, float]]:
    found = lower_hull(np.array(x, dtype=float), np.array(y, dtype=float), **kwargs)
    return list(zip(*(axis.tolist() for axis in found), strict=True))


def test_area() -> None:
    assert area_below(np.array([0.0, 1, 3]), np.array([0.0, 2, 2])) == 5
    assert area_below(np.array([0.0, 0, 3]), np.array([0.0, 2, 2])) == 6


def test_simple_hulls() -> None:
    assert corners([0, 2], [0, 3]) == [(0, 0), (2, 3)]
    assert corners([0, 1, 2], [0, 0, 3]) == [(0, 0), (1, 0), (2, 3)]
    assert corners([0, 0, 2], [0, 3, 3]) == [(0, 0), (2, 3)]
    assert corners([0, 1, 2, 3], [0, 1, 2, 3]) == [(0, 0), (3, 3)]
    assert corners([0, 1, 1, 1, 4], [0, 0, 1, 2, 2]) == [(0, 0), (1, 0), (4, 2)]


def test_pool_adjacent_violators_gives_the_same_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    x = np.append(0, np.cumsum(generator.integers(0, 3, 500) + 1))
    y = np.append(0, np.cumsum(generator.integers(0, 3, 500)))
    y[-1] += 1
    expected = corners(x.tolist(), y.tolist())
    monkeypatch.setattr(hull, "_WORTHWHILE", 2.0)
    assert corners(x.tolist(), y.tolist()) == expected


@pytest.mark.parametrize("noise", [0, 0.001, 0.1, 10])
@pytest.mark.parametrize("points", [0, hull._POINTS], ids=["SciPy's sweep", "where needed"])
def test_isotonic_regression_agrees_with_scikit_learn(
    monkeypatch: pytest.MonkeyPatch, noise: float, points: int
) -> None:
    generator = np.random.default_rng(1)
    values = np.linspace(0, 1, 3000) + noise * generator.normal(size=3000)
    weights = generator.integers(1, 9, 3000).astype(float)
    monkeypatch.setattr(hull, "_POINTS", points)
    monkeypatch.setattr(hull, "_WORTHWHILE", 2.0)
    found, ends = isotonic(values, weights)
    np.testing.assert_allclose(found, isotonic_regression(values, sample_weight=weights), rtol=1e-9)
    assert ends.tolist() == [0, *np.flatnonzero(np.diff(found) > 0) + 1, 3000]


def test_rounding_merges_collinear_corners() -> None:
    weights = np.array([0.1, 0.2, 0.3, 0.1, 0.7])
    x, y = np.append(0, np.cumsum(weights)), np.append(0, np.cumsum(3 * weights))
    assert len(corners(x.tolist(), y.tolist(), rounding=1e-15)) == 2


def test_rounding_keeps_a_corner_made_of_close_points() -> None:
    for gap in (1e-10, 1e-15, 1e-16, 1e-20):
        x, y = [0, 1, 1, 1 + 1e-16], [0, 0, gap, 1]
        found = corners(x, y, rounding=1e-15)
        assert len(found) > 2
        assert min(abs(a - 1) + b for a, b in found[1:-1]) < 1e-9


def test_rounding_keeps_a_smooth_hull() -> None:
    angle = np.linspace(0, np.pi / 2, 2001)
    x, y = np.sin(angle), 1 - np.cos(angle)
    found = corners(x.tolist(), y.tolist(), rounding=1e-15)
    assert len(found) > 1900


# --- The lowest of many lines ----------------------------------------------------------------

UNIT = st.integers(0, 8).map(lambda i: i / 8) | st.floats(0, 1)
LINES = st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=9).map(lambda ends: np.array(ends).T)
SHARES = np.linspace(0, 1, 2001)[:, None]


def heights(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (1 - SHARES) * left + SHARES * right


@given(LINES)
def test_the_lowest_lines_make_the_whole_envelope(lines: np.ndarray) -> None:
    left, right = lines
    best = lowest_lines(left, right)
    assert np.all(np.diff(left[best]) > 0)
    assert np.all(np.diff(right[best]) < 0)
    lowest = heights(left[best], right[best]).min(axis=1)
    np.testing.assert_allclose(lowest, heights(left, right).min(axis=1), atol=1e-13)


def test_every_lowest_line_is_needed_for_the_envelope() -> None:
    u, *noise = np.random.default_rng(2).random((3, 40))
    left, right = u**2 + 0.02 * noise[0], (1 - u) ** 2 + 0.02 * noise[1]
    best = lowest_lines(left, right)
    assert 2 < len(best) < 20
    assert sorted(best) == np.unique(heights(left, right).argmin(axis=1)).tolist()


def test_lowest_lines() -> None:
    left, right = np.array([0.5, 0.0, 1, 0.5, 0.2, 0.0]), np.array([0.5, 1, 0.0, 0.4, 0.9, 1.0])
    assert lowest_lines(left, right).tolist() == [1, 3, 2]
    assert lowest_lines(np.array([0.3, 0.3]), np.array([0.2, 0.1])).tolist() == [1]
    # Three lines through one point: the middle one is nowhere alone.
    assert lowest_lines(np.array([1, 0.5, 0]), np.array([0, 0.5, 1.0])).tolist() == [2, 0]

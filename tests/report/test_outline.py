"""A curve with fewer points that looks the same."""

import numpy as np
import pytest

from costspace.report.outline import outline


def test_a_straight_line_is_its_ends():
    x = np.linspace(1, 0, 50)
    assert outline(x, 0.3 * x).tolist() == [[1, 0], [0.3, 0]]


def test_corners_stay():
    x, y = np.array([1, 1, 0.5, 0, 0]), np.array([1, 0.5, 0.5, 0.5, 0])
    assert outline(x, y).tolist() == [[1, 1, 0, 0], [1, 0.5, 0.5, 0]]


def test_equal_points_make_no_corner():
    assert outline(np.full(5, 0.3), np.full(5, 0.7)).tolist() == [[0.3, 0.3], [0.7, 0.7]]


@pytest.mark.parametrize("n", [2, 3, 40, 5000])
def test_no_point_is_far_from_the_outline(n: int):
    rng = np.random.default_rng(n)
    x, y = np.sort(rng.random((2, n)), axis=1)[:, ::-1]
    kept = outline(x, y)
    assert kept[:, [0, -1]].tolist() == [[x[0], x[-1]], [y[0], y[-1]]]
    assert set(zip(*kept.tolist(), strict=True)) <= set(zip(x.tolist(), y.tolist(), strict=True))
    # Curves fall in both, so that their sum says between which points kept each is.
    along = np.clip(np.searchsorted(-kept.sum(axis=0), -(x + y)) - 1, 0, kept.shape[1] - 2)
    (x0, y0), (x1, y1) = kept[:, along], kept[:, along + 1]
    off = np.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / np.hypot(x1 - x0, y1 - y0)
    assert off.max() <= 1 / 2000 + 1e-12
    assert n < 5000 or kept.shape[1] < n / 10

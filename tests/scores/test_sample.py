"""One class's scores: sorting, look-up and means."""

import numpy as np
import pytest

from costspace.scores.sample import ClassSample, _search, sort_with_order


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 7, 1000, 5000])
def test_sort_with_order(n: int, kind: type) -> None:
    generator = np.random.default_rng(n)
    near = 0.5 + generator.integers(0, 9, n) * np.finfo(kind).eps
    signed = generator.choice([-np.inf, -1e300, -5e-324, -0.0, 0.0, 5e-324, 1, np.inf], n)
    with np.errstate(over="ignore"):
        for scores in (generator.normal(size=n), near, signed, generator.integers(0, 3, n)):
            values = np.asarray(scores).astype(kind)
            ascending, order = sort_with_order(values)
            assert np.array_equal(np.sort(order), np.arange(n))
            assert np.array_equal(values[order], np.sort(values))
            assert np.array_equal(ascending, values[order])


@pytest.mark.parametrize("side", ["left", "right"])
def test_search(side: str) -> None:
    generator = np.random.default_rng(0)
    scores = np.sort(generator.integers(0, 3000, 20_000) / 3000)
    for t in (np.sort(generator.choice(scores, 9001)), generator.random(5000), scores):
        found = _search(scores, t, side)
        assert np.array_equal(found, np.searchsorted(scores, t, side=side))


def test_weights_follow_their_scores() -> None:
    sample = ClassSample.sort(np.array([0.3, 0.1, 0.2]), np.array([3.0, 1.0, 2.0]))
    assert sample.values.tolist() == [0.1, 0.2, 0.3]
    assert sample.below([0.1, 0.15, 0.3]).tolist() == [1, 1, 6]
    assert sample.below([0.1, 0.3], inclusive=True).tolist() == [0, 3]
    assert sample.total == 6
    assert sample.mean(np.square) == pytest.approx((0.01 + 2 * 0.04 + 3 * 0.09) / 6)


def test_zero_weights_are_left_out_and_counted() -> None:
    sample = ClassSample.sort(np.array([0.3, 0.1, 0.2]), np.array([3.0, 0.0, 2.0]))
    assert sample.values.tolist() == [0.2, 0.3]
    assert (len(sample), sample.rows) == (2, 3)


def test_counts() -> None:
    assert ClassSample.sort(np.array([0.3, 0.1])).counts
    assert ClassSample.sort(np.array([0.3, 0.1]), np.array([2.0, 5.0])).counts
    assert not ClassSample.sort(np.array([0.3, 0.1]), np.array([2.0, 0.5])).counts


def test_mean_of_float32_scores_is_in_double_precision() -> None:
    values = np.full(200_000, 0.1, dtype=np.float32)
    sample = ClassSample.sort(values)
    expected = float(np.float32(0.1))
    assert sample.mean(lambda scores: scores) == pytest.approx(expected, rel=1e-12)


def test_distinct() -> None:
    values, starts = ClassSample.sort(np.array([2.0, 1.0, 1.0, 3.0, 3.0])).distinct()
    assert values.tolist() == [1, 2, 3]
    assert starts.tolist() == [0, 2, 3]

"""Sorting and looking up scores: the same answers as the plain way, in any precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costspace.samples.class_sample import ClassSample
from costspace.samples.sorting import search, sort_with_order

DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])
SPECIAL = st.sampled_from([0.0, -0.0, np.inf, -np.inf, 1.0, -1.0, 5e-324, -5e-324, 1e-45, -1e-45])


def scores(dtype, **sizes):
    anything = st.floats(allow_nan=False, width=np.dtype(dtype).itemsize * 8)
    # Neighbours of a score differ in the bits that the packed sort leaves out.
    neighbours = st.builds(
        lambda base, step: base * (1 + step * np.finfo(dtype).eps),
        st.sampled_from([1.0, -1.0, 0.3, 1e30, -1e-30]),
        st.integers(0, 40),
    )
    return st.lists(anything | neighbours | SPECIAL, **sizes).map(lambda s: np.array(s, dtype))


@DTYPES
@given(st.data())
@settings(max_examples=150)
def test_argsort_sorts(dtype, data):
    values = data.draw(scores(dtype, min_size=1, max_size=60))
    ascending, order = sort_with_order(values)
    np.testing.assert_array_equal(np.sort(order), np.arange(len(values)))
    np.testing.assert_array_equal(values[order], np.sort(values, kind="stable"))
    np.testing.assert_array_equal(ascending, values[order])


@DTYPES
@pytest.mark.parametrize("spread", [0, 8, 1 << 16, 1 << 52])
def test_argsort_sorts_long_samples_that_differ_in_few_bits(dtype, spread):
    steps = np.random.default_rng(spread).integers(-spread, spread + 1, 100_000)
    values = (1 + steps * 2.0**-52).astype(dtype)
    for signed in (values, -values, np.where(steps % 2, values, -values)):
        ascending, order = sort_with_order(signed)
        assert np.array_equal(signed[order], np.sort(signed))
        assert np.array_equal(ascending, signed[order])
        assert np.array_equal(np.sort(order), np.arange(len(values)))


@DTYPES
@given(st.data())
@settings(max_examples=50)
def test_a_weighted_sample_keeps_each_weight_with_its_score(dtype, data):
    values = data.draw(scores(dtype, min_size=1, max_size=30))
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=99)))
    weights = weights[: len(values)].astype(float)
    weights[0] += 1
    sample = ClassSample.sort(values.copy(), weights.copy())
    assert len(sample) == np.count_nonzero(weights)
    assert sample.rows == len(values)
    for score in values:
        assert sample.below(score) == weights[values <= score].sum()
        assert sample.below(score, inclusive=True) == weights[values < score].sum()


@DTYPES
@given(st.data())
@settings(max_examples=150)
def test_position_compares_thresholds_exactly(dtype, data):
    values = data.draw(scores(dtype, min_size=1, max_size=20))
    thresholds = data.draw(scores(np.float64, min_size=1, max_size=10))
    sample = ClassSample.sort(values.copy())
    printed = values.astype(str).astype(float)
    np.testing.assert_array_equal(
        sample.position(thresholds), [np.sum(printed <= t) for t in thresholds]
    )
    np.testing.assert_array_equal(
        sample.position(thresholds, inclusive=True), [np.sum(printed < t) for t in thresholds]
    )


@pytest.mark.parametrize("levels", [1, 7, 5000, 10**9])
@pytest.mark.parametrize("side", ["left", "right"])
def test_looking_up_many_thresholds_at_once(levels, side):
    rng = np.random.default_rng(levels)
    values = np.sort(rng.integers(0, levels, 30_000).astype(float))
    for length in (2047, 2048, 2049, 20_000):
        t = rng.integers(-1, levels + 1, length).astype(float)
        for thresholds in (np.sort(t), t):
            found = search(values, thresholds, side)
            assert np.array_equal(found, np.searchsorted(values, thresholds, side=side))
    # A threshold outside on either side, and a sample shorter than a stretch.
    ends = np.sort(np.concatenate([[-np.inf] * 3000, values[::9], [np.inf] * 3000]))
    for sample in (values, values[:5]):
        expected = np.searchsorted(sample, ends, side=side)
        assert np.array_equal(search(sample, ends, side), expected)

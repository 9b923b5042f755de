"""One class's scores: their weights, look-up and means."""

import numpy as np
import pytest

from costspace.samples.class_sample import ClassSample


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


def test_whole_weights_are_known() -> None:
    assert ClassSample.sort(np.array([0.3, 0.1])).whole_weights
    assert ClassSample.sort(np.array([0.3, 0.1]), np.array([2.0, 5.0])).whole_weights
    assert not ClassSample.sort(np.array([0.3, 0.1]), np.array([2.0, 0.5])).whole_weights


def test_mean_of_float32_scores_is_in_double_precision() -> None:
    values = np.full(200_000, 0.1, dtype=np.float32)
    sample = ClassSample.sort(values)
    assert sample.mean(lambda scores: scores) == pytest.approx(0.1, rel=1e-12)


def test_distinct() -> None:
    values, starts = ClassSample.sort(np.array([2.0, 1.0, 1.0, 3.0, 3.0])).distinct()
    assert values.tolist() == [1, 2, 3]
    assert starts.tolist() == [0, 2, 3]

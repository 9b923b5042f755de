"""Shares classified correctly: values by hand."""

import pytest

import costspace as cs

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]
W = [1, 2, 1, 3, 1]


def test_accuracy_by_hand() -> None:
    assert cs.accuracy(Y, S) == pytest.approx(3 / 5)
    assert cs.accuracy(Y, S, threshold=0.6) == pytest.approx(3 / 5)
    assert cs.accuracy(Y, S, threshold=0.3, sample_weight=W) == pytest.approx(6 / 8)
    assert cs.accuracy(Y, S, prevalence=0.1) == pytest.approx(0.9 / 2 + 0.1 * 2 / 3)
    assert cs.macro_accuracy(Y, S) == pytest.approx((1 / 2 + 2 / 3) / 2)

"""Intervals from replicates, by hand and against SciPy's."""

import numpy as np
import pytest
from scipy import stats

from costspace.resampling.acceleration import acceleration_of
from costspace.resampling.intervals import bootstrap_interval


def test_each_method_by_hand() -> None:
    replicates = np.random.default_rng(0).permutation(np.arange(1.0, 1000))
    percentile, basic = (
        bootstrap_interval(replicates, 480.0, level=0.95, method=method)
        for method in ("percentile", "basic")
    )
    assert percentile.tolist() == pytest.approx([25, 975])
    assert basic.tolist() == pytest.approx([960 - 975, 960 - 25])
    # Without bias or skewness BCa's is the percentile interval.
    plain = bootstrap_interval(replicates, 500.0, level=0.95, method="bca")
    assert plain.tolist() == pytest.approx([25, 975])
    skewed = bootstrap_interval(replicates, 500.0, level=0.95, method="bca", acceleration=0.05)
    assert skewed[0] > 25
    assert skewed[1] > 975


def test_bca_against_scipy() -> None:
    values = np.random.default_rng(1).exponential(size=60)
    rng = np.random.default_rng(2)
    replicates = np.array([values[rng.integers(0, 60, 60)].mean() for _ in range(4000)])
    left = np.array([np.delete(values, i).mean() for i in range(60)])
    acceleration = acceleration_of(59 / 60 * (left.mean() - left))
    found = bootstrap_interval(
        replicates, values.mean(), level=0.9, method="bca", acceleration=acceleration
    )
    expected = stats.bootstrap(
        (values,), np.mean, confidence_level=0.9, method="BCa", n_resamples=20_000, rng=1
    ).confidence_interval
    assert found == pytest.approx([expected.low, expected.high], abs=0.02)

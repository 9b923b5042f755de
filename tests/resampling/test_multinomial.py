"""Counts of draws against the multinomial distribution."""

import numpy as np
import pytest
from scipy import stats

from costspace.resampling.multinomial import drawn_counts

# Drawn one by one, and by way of Poisson counts, whose bits come in fours.
SIZES = (1, 7, 999, 1000, 1001, 1003, 4000)


@pytest.mark.parametrize("size", SIZES)
def test_as_many_draws_as_units(size: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        counts = drawn_counts(rng, size)
        assert counts.shape == (size,)
        assert counts.sum(dtype=int) == size


@pytest.mark.parametrize("size", [999, 1003, 4000])
def test_each_count_is_binomial(size: int) -> None:
    rng, repeats = np.random.default_rng(1), 1000
    found = np.zeros(8)
    for _ in range(repeats):
        found += np.bincount(drawn_counts(rng, size), minlength=len(found))[: len(found)]
    expected = stats.binom.pmf(np.arange(len(found)), size, 1 / size) * size * repeats
    assert np.all(np.abs(found - expected) < 5 * np.sqrt(expected))


@pytest.mark.parametrize("size", [999, 1003])
def test_counts_of_a_part_are_binomial_too(size: int) -> None:
    """Independent counts would vary as much as Poisson's, twice as much in a half."""
    rng, half = np.random.default_rng(2), size // 2
    for part in (slice(None, half), slice(None, None, 2)):
        sums = [int(drawn_counts(rng, size)[part].sum(dtype=int)) for _ in range(3000)]
        share = len(range(size)[part]) / size
        spread = np.sqrt(size * share * (1 - share))
        assert np.mean(sums) == pytest.approx(size * share, abs=5 * spread / np.sqrt(3000))
        assert np.std(sums) == pytest.approx(spread, rel=5 / np.sqrt(2 * 3000))


def test_neighbours_are_as_correlated_as_any_others() -> None:
    rng, size = np.random.default_rng(3), 2000
    counts = np.array([drawn_counts(rng, size) for _ in range(400)]) - 1.0
    for apart in range(1, 6):
        products = counts[:, apart:] * counts[:, :-apart]
        assert abs(products.mean() + 1 / size) < 5 * products.std() / np.sqrt(products.size)

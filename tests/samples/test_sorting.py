"""Sorting with the order, and searching: the same results as NumPy's."""

import numpy as np
import pytest

from costspace import threads
from costspace.samples.sorting import search, sort_beside, sort_by_class, sort_with_order


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


@pytest.mark.parametrize("share", [0, 0.05, 0.4, 0.6, 0.97, 1])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 4, 300, 200_000])
def test_classes_are_sorted_alike_with_threads(
    monkeypatch: pytest.MonkeyPatch, n: int, kind: type, share: float
) -> None:
    generator = np.random.default_rng(n)
    positive = generator.random(n) < share
    scores = generator.choice([-np.inf, 0.25, 0.5, np.inf], n)
    for values in (generator.normal(size=n).astype(kind), scores.astype(kind)):
        expected = [np.sort(values[~positive]), np.sort(values[positive])]
        for many in (10**9, 1):
            monkeypatch.setattr(threads, "_MANY", many)
            found = sort_by_class(values, positive)
            for one, other in zip(found, expected, strict=True):
                assert one.dtype == kind
                assert np.array_equal(one, other)


def test_sort_beside() -> None:
    generator = np.random.default_rng(1)
    scores = generator.choice([-np.inf, -2.5, -0.0, 0.0, 1e-40, 0.3, np.inf], 500)
    scores = scores.astype(np.float32)
    numbers = generator.choice([0, 1, 2**16, 2**31, 2**32 - 1], 500)
    ascending, beside = sort_beside(scores, numbers)
    assert np.array_equal(ascending, np.sort(scores))
    pairs = zip(ascending.tolist(), beside.tolist(), strict=True)
    assert sorted(pairs) == sorted(zip(scores.tolist(), numbers.tolist(), strict=True))


@pytest.mark.parametrize("side", ["left", "right"])
def test_search(side: str) -> None:
    generator = np.random.default_rng(0)
    scores = np.sort(generator.integers(0, 3000, 20_000) / 3000)
    for t in (np.sort(generator.choice(scores, 9001)), generator.random(5000), scores):
        found = search(scores, t, side)
        assert np.array_equal(found, np.searchsorted(scores, t, side=side))

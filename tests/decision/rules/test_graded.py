"""Values that change at many scores, in few steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costspace.decision.rules.graded import graded, means_between


def test_a_few_changes_have_a_threshold_each() -> None:
    scores = np.arange(6.0)
    assert graded(scores, np.array([0, 0, 1, 1, 0, 0.0])).tolist() == [1, 3]
    assert graded(scores, np.zeros(6)).tolist() == []
    assert graded(scores, np.zeros(6), scores > 4).tolist() == [4]


@given(st.integers(0, 50), st.integers(600, 2000))
def test_between_thresholds_many_changes_are_small(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.random(n))
    rising, waving = np.cumsum(rng.random(n)), np.cumsum(rng.normal(size=n))
    # Where nothing changes at either end nothing is cut.
    rising[: n // 3] = rising[n // 3]
    rising[n // 2 :] = rising[n // 2]
    waving[n // 2 :] = waving[n // 2]
    cuts = graded(scores, rising, waving * (scores > scores[n // 3]))
    assert len(cuts) <= 32 + 2
    assert cuts[0] == scores[n // 3]
    assert cuts[-1] == scores[n // 2 - 1]
    place = np.searchsorted(cuts, scores)
    for values in (rising, waving * (scores > scores[n // 3])):
        way, largest = np.sum(np.abs(np.diff(values))), np.max(np.abs(np.diff(values)))
        for k in range(len(cuts) + 1):
            inside = np.abs(np.diff(values[place == k])).sum()
            assert inside <= way * 2 / 32 + largest


@pytest.mark.parametrize("cuts", [[], [0.5], [-1.0, 0.2, 0.2, 5.0]])
def test_means_are_of_what_is_between(cuts: list[float]) -> None:
    scores, weights = np.array([0.1, 0.2, 0.5, 0.9]), np.array([1, 3, 1, 2.0])
    values = np.array([4, 8, 1, 7.0])
    found = means_between(np.array(cuts), scores, weights, values)
    ends = [-np.inf, *cuts, np.inf]
    for mean, low, high in zip(found, ends[:-1], ends[1:], strict=True):
        here = (scores > low) & (scores <= high)
        expected = np.average(values[here], weights=weights[here]) if here.any() else 0
        assert mean == pytest.approx(expected)

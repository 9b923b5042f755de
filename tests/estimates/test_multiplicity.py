"""Adjusted p-values: by hand, and their error rates."""

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from costspace import ConditionError
from costspace.estimates.multiplicity import adjusted_p, adjusted_tests, distinct_tests


@dataclass(frozen=True)
class OneTest:
    p: float
    p_adjusted: float = 0.0


FAMILIES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_by_hand() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    # Ascending 0.005, 0.01, 0.03, 0.04, times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, never descending.
    np.testing.assert_allclose(adjusted_p(p, "holm"), [0.03, 0.06, 0.06, 0.02], rtol=1e-14)
    np.testing.assert_allclose(adjusted_p(p, "bonferroni"), [0.04, 0.16, 0.12, 0.02], rtol=1e-14)
    np.testing.assert_array_equal(adjusted_p(p, None), p)


def test_nothing_is_above_one_and_ties_stay_ties() -> None:
    np.testing.assert_array_equal(adjusted_p([0.5, 0.5, 0.9]), [1, 1, 1])
    np.testing.assert_allclose(adjusted_p([0.01, 0.01, 0.5]), [0.03, 0.03, 0.5], rtol=1e-14)
    assert adjusted_p([], "holm").shape == (0,)


@given(FAMILIES, st.floats(0.001, 0.999))
def test_rejects_what_the_steps_of_holm_reject(p: list[float], alpha: float) -> None:
    rejected = set()
    for step, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[i] * (len(p) - step) > alpha:
            break
        rejected.add(i)
    assert set(np.flatnonzero(adjusted_p(p) <= alpha)) == rejected


@given(FAMILIES)
def test_holm_lies_between_the_p_values_and_bonferroni(p: list[float]) -> None:
    holm = adjusted_p(p)
    assert np.all(np.asarray(p) <= holm)
    assert np.all(holm <= adjusted_p(p, "bonferroni"))


@pytest.mark.parametrize("p", [[0.1, np.nan], [-0.1], [1.1], 0.5])
def test_values_that_are_not_p_values_are_refused(p: Any) -> None:
    with refused(ConditionError, "p must be p-values in [0, 1]"):
        adjusted_p(p)


def test_other_corrections_are_refused() -> None:
    with refused(ConditionError, "holm, bonferroni or None, got 'sidak'"):
        adjusted_p([0.1], "sidak")
    with refused(ConditionError, "holm, bonferroni or None, got ['holm']"):
        adjusted_p([0.1], ["holm"])  # type: ignore[arg-type]


def test_each_test_counts_once_and_what_is_none_does_not() -> None:
    found = [OneTest(0.01), OneTest(0.5), OneTest(0.01), OneTest(0.03)]
    after = adjusted_tests(found, ["a", None, "a", "b"], "bonferroni")
    assert [one.p_adjusted for one in after] == [0.02, 0.0, 0.02, 0.06]


def test_models_that_are_equal_are_one_in_any_order() -> None:
    pairs = [("h", "c", "b", True), ("h", "b", "a", True), ("h", "c", "a", True)]
    pairs += [("h", "d", name, False) for name in "abc"] + [("k", "c", "b", False)]
    for order in permutations(range(7), 7):
        tests = dict(zip(order, distinct_tests(pairs[i] for i in order), strict=True))
        assert [tests[i] for i in range(7)] == [None] * 3 + [("h", "a", "d")] * 3 + [
            ("k", "b", "c")
        ]

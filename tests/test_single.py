"""Scores of single precision are the decimals that they print as."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from costspace import threads
from costspace.decision.rules.rule import Rule
from costspace.single import doubles, singles


def printed(scores: np.ndarray) -> np.ndarray:
    return np.array([float(str(score)) for score in scores])


@given(arrays(np.float32, st.integers(0, 30), elements=st.floats(width=32, allow_nan=False)))
def test_doubles_are_what_is_printed(scores: np.ndarray) -> None:
    found = doubles(scores)
    assert found.tobytes() == printed(scores).tobytes()
    assert found.astype(np.float32).tobytes() == scores.tobytes()


@pytest.mark.parametrize("sign", [1, -1])
def test_ends_and_powers_of_two(sign: int) -> None:
    powers = np.ldexp(1.0, np.arange(-149, 128)).astype(np.float32)
    near = [np.nextafter(powers, np.float32(end)) for end in (0, np.inf)]
    scores = sign * np.concatenate([powers, *near, np.float32([0, np.inf])])
    assert doubles(scores).tobytes() == printed(scores).tobytes()


def test_scores_of_few_decimals_are_those_decimals(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    monkeypatch.setattr(threads, "_MANY", 1)
    for places in range(7):
        # More scores than are read together.
        decimals = generator.uniform(-1, 1, 40_000).round(places)
        assert np.array_equal(doubles(decimals.astype(np.float32)), decimals)
        assert np.array_equal(doubles(decimals), decimals)


def test_half_precision() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    assert doubles(halves).tobytes() == printed(halves).tobytes()


def test_random_scores_in_any_layout() -> None:
    scores = np.random.default_rng(1).normal(size=(500, 4)).astype(np.float32)
    for some in (scores, scores[::-2, 1], scores[0, 0], scores.astype(">f4"), scores.astype("<f4")):
        found = doubles(some)
        assert found.shape == some.shape
        assert np.array_equal(np.ravel(found), printed(np.ravel(some)))
    missing = doubles(np.float32([np.nan, 0.5]))
    assert np.isnan(missing[0])
    assert missing[1] == 0.5


@given(
    arrays(np.float32, 20, elements=st.floats(width=32, allow_nan=False)),
    st.lists(st.floats(allow_nan=False), max_size=5),
    st.integers(-3, 3),
)
def test_singles_separate_scores_as_thresholds_separate_their_decimals(scores, more, steps):
    at = doubles(scores[:5])
    near = at + steps * np.spacing(np.where(np.isfinite(at), at, 1.0))
    for t in [*at, *near, *scores[:5].astype(float), *more]:
        # The least finite numbers are one.
        if t == -np.inf or t > -3e38:
            above = scores > singles(np.array([t]))
            assert np.array_equal(above, doubles(scores) > t)


def test_a_finite_threshold_has_a_finite_one_below_all() -> None:
    least = -np.finfo(float).max
    found = singles(np.array([least, -np.inf, np.finfo(float).max, np.inf]))
    biggest = float(np.finfo(np.float32).max)
    assert found.tolist() == [-biggest, -np.inf, biggest, np.inf]


def test_cuts_of_a_rule_are_the_decimals_that_they_print_as() -> None:
    cuts = np.array([0.1, 0.2], dtype=np.float32)
    assert Rule(cuts, ("pass", "review", "block")).cuts == (0.1, 0.2)
    assert Rule(cuts[:1]).cuts == Rule(np.float32(0.1)).cuts == (0.1,)

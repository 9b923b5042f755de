"""The uniform distribution of log-odds: relative precision, and its mirror image."""

import numpy as np
import pytest
from brute_force import between
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit, logit

import costspace as cs

LOG_ODDS = st.floats(-25, 25)


def mean_over_log_odds(f, low: float, high: float, c: float) -> float:
    """Mean of f(p, 1 - p; p < c) over log-odds, on panels short enough for any power."""
    w, share = between(np.linspace(logit(low), logit(c), 60))
    return float(share @ f(expit(w), expit(-w))) / (logit(high) - logit(low))


@given(st.lists(LOG_ODDS, min_size=3, max_size=3))
def test_moments_to_relative_precision(log_odds) -> None:
    low, c, high = expit(np.sort(log_odds)).tolist()
    # Closer bounds are rounded too much for this oracle.
    assume(logit(c) - logit(low) > 1e-2)
    costs, at = cs.LogitUniform(low, high), np.array([c])
    for power in (0, 1, 2):
        expected = mean_over_log_odds(lambda p, _, k=power: p**k, low, high, c)
        # 1 - high is itself rounded.
        rounding = 1e-12 + 1e-15 / (1 - high)
        assert costs.below(at, power)[0] == pytest.approx(expected, rel=rounding)


@pytest.mark.parametrize("c", [1e-9, 1e-7, 1e-5, 1e-3, 0.1, 0.49, 0.51, 0.8])
def test_second_moment_of_small_conditions(c: float) -> None:
    low, high = 0.9e-9, 0.9
    found = cs.LogitUniform(low, high).below(np.array([c]), 2)[0]
    expected = mean_over_log_odds(lambda p, _: p**2, low, high, c)
    assert found == pytest.approx(expected, rel=1e-13)


@given(st.floats(1e-6, 0.4), st.floats(0.45, 0.9), st.floats(0, 1))
def test_mirror_image(low: float, high: float, c: float) -> None:
    costs, mirror = cs.LogitUniform(low, high), cs.LogitUniform(1 - high, 1 - low)
    rest = costs.complement_from(np.array([c]))[0]
    assert rest == pytest.approx(mirror.below(np.array([1 - c]), 1)[0], rel=1e-9, abs=1e-14)
    edges = np.array([0, c, 1])
    odds, inverse = costs.odds_moments(edges)
    other_odds, other_inverse = mirror.odds_moments(1 - edges[::-1])
    np.testing.assert_allclose(odds, other_inverse[::-1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(inverse, other_odds[::-1], rtol=1e-9, atol=1e-9)

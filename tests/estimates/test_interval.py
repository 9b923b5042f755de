"""Intervals against their definitions, exact binomial limits and simulated coverage."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy import stats

from costspace import ConditionError, ScoreError
from costspace.estimates.interval import (
    interval_around,
    normal_quantile,
    two_sided_p,
    unseen_share,
    upper_bound,
)

UNIT, REAL, POSITIVE = (0.0, 1.0), (-np.inf, np.inf), (0.0, np.inf)


def ends(*args: Any, **kwargs: Any) -> tuple[float, float]:
    found = interval_around(*args, **{"effective_size": 50, **kwargs})
    return found.low, found.high


def test_normal_quantiles() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054, rel=1e-12)
    assert normal_quantile(0.5) == pytest.approx(stats.norm.ppf(0.75), rel=1e-12)


def test_each_scale_is_symmetric_on_its_own() -> None:
    z = normal_quantile(0.9)
    assert ends(0.3, 0.1, inside=REAL, level=0.9) == pytest.approx((0.3 - z / 10, 0.3 + z / 10))
    low, high = ends(0.8, 0.05, inside=UNIT, level=0.9)
    logits = np.log([low / (1 - low), 4, high / (1 - high)])
    assert np.diff(logits) == pytest.approx([z * 0.05 / 0.16] * 2)
    low, high = ends(3.0, 0.6, inside=(1.0, np.inf), level=0.9)
    assert np.diff(np.log([low - 1, 2, high - 1])) == pytest.approx([z * 0.3] * 2)


@given(
    st.floats(-3, 2),
    st.floats(0.1, 5),
    st.floats(0, 1),
    st.floats(0, 10),
    st.sampled_from(["logit", "linear", None]),
    st.floats(1.5, 1e6),
)
def test_contains_the_estimate_and_keeps_to_the_range(
    low: float, width: float, share: float, se: float, method: str | None, effective_size: float
) -> None:
    inside = (low, low + width)
    estimate = min(low + width * share, inside[1])
    found = interval_around(
        estimate, se, inside=inside, effective_size=effective_size, method=method
    )
    slack = 1e-12 * (abs(low) + width)
    assert inside[0] <= found.low <= estimate + slack
    assert estimate - slack <= found.high <= inside[1]
    more = interval_around(
        estimate, se, inside=inside, effective_size=effective_size, method=method, level=0.99
    )
    assert more.low <= found.low + slack
    assert more.high >= found.high - slack


def test_the_share_unseen_is_the_exact_binomial_limit() -> None:
    for effective_size in (2, 10, 59):
        exact = stats.binomtest(0, effective_size).proportion_ci(0.95, method="exact").high
        assert unseen_share(effective_size) == pytest.approx(exact)
    assert unseen_share(10**6) == pytest.approx(3.6889e-6, rel=1e-4)


def test_without_variation_the_interval_is_one_sided_at_an_end() -> None:
    perfect = interval_around(1.0, 0.0, inside=UNIT, effective_size=20)
    assert perfect.method == "unseen"
    assert (perfect.low, perfect.high) == (pytest.approx(0.025 ** (1 / 20)), 1.0)
    constant = interval_around(0.5, 1e-17, inside=UNIT, effective_size=20)
    assert constant.low == pytest.approx(0.5 - unseen_share(20))
    assert constant.high == pytest.approx(0.5 + unseen_share(20))
    assert ends(0.0, 0.0, inside=(0.0, 2.0), effective_size=20) == pytest.approx(
        (0, 2 * unseen_share(20))
    )
    assert ends(0.0, 0.0, inside=(0.0, 1.0), effective_size=20, span=1.5) == pytest.approx(
        (0, 1.5 * unseen_share(20))
    )


def test_perfect_separation_is_covered() -> None:
    # Normal scores so far apart that small samples are often separated.
    random = np.random.default_rng(0)
    n0, n1, runs = 30, 12, 4000
    for shift in (2.0, 3.0, 4.0):
        truth = stats.norm.cdf(shift / np.sqrt(2))
        x, y = random.normal(size=(runs, n0)), random.normal(shift, size=(runs, n1))
        separated = np.mean(x.max(axis=1) < y.min(axis=1))
        covered = ends(1.0, 0.0, inside=UNIT, effective_size=min(n0, n1))[0] <= truth
        assert covered or separated < 0.025


def test_an_estimate_at_an_end_that_varies_is_clipped() -> None:
    found = interval_around(0.0, 0.1, inside=UNIT, effective_size=20)
    assert (found.low, found.method) == (0.0, "linear")
    assert found.high == pytest.approx(0.1 * normal_quantile(0.95))


def test_an_upper_bound_leaves_all_of_its_risk_above() -> None:
    bound = upper_bound(0.02, 0.01, inside=UNIT, effective_size=50)
    assert (bound.low, bound.method) == (0.0, "upper bound")
    assert bound.high == pytest.approx(0.02 + 0.01 * stats.norm.ppf(0.95))
    assert upper_bound(0.0, 0.0, inside=UNIT, effective_size=50).high == unseen_share(50)


def test_p_is_the_level_at_which_the_interval_reaches_zero() -> None:
    assert two_sided_p(0.0, 0.1, inside=(-1, 1), effective_size=9) == 1
    assert two_sided_p(0.0, 0.0, inside=(-1, 1), effective_size=9) == 1
    assert two_sided_p(-0.3, 0.1, inside=(-1, 1), effective_size=9) == pytest.approx(
        2 * stats.norm.sf(3)
    )
    assert two_sided_p(1.0, 0.0, inside=(-1, 1), effective_size=9) == pytest.approx(2 * 0.5**9)
    assert two_sided_p(2.0, 0.0, inside=(-1, 1), effective_size=9) == 0
    assert two_sided_p(1.0, 0.0, inside=(-1, 1), effective_size=9, span=4) == pytest.approx(
        2 * 0.75**9
    )
    # Beyond where the normal tail is lost beside 1, and 0 where floats end.
    assert two_sided_p(1.0, 0.03, inside=REAL, effective_size=9) == pytest.approx(
        2 * stats.norm.sf(1 / 0.03), rel=1e-10
    )
    for difference, se in ((0.3, 0.1), (0.4, 0.0)):
        p = two_sided_p(difference, se, inside=(-1, 1), effective_size=9)
        low, _ = ends(
            difference, se, inside=(-1, 1), effective_size=9, level=1 - p, method="linear"
        )
        assert low == pytest.approx(0, abs=1e-12)


def test_refusals() -> None:
    with refused(ScoreError, "finite estimate and standard error, got 0.5 and nan"):
        interval_around(0.5, np.nan, inside=UNIT, effective_size=20)
    with refused(ScoreError, "more than one independent row of each class"):
        interval_around(0.5, 0.1, inside=UNIT, effective_size=1)
    with refused(ScoreError, "has no interval if the sample shows no variation"):
        interval_around(0.5, 0.0, inside=POSITIVE, effective_size=20)
    with refused(ConditionError, "level must be in (0, 1), got 95"):
        interval_around(0.5, 0.1, inside=UNIT, level=95, effective_size=20)
    with refused(ConditionError, "method must be one of linear, logit, log, and logit needs"):
        interval_around(0.5, 0.1, inside=POSITIVE, effective_size=20, method="logit")


def test_clusters_have_students_quantile() -> None:
    t = stats.t(df=9)
    clusters = {"effective_size": 10, "clustered": True}
    low, high = ends(0.3, 0.1, inside=REAL, method="linear", **clusters)
    assert [low, high] == pytest.approx([0.3 - 0.1 * t.ppf(0.975), 0.3 + 0.1 * t.ppf(0.975)])
    assert upper_bound(0.02, 0.01, inside=UNIT, **clusters).high == pytest.approx(
        0.02 + 0.01 * t.ppf(0.95)
    )
    assert two_sided_p(0.3, 0.1, inside=(-1, 1), **clusters) == pytest.approx(2 * t.sf(3))

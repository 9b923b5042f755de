"""What is at stake below a prevalence, against integrals and sums."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit

import costspace as cs

AT = np.array([0.0, 0.01, 0.05, 0.0500001, 0.1, 0.17, 0.3999, 0.4, 0.6, 1.0])


def over_log_odds(value, low, high, upto):
    """The mean of a value of the prevalence whose log odds are uniform, where it is at most so."""
    first, last = logit(low), logit(high)
    end = np.clip(logit(upto), first, last)
    return quad(lambda x: value(expit(x)), first, end, epsabs=1e-13)[0] / (last - first)


@pytest.mark.parametrize("fn", [5.0, (2.0, 20.0)])
def test_over_a_range_of_log_odds(fn):
    known = cs.Deployment((1, 3), fn, (0.05, 0.4), tp_cost=-1, tn_cost=0.5)
    # The means of costs whose logarithms are uniform.
    fp = 2 / np.log(3) - 0.5
    fn = (5.0 if np.ndim(fn) == 0 else 18 / np.log(10)) + 1
    for cases, a, b in ((False, fp, fn), (True, 1.0, 1.0)):
        found = known.where_rarer(AT, cases=cases)
        with np.errstate(divide="ignore"):
            ends = np.clip(AT, 1e-9, 1 - 1e-9)
        negatives = [a * over_log_odds(lambda p: 1 - p, 0.05, 0.4, end) for end in ends]
        positives = [b * over_log_odds(lambda p: p, 0.05, 0.4, end) for end in ends]
        np.testing.assert_allclose(found.negative, negatives, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.positive, positives, rtol=1e-9, atol=1e-12)


def test_all_that_is_at_stake_and_all_cases():
    for known in (
        cs.Deployment(1, (2, 20), (0.05, 0.4)),
        cs.Deployment(1, 5, cs.Beta(2, 9)),
        cs.Deployment(1, 5, 0.2),
        cs.Scenarios([1, 2], [5, 9], [0.1, 0.4]),
    ):
        whole = known.where_rarer(np.ones(1))
        assert whole.negative == pytest.approx(known.negative_stake, rel=1e-9)
        assert whole.positive == pytest.approx(known.positive_stake, rel=1e-9)
        cases = known.where_rarer(np.ones(1), cases=True)
        assert cases.positive == pytest.approx(known.mean_prevalence, rel=1e-9)
        assert cases.negative + cases.positive == pytest.approx(1, rel=1e-9)


def test_one_prevalence_is_all_or_nothing():
    known = cs.Deployment(2, 5, 0.2)
    found = known.where_rarer(np.array([0.1999, 0.2, 0.3]))
    np.testing.assert_allclose(found.negative, [0, 1.6, 1.6])
    np.testing.assert_allclose(found.positive, [0, 1.0, 1.0])


def test_over_scenarios_and_prevalences_drawn():
    p, weights = np.array([0.3, 0.1, 0.3, 0.2]), np.array([1.0, 2.0, 3.0, 4.0])
    fp, fn = np.array([1.0, 2.0, 1.5, 1.0]), np.array([5.0, 9.0, 7.0, 30.0])
    scenarios = cs.Scenarios(fp, fn, p, tp_cost=-1, tn_cost=0.25, weights=weights)
    drawn = cs.Deployment(1.7, 6.0, cs.Drawn(p, weights))
    for known, a, b in ((scenarios, fp - 0.25, fn + 1), (drawn, 1.7, 6.0)):
        for cases in (False, True):
            found = known.where_rarer(np.array([0.05, 0.1, 0.15, 0.25, 0.3, 0.5]), cases=cases)
            for i, end in enumerate([0.05, 0.1, 0.15, 0.25, 0.3, 0.5]):
                share = weights / weights.sum() * (p <= end)
                negative = share @ ((1 - p) * (1 if cases else a))
                positive = share @ (p * (1 if cases else b))
                assert found.negative[i] == pytest.approx(negative, rel=1e-9, abs=1e-12)
                assert found.positive[i] == pytest.approx(positive, rel=1e-9, abs=1e-12)

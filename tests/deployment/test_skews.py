"""The distribution of the skew against closed forms, mixtures, mirror images and quadrature."""

import pickle
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit

import costspace as cs

C = np.concatenate([[0, 1e-9, 1e-4], np.linspace(0.005, 0.995, 80), [1 - 1e-4, 1]])
EDGES = np.array([0, 0.02, 0.1, 0.3, 0.3, 0.8, 1])


def moments(costs: cs.CostDistribution) -> np.ndarray:
    return np.stack([*(costs.below(C, k) for k in (0, 1, 2)), costs.complement_from(C)])


def same(one: cs.CostDistribution, other: cs.CostDistribution, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(moments(one), moments(other), rtol=0, atol=tolerance)
    odds, expected = one.odds_moments(EDGES), other.odds_moments(EDGES)
    np.testing.assert_allclose(odds, expected, rtol=10 * tolerance, atol=10 * tolerance)


def square_above(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0) ** 2 / 2


def test_two_log_uniform_terms_make_a_trapezium() -> None:
    known = cs.Deployment(1, (500, 5000), (0.001, 0.01))
    t = logit(C)
    lows = -np.log(5000) - logit(0.01)
    widths = np.log(10), logit(0.01) - logit(0.001)
    with np.errstate(invalid="ignore"):
        area = sum(
            (-1) ** (i + j) * square_above(t - lows - i * widths[0] - j * widths[1])
            for i, j in product((0, 1), repeat=2)
        ) / np.prod(widths)
    area[np.isinf(t)] = [0, 1]
    np.testing.assert_allclose(known.skews(staked=False).below(C, 0), area, atol=1e-13)


def test_a_uniform_gain() -> None:
    known = cs.Deployment(3, 10, 0.2, tn_cost=(-1, 2))
    a = 10 * 0.2 * C[:-1] / (0.8 * (1 - C[:-1]))
    plain, staked = known.skews(staked=False), known.skews()
    np.testing.assert_allclose(plain.below(C[:-1], 0), np.clip((a - 1) / 3, 0, 1), atol=1e-14)
    money = (0.8 * (np.clip(a, 1, 4) ** 2 - 1) / 2 + 2 * (np.clip(a, 1, 4) - 1)) / 3
    np.testing.assert_allclose(staked.below(C[:-1], 0), money / known.stake, atol=1e-14)


def tensor(*ends: tuple[float, float]) -> tuple[list[np.ndarray], np.ndarray]:
    """Gauss-Legendre nodes over a box, and weights that sum to 1."""
    x, w = np.polynomial.legendre.leggauss(12)
    nodes = np.meshgrid(*((a + b) / 2 + (b - a) / 2 * x for a, b in ends), indexing="ij")
    weights = np.meshgrid(*[w / 2] * len(ends), indexing="ij")
    return nodes, np.prod(weights, axis=0)


def test_five_uncertain_parts_against_a_tensor_rule() -> None:
    known = cs.Deployment((5, 7), (20, 30), (0.1, 0.3), tp_cost=(-3, 2), tn_cost=(-1, 1))
    ends = np.log((5, 7)), np.log((20, 30)), logit((0.1, 0.3)), (-3, 2), (-1, 1)
    (x, y, v, tp, tn), weights = tensor(*ends)
    p = expit(v)
    negative, positive = (1 - p) * (np.exp(x) - tn), p * (np.exp(y) - tp)
    stake = negative + positive
    z = negative / stake
    for staked, w in ((False, weights), (True, weights * stake / known.stake)):
        skews = known.skews(staked=staked)
        expected = [np.sum(w * f) for f in (z**0, z, z**2, 1 - z)]
        found = [float(skews.below(np.array([np.inf]), k)[0]) for k in (0, 1, 2)]
        found.append(float(skews.complement_from(np.array([0]))[0]))
        np.testing.assert_allclose(found, expected, rtol=1e-11)
        odds = np.ravel(skews.odds_moments(np.array([0.0, 1.0])))
        np.testing.assert_allclose(odds, [np.sum(w * z / (1 - z)), np.sum(w * (1 - z) / z)], 1e-11)


BOUNDS = st.tuples(st.floats(0.1, 50), st.sampled_from([1.0, 1.001, 2.0, 30.0])).map(
    lambda drawn: (drawn[0], drawn[0] * drawn[1])
)
PREVALENCES = st.sampled_from(
    [0.3, (0.001, 0.01), (0.2, 0.7), cs.Drawn([0.1, 0.4], [1, 3]), cs.Uniform(0.05, 0.3)]
)


@given(BOUNDS, BOUNDS, PREVALENCES, st.sampled_from([0, -2, (-3, 0.05)]))
@settings(max_examples=20)
def test_staked_mean(fp, fn, prevalence, tn) -> None:
    known = cs.Deployment(fp, fn, prevalence, tn_cost=tn)
    assert known.skews().mean() == pytest.approx(known.negative_stake / known.stake, rel=1e-12)


@given(BOUNDS, BOUNDS, st.floats(0.01, 0.5), st.sampled_from([1.5, 1.9]))
@settings(max_examples=14)
def test_swapped_classes_mirror_the_skew(fp, fn, low, factor) -> None:
    known = cs.Deployment(fp, fn, (low, factor * low))
    mirror = cs.Deployment(fn, fp, (1 - factor * low, 1 - low))
    for staked in (True, False):
        skews, other = known.skews(staked=staked), mirror.skews(staked=staked)
        inner = C[1:-1]
        if isinstance(skews, cs.Sampled | cs.Point):
            continue
        np.testing.assert_allclose(
            skews.complement_from(inner), other.below(1 - inner, 1), rtol=0, atol=1e-11
        )


def test_drawn_parts_make_a_mixture() -> None:
    values, weights = [1, 2, 4], np.array([1, 2, 5]) / 8
    known = cs.Deployment(cs.Drawn(values, weights), (5, 50), (0.01, 0.2))
    each = [cs.Deployment(v, (5, 50), (0.01, 0.2)) for v in values]
    same(known.skews(staked=False), cs.Mixture([e.skews(staked=False) for e in each], weights))
    stakes = [w * e.stake for w, e in zip(weights, each, strict=True)]
    same(known.skews(), cs.Mixture([e.skews() for e in each], stakes))


@pytest.mark.parametrize(
    ("prevalence", "other", "tolerance"),
    [
        (cs.LogitUniform(0.01, 0.2), (0.01, 0.2), 1e-13),
        (cs.Truncated(cs.LogitUniform(0.001, 0.5), 0.01, 0.2), (0.01, 0.2), 1e-12),
        (cs.Truncated(cs.Uniform(), 0.1, 0.4), cs.Uniform(0.1, 0.4), 1e-12),
        (cs.Mixture([cs.Uniform(0.1, 0.2), cs.Uniform(0.2, 0.3)]), cs.Uniform(0.1, 0.3), 1e-12),
        (stats.beta(2, 30), cs.Beta(2, 30), 1e-9),
        (cs.Beta(1, 1), cs.Uniform(), 1e-12),
        (cs.Sampled([0.1, 0.3]), cs.Drawn([0.1, 0.3]), 1e-13),
        (cs.Point(0.1), 0.1, 1e-13),
        (cs.Mixture([cs.Point(0.1), cs.Point(0.3)]), cs.Drawn([0.1, 0.3]), 1e-13),
        (cs.Truncated(cs.Sampled([0.1, 0.2, 0.9]), 0.1, 0.2), cs.Drawn([0.1, 0.2]), 1e-13),
    ],
)
def test_prevalences_of_two_types_that_are_equal_have_equal_skews(
    prevalence, other, tolerance: float
) -> None:
    for fn in (7, (5, 50)):
        one, two = cs.Deployment(1, fn, prevalence), cs.Deployment(1, fn, other)
        for staked in (True, False):
            same(one.skews(staked=staked), two.skews(staked=staked), tolerance)


def test_costs_by_scipy() -> None:
    same(
        cs.Deployment(1, stats.loguniform(5, 50), (0.01, 0.2)).skews(),
        cs.Deployment(1, (5, 50), (0.01, 0.2)).skews(),
        1e-11,
    )
    known = cs.Deployment(1, stats.lognorm(1.5, scale=20), 0.1)
    # logit z is normal.
    z = C[1:-1]
    expected = stats.norm(-np.log(20) - logit(0.1), 1.5).cdf(logit(z))
    np.testing.assert_allclose(known.skews(staked=False).below(z, 0), expected, atol=1e-9)
    assert known.skews().mean() == pytest.approx(known.negative_stake / known.stake, rel=1e-9)


def test_atoms_and_densities_together() -> None:
    prevalence = cs.Mixture([cs.Point(0.1), cs.LogitUniform(0.01, 0.2)], [1, 3])
    known = cs.Deployment(1, 20, prevalence)
    parts = [cs.Deployment(1, 20, p) for p in prevalence.components]
    same(known.skews(staked=False), cs.Mixture([p.skews(staked=False) for p in parts], [1, 3]))
    stakes = [parts[0].stake, 3 * parts[1].stake]
    same(known.skews(), cs.Mixture([p.skews() for p in parts], stakes))


def test_finitely_many_conditions_are_sampled() -> None:
    assert cs.Deployment(1, 4, 0.5).skews() == cs.Deployment(1, 4, 0.5).skews(staked=False)
    assert cs.Deployment(1, 4, 0.5).skews() == cs.Point(0.2)
    known = cs.Deployment(cs.Drawn([1, 10]), cs.Drawn([4, 10]), 0.5)
    assert known.skews(staked=False).mean() == pytest.approx(
        np.mean([1 / 5, 10 / 14, 1 / 11, 1 / 2])
    )
    assert known.skews().mean() == pytest.approx(5.5 / 12.5)


def test_skews_are_weighted_by_the_stakes() -> None:
    known = cs.Deployment(1, (1, 100), 0.5)
    assert known.skews().mean() < 0.6 * known.skews(staked=False).mean()


def test_no_cancellation_in_the_tails() -> None:
    skews = cs.Deployment(1, (5, 50), cs.Beta(3, 30)).skews()
    near_0 = 10.0 ** -np.arange(3, 9)
    for power in (0, 1, 2):
        assert np.all(skews.below(near_0, power) >= 0)
    near_1 = skews.complement_from(1 - 10.0 ** -np.arange(1, 16))
    assert np.all(near_1 >= 0)
    assert np.all(np.diff(near_1) <= 0)
    # Where the prevalence p is small its density is 32 31 30 / 2 p^2 and 1 - z is b p, so that
    # E[S (1 - z); 1 - z < gap] is the mean of b p over p up to gap / b.
    gap = 1e-6
    b = cs.LogUniform(5, 50)
    expected = 32 * 31 * 30 / 2 * gap**4 / 4 * b.measure.times(lambda x: x**-3.0).mass
    expected /= cs.Deployment(1, (5, 50), cs.Beta(3, 30)).stake
    assert skews.complement_from(np.array([1 - gap]))[0] == pytest.approx(expected, rel=1e-3)


def test_odds_without_a_mean() -> None:
    skews = cs.Deployment(1, (5, 50), cs.Beta(0.5, 0.5)).skews()
    odds, inverse = skews.odds_moments(EDGES)
    assert np.isinf(odds).tolist() == [False] * 5 + [True]
    assert np.isinf(inverse).tolist() == [True] + [False] * 5


def test_words_and_pickle() -> None:
    skews = cs.Deployment(1, (500, 5000), (0.001, 0.01)).skews()
    name = "Deployment(fp_cost=1, fn_cost=500 to 5000, prevalence=0.001 to 0.01)"
    assert str(skews) == f"skews({name})"
    assert repr(skews) == f"Skews(0.0194156 to 0.666444, mean 0.115193: {name})"
    assert np.array_equal(moments(pickle.loads(pickle.dumps(skews))), moments(skews))


def test_speed() -> None:
    skews = cs.Deployment((1, 3), (500, 5000), (0.001, 0.01)).skews()
    c = np.random.default_rng(0).random(10**6)
    skews.below(c[:1], 1)
    start = time.process_time()
    skews.below(c, 1)
    assert time.process_time() - start < 2

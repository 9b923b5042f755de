"""Frozen scipy distributions: kinked, singular and narrow ones."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError

EDGES = np.array([0, 0.05, 0.2, 0.2, 0.3001, 0.7, 1])
FROZEN: dict[str, Any] = {
    "triang": stats.triang(0.3),
    "arcsine": stats.arcsine(),
    "beta(.5,.5)": stats.beta(0.5, 0.5),
    "beta(2,2)": stats.beta(2, 2),
    "beta(200,300)": stats.beta(200, 300),
    "truncnorm": stats.truncnorm(-3, 7, 0.3, 0.1),
    "narrow truncnorm": stats.truncnorm(-300, 700, 0.3, 0.001),
    "uniform": stats.uniform(0.1, 0.3),
    "powerlaw": stats.powerlaw(0.1),
    "histogram": stats.rv_histogram(np.histogram([0.1, 0.2, 0.2, 0.9], bins=4, range=(0, 1))),
}
each_frozen = pytest.mark.parametrize("name", FROZEN)


def pieces_of(edges: np.ndarray) -> list[tuple[float, float]]:
    return list(pairwise(edges.tolist()))


@each_frozen
def test_moments(name: str) -> None:
    frozen = FROZEN[name]
    costs = cs.ScipyFrozen(frozen)
    assert costs.mean() == pytest.approx(frozen.mean(), abs=1e-11)
    moments = costs.partial_moments(EDGES)
    for power in (1, 2):
        assert moments[power].sum() == pytest.approx(frozen.moment(power), abs=1e-11)
    np.testing.assert_allclose(moments[0], np.diff(frozen.cdf(EDGES)), atol=1e-14)
    rest = costs.complement_from(np.array([-1, 0.0, 1.0, 2.0]))
    assert rest == pytest.approx([1 - frozen.mean()] * 2 + [0, 0], abs=1e-11)


@pytest.mark.parametrize("name", ["triang", "truncnorm", "narrow truncnorm", "uniform"])
def test_moments_by_quadrature(name: str) -> None:
    frozen = FROZEN[name]
    costs = cs.ScipyFrozen(frozen)
    inner = [0.1, 0.29, 0.3, 0.3002, 0.31, 0.4]

    def integral(f: Any, low: float, high: float) -> float:
        points = [low, *(x for x in inner if low < x < high), high]
        return sum(quad(f, a, b, epsabs=1e-14)[0] for a, b in pieces_of(np.array(points)))

    def below(f: Any) -> np.ndarray:
        return np.append(0, np.cumsum([integral(f, a, b) for a, b in pieces_of(EDGES)]))

    for power in (1, 2):
        expected = below(lambda x, k=power: x**k * frozen.pdf(x))
        np.testing.assert_allclose(costs.below(EDGES, power), expected, rtol=0, atol=1e-11)
    rest = below(lambda x: (1 - x) * frozen.pdf(x))
    found = costs.complement_from(EDGES)
    np.testing.assert_allclose(found, rest[-1] - rest, rtol=0, atol=1e-11)
    odds, inverse = costs.odds_moments(EDGES)
    expected = [
        integral(lambda x: frozen.pdf(x) * x / (1 - x), a, b) for a, b in pieces_of(EDGES)[:-1]
    ]
    np.testing.assert_allclose(odds[:-1], expected, rtol=0, atol=1e-11)
    expected = [
        integral(lambda x: frozen.pdf(x) * (1 - x) / x, a, b) for a, b in pieces_of(EDGES)[1:]
    ]
    np.testing.assert_allclose(inverse[1:], expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2, 2), (200, 300), (2, 0.3)])
def test_it_agrees_with_the_beta_of_costspace(a: float, b: float) -> None:
    ours, theirs = cs.Beta(a, b), cs.ScipyFrozen(stats.beta(a, b))
    np.testing.assert_allclose(
        theirs.partial_moments(EDGES), ours.partial_moments(EDGES), atol=1e-11
    )
    np.testing.assert_allclose(
        theirs.complement_from(EDGES), ours.complement_from(EDGES), atol=1e-11
    )
    for mine, other in zip(ours.odds_moments(EDGES), theirs.odds_moments(EDGES), strict=True):
        seen = np.isfinite(other)
        np.testing.assert_allclose(other[seen], mine[seen], atol=1e-11)


def test_a_scipy_distribution_works_in_every_function() -> None:
    y, s = [0, 0, 1, 1, 0], [0.1, 0.6, 0.4, 0.9, 0.4]
    frozen = stats.beta(2, 2)
    for choice in (cs.Optimal(), cs.ScoreDriven(), cs.RateDriven(), cs.RateUniform()):
        expected = cs.expected_loss(y, s, choice=choice, costs=cs.Beta(2, 2))
        found = cs.expected_loss(y, s, choice=choice, costs=frozen)
        assert found == pytest.approx(expected, abs=1e-11)
        shares = cs.loss_shares(y, s, choice=choice, costs=frozen)
        assert shares.sum() == pytest.approx(expected, abs=1e-11)
    h = cs.h_measure(y, s, costs=frozen)
    assert h == pytest.approx(cs.h_measure(y, s, costs=cs.Beta(2, 2)), abs=1e-11)
    v = cs.voros(y, s, costs=frozen)
    assert v == pytest.approx(cs.voros(y, s, costs=cs.Beta(2, 2)), abs=1e-11)
    part = cs.voros(y, s, low=0.2, high=0.7, costs=frozen)
    assert part == pytest.approx(cs.voros(y, s, low=0.2, high=0.7, costs=cs.Beta(2, 2)), abs=1e-11)


@pytest.mark.parametrize("frozen", [stats.binom(1, 0.5), stats.randint(0, 2), stats.poisson(1)])
def test_discrete(frozen: Any) -> None:
    text = "a discrete scipy distribution cannot be used: give its points to Sampled."
    with refused(ConditionError, text):
        cs.ScipyFrozen(frozen)
    with refused(ConditionError, text):
        cs.expected_loss([0, 1], [0.1, 0.2], choice=cs.Optimal(), costs=frozen)


@pytest.mark.parametrize(
    ("frozen", "support"),
    [
        (stats.norm(), "[-inf, inf]"),
        (stats.uniform(0, 2), "[0, 2]"),
        (stats.uniform(-0.5, 1), "[-0.5, 0.5]"),
        (stats.expon(), "[0, inf]"),
    ],
)
def test_support(frozen: Any, support: str) -> None:
    text = f"must have its support in [0, 1], got support {support}: truncate or rescale it."
    with refused(ConditionError, text):
        cs.ScipyFrozen(frozen)


@pytest.mark.parametrize("given", [1, None, "beta", stats.beta, stats.beta([1, 2], [2, 3])])
def test_an_argument_that_is_not_a_frozen_distribution_is_refused(given: Any) -> None:
    with refused(ConditionError, "scipy distribution"):
        cs.ScipyFrozen(given)

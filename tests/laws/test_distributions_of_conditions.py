"""What every distribution of operating conditions must satisfy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import COSTS, PLAIN, close
from scipy import stats
from scipy.special import expit

import costspace as cs
from costspace.costs.base import POWERS
from costspace.costs.truncated import restricted

INNER = st.one_of(PLAIN, st.floats(1e-9, 1 - 1e-9), st.sampled_from([0.1, 0.25, 0.3, 0.5]))
EDGES = st.lists(INNER, max_size=8).map(lambda inner: np.array([0.0, *sorted(inner), 1.0]))
every_distribution = pytest.mark.parametrize("name", COSTS)


@every_distribution
@given(EDGES)
@settings(max_examples=16)
def test_partial_moments_below_a_condition(name, edges):
    case = COSTS[name]
    for power in POWERS:
        expected = case.mean(lambda c, _: c**power * (c < edges[:, None]), edges)  # noqa: B023
        close(case.costs.below(edges, power), expected, case.tolerance)


@every_distribution
@given(EDGES)
@settings(max_examples=16)
def test_complement_from_a_condition(name, edges):
    case = COSTS[name]
    expected = case.mean(lambda c, rest: rest * (c >= edges[:, None]), edges)
    close(case.costs.complement_from(edges), expected, case.tolerance)


@every_distribution
@given(EDGES)
@settings(max_examples=16)
def test_partial_moments_of_pieces(name, edges):
    case, start, end = COSTS[name], edges[:-1, None], edges[1:, None]
    last = np.arange(len(start))[:, None] == len(start) - 1

    def powers_of_pieces(c, _):
        inside = (c >= start) & ((c < end) | last)
        return np.stack([inside * c**power for power in POWERS])

    expected = case.mean(powers_of_pieces, edges)
    found = case.costs.partial_moments(edges)
    close(found, expected, case.tolerance)
    assert found.min() >= -case.tolerance
    close(case.costs.mean(), expected[1].sum(), case.tolerance)


@every_distribution
@given(EDGES)
@settings(max_examples=16)
def test_mass_below_ascends_from_0_to_1(name, edges):
    case = COSTS[name]
    c = np.concatenate([[-np.inf, -1], edges, [2, np.inf]])
    for power in POWERS:
        assert np.diff(case.costs.below(c, power)).min() >= -case.tolerance
    close(case.costs.below(c[[0, 1, -2, -1]], 0), [0, 0, 1, 1], case.tolerance)


@every_distribution
@given(EDGES)
@settings(max_examples=10)
def test_within_a_range_it_is_itself_truncated(name, edges):
    costs = COSTS[name].costs
    for low, high in ((0.1, 0.4), (0.2, 0.25), (0.0, 1.0)):
        mass = costs.below(np.array([low, np.nextafter(high, 2)]), 0)
        if np.diff(mass) < 1e-3:
            continue
        found, same = restricted(costs, low, high), cs.Truncated(costs, low, high)
        for power in POWERS:
            close(found.below(edges, power), same.below(edges, power), 1e-11)
        close(found.complement_from(edges), same.complement_from(edges), 1e-11)


# Odds grow without bound towards the ends, so they are compared relative to their size.
@every_distribution
@given(EDGES)
@settings(max_examples=16)
def test_odds_moments(name, edges):
    case = COSTS[name]
    start, end = edges[:-1, None], edges[1:, None]
    last = np.arange(len(start))[:, None] == len(start) - 1

    def odds_of_pieces(c, rest):
        inside = (c >= start) & ((c < end) | last)
        with np.errstate(divide="ignore"):
            both = np.stack([c / rest, rest / c])
        return np.multiply(both[:, None], inside, out=np.zeros((2, *inside.shape)), where=inside)

    moments = np.stack(case.costs.odds_moments(edges))
    expected = case.mean(odds_of_pieces, edges)
    # At an end where quadrature cannot tell a pole from a convergent integral it may say `inf`.
    touches = np.stack([end[:, 0] == 1, start[:, 0] == 0])
    assert np.all(np.isfinite(moments) | touches)
    finite = np.isfinite(moments)
    np.testing.assert_allclose(
        moments[finite], expected[finite], rtol=case.tolerance, atol=case.tolerance
    )


@pytest.mark.parametrize(
    ("costs", "same"),
    [
        (cs.Truncated(cs.Uniform(), 0.1, 0.4), cs.Uniform(0.1, 0.4)),
        (cs.Truncated(cs.Uniform(0.1, 0.4)), cs.Uniform(0.1, 0.4)),
        (cs.Truncated(cs.Beta(0.5, 3)), cs.Beta(0.5, 3)),
        (cs.Beta(1, 1), cs.Uniform()),
        (cs.Mixture([cs.Uniform(0, 0.25), cs.Uniform(0.25, 1)], weights=[1, 3]), cs.Uniform()),
        (cs.Mixture([cs.Point(0.2), cs.Point(0.7)]), cs.Sampled([0.7, 0.2])),
        (cs.Sampled([0.3, 0.3, 0.3]), cs.Point(0.3)),
        (cs.Sampled([0.3, 0.9], weights=[1, 0]), cs.Point(0.3)),
        (cs.Truncated(cs.Sampled([0.1, 0.3, 0.9]), 0.3, 0.5), cs.Point(0.3)),
        (cs.ScipyFrozen(stats.beta(2, 3.5)), cs.Beta(2, 3.5)),
        (cs.ScipyFrozen(stats.beta(0.6, 1.4)), cs.Beta(0.6, 1.4)),
        (cs.ScipyFrozen(stats.uniform(0.25, 0.5)), cs.Uniform(0.25, 0.75)),
    ],
    ids=str,
)
@given(EDGES)
@settings(max_examples=10)
def test_two_names_of_one_distribution_agree(costs, same, edges):
    tolerance = 1e-11 if isinstance(costs, cs.ScipyFrozen) else 1e-12
    close(costs.partial_moments(edges), same.partial_moments(edges), tolerance)
    close(costs.complement_from(edges), same.complement_from(edges), tolerance)


@every_distribution
def test_quantiles_have_their_share_below_them(name):
    costs = COSTS[name].costs
    share = np.array([0.03, 0.25, 0.5, 0.9])
    at = costs.quantile(share)
    # The least such condition: a little below it there is less mass, at it or above enough.
    assert np.all(costs.below(np.nextafter(at, 2) * (1 + 1e-12), 0) >= share - 1e-11)
    assert np.all(costs.below(at * (1 - 1e-9) - 1e-300, 0) <= share + 1e-11)
    assert costs.quantile(0.5).shape == ()


@every_distribution
@given(st.data())
def test_densities_that_are_constant_are_what_the_moments_say(name, data):
    costs = COSTS[name].costs
    edge = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0]) | st.floats(0, 1)
    ends = np.sort(data.draw(st.lists(edge, min_size=2, max_size=2)))
    density = costs.flat_on(ends[:1], ends[1:])[0]
    inner = np.linspace(*ends, 7)
    if np.isnan(density):
        return
    for power in (0, 1):
        grown = costs.below(inner, power) - costs.below(ends[:1], power)
        expected = density * (inner ** (power + 1) - ends[0] ** (power + 1)) / (power + 1)
        np.testing.assert_allclose(grown, expected, rtol=0, atol=COSTS[name].tolerance)


@every_distribution
def test_support_and_atoms_are_what_bisection_finds(name):
    costs = COSTS[name].costs
    for low, high in (costs.support, cs.CostDistribution.support.fget(costs)):
        assert 0 <= low <= high <= 1
        beyond = np.array([np.nextafter(high, 2)])
        close([costs.below(np.array([low]), 0)[0], 1 - costs.below(beyond, 0)[0]], [0, 0], 1e-12)
    values, masses = costs.atoms
    found_values, found_masses = cs.CostDistribution.atoms.fget(costs)
    assert values.tolist() == found_values.tolist()
    close(masses, found_masses, 1e-12)
    expected = {
        part.c: sum(w for w, other in COSTS[name].parts if getattr(other, "c", None) == part.c)
        for weight, part in COSTS[name].parts
        if weight and hasattr(part, "c")
    }
    total = sum(weight for weight, _ in COSTS[name].parts)
    close(masses, [expected[c] / total for c in sorted(expected)], 1e-12)


@every_distribution
def test_the_density_of_the_log_odds_is_the_slope_of_the_mass_below(name):
    costs = COSTS[name].costs
    told = costs.log_odds_density()
    if told is None:
        assert costs.atoms[1].sum() == pytest.approx(1)
        return
    places = np.unique(np.concatenate([told.kinks, told.seeds]))
    x, weights = np.polynomial.legendre.leggauss(20)
    cuts = np.unique(np.concatenate([np.linspace(a, b, 9) for a, b in pairwise(places)]))
    middle, half = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts) / 2
    over = half * (told.at(middle[:, None] + half[:, None] * x) @ weights)
    values, masses = costs.atoms
    ends = expit(cuts)
    spread = costs.below(ends, 0) - [masses[values < c].sum() for c in ends]
    # Closer to 1 conditions themselves have few digits.
    told_apart = cuts[1:] < 15
    close(np.cumsum(over)[told_apart], (spread[1:] - spread[0])[told_apart], 1e-9)

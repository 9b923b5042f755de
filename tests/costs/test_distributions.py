"""Each distribution's moments against quadrature and direct sums; values, words and refusals."""

import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import special, stats
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError
from costspace.costs.scipy_frozen import as_costs
from costspace.costs.truncated import restricted

NAN, INF = float("nan"), float("inf")
EDGES = np.array([0, 0.05, 0.1, 0.25, 0.25, 0.4, 0.7, 0.95, 1])
Density = Callable[[float], float]


def truncated(density: Density, low: float, high: float) -> Density:
    mass = quad(density, low, high, epsabs=1e-14)[0]
    return lambda x: density(x) / mass if low <= x <= high else 0.0


CONTINUOUS: dict[str, tuple[cs.CostDistribution, Density]] = {
    "uniform": (cs.Uniform(), stats.uniform().pdf),
    "narrow uniform": (cs.Uniform(0.1, 0.4), stats.uniform(0.1, 0.3).pdf),
    "high uniform": (cs.Uniform(0.9, 1), stats.uniform(0.9, 0.1).pdf),
    "beta(2,2)": (cs.Beta(2, 2), stats.beta(2, 2).pdf),
    "beta(1,1)": (cs.Beta(1, 1), stats.beta(1, 1).pdf),
    "beta(2,10)": (cs.Beta(2, 10), stats.beta(2, 10).pdf),
    "beta(1.5,1.2)": (cs.Beta(1.5, 1.2), stats.beta(1.5, 1.2).pdf),
    "beta(40,60)": (cs.Beta(40, 60), stats.beta(40, 60).pdf),
    "logit uniform": (
        cs.LogitUniform(0.1, 0.8),
        truncated(lambda x: 1 / (x * (1 - x)) if x > 0 else 0.0, 0.1, 0.8),
    ),
    "mixture": (
        cs.Mixture([cs.Beta(2, 6), cs.Uniform(0.1, 0.4)], weights=[3, 1]),
        lambda x: 0.75 * stats.beta(2, 6).pdf(x) + 0.25 * stats.uniform(0.1, 0.3).pdf(x),
    ),
    "truncated beta": (
        cs.Truncated(cs.Beta(2, 2), 0.1, 0.8),
        truncated(stats.beta(2, 2).pdf, 0.1, 0.8),
    ),
    "truncated below": (
        cs.Truncated(cs.Beta(3, 2), 0.3, 1),
        truncated(stats.beta(3, 2).pdf, 0.3, 1),
    ),
    "truncated mixture": (
        cs.Truncated(cs.Mixture([cs.Uniform(), cs.Beta(4, 2)]), 0, 0.3),
        truncated(lambda x: (1 + stats.beta(4, 2).pdf(x)) / 2, 0, 0.3),
    ),
}
ATOMS: dict[str, tuple[cs.CostDistribution, list[float], list[float]]] = {
    "point": (cs.Point(0.3), [0.3], [1]),
    "point at a break": (cs.Point(0.25), [0.25], [1]),
    "point at 0": (cs.Point(0), [0], [1]),
    "point at 1": (cs.Point(1), [1], [1]),
    "sampled": (cs.Sampled([0.9, 0.1, 0.25, 0.1]), [0.9, 0.1, 0.25, 0.1], [0.25] * 4),
    "sampled at the ends": (cs.Sampled([0, 1, 0.4], [1, 2, 1]), [0, 1, 0.4], [0.25, 0.5, 0.25]),
    "sampled with zero weights": (cs.Sampled([0, 0.3, 1], [0, 1, 0]), [0.3], [1]),
    "mixture of points": (cs.Mixture([cs.Point(0), cs.Point(0.7)], [1, 3]), [0, 0.7], [0.25, 0.75]),
    "truncated sampled": (
        cs.Truncated(cs.Sampled([0.05, 0.1, 0.3, 0.7, 0.9]), 0.1, 0.7),
        [0.1, 0.3, 0.7],
        [1 / 3] * 3,
    ),
    "truncated to the end": (cs.Truncated(cs.Sampled([0.05, 0.3, 1]), 0.1, 1), [0.3, 1], [0.5] * 2),
    "truncated points": (
        cs.Truncated(cs.Mixture([cs.Point(0.05), cs.Point(0.3)]), 0.1, 1),
        [0.3],
        [1],
    ),
    "truncated from 0": (cs.Truncated(cs.Sampled([0, 0.3, 1]), 0, 0.3), [0, 0.3], [0.5] * 2),
}
DISTRIBUTIONS = {name: entry[0] for name, entry in (*CONTINUOUS.items(), *ATOMS.items())}

each_continuous = pytest.mark.parametrize("name", CONTINUOUS)
each_atomic = pytest.mark.parametrize("name", ATOMS)
each_distribution = pytest.mark.parametrize("name", DISTRIBUTIONS)


def integrals_below(f: Density) -> np.ndarray:
    """The integral from 0 to each of the edges."""
    parts = [integral(f, a, b) for a, b in pairwise(EDGES)]
    return np.append(0, np.cumsum(parts))


def integral(f: Density, low: float, high: float) -> float:
    inner = [x for x in (0.1, 0.3, 0.4, 0.8, 0.9) if low < x < high]
    points = [low, *inner, high]
    return sum(quad(f, a, b, epsabs=1e-14, epsrel=1e-13, limit=200)[0] for a, b in pairwise(points))


@each_continuous
def test_moments_by_quadrature(name: str) -> None:
    costs, density = CONTINUOUS[name]
    for power in (0, 1, 2):
        expected = integrals_below(lambda x, k=power: x**k * density(x))
        np.testing.assert_allclose(costs.below(EDGES, power), expected, rtol=0, atol=1e-12)
    below = integrals_below(lambda x: (1 - x) * density(x))
    found = costs.complement_from(EDGES)
    np.testing.assert_allclose(found, below[-1] - below, rtol=0, atol=1e-12)
    assert costs.mean() == pytest.approx(integral(lambda x: x * density(x), 0, 1), abs=1e-12)


@each_continuous
def test_odds_by_quadrature(name: str) -> None:
    costs, density = CONTINUOUS[name]
    odds, inverse = costs.odds_moments(EDGES)
    inner = slice(1, -1)
    pieces = list(pairwise(EDGES))
    expected = [integral(lambda x: density(x) * x / (1 - x), a, b) for a, b in pieces[inner]]
    np.testing.assert_allclose(odds[inner], expected, rtol=0, atol=1e-11)
    expected = [integral(lambda x: density(x) * (1 - x) / x, a, b) for a, b in pieces[inner]]
    np.testing.assert_allclose(inverse[inner], expected, rtol=0, atol=1e-11)
    # An end piece is the integral or, where nobody needs it, infinite.
    for found, f, (a, b) in (
        (odds[0], lambda x: density(x) * x / (1 - x), pieces[0]),
        (inverse[-1], lambda x: density(x) * (1 - x) / x, pieces[-1]),
    ):
        assert found == pytest.approx(integral(f, a, b), abs=1e-11)


@pytest.mark.parametrize(
    ("costs", "diverging"),
    [
        (cs.Uniform(), (True, True)),
        (cs.Uniform(0, 0.5), (False, True)),
        (cs.Uniform(0.5, 1), (True, False)),
        (cs.Uniform(0.2, 0.5), (False, False)),
        (cs.Beta(2, 2), (False, False)),
        (cs.Beta(1, 2), (False, True)),
        (cs.Beta(0.5, 0.5), (True, True)),
        (cs.Beta(2, 0.5), (True, False)),
        (cs.Point(0), (False, True)),
        (cs.Point(1), (True, False)),
        (cs.Sampled([0, 0.5, 1]), (True, True)),
        (cs.Sampled([0, 0.5, 1], [0, 1, 0]), (False, False)),
        (cs.Mixture([cs.Point(0.5), cs.Point(1)]), (True, False)),
        (cs.Truncated(cs.Uniform(), 0.1, 0.9), (False, False)),
    ],
    ids=str,
)
def test_odds_are_infinite_where_they_diverge(
    costs: cs.CostDistribution, diverging: tuple[bool, bool]
) -> None:
    odds, inverse = costs.odds_moments(EDGES)
    assert (np.isinf(odds[-1]), np.isinf(inverse[0])) == diverging
    assert np.all(np.isfinite(odds[:-1]))
    assert np.all(np.isfinite(inverse[1:]))


@pytest.mark.parametrize(("a", "b"), [(2, 2), (3, 1.5), (1.1, 7)])
def test_the_odds_of_a_beta_over_all_conditions_are_closed_forms(a: float, b: float) -> None:
    odds, inverse = cs.Beta(a, b).odds_moments(EDGES)
    assert odds.sum() == pytest.approx(a / (b - 1), abs=1e-10)
    assert inverse.sum() == pytest.approx(b / (a - 1), abs=1e-10)


def weighted(mass: np.ndarray, values: np.ndarray, inside: np.ndarray) -> float:
    return float(sum(m * v for m, v, i in zip(mass, values, inside, strict=True) if i))


@each_atomic
def test_moments_of_atoms_by_direct_sums(name: str) -> None:
    costs, values, weights = ATOMS[name]
    x, w = np.array(values), np.array(weights)
    probes = np.array([-1, 0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.7, 0.95, 1, 2, INF])
    for power in (0, 1, 2):
        expected = [weighted(w, x**power, x < c) for c in probes]
        np.testing.assert_allclose(costs.below(probes, power), expected, atol=1e-15)
    expected = [weighted(w, 1 - x, x >= c) for c in probes]
    np.testing.assert_allclose(costs.complement_from(probes), expected, atol=1e-15)
    assert costs.mean() == pytest.approx(float(w @ x), abs=1e-15)


@pytest.mark.parametrize("extra", [[], [0], [1], [0, 1]], ids=str)
@each_atomic
def test_pieces_are_half_open_and_the_last_is_closed(name: str, extra: list[int]) -> None:
    costs, values, weights = ATOMS[name]
    x, w = np.array(values), np.array(weights)
    edges = np.sort(np.append(EDGES, extra))
    inside = [(x >= a) & (x < b) for a, b in pairwise(edges)]
    inside[-1] |= x == 1
    for power, found in enumerate(costs.partial_moments(edges)):
        expected = [weighted(w, x**power, i) for i in inside]
        np.testing.assert_allclose(found, expected, atol=1e-15)
    with np.errstate(divide="ignore"):
        ratios = x / (1 - x), (1 - x) / x
    for found, ratio in zip(costs.odds_moments(edges), ratios, strict=True):
        np.testing.assert_allclose(found, [weighted(w, ratio, i) for i in inside], atol=1e-14)


@each_distribution
def test_partial_moments_add_up(name: str) -> None:
    costs = DISTRIBUTIONS[name]
    moments = costs.partial_moments(EDGES)
    assert moments.shape == (3, len(EDGES) - 1)
    assert np.all(moments >= -1e-16)
    assert moments[0].sum() == pytest.approx(1, abs=1e-14)
    assert moments[1].sum() == pytest.approx(costs.mean(), abs=1e-14)
    whole = costs.partial_moments(np.array([0.0, 1.0]))
    np.testing.assert_allclose(moments.sum(axis=1), whole[:, 0], atol=1e-14)


@each_distribution
def test_shapes_follow_the_question(name: str) -> None:
    costs = DISTRIBUTIONS[name]
    square = np.array([[0.1, 0.2], [0.3, 0.9]])
    assert costs.below(square, 1).shape == costs.complement_from(square).shape == (2, 2)
    before = square.copy()
    assert np.array_equal(costs.below(square, 2).ravel(), costs.below(square.ravel(), 2))
    assert np.array_equal(square, before)
    assert costs.below(np.array([]), 1).shape == (0,)


@each_distribution
def test_complements_keep_their_precision_near_1(name: str) -> None:
    costs = DISTRIBUTIONS[name]
    assert costs.complement_from(np.array([1.0]))[0] == 0
    near = costs.complement_from(1 - 10.0 ** -np.arange(1, 16))
    assert np.all(near >= 0)
    assert np.all(np.diff(near) <= 0)


def test_complement_of_a_beta_keeps_its_digits_far_in_the_tail() -> None:
    gap = 1e-8
    found = cs.Beta(2, 2).complement_from(np.array([1 - gap]))[0]
    assert found == pytest.approx(2 * gap**3, rel=1e-6)


@pytest.mark.parametrize("power", [0, 1, 2])
@pytest.mark.parametrize("b", [0.01, 0.3, 1, 2, 40, 1e4])
@pytest.mark.parametrize("a", [1, 2, 3, 2.5])
def test_small_shares_below_are_as_exact_as_large_ones(a: float, b: float, power: int) -> None:
    c = np.geomspace(1e-12, 1, 100)
    expected = np.asarray(special.betainc(a + power, b, c)) * stats.beta(a, b).moment(power)
    np.testing.assert_allclose(cs.Beta(a, b).below(c, power), expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("costs", "text"),
    [
        (cs.Uniform(), "uniform(0,1)"),
        (cs.Uniform(0.1, 0.4), "uniform(0.1,0.4)"),
        (cs.Uniform(1 / 3, 1), "uniform(0.3333333333333333,1)"),
        (cs.LogitUniform(0.001, 0.5), "logit_uniform(0.001,0.5)"),
        (cs.Beta(2, 2), "beta(2,2)"),
        (cs.Beta(2, 2.5), "beta(2,2.5)"),
        (cs.Point(0.2), "point(0.2)"),
        (cs.Point(1), "point(1)"),
        (cs.Sampled([0.1, 0.2]), "sampled(2)"),
        (cs.Truncated(cs.Beta(2, 2), 0.1, 0.4), "truncated(beta(2,2),0.1,0.4)"),
        (cs.Mixture([cs.Uniform(), cs.Point(0.5)], [3, 1]), None),
        (cs.ScipyFrozen(stats.triang(0.5)), "scipy(triang)"),
    ],
)
def test_str(costs: cs.CostDistribution, text: str | None) -> None:
    assert str(costs) == (text or "mixture(0.75*uniform(0,1),0.25*point(0.5))")


def test_repr() -> None:
    assert repr(cs.Uniform()) == "Uniform(low=0.0, high=1.0)"
    assert repr(cs.Sampled([0.1, 0.3])) == "Sampled(2 conditions, mean 0.2)"


@each_distribution
def test_frozen(name: str) -> None:
    costs = DISTRIBUTIONS[name]
    field = next(f for f in ("low", "a", "c", "components", "values") if hasattr(costs, f))
    before = costs.mean()
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(costs, field, 0.5)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        costs.other = 1
    assert costs.mean() == before


def test_sampled_keeps_its_own_copy() -> None:
    values, weights = np.array([0.1, 0.9]), np.array([1.0, 3.0])
    costs = cs.Sampled(values, weights)
    values[:], weights[:] = 0.5, 1
    assert costs.mean() == pytest.approx(0.7)
    with pytest.raises(ValueError, match="read-only"):
        costs.values[0] = 0


@pytest.mark.parametrize("make", [cs.Uniform, lambda: cs.Point(0.2), lambda: cs.Sampled([0.2])])
def test_fields_cannot_be_deleted(make: Callable[[], cs.CostDistribution]) -> None:
    costs = make()
    field = next(f for f in ("low", "c", "values") if hasattr(costs, f))
    with pytest.raises((FrozenInstanceError, AttributeError)):
        delattr(costs, field)


def test_mixture_keeps_its_own_copy() -> None:
    components = [cs.Point(0.2)]
    costs = cs.Mixture(components)
    components.append(cs.Point(0.9))
    assert costs.mean() == pytest.approx(0.2)
    assert cs.Mixture(iter([cs.Point(0.2), cs.Point(0.4)])).mean() == pytest.approx(0.3)


@pytest.mark.parametrize(
    "make",
    [
        cs.Uniform,
        lambda: cs.Uniform(0, 1),
        lambda: cs.Uniform(np.float64(0.25), np.float32(0.5)),
        lambda: cs.Beta(2, 3),
        lambda: cs.LogitUniform(0.25, np.float32(0.5)),
        lambda: cs.Point(0.2),
        lambda: cs.Mixture([cs.Uniform(), cs.Point(0.2)], [1, 3]),
        lambda: cs.Truncated(cs.Beta(2, 2), 0.1, 0.2),
    ],
)
def test_equal_values_are_equal(make: Callable[[], cs.CostDistribution]) -> None:
    assert make() == make()
    assert hash(make()) == hash(make())
    assert make() not in (cs.Point(0.123), "uniform(0,1)", None)
    assert len({make(), make()}) == 1


def test_equality_is_by_value_not_by_type_of_number() -> None:
    assert cs.Beta(2, 2) == cs.Beta(2.0, np.int64(2))
    assert cs.Mixture([cs.Uniform()], [2]) == cs.Mixture([cs.Uniform()], [7])
    assert cs.Beta(1, 1) != cs.Uniform()


def test_sampled_is_hashable() -> None:
    costs = cs.Sampled([0.1, 0.2])
    assert {costs: 1}[costs] == 1


@each_distribution
def test_pickle(name: str) -> None:
    costs = DISTRIBUTIONS[name]
    copy = pickle.loads(pickle.dumps(costs))
    assert str(copy) == str(costs)
    assert np.array_equal(copy.partial_moments(EDGES), costs.partial_moments(EDGES))


@pytest.mark.parametrize("make", [cs.Uniform, lambda a, b: cs.Truncated(cs.Uniform(), a, b)])
@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.5, 0.5, "low must be below high, got low=0.5 and high=0.5."),
        (0.6, 0.4, "low must be below high, got low=0.6 and high=0.4."),
        (-0.1, 0.5, "low must be in [0, 1], got -0.1."),
        (0.5, 1.1, "high must be in [0, 1], got 1.1: 1.1 % is 0.011."),
        (0, INF, "high must be in [0, 1], got inf."),
        (NAN, 0.5, "low must be in [0, 1], got nan."),
        ("a", 0.5, "low must be a number, got 'a'."),
        (0, None, "high must be a number, got None."),
    ],
)
def test_bad_bounds(make: Callable[..., object], low: Any, high: Any, text: str) -> None:
    with refused(ConditionError, text):
        make(low, high)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: cs.LogitUniform(0, 0.1), "low must be in (0, 1), got 0."),
        (lambda: cs.LogitUniform(0.1, 1), "high must be in (0, 1), got 1."),
        (lambda: cs.LogitUniform(0.2, 0.1), "low must be below high, got low=0.2 and high=0.1."),
        (lambda: cs.LogitUniform(0.1, "a"), "high must be a number, got 'a'."),
        (lambda: cs.Beta(0, 1), "a must be in (0, 1e+15), got 0."),
        (lambda: cs.Beta(1, -1), "b must be in (0, 1e+15), got -1."),
        (lambda: cs.Beta(INF, 1), "a must be in (0, 1e+15), got inf."),
        (lambda: cs.Beta(NAN, 1), "a must be in (0, 1e+15), got nan."),
        (lambda: cs.Beta(2, [2]), "b must be a number, got [2]."),
        (lambda: cs.Beta("2", 2), "a must be a number, got '2'."),
        (lambda: cs.Point(-0.1), "c must be in [0, 1], got -0.1."),
        (lambda: cs.Point(1.5), "c must be in [0, 1], got 1.5: 1.5 % is 0.015."),
        (lambda: cs.Point(NAN), "c must be in [0, 1], got nan."),
        (lambda: cs.Point(None), "c must be a number, got None."),
        (lambda: cs.Sampled([]), "Sampled needs a list of conditions in [0, 1], got []"),
        (lambda: cs.Sampled([0.1, 1.2]), "Sampled needs a list of conditions in [0, 1]"),
        (lambda: cs.Sampled([0.1, NAN]), "Sampled needs a list of conditions in [0, 1]"),
        (lambda: cs.Sampled([[0.1, 0.2]]), "Sampled needs a list of conditions in [0, 1]"),
        (lambda: cs.Sampled(["a"]), "Sampled needs a list of conditions in [0, 1]"),
        (
            lambda: cs.Sampled([0.1, 0.2], [1]),
            "Sampled needs 2 weights, none negative and not all zero",
        ),
        (lambda: cs.Sampled([0.1, 0.2], [1, -1]), "none negative and not all zero"),
        (lambda: cs.Sampled([0.1, 0.2], [0, 0]), "none negative and not all zero"),
        (
            lambda: cs.Sampled([0.1, 0.2], [1, INF]),
            "Sampled needs 2 weights, none negative and not all zero",
        ),
        (
            lambda: cs.Sampled([0.1, 0.2], [1, NAN]),
            "Sampled needs 2 weights, none negative and not all zero",
        ),
        (lambda: cs.Mixture([]), "Mixture needs a list of distributions, got []"),
        (lambda: cs.Mixture([cs.Uniform]), "costs must be a distribution"),
        (lambda: cs.Mixture(cs.Uniform()), "Mixture needs a list of distributions"),
        (
            lambda: cs.Mixture([cs.Uniform()], [1, 2]),
            "Mixture needs 1 weights, none negative and not all zero",
        ),
        (
            lambda: cs.Mixture([cs.Uniform()], [0]),
            "Mixture needs 1 weights, none negative and not all zero",
        ),
        (
            lambda: cs.Mixture([cs.Uniform()], [NAN]),
            "Mixture needs 1 weights, none negative and not all zero",
        ),
        (lambda: cs.Mixture([cs.Uniform()], ["a"]), "Mixture needs 1 weights"),
        (
            lambda: cs.Truncated(cs.Point(0.5), 0.1, 0.4),
            "point(0.5) has a mass of 0 on [0.1, 0.4]",
        ),
        (lambda: cs.Truncated(cs.Uniform, 0.1, 0.4), "Uniform"),
        (lambda: cs.Truncated("uniform", 0.1, 0.4), "'uniform'"),
    ],
)
def test_bad_parameters(make: Callable[[], object], text: str) -> None:
    with refused(ConditionError, text):
        make()


@pytest.mark.parametrize("costs", [cs.Uniform, "uniform", "uniform(0,1)", None, 0.5, cs.Optimal()])
def test_an_argument_that_is_not_a_distribution_is_refused(costs: Any) -> None:
    text = "costs must be a distribution of conditions such as Uniform(), Beta(2, 2)"
    with refused(ConditionError, text):
        as_costs(costs)
    y, s = [0, 1], [0.2, 0.7]
    with refused(ConditionError, text):
        cs.expected_loss(y, s, choice=cs.Optimal(), costs=costs)
    with refused(ConditionError, text):
        cs.loss_shares(y, s, choice=cs.Optimal(), costs=costs)
    with refused(ConditionError, text):
        cs.evaluate(y, s, costs=costs)
    if costs is not None:
        with refused(ConditionError, text):
            cs.h_measure(y, s, costs=costs)
        with refused(ConditionError, text):
            cs.voros(y, s, costs=costs)


def test_numpy_scalars_are_numbers() -> None:
    for half in (np.float64(0.5), np.float32(0.5), np.array(0.5)):
        assert cs.Uniform(half) == cs.Uniform(0.5)
        assert cs.Point(half) == cs.Point(0.5)
        assert isinstance(cs.Point(half).c, float)
    assert cs.Sampled(0.5).mean() == 0.5


@pytest.mark.parametrize(
    ("costs", "low", "high", "density"),
    [
        (cs.Uniform(0.2, 0.6), 0.2, 0.6, 2.5),
        (cs.Uniform(0.2, 0.6), 0.1, 0.3, np.nan),
        (cs.Uniform(0.2, 0.6), 0.6, 0.7, 0),
        (cs.Point(0.3), 0.1, 0.3, 0),
        (cs.Point(0.3), 0.3, 0.4, np.nan),
        (cs.Sampled([0.3, 0.5]), 0.35, 0.5, 0),
        (cs.Beta(2, 2), 0.4, 0.41, np.nan),
        (cs.Mixture([cs.Point(0.3), cs.Uniform(0, 0.5)]), 0.31, 0.5, 1),
        (cs.Mixture([cs.Point(0.3), cs.Uniform(0, 0.5)]), 0.2, 0.31, np.nan),
        (cs.Truncated(cs.Uniform(), 0.2, 0.7), 0.3, 0.4, 2),
        (cs.Truncated(cs.Uniform(), 0.2, 0.7), 0.71, 0.9, 0),
        (cs.Truncated(cs.Sampled([0.3, 0.7]), 0.2, 0.7), 0.7, 0.9, np.nan),
    ],
)
def test_which_densities_are_constant(
    costs: cs.CostDistribution, low: float, high: float, density: float
) -> None:
    found = costs.flat_on(np.array([low]), np.array([high]))
    np.testing.assert_allclose(found, [density], rtol=1e-12)


@pytest.mark.parametrize(
    ("costs", "same"),
    [
        (cs.Uniform(), cs.Uniform(0.2, 0.3)),
        (cs.LogitUniform(0.1, 0.5), cs.LogitUniform(0.2, 0.3)),
        (cs.Truncated(cs.LogitUniform(0.01, 0.9), 0.1, 0.5), cs.LogitUniform(0.2, 0.3)),
        (cs.Truncated(cs.Beta(2, 2), 0.1, 0.5), cs.Truncated(cs.Beta(2, 2), 0.2, 0.3)),
        (cs.Beta(2, 2), cs.Truncated(cs.Beta(2, 2), 0.2, 0.3)),
        (cs.Uniform(0.25, 1), cs.Truncated(cs.Uniform(0.25, 1), 0.2, 0.3)),
        (cs.LogitUniform(0.25, 0.9), cs.Truncated(cs.LogitUniform(0.25, 0.9), 0.2, 0.3)),
    ],
    ids=str,
)
def test_a_distribution_within_a_range_has_its_simplest_form(costs, same) -> None:
    assert restricted(costs, 0.2, 0.3) == same


@pytest.mark.parametrize(
    ("costs", "uniform"),
    [
        (cs.Uniform(), True),
        (cs.Truncated(cs.Uniform(), 0, 1), True),
        (cs.Mixture([cs.Uniform(), cs.Uniform()]), True),
        (cs.Uniform(0, 0.5), False),
        (cs.Beta(2, 2), False),
        (cs.Point(0.5), False),
    ],
    ids=str,
)
def test_whether_all_conditions_are_equally_likely(costs, uniform) -> None:
    assert costs.is_uniform is uniform

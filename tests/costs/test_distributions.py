"""Distributions at their ends; values, words and refusals. `tests/laws` has their moments."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from laws.registry import COSTS
from refusals import refused
from scipy import special, stats

import costspace as cs
from costspace import ConditionError
from costspace.costs.scipy_frozen import as_costs
from costspace.costs.truncated import restricted

NAN, INF = float("nan"), float("inf")
EDGES = np.array([0, 0.05, 0.1, 0.25, 0.25, 0.4, 0.7, 0.95, 1])
CLOSED = [
    case.costs
    for case in COSTS.values()
    if not case.slow and type(case.costs).__module__.startswith("costspace.costs")
]
each_distribution = pytest.mark.parametrize(
    "costs", [case.costs for case in COSTS.values()], ids=list(COSTS)
)


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


@each_distribution
def test_shapes_follow_the_question(costs: cs.CostDistribution) -> None:
    square = np.array([[0.1, 0.2], [0.3, 0.9]])
    assert costs.below(square, 1).shape == costs.complement_from(square).shape == (2, 2)
    before = square.copy()
    assert np.array_equal(costs.below(square, 2).ravel(), costs.below(square.ravel(), 2))
    assert np.array_equal(square, before)
    assert costs.below(np.array([]), 1).shape == (0,)


@pytest.mark.parametrize("costs", CLOSED, ids=str)
def test_complements_keep_their_precision_near_1(costs: cs.CostDistribution) -> None:
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


def test_sampled_keeps_its_own_copy() -> None:
    values, weights = np.array([0.1, 0.9]), np.array([1.0, 3.0])
    costs = cs.Sampled(values, weights)
    values[:], weights[:] = 0.5, 1
    assert costs.mean() == pytest.approx(0.7)
    with pytest.raises(ValueError, match="read-only"):
        costs.values[0] = 0


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
        lambda: cs.Sampled([0.1, 0.2]),
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

"""Uncertain amounts: their means, draws and densities, words and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy import stats
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError
from costspace.deployment.amounts import Between, Frozen, as_cost, by_factors, evenly

AMOUNTS = {
    "drawn": cs.Drawn([3, 1, 1, 7], weights=[1, 2, 0, 1]),
    "log-uniform": cs.LogUniform(0.5, 30),
    "between": Between(-3, 2),
    "lognorm": Frozen(stats.lognorm(0.7, scale=3)),
    "gamma": Frozen(stats.gamma(0.5)),
    "triangular": Frozen(stats.triang(0.3, loc=2, scale=5)),
}
each_amount = pytest.mark.parametrize("name", AMOUNTS)


@each_amount
def test_draws_have_the_mean_and_stay_inside(name: str) -> None:
    amount = AMOUNTS[name]
    drawn = amount.draw(np.random.default_rng(1), 200_000)
    assert abs(drawn.mean() - amount.mean) < 4 * drawn.std() / np.sqrt(drawn.size)
    assert drawn.min() >= amount.bounds.low
    assert drawn.max() <= amount.bounds.high


@each_amount
def test_laws_have_mass_1_and_the_mean(name: str) -> None:
    law = AMOUNTS[name].law
    assert law.mass == pytest.approx(1, abs=1e-13)
    assert law.times(lambda x: x).mass == pytest.approx(AMOUNTS[name].mean, rel=1e-12)


@given(st.floats(1e-6, 1e6), st.floats(1e-9, 1e6))
def test_mean_of_a_log_uniform_amount(low: float, factor: float) -> None:
    high = low * (1 + factor)
    amount = cs.LogUniform(low, high)
    expected = quad(np.exp, 0, np.log1p(factor), epsabs=0, epsrel=1e-13)[0] / np.log1p(factor)
    assert amount.mean == pytest.approx(low * expected, rel=1e-12 + 1e-15 / factor)


def test_drawn_values() -> None:
    drawn = AMOUNTS["drawn"]
    assert drawn.mean == 3
    assert drawn.intervals.tolist() == [[1, 1], [3, 3], [7, 7]]
    assert repr(drawn) == "Drawn(3 values, 1 to 7)"
    assert str(drawn) == "one of 3 values from 1 to 7"
    assert str(cs.Drawn([4, 4])) == "known: 4"


def test_drawn_keeps_its_own_copy() -> None:
    values = np.array([1.0, 2.0])
    drawn = cs.Drawn(values)
    values[:] = 9
    assert drawn.mean == 1.5
    with pytest.raises(ValueError, match="read-only"):
        drawn.values[0] = 0


def test_words() -> None:
    assert str(AMOUNTS["log-uniform"]) == "log-uniform from 0.5 to 30"
    assert str(AMOUNTS["between"]) == "uniform from -3 to 2"
    assert str(AMOUNTS["lognorm"]) == "distributed as scipy's lognorm"
    assert repr(AMOUNTS["log-uniform"]) == "LogUniform(low=0.5, high=30.0)"


def test_what_stands_for_an_amount() -> None:
    assert as_cost("fp_cost", (2, 3), by_factors) == cs.LogUniform(2, 3)
    assert as_cost("fp_cost", [2, 3], evenly) == Between(2, 3)
    for known in (2, np.float32(2), (2, 2), np.array(2.0)):
        assert str(as_cost("fp_cost", known, by_factors)) == "known: 2"
    frozen = stats.lognorm(1)
    assert as_cost("fp_cost", frozen, by_factors) == Frozen(frozen)
    drawn = cs.Drawn([1, 2])
    assert as_cost("fp_cost", drawn, by_factors) is drawn


def test_new_distributions_of_scipy() -> None:
    amount = Frozen(stats.Uniform(a=2, b=5))
    assert amount.mean == pytest.approx(3.5)
    assert amount.law.mass == pytest.approx(1, abs=1e-13)
    assert str(amount) == "distributed as scipy's Uniform"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "fp_cost must be a number, (low, high), Drawn, LogUniform or a frozen scipy"),
        (None, "fp_cost must be a number, (low, high), Drawn"),
        ((1, 2, 3), "fp_cost must be a number, (low, high), Drawn"),
        (cs.Uniform(), "fp_cost must be a number, (low, high), Drawn"),
        (float("nan"), "fp_cost must be in [-1e+50, 1e+50], got nan."),
        ((1, float("inf")), "fp_cost must be in [-1e+50, 1e+50], got inf."),
        ((2, 1), "fp_cost must have its low not above its high, got (2, 1)."),
        ((0, 1), "fp_cost must have positive bounds, being taken as log-uniform between them"),
        (stats.poisson(3), "fp_cost must be a number, (low, high), Drawn"),
        (stats.pareto(0.5), "an uncertain amount must have a finite mean, got inf"),
        (stats.lognorm([1, 2]), "an uncertain amount must be one continuous frozen scipy"),
    ],
)
def test_what_is_no_amount(value: object, text: str) -> None:
    with refused(ConditionError, text):
        as_cost("fp_cost", value, by_factors)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: cs.LogUniform(0, 1), "low must be in (0, 1e+50), got 0."),
        (lambda: cs.LogUniform(2, 2), "low must be below high, got low=2 and high=2."),
        (lambda: cs.LogUniform(2, "a"), "high must be a number, got 'a'."),
        (lambda: cs.Drawn([]), "Drawn needs a list of numbers, got []."),
        (lambda: cs.Drawn([1, float("nan")]), "Drawn needs a list of numbers"),
        (lambda: cs.Drawn([[1, 2]]), "Drawn needs a list of numbers"),
        (lambda: cs.Drawn("a"), "Drawn needs a list of numbers, got 'a'."),
        (lambda: cs.Drawn([1, 2], [1]), "Drawn needs 2 weights, none negative and not all zero"),
    ],
)
def test_bad_parameters(make, text: str) -> None:
    with refused(ConditionError, text):
        make()

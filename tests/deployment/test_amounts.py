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
from costspace.deployment.amounts import Between, Frozen

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
def test_measures_have_mass_1_and_the_mean(name: str) -> None:
    measure = AMOUNTS[name].measure
    assert measure.mass == pytest.approx(1, abs=1e-13)
    assert measure.times(lambda x: x).mass == pytest.approx(AMOUNTS[name].mean, rel=1e-12)


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


def test_new_distributions_of_scipy() -> None:
    amount = Frozen(stats.Uniform(a=2, b=5))
    assert amount.mean == pytest.approx(3.5)
    assert amount.measure.mass == pytest.approx(1, abs=1e-13)
    assert str(amount) == "distributed as scipy's Uniform"


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: cs.LogUniform(0, 1), "low must be in [1e-50, 1e+50], got 0."),
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

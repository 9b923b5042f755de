"""Operating conditions: conversions, the loss at one, and the checks."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError
from costspace.condition import loss_at, negative_share, trivial_loss, without_rounding

NAN, INF = float("nan"), float("inf")
PREVALENCES = [1e-6, 0.05, 0.5, 0.9]


def test_cost_proportion() -> None:
    assert cs.cost_proportion(fp_cost=1, fn_cost=1) == 0.5
    assert cs.cost_proportion(fp_cost=1, fn_cost=500) == 1 / 501
    assert cs.cost_proportion(fp_cost=[1, 3], fn_cost=1).tolist() == [0.5, 0.75]
    assert isinstance(cs.cost_proportion(fp_cost=np.float32(1), fn_cost=np.array(1)), float)


@pytest.mark.parametrize("cost", [0, -1, NAN, INF, [1, 0]])
def test_bad_costs(cost: Any) -> None:
    with refused(ConditionError, "fp_cost must be positive and finite, got"):
        cs.cost_proportion(fp_cost=cost, fn_cost=1)
    with refused(ConditionError, "fn_cost must be positive and finite, got"):
        cs.cost_proportion(fp_cost=1, fn_cost=cost)


def test_messages_about_long_arrays_are_one_line() -> None:
    with refused(ConditionError, "fp_cost must be positive and finite"):
        cs.cost_proportion(fp_cost=np.zeros(5000), fn_cost=1)


@pytest.mark.parametrize("cost", ["high", None])
def test_costs_that_are_not_numbers_are_refused(cost: Any) -> None:
    with refused(ConditionError, "fp_cost"):
        cs.cost_proportion(fp_cost=cost, fn_cost=1)


def test_huge_costs() -> None:
    assert cs.cost_proportion(fp_cost=1e308, fn_cost=1e308) == 0.5


@pytest.mark.parametrize("p", PREVALENCES)
def test_skew_and_cost_are_inverse(p: float) -> None:
    c = np.linspace(0, 1, 101)
    z = cs.skew_from_cost(c, prevalence=p)
    np.testing.assert_allclose(z, c * (1 - p) / (c * (1 - p) + (1 - c) * p), atol=1e-15)
    np.testing.assert_allclose(cs.cost_from_skew(z, prevalence=p), c, atol=1e-12)
    assert cs.skew_from_cost(p, prevalence=p) == pytest.approx(0.5)
    assert (cs.skew_from_cost(0, prevalence=p), cs.skew_from_cost(1, prevalence=p)) == (0, 1)
    assert (cs.cost_from_skew(0, prevalence=p), cs.cost_from_skew(1, prevalence=p)) == (0, 1)
    assert isinstance(cs.skew_from_cost(np.float64(0.2), prevalence=p), float)


def test_skew_is_cost_with_balanced_classes() -> None:
    z = np.linspace(0, 1, 11)
    np.testing.assert_allclose(cs.cost_from_skew(z, prevalence=0.5), z, atol=1e-16)
    np.testing.assert_allclose(
        loss_at(0.2, 0.7, c=z, prevalence=0.5), z * 0.2 + (1 - z) * 0.7, atol=1e-15
    )


def test_loss_at_one_half_is_the_error_rate() -> None:
    assert loss_at(0.2, 0.3, c=0.5, prevalence=0.1) == pytest.approx(0.9 * 0.2 + 0.1 * 0.3)
    assert loss_at(1, 1, c=[0, 1], prevalence=0.1).tolist() == [0.2, 1.8]


def test_rates_that_rounding_takes_beyond_1_are_1() -> None:
    known = {"c": 0.3, "prevalence": 0.2}
    assert loss_at(1 + 2e-16, -1e-16, **known) == loss_at(1, 0, **known)
    with refused(ConditionError, "fpr must be in [0, 1]"):
        loss_at(1 + 1e-12, 0, **known)


def test_numbers_of_any_size_are_left_without_rounding() -> None:
    values = np.array([0.19999999999999996, 1.7e308, -1.7e308, INF, NAN, 5e-324, 0.12345678901234])
    found = without_rounding(values)
    assert found[0] == 0.2
    np.testing.assert_array_equal(found[1:], values[1:])


def test_trivial_loss_peaks_where_the_classes_balance() -> None:
    c = np.linspace(0, 1, 1001)
    losses = trivial_loss(c, prevalence=0.3)
    assert c[np.argmax(losses)] == pytest.approx(0.3)
    assert trivial_loss(0.3, prevalence=0.3) == pytest.approx(2 * 0.3 * 0.7)


def test_negative_share() -> None:
    assert negative_share(0.3, 1, 0) == 0
    assert negative_share(0.3, 0, 1) == 1
    assert negative_share(0.3, 0.5, 0.5) == 0.5


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(1e-9, 1 - 1e-9)), min_size=1, max_size=6),
    st.sampled_from([cs.skew_from_cost, cs.cost_from_skew]),
)
def test_several_prevalences_one_by_one(pairs: list[tuple[float, float]], convert: Any) -> None:
    conditions, prevalences = np.transpose(pairs)
    found = convert(conditions, prevalence=prevalences)
    np.testing.assert_array_equal(found, [convert(c, prevalence=p) for c, p in pairs])
    c = pairs[0][0]
    np.testing.assert_array_equal(
        convert(c, prevalence=prevalences), [convert(c, prevalence=p) for p in prevalences]
    )


@pytest.mark.parametrize("convert", [cs.skew_from_cost, cs.cost_from_skew])
@pytest.mark.parametrize(
    ("prevalences", "text"),
    [
        ([0.5, 0], "every prevalence must be in (0, 1), got a 0 or 1."),
        ([0.5, 1], "every prevalence must be in (0, 1), got a 0 or 1."),
        ([0.5, 2], "prevalence must be in [0, 1], got [0.5, 2]."),
        ([0.5, NAN], "prevalence must be in [0, 1], got [0.5, nan]."),
        (["rare", 0.5], "prevalence must be a number, got ['rare', 0.5]."),
    ],
)
def test_bad_prevalences_among_several(convert: Any, prevalences: Any, text: str) -> None:
    with refused(ConditionError, text):
        convert(0.5, prevalence=prevalences)


# --- Cost space of Drummond and Holte ---------------------------------------------------------


@pytest.mark.parametrize("p", PREVALENCES)
@pytest.mark.parametrize("costs", [(1, 1), (1, 500), (7, 0.02)])
def test_probability_cost_is_1_minus_the_skew(p: float, costs: tuple[float, float]) -> None:
    fp, fn = costs
    pc = cs.condition.probability_cost(prevalence=p, fp_cost=fp, fn_cost=fn)
    assert pc == pytest.approx(p * fn / ((1 - p) * fp + p * fn), rel=1e-14)
    assert pc == pytest.approx(
        1 - cs.skew_from_cost(cs.cost_proportion(fp_cost=fp, fn_cost=fn), prevalence=p), abs=1e-15
    )


def test_probability_cost_of_arrays_and_at_the_ends() -> None:
    assert cs.condition.probability_cost(prevalence=0.3) == pytest.approx(0.3)
    assert cs.condition.probability_cost(prevalence=[0, 0.5, 1], fp_cost=1, fn_cost=3).tolist() == [
        0,
        0.75,
        1,
    ]
    assert cs.condition.probability_cost(prevalence=0.5, fp_cost=[1, 3], fn_cost=1).tolist() == [
        0.5,
        0.25,
    ]
    # Neither end is lost to rounding.
    assert cs.condition.probability_cost(
        prevalence=0.5, fp_cost=1e200, fn_cost=1e-100
    ) == pytest.approx(1e-300, rel=1e-12)
    assert isinstance(cs.condition.probability_cost(prevalence=np.float64(0.2)), float)


@pytest.mark.parametrize("p", PREVALENCES)
def test_normalised_cost_is_the_cost_over_the_worst(p: float) -> None:
    fpr, fnr = np.array([0.2, 0, 1, 1]), np.array([0.7, 1, 0, 1])
    cost = (1 - p) * 3 * fpr + p * 8 * fnr
    found = cs.condition.normalised_cost(fpr, fnr, prevalence=p, fp_cost=3, fn_cost=8)
    np.testing.assert_allclose(found, cost / ((1 - p) * 3 + p * 8), rtol=1e-14)
    z = cs.skew_from_cost(cs.cost_proportion(fp_cost=3, fn_cost=8), prevalence=p)
    np.testing.assert_allclose(found, loss_at(fpr, fnr, c=z, prevalence=0.5), atol=1e-15)


def test_normalised_cost_with_equal_costs_is_the_error_rate() -> None:
    assert cs.condition.normalised_cost(0.2, 0.3, prevalence=0.1) == pytest.approx(0.21)
    assert cs.condition.normalised_cost(0.2, 0.3, prevalence=[0, 1]).tolist() == [0.2, 0.3]
    assert isinstance(cs.condition.normalised_cost(0.2, 0.3, prevalence=0.1), float)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"prevalence": 1.5}, "prevalence must be in [0, 1], got 1.5."),
        ({"prevalence": 0.5, "fp_cost": 0}, "fp_cost must be positive and finite, got 0."),
        (
            {"prevalence": 0.5, "fp_cost": 1, "fn_cost": [2, INF]},
            "fn_cost must be positive and finite, got [2, inf].",
        ),
    ],
)
def test_bad_probability_costs(arguments: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.condition.probability_cost(**arguments)
    with refused(ConditionError, text):
        cs.condition.normalised_cost(0.1, 0.1, **arguments)

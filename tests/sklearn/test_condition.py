"""The condition that a classifier is asked for."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

from costspace import ConditionError
from costspace.sklearn.condition import Condition

NAN, INF = float("nan"), float("inf")


def test_nothing_given_is_equal_costs_at_the_prevalence_of_training() -> None:
    assert Condition().values(0.2) == (0.5, 0.2)
    assert Condition().values(0.2, cases=7) == (0.5, 0.2)
    assert Condition().one(0.2) == (0.5, 0.2)


def test_costs_or_their_proportion() -> None:
    assert Condition(0.25).values(0.2) == Condition(fp_cost=1, fn_cost=3).values(0.2)
    assert Condition(0, prevalence=0.7).values(0.2) == (0, 0.7)


@pytest.mark.parametrize("as_given", [list, np.array, tuple])
def test_one_for_each_case(as_given: Any) -> None:
    c, p = Condition(fp_cost=as_given([1.0, 1.0, 4.0]), fn_cost=1).values(0.2, 3)
    np.testing.assert_array_equal(c, [0.5, 0.5, 0.8])
    np.testing.assert_array_equal(p, [0.2, 0.2, 0.2])
    c, p = Condition(0.3, prevalence=as_given([0.1, 0.9])).values(0.2)
    np.testing.assert_array_equal(c, [0.3, 0.3])
    np.testing.assert_array_equal(p, [0.1, 0.9])


def test_what_is_left_open_is_as_usual() -> None:
    usual = Condition(fp_cost=1, fn_cost=9, prevalence=0.05)
    assert Condition().over(usual) == usual
    assert Condition(0.4).over(usual) == Condition(0.4, prevalence=0.05)
    assert Condition(prevalence=0.5).over(usual) == Condition(None, 1, 9, 0.5)
    assert Condition(None, 2, 3).over(Condition(0.4)) == Condition(None, 2, 3)
    assert Condition(0.0).over(usual).cost_proportion == 0


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"cost_proportion": 0.5, "fn_cost": 1}, "cost_proportion and fn_cost are both given"),
        (
            {"cost_proportion": 0.5, "fp_cost": 1, "fn_cost": 1},
            "cost_proportion and fp_cost are both given: give the proportion or the costs.",
        ),
        ({"fp_cost": 1}, "fp_cost is given without fn_cost: give both."),
        ({"fn_cost": 1}, "fn_cost is given without fp_cost: give both."),
    ],
)
def test_costs_given_twice_or_by_halves(given: dict[str, Any], text: str) -> None:
    with refused(ConditionError, text):
        Condition(**given)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"cost_proportion": 1.5}, "cost_proportion must be in [0, 1], got 1.5."),
        ({"cost_proportion": NAN}, "cost_proportion must be in [0, 1], got nan."),
        ({"cost_proportion": [0.5, 0.5, NAN]}, "cost_proportion must be in [0, 1], got"),
        ({"cost_proportion": "high"}, "cost_proportion must be a number, got 'high'."),
        ({"fp_cost": NAN, "fn_cost": 1}, "fp_cost must be positive and finite, got nan."),
        ({"fp_cost": [1, 2, NAN], "fn_cost": 1}, "fp_cost must be positive and finite"),
        ({"fp_cost": 1, "fn_cost": [1, INF, 1]}, "fn_cost must be positive and finite"),
        ({"fp_cost": 1, "fn_cost": 0}, "fn_cost must be positive and finite, got 0."),
        ({"prevalence": 0}, "prevalence must be in (0, 1), got 0."),
        ({"prevalence": NAN}, "prevalence must be in (0, 1), got nan."),
        ({"prevalence": "rare"}, "prevalence must be a number, got 'rare'."),
        ({"prevalence": [0.5, 1, 0.5]}, "every prevalence must be in (0, 1), got a 0 or 1."),
        ({"prevalence": [0.5, NAN, 0.5]}, "prevalence must be in [0, 1], got"),
        (
            {"cost_proportion": [0.5, 0.5]},
            "cost_proportion must be one number, or one for each of 3 rows, got shape (2,).",
        ),
        (
            {"fp_cost": [1, 1, 1], "fn_cost": [1]},
            "fn_cost must be one number, or one for each of 3 rows, got shape (1,).",
        ),
        (
            {"prevalence": np.full((3, 1), 0.5)},
            "prevalence must be one number, or one for each of 3 rows, got shape (3, 1).",
        ),
    ],
)
def test_bad_conditions(given: dict[str, Any], text: str) -> None:
    with refused(ConditionError, text):
        Condition(**given).values(0.2, 3)


@pytest.mark.parametrize("name", ["cost_proportion", "prevalence"])
def test_several_where_one_is_needed(name: str) -> None:
    with refused(ConditionError, f"{name} must be one number here, got shape (2,)."):
        Condition(**{name: [0.5, 0.5]}).one(0.2)

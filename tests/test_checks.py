"""Checks of arguments: what they return, and what they say."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

from costspace import ConditionError
from costspace.checks import check_axis, check_number, check_range, check_whole

NAN, INF = float("nan"), float("inf")


def test_check_number() -> None:
    assert check_number("x", np.float32(0.5), low=0, high=1) == 0.5
    assert check_number("x", True, low=0, high=1) == 1
    assert check_number("x", -INF) == -INF
    with refused(ConditionError, "x must be in [1, 3], got 4."):
        check_number("x", 4, low=1, high=3)
    with refused(ConditionError, "x must be a number, got nan."):
        check_number("x", NAN)
    with refused(ConditionError, "x must be a number, got 'a'."):
        check_number("x", "a")


def test_a_share_that_looks_like_a_percentage() -> None:
    for value, hint in ((10, "10: 10 % is 0.1."), (1.5, "1.5: 1.5 % is 0.015."), (101, "101.")):
        with refused(ConditionError, f"x must be in [0, 1], got {hint}"):
            check_number("x", value, low=0, high=1)
    with refused(ConditionError, "x must be in [0, 1], got -5."):
        check_number("x", -5, low=0, high=1)
    with refused(ConditionError, "x must be in [0.5, 1], got 10."):
        check_number("x", 10, low=0.5, high=1)


@pytest.mark.parametrize("value", [np.zeros(5000), [[0.1]] * 500, 10**400], ids=type)
def test_check_number_of_what_is_too_much(value: Any) -> None:
    with refused(ConditionError, "x must be"):
        check_number("x", value, low=0, high=1)


def test_check_whole() -> None:
    assert check_whole("n", np.int8(3), least=3) == 3
    assert isinstance(check_whole("n", np.int8(3), least=3), int)
    for bad in (2, 3.0, True, "3", None, np.array([3])):
        with refused(ConditionError, "n must be a whole number, at least 3, got "):
            check_whole("n", bad, least=3)
    with refused(ConditionError, "n must be a whole number from 3 to 5, got 6."):
        check_whole("n", 6, least=3, most=5)


def test_check_range() -> None:
    assert check_range(0, 1, inside=(0, 1)) == (0, 1)
    with refused(ConditionError, "low must be below high, got low=1 and high=0."):
        check_range(1, 0, inside=(0, 1))


def test_check_axis() -> None:
    assert check_axis("cost") == "cost"
    assert check_axis("skew") == "skew"
    with refused(ConditionError, "axis must be 'cost' or 'skew', got 'costs'."):
        check_axis("costs")
    with refused(ConditionError, "axis must be 'cost' or 'skew', got"):
        check_axis(np.array(["cost", "skew"]))

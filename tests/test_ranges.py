"""Ranges of skew from bounds on the cost ratio and on the class ratio."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

RATIOS = st.tuples(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6)).map(sorted).map(tuple)


def test_the_credit_example() -> None:
    known = cs.skew_range(cost_ratio=(1 / 5000, 1 / 500), class_ratio=(99, 999))
    assert known.low == pytest.approx(99 / 5099, abs=1e-15)
    assert known.high == pytest.approx(999 / 1499, abs=1e-15)
    assert (round(known.low, 5), round(known.high, 5)) == (0.01942, 0.66644)
    same = cs.skew_range(cost_ratio=(1 / 5000, 1 / 500), prevalence=(0.001, 0.01))
    assert (same.low, same.high) == pytest.approx((known.low, known.high), abs=1e-15)
    assert same.class_ratio == pytest.approx((99, 999))


@given(RATIOS, RATIOS)
def test_every_pair_of_ratios_is_inside_and_the_ends_are_reached(
    costs: tuple[float, float], classes: tuple[float, float]
) -> None:
    known = cs.skew_range(cost_ratio=costs, class_ratio=classes)
    skews = [
        cs.skew_from_cost(cs.cost_proportion(fp_cost=cost, fn_cost=1), prevalence=1 / (1 + ratio))
        for cost in np.geomspace(*costs, 5)
        for ratio in np.geomspace(*classes, 5)
    ]
    assert min(skews) == pytest.approx(known.low, rel=1e-9)
    assert max(skews) == pytest.approx(known.high, rel=1e-9)
    assert 0 < known.low <= known.high < 1


def test_exact_ratios() -> None:
    known = cs.skew_range(cost_ratio=0.25, class_ratio=(2, 4))
    assert (known.low, known.high) == (pytest.approx(1 / 3), 0.5)
    assert known.cost_ratio == (0.25, 0.25)
    both = cs.skew_range(cost_ratio=1, prevalence=0.1)
    assert both.low == both.high == pytest.approx(0.9)
    assert cs.skew_range(cost_ratio=np.array([1, 2]), class_ratio=[1, 1]).high == 2 / 3  # type: ignore[arg-type]


def test_it_says_what_it_assumed() -> None:
    known = cs.skew_range(cost_ratio=0.002, class_ratio=(99, 999))
    text = "SkewRange(0.165275 to 0.666444: fp:fn cost 0.002, negatives:positives 99 to 999, indep"
    assert repr(known) == str(known) == f"{text}endent)"
    assert {name: column.tolist() for name, column in known.columns().items()} == {
        "low": [known.low],
        "high": [known.high],
        "cost_low": [0.002],
        "cost_high": [0.002],
        "class_low": [99],
        "class_high": [999],
    }


def test_equal_bounds_make_equal_ranges() -> None:
    ranges = {cs.skew_range(cost_ratio=(1, 2), class_ratio=3) for _ in range(2)}
    assert len(ranges) == 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"cost_ratio": 1}, "needs either class_ratio or prevalence, got neither: class_ratio"),
        ({"cost_ratio": 1, "class_ratio": 2, "prevalence": 0.1}, "or prevalence, got both: class"),
        ({"cost_ratio": (2, 1), "class_ratio": 2}, "cost_ratio must be one number or (low, high) "),
        ({"cost_ratio": (2, 1), "class_ratio": 2}, "with low at most high, got (2, 1)."),
        ({"cost_ratio": (1, 2, 3), "class_ratio": 2}, "(low, high) with low at most high, got"),
        ({"cost_ratio": (), "class_ratio": 2}, "(low, high) with low at most high, got ()."),
        ({"cost_ratio": (0, 1), "class_ratio": 2}, "cost_ratio must be positive and finite, got"),
        ({"cost_ratio": 1, "class_ratio": np.inf}, "class_ratio must be positive and finite, got"),
        ({"cost_ratio": "1:500", "class_ratio": 2}, "cost_ratio must be a number, got '1:500'."),
        ({"cost_ratio": 1, "prevalence": (0.1, 1)}, "prevalence must be in (0, 1), got 1."),
        ({"cost_ratio": 1, "prevalence": (0.3, 0.1)}, "prevalence must be one number or (low, h"),
        ({"cost_ratio": 1, "prevalence": 0}, "prevalence must be positive and finite, got 0."),
    ],
)
def test_bad_bounds(options: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.skew_range(**options)

"""What stands for an uncertain amount, and what is refused."""

import numpy as np
import pytest
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError
from costspace.deployment.amounts import Between, Frozen
from costspace.deployment.parts import as_cost


def test_what_stands_for_an_amount() -> None:
    assert as_cost("fp_cost", (2, 3)) == cs.LogUniform(2, 3)
    assert as_cost("tp_cost", [2, 3]) == Between(2, 3)
    for known in (2, np.float32(2), (2, 2), np.array(2.0)):
        assert str(as_cost("fp_cost", known)) == "known: 2"
    frozen = stats.lognorm(1)
    assert as_cost("fp_cost", frozen) == Frozen(frozen)
    drawn = cs.Drawn([1, 2])
    assert as_cost("fp_cost", drawn) is drawn


class WithoutUpperQuantiles:
    """What scipy's distributions have, without quantiles from above."""

    ppf = pdf = support = mean = staticmethod(stats.norm.mean)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (WithoutUpperQuantiles(), "fp_cost must be a number, (low, high), Drawn"),
        ("a", "fp_cost must be a number, (low, high), Drawn, LogUniform or a frozen scipy"),
        (None, "fp_cost must be a number, (low, high), Drawn"),
        ((1, 2, 3), "fp_cost must be a number, (low, high), Drawn"),
        (cs.Uniform(), "fp_cost must be a number, (low, high), Drawn"),
        ("5", "fp_cost must be a number, (low, high), Drawn"),
        (float("nan"), "fp_cost must be a number, (low, high), Drawn"),
        ((1, float("inf")), "fp_cost must be in [-1e+50, 1e+50], got inf."),
        ((2, 1), "fp_cost must have low at most high, got (2, 1)."),
        ((0, 1), "fp_cost is log-uniform between its bounds, which must be positive, got (0, 1)"),
        (stats.poisson(3), "fp_cost must be a number, (low, high), Drawn"),
        (stats.pareto(0.5), "an uncertain amount must have a finite mean, got inf"),
        (stats.lognorm([1, 2]), "an uncertain amount must be one continuous frozen scipy"),
    ],
)
def test_what_is_no_amount(value: object, text: str) -> None:
    with refused(ConditionError, text):
        as_cost("fp_cost", value)

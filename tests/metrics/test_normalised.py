"""The H-measure."""

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError

Y = [0, 0, 0, 1, 1]
S = [0.1, 0.6, 0.3, 0.4, 0.9]


def test_default_distribution() -> None:
    assert cs.h_measure(Y, S) == cs.h_measure(Y, S, costs=cs.Beta(2, 1 + 3 / 2))
    weighted = cs.h_measure(Y, S, sample_weight=[1, 1, 1, 3, 3])
    assert weighted == cs.h_measure(
        Y, S, costs=cs.Beta(2, 1 + 1 / 2), sample_weight=[1, 1, 1, 3, 3]
    )
    shifted = cs.h_measure(Y, S, prevalence=0.1)
    assert shifted == pytest.approx(cs.h_measure(Y, S, costs=cs.Beta(2, 1 + 9), prevalence=0.1))


@pytest.mark.parametrize(
    "costs",
    [cs.Uniform(), cs.Uniform(0.1, 0.4), cs.Beta(2, 2), cs.Point(0.3), cs.Sampled([0.2, 0.4])],
)
def test_share_of_the_trivial_loss_saved(costs: cs.CostDistribution) -> None:
    best = cs.expected_loss(Y, S, choice=cs.Optimal(), costs=costs)
    trivial = cs.expected_loss(Y, np.zeros(5), choice=cs.Optimal(), costs=costs)
    assert cs.h_measure(Y, S, costs=costs) == pytest.approx(1 - best / trivial, abs=1e-14)


def test_ends() -> None:
    for costs in (None, cs.Beta(2, 2), cs.Uniform()):
        assert cs.h_measure(Y, Y, costs=costs) == 1
        assert cs.h_measure(Y, np.ones(5), costs=costs) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("c", [0, 1])
def test_where_a_trivial_rule_is_without_loss(c: int) -> None:
    text = f"H has no meaning under point({c}): a trivial rule is without loss there."
    with refused(ConditionError, text):
        cs.h_measure(Y, S, costs=cs.Point(c))

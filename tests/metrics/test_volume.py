"""The volume over the ROC surface."""

from functools import partial
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError

Y = [0, 0, 0, 1, 1, 0, 1]
S = [0.1, 0.6, 0.3, 0.4, 0.9, 0.9, 0.2]
CURVE = cs.loss_curve(Y, S, choice=cs.Optimal(), axis="skew")


def area(z: float) -> float:
    loss = CURVE(z)
    return 1 - float(loss) ** 2 / (2 * z * (1 - z))


@pytest.mark.parametrize("z", [0.05, 0.3, 0.5, 0.77])
def test_at_a_point(z: float) -> None:
    assert cs.voros(Y, S, costs=cs.Point(z)) == pytest.approx(area(z), abs=1e-14)


@pytest.mark.parametrize(
    ("low", "high", "kept"),
    [(0.1, 1, [0.3, 0.8]), (0, 0.3, [0.05, 0.3]), (0.2, 0.7, [0.3]), (0.3, 0.9, [0.3, 0.8])],
)
def test_atoms_outside_the_range_do_not_count(low: float, high: float, kept: list[float]) -> None:
    expected = np.mean([area(z) for z in kept])
    atoms = [0.05, 0.3, 0.8]
    found = cs.voros(Y, S, low=low, high=high, costs=cs.Sampled(atoms))
    assert found == pytest.approx(expected, abs=1e-14)
    found = cs.voros(Y, S, low=low, high=high, costs=cs.Mixture([cs.Point(z) for z in atoms]))
    assert found == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("y", "s"),
    [(Y, S), ([0, 1], [0, 1]), ([0, 1], [1, 0]), ([0, 1, 1], [2, 1, 3]), ([0, 1], [0, 0])],
)
def test_ends_of_the_skew_cost_nothing(y: Any, s: Any) -> None:
    for z in (0, 1):
        assert cs.voros(y, s, costs=cs.Point(z)) == 1
        assert cs.voros(y, s, costs=cs.Sampled([z, z])) == 1
        assert cs.voros(y, s, costs=cs.Mixture([cs.Point(0), cs.Point(1)])) == 1
    for z in (1e-300, 1e-12, 1 - 1e-12):
        assert cs.voros(y, s, costs=cs.Point(z)) == pytest.approx(1, abs=1e-12)


def test_a_range_that_starts_below_the_smallest_normal_float() -> None:
    for volume in (cs.metrics.voros_baseline, partial(cs.voros, Y, S)):
        assert volume(low=2e-311) == volume()
        assert volume(high=1e-311) == pytest.approx(1)
    assert cs.metrics.voros_of_point(0.0, 2e-311) == cs.metrics.voros_of_point(0, 0)


def test_a_vertex_that_rounds_onto_the_last_break() -> None:
    # The corner (2^-53, 0) is best up to skew 1 / (1 + 2^-53), which is 1 in floats.
    table = cs.ScoreTable.from_predictions(
        [0, 0, 1, 1], [0.1, 0.9, 0.95, 0.5], sample_weight=[np.nextafter(2, 0), 2.0**-52, 1, 1]
    )
    assert table.by_skew.breaks[-1] == 1
    assert table.by_skew.corners.fpr[-2] > 0
    assert cs.voros(table) == pytest.approx(1, abs=1e-15)


def test_constant_and_perfect_rankings() -> None:
    assert cs.voros([0, 1], [5, 5]) == pytest.approx(3 / 2 - log(2), abs=1e-15)
    assert cs.voros([0, 1], [1, 0]) == pytest.approx(3 / 2 - log(2), abs=1e-15)
    assert cs.voros([0, 1], [0, 1]) == 1


# --- Against the trivial rules ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "stated"),
    [
        (0, 1, 0.807),
        *((0, 0.25, 0.925), (0.75, 1, 0.925)),
        *((0, 1 / 3, 0.892), (1 / 3, 2 / 3, 0.637), (2 / 3, 1, 0.892)),
        (999 / 5999, 99 / 399, 0.869),
    ],
)
def test_volume_of_the_trivial_rules(low: float, high: float, stated: float) -> None:
    volume = cs.metrics.voros_baseline(low=low, high=high)
    assert round(volume, 3) == stated
    assert volume == cs.voros([0, 1], [5, 5], low=low, high=high)
    middle = sorted({low, high, min(max(low, 0.5), high)})
    least = sum(
        quad(lambda z: 1 - min(z / (1 - z), (1 - z) / z) / 2, a, b)[0] for a, b in pairwise(middle)
    )
    assert volume == pytest.approx(least / (high - low), abs=1e-12)


def test_volume_of_the_trivial_rules_over_everything() -> None:
    assert cs.metrics.voros_baseline() == pytest.approx(3 / 2 - log(2), abs=1e-15)


def test_volume_of_the_trivial_rules_under_a_distribution() -> None:
    assert cs.metrics.voros_baseline(costs=cs.Point(0.5)) == 0.5
    assert cs.metrics.voros_baseline(costs=cs.Point(0.2)) == pytest.approx(1 - 0.25 / 2)
    assert cs.metrics.voros_baseline(low=0.1, high=0.9, costs=cs.Beta(2, 2)) == cs.voros(
        [0, 1], [5, 5], low=0.1, high=0.9, costs=cs.Beta(2, 2)
    )
    assert cs.metrics.voros_baseline(costs=stats.beta(2, 2)) == pytest.approx(
        cs.metrics.voros_baseline(costs=cs.Beta(2, 2)), abs=1e-11
    )


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.1, 0.3), (0.6, 1), (0, 1e-9)])
def test_relative_volume(low: float, high: float) -> None:
    assert cs.relative_voros([0, 1], [0, 1], low=low, high=high) == 1
    assert cs.relative_voros([0, 1], [3, 3], low=low, high=high) == 0
    assert cs.relative_voros([0, 1], [1, 0], low=low, high=high) == 0
    base = cs.metrics.voros_baseline(low=low, high=high)
    expected = (cs.voros(Y, S, low=low, high=high) - base) / (1 - base)
    assert cs.relative_voros(Y, S, low=low, high=high) == pytest.approx(expected, abs=1e-6)


def test_relative_volume_of_half_the_loss() -> None:
    # Half of the negatives rank below everybody, so below skew 2/3 half of the worst is lost, and
    # a quarter of the area.
    y, s = [0, 0, 1, 1], [0, 1, 1, 1]
    assert cs.relative_voros(y, s, low=0, high=0.4) == pytest.approx(0.75, abs=1e-15)
    assert cs.relative_voros(y, s, low=0, high=1e-9) == pytest.approx(0.75, abs=1e-15)
    assert cs.relative_voros(y, s, low=0.2, high=0.4, prevalence=0.01) == pytest.approx(
        0.75, abs=1e-15
    )


@pytest.mark.parametrize("costs", [cs.Point(0), cs.Point(1), cs.Sampled([0, 1, 1])])
def test_no_relative_volume_where_nothing_can_be_gained(costs: cs.CostDistribution) -> None:
    with refused(ConditionError, "relative_voros needs conditions with something to gain"):
        cs.relative_voros(Y, S, costs=costs)

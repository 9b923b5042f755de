"""The volume over the ROC surface."""

from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError

Y = [0, 0, 0, 1, 1, 0, 1]
S = [0.1, 0.6, 0.3, 0.4, 0.9, 0.9, 0.2]
CURVE = cs.loss_curve(Y, S, choice=cs.Optimal(), axis="skew")


def area(z: float) -> float:
    loss = CURVE(z)
    return 1 - float(loss) ** 2 / (2 * z * (1 - z))


def mean_area(low: float, high: float) -> float:
    inner = [b for b in np.unique(CURVE.breaks) if low < b < high]
    edges = [low, *inner, high]
    return sum(quad(area, a, b, epsabs=1e-14)[0] for a, b in pairwise(edges)) / (high - low)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 0.25), (0.3, 0.31), (0.75, 1), (0.1, 0.9)])
def test_mean_over_a_range(low: float, high: float) -> None:
    expected = mean_area(low, high)
    assert cs.voros(Y, S, low, high) == pytest.approx(expected, abs=1e-11)
    assert cs.voros(Y, S, costs=cs.Uniform(low, high)) == pytest.approx(expected, abs=1e-11)
    if (low, high) != (0, 1):
        found = cs.voros(Y, S, low, high, costs=cs.Uniform())
        assert found == pytest.approx(expected, abs=1e-11)


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
    found = cs.voros(Y, S, low, high, costs=cs.Sampled(atoms))
    assert found == pytest.approx(expected, abs=1e-14)
    found = cs.voros(Y, S, low, high, costs=cs.Mixture([cs.Point(z) for z in atoms]))
    assert found == pytest.approx(expected, abs=1e-14)


def test_ends_of_the_skew_cost_nothing() -> None:
    for z in (0, 1):
        assert cs.voros(Y, S, costs=cs.Point(z)) == 1


def test_constant_and_perfect_rankings() -> None:
    assert cs.voros([0, 1], [5, 5]) == pytest.approx(3 / 2 - log(2), abs=1e-15)
    assert cs.voros([0, 1], [1, 0]) == pytest.approx(3 / 2 - log(2), abs=1e-15)
    assert cs.voros([0, 1], [0, 1]) == 1


def test_at_least_the_area_under_the_hull() -> None:
    assert cs.voros(Y, S) >= cs.auc_hull(Y, S)


def test_class_shares_do_not_matter() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    for p in (0.01, 0.7):
        assert cs.voros(table.with_prevalence(p)) == cs.voros(Y, S)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.5, 0.5, "low must be below high, got low=0.5 and high=0.5."),
        (0.6, 0.4, "low must be below high, got low=0.6 and high=0.4."),
        (-0.1, 0.5, "low must be in [0, 1], got -0.1."),
        (0.5, 1.1, "high must be in [0, 1], got 1.1."),
        (float("nan"), 1, "low must be in [0, 1], got nan."),
        ("a", 1, "low must be a number, got 'a'."),
    ],
)
def test_bad_range(low: Any, high: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.voros(Y, S, low, high)

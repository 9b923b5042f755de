"""The area of lesser classifiers of any point, and its mean over skews."""

from itertools import pairwise
from math import gamma, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import costspace as cs

UNIT = st.floats(0, 1, allow_subnormal=False)
# Both trivial rules, the best and the worst point, points that beat both, one and neither.
POINTS = [
    *((1, 0), (0, 1), (0, 0), (1, 1), (0.5, 0.5), (0.1, 0.2), (0.2, 0.1), (0, 0.3), (0.4, 0)),
    *((0.3, 0.7), (0.7, 0.6), (0.9, 0.3), (0.2, 0.95), (1, 0.4), (0.6, 1)),
]
each_point = pytest.mark.parametrize(("fpr", "fnr"), POINTS)


# --- The area --------------------------------------------------------------------------------


@each_point
def test_the_area_is_the_probability_to_beat_a_random_point(fpr: float, fnr: float) -> None:
    x, y = np.random.default_rng(7).random((2, 200_000))
    for z in (0.03, 0.3, 0.5, 0.8, 0.99):
        mine, theirs = z * fpr + (1 - z) * fnr, z * x + (1 - z) * y
        # Five standard errors.
        assert cs.metrics.lesser_area(fpr, fnr, z=z) == pytest.approx(
            np.mean(theirs > mine), abs=0.0056
        )


@given(UNIT, UNIT, UNIT)
def test_above_both_trivial_rules_it_is_the_closed_form(z: float, fpr: float, fnr: float) -> None:
    loss = z * fpr + (1 - z) * fnr
    if 0 < z < 1 and loss <= min(z, 1 - z) * (1 - 1e-9):
        # Lemma 22 in its product form, one half of base by height, does not cancel.
        base, height = fpr + (1 - z) / z * fnr, fnr + z / (1 - z) * fpr
        assert cs.metrics.lesser_area(fpr, fnr, z=z) == pytest.approx(
            1 - base * height / 2, abs=1e-13
        )
        if 0.01 < z < 0.99:
            lemma = (
                *(1, fnr**2 / 2, fpr**2 / 2, -fpr * fnr),
                *(-(fnr**2) / (2 * z), -(fpr**2) / (2 * (1 - z))),
            )
            assert cs.metrics.lesser_area(fpr, fnr, z=z) == pytest.approx(sum(lemma), abs=1e-12)


def test_the_closed_form_fails_below_a_trivial_rule() -> None:
    z, fpr, fnr = 0.1, 0.3, 0.3
    assert 1 - 0.3**2 / (2 * z * (1 - z)) == pytest.approx(0.5)
    assert cs.metrics.lesser_area(fpr, fnr, z=z) == pytest.approx(1 - (2 * 0.3 - 0.1) / (2 * 0.9))


@given(UNIT, UNIT, UNIT)
def test_a_point_and_its_opposite_share_the_square(z: float, fpr: float, fnr: float) -> None:
    area = cs.metrics.lesser_area(fpr, fnr, z=z)
    assert 0 <= area <= 1
    assert area + cs.metrics.lesser_area(1 - fpr, 1 - fnr, z=z) == pytest.approx(1, abs=1e-15)
    assert area == pytest.approx(cs.metrics.lesser_area(fnr, fpr, z=1 - z), abs=1e-12)


@given(UNIT, st.tuples(UNIT, UNIT), st.tuples(UNIT, UNIT))
def test_a_smaller_loss_beats_more(
    z: float, one: tuple[float, float], other: tuple[float, float]
) -> None:
    losses = [cs.condition.loss_at(*point, c=z, prevalence=0.5) for point in (one, other)]
    areas = [cs.metrics.lesser_area(*point, z=z) for point in (one, other)]
    if losses[0] < losses[1]:
        assert areas[0] >= areas[1] - 1e-15


@given(st.floats(0, 1e-9), UNIT, UNIT)
def test_close_to_the_ends_it_is_one_rate(z: float, fpr: float, fnr: float) -> None:
    assert cs.metrics.lesser_area(fpr, fnr, z=z) == pytest.approx(1 - fnr, abs=1e-8)
    assert cs.metrics.lesser_area(fpr, fnr, z=1 - z) == pytest.approx(1 - fpr, abs=1e-8)


@pytest.mark.parametrize("z", [0.0, 5e-324, 1e-310, 1e-17, 0.25])
def test_limits(z: float) -> None:
    assert cs.metrics.lesser_area(0, 0, z=z) == 1
    assert cs.metrics.lesser_area(1, 1, z=z) == 0
    assert cs.metrics.lesser_area(1, 0, z=z) == 1 - z / (1 - z) / 2
    assert cs.metrics.lesser_area(0, 1, z=z) == pytest.approx(z / (1 - z) / 2, rel=1e-15)
    if z < 1e-9:
        assert cs.metrics.lesser_area(0.2, 0.7, z=z) == pytest.approx(0.3, abs=1e-15)
        assert cs.metrics.lesser_area(0.2, 0.7, z=1 - z) == pytest.approx(0.8, abs=1e-15)


def test_relative_precision_near_the_worst_point() -> None:
    # 1 - L = 2^-40 (z + (1 - z)), far below the rounding of the loss itself.
    gap = 2.0**-40
    assert cs.metrics.lesser_area(1 - gap, 1 - gap, z=0.25) == pytest.approx(
        gap**2 / (2 * 0.1875), rel=1e-14
    )


def test_arrays_broadcast() -> None:
    z = np.array([0.1, 0.5, 0.9])
    area = cs.metrics.lesser_area([0.2, 0.7], 0.4, z=z[:, None])
    assert np.shape(area) == (3, 2)
    assert area[2, 1] == cs.metrics.lesser_area(0.7, 0.4, z=0.9)  # type: ignore[index]
    assert isinstance(cs.metrics.lesser_area(0.2, 0.1, z=np.float64(0.5)), float)


# --- Its mean --------------------------------------------------------------------------------


def beta(a: float, b: float) -> Any:
    """The density by its formula: SciPy's takes long to answer for a single number."""
    factor = gamma(a + b) / gamma(a) / gamma(b)
    return lambda z: factor * z ** (a - 1) * (1 - z) ** (b - 1)


DENSITIES = {
    "uniform": (None, lambda z: 1.0),
    "hand": (cs.Beta(2, 2), beta(2, 2)),
    "rare": (cs.Beta(1.3, 9), beta(1.3, 9)),
    "wide": (cs.Beta(0.6, 0.8), beta(0.6, 0.8)),
}


def mean_area(fpr: float, fnr: float, low: float, high: float, density: Any) -> float:
    turns = [
        fnr / (1 - fpr + fnr) if fnr or fpr < 1 else 0.0,
        (1 - fnr) / (1 + fpr - fnr) if fpr or fnr < 1 else 1.0,
        0.5,
        1e-3,
        1 - 1e-3,
    ]
    edges = [low, *sorted(t for t in set(turns) if low < t < high), high]

    def total(f: Any) -> float:
        return sum(quad(f, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(edges))

    return total(lambda z: cs.metrics.lesser_area(fpr, fnr, z=z) * density(z)) / total(density)


@each_point
@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 0.2), (0.1, 0.55), (0.3, 0.31), (0.7, 1)])
def test_mean_over_a_range(fpr: float, fnr: float, low: float, high: float) -> None:
    expected = mean_area(fpr, fnr, low, high, lambda z: 1.0)
    assert cs.metrics.voros_of_point(fpr, fnr, low=low, high=high) == pytest.approx(
        expected, abs=1e-12
    )
    found = cs.metrics.voros_of_point(fpr, fnr, costs=cs.Uniform(low, high))
    assert found == pytest.approx(expected, abs=1e-12)


@each_point
@pytest.mark.parametrize("name", DENSITIES)
def test_mean_under_a_distribution(fpr: float, fnr: float, name: str) -> None:
    costs, density = DENSITIES[name]
    for low, high in ((0, 1), (0.05, 0.6)):
        expected = mean_area(fpr, fnr, low, high, density)
        assert cs.metrics.voros_of_point(
            fpr, fnr, low=low, high=high, costs=costs
        ) == pytest.approx(expected, abs=1e-8)


@each_point
@pytest.mark.parametrize("z", [0, 1e-300, 0.2, 1 / 3, 0.5, 0.9, 1])
def test_at_one_skew_it_is_the_area(fpr: float, fnr: float, z: float) -> None:
    found = cs.metrics.voros_of_point(fpr, fnr, costs=cs.Point(z))
    assert found == pytest.approx(cs.metrics.lesser_area(fpr, fnr, z=z), abs=1e-15)


def test_over_sampled_skews_it_is_their_mean() -> None:
    z = np.array([0.0, 0.15, 0.15, 0.8, 1.0])
    for fpr, fnr in POINTS:
        found = cs.metrics.voros_of_point(fpr, fnr, costs=cs.Sampled(z))
        assert found == pytest.approx(np.mean(cs.metrics.lesser_area(fpr, fnr, z=z)), abs=1e-14)


@given(UNIT, UNIT)
def test_every_point_and_its_opposite_have_volume_one(fpr: float, fnr: float) -> None:
    volume = cs.metrics.voros_of_point(fpr, fnr)
    assert 0 <= volume <= 1
    assert volume + cs.metrics.voros_of_point(1 - fpr, 1 - fnr) == pytest.approx(1, abs=1e-12)
    assert volume == pytest.approx(cs.metrics.voros_of_point(fnr, fpr), abs=1e-12)


def test_the_closed_form_of_one_vertex() -> None:
    # Lemma 23 with its logarithms the right way round, where the point beats both trivial rules.
    h, m, a, b = 0.1, 0.2, 0.3, 0.75
    logs = m**2 * log(b / a) - h**2 * log((1 - b) / (1 - a))
    expected = 1 + (m - h) ** 2 / 2 - logs / (2 * (b - a))
    assert cs.metrics.voros_of_point(h, m, low=a, high=b) == pytest.approx(expected, abs=1e-15)
    swapped = h**2 * log(b / a) - m**2 * log((1 - b) / (1 - a))
    assert abs(1 + (m - h) ** 2 / 2 - swapped / (2 * (b - a)) - expected) > 0.003


def test_the_volume_of_a_point_is_the_probability_to_beat_a_random_point_at_a_random_skew() -> None:
    z, x, y = np.random.default_rng(3).random((3, 400_000))
    for fpr, fnr in ((0.1, 0.2), (0.3, 0.7), (0.7, 0.6)):
        won = np.mean(z * x + (1 - z) * y > z * fpr + (1 - z) * fnr)
        assert cs.metrics.voros_of_point(fpr, fnr) == pytest.approx(won, abs=0.004)

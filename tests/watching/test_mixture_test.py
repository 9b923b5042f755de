"""The test of whether new scores are a mixture of those of both classes."""

import numpy as np
import pytest

import costspace as cs
from costspace.watching import drift_unlabelled

ROOM = 0.022  # two standard errors of a share of 5 % in 400 samples


def sample(random, n, prevalence, *, apart=1.5, moved=0.0):
    """Scores of which both classes are moved towards each other by a share of their distance."""
    y = (random.random(n) < prevalence).astype(int)
    place = apart * np.where(y == 1, 1 - moved, moved)
    return y, (place + random.normal(size=n)).round(2)


def found_of(seed, *, n=2000, m=2000, before=0.2, after=0.1, moved=0.0):
    random = np.random.default_rng(seed)
    table = cs.ScoreTable.from_predictions(*sample(random, n, before))
    return drift_unlabelled(table, sample(random, m, after, moved=moved)[1]).test


def test_it_is_the_least_distance_from_a_mixture_in_units_of_the_errors_of_both():
    random = np.random.default_rng(0)
    table = cs.ScoreTable.from_predictions(*sample(random, 2000, 0.2))
    found = drift_unlabelled(table, sample(random, 500, 0.1, moved=0.1)[1])
    few, p = found.cells.shift.cells, found.label_shift.estimate
    q0, q1, u = few.shares

    def covariance(q, n):
        return (np.diag(q) - np.outer(q, q)) / n

    n0, n1, m = few.totals
    total = covariance((1 - p) * q0 + p * q1, m)
    total += (1 - p) ** 2 * covariance(q0, n0) + p**2 * covariance(q1, n1)
    inverse = np.linalg.pinv(total)
    grid = np.linspace(-0.5, 1, 150_001)
    apart = u - q0 - grid[:, None] * (q1 - q0)
    least = np.einsum("ij,jk,ik->i", apart, inverse, apart).min()
    assert found.test.statistic == pytest.approx(least, rel=1e-6)
    assert found.test.degrees == len(few) - 2 == found.test.cells - 2


@pytest.mark.simulation
@pytest.mark.parametrize(("m", "after"), [(200, 0.01), (2000, 0.5)])
def test_it_rejects_a_true_mixture_as_often_as_it_says(m, after):
    rejected = np.mean([found_of(seed, m=m, after=after).p < 0.05 for seed in range(400)])
    assert abs(rejected - 0.05) < ROOM


@pytest.mark.simulation
def test_it_sees_that_classes_have_moved_together():
    assert np.mean([found_of(seed, after=0.2, moved=1 / 3).p < 0.05 for seed in range(40)]) >= 0.8


def test_two_scores_say_nothing_against_a_mixture():
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1] * 50, [0, 1, 1, 0] * 49 + [0, 1, 1, 1])
    found = drift_unlabelled(table, [0, 1, 1])
    assert (found.test.degrees, found.test.p) == (0, 1.0)
    assert "Too few labelled rows" in found.remarks()[0]

"""The prevalence of largest likelihood and that of the mean rank, by independent computations."""

import numpy as np
import pytest

import costspace as cs
from costspace.samples.class_sample import ClassSample
from costspace.special import ndtri
from costspace.watching.label_shift import (
    LabelShift,
    likeliest,
    moment_estimate,
    moment_interval,
)
from costspace.watching.mixture_cells import CountedSample, MixtureCells, edges_of

Z = 1.959964


def cells(seed, *, n=2000, m=1000, before=0.2, after=0.1, apart=1.5):
    random = np.random.default_rng(seed)
    y, later = (random.random(k) < p for k, p in ((n, before), (m, after)))
    scores, new = (apart * own + random.normal(size=len(own)) for own in (y, later))
    table = cs.ScoreTable.from_predictions(y.astype(int), scores.round(2))
    sample = ClassSample.sort(new.round(2))
    return MixtureCells.of(table, CountedSample(sample), edges_of(table)), table, new.round(2)


def by_em(negatives, positives, new):
    """Saerens, Latinne, Decaestecker (2002), as it is written: posteriors, then their mean."""
    p = 0.5
    for _ in range(200_000):
        posterior = p * positives / ((1 - p) * negatives + p * positives)
        p, last = float(new @ posterior), p
        if abs(p - last) < 1e-13:
            break
    return p


@pytest.mark.parametrize("seed", range(8))
def test_the_likelihood_is_largest_where_em_ends(seed):
    random = np.random.default_rng(seed)
    k = random.integers(2, 13)
    negatives, positives = random.dirichlet(np.full(k, 2.0), size=2)
    p = random.uniform(0.05, 0.7)
    new = random.multinomial(1000, (1 - p) * negatives + p * positives) / 1000
    assert likeliest(negatives, positives, new) == pytest.approx(
        by_em(negatives, positives, new), abs=1e-6
    )


def test_it_is_at_an_end_where_the_likelihood_rises_up_to_that():
    negatives, positives = np.array([0.7, 0.3]), np.array([0.2, 0.8])
    assert likeliest(negatives, positives, np.array([0.9, 0.1])) == 0
    assert likeliest(negatives, positives, np.array([0.1, 0.9])) == 1
    assert likeliest(negatives, positives, negatives) == pytest.approx(0, abs=1e-12)


def test_cells_without_labelled_rows_say_nothing():
    negatives, positives = np.array([0.7, 0.0, 0.3]), np.array([0.2, 0.0, 0.8])
    new = np.array([0.5, 0.4, 0.6])
    found = likeliest(negatives, positives, new)
    assert found == likeliest(negatives[[0, 2]], positives[[0, 2]], new[[0, 2]])


@pytest.mark.parametrize("seed", range(3))
def test_the_interval_ends_where_the_score_test_just_rejects(seed):
    shift = LabelShift.of(cells(seed)[0])
    few = shift.cells
    q0, q1, u = few.shares
    n0, n1, m = few.totals

    def statistic(p):
        mixture = (1 - p) * q0 + p * q1
        ratio = (q1 - q0) / mixture
        spread = [own @ ratio**2 - (own @ ratio) ** 2 for own in (mixture, q0, q1)]
        variance = spread[0] / m + (1 - p) ** 2 * spread[1] / n0 + p**2 * spread[2] / n1
        return u @ ratio / np.sqrt(variance)

    low, high = shift.interval(Z)
    assert low < shift.estimate.value < high
    assert [statistic(low), statistic(high)] == pytest.approx([Z, -Z], abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_mean_rank_solves_its_equation_and_its_interval_inverts_the_test(seed):
    found, table, new = cells(seed)
    everyone = [side.values for side in (table.negatives, table.positives)] + [new]
    ends = np.concatenate([found.edges, [np.inf]])
    own = [np.searchsorted(ends, one) for one in everyone]
    blocks = np.mean([np.bincount(i, minlength=len(ends)) / len(i) for i in own[:2]], axis=0)
    rank = np.cumsum(blocks) - blocks / 2
    m0, m1, mean = (rank[i].mean() for i in own)
    p = moment_estimate(found).value
    assert mean == pytest.approx((1 - p) * m0 + p * m1, abs=1e-12)
    for end in moment_interval(found, Z):
        both = np.array([1 - end, end])
        square = both @ [(rank[i] ** 2).mean() for i in own[:2]]
        variance = (square - (both @ [m0, m1]) ** 2) / len(new)
        variance += sum(
            share**2 * rank[i].var() / len(i) for share, i in zip(both, own[:2], strict=True)
        )
        if 0 < end < 1:
            assert (mean - both @ [m0, m1]) ** 2 == pytest.approx(Z**2 * variance, rel=1e-9)


def test_standard_errors_are_those_of_resamples_of_both_samples():
    found, table, new = cells(0)
    random = np.random.default_rng(1)
    scores = [table.negatives.values, table.positives.values, new]
    drawn = []
    for _ in range(300):
        some = [random.choice(one, len(one)) for one in scores]
        y = np.repeat([0, 1], [len(some[0]), len(some[1])])
        again = cs.ScoreTable.from_predictions(y, np.concatenate(some[:2]))
        count = CountedSample(ClassSample.sort(some[2]))
        other = MixtureCells.of(again, count, found.edges)
        drawn.append([LabelShift.of(other).estimate.value, moment_estimate(other).value])
    errors = LabelShift.of(found).estimate.error, moment_estimate(found).error
    assert np.std(drawn, axis=0) == pytest.approx(errors, rel=0.15)


def test_cells_of_a_ratio_are_few_and_have_ten_rows_of_either_class():
    found = cells(0, n=20_000)[0]
    few, own = found.merged()
    assert 8 <= len(few) <= 12 < len(found) <= 200
    assert (few.mass[:2] >= 10).all()
    assert np.array_equal(
        np.add.reduceat(found.mass[2], np.unique(own, return_index=True)[1]), few.mass[2]
    )
    assert (found.mass[:2].sum(axis=0) >= 20).all()


@pytest.mark.simulation
@pytest.mark.parametrize(("before", "m", "after"), [(0.1, 200, 0.01), (0.2, 2000, 0.5)])
def test_intervals_hold_the_prevalence_as_often_as_they_say(before, m, after):
    z = float(-ndtri(0.05))
    held = np.zeros(2)
    for seed in range(400):
        found = cells(seed, m=m, before=before, after=after)[0]
        ends = np.array([LabelShift.of(found).interval(z), moment_interval(found, z)])
        held += (ends[:, 0] <= after) & (after <= ends[:, 1])
    assert (np.abs(held / 400 - 0.9) < 0.045).all()

"""Places for reviews in each batch, against rows one by one, batches drawn, and samples."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

import costspace as cs
from costspace.decision.evidence.outcomes import outcomes_of
from costspace.decision.fitting.fitted_review_queue import FittedReviewQueue

REVIEW = cs.Review(0.4, 0.95, 0.9)
FP, FN = 2.0, 8.0
TABLE = np.array(REVIEW.table(fp_cost=FP, fn_cost=FN, tp_cost=-1, tn_cost=0.5).costs)
AMOUNTS = {"fp_cost": FP, "fn_cost": FN, "tp_cost": -1, "tn_cost": 0.5}


def drawn(seed, n=24, *, weighted=False):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    s = (rng.integers(1, 9, n) + 2 * y) / 12
    w = rng.choice([0.5, 1.0, 2.5], n) if weighted else None
    return y, s, w


def decided(y, s, places, size, p=0.3, choice=cs.ScoreDriven(0.3), **more):
    limits = cs.Constraints(review_capacity=places, batch=size)
    known = cs.Deployment(**AMOUNTS, prevalence=p, review=more.pop("review", REVIEW))
    decision = cs.decide(
        *(y, {"m": s}), conditions=known, constraints=limits, choices={"mine": choice}, **more
    )
    (found,) = (fit for fit in decision.fits if isinstance(fit, FittedReviewQueue))
    return decision, found


def otherwise(s, table=TABLE):
    """What a review of each probability saves, and whether it is flagged without one."""
    each = np.outer(1 - s, table[0]) + np.outer(s, table[1])
    return np.minimum(each[:, 0], each[:, 2]) - each[:, 1], each[:, 2] <= each[:, 0]


def placed(s, mass, saved, size, places):
    """The chance of each row over all batches, ahead of which are those of whom it saves more."""
    found = np.zeros(len(s))
    for i in range(len(s)):
        if saved[i] <= 0:
            continue
        tie = s == s[i]
        ahead, own = mass[saved > saved[i] + 1e-12].sum(), mass[tie].sum() / tie.sum()
        low, high = ahead + mass[tie].sum() - own, ahead + mass[tie].sum()
        chance = quad(lambda x: binom.cdf(places - 1, size - 1, x), low, high, epsabs=1e-14)
        found[i] = chance[0] / own
    return found


def money_of(y, mass, reviewed, flags, table=TABLE):
    each = table[y.astype(int)]
    done = np.where(flags, each[:, 2], each[:, 0])
    return 1000 * float(mass @ (reviewed * each[:, 1] + (1 - reviewed) * done))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("size", "places"), [(1, 1), (3, 1), (5, 2), (50, 2)])
def test_it_is_the_mean_over_every_batch(size, places, weighted):
    y, s, w = drawn(size, weighted=weighted)
    p = 0.3
    decision, found = decided(y, s, places / size, size, p, sample_weight=w)
    weights = np.ones(len(y)) if w is None else w
    mass = np.where(y, p * weights / weights[y].sum(), (1 - p) * weights / weights[~y].sum())
    saved, flags = otherwise(s)
    # No two scores save the same, so that the order is plain.
    assert len(np.unique(np.round(saved, 9))) == len(np.unique(s))
    chance = placed(s, mass, saved, size, places)
    assert chance.max() > 0
    np.testing.assert_allclose(found.reviewed, chance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.flagged, (1 - chance) * flags, rtol=0, atol=1e-12)
    money = money_of(y, mass, chance, flags)
    assert found.money == pytest.approx(money, rel=1e-12)
    assert found.in_sample == pytest.approx(money, rel=1e-12)
    counts = decision.outcomes(found.strategy)
    assert counts.reviewed.value == pytest.approx(1000 * mass @ chance, rel=1e-12)
    assert counts.flagged.value == pytest.approx(1000 * mass @ ((1 - chance) * flags), rel=1e-12)
    rest = counts.false_negatives.value + counts.true_negatives.value
    assert counts.reviewed.value + counts.flagged.value + rest == pytest.approx(1000)


def test_over_scenarios_batches_are_those_of_each_prevalence():
    y, s, _ = drawn(4)
    fp, fn, prevalence = [2.0, 3.0], [9.0, 6.0], [0.2, 0.4]
    known = cs.Scenarios(fp, fn, prevalence, weights=[1, 3], review=REVIEW)
    limits = cs.Constraints(review_capacity=0.25, batch=8)
    decision = cs.decide(
        *(y, {"m": s}),
        conditions=known,
        constraints=limits,
        choices={"mine": cs.ScoreDriven(0.35)},
    )
    (found,) = (fit for fit in decision.fits if isinstance(fit, FittedReviewQueue))
    # One rule for all: by the mean costs of each class.
    weights, ps = np.array([0.25, 0.75]), np.array(prevalence)
    means = [
        np.average(fp, weights=weights * (1 - ps)),
        np.average(fn, weights=weights * ps),
    ]
    saved, flags = otherwise(s, np.array(REVIEW.table(fp_cost=means[0], fn_cost=means[1]).costs))
    money = 0.0
    for a, b, p, weight in zip(fp, fn, prevalence, weights, strict=True):
        mass = np.where(y, p / y.sum(), (1 - p) / (~y).sum())
        chance = placed(s, mass, saved, 8, 2)
        table = np.array(REVIEW.table(fp_cost=a, fn_cost=b).costs)
        money += weight * money_of(y, mass, chance, flags, table)
    assert found.money == pytest.approx(money, rel=1e-12)


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Smoothed()])
def test_batches_drawn_from_the_rows_cost_what_was_said(choice):
    """What is chosen on all rows, on these rows: in batches of them, as they are applied."""
    rng = np.random.default_rng(3)
    y = np.arange(400) % 4 == 0
    s = 1 / (1 + np.exp(1.5 - rng.normal(size=400) - 2 * y))
    p, size, places, batches = 0.15, 50, 4, 4000
    decision, found = decided(y, s, places, size, p, choice)
    kept = decision.saved(found.strategy)
    of_class = np.where(y, p / y.sum(), (1 - p) / (~y).sum())
    rows = rng.choice(400, size * batches, p=of_class)
    # Rows stand for cases that score about as they do.
    near = s[rows] + 1e-12 * rng.random(len(rows))
    action = kept.apply(near, batch=np.repeat(np.arange(batches), size)).action
    reviewed = (action == "review").reshape(batches, size).sum(axis=1)
    assert reviewed.max() == places
    which = np.select([action == "pass", action == "review"], [0, 1], 2)
    cost = 1000 * TABLE[y[rows].astype(int), which].reshape(batches, size).mean(axis=1)
    error = cost.std() / np.sqrt(batches)
    assert abs(cost.mean() - found.in_sample) < 4 * error
    assert error < 0.01 * found.in_sample
    counts = decision.outcomes(found.strategy)
    assert 1000 * np.mean(action == "review") == pytest.approx(counts.reviewed.value, rel=0.01)
    # With two thresholds fewer places are used.
    (pair,) = (fit for fit in decision.fits if fit.strategy.name == "mine")
    assert outcomes_of(pair).reviewed.value < 0.7 * counts.reviewed.value


def test_nearly_all_of_200_places_in_10_000_are_used():
    rng = np.random.default_rng(5)

    def cases(n):
        y = rng.random(n) < 0.1
        return y, 1 / (1 + np.exp(3 - rng.normal(size=n) - 2 * y))

    y, s = cases(5000)
    limits = cs.Constraints(review_capacity=200, batch=10_000)
    decision = cs.decide(
        *(y, {"m": s}),
        fp_cost=4,
        fn_cost=20,
        review=cs.Review(0.5),
        constraints=limits,
        choices={"mine": cs.ScoreDriven()},
    )
    assert decision.strategy.name == "mine_queue"
    new_y, new_s = cases(60_000)
    action = decision.apply(new_s, batch=np.arange(60_000) // 10_000).action
    used = (action == "review").reshape(6, 10_000).sum(axis=1)
    assert used.max() <= 200
    assert used.min() >= 198
    told = decision.recommendation.text
    assert "Use m: review the 200 of each 10,000 where that saves most, flag others above" in told
    assert decision.outcomes().reviewed.value == pytest.approx(20, abs=0.01)
    (kept,) = decision.limits_kept()
    assert (kept.name, kept.status) == ("review_capacity", "kept")
    pair = {str(one.strategy): one.money for one in decision.strategies}
    assert pair["m, mine_queue"] < pair["m, mine"]
    costs = np.array([[0, 0.5, 4], [20, 0.5, 0]])
    which = np.select([action == "pass", action == "review"], [0, 1], 2)
    own = decision.recommendation.interval
    assert own.low < 1000 * costs[new_y.astype(int), which].mean() < own.high


def test_one_more_place_is_worth_what_it_saves():
    y, s, _ = drawn(2, 60)
    _, found = decided(y, s, 0.1, 20)
    _, more = decided(y, s, 0.15, 20)
    # Of 20 cases a place more saves so much of what 1,000 cost.
    assert found.price == pytest.approx((found.money - more.money) * 20 / 1000, rel=1e-9)
    assert found.price > 0


def test_it_is_there_with_batches_alone():
    y, s, _ = drawn(3, 60)

    def names(**more):
        found = cs.decide(y, {"m": s}, **AMOUNTS, prevalence=0.3, **more)
        return [one.strategy.name for one in found.fits if one.strategy.model]

    plain = ["score_driven_without_review", "score_driven", "smoothed_without_review", "smoothed"]
    queued = sorted([*plain, "score_driven_queue", "smoothed_queue"])
    limits = cs.Constraints
    assert names(review=REVIEW, constraints=limits(review_capacity=0.1)) == plain
    assert sorted(names(review=REVIEW, constraints=limits(review_capacity=2, batch=20))) == queued
    # Without a place there is nobody to review, and limits of who is flagged take thresholds.
    assert names(review=REVIEW, constraints=limits(review_capacity=0.1, batch=5)) == plain
    both = limits(review_capacity=2, batch=20, min_recall=0.2)
    assert names(review=REVIEW, constraints=both) == plain
    found = cs.decide(
        *(y, {"m": s}),
        case_costs=cs.CaseCosts(fp_cost=np.linspace(1, 3, 60), fn_cost=8.0),
        review=REVIEW,
        constraints=limits(review_capacity=2, batch=20),
    )
    assert not any(isinstance(fit, FittedReviewQueue) for fit in found.fits)


def test_influences_are_what_one_more_row_changes_for_others():
    """Batches are short beside the rows, so that whether these are drawn matters little."""
    rng, n, p, more = np.random.default_rng(1), 2000, 0.2, 0.1
    y = np.arange(n) % 5 == 0
    s = 1 / (1 + np.exp(2 - rng.normal(size=n) - 1.5 * y))
    share, side = np.where(y, p, 1 - p), np.where(y, y.sum(), (~y).sum())

    def found_at(w):
        review = cs.Review(0.2, 0.95, 0.98)
        _, fit = decided(y, s, 0.1, 20, p, cs.ScoreDriven(), sample_weight=w, review=review)
        mass = np.where(y, p * w / w[y].sum(), (1 - p) * w / w[~y].sum())
        return fit, np.array([fit.money, mass @ fit.reviewed, mass @ fit.flagged])

    fit, whole = found_at(np.ones(n))
    moved = np.array(
        [np.sum(one, axis=0) for one in (fit.losses_moved, fit.moved("review"), fit.moved("flag"))]
    )
    said = np.array([fit.row_losses, share * fit.reviewed, share * fit.flagged])
    means = np.where(y, said[:, y].mean(axis=1)[:, None], said[:, ~y].mean(axis=1)[:, None])
    own = (said - means) * n / side
    largest = np.abs(moved).max(axis=1)
    assert (largest > [300, 0.3, 0.2]).all()
    for row in np.argsort(s)[np.linspace(100, n - 50, 8).astype(int)]:
        _, changed = found_at(np.where(np.arange(n) == row, 1 + more, 1.0))
        others = (changed - whole) * n / more - own[:, row]
        np.testing.assert_array_less(np.abs(others - moved[:, row]), 0.02 * largest)


@pytest.mark.simulation
@pytest.mark.parametrize("estimated", [False, True])
def test_its_error_is_that_over_samples(estimated):
    rng = np.random.default_rng(0)
    found, widths, reviewed, flagged = [], [], [], []
    for _ in range(60):
        y = rng.random(500) < 0.2 if estimated else np.arange(500) < 100
        s = 1 / (1 + np.exp(2 - rng.normal(size=500) - 1.5 * y))
        # The prevalence moves no threshold.
        p, choice = None if estimated else 0.2, cs.ScoreDriven()
        decision, own = decided(y, s, 0.06, 50, p, choice)
        (one,) = (x for x in decision.strategies if x.strategy == own.strategy)
        found.append(one.money)
        widths.append(one.standard_error)
        counts = decision.outcomes(own.strategy)
        for seen, count in ((reviewed, counts.reviewed_positives), (flagged, counts.flagged)):
            seen.append((count.value, (count.high - count.low) / 3.92))
    assert 0.75 < np.std(found) / np.mean(widths) < 1.25
    for seen in (reviewed, flagged):
        values, errors = np.array(seen).T
        assert 0.75 < np.std(values) / np.mean(errors) < 1.3

"""Intervals of what a queue flags, against many samples of a known population."""

import numpy as np
import pytest
from scipy.stats import beta, norm

import costspace as cs
from costspace.cli.decision_notes import needed_notes
from costspace.decision.evidence.outcomes import outcomes_of
from costspace.decision.words import alone_shown

GAP = 2.0
COUNTS = ["true_positives", "false_negatives", "false_positives", "true_negatives"]


def expected(p, places, size):
    """The outcomes in batches drawn from normal scores; of one queue if there is no size."""
    x = np.linspace(-9, 9 + GAP, 200_001)
    above = (1 - p) * norm.sf(x) + p * norm.sf(x - GAP)
    share = places if size is None else places / size
    chance = above <= share if size is None else beta.sf(above, places, size - places)
    alarms = 1000 * (1 - p) * np.trapezoid(chance * norm.pdf(x), x)
    hits = 1000 * p * np.trapezoid(chance * norm.pdf(x - GAP), x)
    counts = dict(
        zip(COUNTS, (hits, 1000 * p - hits, alarms, 1000 * (1 - p) - alarms), strict=True)
    )
    return {**counts, "precision": hits / (1000 * share), "recall": hits / (1000 * p)}


def queue_of(y, s, share, size, known, **more):
    choices = {"mine": cs.RateFixed(share, batch=size)}
    decision = cs.decide(y, {"m": s}, conditions=known, choices=choices, **more)
    fit = next(one for one in decision.fits if one.strategy.name == "mine")
    one = next(one for one in decision.strategies if one.strategy.name == "mine")
    return fit, one


@pytest.mark.simulation
@pytest.mark.parametrize(("size", "estimated"), [(20, False), (50, True), (None, False)])
def test_intervals_are_as_wide_as_outcomes_vary(size, estimated):
    p, share, n = 0.1, 0.1, 500
    rng = np.random.default_rng(1)
    right = expected(p, share if size is None else share * size, size)
    known = cs.Deployment(1, 10) if estimated else cs.Deployment(1, 10, p)
    values = {name: [] for name in [*right, "cost"]}
    widths = {name: [] for name in values}
    held = dict.fromkeys(right, 0)
    for _ in range(80):
        y = rng.random(n) < p if estimated else np.arange(n) < p * n
        fit, one = queue_of(y, rng.normal(GAP * y), share, size, known)
        outcomes = outcomes_of(fit)
        assert outcomes.flagged.low == outcomes.flagged.value == outcomes.flagged.high
        assert outcomes.flagged.value == pytest.approx(1000 * share, abs=2)
        values["cost"].append(one.money)
        widths["cost"].append(one.high - one.low)
        for name, value in right.items():
            found = getattr(outcomes, name)
            values[name].append(found.value)
            widths[name].append(found.high - found.low)
            held[name] += found.low <= value <= found.high
    for name, found in values.items():
        assert 0.8 < np.mean(widths[name]) / (2 * 1.96 * np.std(found)) < 1.3, name
    assert min(held.values()) >= 70


def test_none_of_many_negatives_near_the_top_is_no_more_than_that():
    y = np.arange(400) < 120
    s = np.arange(400)[::-1] / 400
    fit, _ = queue_of(y, s, 0.1, 20, cs.Deployment(1, 10, 0.3))
    found = outcomes_of(fit)
    assert 0 < found.false_positives.value < 0.5
    # As much as one row in a hundred negatives may be above all positives.
    assert 700 / 280 < found.false_positives.high < 3.7 * 700 / 280
    assert found.true_positives.high <= 100
    assert found.precision.low < 0.975


def test_ties_that_a_queue_leaves_out_are_seen_in_the_rows():
    rng = np.random.default_rng(2)
    y = np.arange(500) < 100
    fit, _ = queue_of(y, np.round(rng.normal(y) * 2) / 2, 0.1, None, cs.Deployment(1, 10, 0.2))
    found = outcomes_of(fit).flagged
    assert found.value < 90
    assert found.low < found.value < found.high <= 100


@pytest.mark.parametrize("size", [None, 20, 100])
def test_a_queue_of_cases_with_amounts_costs_what_it_flags(size):
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.2
    amounts = 5 * rng.lognormal(size=400)
    rows = cs.ScoredRows.from_predictions(
        y, {"m": np.round(rng.normal(1.5 * y), 2)}, case_costs=cs.CaseCosts(1.0, amounts)
    )
    decision = cs.decide(rows, choices={"mine": cs.RateFixed(0.1, batch=size)})
    fit = next(one for one in decision.fits if one.strategy.name == "mine")
    flagged = fit.flagged
    lost = np.where(y, amounts * (1 - flagged), flagged)
    assert fit.money == pytest.approx(1000 * np.mean(lost))


def needed(decision):
    fits = decision.choosing.in_order
    return needed_notes(decision, fits, fits, first=(), beside=())


@pytest.mark.simulation
@pytest.mark.parametrize(("size", "share"), [(20, 0.1), (50, 0.1), (20, 0.05)])
def test_one_by_one_a_queue_in_batches_keeps_its_places(size, share):
    rng = np.random.default_rng(4)
    y = rng.random(4000) < 0.1
    s = rng.normal(GAP * y)
    known = cs.Deployment(1, 20, (0.05, 0.1))
    limits = cs.Constraints(capacity=share, batch=size)
    decision = cs.decide(y, {"m": s}, conditions=known, constraints=limits)
    assert decision.strategy.name == "queue"
    rule = decision.rules.one_by_one
    for p, low in ((0.1, 0.03), (0.05, 0.0)):
        new = rng.random((20_000, size)) < p
        flagged = rule.flagged(rng.normal(GAP * new).ravel()).reshape(new.shape)
        over = np.mean(flagged.sum(axis=1) > share * size)
        assert low < over < 0.065
    above = rule.flagged(s)
    fpr, recall = above[~y].mean(), above[y].mean()
    cost = 1000 * (known.negative_stake * fpr + known.positive_stake * (1 - recall))
    (told,) = (note for note in needed(decision) if note.startswith("One by one"))
    assert f"within the places of 19 of 20 batches; costs {alone_shown(cost)}; " in told

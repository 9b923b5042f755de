"""Choosing on the rows that strategies are fitted on, against the same by hand."""

import numpy as np
import pytest
from brute_force_decision import Sample
from hypothesis import given, settings
from hypothesis import strategies as st
from two_models import sample

import costspace as cs

KNOWN = cs.Deployment(1, (2, 20), 0.3, tn_cost=-0.25)
# The mean of a log-uniform cost of a false negative.
STAKES = 0.7 * 1.25, 0.3 * 18 / np.log(10)
FIXED = 0.4
CHOICES = {"best": cs.Optimal(), "fixed": cs.ScoreFixed(FIXED)}


class Way:
    """A strategy by hand: a threshold on the scores of a model, chosen on some rows."""

    def __init__(self, model, name):
        self.model, self.name = model, name

    def threshold(self, train):
        if self.model is None:
            return {"flag_nobody": np.inf, "flag_everybody": -np.inf}[self.name]
        if self.name == "fixed":
            return FIXED
        rule = train.best_cut_within(*STAKES, {"capacity": 1}, [0.3])
        return train.cuts[np.flatnonzero(rule)[0]]


WAYS = [
    Way(None, "flag_nobody"),
    Way(None, "flag_everybody"),
    *(Way(model, name) for model in ("a", "b") for name in CHOICES),
]


class ByHand:
    """Every strategy fitted on some rows, and the cheapest there."""

    def __init__(self, rows):
        self.rows, self.w = rows, np.ones(len(rows)) if rows.weight is None else rows.weight

    def losses(self, way, threshold):
        scores = np.zeros(len(self.rows)) if way.model is None else self.rows.scores[way.model]
        flagged, y = scores > threshold, self.rows.positive
        return 1000 * np.where(y, STAKES[1] * ~flagged, STAKES[0] * flagged)

    def money(self, losses, of=slice(None)):
        y, w = self.rows.positive[of], self.w[of]
        means = (np.average(losses[of][side], weights=w[side]) for side in (~y, y))
        return sum(means) - 1000 * 0.7 * 0.25

    def chosen(self, train):
        """The first of the cheapest strategies on some rows, its threshold and its cost there."""
        found = []
        for way in WAYS:
            own = None
            if way.model is not None:
                scores = self.rows.scores[way.model]
                own = Sample(self.rows.positive[train], scores[train], self.w[train])
            threshold = way.threshold(own)
            found.append((way, threshold, self.money(self.losses(way, threshold), train)))
        least = min(cost for *_, cost in found)
        return next(one for one in found if one[2] <= least + 1e-9)


def names(strategy):
    return strategy.model, strategy.name


def decided(rows, **more):
    return cs.decide(rows, conditions=KNOWN, choices=CHOICES, **more)


@given(st.integers(0, 9999), st.booleans(), st.sampled_from([24, 60]))
@settings(max_examples=12)
def test_fitting_and_choosing_are_repeated_outside_each_fold(seed, weighted, n):
    rows = sample(n, seed, weighted=weighted)
    choosing, hand = decided(rows).choosing, ByHand(rows)
    every = np.ones(n, bool)
    way, _, apparent = hand.chosen(every)
    losses, parts = np.zeros(n), choosing.task.judged.parts
    chosen = []
    for k, part in enumerate(parts):
        train = every.copy()
        train[part] = False
        found, cut, cost = hand.chosen(train)
        chosen.append((found.model, found.name))
        assert choosing.in_parts[k].apparent_of(k) == pytest.approx(cost, rel=1e-9)
        losses[part] += hand.losses(found, cut)[part] / 10
    assert [names(fit.strategy) for fit in choosing.in_parts] == chosen
    assert len(parts) == 10 * 5
    if way.model is None:
        # A rule without a model is not fitted.
        losses = hand.losses(way, way.threshold(None))
    assert names(choosing.strategy) == (way.model, way.name)
    assert choosing.best.apparent_of(None) == pytest.approx(apparent, rel=1e-9)
    np.testing.assert_allclose(choosing.row_losses, losses, rtol=1e-9, atol=1e-9)
    money = hand.money(losses)
    assert choosing.money == pytest.approx(money, rel=1e-9)
    assert choosing.selection == pytest.approx(max(money - apparent, 0), rel=1e-7, abs=1e-9)


def test_what_is_chosen_stands_first_though_another_costs_less_held_out():
    found = 0
    for seed in range(30):
        decision = decided(sample(40, seed))
        own, least = decision.choosing, min(fit.money for fit in decision.fits)
        assert decision.recommendation.money == own.money
        assert decision.recommendation.choice == own.best.strategy.name
        assert own.best.apparent_of(None) == pytest.approx(
            min(fit.apparent_of(None) for fit in decision.fits), rel=1e-9
        )
        found += own.best.money > least
        if found > 1:
            break
    assert found


def test_a_recommended_trivial_rule_has_its_exact_cost():
    known, otherwise = cs.Deployment(1, 2, 0.3), 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        decision = cs.decide(np.arange(60) % 3 == 0, rng.normal(size=60), conditions=known)
        found, own = decision.recommendation, decision.choosing
        if found.model is None:
            otherwise += any(fit is not own.best for fit in own.in_parts)
            assert found.money == decision.trivial[found.choice] == found.interval.high
            assert decision.outcomes().flagged.value in (0, 1000)
    assert otherwise > 2


def test_on_validation_rows_there_is_no_selection():
    rows, other = sample(60, 1), sample(50, 2)
    choosing = decided(rows, validation=other).choosing
    hand, there = ByHand(rows), ByHand(other)
    way, threshold, _ = hand.chosen(np.ones(60, bool))
    assert names(choosing.strategy) == (way.model, way.name)
    losses = there.losses(way, threshold)
    assert choosing.money == pytest.approx(there.money(losses), rel=1e-9)
    assert (choosing.selection, len(choosing.in_parts)) == (0, 1)


def test_with_separated_classes_all_folds_choose_the_same():
    y = np.arange(60) % 2 == 0
    rows = cs.ScoredRows.from_predictions(y, {"a": 0.3 + 0.4 * y, "b": np.full(60, 0.5)})
    choosing = decided(rows).choosing
    assert all(fit is choosing.best for fit in choosing.in_parts)
    assert choosing.selection == 0
    assert names(choosing.strategy) == ("a", "best")


def test_a_tie_goes_to_the_simplest():
    # Useless scores: flagging all costs what flagging nobody does, and no threshold costs less.
    y = np.arange(40) % 2 == 0
    rows = cs.ScoredRows.from_predictions(y, {"a": np.full(40, 0.2), "b": np.full(40, 0.7)})
    known = cs.Deployment(1, 1, 0.5)
    choosing = cs.decide(rows, conditions=known, choices=CHOICES).choosing
    assert choosing.strategy.name == "flag_nobody"
    assert choosing.money == 500


@pytest.mark.parametrize("size", [1e-45, 1e-13, 1e13])
def test_what_is_chosen_does_not_depend_on_the_unit_of_money(size):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    scores = {"m": rng.normal(2.0 * y)}
    plain = cs.decide(y, scores, conditions=cs.Deployment(1, 5, 0.2))
    scaled = cs.decide(y, scores, conditions=cs.Deployment(size, 5 * size, 0.2))
    assert plain.strategy.model == "m"
    assert scaled.strategy == plain.strategy

"""Choosing on the rows that strategies are fitted on, against the same by hand."""

import numpy as np
import pytest
from brute_force_decision import Sample
from hypothesis import given, settings
from hypothesis import strategies as st
from two_models import sample

import costspace as cs
from costspace.decision.rules.written import written

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
        """The first of the cheapest strategies with a model on some rows, and its threshold.

        Of those that cost the same there what learns nothing comes first, and then the nearest to
        probabilities on all rows.
        """
        found = []
        for way in sorted(WAYS[2:], key=self.place):
            threshold = self.fitted(way, train)
            found.append((way, threshold, self.money(self.losses(way, threshold), train)))
        least = min(cost for *_, cost in found)
        return next(one[:2] for one in found if one[2] <= least + 1e-9)

    def place(self, way):
        scores = self.rows.scores[way.model]
        near = scores.min() >= 0 and scores.max() <= 1
        squares = (scores - self.rows.positive) ** 2
        return way.name != "fixed", np.average(squares, weights=self.w) if near else np.inf

    def fitted(self, way, train):
        if way.model is None:
            return way.threshold(None)
        y, s, w = self.rows.positive[train], self.rows.scores[way.model][train], self.w[train]
        threshold = way.threshold(Sample(y, s, w))
        if way.name == "score_fixed":
            return threshold
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
        found = written(cs.Rule(float(threshold)), table).thresholds
        return found[0]


def names(strategy):
    return strategy.model, strategy.name


def decided(rows, **more):
    return cs.decide(rows, conditions=KNOWN, choices=CHOICES, **more)


@given(st.integers(0, 9999), st.booleans(), st.sampled_from([24, 60]))
@settings(max_examples=12)
def test_costs_have_the_margin_of_choosing_outside_each_fold(seed, weighted, n):
    rows = sample(n, seed, weighted=weighted)
    choosing, hand = decided(rows).choosing, ByHand(rows)
    parts, chosen = choosing.task.judged.parts, np.zeros(n)
    held_out = {names(way): np.zeros(n) for way in WAYS}
    assert len(parts) == 10 * 5
    for part in parts:
        train = np.ones(n, bool)
        train[part] = False
        for way in WAYS:
            losses = hand.losses(way, hand.fitted(way, train))
            held_out[names(way)][part] += losses[part] / 10
        chosen[part] += hand.losses(*hand.chosen(train))[part] / 10
    costs = {name: hand.money(losses) for name, losses in held_out.items()}
    margin = hand.money(chosen) - min(cost for (model, _), cost in costs.items() if model)
    assert choosing.margin == pytest.approx(max(margin, 0), rel=1e-7, abs=1e-7)
    for fit in choosing.fits:
        trivial = [costs[names(one.strategy)] for one in choosing.fits[:2]]
        own = costs[names(fit.strategy)]
        if fit.strategy.model is not None and not any(abs(own - one) < 1e-9 for one in trivial):
            costs[names(fit.strategy)] += choosing.margin
        assert choosing.priced(fit).money == pytest.approx(costs[names(fit.strategy)], rel=1e-9)
    assert costs[names(choosing.strategy)] == pytest.approx(min(costs.values()), rel=1e-9)


def test_what_costs_least_is_recommended_and_stands_first():
    margins = 0
    for seed in range(20):
        decision = decided(sample(40, seed))
        first, *others = decision.choosing.in_order
        found = decision.recommendation
        assert (found.money, found.choice) == (first.money, first.strategy.name)
        assert first.money == pytest.approx(min(one.money for one in decision.strategies))
        assert [one.ranked for one in others] == sorted(one.ranked for one in others)
        margins += decision.evidence.margin > 1
    assert margins > 5


def test_the_order_of_models_and_methods_changes_nothing():
    rows = sample(60, 3)
    turned = cs.ScoredRows(rows.positive, dict(reversed(rows.scores.items())))
    one, other = (
        cs.decide(some, conditions=KNOWN, choices=choices)
        for some, choices in ((rows, CHOICES), (turned, dict(reversed(CHOICES.items()))))
    )
    assert one.recommendation.text == other.recommendation.text
    assert one.evidence.margin == other.evidence.margin


def test_one_strategy_with_a_model_has_no_margin_and_neither_have_rules_that_are_given():
    rows = sample(40, 3)
    alone = cs.decide(rows, conditions=KNOWN, choices=CHOICES, baseline=("a", 0.3))
    assert alone.evidence.margin > 0
    for fit in alone.choosing.fits:
        given = fit.strategy.model is None or fit.strategy.name == "baseline"
        margin = 0.0 if given else alone.evidence.margin
        assert alone.choosing.priced(fit).money == fit.money + margin
    one = cs.ScoredRows(rows.positive, {"a": rows.scores["a"]})
    assert cs.decide(one, conditions=KNOWN, choices=[cs.Optimal()]).evidence.margin == 0


def test_what_does_the_same_as_the_rule_in_use_costs_the_same():
    rows = sample(60, 1)
    choices = {"fixed": cs.ScoreFixed(0.3), "best": cs.Optimal()}
    decision = cs.decide(rows, conditions=KNOWN, choices=choices, baseline=("a", 0.3))
    cost = {names(one.strategy): one.money for one in decision.strategies}
    assert decision.evidence.margin > 0
    assert cost["a", "fixed"] == cost["a", "baseline"]


def test_a_recommended_trivial_rule_has_its_exact_cost():
    known, found = cs.Deployment(1, 2, 0.3), 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        decision = cs.decide(np.arange(60) % 3 == 0, rng.normal(size=60), conditions=known)
        one = decision.recommendation
        if one.model is None:
            found += 1
            assert one.money == decision.trivial[one.choice] == one.interval.high
            assert decision.outcomes().flagged.value in (0, 1000)
    assert found > 2


def test_on_validation_rows_their_own_folds_choose():
    rows, other = sample(60, 1), sample(50, 2)
    decision, hand, there = decided(rows, validation=other), ByHand(rows), ByHand(other)
    losses = {}
    for way in WAYS[2:]:
        losses[names(way)] = there.losses(way, hand.fitted(way, np.ones(60, bool)))
    fold, chosen = np.zeros(50, int), np.zeros(50)
    among = [names(fit.strategy) for fit in decision.choosing.candidates if fit.strategy.model]
    stake = max(map(abs, decision.trivial.values()))
    said = np.round([losses[name] / stake for name in among], 10)
    # Whatever their order in the file, by what they say of the last strategy, the one before, ...
    rank = sorted(range(50), key=lambda i: (other.positive[i], *said[::-1, i]))
    for side in (False, True):
        own = [i for i in rank if other.positive[i] == side]
        fold[np.random.default_rng(0).permutation(own)] = np.arange(len(own)) % 5
    for k in range(5):
        costs = {name: there.money(one, fold != k) for name, one in losses.items()}
        chosen[fold == k] = losses[min(costs, key=costs.get)][fold == k]
    least = min(there.money(one) for one in losses.values())
    assert decision.evidence.margin == pytest.approx(max(there.money(chosen) - least, 0))
    assert decision.evidence.selection == 0


def test_a_class_of_one_validation_row_leaves_no_margin():
    other = sample(20, 2)
    one = other.take(~other.positive | (np.cumsum(other.positive) == 1))
    assert decided(sample(60, 1), validation=one).evidence.margin == 0


def test_with_separated_classes_there_is_no_margin():
    y = np.arange(60) % 2 == 0
    rows = cs.ScoredRows.from_predictions(y, {"a": 0.3 + 0.4 * y, "b": np.full(60, 0.5)})
    decision = decided(rows)
    assert (decision.evidence.margin, decision.evidence.selection) == (0, 0)
    assert decision.strategy.model == "a"


def test_a_tie_goes_to_the_simplest():
    # Useless scores: flagging all costs what flagging nobody does, and no threshold costs less.
    y = np.arange(40) % 2 == 0
    rows = cs.ScoredRows.from_predictions(y, {"a": np.full(40, 0.2), "b": np.full(40, 0.7)})
    known = cs.Deployment(1, 1, 0.5)
    choosing = cs.decide(rows, conditions=known, choices=CHOICES).choosing
    assert choosing.strategy.name == "flag_nobody"
    assert choosing.priced(choosing.best).money == 500


@pytest.mark.parametrize("size", [1e-45, 1e-13, 1e13])
def test_what_is_chosen_does_not_depend_on_the_unit_of_money(size):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    scores = {"m": rng.normal(2.0 * y)}
    plain = cs.decide(y, scores, conditions=cs.Deployment(1, 5, 0.2))
    scaled = cs.decide(y, scores, conditions=cs.Deployment(size, 5 * size, 0.2))
    assert plain.strategy.model == "m"
    assert scaled.strategy == plain.strategy

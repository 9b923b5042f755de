"""Intervals of strategies: rows add up to the cost, intervals cover it and never fail silently."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_models import drawn, knowing

import costspace as cs
from costspace.decision.money.row_money import RowMoney
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY

RANGE = cs.Deployment(1, (2, 20), (0.05, 0.4), tn_cost=-0.1)


def amounts(seed, n=90):
    rng = np.random.default_rng(seed)
    return cs.CaseCosts(*rng.uniform(1, 9, (2, n)), tp_cost=-rng.random(n), tn_cost=0.2)


def fitted(decision, model, choice):
    """The fitted strategy of a model whose choice has a name."""
    (fit,) = (
        fit for fit in decision.fits if (fit.strategy.model, fit.strategy.name) == (model, choice)
    )
    return fit


def strategy_of(decision, model, choice):
    """What that costs."""
    return decision.evidence.of(fitted(decision, model, choice).strategy)


OPTIMAL_AND_FIXED = {"optimal": cs.Optimal(), "score_fixed": cs.ScoreFixed()}


LIMITS = cs.Constraints(capacity=0.35, min_precision=0.2)
SOME = cs.Deployment(1, (2, 20), cs.Drawn([0.1, 0.2, 0.35]))
CASES = {
    "range": {"conditions": RANGE},
    "known prevalence": {"conditions": cs.Deployment(1, (2, 20), 0.21, tp_cost=-0.4)},
    "one condition": {"conditions": cs.Deployment(1, 7.03, 0.21)},
    "scenarios": {"conditions": cs.Scenarios([1, 2.03], [5.07, 11.3], [0.1, 0.3])},
    "constraints": {"conditions": SOME, "constraints": LIMITS},
    "constraints, drawing": {"conditions": SOME, "constraints": LIMITS, "randomise": True},
    "known": {"conditions": RANGE, "known": "costs,prevalence"},
    "constraints at one": {"conditions": cs.Deployment(1, (2, 20), 0.21), "constraints": LIMITS},
    "validation": {"conditions": RANGE, "validation": drawn(2, 50)},
    "weights": {"conditions": RANGE, "sample_weight": np.arange(90) % 4},
    "groups": {"conditions": RANGE, "groups": np.arange(90) // 3},
    "case costs": {"case_costs": amounts(1)},
    "case costs, range": {"case_costs": amounts(1), "prevalence": (0.1, 0.3)},
    "case costs and weights": {"case_costs": amounts(1), "sample_weight": np.arange(90) % 4},
}


@pytest.mark.parametrize("case", CASES)
def test_rows_add_up_to_the_money(case):
    y, s = drawn(1, dtype=np.float32 if "prevalence" in case else float)
    decision = cs.decide(y, s, **CASES[case])
    evidence, choosing = decision.evidence, decision.choosing
    fits, task = choosing.fits, choosing.task
    rows = task.judged.rows
    counts = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    money = RowMoney(rows.take(counts), "sampling")
    assert len(evidence.strategies) == len(fits) >= 5
    others = [one for one in evidence.strategies if one.more and not np.isnan(one.more.p)]
    family = sum(one.strategy.model is not None and one.same_as is None for one in others)
    for fit, one in zip(fits, evidence.strategies, strict=True):
        own = choosing.priced(fit)
        losses = fit.row_losses[counts]
        total = money.mean(losses) + 1000 * task.conditions.constant + own.margin
        scale = 1000 * task.conditions.stake
        assert total == pytest.approx(own.money, rel=1e-11, abs=1e-11 * scale), str(fit.strategy)
        assert (one.strategy, one.rule, one.money) == (fit.strategy, fit.rule, own.money)
        assert one.low <= one.money <= one.high
        assert (one.more is None) == (fit is choosing.best)
        if one.more is None:
            continue
        more = own.money - choosing.priced(choosing.best).money
        assert one.more.difference == pytest.approx(more, abs=1e-9)
        assert one.more.low <= one.more.difference <= one.more.high
        if evidence.same_model(one.more):
            assert fit.strategy.model == choosing.strategy.model
            assert not evidence.settles(one.more)
        else:
            # Flagging nobody and everybody are not of the family.
            times = 1 if (one.same_as or one.strategy).model is None else family
            assert one.more.p_adjusted == min(1.0, one.more.p * times)
            assert (one.more.low > 0 or one.more.high < 0) == (one.more.p < 0.05)
            assert evidence.settles(one.more) == (one.more.p_adjusted < 0.05)


def test_a_difference_has_the_error_of_rows_that_differ_and_of_choosing():
    y, s = drawn(3, 400)
    decision = cs.decide(y, s, conditions=cs.Deployment(2, 9, 0.1), choices=OPTIMAL_AND_FIXED)
    one = strategy_of(decision, "tied", "score_fixed").more
    fixed = fitted(decision, "tied", "score_fixed")
    best = decision.choosing.priced(decision.choosing.best)
    apart = fixed.row_losses - best.row_losses
    variance = sum(
        np.var(apart[y == side], ddof=1) / np.sum(y == side)
        + (stake / (np.sum(y == side) + 1)) ** 2
        for side, stake in enumerate((1000 * 0.9 * 2, 1000 * 0.1 * 9))
    )
    # How much less either seems to cost on the rows that choose.
    margin = decision.evidence.margin
    chosen = best.money - best.fit.in_sample, margin
    assert min(chosen) > 0
    assert one.standard_error == pytest.approx(
        np.sqrt(variance + np.dot(chosen, chosen) / 2), rel=1e-9
    )


@pytest.mark.simulation
@pytest.mark.smoke
def test_intervals_cover():
    # Of logit-normal scores, whose rates at each threshold are known.
    rng = np.random.default_rng(0)
    known = cs.Deployment(1, 6, 0.1)
    side = rng.standard_normal(40_000)
    y_all = np.repeat([0, 1], 40_000)
    s_all = 1 / (1 + np.exp(1.0 - np.concatenate([side, side + 1.5])))
    population = cs.ScoreTable.from_predictions(y_all, s_all)
    covered = []
    for _ in range(80):
        y = (rng.random(250) < 0.3).astype(int)
        s = 1 / (1 + np.exp(1.0 - rng.standard_normal(250) - 1.5 * y))
        decision = cs.decide(y, {"m": s}, conditions=known, choices=OPTIMAL_AND_FIXED)
        held = fitted(decision, "m", "optimal")
        rules = [part.rules_at(0.5).one for part in held.parts[0]]
        points = [rule.on(population) for rule in (*rules, cs.Rule(0.5))]
        money = 1000 * np.array(
            [float(known.negative_stake * p.fpr + known.positive_stake * p.fnr) for p in points]
        )
        chosen, fixed = (
            strategy_of(decision, "m", "optimal"),
            strategy_of(decision, "m", "score_fixed"),
        )
        covered.append(
            (
                chosen.low <= money[:-1].mean() <= chosen.high,
                fixed.low <= money[-1] <= fixed.high,
            )
        )
    shares = np.mean(covered, axis=0)
    assert np.all(shares >= 0.89), shares


def test_counts_are_repeated_rows():
    y, s = drawn(4)
    others, scores = drawn(5, 60)
    w = np.random.default_rng(0).integers(0, 4, 60)
    counted = cs.ScoredRows.from_predictions(others, scores, sample_weight=w)
    repeated = cs.ScoredRows.from_predictions(others, scores).take(np.repeat(np.arange(60), w))
    # The margin of several strategies is found in folds of rows, however much they weigh.
    s = {"fine": s["fine"]}
    options = {"conditions": RANGE, "weights": "counts", "choices": [cs.Smoothed()]}
    first = cs.decide(y, s, validation=counted, **options).evidence
    second = cs.decide(y, s, validation=repeated, **options).evidence
    given = {"conditions": RANGE, "choices": [cs.Smoothed()]}
    sampled = cs.decide(y, s, validation=counted, **given).evidence
    for one, same, other in zip(
        first.strategies, second.strategies, sampled.strategies, strict=True
    ):
        numbers = (one.money, one.standard_error, one.low, one.high)
        assert numbers == pytest.approx(
            (same.money, same.standard_error, same.low, same.high), rel=1e-9
        )
        if one.strategy.model is not None:
            assert other.standard_error != pytest.approx(one.standard_error, rel=1e-3)


def test_thresholds_are_learnt_from_counts_as_from_repeated_rows():
    y, s = drawn(4, 120)
    w = np.random.default_rng(1).integers(0, 4, 120)
    counted = cs.ScoredRows.from_predictions(y, s, sample_weight=w)
    repeated = cs.ScoredRows.from_predictions(y, s).take(np.repeat(np.arange(120), w))
    judged = cs.ScoredRows.from_predictions(*drawn(5))
    options = {"conditions": RANGE, "validation": judged, "choices": [cs.Smoothed()]}
    first, second, sampled = (
        strategy_of(cs.decide(rows, **options, weights=weights), "fine", "smoothed").money
        for rows, weights in ((counted, "counts"), (repeated, "counts"), (counted, "sampling"))
    )
    assert first == pytest.approx(second, rel=1e-9)
    assert first != pytest.approx(sampled, rel=1e-9)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_folds_do_not_cut_groups(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n = data.draw(st.integers(4, 40))
    groups = rng.integers(0, data.draw(st.integers(2, 20)), n)
    y = rng.random(n) < 0.4
    if y.all() or not y.any():
        return
    rows = cs.ScoredRows.from_predictions(y, {"m": rng.random(n)}, groups=groups)
    fewest = min(len(np.unique(groups[y])), len(np.unique(groups[~y])))
    if fewest < 2:
        with refused(
            cs.LabelError, "cross-validation needs 2 groups of each class, got a class of 1"
        ):
            cs.hold_out(rows)
        return
    held_out = cs.hold_out(rows)
    for group in np.unique(groups):
        assert len(np.unique(held_out.folds[0][groups == group])) == 1
    assert held_out.folds[0].max() + 1 == min(5, fewest)
    for part in held_out.judged.parts:
        assert 0 < y[part].sum() < len(part)


def test_flagging_nobody_costs_exactly_what_the_conditions_say():
    y, s = drawn(8)
    nobody = cs.decide(y, s, conditions=RANGE).evidence.of(FLAG_NOBODY)
    assert (nobody.standard_error, nobody.low, nobody.high) == (0, nobody.money, nobody.money)
    some = amounts(2)
    # False negatives cost so much that flagging nobody is not chosen.
    costs = cs.CaseCosts(some.fp_cost, 5 * some.fn_cost, some.tp_cost, some.tn_cost)
    evidence = cs.decide(y, s, case_costs=costs).evidence
    nobody = evidence.of(FLAG_NOBODY)
    paid = np.where(y == 1, costs.fn_cost, costs.tn_cost)
    assert nobody.money == pytest.approx(1000 * paid.mean())
    variance = 0.0
    for side in (0, 1):
        own = 1000 * paid[y == side] - nobody.money
        variance += np.sum(own**2) / (1 - 1 / len(own)) / len(y) ** 2
    assert nobody.standard_error == pytest.approx(np.sqrt(variance))
    # A prevalence that is given does not vary, nor do amounts that are the same for all.
    fixed = cs.CaseCosts(3, costs.fn_cost)
    evidence = cs.decide(y, s, case_costs=fixed, prevalence=0.3).evidence
    assert evidence.of(FLAG_EVERYBODY).method == "known"
    assert evidence.of(FLAG_NOBODY).method == "cubic"
    evidence = cs.decide(y, s, case_costs=fixed).evidence
    assert evidence.of(FLAG_EVERYBODY).method == "cubic"


def test_two_exactly_known_costs_differ_without_an_interval():
    y = np.tile([0, 1], 20)
    known = cs.Deployment(1, 2, 0.4)
    evidence = cs.decide(y, np.full(40, 0.5), conditions=known).evidence
    more = [
        one.more
        for one in evidence.strategies
        if one.strategy.model is None and one.more is not None
    ]
    assert [(one.method, one.p, one.low) for one in more] == [("known", 0.0, more[0].difference)]


def test_separated_classes_still_have_an_interval():
    y, s = np.repeat([0, 1], 50), np.linspace(0, 1, 100)
    given = {"choices": [cs.ScoreFixed(0.497), cs.Optimal(), cs.ScoreFixed()]}
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 5, 0.2), **given)
    best = strategy_of(decision, "m", decision.recommendation.choice)
    assert (best.money, best.low, best.method) == (0, 0, "logit")
    # More than half a mistake in either class, of what is at stake, 0.8 + 1 per case.
    assert 1800 / 102 < best.high < 300
    assert decision.recommendation.choice == "ScoreFixed(threshold=0.497)"
    same = strategy_of(decision, "m", "score_fixed").more
    assert same.none
    assert same.method == "known"
    assert not decision.evidence.settles(same)
    json.dumps(decision.to_dict(), allow_nan=False)


def test_one_row_of_a_class_is_no_interval_with_a_reason():
    y, s = drawn(9)
    one = (np.array([0, 0, 0, 1]), {name: x[:4] for name, x in s.items()})
    decision = cs.decide(y, s, conditions=RANGE, validation=one)
    assert len(decision.strategies) == len(decision.fits)
    assert decision.evidence.more(decision.strategies[0].strategy) is None
    reason = "the rarer class has 1 row, and fewer than 5 say too little."
    assert decision.evidence.reason == reason
    assert decision.recommendation.told[0] == f"There is no interval: {reason}"
    found = json.loads(json.dumps(decision.to_dict(), allow_nan=False))
    assert found["evidence"]["reason"] == decision.evidence.reason
    assert (found["recommendation"]["low"], found["recommendation"]["high"]) == (None, None)
    assert np.isnan(decision.evidence.columns()["low"]).all()
    for row, fit in zip(found["strategies"], decision.fits, strict=True):
        assert (row["model"], row["choice"]) == (fit.strategy.model, fit.strategy.name)
        own = decision.choosing.priced(fit)
        assert row["cost_per_1000"] == pytest.approx(own.money, rel=1e-12)
        assert (row["low"], row["interval"], row["more"]) == (None, None, None)
    blind = cs.decide(y, s, conditions=RANGE, constraints=cs.Constraints(0.1, min_recall=0.9))
    assert blind.evidence is None


def test_the_recommendation_has_the_interval_of_its_strategy():
    y, s = drawn(10, 600)
    known = cs.Deployment(1, 4, 0.35)
    scores = {"good": s["fine"], "noise": np.random.default_rng(0).random(600)}
    decision = cs.decide(y, scores, conditions=known)
    found, own = decision.recommendation, decision.recommendation.interval
    assert "95 % interval" in found.text
    assert own == strategy_of(decision, "good", found.choice)
    *_, told = found.beside
    assert told.startswith("The next best model, noise, costs ")
    twins = {"one": s["fine"], "other": s["fine"] + 1e-3 * s["tied"]}
    text = knowing(y, twins, conditions=cs.Deployment(1, (2, 9), 0.35)).recommendation.text
    assert "No clear winner: " in text


def test_level_and_what_is_refused():
    y, s = drawn(11)
    wide, narrow = (
        cs.decide(y, s, conditions=RANGE, level=level).evidence for level in (0.99, 0.5)
    )
    assert (wide.level, narrow.level, wide.n, wide.design) == (0.99, 0.5, 90, "stratified")
    for one, other in zip(wide.strategies, narrow.strategies, strict=True):
        assert one.standard_error == other.standard_error
        if one.standard_error > 0:
            assert one.low < other.low < other.high < one.high
    columns = wide.columns()
    assert {len(column) for column in columns.values()} == {len(wide.strategies)}
    assert np.sum(np.isnan(columns["difference"])) == 1
    with refused(cs.ConditionError, "level must be in (0, 1), got 95: 95 % is 0.95."):
        cs.decide(y, s, conditions=RANGE, level=95)
    with refused(cs.ConditionError, "weights must be 'sampling' or 'counts', got 'copies'."):
        cs.decide(y, s, conditions=RANGE, weights="copies")
    with refused(cs.SourceError, "groups has 3 values for 90 labels"):
        cs.decide(y, s, conditions=RANGE, groups=[1, 2, 3])
    with refused(cs.ConditionError, "the rows have groups and the validation rows"):
        cs.decide(y, s, conditions=RANGE, groups=np.arange(90), validation=(y, s))

"""Intervals for what could be done: they add up to the money, cover it, and never fail silently."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_models import drawn

import costspace as cs
from costspace.decision import deciding
from costspace.decision.row_money import RowMoney
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


@pytest.fixture
def weighed(monkeypatch):
    """What decide weighs: the fitted strategies that are feasible, and the best."""
    seen = []

    def noted(*arguments, **options):
        seen.append(arguments)
        return evidence_of(*arguments, **options)

    evidence_of = deciding.evidence_of
    monkeypatch.setattr(deciding, "evidence_of", noted)
    return seen


LIMITS = cs.Constraints(capacity=0.35, min_precision=0.2)
SOME = cs.Deployment(1, (2, 20), cs.Drawn([0.1, 0.2, 0.35]))
CASES = {
    "range": {"conditions": RANGE},
    "known prevalence": {"conditions": cs.Deployment(1, (2, 20), 0.21, tp_cost=-0.4)},
    "one condition": {"conditions": cs.Deployment(1, 7.03, 0.21)},
    "scenarios": {"conditions": cs.Scenarios([1, 2.03], [5.07, 11.3], [0.1, 0.3])},
    "constraints": {"conditions": SOME, "constraints": LIMITS},
    "constraints, cuts only": {"conditions": SOME, "constraints": LIMITS, "randomise": False},
    "constraints at one": {"conditions": cs.Deployment(1, (2, 20), 0.21), "constraints": LIMITS},
    "validation": {"conditions": RANGE, "validation": drawn(2, 50)},
    "weights": {"conditions": RANGE, "sample_weight": np.arange(90) % 4},
    "groups": {"conditions": RANGE, "groups": np.arange(90) // 3},
    "case costs": {"case_costs": amounts(1)},
    "case costs, range": {"case_costs": amounts(1), "prevalence": (0.1, 0.3)},
    "case costs and weights": {"case_costs": amounts(1), "sample_weight": np.arange(90) % 4},
}


@pytest.mark.parametrize("case", CASES)
def test_rows_add_up_to_the_money(weighed, case):
    y, s = drawn(1, dtype=np.float32 if "prevalence" in case else float)
    evidence = cs.decide(y, s, **CASES[case]).evidence
    fits, best = weighed[0]
    task = best.task
    rows = task.held_out.judged
    counts = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    money = RowMoney(rows.take(counts), "sampling", None)
    assert len(evidence.strategies) == len(fits) >= 7
    for fit, one in zip(fits, evidence.strategies, strict=True):
        losses = fit.row_losses()[counts]
        total = money.mean(losses) + 1000 * task.conditions.constant
        scale = 1000 * task.conditions.stake
        assert total == pytest.approx(fit.money, rel=1e-11, abs=1e-11 * scale), str(fit.strategy)
        assert (one.strategy, one.rule, one.money) == (fit.strategy, fit.rule, fit.money)
        assert one.low <= one.money <= one.high
        assert (one.more is None) == (fit is best)
        if one.more is not None:
            assert one.more.difference == pytest.approx(fit.money - best.money, abs=1e-9)
            assert one.more.low <= one.more.difference <= one.more.high
            assert one.more.p_adjusted == min(1.0, one.more.p * (len(fits) - 1))
            assert (one.more.low > 0 or one.more.high < 0) == (one.more.p < 0.05)
            assert evidence.settles(one.more) == (one.more.p_adjusted < 0.05)


def test_fixed_thresholds_have_the_error_of_two_proportions():
    y, s = drawn(3, 400)
    known = cs.Deployment(2, 9, 0.1)
    one = strategy_of(cs.decide(y, s, conditions=known), "fine", "score_fixed")
    flagged = s["fine"] > 0.5
    variance = 0.0
    for label, stake in ((0, 2 * 0.9), (1, 9 * 0.1)):
        rate = np.mean(flagged[y == label])
        variance += stake**2 * rate * (1 - rate) / (np.sum(y == label) - 1)
    assert one.standard_error == pytest.approx(1000 * np.sqrt(variance))


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
        decision = cs.decide(y, {"m": s}, conditions=known)
        held = fitted(decision, "m", "one_threshold")
        rules = [part.rules_at(0.5).one for part in held.parts[0]]
        points = [rule.on(population) for rule in (*rules, cs.Rule(0.5))]
        money = 1000 * np.array(
            [float(known.negative_stake * p.fpr + known.positive_stake * p.fnr) for p in points]
        )
        chosen, fixed = (
            strategy_of(decision, "m", "one_threshold"),
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
    options = {"conditions": RANGE, "weights": "counts"}
    first = cs.decide(y, s, validation=counted, **options).evidence
    second = cs.decide(y, s, validation=repeated, **options).evidence
    sampled = cs.decide(y, s, validation=counted, conditions=RANGE).evidence
    for one, same, other in zip(
        first.strategies, second.strategies, sampled.strategies, strict=True
    ):
        numbers = (one.money, one.standard_error, one.low, one.high)
        assert numbers == pytest.approx(
            (same.money, same.standard_error, same.low, same.high), rel=1e-9
        )
        if one.strategy.model is not None:
            assert other.standard_error != pytest.approx(one.standard_error, rel=1e-3)


def test_clusters_widen_intervals():
    y, s = drawn(6, 120)
    three = np.repeat(np.arange(120), 3)
    grouped = cs.ScoredRows.from_predictions(
        y[three], {name: x[three] for name, x in s.items()}, groups=three
    )
    once = cs.ScoredRows.from_predictions(y, s)
    train = drawn(7)
    own, alone, blind = (
        strategy_of(cs.decide(*train, conditions=RANGE, validation=rows), "fine", "optimal")
        for rows in (grouped, once, cs.ScoredRows(grouped.positive, grouped.scores))
    )
    assert own.standard_error == pytest.approx(alone.standard_error, rel=0.02)
    assert own.standard_error == pytest.approx(np.sqrt(3) * blind.standard_error, rel=0.02)


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
        with refused(cs.LabelError, "cross-fitting needs 2 groups of each class, got a class of 1"):
            cs.hold_out(rows)
        return
    held_out = cs.hold_out(rows)
    for group in np.unique(groups):
        assert len(np.unique(held_out.fold[groups == group])) == 1
    assert held_out.fold.max() + 1 == min(5, fewest)
    for part in held_out.parts:
        assert 0 < y[part].sum() < len(part)


def test_what_conditions_say_is_known():
    y, s = drawn(8)
    nobody = cs.decide(y, s, conditions=RANGE).evidence.of(FLAG_NOBODY)
    assert (nobody.standard_error, nobody.low, nobody.high) == (0, nobody.money, nobody.money)
    costs = amounts(2)
    evidence = cs.decide(y, s, case_costs=costs).evidence
    nobody = evidence.of(FLAG_NOBODY)
    paid = np.where(y == 1, costs.fn_cost, costs.tn_cost)
    variance = sum(
        (share * np.std(paid[y == side], ddof=1)) ** 2 / np.sum(y == side)
        for side, share in ((0, 1 - y.mean()), (1, y.mean()))
    )
    assert nobody.standard_error == pytest.approx(1000 * np.sqrt(variance))
    fixed = cs.CaseCosts(3, costs.fn_cost)
    evidence = cs.decide(y, s, case_costs=fixed).evidence
    assert evidence.of(FLAG_EVERYBODY).method == "known"
    assert evidence.of(FLAG_NOBODY).method == "log"


def test_two_strategies_known_exactly_need_no_chance():
    y = np.tile([0, 1, 1, 0], 10)
    known = cs.Deployment(1, 2, 0.4)
    evidence = cs.decide(y, np.linspace(0, 1, 40), conditions=known).evidence
    more = [
        one.more
        for one in evidence.strategies
        if one.strategy.model is None and one.more is not None
    ]
    assert [(one.method, one.p, one.low) for one in more] == [("known", 0.0, more[0].difference)]


def test_separated_classes_leave_room_for_what_went_unseen():
    y, s = np.repeat([0, 1], 50), np.linspace(0, 1, 100)
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 5, 0.2))
    best = strategy_of(decision, "m", decision.recommendation.choice)
    assert (best.money, best.standard_error, best.low, best.method) == (0, 0, 0, "unseen")
    # About 3.7 / 50 of what is at stake, 0.8 + 1 per case.
    assert 100 < best.high < 150
    same = strategy_of(decision, "m", "optimal").more
    assert same.none
    assert same.low < 0 < same.high
    assert not decision.evidence.settles(same)
    json.dumps(decision.to_dict(), allow_nan=False)


def test_one_row_of_a_class_is_no_interval_with_a_reason():
    y, s = drawn(9)
    one = (np.array([0, 0, 0, 1]), {name: x[:4] for name, x in s.items()})
    decision = cs.decide(y, s, conditions=RANGE, validation=one)
    assert len(decision.strategies) == len(decision.fits)
    assert decision.evidence.more(decision.strategies[0].strategy) is None
    assert "at least two rows of each class" in decision.evidence.reason
    assert "There are no intervals: a standard error needs" in decision.recommendation.text
    found = json.loads(json.dumps(decision.to_dict(), allow_nan=False))
    assert found["evidence"]["reason"] == decision.evidence.reason
    assert (found["recommendation"]["low"], found["recommendation"]["high"]) == (None, None)
    assert np.isnan(decision.evidence.columns()["low"]).all()
    for row, fit in zip(found["strategies"], decision.fits, strict=True):
        assert (row["model"], row["choice"]) == (fit.strategy.model, fit.strategy.name)
        assert row["cost_per_1000"] == pytest.approx(fit.money, rel=1e-12)
        assert (row["low"], row["interval"], row["more"]) == (None, None, None)
    blind = cs.decide(y, s, conditions=RANGE, constraints=cs.Constraints(0.1, min_recall=0.9))
    assert blind.evidence is None


def test_the_recommendation_says_what_the_data_tell():
    y, s = drawn(10, 600)
    known = cs.Deployment(1, 4, 0.35)
    scores = {"good": s["fine"], "noise": np.random.default_rng(0).random(600)}
    decision = cs.decide(y, scores, conditions=known)
    text, own = decision.recommendation.text, decision.recommendation.interval
    assert "95 % interval" in text.partition("against")[0]
    assert own == strategy_of(decision, "good", decision.recommendation.choice)
    rivals = [one for one in decision.strategies if one.more and not one.more.none]
    rival = min(rivals, key=lambda one: one.money)
    told = (
        "It saves "
        if decision.evidence.settles(rival.more)
        else "The data do not separate it from the next best"
    )
    assert told in text
    twins = {"one": s["fine"], "other": s["fine"] + 1e-6}
    text = cs.decide(y, twins, conditions=cs.Deployment(1, (2, 9), 0.35)).recommendation.text
    assert "The data do not separate it from the next best" in text
    alone = cs.decide(y, {"good": np.where(y, 0.7, 0.3)}, conditions=known).recommendation.text
    assert "It saves " in alone
    assert "p below 0.001, adjusted for " in alone


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

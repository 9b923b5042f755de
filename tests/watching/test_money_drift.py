"""What keeping a rule costs on later rows: against sums by hand, decide, and repeated samples."""

import json

import numpy as np
import pytest
from refusals import refused
from two_periods import counts
from two_periods import sample as of_period

import costspace as cs
from costspace import ConditionError, InfeasibleError, SourceError
from costspace.watching.divided import divided

COSTS = {"fp_cost": 1, "fn_cost": 8}


def sample(seed, n=600, **more):
    return of_period(seed, n, **more)


def rows(y, s, **more):
    return cs.ScoredRows.from_predictions(y, {"m": s}, **more)


def cost_of(threshold, y, s, fp_cost, fn_cost):
    flagged = s > threshold
    return 1000 * np.mean(np.where(y == 1, fn_cost * ~flagged, fp_cost * flagged))


@pytest.mark.parametrize("make", [counts, rows, cs.ScoreTable.from_predictions])
def test_the_rule_that_decide_takes_before_is_priced_on_the_rows_after(make):
    first, second = sample(0), sample(1, moved=0.8)
    money = cs.drift(make(*first), make(*second), quantities="auc", **COSTS).money
    assert str(money.rule) == str(cs.decide(rows(*first), **COSTS).recommendation.rule)
    assert money.kept.money == pytest.approx(cost_of(money.rule.cuts[0], *second, **COSTS))
    assert money.saving.difference == pytest.approx(money.kept.money - money.best.money)
    assert money.saving.low < money.saving.difference < money.saving.high


def test_the_numbers_are_those_of_decide_with_the_rule_in_use():
    first, second = sample(0), sample(1, moved=0.8)
    money = cs.drift(rows(*first), rows(*second), quantities="auc", **COSTS).money
    use = ("m", money.rule.cuts[0])
    found = cs.compare_money(rows(*second), baseline=use, **COSTS)
    in_use = found.in_use
    assert (in_use.money, in_use.low, in_use.high) == (
        money.kept.money,
        money.kept.low,
        money.kept.high,
    )
    saved = found.pairs["m", "baseline"]
    assert (saved.difference, saved.low, saved.high) == (
        money.saving.difference,
        money.saving.low,
        money.saving.high,
    )


def test_nothing_needs_doing_where_nothing_has_changed_and_something_where_much_has():
    first = sample(0)
    kept = cs.drift(counts(*first), counts(*sample(1)), quantities="auc", **COSTS)
    assert not kept.money.needed
    assert kept.money.text.startswith("Keep the rule (flag scores above ")
    moved = cs.drift(counts(*first), counts(*sample(1, moved=2)), quantities="auc", **COSTS)
    assert moved.money.needed
    assert moved.money.text.startswith("Set the rule anew (flag scores above ")
    assert moved.money.text in repr(moved)


def test_a_decision_is_kept_at_its_own_costs_and_prevalence():
    first, second = sample(0), sample(1, moved=0.8)
    tables = counts(*first), counts(*second)
    for known in (COSTS, {"fp_cost": 1, "fn_cost": (4, 16)}, {**COSTS, "prevalence": 0.1}):
        decision = cs.decide(rows(*first), tp_cost=-2, **known)
        asked = [decision, decision.saved()]
        mine, saved = (
            cs.drift(*tables, quantities="auc", decision=one).money.to_dict() for one in asked
        )
        assert mine == saved
        p = known.get("prevalence", second[0].mean())
        cut, (y, s) = decision.recommendation.rule.cuts[0], second
        fn_cost = decision.conditions.fn_cost.mean
        passed, flagged = np.mean(s[y == 1] <= cut), np.mean(s[y == 0] > cut)
        expected = p * (passed * fn_cost - 2 * (1 - passed)) + (1 - p) * flagged
        assert mine["kept"]["cost_per_1000"] == pytest.approx(1000 * expected)
    # Costs that are given count instead.
    given = cs.drift(*tables, quantities="auc", decision=decision, prevalence=0.5, **COSTS).money
    expected = 500 * (8 * passed + flagged)
    assert given.kept.money == pytest.approx(expected)


def test_a_decision_that_flags_everybody_is_kept_too():
    (y, _), second = sample(0), sample(1)
    noise = counts(y, np.random.default_rng(0).random(600).round(2))
    money = cs.drift(noise, counts(*second), quantities="auc", **COSTS).money
    assert money.rule.trivial
    assert money.kept.money == pytest.approx(1000 * (1 - second[0].mean()))


def test_a_decision_with_a_review_is_kept_with_what_the_review_costs():
    first, second = sample(0, 2000), sample(1, 2000, moved=0.8)
    decision = cs.decide(rows(*first), review=cs.Review(cost=0.3, sensitivity=0.9), **COSTS)
    assert decision.recommendation.rule.actions == ("pass", "review", "flag")
    tables = counts(*first), counts(*second)
    by_record = cs.drift(*tables, quantities="auc", decision=decision).money
    known = {"review": cs.Review(cost=0.3, sensitivity=0.9), **COSTS}
    given = cs.drift(*tables, quantities="auc", **known).money
    assert by_record.kept.money == pytest.approx(given.kept.money)
    (low, high), (y, s) = by_record.rule.cuts, second
    of_negatives = np.where(s > high, 1, np.where(s > low, 0.3, 0))
    of_positives = np.where(s > high, 0, np.where(s > low, 0.3 + 0.1 * 8, 8))
    expected = 1000 * np.mean(np.where(y == 1, of_positives, of_negatives))
    assert by_record.kept.money == pytest.approx(expected)


def test_limits_of_a_decision_that_its_rule_does_not_keep_to_any_more_are_told():
    first, second = sample(0), sample(1, moved=1.5)
    decision = cs.decide(rows(*first), constraints=cs.Constraints(max_fpr=0.2), **COSTS)
    tables = counts(*first), counts(*second)
    money = cs.drift(*tables, quantities="auc", decision=decision).money
    assert money.broken == ("false positive rate at most 20 %",)
    assert money.needed
    assert "It does not keep to its limits any more: false positive rate at" in money.text
    y, s = second
    assert np.mean(s[y == 0] > money.best.rule.cuts[0]) <= 0.2
    assert not cs.drift(tables[0], tables[0], quantities="auc", decision=decision).money.broken


def test_many_rows_in_a_table_are_dealt_to_folds_as_rows_are():
    first, second = sample(0), sample(1, 150_000, moved=0.8)
    by_row = cs.drift(rows(*first), rows(*second), quantities="auc", **COSTS).money
    counted = cs.drift(counts(*first), counts(*second), quantities="auc", **COSTS).money
    assert counted.n == by_row.n == 150_000
    assert counted.kept.money == pytest.approx(by_row.kept.money)
    # The cut into folds is another.
    assert counted.best.money == pytest.approx(by_row.best.money, rel=0.005)
    ends = [(one.saving.low, one.saving.high) for one in (counted, by_row)]
    assert ends[0] == pytest.approx(ends[1], rel=0.05)


def test_the_folds_of_a_table_are_as_large_as_each_other():
    table = counts(*sample(1, 150_000))
    dealt = divided(table, "after", "m").source.counted("m").sums.rows
    assert (dealt.sum(axis=0) == table.sums.rows).all()
    for of_class in dealt.sum(axis=2).T:
        assert of_class == pytest.approx(of_class.mean(), rel=0.02)


def test_the_interval_of_what_a_new_rule_saves_covers_what_it_saves():
    # The population is long: what a rule fitted on a sample saves there is known to a digit.
    y, s = sample(99, 400_000, moved=0.8)
    before = counts(*sample(0, 5000))
    hits, runs = 0, 60
    for seed in range(runs):
        after = sample(seed + 1, 500, moved=0.8)
        money = cs.drift(before, counts(*after), quantities="auc", **COSTS).money
        saved = cost_of(money.rule.cuts[0], y, s, **COSTS)
        saved -= cost_of(money.best.rule.cuts[0], y, s, **COSTS)
        hits += money.saving.low <= saved <= money.saving.high
    assert hits / runs > 0.9


def test_groups_in_both_samples_make_the_errors_of_money_larger():
    y, s = sample(0, 300)
    first, second = (rows(np.tile(y, 4), np.tile(s, 4)) for _ in range(2))
    groups = np.tile(np.arange(300), 4)
    alone = cs.drift(first, second, quantities="auc", **COSTS).money
    together = cs.drift(first, second, quantities="auc", groups=(groups, groups), **COSTS).money
    widths = [one.kept.high - one.kept.low for one in (alone, together)]
    assert widths[1] > 1.5 * widths[0]
    assert together.kept.money == pytest.approx(alone.kept.money)


def test_a_gate_decides_by_the_intervals_of_money():
    found = cs.drift(counts(*sample(0)), counts(*sample(1, moved=2)), quantities="auc", **COSTS)
    money = found.to_dict()["money"]
    json.dumps(money, allow_nan=False)
    conditions = {
        "money.saving > 0": "fail",
        "money.saving > 1e6": "pass",
        "money.kept > 0": "fail",
    }
    gate = cs.check(found, *conditions)
    assert [one.verdict for one in gate.verdicts] == list(conditions.values())
    assert (gate.verdicts[0].low, gate.verdicts[0].high) == (
        money["saving"]["low"],
        money["saving"]["high"],
    )
    inside = (money["saving"]["low"] + money["saving"]["high"]) / 2
    assert cs.check(found, f"money.saving > {inside}").verdict == "undecided"


def test_few_rows_have_costs_without_intervals():
    y, s = [0] * 30 + [1] * 4, np.linspace(0.1, 0.9, 34)
    money = cs.drift(counts(*sample(0)), counts(y, s), quantities="auc", **COSTS).money
    assert money.reason is not None
    assert np.isnan(money.saving.low)
    assert not money.needed
    assert money.to_dict()["saving"]["low"] is None
    assert "(no interval)" in money.text


def test_what_cannot_be_priced_is_refused():
    first, second = sample(0), sample(1)
    tables = counts(*first), counts(*second)

    def refuses(error, text, *samples, **more):
        with refused(error, text):
            cs.drift(*(samples or tables), quantities="auc", **more)

    binned = [counts(*one, binning=cs.Binning.uniform(bins=8)) for one in (first, second)]
    refuses(SourceError, "before: rows are in bins", *binned, **COSTS)
    weighted = [
        cs.ScoreTable.from_predictions(*one, sample_weight=np.arange(600) + 1)
        for one in (first, second)
    ]
    refuses(SourceError, "before: rows are weighted", *weighted, **COSTS)
    own = [cs.ScoreTable.from_predictions(*one).with_prevalence(0.2) for one in (first, second)]
    refuses(SourceError, "before: the table has a prevalence of its own", *own, **COSTS)
    by_case = [
        rows(*one, case_costs=cs.CaseCosts(1.0, np.arange(600) + 2)) for one in (first, second)
    ]
    refuses(ConditionError, "before: rows have costs of their own", *by_case, **COSTS)
    refuses(ConditionError, "fn_cost", fp_cost=1)
    refuses(ConditionError, "decision must be SavedDecision", decision="june.json")
    given = {"conditions": cs.Deployment(prevalence=0.2, **COSTS), "prevalence": 0.2}
    refuses(ConditionError, "conditions and prevalence are both given", **given)
    followed = cs.decide(rows(*first), fp_cost=1, fn_cost=(2, 20), known="costs")
    refuses(ConditionError, "has rules that follow the costs", decision=followed)
    queue = cs.decide(
        rows(*first),
        constraints=cs.Constraints(capacity=0.05),
        choices=[cs.RateFixed(0.05)],
        **COSTS,
    )
    refuses(ConditionError, "works down a queue", decision=queue)
    batches = cs.decide(rows(*first), constraints=cs.Constraints(capacity=0.1, batch=50), **COSTS)
    refuses(ConditionError, "is for batches", decision=batches)
    saved = cs.decide(rows(*first), **COSTS).saved()
    record = {**saved.record, "condition": {"path": None}}
    older = cs.decision.SavedDecision(record, saved.rules)
    refuses(ConditionError, "was saved without costs that are", decision=older)


def test_a_decision_whose_limits_nothing_keeps_to_is_told():
    first, limits = sample(0), cs.Constraints(min_precision=0.5, min_recall=0.5)
    decision = cs.decide(rows(*first), constraints=limits, **COSTS)
    y, _ = sample(1)
    noise = counts(y, np.random.default_rng(0).random(600).round(2))
    with refused(InfeasibleError, "nothing keeps to the limits"):
        cs.drift(counts(*first), noise, quantities="auc", decision=decision)

"""What models save against each other, by hand: paired losses, thresholds chosen out of fold."""

import json
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from brute_force_decision import trials
from refusals import refused
from scipy import stats
from two_models import drawn

import costspace as cs
from costspace.decision import MoneyComparison, MoneyDifference

FP, FN, PREVALENCE = 2.0, 9.0, 0.1
KNOWN = cs.Deployment(FP, FN, PREVALENCE)
STAKES = np.array([1000 * (1 - PREVALENCE) * FP, 1000 * PREVALENCE * FN])
HALF = [cs.ScoreFixed(0.5)]
TWO = {"low": cs.ScoreFixed(0.4), "high": cs.ScoreFixed(0.5)}


def losses(y, flagged):
    """What each row says of the money per 1,000 cases."""
    return np.where(y == 1, STAKES[1] * ~flagged, STAKES[0] * flagged)


def money(y, parts):
    return parts[y == 0].mean() + parts[y == 1].mean()


def added(sizes, stakes=STAKES):
    """What one row more of either class adds, that tells the two apart."""
    return (stakes / (np.asarray(sizes) + 1)) ** 2


def welch(y, parts, more=0.0, stakes=STAKES, sizes=None):
    """The standard error of both classes' means together, and its degrees of freedom."""
    v = np.array([parts[y == k].var(ddof=1) / np.sum(y == k) for k in (0, 1)])
    v += added([np.sum(y == k) for k in (0, 1)] if sizes is None else sizes, stakes)
    freedom = v.sum() ** 2 / sum(v**2 / [np.sum(y == k) - 1 for k in (0, 1)])
    return np.sqrt(v.sum() + more), freedom


def told(pair, saving, error, freedom, level=0.95):
    """Assert that a pair has a saving, and the interval and p that go with its error."""
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
    p = 2 * stats.t.sf(abs(saving) / error, freedom)
    found = (pair.difference, pair.standard_error, pair.low, pair.high, pair.p)
    assert found == pytest.approx((saving, error, saving - reach, saving + reach, p), rel=1e-9)


def only(y, s, **options):
    conditions = options.pop("conditions", KNOWN)
    (pair,) = cs.compare_money(y, s, conditions=conditions, **options).pairs.values()
    return pair


def test_losses_are_paired_row_by_row():
    y, s = drawn(3, 200)
    parts = losses(y, s["tied"] > 0.5) - losses(y, s["fine"] > 0.5)
    found = cs.compare_money(y, s, conditions=KNOWN, choices=HALF, level=0.9)
    pair = found.pairs["fine", "tied"]
    assert (len(found.pairs), pair.method) == (1, "linear")
    told(pair, money(y, parts), *welch(y, parts), level=0.9)
    alone = [welch(y, losses(y, one > 0.5))[0] for one in s.values()]
    assert pair.standard_error < 0.9 * np.hypot(*alone)


def test_each_model_has_its_best_and_all_have_the_margin_of_choosing():
    y, s = drawn(19, 120)
    rows = cs.ScoredRows.from_predictions(y, s)
    by_way = {(m, at): losses(y, scores > at) for m, scores in s.items() for at in (0.4, 0.5)}
    chosen, held_out = np.zeros(len(y)), cs.hold_out(rows, repeats=10)
    for part in held_out.judged.parts:
        rest = np.setdiff1d(np.arange(len(y)), part)
        best = min(by_way, key=lambda way: money(y[rest], by_way[way][rest]))
        chosen[part] += by_way[best][part] / len(held_out.folds)
    cost = {way: money(y, found) for way, found in by_way.items()}
    margin = money(y, chosen) - min(cost.values())
    assert margin > 1
    bests = [min((way for way in cost if way[0] == m), key=cost.get) for m in s]
    found = cs.compare_money(y, s, conditions=KNOWN, choices=TWO)
    assert found.margin == pytest.approx(margin)
    costs = [one.money for one in found.strategies]
    assert costs == pytest.approx([cost[way] + margin for way in bests])
    difference = by_way[bests[1]] - by_way[bests[0]]
    told(found.pairs["fine", "tied"], money(y, difference), *welch(y, difference, margin**2))
    decision = cs.decide(y, s, conditions=KNOWN, choices=TWO)
    assert [decision.evidence.cost(one.strategy) for one in found.strategies] == costs
    assert f"Costs include a margin of {margin:.0f}, because" in found.margin_told


def test_groups_are_the_unit_of_the_error():
    y, s = drawn(5, 180)
    groups = np.arange(180) // 3
    parts = losses(y, s["tied"] > 0.5) - losses(y, s["fine"] > 0.5)
    influences = np.empty(180)
    for k in (0, 1):
        influences[y == k] = (parts[y == k] - parts[y == k].mean()) / np.sum(y == k)
    sizes = [trials(parts[y == k], groups[y == k], STAKES[k]) for k in (0, 1)]
    own = np.sum(np.bincount(groups, influences) ** 2) * 60 / 59
    error = np.sqrt(own + sum(added(sizes)))
    told(only(y, s, choices=HALF, groups=groups), money(y, parts), error, 59)


def test_weights_that_are_counts_are_repeated_rows():
    y, s = drawn(7, 80)
    counts = np.arange(80) % 4
    kept = np.repeat(np.arange(80), counts)
    weighted = only(y, s, choices=HALF, sample_weight=counts, weights="counts")
    repeated = only(y[kept], {name: x[kept] for name, x in s.items()}, choices=HALF)
    for name in ("difference", "standard_error", "low", "high", "p"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-9)
    sampled = only(y, s, choices=HALF, sample_weight=counts)
    assert sampled.difference == pytest.approx(repeated.difference)
    assert sampled.standard_error > 1.1 * repeated.standard_error


def test_costs_of_each_case():
    y, s = drawn(8, 150)
    rng = np.random.default_rng(0)
    fp, fn, tp = rng.uniform(1, 3, 150), rng.uniform(4, 20, 150), -rng.random(150)
    costs = cs.CaseCosts(fp, fn, tp_cost=tp)
    found = only(y, s, conditions=None, case_costs=costs, prevalence=0.2, choices=HALF)

    def cost(flagged):
        own = np.where(y == 1, np.where(flagged, tp, fn), np.where(flagged, fp, 0))
        return 1000 * np.where(y == 1, 0.2 * own, 0.8 * own)

    parts = cost(s["tied"] > 0.5) - cost(s["fine"] > 0.5)
    assert found.difference == pytest.approx(money(y, parts))
    # What a mistake on each row costs says how many rows of a class there are.
    risked = [0.8 * fp[y == 0], 0.2 * (fn - tp)[y == 1]]
    stakes = np.array([1000 * one.mean() for one in risked])
    sizes = [one.sum() ** 2 / np.sum(one**2) for one in risked]
    error = welch(y, parts, stakes=stakes, sizes=sizes)[0]
    assert found.standard_error == pytest.approx(error)


def test_every_model_is_compared_with_the_rule_in_use():
    y, s = drawn(4, 200)
    found = cs.compare_money(y, s, conditions=KNOWN, choices=HALF, baseline=("tied", 0.75))
    assert list(found.pairs) == [("fine", "baseline"), ("tied", "baseline")]
    for pair, name in zip(found.pairs.values(), s, strict=True):
        parts = losses(y, s["tied"] > 0.75) - losses(y, s[name] > 0.5)
        assert pair.difference == pytest.approx(money(y, parts))
        # What other rows of a class may tell apart is added for two models only.
        stakes = STAKES if name == "fine" else np.zeros(2)
        assert pair.standard_error == pytest.approx(welch(y, parts, stakes=stakes)[0])
    fine, tied = found.pairs.values()
    # Of two thresholds of one model there is an interval and no p, and it is in no family.
    assert np.isnan([tied.p, tied.p_adjusted]).all()
    assert tied.low < tied.difference < tied.high
    assert fine.p_adjusted == fine.p
    assert [one.strategy.name for one in found.strategies][-1] == "baseline"
    assert cs.compare_money(y, s["fine"], conditions=KNOWN, baseline=("y_score", 0.5)).pairs


def test_p_is_adjusted_for_all_pairs():
    y, s = drawn(6, 200)
    s["third"] = np.random.default_rng(1).permutation(s["fine"])
    for correction, adjusted in (("holm", None), ("bonferroni", 3), (None, 1)):
        pairs = cs.compare_money(y, s, conditions=KNOWN, choices=HALF, correction=correction).pairs
        assert list(pairs) == [("fine", "tied"), ("fine", "third"), ("tied", "third")]
        p = np.array([one.p for one in pairs.values()])
        if adjusted is None:
            ordered = np.maximum.accumulate(np.sort(p) * [3, 2, 1])
            expected = ordered[np.argsort(np.argsort(p))]
        else:
            expected = p * adjusted
        assert [one.p_adjusted for one in pairs.values()] == pytest.approx(np.minimum(expected, 1))


def test_limits_are_kept_and_what_cannot_is_left_out():
    y, s = drawn(10, 300)
    s["blind"] = np.random.default_rng(3).random(300).round(3)
    limits = cs.Constraints(min_precision=0.45, min_recall=0.4)
    known = cs.Deployment(1, 5, 0.3)
    found = cs.compare_money(y, s, conditions=known, constraints=limits, choices=[cs.Optimal()])
    assert list(found.pairs) == [("fine", "tied")]
    assert "no threshold has recall at least 40 %" in found.notes["blind"]
    assert "flag_everybody" not in [one.strategy.name for one in found.trivial]
    alone = {name: s[name] for name in ("fine", "blind")}
    with refused(cs.InfeasibleError, "too few models can be compared: blind, "):
        cs.compare_money(y, alone, conditions=known, constraints=limits, choices=[cs.Optimal()])
    # The rule in use is compared with as it is.
    in_use = cs.compare_money(
        y, s, conditions=known, constraints=limits, choices=[cs.Optimal()], baseline=("blind", 0.1)
    )
    (used,) = [one for one in in_use.strategies if one.strategy.name == "baseline"]
    free = cs.compare_money(y, s, conditions=known, baseline=("blind", 0.1))
    assert used.money in [one.money for one in free.strategies]


def test_validation_rows_judge_what_is_fitted_on_the_others():
    train, (y, s) = drawn(1, 150), drawn(2, 100)
    found = cs.compare_money(*train, conditions=KNOWN, validation=(y, s), choices=TWO)
    rules = {one.strategy.model: one.rule for one in found.strategies}
    flagged = {name: rules[name].flagged(x) > 0.5 for name, x in s.items()}
    parts = losses(y, flagged["tied"]) - losses(y, flagged["fine"])
    told(found.pairs["fine", "tied"], money(y, parts), *welch(y, parts))
    assert (found.decision.basis, found.evidence.n) == ("validation rows", 100)


def test_models_that_decide_alike_are_not_told_apart():
    y, s = drawn(3, 200)
    found = cs.compare_money(y, {"a": s["fine"], "b": s["fine"]}, conditions=KNOWN)
    pair = found.pairs["a", "b"]
    assert (pair.difference, pair.standard_error, pair.p, pair.method) == (0, 0, 1, "known")
    assert (pair.low, pair.high) == (0, 0)
    assert found.text == "a and b are equally good: they do the same on all rows."


def test_few_rows_have_no_interval():
    y = np.tile([0, 0, 0, 0, 1], 4)
    s = {name: np.random.default_rng(k).random(20) for k, name in enumerate("ab")}
    found = cs.compare_money(y, s, conditions=KNOWN)
    pair = found.pairs["a", "b"]
    assert np.isnan([pair.low, pair.high, pair.p, pair.standard_error]).all()
    assert pair.difference == pytest.approx(found.strategies[1].money - found.strategies[0].money)
    assert "a is not shown to save money against b" in found.text
    assert "the rarer class has 4 rows" in "".join(found.remarks())
    json.dumps(found.to_dict(), allow_nan=False)
    more = cs.compare_money(
        np.tile(y, 3), {k: np.tile(x, 3) for k, x in s.items()}, conditions=KNOWN
    )
    assert "The rarer class has 12 rows" in more.warnings[0]


def test_a_model_may_be_called_as_the_rule_in_use_is():
    y = np.tile([0, 0, 0, 0, 1], 4)
    s = [np.random.default_rng(k).random(20) for k in range(2)]
    named, plain = (
        cs.compare_money(y, {name: s[0], "b": s[1]}, conditions=KNOWN, baseline=("b", 0.5))
        for name in ("baseline", "a")
    )
    assert list(named.pairs) == [("baseline", "baseline"), ("b", "baseline")]
    assert [*map(repr, named.pairs.values())] == [*map(repr, plain.pairs.values())]
    assert [one.money for one in named.strategies] == [one.money for one in plain.strategies]


def test_what_needs_no_model_and_costs_less_is_named():
    y, s = drawn(3, 200)
    cheap = cs.compare_money(y, s, conditions=cs.Deployment(1, 5, 0.001), choices=HALF)
    assert "Flagging nobody costs 5 per 1,000 cases, and no model costs less." in cheap.remarks()
    (remark,) = cs.compare_money(y, s, conditions=cs.Deployment(1, 2, 0.4)).remarks()
    assert remark == "About 23,000 labelled rows would tell."


NEW = MoneyDifference(19.2, 8.5, 8.1, 2.5, 35.9, 0.025, 0.025, "linear")


def said(pairs, level=0.95, baseline=None):
    """The sentences on what one model saves against another, or the rule in use, by both names."""
    y, s = drawn(3, 60)
    asked = {"baseline": baseline, "choices": HALF, "conditions": KNOWN}
    found = cs.compare_money(y, {"new": s["fine"], "old": s["tied"]}, **asked)
    decision = replace(found.decision, evidence=replace(found.evidence, level=level))
    named = {tuple(names.split()): more for names, more in pairs.items()}
    return replace(found, pairs=named, decision=decision).sentences


def test_sentences():
    lost = NEW.turned
    open_ = replace(NEW, difference=1.2, low=-3.0, high=5.0, p=0.4, p_adjusted=0.4)
    third = replace(NEW, difference=30.0, low=10.0, high=50.0, p_adjusted=1e-5)
    saved = "saves 19.2 per 1,000 cases against"
    assert said({"new old": NEW}) == (f"new {saved} old (2.5 to 35.9; p 0.025).",)
    assert said({"new old": lost}) == (f"old {saved} new (2.5 to 35.9; p 0.025).",)
    shown = "is not shown to save money against old"
    shown = f"{shown}, nor old against new: new costs"
    within = "per 1,000 cases (-3.00 to 5.00; p 0.4)."
    assert said({"new old": open_}) == (f"new {shown} 1.20 less {within}",)
    assert said({"new old": open_.turned}) == (f"new {shown} 1.20 more {within}",)
    assert said({"new old": NEW}, level=0.99)[0].startswith(f"new {shown} 19.2 less")
    (both,) = said({"new old": NEW, "new other": open_, "third old": third})
    assert both == (
        "Against old, third saves 30.0 per 1,000 cases (10.0 to 50.0; p below 0.001), "
        "new 19.2 (2.5 to 35.9; p 0.025)."
    )
    over = replace(third, difference=-10.8, low=-20.0, high=-1.6, p_adjusted=0.02)
    first, second = said({"new old": NEW, "third old": third, "new third": over})
    assert first == (
        "third saves 30.0 per 1,000 cases against old (10.0 to 50.0; p below 0.001), "
        "10.8 against new (1.6 to 20.0; p 0.02)."
    )
    assert second == f"new {saved} old (2.5 to 35.9; p 0.025)."
    nothing = ("No model is shown to save money against another.",)
    assert said({"new old": open_, "new other": open_}) == nothing


def test_sentences_against_the_rule_in_use():
    in_use, baseline = "the rule in use, old above 0.7", ("old", 0.7)
    (text,) = said({"new baseline": NEW}, baseline=baseline)
    assert text == f"new saves 19.2 per 1,000 cases against {in_use} (2.5 to 35.9; p 0.025)."
    (text,) = said({"new baseline": NEW.turned}, baseline=baseline)
    assert text == f"new costs 19.2 more per 1,000 cases than {in_use} (2.5 to 35.9; p 0.025)."
    same = replace(NEW, p=np.nan, p_adjusted=np.nan)
    (text,) = said({"new baseline": same}, baseline=baseline)
    assert text == f"new saves 19.2 per 1,000 cases against {in_use} (2.5 to 35.9)."
    (text,) = said({"new baseline": NEW}, baseline=drawn(3, 60)[1]["tied"] > 0.7)
    assert text.startswith("new saves 19.2 per 1,000 cases against the rule in use (2.5 to")
    none = replace(NEW, low=-2.5, p=0.2, p_adjusted=0.2)
    assert said({"new baseline": none, "old baseline": none}, baseline=baseline) == (
        f"No model is shown to save money against {in_use}.",
    )


def test_the_rule_in_use_is_named_once_for_all_models_on_one_side_of_it():
    baseline = ("old", 0.7)
    new = {"new baseline": NEW}
    third = replace(NEW, difference=30.0, low=10.0, high=50.0, p_adjusted=1e-5)
    more = {"third baseline": third}
    lost = replace(NEW, difference=-40.0, low=-70.0, high=-10.0, p=np.nan, p_adjusted=np.nan)
    a = {"a baseline": lost}
    b = {"b baseline": replace(NEW, difference=-50.0, low=-90.0, high=-10.0, p_adjusted=0.01)}
    saves = (
        "Against the rule in use, old above 0.7, third saves 30.0 per 1,000 cases "
        "(10.0 to 50.0; p below 0.001), new 19.2 (2.5 to 35.9; p 0.025)."
    )
    costs = "b costs 50.0 more per 1,000 cases than the rule in use"
    assert said(new | more, baseline=baseline) == (saves,)
    assert said(a | new | b | more, baseline=baseline) == (
        saves,
        f"{costs} (10.0 to 90.0; p 0.01), a 40.0 (10.0 to 70.0).",
    )
    assert said(a | b, baseline=baseline) == (
        f"{costs}, old above 0.7 (10.0 to 90.0; p 0.01), a 40.0 (10.0 to 70.0).",
    )


def test_results_are_plain_and_shown():
    y, s = drawn(3, 200)
    found = cs.compare_money(y, s, conditions=KNOWN)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    (pair,) = plain["savings"]
    saved = found.pairs["fine", "tied"].difference
    assert (pair["model"], pair["against"], pair["saving_per_1000"]) == ("fine", "tied", saved)
    assert [one["cost_per_1000"] for one in plain["strategies"]] == [
        one.money for one in found.strategies
    ]
    assert plain["text"] == found.text
    columns = found.columns()
    assert (columns["model"], columns["against"], columns["difference"]) == ("fine", "tied", saved)
    assert found.text in repr(found)
    assert "fine" in found._repr_html_()
    assert isinstance(found, MoneyComparison)


def test_what_is_no_comparison():
    y, s = drawn(3, 60)
    with refused(cs.ConditionError, "correction must be"):
        cs.compare_money(y, s, conditions=KNOWN, correction="tukey")
    with refused(cs.ConditionError, "there is one model to compare"):
        cs.compare_money(y, s["fine"], conditions=KNOWN)


def test_a_rule_in_use_on_a_column_with_its_sign_changed_is_told_by_the_column():
    y, s = drawn(3, 200)
    scores = {"-points": -100 * s["tied"], "fine": s["fine"]}
    found = cs.compare_money(y, scores, conditions=KNOWN, baseline=("-points", -70.0))
    assert "the rule in use, points below 70" in found.text


def test_models_that_do_the_same_are_one_in_any_order():
    rng = np.random.default_rng(4)
    y = (rng.random(300) < 0.3).astype(int)
    good, poor = (1 / (1 + np.exp(1 - rng.normal(k * y, 1))) for k in (1.5, 0.5))
    odds = np.log(good / (1 - good))
    scores = {"good": good, "odds": odds, "single": odds.astype(np.float32), "poor": poor}
    known = {"conditions": cs.Deployment(1, 5, 0.3), "choices": [cs.Smoothed(), cs.Optimal()]}
    alone = cs.compare_money(y, {name: scores[name] for name in ("good", "poor")}, **known)
    pair = alone.pairs["good", "poor"]
    for order in permutations(scores):
        found = cs.compare_money(y, {name: scores[name] for name in order}, **known)
        assert sorted(map(sorted, found.alike)) == [["good", "odds", "single"]]
        (((model, against), one),) = found.distinct.items()
        one = one if model == "good" else one.turned
        assert {model, against} == {"good", "poor"}
        # Nothing is compared but the two, and the p allows for nothing else.
        assert one.difference == pytest.approx(pair.difference, rel=1e-12)
        assert one.p_adjusted == pytest.approx(pair.p, rel=1e-9)
        assert "good saves" in found.text
        assert "are equally good: they do the same on all rows." in found.text
        money = {each.strategy.model: each.money for each in found.strategies}
        assert money["good"] == money["odds"] == money["single"]
        for names, each in found.pairs.items():
            if "poor" not in names:
                assert (each.difference, each.standard_error, each.p_adjusted) == (0, 0, 1)
                assert not found.is_shown(each)
        told = {each["model"]: each["same_as"] for each in found.to_dict()["strategies"]}
        same = {name: one and one["model"] for name, one in told.items()}
        assert same == {"good": None, "odds": "good", "single": "good", "poor": None}

"""Drift by segment: parts of the whole, decide's own numbers, and changes under one correction."""

import numpy as np
import pytest
from refusals import refused
from two_periods import sample

import costspace as cs
from costspace import SourceError

COSTS = {"fp_cost": 1, "fn_cost": 8}
N = 2400


def period(seed, **more):
    y, s = sample(seed, N, **more)
    rng = np.random.default_rng(seed + 100)
    site = rng.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2]).astype("U5")
    site[:3] = [f"t{seed}", "tiny", "d"]
    return cs.ScoredRows.from_predictions(y, {"m": s}), site


FIRST, SECOND = period(0), period(1, moved=0.8)
ROWS, SITES = (FIRST[0], SECOND[0]), (FIRST[1], SECOND[1])


@pytest.mark.parametrize("given", [{}, {"prevalence": 0.1}])
def test_costs_are_those_of_decide_by_segment_and_add_up_to_what_keeping_the_rule_costs(given):
    found = cs.drift(*ROWS, quantities="auc", segments=SITES, **COSTS, **given)
    money, segments = found.money, found.segments
    assert segments.cost == money.kept.money
    assert sum(one.contribution for one in segments.segments) == pytest.approx(
        money.kept.money, abs=1e-9
    )
    assert sum(one.share for one in segments.segments) == pytest.approx(1, abs=1e-12)
    first = cs.decide(ROWS[0], **COSTS, **given)
    in_use = ("m", money.rule.cuts[0])
    before = {one.name: one for one in first.by(SITES[0], own_thresholds=False).segments}
    now = cs.decide(ROWS[1], baseline=in_use, choices=[cs.ScoreFixed(in_use[1])], **COSTS, **given)
    after = {one.name: one for one in now.by(SITES[1], own_thresholds=False).segments}
    names = [one.name for one in segments.segments]
    assert sorted(names[:3]) == ["a", "b", "c"]
    assert names[3:] == ["others"]
    assert segments.segments[3].number == 3
    assert segments.gone == 1
    lost = [one.contribution for one in segments.segments[:3]]
    assert lost == sorted(lost, reverse=True)
    for one in segments.segments[:3]:
        was, is_now = before[one.name].money, after[one.name].money
        ends = [(x.money, x.low, x.high) for x in (one.before, one.kept)]
        assert ends[0] == pytest.approx((was.money, was.low, was.high))
        assert ends[1] == pytest.approx((is_now.money, is_now.low, is_now.high))
        assert one.more.difference == one.kept.money - one.before.money
        below = np.hypot(is_now.money - is_now.low, was.high - was.money)
        assert one.more.difference - one.more.low == pytest.approx(below)
        assert one.more.low < one.more.difference < one.more.high


def test_a_rule_that_is_given_costs_before_what_it_did_there():
    decision = cs.decide(period(5)[0], **COSTS)
    found = cs.drift(*ROWS, quantities="auc", segments=SITES, decision=decision).segments
    cut = decision.recommendation.rule.cuts[0]
    for one in found.segments[:3]:
        for rows, site, money in zip(ROWS, SITES, (one.before, one.kept), strict=True):
            own = site == one.name
            flagged, y = rows.scores["m"][own] > cut, rows.positive[own]
            cost = 1000 * np.mean(np.where(y, 8 * ~flagged, flagged))
            assert money.money == pytest.approx(cost)


def test_a_segment_that_is_new_has_no_change():
    sites = SITES[0], np.where(SITES[1] == "c", "new", SITES[1])
    found = cs.drift(*ROWS, quantities="auc", segments=sites, **COSTS).segments
    new = next(one for one in found.segments if one.name == "new")
    assert (new.before, new.more, new.rows_before) == (None, None, 0)
    assert new.kept.low < new.kept.money < new.kept.high
    assert new.to_dict()["before"] is None
    assert np.isnan(found.columns()["before"]).sum() == 1


def test_what_was_too_small_before_is_joined():
    before = SITES[0].copy()
    before[np.flatnonzero(before == "c")[3:]] = "a"
    found = cs.drift(*ROWS, quantities="auc", segments=(before, SITES[1]), **COSTS).segments
    assert [(one.name, one.number) for one in found.segments[2:]] == [("others", 4)]
    assert found.intervals == 2


def test_changes_are_those_of_each_segment_under_one_correction():
    found = cs.drift(*ROWS, segments=SITES).segments
    assert found.tests == 3 * 4
    assert [one.number for one in found.segments] == [1, 1, 1, 3]
    assert found.segments[3].changes == ()
    assert "too little" in found.segments[3].reason
    told = [one.told for one in found.segments]
    assert told == sorted(told, reverse=True)
    assert told[0] > 0
    p = []
    for one in found.segments[:3]:
        parts = [
            rows.take(np.flatnonzero(site == one.name))
            for rows, site in zip(ROWS, SITES, strict=True)
        ]
        alone = cs.drift(*parts, level=1 - 0.05 / 12, correction=None)
        own = {change.quantity: change for change in alone.changes}
        assert [change.quantity for change in one.changes] == [
            "prevalence",
            "calibration_in_the_large",
            "auc",
            "brier",
        ]
        for change in one.changes:
            same = own[change.quantity]
            assert (change.difference, change.low, change.high) == (
                same.difference,
                same.low,
                same.high,
            )
            p.append((change.p, change.p_adjusted))
    p.sort()
    holm = np.maximum.accumulate([min((12 - i) * of, 1) for i, (of, _) in enumerate(p)])
    assert [adjusted for _, adjusted in p] == pytest.approx(holm.tolist())


def test_a_tiny_segment_with_an_extreme_change_does_not_lead():
    many, few = sample(7, N), sample(8, 40)
    y, s = (np.concatenate(of) for of in zip(many, few, strict=True))
    sites = [np.append(site, ["e"] * 40) for site in (SITES[0], SITES[0])]
    first = cs.ScoredRows.from_predictions(y, {"m": s})
    moved = np.where(sites[1] == "c", np.clip(s + 0.1, 0, 1), s)
    moved[-40:] = 1 - moved[-40:]
    second = cs.ScoredRows.from_predictions(y, {"m": moved})
    found = cs.drift(first, second, quantities="calibration_in_the_large", segments=sites).segments
    by_name = {one.name: one.changes[0].difference for one in found.segments if one.changes}
    assert abs(by_name["e"]) > abs(by_name["c"])
    assert found.segments[0].name == "c"


def test_rows_in_groups_are_told_apart_by_groups():
    groups = np.arange(N) // 3, np.arange(N) // 3
    alone = cs.drift(*ROWS, quantities="auc", segments=SITES).segments
    found = cs.drift(*ROWS, quantities="auc", segments=SITES, groups=groups).segments
    one, same = (x.segments[0].changes[0] for x in (found, alone))
    assert one.difference == pytest.approx(same.difference)
    assert one.standard_error != same.standard_error
    money = cs.drift(*ROWS, quantities="auc", segments=SITES, groups=groups, **COSTS)
    assert sum(one.contribution for one in money.segments.segments) == pytest.approx(
        money.money.kept.money, abs=1e-9
    )


def test_rows_of_weight_0_are_in_no_segment():
    weight = np.ones(N)
    weight[SITES[1] == "c"] = 0
    after = cs.ScoredRows.from_predictions(ROWS[1].positive, ROWS[1].scores, sample_weight=weight)
    for more in (COSTS, {}):
        found = cs.drift(ROWS[0], after, quantities="auc", segments=SITES, **more).segments
        assert "c" not in {one.name for one in found.segments}


def test_records_say_what_they_hold():
    money = cs.drift(*ROWS, quantities="auc", segments=SITES, **COSTS).segments
    assert repr(money).startswith("the kept rule costs ")
    changes = cs.drift(*ROWS, quantities="auc", segments=SITES).segments
    assert repr(changes).startswith("3 changes by segment")
    assert set(changes.columns()["quantity"]) == {"auc"}
    drifted = cs.drift(*ROWS, quantities="auc", segments=SITES)
    assert drifted.to_dict()["segments"][0]["by"] == {"segment": changes.segments[0].name}


def test_what_has_no_segments_is_refused():
    with refused(SourceError, "must be two"):
        cs.drift(*ROWS, segments=SITES[0][:3])
    with refused(SourceError, "by x before and by z after"):
        cs.drift(*ROWS, segments=({"x": SITES[0]}, {"z": SITES[1]}))
    with refused(SourceError, "no segment by segment is in both"):
        cs.drift(*ROWS, segments=(["q"] * N, ["r"] * N))
    with refused(SourceError, "after is ScoreTable"):
        cs.drift(ROWS[0], cs.ScoreTable.from_rows(ROWS[1], "m"), segments=SITES)
